//! The mark of the database: what kind of environment its account is.
//!
//! Owns the fact 'environment'. It stays with the file wherever the file is copied and whatever its name is.

use liftdeck_model::Environment;

use crate::error::StoreError;
use crate::reader::mark;
use crate::writer::transaction::Transaction;

/// How a new mark combines with the existing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marking {
    /// The stricter one wins.
    Raise,
    /// The new one wins, because a person chose it.
    Set,
}

impl Transaction<'_> {
    /// Marks the database.
    pub(super) async fn mark(&mut self, wanted: Environment, marking: Marking) -> Result<(), StoreError> {
        let there = mark(&mut *self.read().await?).await?;
        let mark = match (marking, there) {
            (Marking::Raise, Some(there)) => wanted.min(there),
            _ => wanted,
        };
        if there == Some(mark) {
            return Ok(());
        }
        sqlx::query(
            "INSERT INTO fact (name, value) VALUES ('environment', ?) \
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(mark.as_str())
        .execute(self.write().await?)
        .await?;
        Ok(())
    }
}
