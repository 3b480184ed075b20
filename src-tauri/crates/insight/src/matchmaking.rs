//! FlexMatch events as sentences.

use liftdeck_model::Severity;
use liftdeck_model::matchmaking::MatchmakingEvent;
use liftdeck_model::time::in_words;

/// The severity of a FlexMatch event, by its type. A cancelled ticket is no alarm: somebody requested it, or a player
/// declined.
pub fn matchmaking_severity(event_type: &str) -> Severity {
    match event_type {
        "MatchmakingFailed" => Severity::Bad,
        "MatchmakingTimedOut" => Severity::Warning,
        _ => Severity::Info,
    }
}

/// Describes the event in a sentence.
pub fn matchmaking_text(event: &MatchmakingEvent) -> String {
    let players = event.tickets.iter().flat_map(|ticket| &ticket.players);
    let (all, yes, no) = players.fold((0, 0, 0), |(all, yes, no), player| match player.accepted {
        Some(true) => (all + 1, yes + 1, no),
        Some(false) => (all + 1, yes, no + 1),
        None => (all + 1, yes, no),
    });
    let counted = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let tickets = counted(event.tickets.len(), "ticket");
    let players = counted(all, "player");
    let why = match (&event.reason, &event.message) {
        (Some(reason), Some(message)) => format!(": {reason}, {message}"),
        (Some(why), None) | (None, Some(why)) => format!(": {why}"),
        (None, None) => String::new(),
    };
    match event.event_type.as_str() {
        "MatchmakingSearching" => {
            let wait =
                event.estimated_wait_seconds.map(|s| format!(", about {} to wait", in_words(s * 1_000)));
            format!("{tickets} with {players} searching{}", wait.unwrap_or_default())
        }
        "PotentialMatchCreated" => format!("A match of {players} from {tickets} proposed"),
        "AcceptMatch" if no > 0 => format!("{yes} of {players} accepted, {no} declined"),
        "AcceptMatch" => format!("{yes} of {players} accepted"),
        "AcceptMatchCompleted" => format!("{players} answered"),
        "MatchmakingSucceeded" => {
            let session = event.game_session_id.as_ref().map(|id| format!(" in {}", id.short()));
            format!("{players} from {tickets} matched{}", session.unwrap_or_default())
        }
        "MatchmakingTimedOut" => format!("{tickets} with {players} timed out{why}"),
        "MatchmakingCancelled" => format!("{tickets} with {players} cancelled{why}"),
        "MatchmakingFailed" => format!("A match of {players} failed{why}"),
        other => format!("{other} for {tickets}{why}"),
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Timestamp;
    use liftdeck_model::matchmaking::{EventTicket, TicketPlayer};

    use super::*;

    fn event(event_type: &str, answers: &[Option<bool>]) -> MatchmakingEvent {
        let players = answers.iter().map(|accepted| TicketPlayer {
            player_id: "p".into(),
            team: None,
            accepted: *accepted,
        });
        MatchmakingEvent {
            event_id: "e".to_owned(),
            event_type: event_type.to_owned(),
            configuration: "ranked".to_owned(),
            region: "eu-west-1".into(),
            event_time: Timestamp::from_ms(0),
            match_id: None,
            reason: Some("TimedOut".to_owned()),
            message: None,
            estimated_wait_seconds: Some(90),
            game_session_id: None,
            tickets: vec![EventTicket {
                ticket_id: "tk-1".into(),
                start_time: None,
                players: players.collect(),
            }],
        }
    }

    #[test]
    fn events_read_as_sentences() {
        let answers = [Some(true), Some(false), None];
        assert_eq!(matchmaking_text(&event("AcceptMatch", &answers)), "1 of 3 players accepted, 1 declined");
        let searching = matchmaking_text(&event("MatchmakingSearching", &[None]));
        assert_eq!(searching, "1 ticket with 1 player searching, about 1 min 30 s to wait");
        let over = matchmaking_text(&event("MatchmakingTimedOut", &[None]));
        assert_eq!(over, "1 ticket with 1 player timed out: TimedOut");
        let failed = MatchmakingEvent {
            reason: Some("UNEXPECTED_ERROR".to_owned()),
            message: Some("the queue is not reachable".to_owned()),
            ..event("MatchmakingFailed", &[None, None])
        };
        // The reason code is there to search for, the message to be understood.
        assert_eq!(
            matchmaking_text(&failed),
            "A match of 2 players failed: UNEXPECTED_ERROR, the queue is not reachable"
        );
        assert_eq!(matchmaking_text(&event("SomethingNew", &[])), "SomethingNew for 1 ticket: TimedOut");
    }

    #[test]
    fn a_failed_match_is_bad_and_a_cancelled_or_new_one_is_no_alarm() {
        assert_eq!(matchmaking_severity("MatchmakingFailed"), Severity::Bad);
        assert_eq!(matchmaking_severity("MatchmakingTimedOut"), Severity::Warning);
        assert_eq!(matchmaking_severity("MatchmakingCancelled"), Severity::Info);
        assert_eq!(matchmaking_severity("SomethingNew"), Severity::Info);
    }
}
