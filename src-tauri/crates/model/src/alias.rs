//! Aliases: the name a game asks for, and where it leads.

use serde::{Deserialize, Serialize};

use crate::id::{AliasId, FleetId, Region};
use crate::time::Timestamp;

/// Where an alias leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum RoutingStrategy {
    /// To a fleet.
    Simple {
        /// The fleet, by id.
        fleet_id: FleetId,
    },
    /// To a message for the player.
    Terminal {
        /// The message.
        message: String,
    },
}

/// An alias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// Id.
    pub alias_id: AliasId,
    /// ARN.
    pub alias_arn: Option<String>,
    /// Home Region.
    pub region: Region,
    /// Name, not unique.
    pub name: String,
    /// Description.
    pub description: Option<String>,
    /// Where it leads.
    pub routing: RoutingStrategy,
    /// When it was created.
    pub creation_time: Option<Timestamp>,
    /// When it was last changed; GameLift keeps no other history.
    pub last_updated_time: Option<Timestamp>,
}
