//! The shapes of GameLift's responses: each record of the world is declared once with the member names of the API,
//! for both protocols. One file per subject.
//!
//! The member types come from the records; what an operation returns around a record is declared with the operation.

mod capacity;
mod container;
mod fleet;
mod matchmaking;
mod routing;
mod session;

pub(super) use session::Detail;

/// `PlayerGatewayMode` and `PlayerGatewayStatus` of every resource here: no fleet has a player gateway.
const NO_GATEWAY: &str = "DISABLED";
