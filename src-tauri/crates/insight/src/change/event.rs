//! Lines of fleet events, and which of them only announce a step of the desired instances that a poll sees as well.

use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::reader::change::FleetEventRow;

use super::{Change, ChangeKind, Severity};

/// Events of the same code and fleet within this time are told as one.
const BURST_MS: i64 = 5 * 60_000;
/// A poll sees a step about when the event announces it, give or take this much.
const SAME_STEP_MS: i64 = 3 * 60_000;
/// A slow poll sees the step an event announced up to this long after it, if the numbers agree.
const LATE_STEP_MS: i64 = 15 * 60_000;

/// A move of a location's desired instances, as far as an event may repeat it.
pub(crate) struct Step {
    pub(crate) fleet_id: FleetId,
    pub(crate) location: Location,
    pub(crate) at: Timestamp,
    /// Desired instances after it.
    pub(crate) to: String,
}

impl Step {
    pub(super) fn of(line: &Change) -> Option<Self> {
        match (line.kind, &line.fleet_id, &line.location) {
            (ChangeKind::ScalingStep, Some(fleet), Some(location)) => Some(Self {
                fleet_id: fleet.clone(),
                location: location.clone(),
                at: line.at,
                to: line.after.clone().unwrap_or_default(),
            }),
            _ => None,
        }
    }
}

/// Whether an event only says again what a step says: of the same location, and about then or, when it came well before
/// the poll, with the same outcome.
pub(crate) fn repeats_a_step(line: &Change, steps: &[Step]) -> bool {
    line.kind == ChangeKind::FleetEvent
        && line.text == ANNOUNCED
        && steps.iter().any(|step| {
            let late_ms = step.at.since_ms(line.at);
            line.fleet_id.as_ref() == Some(&step.fleet_id)
                && line.location.as_ref() == Some(&step.location)
                && (late_ms.abs() <= SAME_STEP_MS
                    || ((0..=LATE_STEP_MS).contains(&late_ms) && line.after.as_ref() == Some(&step.to)))
        })
}

/// What an event that announces a step says once its numbers stand beside it, just as the step itself.
const ANNOUNCED: &str = "scaled";

/// Location, desired instances before and after of a FLEET_SCALING_EVENT. AWS does not publish the wording, so a message
/// that reads otherwise stays as it is.
fn announced(message: &str) -> Option<(Location, String, String)> {
    let words: Vec<&str> = message.split_whitespace().map(|word| word.trim_end_matches(['.', ','])).collect();
    let after =
        |word: &str| words.iter().position(|known| *known == word).and_then(|at| words.get(at + 1)).copied();
    let is_count = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (from, to) = (after("from").filter(is_count)?, after("to").filter(is_count)?);
    let desired = words.first().is_some_and(|word| word.eq_ignore_ascii_case("desired"));
    desired.then_some((Location::new(after("location")?), from.to_owned(), to.to_owned()))
}

/// How much a fleet event matters, by its code.
pub fn event_severity(code: &str) -> Severity {
    const BAD: [&str; 8] = [
        "FAILED",
        "_ERROR",
        "INVALID_PATH",
        "NOT_FOUND",
        "INSUFFICIENT",
        "EXPIRED",
        "FAILURE",
        "MISCONFIGURED",
    ];
    const WARNING: [&str; 8] = [
        "CRASHED",
        "UNHEALTHY",
        "TIMEOUT",
        "TIMED_OUT",
        "INTERRUPTED",
        "RECYCLED",
        "FORCE_TERMINATED",
        "DELETED",
    ];
    if BAD.iter().any(|part| code.contains(part)) {
        Severity::Bad
    } else if WARNING.iter().any(|part| code.contains(part)) {
        Severity::Warning
    } else {
        Severity::Info
    }
}

/// Lines of fleet events, newest first as given; bursts become one line with a count.
pub fn from_events(events: &[FleetEventRow]) -> Vec<Change> {
    let mut bursts: Vec<(&FleetEventRow, i64)> = Vec::new();
    for row in events {
        let same = |first: &FleetEventRow| {
            first.event.event_code == row.event.event_code
                && first.event.fleet_id == row.event.fleet_id
                && first.event.event_time.since_ms(row.event.event_time) <= BURST_MS
                && row.event.event_code != "FLEET_SCALING_EVENT"
        };
        match bursts.iter_mut().rev().take(16).find(|(first, _)| same(first)) {
            Some((_, count)) => *count += row.event.count.max(1),
            None => bursts.push((row, row.event.count.max(1))),
        }
    }
    bursts.into_iter().map(|(row, count)| from_event(row, count)).collect()
}

fn from_event(row: &FleetEventRow, count: i64) -> Change {
    let event = &row.event;
    let told = event.message.as_deref().map(str::trim).filter(|message| !message.is_empty());
    let text = match (event.event_code.as_str(), count) {
        ("INSTANCE_INTERRUPTED", 1) => "1 instance interrupted by EC2 Spot".to_owned(),
        ("INSTANCE_INTERRUPTED", count) => format!("{count} instances interrupted by EC2 Spot"),
        (code, 1) => told.map_or_else(|| in_words(code), with_short_ids),
        (code, count) => format!("{} ×{count}", in_words(code)),
    };
    let step = told.filter(|_| event.event_code == "FLEET_SCALING_EVENT").and_then(announced);
    let text = if step.is_some() { ANNOUNCED.to_owned() } else { text };
    let (location, before, after) = match step {
        Some((location, from, to)) => (Some(location), Some(from), Some(to)),
        None => (None, None, None),
    };
    Change {
        key: format!("event {} {}", event.fleet_id, event.event_id),
        at: event.event_time,
        kind: ChangeKind::FleetEvent,
        severity: event_severity(&event.event_code),
        region: row.region.clone(),
        fleet_id: Some(event.fleet_id.clone()),
        location,
        subject: row.fleet_name.clone(),
        text,
        before,
        after,
        by_us: None,
    }
}

/// A message with each game session's ARN cut to its last part.
pub(crate) fn with_short_ids(message: &str) -> String {
    let short = |word: &str| match word.rsplit_once('/') {
        Some((head, id)) if head.contains(":gamesession/") => id.to_owned(),
        _ => word.to_owned(),
    };
    message.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// `SERVER_PROCESS_CRASHED` as `server process crashed`.
fn in_words(code: &str) -> String {
    code.to_lowercase().replace('_', " ")
}
