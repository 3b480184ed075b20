//! Effects on placements and tickets: their outcomes.

use liftdeck_model::Timestamp;
use liftdeck_model::action::AcceptMatch;
use liftdeck_model::matchmaking::{Ticket, TicketStatus};
use liftdeck_model::placement::{Placement, PlacementEvent, PlacementEventType, PlacementStatus};

use super::session::connection;
use super::verdict::Verdict;
use crate::words::Sight;

/// Whether a placement has found a place. AWS: a FULFILLED placement's game session is ACTIVE.
pub(super) fn placed(found: Option<&Placement>) -> Verdict {
    let Some(placement) = found else {
        return Verdict::Awaited(Sight::PlacementNotShownYet);
    };
    match placement.status {
        PlacementStatus::Fulfilled => {
            let at =
                connection(placement.ip_address.as_deref(), placement.dns_name.as_deref(), placement.port);
            Verdict::Seen(Sight::PlacementFulfilled { session: placement.game_session_id.clone(), at })
        }
        PlacementStatus::TimedOut => Verdict::Missed(Sight::PlacementTimedOut),
        PlacementStatus::Cancelled => Verdict::Missed(Sight::PlacementCancelled),
        PlacementStatus::Failed => Verdict::Missed(Sight::PlacementFailed),
        PlacementStatus::Pending | PlacementStatus::Other(_) => {
            Verdict::Awaited(Sight::PlacementIs { status: placement.status.clone() })
        }
    }
}

/// Whether a placement was stopped.
pub(super) fn stopped(found: Option<&Placement>) -> Verdict {
    match found.map(|placement| &placement.status) {
        Some(PlacementStatus::Cancelled) => {
            Verdict::Seen(Sight::PlacementIs { status: PlacementStatus::Cancelled })
        }
        Some(status) if status.is_final() => {
            Verdict::Missed(Sight::PlacementWasFirst { status: status.clone() })
        }
        Some(status) => Verdict::Awaited(Sight::PlacementIsStill { status: status.clone() }),
        None => Verdict::Awaited(Sight::PlacementNotShown),
    }
}

/// Returns a placement's outcome in the form of its event, once it has one. This reports it where no event arrives.
pub(super) fn outcome(placement: &Placement, now: Timestamp) -> Option<PlacementEvent> {
    let event_type = match placement.status {
        PlacementStatus::Fulfilled => PlacementEventType::Fulfilled,
        PlacementStatus::Cancelled => PlacementEventType::Cancelled,
        PlacementStatus::TimedOut => PlacementEventType::TimedOut,
        PlacementStatus::Failed => PlacementEventType::Failed,
        PlacementStatus::Pending | PlacementStatus::Other(_) => return None,
    };
    let fulfilled = event_type == PlacementEventType::Fulfilled;
    Some(PlacementEvent {
        placement_id: placement.placement_id.clone(),
        event_type,
        event_id: None,
        queue: placement.queue.clone()?,
        region: placement.region.clone(),
        event_time: placement.end_time.unwrap_or(now),
        start_time: placement.start_time,
        end_time: placement.end_time,
        game_session_id: placement.game_session_id.clone().filter(|_| fulfilled),
        game_session_location: None,
        game_session_region: placement.game_session_region.clone().filter(|_| fulfilled),
        ip_address: placement.ip_address.clone().filter(|_| fulfilled),
        dns_name: placement.dns_name.clone().filter(|_| fulfilled),
        port: placement.port.filter(|_| fulfilled),
        compute_name: None,
        custom_event_data: None,
        placed_player_sessions: placement.placed_player_sessions.clone(),
    })
}

fn why(ticket: &Ticket) -> Option<String> {
    ticket.status_message.clone().or_else(|| ticket.status_reason.clone())
}

/// Whether a ticket has found a match.
pub(super) fn matched(found: Option<&Ticket>) -> Verdict {
    let Some(ticket) = found else {
        return Verdict::Awaited(Sight::TicketNotShownYet);
    };
    match ticket.status {
        TicketStatus::Completed => {
            let at = ticket
                .connection
                .as_ref()
                .and_then(|it| connection(it.ip_address.as_deref(), it.dns_name.as_deref(), it.port));
            Verdict::Seen(Sight::TicketCompleted { at })
        }
        TicketStatus::Failed | TicketStatus::Cancelled | TicketStatus::TimedOut => {
            Verdict::Missed(Sight::TicketOver { status: ticket.status.clone(), why: why(ticket) })
        }
        TicketStatus::RequiresAcceptance => Verdict::Awaited(Sight::TicketProposed),
        TicketStatus::Searching => {
            Verdict::Awaited(Sight::TicketSearches { seconds: ticket.estimated_wait_seconds })
        }
        TicketStatus::Queued | TicketStatus::Placing | TicketStatus::Other(_) => {
            Verdict::Awaited(Sight::TicketStands { status: ticket.status.clone() })
        }
    }
}

/// Whether players' answers have had their effect. AWS: the ticket waits until all players have answered.
pub(super) fn answered(asked: &AcceptMatch, found: Option<&Ticket>) -> Verdict {
    match found.map(|ticket| &ticket.status) {
        None => Verdict::Missed(Sight::TicketUnknown),
        Some(TicketStatus::RequiresAcceptance) => Verdict::Awaited(Sight::AnswersAwaited),
        Some(TicketStatus::TimedOut) if asked.accept => Verdict::Missed(Sight::NotEverybodyAccepted),
        Some(TicketStatus::Failed) => Verdict::Missed(Sight::MatchFailed),
        Some(TicketStatus::Cancelled) if asked.accept => Verdict::Missed(Sight::MatchRejected),
        Some(TicketStatus::Searching | TicketStatus::Queued) if asked.accept => {
            Verdict::Missed(Sight::MatchFellThrough)
        }
        Some(status) => Verdict::Seen(Sight::TicketIs { status: status.clone() }),
    }
}

/// Whether a ticket was stopped.
pub(super) fn cancelled(found: Option<&Ticket>) -> Verdict {
    match found.map(|ticket| &ticket.status) {
        None => Verdict::Seen(Sight::TicketForgotten),
        Some(TicketStatus::Cancelled) => Verdict::Seen(Sight::TicketIs { status: TicketStatus::Cancelled }),
        Some(status) if status.is_final() => {
            Verdict::Missed(Sight::TicketWasFirst { status: status.clone() })
        }
        Some(status) => Verdict::Awaited(Sight::TicketIsStill { status: status.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::TicketId;

    use super::*;
    use crate::fixtures::{placement, ticket};

    #[test]
    fn a_placement_is_followed_to_its_outcome() {
        assert!(matches!(placed(Some(&placement(PlacementStatus::Pending))), Verdict::Awaited(_)));
        let Verdict::Seen(text) = placed(Some(&placement(PlacementStatus::Fulfilled))) else {
            panic!("there")
        };
        assert!(text.to_string().contains("gamesession/fleet-1/plc-1 at 203.0.113.7:7780"), "{text}");
        for ended in [PlacementStatus::TimedOut, PlacementStatus::Failed, PlacementStatus::Cancelled] {
            assert!(matches!(placed(Some(&placement(ended))), Verdict::Missed(_)));
        }
    }

    #[test]
    fn a_stop_that_comes_too_late_is_missed() {
        assert!(matches!(stopped(Some(&placement(PlacementStatus::Cancelled))), Verdict::Seen(_)));
        assert!(matches!(stopped(Some(&placement(PlacementStatus::Fulfilled))), Verdict::Missed(_)));
        assert!(matches!(cancelled(Some(&ticket(TicketStatus::Completed))), Verdict::Missed(_)));
    }

    #[test]
    fn an_outcome_is_told_as_its_event_would_tell_it() {
        let now = Timestamp::from_ms(9_000);
        assert_eq!(outcome(&placement(PlacementStatus::Pending), now), None);
        let event = outcome(&placement(PlacementStatus::TimedOut), now).unwrap();
        assert_eq!((event.event_type, event.event_time.as_ms()), (PlacementEventType::TimedOut, 5_000));
        assert_eq!(
            event.game_session_id, None,
            "what a placement says of the session is final once FULFILLED"
        );
    }

    #[test]
    fn a_ticket_that_fails_says_why() {
        let failed = matched(Some(&ticket(TicketStatus::Failed)));
        let Verdict::Missed(sight) = failed else { panic!("it failed") };
        assert_eq!(sight.to_string(), "FAILED: Too few players.");
    }

    #[test]
    fn an_accepted_match_waits_for_the_others_and_a_rejected_one_is_over() {
        let answer =
            |accept| AcceptMatch { ticket_id: TicketId::from("t-1"), player_ids: Vec::new(), accept };
        let waiting = ticket(TicketStatus::RequiresAcceptance);
        assert!(matches!(answered(&answer(true), Some(&waiting)), Verdict::Awaited(_)));
        assert!(matches!(answered(&answer(true), Some(&ticket(TicketStatus::Placing))), Verdict::Seen(_)));
        assert!(matches!(
            answered(&answer(true), Some(&ticket(TicketStatus::Searching))),
            Verdict::Missed(_)
        ));
        assert!(matches!(answered(&answer(false), Some(&ticket(TicketStatus::Cancelled))), Verdict::Seen(_)));
    }
}
