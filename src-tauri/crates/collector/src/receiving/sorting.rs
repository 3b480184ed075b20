//! Sorts received messages: whether each belongs to us, and whether its event can be accepted yet.
//!
//! Owns the decision what happens to each message of a receive, but does not carry it out.

use std::collections::BTreeSet;

use liftdeck_gateway::{EventQueue, FeedMessage};
use liftdeck_model::feed::{
    Adoption, FeedEvent, ForeignBodies, Named, NamedKind, QuarantineReason, QuarantinedMessage, WaitingEvent,
};
use liftdeck_model::matchmaking::MatchmakingEvent;
use liftdeck_model::placement::PlacementEvent;
use liftdeck_model::trail::{CAUSING_CALLS, TrailRecord};
use liftdeck_model::{AccountId, Region, Timestamp};
use liftdeck_store::{Reader as Store, StoreError};

use crate::feed::{self, FeedBody, Reading};

/// Messages of one receive, by what happens to them.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) placements: Vec<PlacementEvent>,
    pub(super) matchmaking: Vec<MatchmakingEvent>,
    /// Calls that can have caused a recorded change; others are not kept.
    pub(super) calls: Vec<TrailRecord>,
    /// To be put aside, then deleted.
    pub(super) aside: Vec<QuarantinedMessage>,
    /// Ids of those that belong to someone else, whatever happens to them.
    pub(super) foreign: BTreeSet<String>,
    /// Ids of those that stay in the queue.
    pub(super) left: BTreeSet<String>,
}

pub(super) async fn sort(
    messages: &[FeedMessage],
    adoption: &Adoption,
    queue: &EventQueue,
    regions: &BTreeSet<Region>,
    store: &Store,
    now: Timestamp,
) -> Result<Sorted, StoreError> {
    // An adopted queue always has an account; without one, nothing could be distinguished from foreign messages.
    let account = adoption.account().unwrap_or_else(|| AccountId::new(""));
    let mut sorted = Sorted::default();
    for message in messages {
        let body = FeedBody {
            message_id: &message.message_id,
            queue_url: &queue.url,
            region: &queue.region,
            account: &account,
            received_at: now,
            body: &message.body,
        };
        match feed::read(body) {
            Reading::Event(event) => {
                let names = needed(&event, regions);
                let known = store.known(&names).await?;
                let unknown: Vec<&Named> = names.iter().filter(|name| !known.contains(*name)).collect();
                match (unknown.first(), *event) {
                    (None, FeedEvent::Placement(event)) => sorted.placements.push(event),
                    (None, FeedEvent::Matchmaking(event)) => sorted.matchmaking.push(event),
                    (Some(_), event) => sorted.aside.push(waiting(body, event, &unknown, &names)),
                }
            }
            Reading::Call(record) => {
                if CAUSING_CALLS.contains(&record.event_name.as_str()) {
                    sorted.calls.push(*record);
                }
            }
            Reading::Aside(aside) if aside.reason.is_foreign() => {
                sorted.foreign.insert(message.message_id.clone());
                if adoption.foreign_bodies == ForeignBodies::SetAside {
                    sorted.aside.push(*aside);
                } else {
                    sorted.left.insert(message.message_id.clone());
                }
            }
            Reading::Aside(aside) => sorted.aside.push(*aside),
        }
    }
    Ok(sorted)
}

/// Returns what the connection must know before it accepts the event. A queue may place sessions on fleets in Regions
/// that are not collected. Such fleets can never be known, so knowing the queue is enough.
fn needed(event: &FeedEvent, regions: &BTreeSet<Region>) -> Vec<Named> {
    let mut names = event.names();
    names.retain(|name| name.kind != NamedKind::Fleet || regions.contains(&name.region));
    names
}

fn waiting(body: FeedBody<'_>, event: FeedEvent, unknown: &[&Named], names: &[Named]) -> QuarantinedMessage {
    let named: Vec<String> = unknown
        .iter()
        .map(|name| format!("the {} {} in {}", name.kind.word(), name.id, name.region))
        .collect();
    QuarantinedMessage {
        message_id: body.message_id.to_owned(),
        queue_url: body.queue_url.to_owned(),
        region: body.region.clone(),
        received_at: body.received_at,
        reason: QuarantineReason::Unconfirmed,
        detail: format!("the event names {}, which this connection does not know", named.join(" and ")),
        body: body.body.to_owned(),
        waiting: Some(Box::new(WaitingEvent { event, names: names.to_vec() })),
    }
}
