//! The shapes of GameLift's answers: each record of the world declared once with the member names of the API, for both
//! protocols. One file per subject.
//!
//! The members' types come from the records; what an operation returns around them is declared with the operation.

mod capacity;
mod container;
mod fleet;
mod matchmaking;
mod routing;
mod session;

pub(super) use session::Detail;

/// `PlayerGatewayMode` and `PlayerGatewayStatus` of everything here: no fleet has a player gateway.
const NO_GATEWAY: &str = "DISABLED";
