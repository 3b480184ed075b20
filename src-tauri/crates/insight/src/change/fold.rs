//! "What changed" with what policies did folded into a count, and what people did and what happened lifted.
//!
//! Deliberately reads nothing: the lines are those of the feed, so that the short form never tells anything else.

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Change, ChangeKind, Value, What, Who};
use crate::words;

/// Events of one code and fleet follow each other if no more than this lies between them.
const FOLLOWS_MS: i64 = 15 * 60_000;

/// The feed in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Folded {
    /// What people did and what happened, newest first. Events of one code and fleet that follow each other are one
    /// line with their number.
    pub lines: Vec<Change>,
    /// Whether there were more lines.
    pub has_more: bool,
    /// The steps that policies made.
    pub by_policy: PolicySteps,
}

/// Steps that scaling policies made, as far as is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PolicySteps {
    /// How many there were.
    pub steps: u32,
    /// Instances they added, less those they removed.
    pub net_instances: i64,
    /// When each was made, newest first.
    pub times: Vec<Timestamp>,
}

/// Folds a feed, newest first as given; at most `most` lines.
pub fn fold(changes: &[Change], most: usize) -> Folded {
    let mut folded = Folded::default();
    for change in changes {
        if is_by_policy(change) {
            folded.by_policy.add(change);
        } else if !folded.lines.iter_mut().rev().any(|line| takes(line, change)) {
            folded.lines.push(change.clone());
        }
    }
    folded.has_more = folded.lines.len() > most;
    folded.lines.truncate(most);
    folded
}

impl PolicySteps {
    fn add(&mut self, step: &Change) {
        self.steps += 1;
        self.times.push(step.at);
        self.net_instances += match &step.what {
            What::Set { before: Some(Value::Count(from)), after: Some(Value::Count(to)), .. } => to - from,
            What::Events { scaled: Some(step), .. } => step.to - step.from,
            _ => 0,
        };
    }
}

/// Whether a policy made it: a step of desired instances that nobody is known to have made, and its announcement.
fn is_by_policy(change: &Change) -> bool {
    match &change.what {
        What::Events { scaled, .. } => scaled.is_some(),
        _ => change.kind == ChangeKind::ScalingStep && matches!(change.who, Some(Who::Policy { .. })),
    }
}

/// Adds an older event to a line of its kind; `false` if it is none.
fn takes(line: &mut Change, older: &Change) -> bool {
    let What::Events { code: of, count: more, first_at: earlier, .. } = &older.what else { return false };
    let (fleet, kind, subject) = (line.fleet_id.clone(), line.kind, line.words.subject.clone());
    let What::Events { code, count, first_at, message, .. } = &mut line.what else { return false };
    let gap = TimeRange::new(older.at, *first_at);
    if code != of || fleet != older.fleet_id || gap.length_ms() > FOLLOWS_MS {
        return false;
    }
    *count += more;
    *first_at = (*first_at).min(*earlier);
    *message = None;
    line.words = words::change(kind, &subject, &line.what);
    true
}

#[cfg(test)]
mod tests {
    use liftdeck_model::fleet::FleetEvent;
    use liftdeck_store::reader::change::FleetEventRow;

    use super::*;
    use crate::change::from_events;

    fn event(fleet: &str, code: &str, minute: i64) -> FleetEventRow {
        FleetEventRow {
            event: FleetEvent {
                event_id: minute.to_string(),
                fleet_id: fleet.into(),
                event_code: code.into(),
                message: Some("exit code 139".into()),
                event_time: Timestamp::from_ms(minute * 60_000),
                count: 1,
                has_log: false,
            },
            region: "eu-west-1".into(),
            fleet_name: "arena".into(),
        }
    }

    fn step(minute: i64, who: Who) -> Change {
        let event = &from_events(&[event("f", "FLEET_STATE_ACTIVE", minute)])[0];
        let count = |count| Some(Value::Count(count));
        let what = What::Set { part: None, field: "desired".into(), before: count(4), after: count(7) };
        Change { kind: ChangeKind::ScalingStep, what, who: Some(who), ..event.clone() }
    }

    #[test]
    fn crashes_that_follow_each_other_are_one_line_with_the_first_ones_time() {
        let crash = "SERVER_PROCESS_CRASHED";
        let rows: Vec<_> = [90, 60, 52, 45, 38].iter().map(|minute| event("a", crash, *minute)).collect();
        let mut lines = from_events(&rows);
        lines.insert(2, from_events(&[event("b", crash, 59)]).remove(0));
        let folded = fold(&lines, 10);
        let told: Vec<_> = folded
            .lines
            .iter()
            .map(|line| {
                let What::Events { count, first_at, .. } = &line.what else { panic!("events") };
                (line.at.as_ms() / 60_000, *count, first_at.as_ms() / 60_000)
            })
            .collect();
        assert_eq!(told, [(90, 1, 90), (60, 4, 38), (59, 1, 59)]);
        assert_eq!(folded.lines[1].words.text, "server process crashed ×4");
    }

    #[test]
    fn steps_of_policies_are_counted_and_those_of_people_are_told() {
        let by_policy = || Who::Policy { is_settled: true };
        let lines = [step(9, by_policy()), step(8, Who::Named { calls: Vec::new() }), step(7, by_policy())];
        let folded = fold(&lines, 10);
        assert_eq!(folded.by_policy.steps, 2);
        assert_eq!(folded.by_policy.net_instances, 6);
        assert_eq!(folded.by_policy.times, [lines[0].at, lines[2].at]);
        assert_eq!(folded.lines, [lines[1].clone()]);
        assert!(fold(&lines, 0).has_more);
    }
}
