//! The names of what game sessions, placements and tickets are compared by.

use liftdeck_store::reader::session::difference::Dimension;

/// What is said of a comparison of placements.
pub(crate) const PLACEMENTS: &str = "A placement that failed has no game session. Its fleet, location, build and instance \
     type are told as those its queue leads to now, for all placements alike; its map and mode are known only of placements \
     asked for here. Players and matchmaking configuration are known of matches, within three days.";

/// What is said of a comparison of tickets.
pub(crate) const TICKETS: &str = "The tickets of one match end together and count as one. Events do not tell attributes \
     and latencies of players. Rule set and queue are those of the configuration now.";

/// A dimension in a word; a game property by its own key.
pub(crate) fn dimension(dimension: &Dimension) -> String {
    match dimension {
        Dimension::Build => "build",
        Dimension::Script => "script",
        Dimension::Fleet => "fleet",
        Dimension::Location => "location",
        Dimension::InstanceType => "instance type",
        Dimension::Property(key) => key,
        Dimension::Queue => "queue",
        Dimension::Region => "Region",
        Dimension::Size => "player slots",
        Dimension::Compute => "compute",
        Dimension::Configuration => "matchmaking configuration",
        Dimension::RuleSet => "rule set",
        Dimension::Players => "players",
    }
    .to_owned()
}

/// The same of placements: where they may go is not where they went.
pub(crate) fn of_placement(of: &Dimension) -> String {
    match of {
        Dimension::Build
        | Dimension::Script
        | Dimension::Fleet
        | Dimension::Location
        | Dimension::InstanceType => format!("possible {}", dimension(of)),
        _ => dimension(of),
    }
}

/// The same of tickets.
pub(crate) fn of_ticket(of: &Dimension) -> String {
    match of {
        Dimension::Queue => "possible queue".to_owned(),
        _ => dimension(of),
    }
}
