//! What AWS shows of an unanswered change: that it was carried out, no trace of it, or neither.
//!
//! Owns how each operation can be recognised afterwards. Deliberately reads nothing: the readings come in as
//! arguments.

use std::collections::BTreeSet;

use liftdeck_model::action::{CreateAlias, CreateGameSessionQueue, CreatePlayerSessions, UpdateScript};
use liftdeck_model::activity::{FactChange, Proof};
use liftdeck_model::alias::Alias;
use liftdeck_model::content::Script;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::{Ticket, TicketStatus};
use liftdeck_model::placement::{Placement, PlacementStatus};
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{FleetId, GameSessionId, Location, PlayerId, Region, Timestamp};

use crate::outcome::follow::is_made_as;
use crate::preview::draft::Draft;
use crate::words::Trace;

/// Clocks here and at AWS may differ by this much, in milliseconds: AWS accepts signatures that are five minutes off.
pub(super) const SKEW_MS: i64 = 5 * 60_000;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// What was asked for is there.
    Done {
        /// What is seen.
        trace: Trace,
        /// Whether this attempt surely did it.
        proof: Proof,
        /// Id of what was made.
        made: Option<String>,
        /// Player sessions made, as (player id, player session id).
        slots: Vec<(String, String)>,
    },
    /// Everything is as if it had never been sent.
    NoTrace(Trace),
    /// What is seen proves neither.
    Unclear(Trace),
}

impl Evidence {
    /// The state is as requested, whoever made it so: settings carry no author, and AWS keeps no reason that says who
    /// ended something.
    fn seen(trace: Trace) -> Self {
        Self::Done { trace, proof: Proof::Seen, made: None, slots: Vec::new() }
    }

    /// What is there can only have been made by this attempt: it bears the id that the attempt gave it, which AWS
    /// accepts once.
    fn own(trace: Trace, made: Option<String>) -> Self {
        Self::Done { trace, proof: Proof::Own, made, slots: Vec::new() }
    }

    pub(super) fn no_trace(trace: Trace) -> Self {
        Self::NoTrace(trace)
    }

    pub(super) fn unclear(trace: Trace) -> Self {
        Self::Unclear(trace)
    }
}

/// Whether something is older than an attempt of this time, however the clocks differ. Then another attempt made it.
fn is_older(at: Timestamp, begun: Option<Timestamp>) -> bool {
    begun.is_some_and(|begun| begun < at.plus_ms(-SKEW_MS))
}

/// Returns the ARN that a game session has (H4). A remote location is part of it. The partition comes from the
/// fleet's own ARN.
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

/// Judges a game session that bears the attempt's idempotency token.
pub(super) fn made(at: Timestamp, session: &GameSession) -> Evidence {
    // For a token that was used before, AWS answers with the existing game session.
    let proof = if is_older(at, Some(session.creation_time)) { Proof::Seen } else { Proof::Own };
    Evidence::Done {
        trace: Trace::SessionThere { status: session.status.clone() },
        proof,
        made: Some(session.game_session_id.as_str().to_owned()),
        slots: Vec::new(),
    }
}

/// Judges a placement, which is found by its id.
pub(super) fn placement(at: Timestamp, found: Option<Placement>) -> Evidence {
    match found {
        Some(placement) if is_older(at, placement.start_time) => Evidence::unclear(Trace::PlacementOlder),
        Some(placement) => Evidence::own(
            Trace::PlacementIs { status: placement.status.clone() },
            placement.game_session_id.map(|id| id.as_str().to_owned()),
        ),
        None => Evidence::no_trace(Trace::NoPlacement),
    }
}

/// Judges a ticket, which is found by its id.
pub(super) fn ticket(at: Timestamp, found: Option<&Ticket>) -> Evidence {
    match found {
        Some(ticket) if is_older(at, ticket.start_time) => Evidence::unclear(Trace::TicketOlder),
        Some(ticket) => Evidence::own(
            Trace::TicketIs { status: ticket.status.clone() },
            Some(ticket.ticket_id.as_str().to_owned()),
        ),
        None => Evidence::no_trace(Trace::NoTicket),
    }
}

/// Judges a game session that was to be terminated.
pub(super) fn ended(found: Option<&GameSession>) -> Evidence {
    match found.map(|session| (&session.status, session.termination_time)) {
        None => Evidence::seen(Trace::SessionNotListed),
        Some((GameSessionStatus::Active | GameSessionStatus::Activating, _)) => {
            Evidence::no_trace(Trace::SessionGoesOn)
        }
        Some((status, since)) => Evidence::seen(Trace::SessionIs { status: status.clone(), since }),
    }
}

/// Judges a placement that was to be stopped.
pub(super) fn stopped(found: Option<&Placement>) -> Evidence {
    match found.map(|placement| &placement.status) {
        Some(PlacementStatus::Cancelled) => {
            Evidence::seen(Trace::PlacementIs { status: PlacementStatus::Cancelled })
        }
        Some(status) => Evidence::no_trace(Trace::PlacementIs { status: status.clone() }),
        None => Evidence::unclear(Trace::PlacementForgotten),
    }
}

/// Judges a ticket that was to be stopped.
pub(super) fn cancelled(found: Option<&Ticket>) -> Evidence {
    match found.map(|ticket| &ticket.status) {
        Some(TicketStatus::Cancelled) => Evidence::seen(Trace::TicketIs { status: TicketStatus::Cancelled }),
        Some(status) => Evidence::no_trace(Trace::TicketIs { status: status.clone() }),
        None => Evidence::unclear(Trace::TicketForgotten),
    }
}

/// Judges the answer to a match. A ticket does not show who answered, so only the result tells.
pub(super) fn answered(accept: bool, found: Option<&Ticket>) -> Evidence {
    let Some(Ticket { status, .. }) = found else {
        return Evidence::unclear(Trace::TicketForgotten);
    };
    match (accept, status) {
        (true, TicketStatus::Placing | TicketStatus::Completed) => {
            Evidence::seen(Trace::EverybodyAccepted { status: status.clone() })
        }
        (false, TicketStatus::Cancelled | TicketStatus::Searching) => {
            Evidence::seen(Trace::MatchNotAccepted { status: status.clone() })
        }
        _ => Evidence::unclear(Trace::AnswersHidden { status: status.clone() }),
    }
}

/// Finds slots by player and time. AWS makes all of a call's slots or none.
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
        let trace = Trace::EverybodyHasSlot;
        Evidence::Done { trace, proof: Proof::Seen, made: None, slots }
    } else if slots.is_empty() {
        Evidence::no_trace(Trace::NobodyHasSlot)
    } else {
        Evidence::unclear(Trace::SomeHaveSlots)
    }
}

/// Finds a new queue by its name, which is unique in a Region, and its settings. There was none when the change was
/// previewed.
pub(super) fn queue(asked: &CreateGameSessionQueue, found: Option<&GameSessionQueue>) -> Evidence {
    match found {
        None => Evidence::no_trace(Trace::NoQueue),
        Some(queue) if is_made_as(asked, queue) => Evidence::seen(Trace::QueueThere),
        Some(_) => Evidence::unclear(Trace::QueueOtherwise),
    }
}

/// Finds a new alias by name, routing and time, because names are not unique.
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
        [] => Evidence::no_trace(Trace::NoAlias),
        [alias] => Evidence::Done {
            trace: Trace::AliasThere { alias: alias.alias_id.clone(), since: alias.creation_time },
            proof: Proof::Seen,
            made: Some(alias.alias_id.as_str().to_owned()),
            slots: Vec::new(),
        },
        several => Evidence::unclear(Trace::SeveralAliases { count: several.len() }),
    }
}

/// Tells files apart by version and size, because AWS shows nothing else of them. `before` is what was there when the
/// change was previewed.
pub(super) fn uploaded(before: &[FactChange], asked: &UpdateScript, found: Option<&Script>) -> Evidence {
    let Some(script) = found else {
        return Evidence::unclear(Trace::NoScript);
    };
    let former =
        |label: &str| before.iter().find(|fact| fact.label == label).and_then(|fact| fact.before.clone());
    let new_version = asked.version.as_ref().filter(|version| former("Version").as_ref() != Some(*version));
    if let Some(version) = new_version {
        return if script.version.as_ref() == Some(version) {
            Evidence::seen(Trace::VersionIs { version: Some(version.clone()) })
        } else {
            Evidence::no_trace(Trace::VersionIs { version: script.version.clone() })
        };
    }
    let size = script.size_on_disk_bytes.map(|bytes| format!("{bytes} bytes"));
    let wanted = asked.zip_file.as_ref().map(|zip| format!("{} bytes", zip.size_bytes));
    if wanted == former("Files") {
        Evidence::unclear(Trace::FilesAlike)
    } else if size == wanted {
        Evidence::seen(Trace::SizeIs { size })
    } else {
        Evidence::no_trace(Trace::SizeIs { size })
    }
}

/// Compares settings: what was asked for, what is there now, and what was there `before`. `since` is the time of the
/// last update, if AWS tells it.
pub(super) fn compared(now: &Draft, before: &[FactChange], since: Option<Timestamp>) -> Evidence {
    let facts = now.facts.clone();
    if now.holds() {
        return Evidence::seen(Trace::Stands { facts, since });
    }
    let there = |facts: &[FactChange]| -> Vec<(String, Option<String>)> {
        facts.iter().map(|fact| (fact.label.clone(), fact.before.clone())).collect()
    };
    if there(&now.facts) == there(before) {
        Evidence::no_trace(Trace::StandsAsBefore { facts })
    } else {
        Evidence::unclear(Trace::StandsOtherwise { facts })
    }
}

#[cfg(test)]
mod tests;
