//! What is known of polls and of judging without a commit of its own, and how it gets to the disk.

use liftdeck_model::observation::{PollKind, PollSubject};
use liftdeck_model::{Region, Timestamp};

use crate::bulk::Bulk;
use crate::error::StoreError;
use crate::ledger::{Pending, kind_text};
use crate::writer::Writer;
use crate::writer::transaction::Transaction;

impl Writer {
    /// Records that alerts were judged at that moment, and whether with nothing missing that this needs. It reaches the
    /// disk with the poll ledger.
    pub fn note_judged(&self, at: Timestamp, is_whole: bool) {
        self.ledger.note_judged(at, is_whole);
    }

    /// Says what will be polled, and nothing else, so that it is known to be missing until it was.
    pub fn note_unread(&self, subjects: Vec<(Region, PollSubject)>) {
        self.ledger.note_unread(subjects);
    }

    /// Says what of one kind is still to be polled for the first time in a Region.
    pub fn note_unread_of(&self, region: &Region, kind: PollKind, resources: Vec<String>) {
        self.ledger.note_unread_of(region, kind, resources);
    }
}

/// Writes the pending lines; they stay pending until the commit.
pub(super) async fn write_ledger(
    transaction: &mut Transaction<'_>,
    pending: &Pending,
) -> Result<(), StoreError> {
    if pending.is_empty() {
        return Ok(());
    }
    let mut lines = Bulk::upsert(
        "poll (region_key, kind, resource, asked_at, confirmed_at, took_ms, failure, failing_since, \
         watched_since)",
        "ON CONFLICT (kind, region_key, resource) DO UPDATE SET asked_at = excluded.asked_at, \
         confirmed_at = excluded.confirmed_at, took_ms = excluded.took_ms, failure = excluded.failure, \
         failing_since = excluded.failing_since, watched_since = excluded.watched_since",
    );
    for line in &pending.lines {
        lines.push(transaction.region_key(line.region.as_str()).await?)?;
        lines.push(kind_text(line.subject.kind)?)?;
        lines.push(line.subject.resource.clone())?;
        lines.push(line.asked_at.as_ms())?;
        lines.push(line.confirmed_at.map(Timestamp::as_ms))?;
        lines.push(line.took_ms)?;
        lines.push(line.failure.clone())?;
        lines.push(line.failing_since.map(Timestamp::as_ms))?;
        lines.push(line.watched_since.map(Timestamp::as_ms))?;
    }
    let connection = transaction.write().await?;
    lines.send(&mut *connection).await?;
    for (name, value) in pending.judged.facts() {
        sqlx::query("INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
            .bind(name)
            .bind(value)
            .execute(&mut *connection)
            .await?;
    }
    for part in pending.players.chunks(500) {
        let rows = vec!["(?, ?)"; part.len()].join(", ");
        let statement = format!(
            "WITH seen (session_key, at) AS (VALUES {rows}) UPDATE game_session_state SET players_confirmed_at = seen.at \
             FROM seen WHERE game_session_state.session_key = seen.session_key"
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(statement)).persistent(part.len() == 500);
        for (session_key, at) in part {
            query = query.bind(*session_key).bind(at.as_ms());
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}
