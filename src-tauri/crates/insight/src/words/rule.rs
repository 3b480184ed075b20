//! Rules as text: what each looks for, what is set about it, and what that would have done.

use liftdeck_model::alert_rule::RuleSetting;
use liftdeck_model::time::in_words;
use liftdeck_model::{Region, Severity};

use crate::rule_list::RuleTried;
use crate::verdict::Rule;

/// What a rule looks for, as one sentence without its end.
pub(crate) const fn looks_for(rule: Rule) -> &'static str {
    match rule {
        Rule::Blind => "nothing of a Region can be read, so nothing can be called well there",
        Rule::Crashes => "game sessions of a fleet crash far more often than usual",
        Rule::Activation => "game sessions of a fleet do not become ACTIVE in time",
        Rule::Startup => "server processes of a fleet end before they are ready",
        Rule::NoProcess => "the instances of a fleet run no server process in a location",
        Rule::Placements => "placements of a queue time out or fail far more often than usual",
        Rule::NoDestination => {
            "no destination of a queue can host game sessions any more: it is empty, leads nowhere, is not ACTIVE, \
             has no instances or none of the locations that the queue allows"
        }
        Rule::SlowPlacements => "placements of a queue take far longer than in the day before",
        Rule::SlowTickets => {
            "tickets of a matchmaking configuration wait far longer for a match than in the day before"
        }
        Rule::TerminalAlias => {
            "an alias that no queue leads to became TERMINAL although game sessions were created through it"
        }
        Rule::Tickets => "tickets of a matchmaking configuration time out or fail far more often than usual",
        Rule::Capped => {
            "a fleet is at its maximum in a location and has no free server process there, or its policy asks for more \
             just after the maximum was lowered"
        }
        Rule::LittleRoom => "a fleet has few free server processes",
        Rule::ScalingSuspended => "automatic scaling is suspended where the policy would add instances",
        Rule::InstanceLimit => {
            "a fleet lacks instances that the account’s limit for their type does not allow"
        }
        Rule::EmptySessions => {
            "ACTIVE game sessions stay without players far longer than is usual on their fleet"
        }
        Rule::UnfilledSessions => {
            "game sessions of a fleet have far fewer players each than at any time of the day before"
        }
        Rule::LongSessions => "game sessions run far longer than is usual for their mode on their fleet",
        Rule::StuckSessions => "game sessions stay ACTIVATING or TERMINATING for 20 minutes",
        Rule::FleetError => "a fleet is in status ERROR",
        Rule::Interruptions => "EC2 takes back many Spot instances of a fleet at once",
        Rule::FeedMute => "placements end, but an event queue brings no events of them",
        Rule::EventsAside => "messages of an event queue could not be turned into events",
        Rule::Reservations => "players reserve slots on a fleet and do not connect far more often than usual",
        Rule::Throttled => {
            "GameLift throttles calls in a Region: the API limits are used up, for the game as well"
        }
        Rule::Unread => "something of a Region cannot be read, while the rest can",
    }
}

/// What an adjustment holds for.
pub(crate) fn scope(fleet: Option<&str>, region: Option<&Region>) -> String {
    match (fleet, region) {
        (Some(fleet), _) => fleet.to_owned(),
        (None, Some(region)) => region.to_string(),
        (None, None) => "everything".to_owned(),
    }
}

/// What is set.
pub(crate) fn setting(setting: &RuleSetting) -> String {
    if setting.is_off {
        return "off".to_owned();
    }
    let pending = setting.pending_ms.map(|ms| match ms {
        0 => "fires at once".to_owned(),
        ms => format!("fires after {}", in_words(ms)),
    });
    let severity = setting.severity.map(|severity| match severity {
        Severity::Bad => "as bad".to_owned(),
        Severity::Warning => "as a warning".to_owned(),
        Severity::Info => "only noted".to_owned(),
    });
    pending.into_iter().chain(severity).collect::<Vec<_>>().join(", ")
}

/// What a setting would have done.
pub(crate) fn tried(tried: &RuleTried) -> String {
    let span = in_words(tried.range.to.since_ms(tried.range.from));
    let fired = match tried.fired {
        0 => format!("No alert of this rule fired in the last {span}"),
        1 => format!("1 alert fired in the last {span}"),
        more => format!("{more} alerts fired in the last {span}"),
    };
    let would = match (tried.fired, tried.would_fire.len(), tried.longest_ms) {
        (0, ..) => String::new(),
        (_, 0, _) => "; none would have".to_owned(),
        (_, would, longest) => {
            let longest = longest.map(|ms| format!(", the longest for {}", in_words(ms))).unwrap_or_default();
            format!("; {would} would have{longest}")
        }
    };
    let more = match tried.may_be_more {
        true => " There may have been more: what never fired is not kept.",
        false => "",
    };
    format!("{fired}{would}.{more}")
}
