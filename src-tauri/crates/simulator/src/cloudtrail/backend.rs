//! The events of the game's own backend, made from the world's placements only when a lookup reaches them.
//!
//! A real history consists mostly of such events, so that a client that asks for everything of GameLift has many pages
//! to read. They do not go through EventBridge here: the simulator's rule is about changes of settings.

use std::sync::Arc;

use super::History;
use super::caller::Caller;
use super::record::{BACKEND_CALL, Record};
use liftdeck_simulated_world::{Person, World};

/// What a lookup asks of the backend's events.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The attribute and its value.
    pub(super) attribute: Option<(&'a str, &'a str)>,
    /// The earliest time, in milliseconds since the epoch.
    pub(super) from_ms: i64,
    /// The latest time, in milliseconds since the epoch.
    pub(super) to_ms: i64,
}

impl Wanted<'_> {
    /// Whether any of the backend's events can have the attribute.
    fn is_possible(&self, (person, access_key_id): &(Person, String)) -> bool {
        let Some((key, value)) = self.attribute else { return true };
        let caller = Caller::Person { person: *person, access_key_id: access_key_id.clone() };
        match key {
            "EventId" => true,
            "EventName" => value == BACKEND_CALL,
            "ReadOnly" => value == "false",
            "EventSource" => value == "gamelift.amazonaws.com",
            "Username" => caller.username() == Some(value),
            "AccessKeyId" => access_key_id == value,
            _ => false,
        }
    }
}

/// Returns the newest events of the backend in a Region that have arrived and pass the filter, newest first: at least
/// `most` if there are so many, and never only some of those at the same time.
pub(super) fn events(
    world: &World,
    region: &str,
    history: &History<'_>,
    wanted: &Wanted<'_>,
    passes: impl Fn(&Record) -> bool,
    most: usize,
) -> Vec<Arc<Record>> {
    let backend = world.backend();
    if !wanted.is_possible(&backend) {
        return Vec::new();
    }
    let shown =
        |record: &Record| passes(record) && history.trail.has(record, region, history.faults, history.now_ms);
    if let Some(("EventId", id)) = wanted.attribute {
        let made = world.backend_call(region, id).map(|made| Record::of_backend(&made, &backend));
        return made.filter(|record| shown(record)).map(Arc::new).into_iter().collect();
    }
    let mut found: Vec<Arc<Record>> = Vec::new();
    for made in world.backend_calls(region).skip_while(|made| made.at_ms() > wanted.to_ms) {
        let last_ms = found.get(most.saturating_sub(1)).map(|record| record.call.at_ms);
        if made.at_ms() < wanted.from_ms || last_ms.is_some_and(|last_ms| made.at_ms() < last_ms) {
            break;
        }
        let record = Record::of_backend(&made, &backend);
        if shown(&record) {
            found.push(Arc::new(record));
        }
    }
    found
}
