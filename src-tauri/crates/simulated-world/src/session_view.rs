//! How a game session and its players are shown: records built on demand from the plan and the time.

use super::World;
use super::fleet::Fleet;
use super::fleet_view::Host;
use super::names::Kind;
use super::profile::Profile;
use super::records::{
    GameProperty, GameSession, GameSessionStatus, GameSessionStatusReason, PlayerSession,
    PlayerSessionCreationPolicy, PlayerSessionStatus, ProtectionPolicy,
};
use super::session::{Chosen, NONE, Seat, Session};

/// The position of a session in listings: its number, which rises with the time of creation. A listing that continues
/// after a key neither repeats nor skips a session that existed all the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionKey(u32);

impl SessionKey {
    /// Returns the key as a number, for use in a page token.
    pub fn value(self) -> u32 {
        self.0
    }

    /// Returns the key with that number. It need not belong to a session any more.
    pub fn from_value(value: u32) -> Self {
        Self(value)
    }
}

/// The properties of a session, from callers or from its kind of game.
#[derive(Clone, Copy, Debug)]
pub enum Properties<'a> {
    /// Given by a caller.
    Given(&'a [GameProperty]),
    /// Derived from the kind of game and the session's flavour.
    Planned(&'static Profile, u64),
}

impl Properties<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Given(given) => given.len(),
            Self::Planned(profile, flavour) => profile.each_property(*flavour).count(),
        }
    }

    /// Calls `visit` with each name and value.
    pub fn each(&self, mut visit: impl FnMut(&str, &str)) {
        match self {
            Self::Given(given) => given.iter().for_each(|property| visit(&property.key, &property.value)),
            Self::Planned(profile, flavour) => {
                profile.each_property(*flavour).for_each(|(key, value)| visit(key, value));
            }
        }
    }
}

/// Builds a text of about that length, or `None` if `push` returns false.
fn made(length: usize, push: impl FnOnce(&mut String) -> bool) -> Option<String> {
    let mut text = String::with_capacity(length);
    push(&mut text).then_some(text)
}

/// A game session as it is now. Cheap to copy; its records are built on request.
#[derive(Clone, Copy, Debug)]
pub struct SessionRef<'a> {
    pub(super) world: &'a World,
    pub(super) session: &'a Session,
}

impl<'a> SessionRef<'a> {
    /// Its position in listings.
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

    /// Whether a caller created it. It then has nothing that the caller did not give.
    fn is_made(&self) -> bool {
        self.chosen().is_some_and(|chosen| chosen.made)
    }

    /// Name.
    pub fn name(&self) -> Option<String> {
        made(24, |text| self.push_name(text))
    }

    /// Appends the name. Returns whether there is one.
    pub fn push_name(&self, text: &mut String) -> bool {
        match self.chosen().and_then(|chosen| chosen.name.as_deref()) {
            Some(name) => text.push_str(name),
            None if self.is_made() => return false,
            None => self.session.profile().push_session_name(text, self.session.number),
        }
        true
    }

    /// Whether it accepts new players.
    pub fn player_session_creation_policy(&self) -> PlayerSessionCreationPolicy {
        let open = self.is_made() || self.session.profile().open;
        let planned =
            if open { PlayerSessionCreationPolicy::AcceptAll } else { PlayerSessionCreationPolicy::DenyAll };
        self.chosen().and_then(|chosen| chosen.policy).unwrap_or(planned)
    }

    /// The ARN that is the session's id.
    pub fn arn(&self) -> String {
        let mut arn = String::with_capacity(160);
        self.push_arn(&mut arn);
        arn
    }

    /// Appends the ARN.
    pub fn push_arn(&self, text: &mut String) {
        let fleet = self.fleet();
        text.push_str("arn:aws:gamelift:");
        text.push_str(&fleet.home);
        text.push_str("::gamesession/");
        text.push_str(&fleet.id);
        text.push('/');
        if self.location() != fleet.home {
            text.push_str(self.location());
            text.push('/');
        }
        self.world.push_session_id(text, self.session);
    }

    /// Properties.
    pub fn game_properties(&self) -> Vec<GameProperty> {
        match self.shown_properties() {
            Properties::Given(given) => given.to_vec(),
            Properties::Planned(profile, flavour) => profile.properties(flavour),
        }
    }

    /// Its properties, by origin.
    pub fn shown_properties(&self) -> Properties<'a> {
        match self.chosen() {
            Some(Chosen { properties: Some(properties), .. }) => Properties::Given(properties),
            Some(Chosen { made: true, .. }) => Properties::Given(&[]),
            _ => Properties::Planned(self.session.profile(), self.session.flavour),
        }
    }

    pub(super) fn creator_id(&self) -> Option<String> {
        made(16, |text| self.push_creator_id(text))
    }

    /// Appends the id of its creator. Returns whether that is known.
    pub fn push_creator_id(&self, text: &mut String) -> bool {
        match self.chosen().and_then(|chosen| chosen.creator.as_deref()) {
            Some(creator) => text.push_str(creator),
            None if self.session.creator == NONE => return false,
            None => self.world.push_player_id(text, self.session.creator),
        }
        true
    }

    /// Appends the data that its creator gave the game server. Returns whether there is any.
    pub fn push_game_session_data(&self, text: &mut String) -> bool {
        match self.chosen().filter(|chosen| chosen.made) {
            Some(Chosen { data: Some(data), .. }) => text.push_str(data),
            Some(_) => return false,
            None => self.session.profile().push_session_data(text, self.session.flavour),
        }
        true
    }

    /// ARN of its fleet.
    pub fn fleet_arn(&self) -> &'a str {
        &self.fleet().arn
    }

    /// When it ended, epoch milliseconds; absent while it runs.
    pub fn termination_time_ms(&self) -> Option<i64> {
        (self.session.end_ms <= self.world.now_ms).then_some(self.session.end_ms)
    }

    /// Why it ended, if it did not end by itself.
    pub fn status_reason(&self) -> Option<GameSessionStatusReason> {
        self.session.status_reason(self.world.now_ms)
    }

    /// Whether its addresses are known. The server process reports them when it becomes ACTIVE.
    pub fn is_reachable(&self) -> bool {
        self.session.active_ms <= self.world.now_ms
    }

    /// Port of the server process.
    pub fn port(&self) -> u16 {
        self.session.port
    }

    /// The data that FlexMatch stored in it, as JSON.
    pub fn matchmaker_data(&self) -> Option<&'a str> {
        self.world.matchmaker_data(self.session)
    }

    /// Protection in force.
    pub fn protection_policy(&self) -> ProtectionPolicy {
        self.session.protection
    }

    /// The server process it runs on.
    pub fn host(&self) -> Host<'a> {
        Host {
            names: self.world.names,
            fleet: self.fleet(),
            location: self.location(),
            machine: self.session.machine,
            slot: self.session.slot.into(),
        }
    }

    /// The full record.
    pub fn record(&self) -> GameSession {
        let (session, fleet, now_ms) = (self.session, self.fleet(), self.world.now_ms);
        let known = self.is_reachable();
        let connection = self.world.connection(session);
        GameSession {
            game_session_id: self.arn(),
            name: self.name(),
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            creation_time_ms: session.created_ms,
            termination_time_ms: self.termination_time_ms(),
            current_player_session_count: session.players(now_ms),
            maximum_player_session_count: session.max_players.into(),
            status: session.status(now_ms),
            status_reason: self.status_reason(),
            game_properties: self.game_properties(),
            ip_address: known.then(|| connection.ip_address.clone()),
            dns_name: if known { connection.dns_name.clone() } else { None },
            port: known.then_some(session.port),
            player_session_creation_policy: self.player_session_creation_policy(),
            creator_id: self.creator_id(),
            game_session_data: made(64, |text| self.push_game_session_data(text)),
            matchmaker_data: self.matchmaker_data().map(str::to_owned),
            location: self.location().to_owned(),
            compute_name: Some(connection.compute_name),
        }
    }

    /// Its player sessions in a fixed order: the players it was created for come first.
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

    /// When each of its player sessions became ACTIVE, epoch milliseconds, in their order; absent for players who did
    /// not join, or have not joined yet.
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

/// Where the players of a session connect.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) ip_address: String,
    pub(crate) dns_name: Option<String>,
    pub(crate) compute_name: String,
}

impl World {
    /// Appends the last part of a session's ARN.
    fn push_session_id(&self, text: &mut String, session: &Session) {
        if let Some(id) = session.chosen.as_ref().and_then(|chosen| chosen.id.as_ref()) {
            text.push_str(id);
        } else if session.placement == NONE {
            self.names.push_uuid(text, Kind::Session, session.number, 0);
        } else {
            self.push_placement_id(text, session.placement);
        }
    }

    pub(super) fn connection(&self, session: &Session) -> Connection {
        let fleet = &self.fleets[usize::from(session.fleet)];
        let site = &fleet.sites[usize::from(session.site)];
        self.machine_connection(fleet, &site.name, session.machine, session.slot.into())
    }
}
