//! FlexMatch events, and what the newest of them says about each ticket.
//!
//! Owns their rows. Delivery is at least once and in any order: an event is recognised by its id, and the state of a
//! ticket comes from the latest event, not from the last to arrive.

use std::collections::{HashMap, HashSet};

use liftdeck_model::Timestamp;
use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent, TicketPlayer};
use liftdeck_model::observation::Subject;

use crate::bulk::Bulk;
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::list::{PART, of_list};
use crate::writer::resource::document;
use crate::writer::transaction::Transaction;

/// The state an event gives its tickets: the API's status, and how far along that is.
///
/// AWS: a proposed match waits for its players only if the configuration requires them to accept.
/// `AcceptMatchCompleted` does not say here how the players answered; the next event does.
fn state(event_type: &str, asks_players: bool) -> (&'static str, i64) {
    match event_type {
        "PotentialMatchCreated" if asks_players => ("REQUIRES_ACCEPTANCE", 1),
        "PotentialMatchCreated" => ("PLACING", 1),
        "AcceptMatch" => ("REQUIRES_ACCEPTANCE", 2),
        "AcceptMatchCompleted" => ("PLACING", 3),
        "MatchmakingSucceeded" => ("COMPLETED", 4),
        "MatchmakingTimedOut" => ("TIMED_OUT", 4),
        "MatchmakingCancelled" => ("CANCELLED", 4),
        "MatchmakingFailed" => ("FAILED", 4),
        _ => ("SEARCHING", 0),
    }
}

/// Applies an event only if it is later. At equal times the one further along wins, except for a ticket that is back
/// in the pool after its match was not accepted.
const LATER_HOLDS: &str = "ON CONFLICT (ticket_id, region_key) DO UPDATE SET configuration = excluded.configuration, \
     state = excluded.state, step = excluded.step, started_at = coalesce(excluded.started_at, started_at), \
     updated_at = excluded.updated_at, match_id = excluded.match_id, message = excluded.message, \
     session_prefix_key = excluded.session_prefix_key, session_id = excluded.session_id, \
     players = iif(match_id IS excluded.match_id AND step IN (2, 3) AND excluded.step > 2, players, excluded.players) \
     WHERE excluded.updated_at > updated_at OR (excluded.updated_at = updated_at AND \
     iif(excluded.step IN (0, 3) AND step IN (0, 3), excluded.step <= step, excluded.step >= step))";

/// Keeps the highest counts: answers add up while a match waits for them, and events come in any order.
const MOST_HOLDS: &str = "ON CONFLICT (region_key, configuration, match_id) DO UPDATE SET \
     asked = coalesce(max(asked, excluded.asked), asked, excluded.asked), accepted = max(accepted, excluded.accepted), \
     completed_at = coalesce(max(completed_at, excluded.completed_at), completed_at, excluded.completed_at)";

impl Transaction<'_> {
    pub(super) async fn matchmaking_events(&mut self, events: &[MatchmakingEvent]) -> Result<(), StoreError> {
        let mut present: HashSet<Code> = HashSet::new();
        for part in events.chunks(PART) {
            let query = of_list(
                "SELECT event_id FROM matchmaking_event WHERE event_id IN ({list})",
                part.iter().map(|event| Code::encode(&event.event_id)),
            );
            for row in query.fetch_all(self.read().await?).await? {
                present.insert(row.read("event_id")?);
            }
        }
        let mut rows = Bulk::insert(
            "matchmaking_event (event_key, event_id, event_type, configuration, region_key, event_at, match_id, \
             reason, message, estimated_wait_seconds, session_prefix_key, session_id, tickets)",
        );
        let mut tickets = Bulk::upsert("matchmaking_ticket (ticket_id, event_key)", "ON CONFLICT DO NOTHING");
        let mut new = Vec::new();
        for event in events {
            let code = Code::encode(&event.event_id);
            if !present.insert(code.clone()) {
                self.tally.duplicates += 1;
                continue;
            }
            let key = self.memory.next_key("matchmaking_event");
            let (prefix_key, session) = self.session_parts(event.game_session_id.as_ref()).await?;
            rows.push(key)?;
            rows.push(code)?;
            rows.push(event.event_type.clone())?;
            rows.push(event.configuration.clone())?;
            rows.push(self.region_key(event.region.as_str()).await?)?;
            rows.push(event.event_time.as_ms())?;
            rows.push(event.match_id.clone())?;
            rows.push(event.reason.clone())?;
            rows.push(event.message.clone())?;
            rows.push(event.estimated_wait_seconds)?;
            rows.push(prefix_key)?;
            rows.push(session)?;
            rows.push(document(&event.tickets)?)?;
            for ticket in &event.tickets {
                tickets.push(ticket.ticket_id.as_str().to_owned())?;
                tickets.push(key)?;
            }
            new.push(event);
        }
        if rows.is_empty() {
            return Ok(());
        }
        let connection = self.write().await?;
        let written = rows.send(&mut *connection).await?;
        tickets.send(connection).await?;
        self.tell_answers(&new).await?;
        self.tell_tickets(new).await?;
        self.tally.count("matchmaking_events", written, Subject::Matchmaking);
        Ok(())
    }

    /// Updates how many players each match asked and how many accepted.
    async fn tell_answers(&mut self, events: &[&MatchmakingEvent]) -> Result<(), StoreError> {
        let mut sheet = Bulk::upsert(
            "match_answer (region_key, configuration, match_id, asked, accepted, completed_at)",
            MOST_HOLDS,
        );
        for event in events {
            let Some(match_id) = &event.match_id else { continue };
            let players = || event.tickets.iter().flat_map(|ticket| &ticket.players);
            let (asked, accepted, completed_at) = match event.event_type.as_str() {
                "AcceptMatch" => {
                    (None, players().filter(|player| player.accepted == Some(true)).count(), None)
                }
                "AcceptMatchCompleted" => (Some(players().count()), 0, Some(event.event_time.as_ms())),
                _ => continue,
            };
            sheet.push(self.region_key(event.region.as_str()).await?)?;
            sheet.push(event.configuration.clone())?;
            sheet.push(match_id.clone())?;
            sheet.push(asked.map(count))?;
            sheet.push(count(accepted))?;
            sheet.push(completed_at)?;
        }
        sheet.send(self.write().await?).await?;
        Ok(())
    }

    /// Updates the tickets of new events.
    async fn tell_tickets(&mut self, mut events: Vec<&MatchmakingEvent>) -> Result<(), StoreError> {
        events.sort_by_key(|event| event.event_time);
        let mut asking: HashMap<(i64, &str), bool> = HashMap::new();
        let mut of_ticket: HashMap<(&str, i64), Vec<&TicketPlayer>> = HashMap::new();
        let mut sheet = ticket_sheet();
        for event in events {
            let region_key = self.region_key(event.region.as_str()).await?;
            let of = (region_key, event.configuration.as_str());
            let asks_players = match asking.get(&of) {
                Some(known) => *known,
                None => {
                    *asking.entry(of).or_insert(self.asks_players(region_key, &event.configuration).await?)
                }
            };
            let (prefix_key, session) = self.session_parts(event.game_session_id.as_ref()).await?;
            for ticket in &event.tickets {
                push_ticket(&mut sheet, event, ticket, region_key, state(&event.event_type, asks_players))?;
                sheet.push(prefix_key)?;
                sheet.push(session.clone())?;
                sheet.push(document(&ticket.players)?)?;
                of_ticket.entry((ticket.ticket_id.as_str(), region_key)).or_default().extend(&ticket.players);
            }
        }
        let connection = self.write().await?;
        sheet.send(connection).await?;
        self.lead_to_tickets(&of_ticket).await
    }

    /// Records which tickets the players are in. [`Self::tell_tickets`] has already written the tickets.
    async fn lead_to_tickets(
        &mut self,
        of_ticket: &HashMap<(&str, i64), Vec<&TicketPlayer>>,
    ) -> Result<(), StoreError> {
        let mut links: Vec<(Code, i64)> = Vec::new();
        let tickets: Vec<&(&str, i64)> = of_ticket.keys().collect();
        for part in tickets.chunks(PART) {
            let query = of_list(
                "SELECT ticket_id, region_key, ticket_key FROM ticket WHERE ticket_id IN ({list})",
                part.iter().map(|(ticket_id, _)| *ticket_id),
            );
            for row in query.fetch_all(self.read().await?).await? {
                let key: i64 = row.read("ticket_key")?;
                let ticket = (row.text("ticket_id")?, row.read("region_key")?);
                let players = of_ticket.get(&ticket).into_iter().flatten();
                links.extend(players.map(|player| (Code::encode(player.player_id.as_str()), key)));
            }
        }
        // Sorted in the order of their index, because neighbours share its pages, and each once, because most events
        // repeat their players.
        links.sort_unstable();
        links.dedup();
        let mut rows = Bulk::upsert("ticket_player (player, ticket_key)", "ON CONFLICT DO NOTHING");
        for (player, key) in links {
            rows.push(player)?;
            rows.push(key)?;
        }
        rows.send(self.write().await?).await?;
        Ok(())
    }

    /// Whether a configuration asks players to accept a match; false if it was never listed.
    async fn asks_players(&mut self, region_key: i64, configuration: &str) -> Result<bool, StoreError> {
        let asks: Option<Option<bool>> = sqlx::query_scalar(
            "SELECT json_extract(document, '$.acceptance_required') FROM resource \
             WHERE kind = 'matchmaking_configuration' AND owner_key = 0 AND region_key = ? AND id = ?",
        )
        .bind(region_key)
        .bind(configuration)
        .fetch_optional(self.read().await?)
        .await?;
        Ok(asks.flatten().unwrap_or(false))
    }
}

fn ticket_sheet() -> Bulk {
    Bulk::upsert(
        "ticket (ticket_id, region_key, configuration, state, step, started_at, updated_at, match_id, message, \
         session_prefix_key, session_id, players)",
        LATER_HOLDS,
    )
}

/// Pushes all columns of a ticket up to its message.
fn push_ticket(
    sheet: &mut Bulk,
    event: &MatchmakingEvent,
    ticket: &EventTicket,
    region_key: i64,
    (state, step): (&'static str, i64),
) -> Result<(), StoreError> {
    sheet.push(ticket.ticket_id.as_str().to_owned())?;
    sheet.push(region_key)?;
    sheet.push(event.configuration.clone())?;
    sheet.push(state)?;
    sheet.push(step)?;
    sheet.push(ticket.start_time.map(Timestamp::as_ms))?;
    sheet.push(event.event_time.as_ms())?;
    sheet.push(event.match_id.clone())?;
    sheet.push(event.message.clone().or_else(|| event.reason.clone()))
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
