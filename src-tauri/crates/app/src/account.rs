//! Whose account it has to be: that of the connection and that of its database, which have to be one.

use std::path::Path;

use liftdeck_model::{AccountId, Timestamp};
use liftdeck_store::{Access, Store, StoreError, StoreOptions};

/// The account in a database; `None` where there is no database or nothing was collected into it yet.
///
/// # Errors
/// [`StoreError::WrongAccount`] when the connection belongs to another one; else when the file cannot be used.
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
/// As of [`there`].
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
