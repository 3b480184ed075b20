//! What of a run has changed since it was looked at.
//!
//! Owns the comparison of what was agreed to with what is there now: days may pass between a preview and the moment a
//! change is sent. Deliberately reads nothing and sends nothing.

use liftdeck_model::Timestamp;
use liftdeck_model::action::Request;
use liftdeck_model::activity::FactChange;

use super::item::Item;
use crate::fact::Skip;
use crate::preview::draft::{Draft, How, grew};
use crate::words::SkipFact;

/// A change looked at longer ago than this is looked at again before it is sent, in milliseconds.
const FRESH_MS: i64 = 30_000;

/// Whether a change has to be looked at again. A look dated in the future does not count: the clock was moved.
pub(super) fn is_stale(item: &Item, now: Timestamp) -> bool {
    item.seen.as_ref().is_none_or(|seen| !(0..=FRESH_MS).contains(&now.since_ms(seen.at)))
}

/// Why a change that was agreed to is not sent as things are now.
pub(super) fn moved(known: &Item, fresh: &Draft, is_drain: bool) -> Option<Skip> {
    match (&fresh.skip, &fresh.action.request) {
        // A game session that is gone needs nothing more from a drain.
        (Some(skip), Request::UpdateGameSession(_)) if is_drain => return Some(skip.as_ended()),
        (Some(skip), _) => return Some(skip.clone()),
        // Capacity changes by itself while a drain waits. What matters is that nobody has come.
        (None, Request::UpdateFleetCapacity(_)) if is_drain => {
            let came = fresh.hit.game_sessions;
            return (came > 0).then(|| Skip::moved(SkipFact::SessionsCameBack { game_sessions: came }));
        }
        (None, _) => {}
    }
    if let Some(skip) = filled(players(known), fresh) {
        return Some(skip);
    }
    let is = fresh.hit.player_sessions;
    if fresh.hit.how >= How::MayEnd && grew(players(known), is) {
        return Some(Skip::moved(SkipFact::PlayersGrew { were: players(known), are: is }));
    }
    if fresh.holds() {
        return None;
    }
    let differences = differences(known, fresh);
    (!differences.is_empty()).then(|| Skip::moved(SkipFact::FactsMoved { differences }))
}

/// Nobody was in it when it was looked at, and somebody is now: consent to the first is not consent to the second.
pub(crate) fn filled(were: u64, fresh: &Draft) -> Option<Skip> {
    let is = fresh.hit.player_sessions;
    (fresh.hit.how >= How::MayEnd && were == 0 && is > 0)
        .then(|| Skip::moved(SkipFact::PlayersCame { players: is }))
}

/// Returns how many players a change would have affected when it was agreed to; 0 if nobody looked.
pub(super) fn players(known: &Item) -> u64 {
    known.seen.as_ref().map_or(0, |seen| seen.player_sessions)
}

/// Lists what is different from when it was looked at.
pub(super) fn differences(known: &Item, fresh: &Draft) -> Vec<FactChange> {
    let facts = known.facts.iter().filter_map(|fact| {
        let now = fresh.facts.iter().find(|other| other.label == fact.label)?;
        Some((&fact.label, &fact.before, &now.before))
    });
    let ground = known.seen.iter().flat_map(|seen| &seen.ground).filter_map(|(label, was)| {
        let (_, is) = fresh.ground.iter().find(|(other, _)| other == label)?;
        Some((label, was, is))
    });
    facts
        .chain(ground)
        .filter(|(_, was, is)| was != is)
        .map(|(label, was, is)| FactChange { label: label.clone(), before: was.clone(), after: is.clone() })
        .collect()
}
