//! What a person looks at and no listing shows: GameLift lists neither placements nor tickets, only their outcomes arrive.
//!
//! Owns asking for the one on screen. Deliberately changes nothing and keeps nothing.

use liftdeck_model::matchmaking::{MatchmakingRuleSet, Ticket};
use liftdeck_model::placement::Placement;
use liftdeck_model::{PlacementId, Region, TicketId};

use crate::error::OperationError;
use crate::guard::Guard;

impl Guard {
    /// A placement as GameLift has it now; `None` when no Region of the connection knows it.
    ///
    /// # Errors
    /// `Gateway` when a Region cannot be asked and no other one knows it.
    pub async fn placement_now(&self, id: &PlacementId) -> Result<Option<Placement>, OperationError> {
        let mut trouble = None;
        for region in &self.core.options.regions {
            match self.core.reader(region)?.placement(id).await {
                Ok(Some(placement)) => return Ok(Some(placement)),
                Ok(None) => {}
                Err(error) => trouble = Some(error),
            }
        }
        trouble.map_or(Ok(None), |error| Err(error.into()))
    }

    /// A ticket as GameLift has it now; `None` when it is not known. AWS forgets tickets 30 days after they ended.
    ///
    /// # Errors
    /// `Gateway` when AWS cannot be asked.
    pub async fn ticket_now(&self, region: &Region, id: &TicketId) -> Result<Option<Ticket>, OperationError> {
        let read = self.core.reader(region)?.tickets(std::slice::from_ref(id)).await;
        match (read.items.into_iter().next(), read.failure) {
            (Some(ticket), _) => Ok(Some(ticket)),
            (None, Some(error)) => Err(error.into()),
            (None, None) => Ok(None),
        }
    }

    /// The matchmaking rule sets of a Region.
    ///
    /// # Errors
    /// `Gateway` when AWS cannot be asked.
    pub async fn rule_sets_now(&self, region: &Region) -> Result<Vec<MatchmakingRuleSet>, OperationError> {
        let read = self.core.reader(region)?.rule_sets().await;
        read.failure.map_or(Ok(read.items), |error| Err(error.into()))
    }
}
