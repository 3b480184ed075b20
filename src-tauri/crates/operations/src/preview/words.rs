//! Numbers, fleets and places as a preview writes them.

use liftdeck_model::action::Action;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{Fleet, FleetStatus};
use liftdeck_model::{FleetId, Location};

use super::Warning;

/// `1 920`: thousands apart by a space that does not break.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

/// `1 game session`, `143 game sessions`.
pub(crate) fn count(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(value), if value == 1 { one } else { many })
}

/// `143 game sessions with 1 920 players`.
pub(crate) fn sessions_and_players(sessions: u64, players: u64) -> String {
    let sessions = count(sessions, "game session", "game sessions");
    match players {
        0 => format!("{sessions} without players"),
        players => format!("{sessions} with {}", count(players, "player", "players")),
    }
}

/// `launch-eu (fleet-1)`, or the id of a fleet nobody knows.
pub(crate) fn fleet(id: &FleetId, fleet: Option<&Fleet>) -> String {
    match fleet {
        Some(fleet) if fleet.display_name() != id.as_str() => format!("{} ({id})", fleet.display_name()),
        _ => id.to_string(),
    }
}

/// Where an alias leads.
pub(crate) fn routing(routing: &RoutingStrategy, target: Option<&Fleet>) -> String {
    match routing {
        RoutingStrategy::Simple { fleet_id } => fleet(fleet_id, target),
        RoutingStrategy::Terminal { message } => format!("TERMINAL: {message}"),
    }
}

/// The location, or the home Region.
pub(crate) fn place(action: &Action, location: Option<&Location>) -> String {
    location.map_or(action.region.as_str(), Location::as_str).to_owned()
}

/// That there is no such thing, for which AWS refuses the change.
pub(crate) fn missing(what: &str, id: &str, action: &Action) -> String {
    format!("There is no {what} {id} in {}: AWS will refuse this.", action.region)
}

/// What a fleet's status means for sessions that are to be made on it; nothing for an ACTIVE one.
pub(crate) fn not_active(fleet: &Fleet) -> Option<Warning> {
    (fleet.status != FleetStatus::Active).then(|| {
        Warning::bad(format!(
            "The fleet {} is {}, not ACTIVE: no game session can be made on it.",
            fleet.display_name(),
            fleet.status
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(number(7), "7");
        assert_eq!(number(1920), "1\u{a0}920");
        assert_eq!(number(1_234_567), "1\u{a0}234\u{a0}567");
    }

    #[test]
    fn one_is_singular_and_nobody_is_said() {
        assert_eq!(sessions_and_players(1, 1), "1 game session with 1 player");
        assert_eq!(sessions_and_players(2, 0), "2 game sessions without players");
    }
}
