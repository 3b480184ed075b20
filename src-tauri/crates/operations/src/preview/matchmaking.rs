//! FlexMatch tickets and backfills.

use liftdeck_model::action::{AcceptMatch, Action, StartMatchBackfill, StartMatchmaking, StopMatchmaking};
use liftdeck_model::matchmaking::TicketStatus;

use super::draft::{Draft, Hit};
use super::present::{Found, Present};
use crate::error::OperationError;
use crate::fact::UndoOffer;
use crate::words::{self, SkipFact, WarningFact};

/// StartMatchmaking.
pub(super) async fn start(
    present: &mut Present<'_>,
    action: &Action,
    it: &StartMatchmaking,
) -> Result<Draft, OperationError> {
    let mut draft = Draft::new(action, format!("Start a ticket for {}", it.configuration_name));
    draft.name = Some(it.configuration_name.clone());
    draft.offer = UndoOffer::None("The ticket can be stopped while it is searching.".to_owned());
    draft.hit =
        Hit::nobody("Its players will be matched with real players searching in the same configuration.");
    draft.fact("Ticket", None, Some(it.ticket_id.to_string()));
    draft.fact("Configuration", None, Some(it.configuration_name.clone()));
    draft.fact("Players", None, Some(it.players.len().to_string()));
    if present.configuration(&action.region, &it.configuration_name).await?.is_none() {
        draft.refuse(words::missing("matchmaking configuration", &it.configuration_name, action));
    }
    if present.ticket(&action.region, &it.ticket_id).await?.is_some() {
        draft.bad(WarningFact::TicketIdTaken);
    }
    Ok(draft)
}

/// AcceptMatch: accepting and rejecting.
pub(super) async fn accept(
    present: &mut Present<'_>,
    action: &Action,
    it: &AcceptMatch,
) -> Result<Draft, OperationError> {
    let verb = if it.accept { "Accept" } else { "Reject" };
    let mut draft = Draft::new(action, format!("{verb} the match of ticket {}", it.ticket_id));
    draft.offer = UndoOffer::None("An answer to a match cannot be taken back.".to_owned());
    draft.hit = Hit::nobody(if it.accept {
        "The match begins once all its players have accepted."
    } else {
        "The match is called off for all its players; the others keep searching."
    });
    for player in &it.player_ids {
        let answer = if it.accept { "ACCEPT" } else { "REJECT" };
        draft.fact(&format!("Answer of {player}"), None, Some(answer.to_owned()));
    }
    let ticket = present.ticket(&action.region, &it.ticket_id).await?;
    draft.rests_on("Status of the ticket", ticket.as_ref().map(|ticket| ticket.status.to_string()));
    match ticket {
        None => draft.refuse(words::missing("ticket", it.ticket_id.as_str(), action)),
        Some(ticket) => {
            draft.name.clone_from(&ticket.configuration_name);
            if ticket.status != TicketStatus::RequiresAcceptance {
                draft.refuse(SkipFact::TicketTakesNoAnswer { status: ticket.status });
            }
            let strangers = it
                .player_ids
                .iter()
                .filter(|id| !ticket.players.iter().any(|player| &player.player_id == *id));
            let strangers: Vec<_> = strangers.cloned().collect();
            if !strangers.is_empty() {
                draft.refuse(SkipFact::NotPlayersOfTicket { players: strangers });
            }
        }
    }
    Ok(draft)
}

/// StopMatchmaking.
pub(super) async fn stop(
    present: &mut Present<'_>,
    action: &Action,
    it: &StopMatchmaking,
) -> Result<Draft, OperationError> {
    let mut draft = Draft::new(action, format!("Stop ticket {}", it.ticket_id));
    draft.offer =
        UndoOffer::None("A stopped ticket cannot be restarted. Start another one with a new id.".to_owned());
    draft.hit = Hit::nobody("Its players stop searching.");
    let ticket = present.ticket(&action.region, &it.ticket_id).await?;
    let before = ticket.as_ref().map(|ticket| ticket.status.to_string());
    draft.fact("Status", before, Some(TicketStatus::Cancelled.to_string()));
    match ticket {
        None => draft.refuse(words::missing("ticket", it.ticket_id.as_str(), action)),
        Some(ticket) => {
            draft.name.clone_from(&ticket.configuration_name);
            if ticket.status == TicketStatus::Placing || ticket.status.is_final() {
                draft.refuse(SkipFact::TicketNotStoppable { status: ticket.status });
            }
        }
    }
    Ok(draft)
}

/// StartMatchBackfill.
pub(super) async fn backfill(
    present: &mut Present<'_>,
    action: &Action,
    it: &StartMatchBackfill,
) -> Result<Draft, OperationError> {
    let short = it.game_session_id.short();
    let mut draft = Draft::new(action, format!("Look for new players for {short}"));
    draft.name = Some(it.configuration_name.clone());
    draft.fleet_id = it.game_session_id.fleet_id();
    draft.offer =
        UndoOffer::None("The backfill can be stopped like a ticket while it is searching.".to_owned());
    draft.hit = Hit::nobody("New players join those already playing.");
    draft.fact("Ticket", None, Some(it.ticket_id.to_string()));
    draft.fact("Game session", None, Some(short.to_owned()));
    draft.fact("Players in it", None, Some(it.players.len().to_string()));
    if present.configuration(&action.region, &it.configuration_name).await?.is_none() {
        draft.refuse(words::missing("matchmaking configuration", &it.configuration_name, action));
    }
    match present.find_session(&action.region, &it.game_session_id).await? {
        Found::Unknown => draft.refuse(words::missing("game session", short, action)),
        Found::NotLive => draft.end(SkipFact::SessionNotJoinable { status: None }),
        Found::Here(session) => {
            if !session.status.is_live() {
                draft.end(SkipFact::SessionNotJoinable { status: Some(session.status.clone()) });
            }
            if session.matchmaker_data.as_deref().is_none_or(str::is_empty) {
                draft.refuse(SkipFact::SessionNotOfFlexMatch);
            }
            let inside = usize::try_from(session.current_player_session_count).unwrap_or(0);
            if inside != it.players.len() {
                draft.caution(WarningFact::PlayersNotAllNamed { inside, named: it.players.len() });
            }
        }
    }
    draft.info(WarningFact::BackfillReplaced);
    Ok(draft)
}
