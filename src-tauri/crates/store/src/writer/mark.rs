//! The mark of the database: what its account is to its people.
//!
//! Owns the fact 'environment'. It stays with the file wherever that is copied and whatever it is called.

use liftdeck_model::Environment;

use crate::error::StoreError;
use crate::reader::mark;
use crate::writer::desk::Desk;

/// How a mark meets the one that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marking {
    /// The stricter one holds.
    Raise,
    /// A person decided.
    Set,
}

impl Desk<'_> {
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
