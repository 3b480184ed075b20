//! What of a run is not as it was looked at any more.
//!
//! Owns the comparison of what was agreed to with what is there now: between a preview and the moment a change is sent
//! may lie days. Deliberately asks nobody and sends nothing.

use liftdeck_model::Timestamp;
use liftdeck_model::action::Request;
use liftdeck_model::activity::FactChange;

use super::Item;
use crate::preview::draft::{Draft, How, grew};
use crate::preview::skip::Skip;
use crate::preview::words;

/// What was looked at longer ago is looked at again before it is sent, in milliseconds.
const FRESH_MS: i64 = 30_000;
/// Moves named in a sentence; more are counted.
const NAMED: usize = 3;

/// Whether a change has to be looked at again. A look from the future is none: the clock was moved.
pub(super) fn is_stale(item: &Item, now: Timestamp) -> bool {
    item.seen.as_ref().is_none_or(|seen| !(0..=FRESH_MS).contains(&now.since_ms(seen.at)))
}

/// Why a change is not sent as it stands now, though it was agreed to.
pub(super) fn moved(known: &Item, fresh: &Draft, is_drain: bool) -> Option<Skip> {
    match (&fresh.skip, &fresh.action.request) {
        // A game session that is gone needs nothing of a drain any more.
        (Some(skip), Request::UpdateGameSession(_)) if is_drain => return Some(Skip::ended(&*skip.text)),
        (Some(skip), _) => return Some(skip.clone()),
        // Capacity moves by itself while a drain waits; what matters is that nobody has come.
        (None, Request::UpdateFleetCapacity(_)) if is_drain => {
            let came = fresh.hit.game_sessions;
            return (came > 0).then(|| {
                let came = words::count(came, "game session is", "game sessions are");
                Skip::moved(format!("{came} on the fleet again."))
            });
        }
        (None, _) => {}
    }
    if let Some(skip) = filled(players(known), fresh) {
        return Some(skip);
    }
    let is = fresh.hit.player_sessions;
    if fresh.hit.how >= How::MayEnd && grew(players(known), is) {
        let was = words::count(players(known), "player", "players");
        return Some(Skip::moved(format!("It would hit {} now; it was {was}.", number_of_players(is))));
    }
    if fresh.holds() {
        return None;
    }
    let differences = differences(known, fresh);
    (!differences.is_empty()).then(|| Skip::moved(in_words(&differences)))
}

/// Nobody was in it when it was looked at, and somebody is now: whoever agreed to the one did not agree to the other.
pub(crate) fn filled(were: u64, fresh: &Draft) -> Option<Skip> {
    let is = fresh.hit.player_sessions;
    (fresh.hit.how >= How::MayEnd && were == 0 && is > 0).then(|| {
        let are = words::count(is, "player is", "players are");
        Skip::moved(format!("{are} there now; there was none when it was looked at."))
    })
}

/// Players a change would have hit when it was agreed to; none as far as nobody looked.
pub(super) fn players(known: &Item) -> u64 {
    known.seen.as_ref().map_or(0, |seen| seen.player_sessions)
}

fn number_of_players(count: u64) -> String {
    words::count(count, "player", "players")
}

/// What stands otherwise than when it was looked at.
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

/// What has moved, as people are told.
pub(super) fn in_words(moved: &[FactChange]) -> String {
    let or_nothing = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
    let one = |fact: &FactChange| {
        format!("{} was {} and is {} now.", fact.label, or_nothing(&fact.before), or_nothing(&fact.after))
    };
    let mut said: Vec<String> = moved.iter().take(NAMED).map(one).collect();
    match moved.len().saturating_sub(NAMED) {
        0 => {}
        1 => said.push("One more has changed.".to_owned()),
        more => said.push(format!("{more} more have changed.")),
    }
    said.join(" ")
}
