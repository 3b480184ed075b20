//! Incidents as text: rules, facts that speak for or against a cause, failures, and the steps of an alert.

use liftdeck_model::activity::ActivityOutcome;
use liftdeck_model::alert::{AlertStep, AlertStepKind};
use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::time::in_words;
use liftdeck_store::reader::cut_off::EndedSession;

use crate::incident::CauseFactKind;
use crate::verdict::{LikelyCause, Rule};

/// The title of a span.
pub(crate) fn span(name: &str) -> String {
    format!("What happened: {name}")
}

/// What a rule looks for.
pub(crate) const fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::Blind => "No data from a Region",
        Rule::Crashes => "Server processes crash",
        Rule::Activation => "Game sessions do not start in time",
        Rule::Startup => "Server processes do not start",
        Rule::NoProcess => "No server process on the instances",
        Rule::Placements => "Placements fail",
        Rule::NoDestination => "Placements have nowhere to go",
        Rule::Tickets => "Matchmaking tickets fail",
        Rule::SlowPlacements => "Placements take far longer than usual",
        Rule::SlowTickets => "Matchmaking takes far longer than usual",
        Rule::TerminalAlias => "An alias leads nowhere",
        Rule::Capped => "At the maximum without a free process",
        Rule::LittleRoom => "Little room",
        Rule::InstanceLimit => "The account's instance limit is reached",
        Rule::ScalingSuspended => "Scaling suspended where the policy asks for more",
        Rule::EmptySessions => "Game sessions stay without players",
        Rule::UnfilledSessions => "Game sessions do not fill",
        Rule::LongSessions => "Game sessions run far longer than usual",
        Rule::StuckSessions => "Game sessions stay ACTIVATING or TERMINATING",
        Rule::FleetError => "Fleet in ERROR",
        Rule::Interruptions => "Spot interruptions",
        Rule::FeedMute => "No events from an event queue",
        Rule::Reservations => "Reserved slots are not used",
        Rule::Throttled => "GameLift throttles calls",
        Rule::EventsAside => "Events that cannot be read",
        Rule::Unread => "Something cannot be read",
    }
}

/// `12 of 17`.
pub(crate) fn of(count: u64, of: Option<u64>) -> String {
    of.map_or_else(|| count.to_string(), |of| format!("{count} of {of}"))
}

/// The title of the lane of what failed.
pub(crate) fn failed_lane(endings: &[GameSessionEnding]) -> String {
    match endings {
        [GameSessionEnding::ActivationTimedOut] => "Sessions not started in time",
        [GameSessionEnding::Interrupted] => "Sessions interrupted",
        several
            if several.iter().all(|one| {
                matches!(one, GameSessionEnding::Crashed | GameSessionEnding::TerminatedUnhealthy)
            }) =>
        {
            "Sessions that crashed"
        }
        _ => "Sessions that ended abnormally",
    }
    .to_owned()
}

/// What kind of cause it is.
pub(crate) fn cause_heading(cause: &LikelyCause) -> String {
    use crate::change::ChangeKind;
    match cause {
        LikelyCause::Changed { change } => match change.kind {
            ChangeKind::Alias => "Alias repointed",
            ChangeKind::Queue => "Queue changed",
            ChangeKind::MatchmakingConfiguration => "Matchmaking changed",
            ChangeKind::Capacity => "Limit changed",
            ChangeKind::RuntimeConfiguration => "Runtime configuration changed",
            ChangeKind::Deployment => "New deployment",
            ChangeKind::Script => "Script updated",
            ChangeKind::ScalingPolicy => "Scaling policy changed",
            _ => "Setting changed",
        },
        LikelyCause::AliasUpdated { .. } => "Alias updated",
        LikelyCause::NewFleet { .. } => "New fleet",
        LikelyCause::NewRuleSet { .. } => "New rule set",
        LikelyCause::InstanceLimit { .. } => "Instance limit of the account",
        LikelyCause::AtMaximum { .. } => "At the maximum",
        LikelyCause::Full { .. } => "No free process",
        LikelyCause::ScalingSuspended { .. } => "Scaling suspended",
        LikelyCause::DestinationNotActive { .. } => "Destination not active",
        LikelyCause::LatencyPolicies { .. } => "Latency policies",
        LikelyCause::DestinationTerminal { .. } => "Destination leads nowhere",
        LikelyCause::DestinationUnusable { .. } => "Destination cannot host",
        LikelyCause::Elsewhere { .. } => "Trouble elsewhere",
        LikelyCause::MoreDemand { .. } => "More players",
        LikelyCause::OneLocation { .. } => "One location",
        LikelyCause::Spot => "Spot capacity",
        LikelyCause::OwnNetwork => "Network of this computer",
    }
    .to_owned()
}

/// What is said of a span without a likely cause, by how many alerts were open in it.
pub(crate) fn unexplained(alerts: usize) -> String {
    match alerts {
        0 => "Not known. No alert was open here in this time, so nothing was judged.".to_owned(),
        1 => "Not known. The alert of this time names no likely cause.".to_owned(),
        more => format!("Not known. The {more} alerts of this time name no likely cause."),
    }
}

/// A fact about a cause.
pub(crate) fn proof(fact: &CauseFactKind) -> String {
    match fact {
        CauseFactKind::Lead { ms, before } => {
            let none = match before {
                0 => "none before".to_owned(),
                1 => "but 1 before it".to_owned(),
                more => format!("but {more} before it"),
            };
            if *ms < 0 {
                format!("First seen {} after the first failure", in_words(-ms))
            } else {
                format!("{} later the first failure, {none}", in_words(*ms))
            }
        }
        CauseFactKind::Share { here, failed, of, there, there_failed, there_of } => {
            format!("{failed} of {of} on {here}, {there_failed} of {there_of} on {there}")
        }
        CauseFactKind::Spread { locations, of_locations, computes: 1 } => {
            format!("All on one compute, in {locations} of {of_locations} locations")
        }
        CauseFactKind::Spread { locations, of_locations, computes } => {
            format!("In {locations} of {of_locations} locations, on {computes} computes: no single host")
        }
        CauseFactKind::Interruptions { count: 0 } => "Spot interruptions: none on these fleets".to_owned(),
        CauseFactKind::Interruptions { count } => format!("Spot interruptions: {count}"),
        CauseFactKind::Room { free, processes } => {
            format!("Lack of room: {free} of {processes} processes are free")
        }
    }
}

/// One failure: where, and how many players it cut off.
pub(crate) fn failure(row: &EndedSession, fleet: &str, names_fleet: bool) -> String {
    let on = if names_fleet { format!(" on {fleet}") } else { String::new() };
    let hit = if row.is_read { players(row.players) } else { "its players were not read".to_owned() };
    format!("session failed{on} in {}, {hit}", row.location)
}

fn players(count: u64) -> String {
    match count {
        0 => "no player in it".to_owned(),
        1 => "1 player cut off".to_owned(),
        more => format!("{more} players cut off"),
    }
}

/// The n-th failure.
pub(crate) fn nth_failure(number: usize, row: &EndedSession, fleet: &str, names_fleet: bool) -> String {
    let which = if number == 1 { "First".to_owned() } else { ordinal(number) };
    format!("{which} {}", failure(row, fleet, names_fleet))
}

/// The n-th failure of what is counted by the minute.
pub(crate) fn nth_of(number: usize, noun: &str) -> String {
    let which = if number == 1 { "First".to_owned() } else { ordinal(number) };
    format!("{which} {noun} failed")
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// A step of an alert.
pub(crate) fn step(step: &AlertStep) -> String {
    match step.kind {
        AlertStepKind::Pending => "Seen for the first time; not yet an alert".to_owned(),
        AlertStepKind::Firing => "Alert fires".to_owned(),
        AlertStepKind::Recovering => "No longer seen; recovering".to_owned(),
        AlertStepKind::Resolved => "Over".to_owned(),
        AlertStepKind::Unknown => "No data that could tell from here on".to_owned(),
        AlertStepKind::Known => "Data again".to_owned(),
        AlertStepKind::Acknowledged => "Acknowledged".to_owned(),
        AlertStepKind::Note => step.text.clone().unwrap_or_default(),
    }
}

/// An attempt with this installation.
pub(crate) fn attempt(action: &str, outcome: ActivityOutcome) -> String {
    match outcome {
        ActivityOutcome::Done => action.to_owned(),
        ActivityOutcome::Failed => format!("{action}: failed"),
        ActivityOutcome::Sending => format!("{action}: being sent"),
        ActivityOutcome::Unknown => format!("{action}: outcome not known"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_read_as_sentences() {
        assert_eq!(
            proof(&CauseFactKind::Lead { ms: 95_000, before: 0 }),
            "1 min 35 s later the first failure, none before"
        );
        assert_eq!(
            proof(&CauseFactKind::Lead { ms: -5_000, before: 0 }),
            "First seen 5 s after the first failure"
        );
        let spread = CauseFactKind::Spread { locations: 3, of_locations: 3, computes: 6 };
        assert_eq!(proof(&spread), "In 3 of 3 locations, on 6 computes: no single host");
        assert_eq!([1, 2, 3, 11, 112, 121].map(ordinal), ["1st", "2nd", "3rd", "11th", "112th", "121st"]);
    }
}
