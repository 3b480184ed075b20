//! The account of a database, which must be the account of its connection.

use std::path::Path;

use liftdeck_model::{AccountId, Timestamp};

use crate::error::StoreError;
use crate::store::{Access, Store, StoreOptions};

impl Store {
    /// The account in a database file; `None` if there is no file or nothing has been collected into it yet.
    ///
    /// # Errors
    /// [`StoreError::WrongAccount`] if it holds another account than the expected one; other errors if the file
    /// cannot be used.
    pub async fn account_at(
        database: &Path,
        access: Access,
        expected: Option<&AccountId>,
        now: Timestamp,
    ) -> Result<Option<AccountId>, StoreError> {
        if !database.exists() {
            return Ok(None);
        }
        let options = StoreOptions { path: database.to_owned(), access, account: None, now };
        let store = Box::pin(Self::open(options)).await?;
        let there = store.account(database, expected).await;
        store.close().await;
        there
    }

    /// The account in this open database file.
    ///
    /// # Errors
    /// As for [`Self::account_at`].
    pub async fn account(
        &self,
        database: &Path,
        expected: Option<&AccountId>,
    ) -> Result<Option<AccountId>, StoreError> {
        let there = self.reader().account().await?;
        match (&there, expected) {
            (Some(found), Some(expected)) if found != expected => Err(StoreError::WrongAccount {
                path: database.to_owned(),
                found: found.clone(),
                expected: expected.clone(),
            }),
            _ => Ok(there),
        }
    }
}
