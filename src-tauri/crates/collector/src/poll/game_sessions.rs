//! Live game sessions of a fleet: listed by status, page by page. Sessions missing at the end are looked up once by
//! id, see `missing`.

use std::collections::HashSet;

use liftdeck_gateway::{GameSessionFilter, GatewayError, Reader as Gateway};
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::observation::{Observation, PollKind, PollSubject};
use liftdeck_model::{FleetId, GameSessionId};
use liftdeck_store::StoreError;

use super::{Outcome, Poller, Seen};
use crate::players::Reason;
use crate::trouble::Trouble;

/// In the order of a session's life, so that one that changes status during the listing is seen at least once.
const LIVE: [GameSessionStatus; 3] =
    [GameSessionStatus::Activating, GameSessionStatus::Active, GameSessionStatus::Terminating];
/// Player sessions not confirmed for this long are read again in the slow sweep.
const SWEEP_AFTER_MS: i64 = 600_000;
/// Sessions one poll adds to the sweep.
const SWEEP_A_POLL: usize = 50;
/// How long ago a session that failed may have been created for its players to be read although it was never seen alive.
const FAILED_MS: i64 = 3 * 3_600_000;
/// No sweep while this many game sessions already wait for their players.
const SWEEP_BELOW: usize = 200;

impl Poller {
    pub(super) async fn game_sessions(&self, aws: &Gateway, fleet: &FleetId) -> Result<Outcome, Trouble> {
        let begun = self.now();
        let subject = PollSubject { kind: PollKind::GameSessions, resource: fleet.as_str().to_owned() };
        let mut listed = HashSet::new();
        let mut failure = None;
        for status in LIVE {
            failure = failure.or(self.list_status(aws, fleet, status, &mut listed).await?);
        }
        let mut seen = Seen::default();
        if failure.is_none() {
            // Only a complete listing says anything about sessions that are not in it.
            seen = self.settle_missing(aws, fleet, &listed).await?;
            self.sweep(fleet).await?;
        }
        seen.note(failure);
        self.record(&subject, begun, seen).await
    }

    /// Lists one status and writes each page as it arrives. Returns the failure that broke off the listing, if any.
    async fn list_status(
        &self,
        aws: &Gateway,
        fleet: &FleetId,
        status: GameSessionStatus,
        listed: &mut HashSet<GameSessionId>,
    ) -> Result<Option<GatewayError>, Trouble> {
        let filter = GameSessionFilter { location: None, status: Some(status) };
        let mut from = None;
        loop {
            let page = match aws.game_sessions_page(fleet, &filter, from).await {
                Ok(page) => page,
                Err(failure) => return Ok(Some(failure)),
            };
            listed.extend(page.items.iter().map(|session| session.game_session_id.clone()));
            if !page.items.is_empty() {
                let applied = self.apply(vec![Observation::GameSessions(page.items)]).await?;
                self.ask_players(applied.player_counts_changed, Reason::Changed);
            }
            if page.flaw.is_some() || page.next.is_none() {
                return Ok(page.flaw);
            }
            from = page.next;
        }
    }

    /// Marks the live sessions of a deleted fleet as gone: GameLift deletes them with it (AWS: Delete a fleet).
    pub(crate) async fn fleet_gone(&self, fleet: &FleetId) -> Result<(), Trouble> {
        let live = self.store.live_game_sessions(fleet).await?;
        if !live.is_empty() {
            self.apply(live.into_iter().map(Observation::GameSessionGone).collect()).await?;
        }
        Ok(())
    }

    async fn sweep(&self, fleet: &FleetId) -> Result<(), Trouble> {
        if self.players_waiting() < SWEEP_BELOW {
            let older_than = self.now().plus_ms(-SWEEP_AFTER_MS);
            let due = self.store.sessions_with_unconfirmed_players(fleet, older_than, SWEEP_A_POLL).await?;
            self.ask_players(due, Reason::Sweep);
            self.ask_failed(fleet).await?;
        }
        Ok(())
    }

    /// Asks once who was in the game sessions that failed before anybody looked.
    pub(crate) async fn ask_failed(&self, fleet: &FleetId) -> Result<(), StoreError> {
        let since = self.now().plus_ms(-FAILED_MS);
        let failed = self.store.failed_sessions_without_players(fleet, since, SWEEP_A_POLL).await?;
        self.ask_players(failed, Reason::Ended);
        Ok(())
    }

    /// Adds game sessions to the line of those waiting for their players.
    pub(crate) fn ask_players(&self, sessions: impl IntoIterator<Item = GameSessionId>, reason: Reason) {
        let mut players = self.players.lock();
        for session in sessions {
            players.ask(session, reason);
        }
    }
}
