//! Writes notes about spans of time.

use liftdeck_model::time::TimeRange;

use crate::error::StoreError;
use crate::reader::span_note::SpanNote;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    pub(super) async fn note_span(
        &mut self,
        scope: &str,
        range: TimeRange,
        note: SpanNote,
    ) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO span_note (scope, from_at, to_at, at, by, text) VALUES (?, ?, ?, ?, ?, ?)")
            .bind(scope)
            .bind(range.from.as_ms())
            .bind(range.to.as_ms())
            .bind(note.at.as_ms())
            .bind(note.by)
            .bind(note.text)
            .execute(self.write().await?)
            .await?;
        Ok(())
    }
}
