//! How a game session and its players are shown: records made on demand from the plan and the time.

use super::World;
use super::fleet::Fleet;
use super::names::Kind;
use super::records::{
    GameProperty, GameSession, GameSessionDetail, GameSessionStatus, PlayerSession,
    PlayerSessionCreationPolicy, PlayerSessionStatus,
};
use super::session::{Chosen, NONE, Seat, Session};

/// Where a session stands in the order of listings: its number, which rises with the time of creation. A listing
/// that continues after a key neither repeats nor skips a session that was there all the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionKey(u32);

impl SessionKey {
    /// The key as a number, to put into a page token.
    pub fn value(self) -> u32 {
        self.0
    }

    /// The key with that number; need not belong to a session any more.
    pub fn from_value(value: u32) -> Self {
        Self(value)
    }
}

/// A game session as it stands now. Cheap to copy; records are made when asked for.
#[derive(Clone, Copy, Debug)]
pub struct SessionRef<'a> {
    pub(super) world: &'a World,
    pub(super) session: &'a Session,
}

impl<'a> SessionRef<'a> {
    /// Its place in listings.
    pub fn key(&self) -> SessionKey {
        SessionKey(self.session.number)
    }

    fn fleet(&self) -> &'a Fleet {
        &self.world.fleets[usize::from(self.session.fleet)]
    }

    /// State.
    pub fn status(&self) -> GameSessionStatus {
        self.session.status(self.world.now_ms)
    }

    /// Location.
    pub fn location(&self) -> &'a str {
        &self.fleet().sites[usize::from(self.session.site)].name
    }

    /// Id of its fleet.
    pub fn fleet_id(&self) -> &'a str {
        &self.fleet().id
    }

    /// Epoch milliseconds.
    pub fn creation_time_ms(&self) -> i64 {
        self.session.created_ms
    }

    /// Players ACTIVE and RESERVED.
    pub fn current_player_session_count(&self) -> u32 {
        self.session.players(self.world.now_ms)
    }

    /// Slots.
    pub fn maximum_player_session_count(&self) -> u32 {
        self.session.max_players.into()
    }

    fn chosen(&self) -> Option<&'a Chosen> {
        self.session.chosen.as_deref()
    }

    /// Whether a caller made it: it then has nothing that the caller did not give.
    fn is_made(&self) -> bool {
        self.chosen().is_some_and(|chosen| chosen.made)
    }

    /// Name.
    pub fn name(&self) -> Option<String> {
        let planned = || (!self.is_made()).then(|| self.session.profile().session_name(self.session.number));
        self.chosen().and_then(|chosen| chosen.name.clone()).or_else(planned)
    }

    /// Whether it takes new players.
    pub fn player_session_creation_policy(&self) -> PlayerSessionCreationPolicy {
        let open = self.is_made() || self.session.profile().open;
        let planned =
            if open { PlayerSessionCreationPolicy::AcceptAll } else { PlayerSessionCreationPolicy::DenyAll };
        self.chosen().and_then(|chosen| chosen.policy).unwrap_or(planned)
    }

    /// The ARN that is the session's id.
    pub fn arn(&self) -> String {
        let fleet = self.fleet();
        let id = self.world.session_id(self.session);
        if self.location() == fleet.home {
            format!("arn:aws:gamelift:{}::gamesession/{}/{id}", fleet.home, fleet.id)
        } else {
            format!("arn:aws:gamelift:{}::gamesession/{}/{}/{id}", fleet.home, fleet.id, self.location())
        }
    }

    /// Properties.
    pub fn game_properties(&self) -> Vec<GameProperty> {
        match self.chosen() {
            Some(Chosen { properties: Some(properties), .. }) => properties.clone(),
            Some(Chosen { made: true, .. }) => Vec::new(),
            _ => self.session.profile().properties(self.session.flavour),
        }
    }

    pub(super) fn creator_id(&self) -> Option<String> {
        let planned = (self.session.creator != NONE).then(|| self.world.player_id(self.session.creator));
        self.chosen().and_then(|chosen| chosen.creator.clone()).or(planned)
    }

    fn game_session_data(&self) -> Option<String> {
        match self.chosen() {
            Some(chosen) if chosen.made => chosen.data.clone(),
            _ => self.session.profile().session_data(self.session.flavour),
        }
    }

    /// The full record.
    pub fn record(&self) -> GameSession {
        let (session, fleet, now_ms) = (self.session, self.fleet(), self.world.now_ms);
        let known = session.active_ms <= now_ms;
        let connection = self.world.connection(session);
        GameSession {
            game_session_id: self.arn(),
            name: self.name(),
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            creation_time_ms: session.created_ms,
            termination_time_ms: (session.end_ms <= now_ms).then_some(session.end_ms),
            current_player_session_count: session.players(now_ms),
            maximum_player_session_count: session.max_players.into(),
            status: session.status(now_ms),
            status_reason: session.status_reason(now_ms),
            game_properties: self.game_properties(),
            ip_address: known.then(|| connection.ip_address.clone()),
            dns_name: if known { connection.dns_name.clone() } else { None },
            port: known.then_some(session.port),
            player_session_creation_policy: self.player_session_creation_policy(),
            creator_id: self.creator_id(),
            game_session_data: self.game_session_data(),
            matchmaker_data: self.world.matchmaker_data(session).map(str::to_owned),
            location: self.location().to_owned(),
            compute_name: Some(connection.compute_name),
        }
    }

    /// The record with its protection.
    pub fn detail(&self) -> GameSessionDetail {
        GameSessionDetail { game_session: self.record(), protection_policy: self.session.protection }
    }

    /// Its player sessions in a fixed order: those it was made for first.
    pub fn player_sessions(&self) -> Vec<PlayerSession> {
        let arn = self.arn();
        self.session
            .seats_at(self.world.now_ms)
            .map(|(number, seat)| self.seat_record(&arn, number, seat))
            .collect()
    }

    /// When it became ACTIVE, epoch milliseconds; absent if it has not, or never did.
    pub fn activation_time_ms(&self) -> Option<i64> {
        (self.session.active_ms <= self.world.now_ms).then_some(self.session.active_ms)
    }

    /// When each of its player sessions became ACTIVE, epoch milliseconds, in their order; absent for those who did not
    /// come, or have not yet.
    pub fn join_times_ms(&self) -> Vec<Option<i64>> {
        let now_ms = self.world.now_ms;
        let joined = |seat: &Seat| self.session.joined_ms(seat).filter(|joined_ms| *joined_ms <= now_ms);
        self.session.seats_at(now_ms).map(|(_, seat)| joined(seat)).collect()
    }

    pub(super) fn player_session(&self, number: u16) -> Option<PlayerSession> {
        let (number, seat) = self.session.seats_at(self.world.now_ms).find(|(n, _)| *n == number)?;
        Some(self.seat_record(&self.arn(), number, seat))
    }

    fn seat_record(&self, arn: &str, number: u16, seat: &Seat) -> PlayerSession {
        let (session, fleet, now_ms) = (self.session, self.fleet(), self.world.now_ms);
        let connection = self.world.connection(session);
        let status = session.seat_status(seat, now_ms);
        let over = matches!(status, PlayerSessionStatus::Completed | PlayerSessionStatus::TimedOut);
        PlayerSession {
            player_session_id: self.world.names.player_session(session.number, number),
            player_id: self.world.player_id(seat.player),
            game_session_id: arn.to_owned(),
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            creation_time_ms: session.created_ms + i64::from(seat.reserved),
            termination_time_ms: over.then(|| session.left_ms(seat)),
            status,
            ip_address: Some(connection.ip_address),
            dns_name: connection.dns_name,
            port: Some(session.port),
            player_data: match self.chosen().and_then(|chosen| chosen.seats.get(&number)) {
                Some(given) => given.clone(),
                None => session.profile().player_data(session.flavour, seat.player),
            },
        }
    }
}

/// Where players of a session connect to.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) ip_address: String,
    pub(crate) dns_name: Option<String>,
    pub(crate) compute_name: String,
}

impl World {
    /// The last part of a session's ARN.
    pub(super) fn session_id(&self, session: &Session) -> String {
        if let Some(id) = session.chosen.as_ref().and_then(|chosen| chosen.id.as_ref()) {
            id.clone()
        } else if session.placement == NONE {
            self.names.uuid(Kind::Session, session.number, 0)
        } else {
            self.placement_id(session.placement)
        }
    }

    pub(super) fn connection(&self, session: &Session) -> Connection {
        let fleet = &self.fleets[usize::from(session.fleet)];
        let site = &fleet.sites[usize::from(session.site)];
        self.machine_connection(fleet, &site.name, session.machine, session.slot.into())
    }
}
