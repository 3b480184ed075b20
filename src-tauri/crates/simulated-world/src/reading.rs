//! Read-only queries of the world, one region at a time.
//!
//! Listings have a stable, documented order, so that the caller can page through them. An id, ARN or name that is
//! unknown in the region gives `None`. The caller words the errors for that and for every other rule of the service.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::engine::RETENTION_MS;
use super::names::Kind;
use super::records::{
    Alias, Build, ContainerGroupDefinition, Ec2InstanceLimit, FleetDeployment, GameSessionPlacement,
    GameSessionQueue, GameSessionStatus, LocationModel, MatchmakingConfiguration, MatchmakingRuleSet,
    MatchmakingTicket, Notice, PlayerSession, Script,
};
use super::session::{NONE, Session};
use super::{FleetRef, Metrics, NEVER_MS, Region, SessionKey, SessionRef, World, catalogue};
use crate::Scenario;

/// Narrows a listing of game sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct SessionFilter<'a> {
    /// Only this location of the fleet.
    pub location: Option<&'a str>,
    /// Only this state.
    pub status: Option<GameSessionStatus>,
}

impl World {
    /// Virtual current time, epoch milliseconds.
    pub fn now_ms(&self) -> i64 {
        self.now_ms
    }

    /// Virtual time when the world was made; everything before it is history.
    pub fn start_ms(&self) -> i64 {
        self.start_ms
    }

    /// Twelve-digit id of the account that owns everything.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The scenario it plays.
    pub fn scenario(&self) -> Scenario {
        self.scenario
    }

    /// The home regions, in a fixed order.
    pub fn regions(&self) -> impl Iterator<Item = &str> {
        self.regions.iter().map(|region| region.name.as_str())
    }

    pub(super) fn region(&self, name: &str) -> Option<(usize, &Region)> {
        self.regions.iter().enumerate().find(|(_, region)| region.name == name)
    }

    /// Fleets of every kind whose home is the region and that exist by now, in a fixed order.
    pub fn fleets<'a>(&'a self, region: &str) -> impl Iterator<Item = FleetRef<'a>> + use<'a> {
        let region = self.region(region).map(|(index, _)| index);
        let here = move |fleet: &&super::Fleet| Some(fleet.region) == region && fleet.exists(self.now_ms);
        self.fleets.iter().filter(here).map(|fleet| FleetRef { world: self, fleet })
    }

    /// The fleet with that id (not ARN).
    pub fn fleet<'a>(&'a self, region: &str, fleet_id: &str) -> Option<FleetRef<'a>> {
        self.fleets(region).find(|fleet| fleet.id() == fleet_id)
    }

    /// Game sessions of a fleet (by id) in the order they were created, beginning after the key `after`. Ended
    /// sessions are listed for 30 days after their end. An unknown fleet has none.
    pub fn game_sessions<'a>(
        &'a self,
        region: &str,
        fleet_id: &str,
        filter: SessionFilter<'_>,
        after: Option<SessionKey>,
    ) -> impl Iterator<Item = SessionRef<'a>> + use<'a> {
        let fleet = self.fleet(region, fleet_id).map(|view| view.fleet);
        let ended = filter.status == Some(GameSessionStatus::Terminated);
        let all = filter.status.is_none() || ended;
        let numbers = fleet.map(|fleet| if all { &fleet.sessions } else { &fleet.live });
        let site =
            filter.location.map(|location| fleet.and_then(|fleet| fleet.site(location)).map(|(s, _)| s));
        let from = after.map_or(Bound::Unbounded, |key| Bound::Excluded(key.value()));
        let status = filter.status;
        numbers
            .into_iter()
            .flat_map(move |numbers| numbers.range((from, Bound::Unbounded)))
            .filter_map(|number| self.session(*number))
            .filter(move |session| site.is_none_or(|site| site == Some(usize::from(session.site))))
            .filter(move |session| status.is_none_or(|status| session.status(self.now_ms) == status))
            .map(|session| SessionRef { world: self, session })
    }

    /// The game session with that ARN, if its fleet's home is the region.
    pub fn game_session<'a>(&'a self, region: &str, arn: &str) -> Option<SessionRef<'a>> {
        let id = arn.rsplit('/').next()?;
        let number = match (self.chosen_session(arn, id), self.read_placement_id(id)) {
            (Some(number), _) => number,
            (None, Some(placement)) => self.placements.get(placement as usize)?.as_deref()?.session,
            (None, None) => self.names.read_uuid(Kind::Session, id)?.0,
        };
        let found = SessionRef { world: self, session: self.session(number)? };
        (self.region_of(found.session) == region && found.arn() == arn).then_some(found)
    }

    /// Finds the session whose id a caller chose.
    fn chosen_session(&self, arn: &str, id: &str) -> Option<u32> {
        let fleet_id = arn.split('/').nth(1)?;
        let fleet = self.fleets.iter().position(|fleet| fleet.id == fleet_id)?;
        self.ledger.sessions.get(&(fleet, id.to_owned())).copied()
    }

    pub(super) fn session(&self, number: u32) -> Option<&Session> {
        let session = self.sessions.get(number as usize)?.as_deref()?;
        // Old sessions are removed only once an hour, so those that are due are hidden until then.
        (session.end_ms > self.now_ms - RETENTION_MS).then_some(session)
    }

    fn region_of(&self, session: &Session) -> &str {
        &self.regions[self.fleets[usize::from(session.fleet)].region].name
    }

    /// The player session with that id.
    pub fn player_session(&self, region: &str, player_session_id: &str) -> Option<PlayerSession> {
        let (session, seat) = self.names.read_player_session(player_session_id)?;
        let found = SessionRef { world: self, session: self.session(session)? };
        if self.region_of(found.session) == region { found.player_session(seat) } else { None }
    }

    /// Every retained player session of a player in the region, newest first.
    pub fn player_sessions_of(&self, region: &str, player_id: &str) -> Vec<PlayerSession> {
        let player = self.read_player(player_id);
        let mut next = player.map_or((NONE, 0), |player| self.population.last_seat(player));
        let mut found = Vec::new();
        while let Some(session) = self.session(next.0) {
            let Some(seat) = session.seats.get(usize::from(next.1)) else { break };
            if self.region_of(session) == region {
                found.extend(SessionRef { world: self, session }.player_session(next.1));
            }
            next = seat.before;
        }
        found
    }

    /// The placement with that id.
    pub fn placement(&self, region: &str, placement_id: &str) -> Option<GameSessionPlacement> {
        let number = self.placement_number(placement_id)?;
        let placement = self.placements.get(number as usize)?.as_deref()?;
        let queue = self.queues.get(usize::from(placement.queue))?;
        (self.regions[queue.region].name == region).then(|| self.placement_record(number, placement))
    }

    /// The matchmaking ticket with that id.
    pub fn ticket(&self, region: &str, ticket_id: &str) -> Option<MatchmakingTicket> {
        let number = self.ticket_number(region, ticket_id)?;
        self.tickets.get(number).map(|ticket| self.ticket_record(number, ticket))
    }

    /// Ids of the tickets that have not ended, oldest first.
    pub fn open_tickets<'a>(&'a self, region: &str) -> impl Iterator<Item = String> + use<'a> {
        let region = self.region(region).map(|(index, _)| index);
        self.tickets
            .iter()
            .filter(move |(_, ticket)| {
                ticket.end_ms.is_none()
                    && ticket.start_ms <= self.now_ms
                    && self.matchmakers.get(usize::from(ticket.matchmaker)).map(|m| m.region) == region
            })
            .map(|(number, _)| self.ticket_id(number))
    }

    /// Ids of the placements that are PENDING, oldest first.
    pub fn pending_placements<'a>(&'a self, region: &str) -> impl Iterator<Item = String> + use<'a> {
        let region = self.region(region).map(|(index, _)| index);
        self.queues
            .iter()
            .filter(move |queue| Some(queue.region) == region)
            .flat_map(|queue| queue.pending.iter())
            .map(|number| self.placement_id(*number))
    }

    /// Game session queues in the order they were made.
    pub fn queues<'a>(&'a self, region: &str) -> impl Iterator<Item = &'a GameSessionQueue> + use<'a> {
        let region = self.region(region).map(|(index, _)| index);
        let here = move |queue: &&super::Queue| Some(queue.region) == region && queue.gone_ms == NEVER_MS;
        self.queues.iter().filter(here).map(|queue| &queue.record)
    }

    /// Matchmaking configurations in the order they were made.
    pub fn matchmaking_configurations<'a>(
        &'a self,
        region: &str,
    ) -> impl Iterator<Item = &'a MatchmakingConfiguration> + use<'a> {
        let region = self.region(region).map(|(index, _)| index);
        let here = move |maker: &&super::matchmaking::Matchmaker| {
            Some(maker.region) == region && maker.gone_ms == super::NEVER_MS
        };
        self.matchmakers.iter().filter(here).map(|maker| &maker.record)
    }

    fn in_region<T>(&self, region: &str, part: impl Fn(&Region) -> &[T]) -> &[T] {
        self.region(region).map_or(&[], |(_, region)| part(region))
    }

    /// Matchmaking rule sets in the order they were made.
    pub fn matchmaking_rule_sets(&self, region: &str) -> &[MatchmakingRuleSet] {
        self.in_region(region, |region| &region.rule_sets)
    }

    /// Aliases in the order they were made.
    pub fn aliases(&self, region: &str) -> &[Alias] {
        self.in_region(region, |region| &region.aliases)
    }

    /// Builds in the order they were made.
    pub fn builds(&self, region: &str) -> &[Build] {
        self.in_region(region, |region| &region.builds)
    }

    /// Scripts in the order they were made.
    pub fn scripts(&self, region: &str) -> &[Script] {
        self.in_region(region, |region| &region.scripts)
    }

    /// Every version of every container group definition, by name and rising version.
    pub fn container_group_definitions(&self, region: &str) -> &[ContainerGroupDefinition] {
        self.in_region(region, |region| &region.definitions)
    }

    /// Deployments of a container fleet, newest first.
    pub fn deployments<'a>(
        &'a self,
        region: &str,
        fleet_id: &'a str,
    ) -> impl Iterator<Item = &'a FleetDeployment> + use<'a> {
        self.in_region(region, |region| &region.deployments)
            .iter()
            .filter(move |made| made.fleet_id == fleet_id)
    }

    /// Locations that fleets of the region can use: AWS ones in a fixed order, then the custom ones.
    pub fn locations(&self, region: &str) -> &[LocationModel] {
        self.in_region(region, |region| &region.locations)
    }

    /// Instance limits of the account by instance type, for fleets of the region in the given location (by default
    /// the home region).
    pub fn ec2_instance_limits(&self, region: &str, location: Option<&str>) -> Vec<Ec2InstanceLimit> {
        catalogue::instance_limits(self, region, location.unwrap_or(region))
    }

    /// Tags of a resource by its ARN; `None` if there is no such resource.
    pub fn tags(&self, region: &str, arn: &str) -> Option<&BTreeMap<String, String>> {
        self.region(region).and_then(|(_, region)| region.tags.get(arn))
    }

    /// The metrics that CloudWatch would have.
    pub fn metrics(&self) -> Metrics<'_> {
        Metrics { world: self }
    }

    /// Takes the events that have happened in a region since the last call, oldest first. The first call also returns
    /// those of the hour before the start.
    pub fn drain_events(&mut self, region: &str) -> Vec<Notice> {
        match self.regions.iter_mut().find(|known| known.name == region) {
            Some(known) => known.outbox.drain(..).collect(),
            None => Vec::new(),
        }
    }
}
