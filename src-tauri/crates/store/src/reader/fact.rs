//! The account a database file belongs to, and the environment that account is marked as.

use liftdeck_model::{AccountId, Environment};
use sqlx::SqliteExecutor;

use crate::error::StoreError;
use crate::reader::Reader;

impl Reader {
    /// The account all data in this database belongs to; `None` while nothing has been collected.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn account(&self) -> Result<Option<AccountId>, StoreError> {
        Ok(fact(self.pool(), "account").await?.map(AccountId::from))
    }

    /// The environment mark of the strictest connection that ever opened this database; `None` if there was none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn mark(&self) -> Result<Option<Environment>, StoreError> {
        mark(self.pool()).await
    }
}

/// The environment mark, if there is one.
pub(crate) async fn mark(from: impl SqliteExecutor<'_>) -> Result<Option<Environment>, StoreError> {
    Ok(fact(from, "environment").await?.map(|word| Environment::from_word(&word)))
}

/// A fact by its name.
async fn fact(from: impl SqliteExecutor<'_>, name: &str) -> Result<Option<String>, StoreError> {
    Ok(sqlx::query_scalar("SELECT value FROM fact WHERE name = ?").bind(name).fetch_optional(from).await?)
}
