//! The current state of the resources in a preview: read fresh from AWS, each one once per preview.
//!
//! Owns what is read and how often. Deliberately keeps nothing from one preview to the next: a confirmation makes its
//! own reads.

use std::collections::{BTreeMap, HashMap, HashSet};

use liftdeck_gateway::{GameSessionFilter, Reader, Reading};
use liftdeck_model::alias::Alias;
use liftdeck_model::content::Script;
use liftdeck_model::fleet::{Fleet, FleetCapacity, FleetLocation, ScalingPolicy};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::{MatchmakingConfiguration, Ticket};
use liftdeck_model::placement::Placement;
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{
    AliasId, FleetId, GameSessionId, Location, PlacementId, QueueName, Region, ScriptId, TicketId,
};

use crate::connection::Connection;
use crate::error::OperationError;

/// With more sessions of one fleet than this, its listing is read instead of each session.
const SINGLE_READS: usize = 8;

/// The result of looking for a game session.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// GameLift shows it.
    Here(Box<GameSession>),
    /// It is not live: a complete listing of its fleet lacks it, or its end is on record and GameLift has forgotten
    /// it.
    NotLive,
    /// Neither GameLift nor the store knows it.
    Unknown,
}

impl Found {
    /// Returns the session if GameLift shows it.
    pub(crate) fn here(&self) -> Option<&GameSession> {
        match self {
            Self::Here(session) => Some(session),
            Self::NotLive | Self::Unknown => None,
        }
    }
}

/// What has been read so far.
pub(crate) struct Present<'a> {
    connection: &'a Connection,
    aliases: HashMap<(Region, AliasId), Option<Alias>>,
    fleets: HashMap<(Region, FleetId), Option<Fleet>>,
    locations: HashMap<(Region, FleetId), Vec<FleetLocation>>,
    capacities: HashMap<(Region, FleetId, Location), Option<FleetCapacity>>,
    policies: HashMap<(Region, FleetId), Vec<ScalingPolicy>>,
    sessions: HashMap<GameSessionId, Found>,
    queues: HashMap<(Region, QueueName), Option<GameSessionQueue>>,
    configurations: HashMap<Region, Vec<MatchmakingConfiguration>>,
    tickets: HashMap<(Region, TicketId), Option<Ticket>>,
    /// Where earlier changes of the preview suspend scaling.
    suspended: HashSet<(FleetId, String)>,
}

/// Returns the items read, or the failure that interrupted the reading.
fn whole<T>(reading: Reading<T>) -> Result<Vec<T>, OperationError> {
    match reading.failure {
        Some(failure) => Err(failure.into()),
        None => Ok(reading.items),
    }
}

impl<'a> Present<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self {
            connection,
            aliases: HashMap::new(),
            fleets: HashMap::new(),
            locations: HashMap::new(),
            capacities: HashMap::new(),
            policies: HashMap::new(),
            sessions: HashMap::new(),
            queues: HashMap::new(),
            configurations: HashMap::new(),
            tickets: HashMap::new(),
            suspended: HashSet::new(),
        }
    }

    /// Notes that an earlier change of the same preview suspends scaling there.
    pub(super) fn will_suspend(&mut self, fleet: &FleetId, place: &str) {
        self.suspended.insert((fleet.clone(), place.to_owned()));
    }

    /// Whether an earlier change of the same preview suspends scaling there.
    pub(super) fn is_to_suspend(&self, fleet: &FleetId, place: &str) -> bool {
        self.suspended.contains(&(fleet.clone(), place.to_owned()))
    }

    pub(crate) const fn connection(&self) -> &'a Connection {
        self.connection
    }

    fn reader(&self, region: &Region) -> Result<Reader, OperationError> {
        self.connection.reader(region)
    }

    /// Reads an alias; `None` if none has this id.
    pub(crate) async fn alias(
        &mut self,
        region: &Region,
        id: &AliasId,
    ) -> Result<Option<Alias>, OperationError> {
        let key = (region.clone(), id.clone());
        if let Some(known) = self.aliases.get(&key) {
            return Ok(known.clone());
        }
        let found = self.reader(region)?.alias(id).await?;
        self.aliases.insert(key, found.clone());
        Ok(found)
    }

    /// Reads a fleet; `None` if none has this id.
    pub(crate) async fn fleet(
        &mut self,
        region: &Region,
        id: &FleetId,
    ) -> Result<Option<Fleet>, OperationError> {
        let key = (region.clone(), id.clone());
        if let Some(known) = self.fleets.get(&key) {
            return Ok(known.clone());
        }
        let found = self.reader(region)?.fleet(id).await?;
        self.fleets.insert(key, found.clone());
        Ok(found)
    }

    /// Reads the locations of a fleet; empty if there is no such fleet.
    pub(crate) async fn locations(
        &mut self,
        region: &Region,
        id: &FleetId,
    ) -> Result<Vec<FleetLocation>, OperationError> {
        let key = (region.clone(), id.clone());
        if let Some(known) = self.locations.get(&key) {
            return Ok(known.clone());
        }
        let found = match self.fleet(region, id).await? {
            Some(_) => whole(self.reader(region)?.fleet_locations(id).await)?,
            None => Vec::new(),
        };
        self.locations.insert(key, found.clone());
        Ok(found)
    }

    /// Reads the instance counts of a location, or of the home Region without one; `None` if there is no such fleet
    /// or location.
    pub(crate) async fn capacity(
        &mut self,
        region: &Region,
        id: &FleetId,
        location: Option<&Location>,
    ) -> Result<Option<FleetCapacity>, OperationError> {
        let place = location.cloned().unwrap_or_else(|| Location::new(region.as_str()));
        let key = (region.clone(), id.clone(), place);
        if let Some(known) = self.capacities.get(&key) {
            return Ok(known.clone());
        }
        let found = self.reader(region)?.capacity(id, location).await?;
        self.capacities.insert(key, found.clone());
        Ok(found)
    }

    /// Reads the scaling policies of a fleet, one record per location; empty if there is no such fleet.
    pub(crate) async fn policies(
        &mut self,
        region: &Region,
        id: &FleetId,
    ) -> Result<Vec<ScalingPolicy>, OperationError> {
        let key = (region.clone(), id.clone());
        if let Some(known) = self.policies.get(&key) {
            return Ok(known.clone());
        }
        let found = match self.fleet(region, id).await? {
            Some(_) => whole(self.reader(region)?.scaling_policies(id).await)?,
            None => Vec::new(),
        };
        self.policies.insert(key, found.clone());
        Ok(found)
    }

    /// Reads a game session with its protection; `None` if GameLift does not know it (any more).
    pub(crate) async fn session(
        &mut self,
        region: &Region,
        id: &GameSessionId,
    ) -> Result<Option<GameSession>, OperationError> {
        Ok(match self.find_session(region, id).await? {
            Found::Here(session) => Some(*session),
            Found::NotLive | Found::Unknown => None,
        })
    }

    /// Finds a game session with its protection, or why there is none.
    pub(super) async fn find_session(
        &mut self,
        region: &Region,
        id: &GameSessionId,
    ) -> Result<Found, OperationError> {
        if let Some(known) = self.sessions.get(id) {
            return Ok(known.clone());
        }
        let found = match self.reader(region)?.game_session(id).await? {
            Some(session) => Found::Here(Box::new(session)),
            None if self
                .connection
                .store
                .ended_game_sessions(std::slice::from_ref(id))
                .await?
                .contains(id) =>
            {
                Found::NotLive
            }
            None => Found::Unknown,
        };
        self.sessions.insert(id.clone(), found.clone());
        Ok(found)
    }

    /// Reads many game sessions ahead by listing their fleets, as long as that takes fewer calls than asking for
    /// each. If a fleet was listed to its end, a session missing from the list is not live.
    pub(crate) async fn read_sessions(
        &mut self,
        wanted: &[(Region, GameSessionId)],
    ) -> Result<(), OperationError> {
        let mut by_fleet: BTreeMap<(Region, FleetId), HashSet<GameSessionId>> = BTreeMap::new();
        for (region, id) in wanted {
            if let Some(fleet) = id.fleet_id() {
                by_fleet.entry((region.clone(), fleet)).or_default().insert(id.clone());
            }
        }
        for ((region, fleet), wanted) in by_fleet {
            if wanted.len() <= SINGLE_READS {
                continue;
            }
            if self.fleet(&region, &fleet).await?.is_some() {
                self.list_sessions(&region, &fleet, wanted).await?;
            } else {
                // Nothing can be listed of a fleet that was deleted, and none of its game sessions is live.
                let wanted: Vec<GameSessionId> = wanted.into_iter().collect();
                let ended = self.connection.store.ended_game_sessions(&wanted).await?;
                let found = |id: &GameSessionId| match ended.contains(id) {
                    true => Found::NotLive,
                    false => Found::Unknown,
                };
                self.sessions.extend(wanted.into_iter().map(|id| (id.clone(), found(&id))));
            }
        }
        Ok(())
    }

    /// Looks for these sessions in the listing of their fleet.
    async fn list_sessions(
        &mut self,
        region: &Region,
        fleet: &FleetId,
        mut missing: HashSet<GameSessionId>,
    ) -> Result<(), OperationError> {
        let reader = self.reader(region)?;
        let mut pages_left = missing.len() / 2;
        // In the order of a session's life: one that changes status during the listing is seen at least once.
        for status in
            [GameSessionStatus::Activating, GameSessionStatus::Active, GameSessionStatus::Terminating]
        {
            let filter = GameSessionFilter { location: None, status: Some(status) };
            let mut from = None;
            while !missing.is_empty() {
                if pages_left == 0 {
                    return Ok(());
                }
                pages_left -= 1;
                let page = reader.game_session_details_page(fleet, &filter, from).await?;
                if let Some(flaw) = page.flaw {
                    return Err(flaw.into());
                }
                for session in page.items {
                    let id = session.game_session_id.clone();
                    if missing.remove(&id) {
                        self.sessions.insert(id, Found::Here(Box::new(session)));
                    }
                }
                from = page.next;
                if from.is_none() {
                    break;
                }
            }
        }
        self.sessions.extend(missing.into_iter().map(|id| (id, Found::NotLive)));
        Ok(())
    }

    /// Reads the player sessions of a game session, including ended ones.
    pub(crate) async fn players(
        &self,
        region: &Region,
        id: &GameSessionId,
    ) -> Result<Vec<PlayerSession>, OperationError> {
        whole(self.reader(region)?.player_sessions(id).await)
    }

    /// Reads a queue; `None` if none has this name.
    pub(crate) async fn queue(
        &mut self,
        region: &Region,
        name: &QueueName,
    ) -> Result<Option<GameSessionQueue>, OperationError> {
        let key = (region.clone(), name.clone());
        if let Some(known) = self.queues.get(&key) {
            return Ok(known.clone());
        }
        let found = self.reader(region)?.queue(name).await?;
        self.queues.insert(key, found.clone());
        Ok(found)
    }

    /// Reads a placement; `None` if GameLift does not know it (any more).
    pub(crate) async fn placement(
        &self,
        region: &Region,
        id: &PlacementId,
    ) -> Result<Option<Placement>, OperationError> {
        Ok(self.reader(region)?.placement(id).await?)
    }

    /// Reads a matchmaking configuration by name.
    pub(crate) async fn configuration(
        &mut self,
        region: &Region,
        name: &str,
    ) -> Result<Option<MatchmakingConfiguration>, OperationError> {
        if !self.configurations.contains_key(region) {
            let found = whole(self.reader(region)?.matchmaking_configurations().await)?;
            self.configurations.insert(region.clone(), found);
        }
        let all = self.configurations.get(region).into_iter().flatten();
        Ok(all.clone().find(|configuration| configuration.name == name).cloned())
    }

    /// Reads a ticket; `None` if FlexMatch does not know it (any more).
    pub(crate) async fn ticket(
        &mut self,
        region: &Region,
        id: &TicketId,
    ) -> Result<Option<Ticket>, OperationError> {
        let key = (region.clone(), id.clone());
        if let Some(known) = self.tickets.get(&key) {
            return Ok(known.clone());
        }
        let found = whole(self.reader(region)?.tickets(std::slice::from_ref(id)).await)?.pop();
        self.tickets.insert(key, found.clone());
        Ok(found)
    }

    /// Reads a Realtime script; `None` if none has this id.
    pub(crate) async fn script(
        &self,
        region: &Region,
        id: &ScriptId,
    ) -> Result<Option<Script>, OperationError> {
        Ok(self.reader(region)?.script(id).await?)
    }

    /// Reads every alias of a Region.
    pub(crate) async fn all_aliases(&self, region: &Region) -> Result<Vec<Alias>, OperationError> {
        whole(self.reader(region)?.aliases().await)
    }

    /// Reads every queue of a Region.
    pub(crate) async fn all_queues(&self, region: &Region) -> Result<Vec<GameSessionQueue>, OperationError> {
        whole(self.reader(region)?.queues().await)
    }

    /// Returns the names of the queues of a Region that have this alias as a destination.
    pub(crate) async fn queues_using(
        &mut self,
        region: &Region,
        alias: &Alias,
    ) -> Result<Vec<String>, OperationError> {
        let queues = self.all_queues(region).await?;
        let ending = format!("alias/{}", alias.alias_id);
        let uses = |queue: &GameSessionQueue| {
            queue.destinations.iter().any(|destination| destination.ends_with(&ending))
        };
        Ok(queues.iter().filter(|queue| uses(queue)).map(|queue| queue.name.to_string()).collect())
    }
}
