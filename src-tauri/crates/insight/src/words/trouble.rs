//! What is wrong, and why, as text: a title, the figures behind it, and likely causes.

use liftdeck_model::Location;
use liftdeck_model::feed::QuarantineReason;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::in_words;

use super::change::with_short_ids;
use super::counted;
use crate::verdict::{LikelyCause, LostDestination, Rule, SetAside, Trouble, Unusable};

/// Returns the title and the detail.
pub(crate) fn trouble(trouble: &Trouble) -> (String, String) {
    match trouble {
        Trouble::Blind { regions, is_all } => {
            let named = regions.iter().map(|region| region.region.as_str()).collect::<Vec<_>>().join(", ");
            let failure = regions.iter().find_map(|region| region.failure.clone());
            let title = if *is_all {
                "No data: Liftdeck cannot tell whether the game is well".to_owned()
            } else {
                format!("No data from {named}")
            };
            (title, failure.unwrap_or_else(|| "nothing is being collected".to_owned()))
        }
        Trouble::SessionsCrash { fleet, crashed, ended, message } => (
            format!("{crashed} of {} on {fleet} crashed", counted(*ended, "session", "sessions")),
            last(message.as_deref()),
        ),
        Trouble::ActivationsTimeOut { fleet, timed_out, ended, message } => (
            format!(
                "{timed_out} of {} on {fleet} did not start in time",
                counted(*ended, "session", "sessions")
            ),
            last(message.as_deref()),
        ),
        Trouble::SessionsStartSlowly { fleet, late, started } => (
            format!("Sessions on {fleet} start slowly"),
            format!(
                "{late} of the last {} took much longer than usual to become ACTIVE, or still do",
                counted(*started, "session", "sessions")
            ),
        ),
        Trouble::ProcessesDoNotStart { fleet, count, message } => (
            format!("Server processes of {fleet} do not start"),
            format!("{count} in the last 10 min{}", after_comma(message.as_deref())),
        ),
        Trouble::NoProcess { fleet, locations, of, instances } => {
            let places = if *of == 1 { String::new() } else { format!(" in {}", listed(locations)) };
            (
                format!("{fleet} runs no server process{places}"),
                format!(
                    "{} without one: no game session can start there",
                    counted(u64::try_from(*instances).unwrap_or(0), "active instance", "active instances")
                ),
            )
        }
        Trouble::PlacementsFail { queue, failed, total, usual_share } => (
            format!("{failed} of {} in {queue} failed", counted(*total, "placement", "placements")),
            rates(*failed, *total, *usual_share),
        ),
        Trouble::NoDestination { queue, lost, placed } => {
            let before = placed
                .filter(|placed| *placed > 0)
                .map(|placed| format!(" · {} in the day before", counted(placed, "placement", "placements")));
            let why = match lost.as_slice() {
                [] => "its list of destinations is empty".to_owned(),
                some => some.iter().map(unusable).collect::<Vec<_>>().join(", "),
            };
            (
                format!("{queue} has no destination that can host game sessions"),
                why + &before.unwrap_or_default(),
            )
        }
        Trouble::PlacementsWait { queue, long, placed, usual_ms, longer_than_ms } => (
            format!("Placements in {queue} take far longer than usual"),
            waits(*long, &counted(*placed, "placement", "placements"), *usual_ms, *longer_than_ms),
        ),
        Trouble::TicketsWait { configuration, long, matched, usual_ms, longer_than_ms } => (
            format!("Tickets of {configuration} wait far longer than usual for a match"),
            waits(*long, &counted(*matched, "matched ticket", "matched tickets"), *usual_ms, *longer_than_ms),
        ),
        Trouble::AliasLeadsNowhere { alias, fleet, created } => (
            format!("{alias} leads nowhere any more"),
            format!(
                "it led to {fleet}, where {} created in the hour before; what asks the alias now is refused",
                match created {
                    1 => "1 game session was".to_owned(),
                    more => format!("{more} game sessions were"),
                }
            ),
        ),
        Trouble::TicketsFail { configuration, failed, total, usual_share } => (
            format!("{failed} of {} of {configuration} failed", counted(*total, "ticket", "tickets")),
            rates(*failed, *total, *usual_share),
        ),
        Trouble::Capped { fleet, locations, of, desired, maximum, free_processes } => {
            let free = match free_processes {
                0 => "no free process".to_owned(),
                more => counted(u64::try_from(*more).unwrap_or(0), "free process", "free processes"),
            };
            let places = if *of == 1 {
                format!("{desired} of {maximum} instances")
            } else {
                let all = format!("{desired} of {maximum} instances");
                format!("{} of {of} locations: {} ({all})", locations.len(), listed(locations))
            };
            (format!("{fleet} is at its maximum"), format!("{places} · {free}"))
        }
        Trouble::LittleRoom {
            fleet,
            free_percent,
            free_processes,
            processes,
            full_locations,
            coming_instances,
        } => {
            let detail = [
                Some(format!("{free_processes} of {processes} processes free ({free_percent:.0} %)")),
                (!full_locations.is_empty()).then(|| format!("none in {}", listed(full_locations))),
                (*coming_instances > 0).then(|| format!("{coming_instances} more desired than active")),
            ];
            let detail = detail.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            (format!("{fleet} has little room"), detail)
        }
        Trouble::InstanceLimit { fleet, instance_type, locations, current, limit, missing } => (
            format!("{fleet} gets no more instances: the account's limit is reached"),
            format!(
                "{current} of {limit} {instance_type} in {} · {missing} more desired than active or pending",
                listed(locations)
            ),
        ),
        Trouble::ScalingSuspended { fleet, locations, free_percent, target_percent } => (
            format!("{fleet} needs more instances, and its automatic scaling is suspended"),
            format!(
                "{free_percent:.0} % of processes free in {}, the policy keeps {target_percent:.0} %",
                listed(locations)
            ),
        ),
        Trouble::SessionsStayEmpty { fleet, game_sessions, live } => (
            format!("{} on {fleet} stay without players", counted(*game_sessions, "session", "sessions")),
            format!("{game_sessions} of {live} live sessions; each holds a server process"),
        ),
        Trouble::SessionsDoNotFill { fleet, players_each, usual_each } => (
            format!("Sessions on {fleet} do not fill"),
            format!(
                "{players_each:.1} players in each over the last 15 min; at any time of the day before at least \
                 {usual_each:.1}"
            ),
        ),
        Trouble::SessionsRunLong { fleet, mode, game_sessions, usual_ms, longer_than_ms } => (
            format!(
                "{} on {fleet} run far longer than usual",
                counted(*game_sessions, "session", "sessions")
            ),
            format!(
                "for more than {}; 99 % of those{} that ended took at most {}",
                in_words(*longer_than_ms),
                mode.as_ref().map(|mode| format!(" of mode {mode}")).unwrap_or_default(),
                in_words(*usual_ms)
            ),
        ),
        Trouble::ReservationsUnused { fleet, timed_out, reservations, usual_share } => (
            format!(
                "{timed_out} of {} on {fleet} timed out",
                counted(*reservations, "reservation", "reservations")
            ),
            rates(*timed_out, *reservations, *usual_share),
        ),
        Trouble::Throttled { region, throttled, operations } => (
            format!("GameLift throttles calls in {region}"),
            format!(
                "{} of Liftdeck throttled, most of {}; the game shares these limits",
                counted(*throttled, "call", "calls"),
                operations.join(", ")
            ),
        ),
        Trouble::SessionsStuck { fleet, game_sessions } => (
            format!("{} on {fleet} do not start or end", counted(*game_sessions, "session", "sessions")),
            "ACTIVATING or TERMINATING for more than 20 min".to_owned(),
        ),
        Trouble::InError { fleet, locations } if locations.is_empty() => (
            format!("{fleet} is in ERROR"),
            "the fleet cannot host game sessions; its events say why".to_owned(),
        ),
        Trouble::InError { fleet, locations } => (
            format!("{fleet} is in ERROR in {}", listed(locations)),
            "no game session can start there; the fleet's events say why".to_owned(),
        ),
        Trouble::Interrupted { fleet, count, instances, instance_type } => {
            let kind = instance_type.as_ref().map(|kind| format!("{kind} ")).unwrap_or_default();
            let what = if *count == 1 {
                format!("1 {kind}Spot instance")
            } else {
                format!("{count} {kind}Spot instances")
            };
            (format!("{what} of {fleet} interrupted"), format!("{count} of {instances} in the last 15 min"))
        }
        Trouble::FeedMute { region, placed, .. } => (
            format!("No placement events from {region}"),
            format!(
                "{} started on its queues' fleets meanwhile; placements and matches there are not counted",
                counted(*placed, "game session", "game sessions")
            ),
        ),
        Trouble::EventsAside { queue, counts } => {
            let all: u64 = counts.iter().map(|count| count.messages).sum();
            let counts = counts.iter().map(aside).collect::<Vec<_>>().join(", ");
            (format!("Unreadable events from {queue}: {all}"), format!("not counted: {counts}"))
        }
        Trouble::Custom { rule, subject, value } => super::custom::found(rule, subject, *value),
        Trouble::Unread { poll, region, count, failure } => {
            let more = if *count > 1 { format!(" ({count} of them)") } else { String::new() };
            (format!("No {} from {region}", read(*poll)), format!("{failure}{more}"))
        }
    }
}

/// What is said in place of a cause while none is known.
pub(crate) const fn unexplained(trouble: Option<&Trouble>) -> &'static str {
    match trouble {
        Some(Trouble::InstanceLimit { .. }) => {
            "The limit itself. It is the account's, and AWS does not tell when it was set."
        }
        Some(Trouble::SessionsStayEmpty { .. }) => {
            "The game servers did not end them. Nothing that was recorded explains why."
        }
        Some(Trouble::Throttled { .. }) => {
            "Other callers in the account use up the limits. GameLift does not tell which."
        }
        Some(Trouble::FeedMute { .. }) => {
            "Not known. Events are lost between GameLift and the event queue: look at the notification target of the \
             queues, and at the topic or rule with its filter and permissions."
        }
        _ => "Not known. Nothing that was recorded explains it.",
    }
}

/// A likely cause, as one sentence without its time.
pub(crate) fn likely(cause: &LikelyCause) -> String {
    match cause {
        LikelyCause::Changed { change } => change.sentence(),
        LikelyCause::AliasUpdated { alias, fleet } => {
            format!("alias {alias} was updated and points to {fleet}; its target before is not known")
        }
        LikelyCause::NewFleet { fleet } => format!("{fleet} is new"),
        LikelyCause::NewRuleSet { configuration, rule_set } => {
            format!("rule set {rule_set} of {configuration} is new")
        }
        LikelyCause::InstanceLimit { fleet, instance_type, locations, current, limit } => format!(
            "{fleet} gets no more instances: the account has {current} of {limit} {instance_type} in {}",
            listed(locations)
        ),
        LikelyCause::AtMaximum { fleet, locations } => {
            format!("{fleet} is at its maximum with no free process in {}", listed(locations))
        }
        LikelyCause::Full { fleet, coming_instances: 0 } => format!("{fleet} has no free process"),
        LikelyCause::Full { fleet, coming_instances: 1 } => {
            format!("{fleet} has no free process; 1 more instance is starting")
        }
        LikelyCause::Full { fleet, coming_instances } => {
            format!("{fleet} has no free process; {coming_instances} more instances are starting")
        }
        LikelyCause::ScalingSuspended { fleet } => format!("automatic scaling of {fleet} is suspended"),
        LikelyCause::DestinationNotActive { fleet, status } => format!("destination {fleet} is {status}"),
        LikelyCause::DestinationTerminal { alias } => format!("destination {alias} leads to no fleet"),
        LikelyCause::DestinationUnusable { lost } => format!("destination {}", unusable(lost)),
        LikelyCause::LatencyPolicies { queue, maximum_ms, free_processes } => format!(
            "the latency policies of {queue} allow at most {maximum_ms} ms: its destinations have {}, perhaps none near \
             enough",
            counted(u64::try_from(*free_processes).unwrap_or(0), "free process", "free processes")
        ),
        LikelyCause::Elsewhere { rule, name } => match rule {
            Rule::Crashes => format!("game sessions on {name} crash"),
            Rule::Activation => format!("game sessions on {name} do not start in time"),
            Rule::Startup => format!("server processes of {name} do not start"),
            Rule::NoProcess => format!("{name} runs no server process"),
            Rule::Interruptions => format!("Spot instances of {name} are interrupted"),
            Rule::Placements => format!("placements in {name} fail"),
            Rule::SlowPlacements => format!("placements in {name} take far longer than usual"),
            Rule::Capped => format!("{name} is at its maximum, so its players look for room here"),
            Rule::InstanceLimit => {
                format!("{name} gets no more instances, so its players look for room here")
            }
            Rule::ScalingSuspended => format!("{name} does not scale, so its players look for room here"),
            Rule::EmptySessions => format!("game sessions without players hold server processes of {name}"),
            _ => format!("{name} is in trouble"),
        },
        LikelyCause::MoreDemand { region, per_min, before_per_min } => format!(
            "more players: {per_min:.0} placements a minute in {region}, {before_per_min:.0} in the hour before"
        ),
        LikelyCause::OneLocation { location, failed, of, fleets: 1 } => {
            format!("{failed} of {of} are in {location}; elsewhere game sessions start")
        }
        LikelyCause::OneLocation { location, failed, of, fleets } => {
            format!("{failed} of {of} are in {location}, where game sessions of {fleets} fleets start slowly")
        }
        LikelyCause::Spot => "EC2 needs the Spot capacity back".to_owned(),
        LikelyCause::OwnNetwork => {
            "this computer's network: every Region stopped answering at once".to_owned()
        }
    }
}

fn unusable(LostDestination { name, why }: &LostDestination) -> String {
    match why {
        Unusable::LeadsNowhere => format!("{name} leads to no fleet"),
        Unusable::Status { status } => format!("{name} is {status}"),
        Unusable::NoInstances => format!("{name} has no instances"),
        Unusable::NotAllowed { allowed } => {
            format!("{name} has no location that the queue allows ({})", listed(allowed))
        }
        Unusable::Gone => format!("{name} does not exist any more"),
    }
}

fn listed(locations: &[Location]) -> String {
    locations.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")
}

fn waits(long: u64, all: &str, usual_ms: i64, longer_than_ms: i64) -> String {
    format!(
        "{long} of {all} took longer than {}; 99 % of the day before took at most {}",
        in_words(longer_than_ms),
        in_words(usual_ms)
    )
}

fn rates(failed: u64, total: u64, usual_share: f64) -> String {
    let share = failed as f64 / total.max(1) as f64 * 100.0;
    format!("{share:.0} % since it began, usually up to {:.0} %", usual_share * 100.0)
}

fn last(message: Option<&str>) -> String {
    message.map(|said| format!("the last: {}", with_short_ids(said))).unwrap_or_default()
}

fn after_comma(message: Option<&str>) -> String {
    message.map(|said| format!(", the last: {}", with_short_ids(said))).unwrap_or_default()
}

fn aside(count: &SetAside) -> String {
    let what = match count.reason {
        QuarantineReason::Unconfirmed => "about a Region or resource that this connection does not know",
        _ => "unreadable",
    };
    format!("{} {what}", count.messages)
}

const fn read(poll: PollKind) -> &'static str {
    match poll {
        PollKind::Fleets => "fleet data",
        PollKind::FleetCapacity => "capacity data",
        PollKind::FleetLocations => "locations of fleets",
        PollKind::FleetUtilization => "utilization data",
        PollKind::ScalingPolicies => "scaling policies",
        PollKind::InstanceLimits => "instance limits",
        PollKind::FleetEvents => "fleet events",
        PollKind::Queues => "queues",
        PollKind::Aliases => "aliases",
        PollKind::GameSessions => "game session data",
        PollKind::EventFeed => "events",
        _ => "data",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_that_start_at_a_full_fleet_are_counted_in_the_right_number() {
        let full = |coming_instances| {
            likely(&LikelyCause::Full { fleet: "arena-prod-eu".to_owned(), coming_instances })
        };
        assert_eq!(full(0), "arena-prod-eu has no free process");
        assert_eq!(full(1), "arena-prod-eu has no free process; 1 more instance is starting");
        assert_eq!(full(2), "arena-prod-eu has no free process; 2 more instances are starting");
    }
}
