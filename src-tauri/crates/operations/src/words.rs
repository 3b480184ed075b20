//! Every sentence about a change: the facts it may state, as types, and their wording.
//!
//! Nothing else in this crate needs to parse a sentence. Deliberately reads nothing and decides nothing.

use liftdeck_model::action::Action;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{Fleet, FleetStatus};
use liftdeck_model::{FleetId, Location};

pub(crate) mod advice;
mod difference;
mod failed;
mod moved;
pub(crate) mod number;
mod said;
mod settled;
pub(crate) mod sight;
pub(crate) mod skip;
pub(crate) mod trace;
pub(crate) mod warning;

pub(crate) use self::difference::Difference;
pub(crate) use self::failed::failure;
pub(crate) use self::moved::{joined, moved};
pub(crate) use self::number::{count, number};
pub(crate) use self::settled::Settled;
pub(crate) use self::sight::Sight;
pub use self::skip::SkipFact;
pub(crate) use self::trace::Trace;
pub use self::warning::WarningFact;

/// `143 game sessions with 1 920 players`.
pub(crate) fn sessions_and_players(sessions: u64, players: u64) -> String {
    let sessions = count(sessions, "game session", "game sessions");
    match players {
        0 => format!("{sessions} without players"),
        players => format!("{sessions} with {}", count(players, "player", "players")),
    }
}

/// `launch-eu (fleet-1)`, or only the id if the fleet has no name or is not known.
pub(crate) fn fleet(id: &FleetId, fleet: Option<&Fleet>) -> String {
    match fleet {
        Some(fleet) if fleet.display_name() != id.as_str() => format!("{} ({id})", fleet.display_name()),
        _ => id.to_string(),
    }
}

/// Where an alias points.
pub(crate) fn routing(routing: &RoutingStrategy, target: Option<&Fleet>) -> String {
    match routing {
        RoutingStrategy::Simple { fleet_id } => fleet(fleet_id, target),
        RoutingStrategy::Terminal { message } => format!("TERMINAL: {message}"),
    }
}

/// The location, or the home Region.
pub(crate) fn location_name(action: &Action, location: Option<&Location>) -> String {
    location.map_or(action.region.as_str(), Location::as_str).to_owned()
}

/// States that something does not exist, so that AWS refuses the change.
pub(crate) fn missing(what: &'static str, id: &str, action: &Action) -> SkipFact {
    SkipFact::Missing { what, id: id.to_owned(), region: action.region.clone() }
}

/// What a fleet's status means for sessions to be created on it; `None` if it is ACTIVE.
pub(crate) fn not_active(fleet: &Fleet) -> Option<WarningFact> {
    let (fleet, status) = (fleet.display_name().to_owned(), fleet.status.clone());
    (status != FleetStatus::Active).then_some(WarningFact::FleetNotActive { fleet, status })
}

/// How many are left out for each reason: `56 035 already ended, 1 that AWS would refuse`; `None` if none is.
pub(crate) fn left_out(ended: u64, refused: u64, moved: u64) -> Option<String> {
    let counts = [(ended, "already ended"), (refused, "that AWS would refuse"), (moved, "changed meanwhile")];
    let said = counts.into_iter().filter(|(many, _)| *many > 0);
    let said: Vec<String> = said.map(|(many, why)| format!("{} {why}", number(many))).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_nobody_is_said() {
        assert_eq!(sessions_and_players(1, 1), "1 game session with 1 player");
        assert_eq!(sessions_and_players(2, 0), "2 game sessions without players");
    }
}
