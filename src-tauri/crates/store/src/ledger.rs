//! The poll ledger: when each subject was last polled and last confirmed.
//!
//! Owns the newest line of every subject, in memory and shared by the writer and the readers. An unchanged poll must
//! not cost a commit, so lines reach the disk with the next rows or a few seconds later. After a crash an age may
//! therefore be some seconds too high, but never too low.

use std::collections::{HashMap, HashSet};

use liftdeck_model::observation::{Poll, PollKind, PollSubject};
use liftdeck_model::time::MINUTE_MS;
use liftdeck_model::{GameSessionId, Region, Timestamp};
use parking_lot::RwLock;
use sqlx::SqliteConnection;

use crate::column::Columns as _;
use crate::error::StoreError;

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerLine {
    /// Region.
    pub region: Region,
    /// What was polled.
    pub subject: PollSubject,
    /// When it was last polled.
    pub asked_at: Timestamp,
    /// When it was last read completely; `None`: never.
    pub confirmed_at: Option<Timestamp>,
    /// How long the last complete poll took, in milliseconds.
    pub took_ms: i64,
    /// Why the last poll failed, if it did.
    pub failure: Option<String>,
    /// Since when every poll has failed, if the last one did.
    pub failing_since: Option<Timestamp>,
    /// Since when it has been read completely again and again, with breaks of at most ten minutes.
    pub watched_since: Option<Timestamp>,
}

/// After a longer break, what happened meanwhile was not watched.
const BREAK_MS: i64 = 10 * MINUTE_MS;

/// Lines by Region and kind, then resource.
type Lines = HashMap<(Region, PollKind), HashMap<String, LedgerLine>>;

#[derive(Debug, Default)]
struct Pages {
    lines: Lines,
    dirty: HashSet<(Region, PollSubject)>,
    /// Game sessions whose players were confirmed, but not yet on the disk: session key and time.
    players: HashMap<GameSessionId, (i64, Timestamp)>,
    judged: Judged,
    /// What is to be polled for the first time. It is not on the disk: only who polls can know.
    unread: HashMap<(Region, PollKind), HashSet<String>>,
    /// When placement events of a Region were last stored. It matters while they come, and is not on the disk.
    heard_at: HashMap<Region, Timestamp>,
}

/// When alerts were last judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// `None` if never.
    pub at: Option<Timestamp>,
    /// Whether nothing was missing then that such a judgement needs.
    pub is_whole: bool,
}

/// The facts that hold it.
const JUDGED_AT: &str = "judged_at";
const JUDGED_WHOLE: &str = "judged_whole";

impl Judged {
    async fn load(connection: &mut SqliteConnection) -> Result<Self, StoreError> {
        let at = fact(connection, JUDGED_AT).await?.and_then(|text| text.parse().ok());
        let is_whole = fact(connection, JUDGED_WHOLE).await?.is_some_and(|text| text == true.to_string());
        Ok(Self { at: at.map(Timestamp::from_ms), is_whole })
    }

    /// The facts that hold it, by name; none before the first judgement.
    pub(crate) fn facts(self) -> impl Iterator<Item = (&'static str, String)> {
        let facts = self
            .at
            .map(|at| [(JUDGED_AT, at.as_ms().to_string()), (JUDGED_WHOLE, self.is_whole.to_string())]);
        facts.into_iter().flatten()
    }
}

async fn fact(connection: &mut SqliteConnection, name: &str) -> Result<Option<String>, StoreError> {
    let value = sqlx::query_scalar("SELECT value FROM fact WHERE name = ?");
    Ok(value.bind(name).fetch_optional(connection).await?)
}

/// The ledger in memory.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pages: RwLock<Pages>,
}

/// What a flush has to write.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    pub(crate) lines: Vec<LedgerLine>,
    pub(crate) players: Vec<(i64, Timestamp)>,
    /// When alerts were last judged: written along, never by itself.
    pub(crate) judged: Judged,
}

impl Pending {
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.players.is_empty()
    }
}

impl Ledger {
    /// Reads every line from the disk.
    pub(crate) async fn load(connection: &mut SqliteConnection) -> Result<Self, StoreError> {
        let judged = Judged::load(&mut *connection).await?;
        let rows = sqlx::query(
            "SELECT region.name AS region, kind, resource, asked_at, confirmed_at, took_ms, failure, failing_since, \
             watched_since FROM poll JOIN region USING (region_key)",
        )
        .fetch_all(connection)
        .await?;
        let mut lines = Lines::new();
        for row in rows {
            let kind: PollKind = row.word("kind")?;
            let line = LedgerLine {
                region: row.read("region")?,
                subject: PollSubject { kind, resource: row.read("resource")? },
                asked_at: row.read("asked_at")?,
                confirmed_at: row.read("confirmed_at")?,
                took_ms: row.read("took_ms")?,
                failure: row.read("failure")?,
                failing_since: row.read("failing_since")?,
                watched_since: row.read("watched_since")?,
            };
            lines.entry((line.region.clone(), kind)).or_default().insert(line.subject.resource.clone(), line);
        }
        Ok(Self { pages: RwLock::new(Pages { lines, judged, ..Pages::default() }) })
    }

    /// Records the result of a poll.
    pub(crate) fn record(&self, region: &Region, poll: Poll) {
        let mut pages = self.pages.write();
        let key = (region.clone(), poll.subject.clone());
        let line = pages
            .lines
            .entry((region.clone(), poll.subject.kind))
            .or_default()
            .entry(poll.subject.resource.clone())
            .or_insert_with(|| LedgerLine {
                region: region.clone(),
                subject: poll.subject,
                asked_at: poll.at,
                confirmed_at: None,
                took_ms: 0,
                failure: None,
                failing_since: None,
                watched_since: None,
            });
        line.asked_at = poll.at;
        if poll.failure.is_some() {
            line.failing_since = line.failing_since.or(Some(poll.at));
        } else {
            line.failing_since = None;
            let is_watched = line.confirmed_at.is_some_and(|last| poll.at.since_ms(last) <= BREAK_MS);
            line.watched_since =
                line.watched_since.filter(|_| is_watched).or(Some(poll.at.plus_ms(-poll.took_ms)));
            line.confirmed_at = Some(poll.at);
            line.took_ms = poll.took_ms;
        }
        line.failure = poll.failure;
        pages.dirty.insert(key);
    }

    /// Records that all player sessions of a game session were read.
    pub(crate) fn confirm_players(&self, session: &GameSessionId, session_key: i64, at: Timestamp) {
        self.pages.write().players.insert(session.clone(), (session_key, at));
    }

    /// When the players of a session were confirmed, if that is not on the disk yet.
    pub(crate) fn players_confirmed(&self, session: &GameSessionId) -> Option<Timestamp> {
        self.pages.read().players.get(session).map(|(_, at)| *at)
    }

    /// Keys of the sessions whose confirmation is not on the disk yet, with its time.
    pub(crate) fn unwritten_players(&self) -> HashMap<i64, Timestamp> {
        self.pages.read().players.values().copied().collect()
    }

    /// Records that placement events of a Region were stored.
    pub(crate) fn heard(&self, region: &Region, at: Timestamp) {
        self.pages.write().heard_at.insert(region.clone(), at);
    }

    /// When placement events of a Region were last stored since the database was opened.
    pub(crate) fn heard_at(&self, region: &Region) -> Option<Timestamp> {
        self.pages.read().heard_at.get(region).copied()
    }

    /// Records that alerts were judged, and whether with nothing missing.
    pub(crate) fn note_judged(&self, at: Timestamp, is_whole: bool) {
        self.pages.write().judged = Judged { at: Some(at), is_whole };
    }

    /// When alerts were last judged.
    pub(crate) fn judged(&self) -> Judged {
        self.pages.read().judged
    }

    /// Records what will be polled, and nothing else.
    pub(crate) fn note_unread(&self, subjects: Vec<(Region, PollSubject)>) {
        let mut unread: HashMap<_, HashSet<String>> = HashMap::new();
        for (region, subject) in subjects {
            unread.entry((region, subject.kind)).or_default().insert(subject.resource);
        }
        self.pages.write().unread = unread;
    }

    /// Records what of one kind is still to be polled for the first time in a Region.
    pub(crate) fn note_unread_of(&self, region: &Region, kind: PollKind, resources: Vec<String>) {
        self.pages.write().unread.insert((region.clone(), kind), resources.into_iter().collect());
    }

    /// What will be polled and never was, not even in vain.
    pub(crate) fn unread(&self) -> Vec<(Region, PollSubject)> {
        let pages = self.pages.read();
        let mut unread = Vec::new();
        for (key, resources) in &pages.unread {
            let lines = pages.lines.get(key);
            let is_unread = |resource: &&String| lines.is_none_or(|lines| !lines.contains_key(*resource));
            unread.extend(
                resources
                    .iter()
                    .filter(is_unread)
                    .map(|resource| (key.0.clone(), PollSubject { kind: key.1, resource: resource.clone() })),
            );
        }
        unread
    }

    /// One line.
    pub(crate) fn line(&self, region: &Region, subject: &PollSubject) -> Option<LedgerLine> {
        let pages = self.pages.read();
        pages.lines.get(&(region.clone(), subject.kind))?.get(&subject.resource).cloned()
    }

    /// The line of a resource whose name only one Region has.
    pub(crate) fn line_of(&self, kind: PollKind, resource: &str) -> Option<LedgerLine> {
        let pages = self.pages.read();
        let mut of_kind = pages.lines.iter().filter(|((_, of), _)| *of == kind);
        of_kind.find_map(|(_, lines)| lines.get(resource)).cloned()
    }

    /// All lines.
    pub(crate) fn all(&self) -> Vec<LedgerLine> {
        self.pages.read().lines.values().flat_map(|lines| lines.values().cloned()).collect()
    }

    /// All lines of a kind, in every Region.
    pub(crate) fn lines(&self, kind: PollKind) -> Vec<LedgerLine> {
        let pages = self.pages.read();
        pages
            .lines
            .iter()
            .filter(|((_, of), _)| *of == kind)
            .flat_map(|(_, lines)| lines.values().cloned())
            .collect()
    }

    /// Whether anything is not on the disk yet.
    pub(crate) fn has_pending(&self) -> bool {
        let pages = self.pages.read();
        !pages.dirty.is_empty() || !pages.players.is_empty()
    }

    /// What is not on the disk yet. It stays pending until [`Self::written`].
    pub(crate) fn pending(&self) -> Pending {
        let pages = self.pages.read();
        let lines = pages
            .dirty
            .iter()
            .filter_map(|(region, subject)| {
                pages.lines.get(&(region.clone(), subject.kind))?.get(&subject.resource).cloned()
            })
            .collect();
        Pending { lines, players: pages.players.values().copied().collect(), judged: pages.judged }
    }

    /// Marks the pending lines as written; those that changed since then stay pending.
    pub(crate) fn written(&self, pending: &Pending) {
        let mut pages = self.pages.write();
        for line in &pending.lines {
            let current = pages
                .lines
                .get(&(line.region.clone(), line.subject.kind))
                .and_then(|lines| lines.get(&line.subject.resource));
            if current.is_none_or(|current| current == line) {
                pages.dirty.remove(&(line.region.clone(), line.subject.clone()));
            }
        }
        let done: HashMap<i64, Timestamp> = pending.players.iter().copied().collect();
        pages.players.retain(|_, (key, at)| done.get(key) != Some(at));
    }
}

/// The kind as the schema spells it.
pub(crate) fn kind_text(kind: PollKind) -> Result<String, StoreError> {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(text)) => Ok(text),
        other => Err(StoreError::Unreadable { what: format!("poll kind {kind:?}: {other:?}") }),
    }
}
