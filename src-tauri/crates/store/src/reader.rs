//! Queries of the collector and the screens, run on a pool of `query_only` connections.
//!
//! Owns the pool. Each query is one statement that fetches a bounded window whole. A reader never keeps a transaction
//! open while a person thinks, because the write-ahead log could not be reset meanwhile. Deliberately writes nothing.

pub mod activity;
pub mod alert;
mod alert_rule;
pub mod blast;
pub mod change;
pub mod classes;
mod collecting;
pub mod compute;
pub mod content;
mod custom_rule;
pub mod cut_off;
pub mod delivery;
pub(crate) mod directory;
mod fact;
pub mod feed;
mod figures;
pub mod find;
pub mod fleet;
pub mod freshness;
pub mod hit_player;
pub mod hosted;
pub mod limit;
pub mod lingering;
pub mod matchmaking;
pub mod outcomes;
pub mod past;
pub mod placement;
#[cfg(test)]
mod plans;
pub mod player;
pub mod player_record;
pub mod queue;
pub mod reservations;
mod resource;
mod search;
pub mod series;
pub mod session;
pub mod span_note;
pub mod start;
pub mod throttled;
mod trail;
pub mod unmatched;
pub mod wait;
pub mod window;

use std::sync::Arc;

use liftdeck_model::observation::{PollKind, PollSubject};
use liftdeck_model::{Region, Timestamp};
use sqlx::SqlitePool;

use crate::error::StoreError;
use crate::ledger::{Judged, Ledger, LedgerLine};

pub(crate) use collecting::{dimensions_text, session_id, session_of, source_text, split_arn};
pub(crate) use fact::mark;

/// A handle for queries; cheap to clone.
#[derive(Clone, Debug)]
pub struct Reader {
    pool: SqlitePool,
    ledger: Arc<Ledger>,
}

impl Reader {
    pub(crate) fn new(pool: SqlitePool, ledger: Arc<Ledger>) -> Self {
        Self { pool, ledger }
    }

    /// The connection pool.
    pub(crate) const fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }

    /// The revision of the last commit that wrote rows.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn revision(&self) -> Result<u64, StoreError> {
        let value: i64 =
            sqlx::query_scalar("SELECT value FROM revision WHERE one = 1").fetch_one(&self.pool).await?;
        Ok(u64::try_from(value).unwrap_or(0))
    }

    /// When a subject was last asked and confirmed, including what is not on disk yet. For the players of one game
    /// session use [`Self::players_confirmed`]; they have no ledger line of their own.
    pub fn poll(&self, region: &Region, subject: &PollSubject) -> Option<LedgerLine> {
        self.ledger.line(region, subject)
    }

    /// All ledger lines, in no particular order.
    pub fn ledger(&self) -> Vec<LedgerLine> {
        self.ledger.all()
    }

    /// When placement events of a Region were last stored, however old they were; `None` if not since the database was
    /// opened.
    pub fn heard_at(&self, region: &Region) -> Option<Timestamp> {
        self.ledger.heard_at(region)
    }

    /// When alerts were last judged.
    pub fn judged(&self) -> Judged {
        self.ledger.judged()
    }

    /// What will be polled and never was, not even in vain. Known only where collection runs.
    pub fn unread(&self) -> Vec<(Region, PollSubject)> {
        self.ledger.unread()
    }

    /// All ledger lines of a kind, in every Region, in no particular order.
    pub fn polls(&self, kind: PollKind) -> Vec<LedgerLine> {
        self.ledger.lines(kind)
    }
}
