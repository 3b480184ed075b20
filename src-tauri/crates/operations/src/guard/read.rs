//! What a person looks at through the guard, without changing anything: the one placement or ticket that no listing shows,
//! two fleets side by side, the log of a game session.
//!
//! Deliberately keeps nothing but logs.

use std::path::Path;

use liftdeck_model::activity::ActivityId;
use liftdeck_model::matchmaking::Ticket;
use liftdeck_model::placement::Placement;
use liftdeck_model::{AliasId, FleetId, GameSessionId, PlacementId, Region, TicketId};

use super::Guard;
use crate::error::OperationError;
use crate::log::{self, KeptLog};
use crate::repoint::{self, RepointComparison, RepointWatch};

impl Guard {
    /// A placement as GameLift has it now; `None` when no Region of the connection knows it.
    ///
    /// # Errors
    /// `Gateway` when a Region cannot be asked and no other one knows it.
    pub async fn placement_now(&self, id: &PlacementId) -> Result<Option<Placement>, OperationError> {
        let mut trouble = None;
        for region in &self.connection().options.regions {
            match self.connection().reader(region)?.placement(id).await {
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
        let read = self.connection().reader(region)?.tickets(std::slice::from_ref(id)).await;
        match (read.items.into_iter().next(), read.failure) {
            (Some(ticket), _) => Ok(Some(ticket)),
            (None, Some(error)) => Err(error.into()),
            (None, None) => Ok(None),
        }
    }

    /// Compares the fleet an alias leads to with another, by fresh reads.
    ///
    /// # Errors
    /// `Unknown` when no Region of the connection has the alias or the fleet, `Gateway` when AWS cannot be asked.
    pub async fn compare(&self, alias: &AliasId, to: &FleetId) -> Result<RepointComparison, OperationError> {
        Box::pin(repoint::compare(self.connection(), alias, to)).await
    }

    /// How a repoint is coming along, as far as the store knows.
    ///
    /// # Errors
    /// `Unknown` when there is no such attempt, `Refused` when it is no repoint.
    pub async fn repoint_watch(&self, activity: &ActivityId) -> Result<RepointWatch, OperationError> {
        Box::pin(repoint::watch(self.connection(), activity)).await
    }

    /// The log of an ended game session, as a zip below `folder`: what is there already and intact is not fetched again.
    ///
    /// # Errors
    /// `Refused` with the reason when there is no log to be had or it cannot be kept, `Gateway` when AWS cannot be asked.
    pub async fn download_log(
        &self,
        session: &GameSessionId,
        folder: &Path,
    ) -> Result<KeptLog, OperationError> {
        log::download(self.connection(), session, folder).await
    }
}
