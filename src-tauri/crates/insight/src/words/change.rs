//! Changes, as text.

use liftdeck_model::FleetEventCode;
use liftdeck_model::action::LatencyPolicy;
use liftdeck_model::activity::FactChange;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::change::{ChangeKind, Part, Sent, Value, What};

/// A change as text. The parts form one sentence in this order: subject, text, before and after, location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Words {
    /// What changed, shown bold: a fleet's name, `alias arena-live`.
    pub subject: String,
    /// What happened to it.
    pub text: String,
    /// Value before.
    pub before: Option<String>,
    /// Value after.
    pub after: Option<String>,
    /// Who made it, or why that is not known: `alice in the console`, `not in CloudTrail`.
    pub by: Option<String>,
}

/// Describes what happened to the resource with this name.
pub(crate) fn change(kind: ChangeKind, name: &str, what: &What) -> Words {
    let noun = match kind {
        ChangeKind::Alias => "alias ",
        ChangeKind::Queue => "queue ",
        ChangeKind::MatchmakingConfiguration => "matchmaking ",
        ChangeKind::Script => "script ",
        ChangeKind::Build => "build ",
        _ => "",
    };
    let (text, before, after) = match what {
        What::Touched => ("updated; GameLift does not say what was changed".to_owned(), None, None),
        What::Added { part } => (format!("{}added", of(part)), None, None),
        What::Removed { part } => (format!("{}removed", of(part)), None, None),
        What::Set { part, field, before, after } => {
            let text = match field.as_str() {
                "desired" => "scaled".to_owned(),
                "routing" => "repointed".to_owned(),
                field => format!("{}{}", of(part), setting(field)),
            };
            (text, before.as_ref().map(value), after.as_ref().map(value))
        }
        What::Events { scaled: Some(step), .. } => {
            ("scaled".to_owned(), Some(step.from.to_string()), Some(step.to.to_string()))
        }
        What::Events { code, count, message, .. } => (events(code, *count, message.as_deref()), None, None),
        What::Sent { sent, facts } => match facts.as_slice() {
            [fact] => (done(sent), fact.before.clone(), fact.after.clone()),
            [] => (done(sent), None, None),
            several => (format!("{}: {}", done(sent), all(several)), None, None),
        },
        What::Drain { ended } => (format!("drain {}", ended.map_or("started", <&str>::from)), None, None),
    };
    Words { subject: format!("{noun}{name}"), text, before, after, by: None }
}

fn of(part: &Option<Part>) -> String {
    match part {
        Some(Part::Policy(name)) => format!("policy {name} "),
        Some(Part::Location(location)) => format!("location {location} "),
        Some(Part::Deployment(id)) => format!("deployment {id} "),
        None => String::new(),
    }
}

/// `new_game_session_protection_policy` as `new game session protection policy`.
fn setting(field: &str) -> String {
    field.rsplit('.').next().unwrap_or(field).replace('_', " ")
}

/// Maximum number of characters of a value that are shown; the rest is cut off.
const LONGEST: usize = 60;

fn value(value: &Value) -> String {
    match value {
        Value::Count(count) => count.to_string(),
        Value::Percent(percent) => format!("{percent} %"),
        Value::Flag(is) => if *is { "yes" } else { "no" }.to_owned(),
        Value::List(texts) if texts.is_empty() => "none".to_owned(),
        Value::List(texts) => cut(&texts.join(", ")),
        Value::Destinations(destinations) => {
            let names: Vec<&str> = destinations.iter().map(|to| to.name.as_str()).collect();
            if names.is_empty() { "none".to_owned() } else { cut(&names.join(", ")) }
        }
        Value::LatencyPolicies(policies) if policies.is_empty() => "none".to_owned(),
        Value::LatencyPolicies(policies) => {
            cut(&policies.iter().map(latency_policy).collect::<Vec<_>>().join(", then "))
        }
        Value::Text(text) => cut(text),
        Value::Fleet(fleet) => fleet.name.clone(),
        Value::Message(message) => format!("message “{message}”"),
    }
}

/// The highest latency of a player, and for how long it is asked for.
fn latency_policy(policy: &LatencyPolicy) -> String {
    let most = policy.maximum_individual_player_latency_ms;
    let most = most.map_or_else(|| "any latency".to_owned(), |most| format!("{most} ms"));
    match policy.policy_duration_seconds {
        Some(seconds) => format!("{most} for {seconds} s"),
        None => most,
    }
}

fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        shown.push('…');
    }
    shown
}

fn events(code: &FleetEventCode, count: i64, message: Option<&str>) -> String {
    match (code, count, message) {
        (FleetEventCode::InstanceInterrupted, 1, _) => "1 instance interrupted by EC2 Spot".to_owned(),
        (FleetEventCode::InstanceInterrupted, count, _) => {
            format!("{count} instances interrupted by EC2 Spot")
        }
        (_, 1, Some(message)) => with_short_ids(message),
        (code, 1, None) => event(code),
        (code, count, _) => format!("{} ×{count}", event(code)),
    }
}

/// `SERVER_PROCESS_CRASHED` as `server process crashed`.
fn event(code: &FleetEventCode) -> String {
    code.as_str().to_lowercase().replace('_', " ")
}

/// Shortens each game session ARN in a message to its last part.
pub(super) fn with_short_ids(message: &str) -> String {
    let short = |word: &str| match word.rsplit_once('/') {
        Some((head, id)) if head.contains(":gamesession/") => id.to_owned(),
        _ => word.to_owned(),
    };
    message.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

fn done(sent: &Sent) -> String {
    match sent {
        Sent::Capacity => "capacity set".to_owned(),
        Sent::Limits => "capacity limits set".to_owned(),
        Sent::Policy(name) => format!("policy {name} set"),
        Sent::PolicyRemoved(name) => format!("policy {name} removed"),
        Sent::ScalingSuspended => "scaling suspended".to_owned(),
        Sent::ScalingResumed => "scaling resumed".to_owned(),
        Sent::Protection => "new game session protection set".to_owned(),
        Sent::Added => "added".to_owned(),
        Sent::Repointed => "repointed".to_owned(),
        Sent::Edited => "edited".to_owned(),
        Sent::Files => "new files uploaded".to_owned(),
        Sent::Removed => "removed".to_owned(),
    }
}

fn all(facts: &[FactChange]) -> String {
    let told = facts.iter().map(|fact| format!("{} {fact}", fact.label.to_lowercase()));
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_that_a_change_left_as_it_was_is_called_unchanged() {
        let fact = |label: &str, before: &str, after: &str| FactChange {
            label: label.to_owned(),
            before: Some(before.to_owned()),
            after: Some(after.to_owned()),
        };
        let facts = vec![fact("Desired instances", "5", "6"), fact("Maximum instances", "12", "12")];
        let told = change(ChangeKind::Capacity, "arena", &What::Sent { sent: Sent::Capacity, facts });
        assert_eq!(told.text, "capacity set: desired instances 5 → 6, maximum instances 12 (unchanged)");
    }

    #[test]
    fn a_message_names_game_sessions_by_their_last_part() {
        let message =
            "Server process of arn:aws:gamelift:eu-west-1::gamesession/fleet-1/eu-north-1/plc-7 exited";
        assert_eq!(with_short_ids(message), "Server process of plc-7 exited");
    }

    #[test]
    fn values_read_as_a_person_writes_them() {
        let list = Value::List(vec!["AUTO_SCALING".to_owned(), "OTHER".to_owned()]);
        assert_eq!(value(&list), "AUTO_SCALING, OTHER");
        assert_eq!(value(&Value::List(Vec::new())), "none");
        assert_eq!(value(&Value::Percent(20.0)), "20 %");
        assert_eq!(value(&Value::Text("x".repeat(70))), format!("{}…", "x".repeat(60)));
    }
}
