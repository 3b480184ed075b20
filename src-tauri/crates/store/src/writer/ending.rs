//! How game sessions ended: joins what fleet events say with the sessions they are about, whichever comes first.
//!
//! Owns the column `ending` after a session's own status and reason. An event that names a game session is about that
//! one. One that names only a compute is about the sessions that ended there at that time without another
//! explanation: all of them if the instance was lost; if a server process failed, only when there are no more of them
//! than events, because a process without a session may have failed too.

use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::game_session::{GameSession, GameSessionEnding, compute_in, session_in};
use liftdeck_model::observation::Subject;
use liftdeck_model::{FleetEventCode, GameSessionId};
use rustc_hash::FxHashMap;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::column::Columns as _;
use crate::ending;
use crate::error::StoreError;
use crate::reader::session_id;
use crate::writer::memory::session_hash;
use crate::writer::transaction::Transaction;

/// How far apart the end of a session and the failure of its server process may be dated.
const PROCESS_MS: i64 = 10_000;
/// How far apart the end of a session and the replacement of its instance may be dated.
const HOST_MS: i64 = 60_000;
/// Most sessions and computes of events remembered; beyond that the older half is forgotten. What an event said of a
/// session that has ended is in the table already.
const REMEMBERED: usize = 100_000;
/// Most events read at the start.
const READ: i64 = 50_000;

/// A fleet event that tells how sessions on a compute ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HostEvent {
    at: i64,
    ending: GameSessionEnding,
    count: i64,
}

impl HostEvent {
    const fn window_ms(self) -> i64 {
        if matches!(self.ending, GameSessionEnding::HostLost) { HOST_MS } else { PROCESS_MS }
    }

    const fn covers(self, at: i64) -> bool {
        self.at.abs_diff(at) <= self.window_ms().unsigned_abs()
    }
}

/// Fleet and compute.
type Host = (i64, String);

/// What fleet events have said of sessions, by [`session_hash`] and by compute.
#[derive(Debug, Default)]
pub(super) struct Told {
    sessions: FxHashMap<u128, (i64, GameSessionEnding)>,
    hosts: FxHashMap<Host, Vec<HostEvent>>,
}

/// What one event is about.
enum About {
    Session(u128),
    Host(Host, HostEvent),
}

/// An ending that was changed in the table.
struct Changed {
    hash: u128,
    ending: GameSessionEnding,
}

impl Told {
    fn add(
        &mut self,
        fleet_key: i64,
        code: &FleetEventCode,
        message: Option<&str>,
        (at, count): (i64, i64),
    ) -> Option<About> {
        let (ending, message) = (GameSessionEnding::of_event(code)?, message?);
        if let Some(id) = session_in(message) {
            let hash = session_hash(&id);
            let told = self.sessions.entry(hash).or_insert((at, ending));
            *told = (told.0.max(at), told.1.max(ending));
            return Some(About::Session(hash));
        }
        let host = (fleet_key, compute_in(message)?.to_owned());
        let event = HostEvent { at, ending, count: count.max(1) };
        let events = self.hosts.entry(host.clone()).or_default();
        // A repeated event is reported again with a greater count.
        events.retain(|known| (known.at, known.ending) != (event.at, event.ending));
        events.push(event);
        Some(About::Host(host, event))
    }

    fn of_session(&self, hash: u128) -> Option<GameSessionEnding> {
        self.sessions.get(&hash).map(|(_, ending)| *ending)
    }

    /// How many failures of that kind are known of a compute around the time of `event`.
    fn failures(&self, host: &Host, event: HostEvent) -> i64 {
        let events = self.hosts.get(host).into_iter().flatten();
        events.filter(|one| one.ending == event.ending && one.covers(event.at)).map(|one| one.count).sum()
    }

    pub(super) async fn load(connection: &mut SqliteConnection) -> Result<Self, StoreError> {
        let mut told = Self::default();
        told.read(connection, Some(READ)).await?;
        Ok(told)
    }

    /// Reads the events that tell of endings, newest first, and returns those that name only a compute.
    async fn read(
        &mut self,
        connection: &mut SqliteConnection,
        most: Option<i64>,
    ) -> Result<Vec<(Host, HostEvent)>, StoreError> {
        let codes: Vec<String> = FleetEventCode::KNOWN
            .iter()
            .filter(|code| GameSessionEnding::of_event(&FleetEventCode::from(**code)).is_some())
            .map(|code| format!("'{code}'"))
            .collect();
        let statement = format!(
            "SELECT fleet_key, event_code, message, event_at, count FROM fleet_event WHERE event_code IN ({}) \
             ORDER BY event_at DESC LIMIT ?",
            codes.join(", ")
        );
        let rows =
            sqlx::query(AssertSqlSafe(statement)).bind(most.unwrap_or(-1)).fetch_all(connection).await?;
        let mut hosts = Vec::new();
        for row in rows {
            let code = FleetEventCode::from(row.text("event_code")?);
            let message: Option<String> = row.read("message")?;
            let moment = (row.read("event_at")?, row.read("count")?);
            let about = self.add(row.read("fleet_key")?, &code, message.as_deref(), moment);
            if let Some(About::Host(host, event)) = about {
                hosts.push((host, event));
            }
        }
        Ok(hosts)
    }

    pub(super) fn trim(&mut self) {
        if self.sessions.len() > REMEMBERED {
            let mut times: Vec<i64> = self.sessions.values().map(|(at, _)| *at).collect();
            let middle = *times.select_nth_unstable(REMEMBERED / 2).1;
            self.sessions.retain(|_, (at, _)| *at > middle);
        }
        if self.hosts.len() > REMEMBERED {
            self.hosts = FxHashMap::default();
        }
    }

    /// Brings the endings of the sessions that an event on a compute may be about up to date.
    async fn settle(
        &self,
        connection: &mut SqliteConnection,
        host: &Host,
        event: HostEvent,
    ) -> Result<Vec<Changed>, StoreError> {
        // The sign keeps SQLite from the index of the fleet, which has far more rows than the moment.
        let rows = sqlx::query(
            "SELECT s.session_key, s.ending, a.prefix, g.id FROM game_session_state s \
             JOIN game_session g ON g.session_key = s.session_key JOIN arn_prefix a ON a.prefix_key = g.prefix_key \
             WHERE s.ended_at BETWEEN ? AND ? AND +s.fleet_key = ? AND g.compute_name = ? \
             AND s.live = 0 AND s.status_reason IS NULL",
        )
        .bind(event.at - event.window_ms())
        .bind(event.at + event.window_ms())
        .bind(host.0)
        .bind(host.1.as_str())
        .fetch_all(&mut *connection)
        .await?;
        let mut unexplained = Vec::new();
        for row in rows {
            let (key, known): (i64, Option<i64>) = (row.read("session_key")?, row.read("ending")?);
            let known = ending::of_key(known).unwrap_or(GameSessionEnding::Normal);
            let hash = session_hash(&session_id(row.text("prefix")?, &row.read("id")?));
            let is_open = known <= GameSessionEnding::Normal || known == event.ending;
            if is_open && self.of_session(hash).is_none() {
                unexplained.push((key, hash, known));
            }
        }
        let is_sure = event.ending == GameSessionEnding::HostLost
            || i64::try_from(unexplained.len()).is_ok_and(|sessions| sessions <= self.failures(host, event));
        let meant = if is_sure { event.ending } else { GameSessionEnding::Normal };
        let mut changed = Vec::new();
        for (key, hash, known) in unexplained {
            if known != meant {
                sqlx::query("UPDATE game_session_state SET ending = ? WHERE session_key = ?")
                    .bind(ending::key(meant))
                    .bind(key)
                    .execute(&mut *connection)
                    .await?;
                changed.push(Changed { hash, ending: meant });
            }
        }
        Ok(changed)
    }
}

impl Transaction<'_> {
    /// How a session ended, as far as is known when it is written; `None` while it is live.
    pub(super) fn ending_of(
        &self,
        seen: &GameSession,
        hash: u128,
        known: Option<GameSessionEnding>,
    ) -> Option<GameSessionEnding> {
        if seen.status.is_live() {
            return None;
        }
        let of_status = GameSessionEnding::of_status(&seen.status, seen.status_reason.as_ref());
        let told = self.memory.told.of_session(hash);
        [Some(of_status), told, known].into_iter().flatten().max()
    }

    /// What is known of a session that GameLift no longer knows.
    pub(super) fn ending_of_gone(&self, id: &GameSessionId) -> GameSessionEnding {
        self.memory.told.of_session(session_hash(id)).unwrap_or(GameSessionEnding::Unseen)
    }

    /// Notes a session that ended without a reason, if an event on its compute may explain it.
    pub(super) fn note_unexplained(&mut self, fleet_key: i64, seen: &GameSession) {
        let (Some(compute), Some(ended)) = (&seen.compute_name, seen.termination_time) else { return };
        if self.memory.told.hosts.is_empty() {
            return;
        }
        let host = (fleet_key, compute.clone());
        let events = self.memory.told.hosts.get(&host).into_iter().flatten();
        let covering = events.filter(|event| event.covers(ended.as_ms()));
        self.unexplained.extend(covering.map(|event| (host.clone(), *event)));
    }

    /// Settles the sessions noted by [`Self::note_unexplained`].
    pub(super) async fn settle_unexplained(&mut self) -> Result<(), StoreError> {
        let mut hosts = std::mem::take(&mut self.unexplained);
        hosts.dedup();
        self.settle_hosts(&hosts).await
    }

    async fn settle_hosts(&mut self, hosts: &[(Host, HostEvent)]) -> Result<(), StoreError> {
        if hosts.is_empty() {
            return Ok(());
        }
        // The sessions may not be written yet within this group.
        self.send().await?;
        for (host, event) in hosts {
            let told = std::mem::take(&mut self.memory.told);
            let changed = match self.write().await {
                Ok(connection) => told.settle(connection, host, *event).await,
                Err(error) => Err(error),
            };
            self.memory.told = told;
            let changed = changed?;
            self.tally.count("game_sessions", changed.len() as u64, Subject::GameSessions);
            for Changed { hash, ending } in changed {
                if let Some(session) = self.memory.sessions.get_mut(&hash) {
                    session.state.ending = Some(ending);
                }
            }
        }
        Ok(())
    }

    /// Applies what new fleet events say of sessions. Those they name must have been looked up.
    pub(super) async fn endings_told(
        &mut self,
        fleet_key: i64,
        events: &[&FleetEvent],
    ) -> Result<(), StoreError> {
        let mut hosts = Vec::new();
        for event in events {
            let moment = (event.event_time.as_ms(), event.count);
            let message = event.message.as_deref();
            match self.memory.told.add(fleet_key, &event.event_code, message, moment) {
                Some(About::Session(hash)) => self.told_of_session(hash).await?,
                Some(About::Host(host, event)) => hosts.push((host, event)),
                None => {}
            }
        }
        self.settle_hosts(&hosts).await
    }

    async fn told_of_session(&mut self, hash: u128) -> Result<(), StoreError> {
        let Some(known) = self.memory.sessions.get(&hash).copied().filter(|known| !known.live) else {
            return Ok(());
        };
        let told = self.memory.told.of_session(hash);
        if told <= known.state.ending {
            return Ok(());
        }
        self.send().await?;
        let connection = self.write().await?;
        sqlx::query("UPDATE game_session_state SET ending = ? WHERE session_key = ?")
            .bind(told.map(ending::key))
            .bind(known.key)
            .execute(connection)
            .await?;
        if let Some(session) = self.memory.sessions.get_mut(&hash) {
            session.state.ending = told;
        }
        self.tally.count("game_sessions", 1, Subject::GameSessions);
        Ok(())
    }
}

/// The game sessions whose ending the events tell.
pub(super) fn sessions_told_of(events: &[FleetEvent]) -> impl Iterator<Item = GameSessionId> {
    let telling = events.iter().filter(|event| GameSessionEnding::of_event(&event.event_code).is_some());
    telling.filter_map(|event| session_in(event.message.as_deref()?))
}

/// Applies what the stored events say to the sessions of a file from before the column.
pub(crate) async fn fill(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut told = Told::default();
    let hosts = told.read(connection, None).await?;
    let rows = sqlx::query(
        "SELECT s.session_key, s.ending, a.prefix, g.id FROM game_session_state s \
         JOIN game_session g ON g.session_key = s.session_key JOIN arn_prefix a ON a.prefix_key = g.prefix_key \
         WHERE s.live = 0",
    );
    let rows = if told.sessions.is_empty() { Vec::new() } else { rows.fetch_all(&mut *connection).await? };
    for row in rows {
        let hash = session_hash(&session_id(row.text("prefix")?, &row.read("id")?));
        let known = ending::of_key(row.read("ending")?);
        if let Some(ending) = told.of_session(hash).filter(|ending| Some(*ending) > known) {
            sqlx::query("UPDATE game_session_state SET ending = ? WHERE session_key = ?")
                .bind(ending::key(ending))
                .bind(row.read::<i64>("session_key")?)
                .execute(&mut *connection)
                .await?;
        }
    }
    for (host, event) in hosts {
        told.settle(connection, &host, event).await?;
    }
    Ok(())
}
