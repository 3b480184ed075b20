//! One look at AWS for the effect of one change.
//!
//! Owns what is read for each operation, and which part of the answer goes to the store.

use liftdeck_gateway::{GatewayError, Reader, Reading};
use liftdeck_model::action::Request;
use liftdeck_model::activity::Activity;
use liftdeck_model::matchmaking::Ticket;
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::Placement;
use liftdeck_model::{AliasId, FleetId, GameSessionId, Location, PlacementId, TicketId, Timestamp};

use super::verdict::{Glance, Verdict};
use super::{fleet, matching, routing, session};
use crate::words::Sight;

/// What a look needs.
pub(super) struct Look<'a> {
    pub(super) aws: &'a Reader,
    pub(super) activity: &'a Activity,
    /// Time since AWS accepted the change, in milliseconds.
    pub(super) age_ms: i64,
    pub(super) now: Timestamp,
}

impl From<Verdict> for Glance {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, observations: Vec::new() }
    }
}

impl Glance {
    fn with(verdict: Verdict, observation: Option<Observation>) -> Self {
        Self { verdict, observations: observation.into_iter().collect() }
    }
}

/// Returns a listing that was read to its end, or the failure.
fn whole<T>(reading: Reading<T>) -> Result<Listing<T>, GatewayError> {
    let (listing, failure) = reading.into_listing();
    failure.map_or(Ok(listing), Err)
}

impl Look<'_> {
    /// Looks for the effect of a request.
    ///
    /// # Errors
    /// If AWS could not be asked. It is asked again later.
    pub(super) async fn at(&self, request: &Request) -> Result<Glance, GatewayError> {
        match request {
            Request::CreateGameSession(_)
            | Request::TerminateGameSession(_)
            | Request::UpdateGameSession(_)
            | Request::CreatePlayerSessions(_) => self.session(request).await,
            Request::StartGameSessionPlacement(it) => {
                self.placement(&it.placement_id, matching::placed).await
            }
            Request::StopGameSessionPlacement(it) => {
                self.placement(&it.placement_id, matching::stopped).await
            }
            Request::CreateAlias(_) | Request::UpdateAlias(_) | Request::DeleteAlias(_) => {
                self.alias(request).await
            }
            Request::UpdateFleetCapacity(_)
            | Request::PutScalingPolicy(_)
            | Request::DeleteScalingPolicy(_)
            | Request::StopFleetActions(_)
            | Request::StartFleetActions(_)
            | Request::UpdateFleetAttributes(_) => self.fleet(request).await,
            Request::CreateGameSessionQueue(it) => {
                let found = self.aws.queue(&it.name).await?;
                let verdict = routing::queue_made(it, found.as_ref());
                let seen = found.map(|queue| Observation::Queues(Listing::partial(vec![queue])));
                Ok(Glance::with(verdict, seen))
            }
            Request::UpdateGameSessionQueue(it) => {
                let found = self.aws.queue(&it.name).await?;
                let verdict = routing::queue_changed(it, found.as_ref());
                let seen = found.map(|queue| Observation::Queues(Listing::partial(vec![queue])));
                Ok(Glance::with(verdict, seen))
            }
            Request::StartMatchmaking(it) => self.ticket(&it.ticket_id, matching::matched).await,
            Request::StartMatchBackfill(it) => self.ticket(&it.ticket_id, matching::matched).await,
            Request::AcceptMatch(it) => {
                self.ticket(&it.ticket_id, |found| matching::answered(it, found)).await
            }
            Request::StopMatchmaking(it) => self.ticket(&it.ticket_id, matching::cancelled).await,
            Request::UpdateScript(it) => {
                let found = self.aws.script(&it.script_id).await?;
                let verdict = routing::script_changed(it, found.as_ref());
                let seen = found.map(|script| Observation::Scripts(Listing::partial(vec![script])));
                Ok(Glance::with(verdict, seen))
            }
        }
    }

    async fn session(&self, request: &Request) -> Result<Glance, GatewayError> {
        let id = match request {
            Request::CreateGameSession(_) => match &self.activity.made {
                Some(made) => GameSessionId::from(made.as_str()),
                None => {
                    return Ok(Verdict::Missed(Sight::SessionNotNamed).into());
                }
            },
            Request::TerminateGameSession(it) => it.game_session_id.clone(),
            Request::UpdateGameSession(it) => it.game_session_id.clone(),
            Request::CreatePlayerSessions(it) => {
                let listing = whole(self.aws.player_sessions(&it.game_session_id).await)?;
                let verdict = session::reserved(it, &self.activity.made_player_sessions, &listing.items);
                let seen = Observation::PlayerSessions(it.game_session_id.clone(), listing);
                return Ok(Glance::with(verdict, Some(seen)));
            }
            _ => return Ok(Verdict::Seen(Sight::NothingToSee).into()),
        };
        let found = self.aws.game_session(&id).await?;
        let verdict = match request {
            Request::TerminateGameSession(it) => {
                session::ended(it.termination_mode, found.as_ref(), self.age_ms)
            }
            Request::UpdateGameSession(it) => session::changed(it, found.as_ref()),
            _ => session::begun(found.as_ref(), self.age_ms),
        };
        let gone = || matches!(verdict, Verdict::Seen(_)).then(|| Observation::GameSessionGone(id.clone()));
        let seen = found.map(|session| Observation::GameSessions(vec![session])).or_else(gone);
        Ok(Glance::with(verdict, seen))
    }

    async fn placement(
        &self,
        id: &PlacementId,
        judge: impl Fn(Option<&Placement>) -> Verdict,
    ) -> Result<Glance, GatewayError> {
        let found = self.aws.placement(id).await?;
        let verdict = judge(found.as_ref());
        let seen = found.as_ref().and_then(|placement| matching::outcome(placement, self.now));
        Ok(Glance::with(verdict, seen.map(|event| Observation::PlacementEvents(vec![event]))))
    }

    async fn ticket(
        &self,
        id: &TicketId,
        judge: impl Fn(Option<&Ticket>) -> Verdict,
    ) -> Result<Glance, GatewayError> {
        let tickets = whole(self.aws.tickets(std::slice::from_ref(id)).await)?;
        Ok(judge(tickets.items.first()).into())
    }

    async fn alias(&self, request: &Request) -> Result<Glance, GatewayError> {
        let made = || self.activity.made.as_deref().map(AliasId::from);
        let id = match request {
            Request::UpdateAlias(it) => Some(it.alias_id.clone()),
            Request::DeleteAlias(it) => Some(it.alias_id.clone()),
            _ => made(),
        };
        let Some(id) = id else {
            return Ok(Verdict::Missed(Sight::AliasNotNamed).into());
        };
        let found = self.aws.alias(&id).await?;
        let verdict = match request {
            Request::UpdateAlias(it) => routing::alias_changed(it, found.as_ref()),
            Request::DeleteAlias(_) => routing::alias_deleted(found.as_ref()),
            _ => routing::alias_made(found.as_ref()),
        };
        let seen = match found {
            Some(alias) => Listing::partial(vec![alias]),
            // Only a complete listing proves to the store that an alias is gone.
            None => self.aws.aliases().await.into_listing().0,
        };
        Ok(Glance::with(verdict, Some(Observation::Aliases(seen))))
    }

    async fn fleet(&self, request: &Request) -> Result<Glance, GatewayError> {
        match request {
            Request::UpdateFleetCapacity(it) => {
                let found = self.aws.capacity(&it.fleet_id, it.location.as_ref()).await?;
                let verdict = match &found {
                    Some(found) => fleet::capacity(it, found, self.age_ms),
                    None => Verdict::Missed(Sight::CapacityForgotten),
                };
                Ok(Glance::with(verdict, found.map(Observation::FleetCapacity)))
            }
            Request::PutScalingPolicy(it) => {
                let found = whole(self.aws.scaling_policies(&it.fleet_id).await)?;
                let verdict = fleet::policy_put(&it.name, &it.rule, &found.items);
                let seen = Observation::ScalingPolicies(it.fleet_id.clone(), found);
                Ok(Glance::with(verdict, Some(seen)))
            }
            Request::DeleteScalingPolicy(it) => {
                let found = whole(self.aws.scaling_policies(&it.fleet_id).await)?;
                let verdict = fleet::policy_deleted(&it.name, &found.items);
                let seen = Observation::ScalingPolicies(it.fleet_id.clone(), found);
                Ok(Glance::with(verdict, Some(seen)))
            }
            Request::StopFleetActions(it) => self.scaling(&it.fleet_id, it.location.as_ref(), true).await,
            Request::StartFleetActions(it) => self.scaling(&it.fleet_id, it.location.as_ref(), false).await,
            Request::UpdateFleetAttributes(it) => {
                let found = self.aws.fleet(&it.fleet_id).await?;
                let verdict = fleet::protection(it, found.as_ref());
                let seen = found.map(|fleet| Observation::Fleets(Listing::partial(vec![fleet])));
                Ok(Glance::with(verdict, seen))
            }
            _ => Ok(Verdict::Seen(Sight::NothingToSee).into()),
        }
    }

    async fn scaling(
        &self,
        id: &FleetId,
        location: Option<&Location>,
        suspend: bool,
    ) -> Result<Glance, GatewayError> {
        let found = whole(self.aws.fleet_locations(id).await)?;
        let here = location.map_or(self.activity.region.as_str(), Location::as_str);
        let place = found.items.iter().find(|place| place.location.as_str() == here);
        let verdict = fleet::scaling(suspend, here, place);
        Ok(Glance::with(verdict, Some(Observation::FleetLocations(id.clone(), found))))
    }
}
