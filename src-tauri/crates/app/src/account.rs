//! The account of a database, which must be the account of its connection.

use std::path::Path;

use liftdeck_model::{AccountId, Timestamp};
use liftdeck_store::{Access, Store, StoreError, StoreOptions};

/// The account in a database; `None` if there is no database or nothing has been collected into it yet.
///
/// # Errors
/// [`StoreError::WrongAccount`] if the connection belongs to another account; other errors if the file cannot be
/// used.
pub async fn there(
    database: &Path,
    access: Access,
    of_connection: Option<&AccountId>,
    now: Timestamp,
) -> Result<Option<AccountId>, StoreError> {
    if !database.exists() {
        return Ok(None);
    }
    let options = StoreOptions { path: database.to_owned(), access, account: None, now };
    let store = Box::pin(Store::open(options)).await?;
    let there = in_store(&store, database, of_connection).await;
    store.close().await;
    there
}

/// The account in an open database.
///
/// # Errors
/// As for [`there`].
pub async fn in_store(
    store: &Store,
    database: &Path,
    of_connection: Option<&AccountId>,
) -> Result<Option<AccountId>, StoreError> {
    let there = store.reader().account().await?;
    match (&there, of_connection) {
        (Some(found), Some(expected)) if found != expected => Err(StoreError::WrongAccount {
            path: database.to_owned(),
            found: found.clone(),
            expected: expected.clone(),
        }),
        _ => Ok(there),
    }
}
