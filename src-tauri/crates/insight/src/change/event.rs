//! Lines for fleet events, and which of them only announce a scaling step that a poll also sees.

use liftdeck_model::{FleetEventCode, FleetId, Location, Timestamp};
use liftdeck_store::reader::change::FleetEventRow;

use super::{Change, ChangeKind, Scaled, Value, What};
use crate::words;

/// Events of the same code and fleet within this time become one line.
const BURST_MS: i64 = 5 * 60_000;
/// A poll sees a step at about the time that the event announces it, give or take this much.
const SAME_STEP_MS: i64 = 3 * 60_000;
/// A slow poll may see an announced step up to this long after the event, if the numbers agree.
const LATE_STEP_MS: i64 = 15 * 60_000;

/// A change of a location's desired instances that an event may repeat.
pub(crate) struct Step {
    pub(crate) fleet_id: FleetId,
    pub(crate) location: Location,
    pub(crate) at: Timestamp,
    /// Desired instances after the change.
    pub(crate) to: i64,
}

impl Step {
    pub(super) fn of(line: &Change) -> Option<Self> {
        let What::Set { after: Some(Value::Count(to)), .. } = line.what else { return None };
        match (line.kind, &line.fleet_id, &line.location) {
            (ChangeKind::ScalingStep, Some(fleet), Some(location)) => {
                Some(Self { fleet_id: fleet.clone(), location: location.clone(), at: line.seen_at, to })
            }
            _ => None,
        }
    }
}

/// Whether an event only repeats a step: one of the same location, at about the same time or, if the event came well
/// before the poll, with the same result.
pub(crate) fn repeats_a_step(line: &Change, steps: &[Step]) -> bool {
    let What::Events { scaled: Some(scaled), .. } = line.what else { return false };
    steps.iter().any(|step| {
        let late_ms = step.at.since_ms(line.at);
        line.fleet_id.as_ref() == Some(&step.fleet_id)
            && line.location.as_ref() == Some(&step.location)
            && (late_ms.abs() <= SAME_STEP_MS
                || ((0..=LATE_STEP_MS).contains(&late_ms) && scaled.to == step.to))
    })
}

/// When more instances were last asked for in a location, by the events that announce its steps.
pub(crate) fn last_asked(
    events: &[FleetEventRow],
    fleet: &FleetId,
    location: &Location,
) -> Option<Timestamp> {
    let asks = |row: &&FleetEventRow| {
        let step = row.event.message.as_deref().and_then(announced);
        row.event.fleet_id == *fleet
            && step.is_some_and(|(there, scaled)| there == *location && scaled.to > scaled.from)
    };
    events.iter().filter(asks).map(|row| row.event.event_time).max()
}

/// Parses the location and step of a FLEET_SCALING_EVENT. AWS does not publish the wording, so a message of another
/// form is left as it is.
fn announced(message: &str) -> Option<(Location, Scaled)> {
    let words: Vec<&str> = message.split_whitespace().map(|word| word.trim_end_matches(['.', ','])).collect();
    let after =
        |word: &str| words.iter().position(|known| *known == word).and_then(|at| words.get(at + 1)).copied();
    let (from, to) = (after("from")?.parse().ok()?, after("to")?.parse().ok()?);
    let desired = words.first().is_some_and(|word| word.eq_ignore_ascii_case("desired"));
    desired.then_some((Location::new(after("location")?), Scaled { from, to }))
}

/// Lines for fleet events, newest first as given; bursts become one line with a count.
pub fn from_events(events: &[FleetEventRow]) -> Vec<Change> {
    let mut bursts: Vec<(&FleetEventRow, i64, Timestamp)> = Vec::new();
    for row in events {
        let same = |first: &FleetEventRow| {
            first.event.event_code == row.event.event_code
                && first.event.fleet_id == row.event.fleet_id
                && first.event.event_time.since_ms(row.event.event_time) <= BURST_MS
                && row.event.event_code != FleetEventCode::FleetScaling
        };
        match bursts.iter_mut().rev().take(16).find(|(first, ..)| same(first)) {
            Some((_, count, first_at)) => {
                *count += row.event.count.max(1);
                *first_at = row.event.event_time.min(*first_at);
            }
            None => bursts.push((row, row.event.count.max(1), row.event.event_time)),
        }
    }
    bursts.into_iter().map(|(row, count, first_at)| from_event(row, count, first_at)).collect()
}

fn from_event(row: &FleetEventRow, count: i64, first_at: Timestamp) -> Change {
    let event = &row.event;
    let told = event.message.as_deref().map(str::trim).filter(|message| !message.is_empty());
    let step = told.filter(|_| event.event_code == FleetEventCode::FleetScaling).and_then(announced);
    let (location, scaled) = step.unzip();
    let (code, message) = (event.event_code.clone(), told.map(str::to_owned));
    let what = What::Events { code, count, first_at, message, scaled };
    Change {
        key: format!("event {} {}", event.fleet_id, event.event_id),
        at: event.event_time,
        seen_at: event.event_time,
        kind: ChangeKind::FleetEvent,
        severity: event.event_code.severity(),
        region: row.region.clone(),
        resource: event.fleet_id.to_string(),
        fleet_id: Some(event.fleet_id.clone()),
        fleets: vec![event.fleet_id.clone()],
        location,
        words: words::change(ChangeKind::FleetEvent, &row.fleet_name, &what),
        what,
        by_us: None,
        who: None,
    }
}
