//! Game sessions that callers create, change and end.

use super::super::fleet::Fleet;
use super::super::play::Request;
use super::super::profile::CASUAL;
use super::super::records::{
    FleetStatus, GameProperty, GameSessionStatus, PlayerSessionCreationPolicy, ProtectionPolicy,
};
use super::super::refusal::{Refusal, RefusalKind};
use super::super::session::{Chosen, Ending, NONE, Session, Wish};
use super::super::{FleetRef, NEVER_MS, SessionRef, World};

/// How long a compute is still being validated after its processes are ready (H2, NotReadyException).
const VALIDATION_MS: i64 = 60_000;

/// Without a creation policy, a creator may request one session in this time (A14 CreateGameSession).
const CREATOR_PAUSE_MS: i64 = 1_000;

/// Maximum number of properties of a session (A16 GamePropertyList).
const MOST_PROPERTIES: usize = 16;

/// A session to create.
#[derive(Clone, Debug, Default)]
pub struct NewGameSession {
    /// Location of the fleet; its home if absent.
    pub location: Option<String>,
    /// Slots.
    pub maximum_player_session_count: u16,
    /// Name.
    pub name: Option<String>,
    /// At most 16.
    pub game_properties: Vec<GameProperty>,
    /// Who requests it.
    pub creator_id: Option<String>,
    /// Opaque to GameLift.
    pub game_session_data: Option<String>,
    /// The idempotency token or custom id: the last part of the ARN.
    pub id: Option<String>,
    /// The request as a text that is equal for equal parameters; present if a repetition is to return the same
    /// session.
    pub repeatable: Option<String>,
}

/// Settings of a session to change. An absent one stays as it is.
#[derive(Clone, Debug, Default)]
pub struct SessionSettings {
    /// Slots.
    pub maximum_player_session_count: Option<u16>,
    /// Name.
    pub name: Option<String>,
    /// Whether it accepts new players.
    pub player_session_creation_policy: Option<PlayerSessionCreationPolicy>,
    /// Whether scale-down may end it.
    pub protection_policy: Option<ProtectionPolicy>,
    /// Properties to add or to overwrite.
    pub game_properties: Vec<GameProperty>,
}

/// The two ways in which a caller can end a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminationMode {
    /// Calls OnProcessTerminate; the game code has to end the session itself.
    TriggerOnProcessTerminate,
    /// Stops the process.
    ForceTerminate,
}

impl World {
    /// Creates a session in a fleet of the region and returns its ARN. The same token with the same parameters
    /// returns the session that was created before.
    ///
    /// # Errors
    /// When the fleet, its location, the token, the creator's limits or the capacity do not allow it.
    pub fn create_game_session(
        &mut self,
        region: &str,
        fleet_id: &str,
        new: NewGameSession,
    ) -> Result<String, Refusal> {
        let (fleet, site) = self.hosting_place(region, fleet_id, new.location.as_deref())?;
        if let Some(arn) = self.session_with_token(fleet, &new)? {
            return Ok(arn);
        }
        self.check_creator(fleet, new.creator_id.as_deref())?;
        let Some(on) = self.seatable(fleet, site) else {
            // The request scales a location that is at zero to one instance.
            self.wake(fleet, site);
            let location = &self.fleets[fleet].sites[site].name;
            let message = format!("Fleet {fleet_id} has no available server process in {location}.");
            return Err(Refusal::new(RefusalKind::NoCapacity, message));
        };
        let profile = self.profile_of(fleet);
        let pool = self.fleets[fleet].region;
        let chosen = Chosen {
            made: true,
            id: new.id,
            request: new.repeatable,
            name: new.name,
            properties: Some(new.game_properties),
            creator: new.creator_id,
            data: new.game_session_data,
            ..Chosen::default()
        };
        let wish = Wish { chosen, max_players: new.maximum_player_session_count };
        let number = self.create_session(
            on,
            &Request {
                profile,
                pool,
                founders: Vec::new(),
                placement: NONE,
                game_match: NONE,
                creator: NONE,
                wish: Some(Box::new(wish)),
            },
        );
        Ok(self.arn_of(number))
    }

    /// Returns the fleet and the location in which a session is requested, if both are ACTIVE.
    fn hosting_place(
        &self,
        region: &str,
        fleet_id: &str,
        location: Option<&str>,
    ) -> Result<(usize, usize), Refusal> {
        let view = self.fleet(region, fleet_id).ok_or_else(|| Refusal::not_found("Fleet", fleet_id))?;
        if view.is_anywhere() && location.is_none() {
            let message =
                format!("Location is required to create a game session on the Anywhere fleet {fleet_id}.");
            return Err(Refusal::invalid(message));
        }
        let name = location.unwrap_or(view.home());
        let found = view.locations().into_iter().find(|place| place.location == name);
        let Some(found) = found else {
            let message = format!("Fleet {fleet_id} has no location {name}.");
            return Err(Refusal::new(RefusalKind::NotFound, message));
        };
        for (what, status) in [("Fleet", view.status()), ("Location of fleet", found.status)] {
            if status != FleetStatus::Active {
                let message = format!("{what} {fleet_id} is not ACTIVE: its status is {}.", status.as_str());
                return Err(Refusal::new(RefusalKind::FleetStatus, message));
            }
        }
        let fleet = self.fleets.iter().position(|fleet| std::ptr::eq(fleet, view.fleet));
        let site = view.fleet.site(name).map(|(site, _)| site);
        fleet.zip(site).ok_or_else(|| Refusal::not_found("Fleet", fleet_id))
    }

    fn session_with_token(&self, fleet: usize, new: &NewGameSession) -> Result<Option<String>, Refusal> {
        let Some(id) = &new.id else { return Ok(None) };
        let known = self.ledger.sessions.get(&(fleet, id.clone()));
        let Some(session) = known.and_then(|number| self.session(*number)) else { return Ok(None) };
        let before = session.chosen.as_ref().and_then(|chosen| chosen.request.as_ref());
        if before.is_some() && before == new.repeatable.as_ref() {
            return Ok(Some(SessionRef { world: self, session }.arn()));
        }
        let message = format!("A game session with the ID {id} already exists in this fleet.");
        Err(Refusal::new(RefusalKind::TokenMismatch, message))
    }

    fn check_creator(&mut self, fleet: usize, creator: Option<&str>) -> Result<(), Refusal> {
        let (owner, now_ms) = (&self.fleets[fleet], self.now_ms);
        let Some(policy) = owner.creation_limit else {
            let Some(creator) = creator else { return Ok(()) };
            let region = owner.region;
            self.ledger.creators.retain(|_, asked_ms| now_ms - *asked_ms < CREATOR_PAUSE_MS);
            let key = (region, creator.to_owned());
            if self.ledger.creators.contains_key(&key) {
                let message = format!("Creator {creator} may request one game session per second.");
                return Err(Refusal::new(RefusalKind::Limit, message));
            }
            self.ledger.creators.insert(key, now_ms);
            return Ok(());
        };
        let Some(creator) = creator else {
            let message = "CreatorId is required: the fleet has a resource creation limit policy.";
            return Err(Refusal::invalid(message));
        };
        let from_ms = now_ms - i64::from(policy.policy_period_in_minutes) * 60_000;
        let made = owner.sessions.iter().rev().filter_map(|number| self.session(*number));
        let made = made
            .take_while(|session| session.created_ms > from_ms)
            .filter(|session| SessionRef { world: self, session }.creator_id().as_deref() == Some(creator))
            .count();
        if made as u64 >= u64::from(policy.new_game_sessions_per_creator) {
            let message = format!(
                "Creator {creator} has created {made} game sessions within {} minutes, as many as the fleet's \
                 resource creation limit policy allows.",
                policy.policy_period_in_minutes
            );
            return Err(Refusal::new(RefusalKind::Limit, message));
        }
        Ok(())
    }

    /// Returns the kind of game that a fleet hosts, judged by its newest session.
    pub(crate) fn profile_of(&self, fleet: usize) -> u8 {
        let newest = self.fleets[fleet].sessions.last().and_then(|number| self.session(*number));
        newest.map_or(CASUAL, |session| session.profile)
    }

    fn arn_of(&self, number: u32) -> String {
        self.session(number).map(|session| SessionRef { world: self, session }.arn()).unwrap_or_default()
    }

    /// Returns the number of the session with that ARN, or a refusal if there is none.
    pub(super) fn session_number(&self, region: &str, arn: &str) -> Result<u32, Refusal> {
        let found = self.game_session(region, arn).ok_or_else(|| Refusal::not_found("Game session", arn))?;
        Ok(found.session.number)
    }

    pub(crate) fn session_mut(&mut self, number: u32) -> Option<&mut Session> {
        self.sessions.get_mut(number as usize)?.as_deref_mut()
    }

    /// Refuses if the session's compute is still being validated.
    fn check_ready(&self, session: &Session) -> Result<(), Refusal> {
        let owner = &self.fleets[usize::from(session.fleet)];
        let machines = &owner.sites[usize::from(session.site)].machines;
        let machine = machines.iter().find(|machine| machine.number == session.machine);
        if machine.is_some_and(|machine| machine.ready_ms + VALIDATION_MS > self.now_ms) {
            let message = "The compute of the game session has not been validated yet. Try again later.";
            return Err(Refusal::new(RefusalKind::NotReady, message));
        }
        Ok(())
    }

    /// Changes settings of a session.
    ///
    /// # Errors
    /// When there is no such session, it is ending or has ended, its compute is not ready, or it would have too many
    /// properties.
    pub fn update_game_session(
        &mut self,
        region: &str,
        arn: &str,
        settings: SessionSettings,
    ) -> Result<(), Refusal> {
        let (number, now_ms) = (self.session_number(region, arn)?, self.now_ms);
        let Some(session) = self.session(number) else { return Err(Refusal::not_found("Game session", arn)) };
        let status = session.status(now_ms);
        if matches!(status, GameSessionStatus::Terminated | GameSessionStatus::Terminating) {
            return Err(wrong_status(arn, status, "be updated"));
        }
        self.check_ready(session)?;
        let mut properties = SessionRef { world: self, session }.game_properties();
        let changes_properties = !settings.game_properties.is_empty();
        for property in settings.game_properties {
            match properties.iter_mut().find(|known| known.key == property.key) {
                Some(known) => known.value = property.value,
                None => properties.push(property),
            }
        }
        if properties.len() > MOST_PROPERTIES {
            let message = format!("A game session can have at most {MOST_PROPERTIES} game properties.");
            return Err(Refusal::invalid(message));
        }
        let Some(session) = self.session_mut(number) else { return Ok(()) };
        let chosen = session.chosen.get_or_insert_default();
        if changes_properties {
            chosen.properties = Some(properties);
        }
        chosen.name = settings.name.or(chosen.name.take());
        chosen.policy = settings.player_session_creation_policy.or(chosen.policy);
        session.protection = settings.protection_policy.unwrap_or(session.protection);
        if settings.player_session_creation_policy == Some(PlayerSessionCreationPolicy::DenyAll) {
            session.cancel_seats_after(now_ms);
        }
        if let Some(most) = settings.maximum_player_session_count {
            session.max_players = most;
            session.fit_seats_after(now_ms);
        }
        Ok(())
    }

    /// Begins to end a session.
    ///
    /// # Errors
    /// When there is no such session, it has ended, its compute is not ready, its game server is too old, or it is to
    /// be stopped by force where no GameLift Agent runs.
    pub fn terminate_game_session(
        &mut self,
        region: &str,
        arn: &str,
        mode: TerminationMode,
    ) -> Result<(), Refusal> {
        let (number, now_ms) = (self.session_number(region, arn)?, self.now_ms);
        let Some(session) = self.session(number) else { return Err(Refusal::not_found("Game session", arn)) };
        let fleet = usize::from(session.fleet);
        let view = FleetRef { world: self, fleet: &self.fleets[fleet] };
        if view.server_sdk_major().is_some_and(|major| major < 5) {
            let message = format!("The game server of {arn} does not use server SDK 5 or later.");
            return Err(Refusal::invalid(message));
        }
        if mode == TerminationMode::ForceTerminate && view.is_anywhere() {
            let message = "FORCE_TERMINATE needs the Amazon GameLift Servers Agent on the computes of an Anywhere fleet.";
            return Err(Refusal::invalid(message));
        }
        let status = session.status(now_ms);
        if matches!(status, GameSessionStatus::Terminated | GameSessionStatus::Error) {
            return Err(wrong_status(arn, status, "be terminated"));
        }
        self.check_ready(session)?;
        let ends = self.fleets[fleet].ends_processes();
        let mut draw = self.request_draw();
        let Some(session) = self.session_mut(number) else { return Ok(()) };
        let begun = now_ms >= session.terminating_ms;
        let (end_ms, ending) = match mode {
            // The process is already ending, and asking it again changes nothing.
            TerminationMode::TriggerOnProcessTerminate if begun => return Ok(()),
            TerminationMode::TriggerOnProcessTerminate if ends => {
                ((now_ms + draw.span_ms(5_000, 45_000)).min(session.end_ms), Ending::Triggered)
            }
            // If the game code never calls ProcessEnding, the session stays.
            TerminationMode::TriggerOnProcessTerminate => (NEVER_MS, Ending::Triggered),
            TerminationMode::ForceTerminate => {
                ((now_ms + draw.span_ms(1_500, 5_000)).min(session.end_ms), Ending::Forced)
            }
        };
        session.begin_end(now_ms, end_ms, ending);
        if end_ms != NEVER_MS {
            self.agenda.note(end_ms, super::super::engine::Transition::SessionEnd(number));
        }
        Ok(())
    }
}

/// Returns the refusal for a status that does not allow the request.
pub(super) fn wrong_status(arn: &str, status: GameSessionStatus, what: &str) -> Refusal {
    let message = format!("Game session {arn} is {} and cannot {what}.", status.as_str());
    Refusal::new(RefusalKind::SessionStatus, message)
}

impl Session {
    /// Begins to end the session, as a caller asked.
    fn begin_end(&mut self, now_ms: i64, end_ms: i64, ending: Ending) {
        if self.active_ms > now_ms {
            self.active_ms = NEVER_MS;
        }
        self.terminating_ms = self.terminating_ms.min(now_ms);
        (self.end_ms, self.ending) = (end_ms, ending);
        self.cancel_seats_after(now_ms);
    }
}

impl Fleet {
    /// Whether the game code answers OnProcessTerminate by calling ProcessEnding. The release candidate on the canary
    /// fleets does not do so yet.
    fn ends_processes(&self) -> bool {
        !self.name.contains("canary")
    }
}

impl FleetRef<'_> {
    /// Major version of the server SDK that the fleet's game server was built with, if the service knows it.
    pub fn server_sdk_major(&self) -> Option<u32> {
        let region = &self.world.regions[self.fleet.region];
        let build = region.builds.iter().find(|build| Some(build.build_id.as_str()) == self.build_id());
        build?.server_sdk_version.split('.').next()?.parse().ok()
    }
}
