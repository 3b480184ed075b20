//! What AWS shows of a change that nobody answered: that it was carried out, no trace of it, or neither.
//!
//! Owns how each operation can be recognised afterwards. Deliberately reads nothing: what was read comes in.

use std::collections::BTreeSet;

use liftdeck_model::action::{CreateAlias, CreatePlayerSessions, UpdateScript};
use liftdeck_model::activity::{FactChange, Proof};
use liftdeck_model::alias::Alias;
use liftdeck_model::content::Script;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::{Ticket, TicketStatus};
use liftdeck_model::placement::{Placement, PlacementStatus};
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::{FleetId, GameSessionId, Location, PlayerId, Region, Timestamp};

use crate::preview::draft::Draft;

/// Clocks here and at AWS may differ by this much, in milliseconds: AWS takes signatures that are five minutes off.
pub(super) const SKEW_MS: i64 = 5 * 60_000;
/// What was found; a sentence each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// What was asked for is there.
    Done {
        /// What is seen.
        text: String,
        /// Whether that is surely this attempt's doing.
        proof: Proof,
        /// Id of what was made.
        made: Option<String>,
        /// Player sessions made, as (player id, player session id).
        slots: Vec<(String, String)>,
    },
    /// Everything is as if it had never been sent.
    NoTrace(String),
    /// What is seen tells neither.
    Unclear(String),
}

impl Evidence {
    /// It is as was asked, whoever did it: settings carry no name, and of what ended AWS keeps no reason that names one.
    fn seen(text: impl Into<String>) -> Self {
        Self::Done { text: text.into(), proof: Proof::Seen, made: None, slots: Vec::new() }
    }

    /// What only this attempt can have made is there: it bears the id the attempt gave it, which AWS takes once.
    fn own(text: impl Into<String>, made: Option<String>) -> Self {
        Self::Done { text: text.into(), proof: Proof::Own, made, slots: Vec::new() }
    }

    pub(super) fn no_trace(text: impl Into<String>) -> Self {
        Self::NoTrace(text.into())
    }

    pub(super) fn unclear(text: impl Into<String>) -> Self {
        Self::Unclear(text.into())
    }
}

/// Whether something is from before an attempt of this moment, whatever the clocks: another one made it.
fn is_older(at: Timestamp, begun: Option<Timestamp>) -> bool {
    begun.is_some_and(|begun| begun < at.plus_ms(-SKEW_MS))
}

/// Since when something is so, where AWS tells.
fn ago(since: Option<Timestamp>) -> String {
    since.map(|since| format!(" since {}", since.in_utc())).unwrap_or_default()
}

/// The ARN a game session has (H4): a remote location is part of it. The fleet's own ARN tells the partition.
pub(super) fn session_arn(
    region: &Region,
    fleet: &FleetId,
    fleet_arn: Option<&str>,
    location: Option<&Location>,
    token: &str,
) -> GameSessionId {
    let partition = fleet_arn.and_then(|arn| arn.split(':').nth(1)).unwrap_or("aws");
    let remote = location.filter(|location| location.as_str() != region.as_str());
    let place = remote.map(|location| format!("{location}/")).unwrap_or_default();
    GameSessionId::new(format!("arn:{partition}:gamelift:{region}::gamesession/{fleet}/{place}{token}"))
}

/// A game session that bears the attempt's idempotency token.
pub(super) fn made(at: Timestamp, session: &GameSession) -> Evidence {
    // AWS answers a token that was used before with the game session it stands for.
    let proof = if is_older(at, Some(session.creation_time)) { Proof::Seen } else { Proof::Own };
    Evidence::Done {
        text: format!("the game session is there and {}.", session.status),
        proof,
        made: Some(session.game_session_id.as_str().to_owned()),
        slots: Vec::new(),
    }
}

/// A placement is found again by its id.
pub(super) fn placement(at: Timestamp, found: Option<Placement>) -> Evidence {
    match found {
        Some(placement) if is_older(at, placement.start_time) => {
            Evidence::unclear("a placement of this id was begun long before, and AWS takes an id once.")
        }
        Some(placement) => Evidence::own(
            format!("the placement is {}.", placement.status),
            placement.game_session_id.map(|id| id.as_str().to_owned()),
        ),
        None => Evidence::no_trace("GameLift knows no placement of this id."),
    }
}

/// So is a ticket.
pub(super) fn ticket(at: Timestamp, found: Option<&Ticket>) -> Evidence {
    match found {
        Some(ticket) if is_older(at, ticket.start_time) => {
            Evidence::unclear("a ticket of this id was begun long before, and AWS takes an id once.")
        }
        Some(ticket) => Evidence::own(
            format!("the ticket is {}.", ticket.status),
            Some(ticket.ticket_id.as_str().to_owned()),
        ),
        None => Evidence::no_trace("FlexMatch knows no ticket of this id."),
    }
}

/// A game session that was to be terminated.
pub(super) fn ended(found: Option<&GameSession>) -> Evidence {
    match found.map(|session| (&session.status, session.termination_time)) {
        None => Evidence::seen("GameLift no longer lists the game session."),
        Some((GameSessionStatus::Active | GameSessionStatus::Activating, _)) => {
            Evidence::no_trace("the game session goes on.")
        }
        Some((status, since)) => Evidence::seen(format!("the game session is {status}{}.", ago(since))),
    }
}

/// A placement that was to be stopped.
pub(super) fn stopped(found: Option<&Placement>) -> Evidence {
    match found.map(|placement| &placement.status) {
        Some(PlacementStatus::Cancelled) => Evidence::seen("the placement is CANCELLED."),
        Some(status) => Evidence::no_trace(format!("the placement is {status}.")),
        None => Evidence::unclear("GameLift no longer knows the placement."),
    }
}

/// A ticket that was to be stopped.
pub(super) fn cancelled(found: Option<&Ticket>) -> Evidence {
    match found.map(|ticket| &ticket.status) {
        Some(TicketStatus::Cancelled) => Evidence::seen("the ticket is CANCELLED."),
        Some(status) => Evidence::no_trace(format!("the ticket is {status}.")),
        None => Evidence::unclear("FlexMatch no longer knows the ticket."),
    }
}

/// A ticket does not show who answered: only what came of it tells.
pub(super) fn answered(accept: bool, found: Option<&Ticket>) -> Evidence {
    let Some(Ticket { status, .. }) = found else {
        return Evidence::unclear("FlexMatch no longer knows the ticket.");
    };
    match (accept, status) {
        (true, TicketStatus::Placing | TicketStatus::Completed) => {
            Evidence::seen(format!("the ticket is {status}, so everybody has accepted."))
        }
        (false, TicketStatus::Cancelled | TicketStatus::Searching) => {
            Evidence::seen(format!("the ticket is {status}, so the match was not accepted."))
        }
        _ => Evidence::unclear(format!("the ticket is {status}; AWS does not show single answers.")),
    }
}

/// Slots are found again by player and time. AWS makes all of a call's slots or none.
pub(super) fn slots(
    at: Timestamp,
    asked: &CreatePlayerSessions,
    found: &[PlayerSession],
    others: &BTreeSet<String>,
) -> Evidence {
    let slot = |player: &PlayerId| -> Option<&PlayerSession> {
        let mine = found.iter().filter(|slot| {
            &slot.player_id == player
                && !is_older(at, Some(slot.creation_time))
                && !others.contains(slot.player_session_id.as_str())
        });
        mine.max_by_key(|slot| slot.creation_time)
    };
    let slots: Vec<(String, String)> = asked
        .players
        .iter()
        .filter_map(|player| slot(&player.player_id))
        .map(|slot| (slot.player_id.as_str().to_owned(), slot.player_session_id.as_str().to_owned()))
        .collect();
    if slots.len() == asked.players.len() {
        let text = "every player has a slot made since.".to_owned();
        Evidence::Done { text, proof: Proof::Seen, made: None, slots }
    } else if slots.is_empty() {
        Evidence::no_trace("no player has a slot made since.")
    } else {
        Evidence::unclear("some of the players have slots made since, some have none.")
    }
}

/// A new alias is found again by name, routing and time: names are not unique.
pub(super) fn alias(
    at: Timestamp,
    asked: &CreateAlias,
    found: &[Alias],
    others: &BTreeSet<String>,
) -> Evidence {
    let mine = |alias: &&Alias| {
        alias.name == asked.name
            && alias.routing == asked.routing
            && alias.creation_time.is_some()
            && !is_older(at, alias.creation_time)
            && !others.contains(alias.alias_id.as_str())
    };
    let mine: Vec<&Alias> = found.iter().filter(mine).collect();
    match mine.as_slice() {
        [] => Evidence::no_trace("there is no such alias made since."),
        [alias] => Evidence::Done {
            text: format!("there is the alias {}{}.", alias.alias_id, ago(alias.creation_time)),
            proof: Proof::Seen,
            made: Some(alias.alias_id.as_str().to_owned()),
            slots: Vec::new(),
        },
        several => Evidence::unclear(format!("{} such aliases were made since.", several.len())),
    }
}

/// Files are told apart by version and size: AWS shows nothing else of them. `before` is what was there when the change
/// was previewed.
pub(super) fn uploaded(before: &[FactChange], asked: &UpdateScript, found: Option<&Script>) -> Evidence {
    let Some(script) = found else {
        return Evidence::unclear("there is no such script any more.");
    };
    let former =
        |label: &str| before.iter().find(|fact| fact.label == label).and_then(|fact| fact.before.clone());
    let new_version = asked.version.as_ref().filter(|version| former("Version").as_ref() != Some(*version));
    if let Some(version) = new_version {
        return if script.version.as_ref() == Some(version) {
            Evidence::seen(format!("the version is {version}."))
        } else {
            Evidence::no_trace(format!("the version is {}.", script.version.as_deref().unwrap_or("absent")))
        };
    }
    let size = script.size_on_disk_bytes.map(|bytes| format!("{bytes} bytes"));
    let wanted = asked.zip_file.as_ref().map(|zip| format!("{} bytes", zip.size_bytes));
    let shown = size.clone().unwrap_or_else(|| "unknown".to_owned());
    if wanted == former("Files") {
        Evidence::unclear("version and size are the same before and after, and AWS shows nothing else.")
    } else if size == wanted {
        Evidence::seen(format!("its size is {shown}."))
    } else {
        Evidence::no_trace(format!("its size is {shown}."))
    }
}

/// Settings: what was asked for against what is there now, and what was there `before`; `since` when AWS tells.
pub(super) fn compared(now: &Draft, before: &[FactChange], since: Option<Timestamp>) -> Evidence {
    let shown: Vec<String> = now
        .facts
        .iter()
        .map(|fact| format!("{} is {}", fact.label, fact.before.as_deref().unwrap_or("absent")))
        .collect();
    let shown = shown.join(", ");
    let shown = shown.trim_end_matches('.');
    if now.holds() {
        return Evidence::seen(format!("{shown}{}.", ago(since)));
    }
    let there = |facts: &[FactChange]| -> Vec<(String, Option<String>)> {
        facts.iter().map(|fact| (fact.label.clone(), fact.before.clone())).collect()
    };
    if there(&now.facts) == there(before) {
        Evidence::no_trace(format!("{shown}. That is as it was before."))
    } else {
        Evidence::unclear(format!(
            "{shown}. That is neither what was asked for nor what was there before: somebody else may have changed it \
             since."
        ))
    }
}

#[cfg(test)]
mod tests;
