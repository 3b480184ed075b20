//! What a person reads through the guard without changing anything: a placement or ticket that no listing shows, two
//! fleets side by side, the log of a game session.
//!
//! Deliberately stores nothing but logs.

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
    /// Reads a placement as GameLift has it now; `None` if no Region of the connection knows it.
    ///
    /// # Errors
    /// `Gateway` if a Region cannot be asked and no other one knows the placement.
    pub async fn placement_now(&self, id: &PlacementId) -> Result<Option<Placement>, OperationError> {
        let mut trouble = None;
        for region in &self.connection().gateway.spec().regions {
            match self.connection().reader(region)?.placement(id).await {
                Ok(Some(placement)) => return Ok(Some(placement)),
                Ok(None) => {}
                Err(error) => trouble = Some(error),
            }
        }
        trouble.map_or(Ok(None), |error| Err(error.into()))
    }

    /// Reads a ticket as GameLift has it now; `None` if it is not known. AWS forgets tickets 30 days after they
    /// ended.
    ///
    /// # Errors
    /// `Gateway` if AWS cannot be asked.
    pub async fn ticket_now(&self, region: &Region, id: &TicketId) -> Result<Option<Ticket>, OperationError> {
        let read = self.connection().reader(region)?.tickets(std::slice::from_ref(id)).await;
        match (read.items.into_iter().next(), read.failure) {
            (Some(ticket), _) => Ok(Some(ticket)),
            (None, Some(error)) => Err(error.into()),
            (None, None) => Ok(None),
        }
    }

    /// Compares the fleet an alias points to with another one, from fresh reads.
    ///
    /// # Errors
    /// `Unknown` if no Region of the connection has the alias or the fleet, `Gateway` if AWS cannot be asked.
    pub async fn compare(&self, alias: &AliasId, to: &FleetId) -> Result<RepointComparison, OperationError> {
        Box::pin(repoint::compare(self.connection(), alias, to)).await
    }

    /// Reports how a repoint is progressing, from the store.
    ///
    /// # Errors
    /// `Unknown` if there is no such attempt, `Refused` if it is not a repoint.
    pub async fn repoint_watch(&self, activity: &ActivityId) -> Result<RepointWatch, OperationError> {
        Box::pin(repoint::watch(self.connection(), activity)).await
    }

    /// Downloads the log of an ended game session as a zip below `folder`. An intact copy is not fetched again.
    ///
    /// # Errors
    /// `Refused` with the reason if there is no log or it cannot be saved, `Gateway` if AWS cannot be asked.
    pub async fn download_log(
        &self,
        session: &GameSessionId,
        folder: &Path,
    ) -> Result<KeptLog, OperationError> {
        log::download(self.connection(), session, folder).await
    }
}
