//! Reads notes about spans of time.

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// A note about a span of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanNote {
    /// When it was written.
    pub at: Timestamp,
    /// Who wrote it, if that is known.
    pub by: Option<String>,
    /// What was written.
    pub text: String,
}

impl Reader {
    /// The notes about a span, oldest first: those written to exactly this scope and range.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn span_notes(&self, scope: &str, range: TimeRange) -> Result<Vec<SpanNote>, StoreError> {
        let rows = sqlx::query(
            "SELECT at, by, text FROM span_note WHERE scope = ? AND from_at = ? AND to_at = ? ORDER BY at, note_key",
        )
        .bind(scope)
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_all(self.pool())
        .await?;
        let note = |row| -> Result<SpanNote, StoreError> {
            let row: &sqlx::sqlite::SqliteRow = row;
            Ok(SpanNote { at: row.read("at")?, by: row.read("by")?, text: row.read("text")? })
        };
        rows.iter().map(note).collect()
    }
}
