//! Operations that start, accept, stop and backfill matchmaking.

use std::collections::BTreeMap;

use super::constraint::{MATCHMAKER, NON_EMPTY, PLAYER, SESSION, SHORT_TEXT, TICKET};
use super::listing;
use super::lookup::{self, invalid, names, not_found};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Double, Integer, Items, Map, Nested, Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::AttributeValue;
use liftdeck_simulated_world::{NewPlayer, TicketPurpose};

/// The most strings in a list attribute and pairs in a map attribute (G2).
const MOST_STRINGS: usize = 100;
const MOST_PAIRS: usize = 10;

static ATTRIBUTE_TEXT: Text = Text::length(1, 100);
static TEXTS: Items<'_, Text> = Items { each: &ATTRIBUTE_TEXT, min: 0, max: usize::MAX };
static ATTRIBUTE: Nested<AttributeInput> = Nested::new();
static LATENCY: Integer = Integer::between(1, i32::MAX as i64);
static PLAYER_INPUT: Nested<PlayerInput> = Nested::new();
static PLAYERS: Items<'_, Nested<PlayerInput>> = Items { each: &PLAYER_INPUT, min: 0, max: usize::MAX };
static PLAYER_IDS: Items<'_, Text> = Items { each: &PLAYER, min: 0, max: usize::MAX };
static ACCEPTANCE: Text = Text::one_of(&["ACCEPT", "REJECT"]);

input! {
    struct AttributeInput {
        text: Option<String> = optional("S", ATTRIBUTE_TEXT),
        number: Option<f64> = optional("N", Double),
        texts: Option<Vec<String>> = optional("SL", TEXTS),
        numbers: Option<BTreeMap<String, f64>> = optional("SDM", Map { key: &ATTRIBUTE_TEXT, each: &Double }),
    }

    struct PlayerInput {
        player: Option<String> = optional("PlayerId", PLAYER),
        attributes: Option<BTreeMap<String, AttributeInput>> = optional(
            "PlayerAttributes",
            Map { key: &SHORT_TEXT, each: &ATTRIBUTE }
        ),
        team: Option<String> = optional("Team", SHORT_TEXT),
        latencies: Option<BTreeMap<String, i64>> = optional(
            "LatencyInMs",
            Map { key: &NON_EMPTY, each: &LATENCY }
        ),
    }

    struct StartInput {
        configuration: String = required("ConfigurationName", MATCHMAKER),
        players: Vec<PlayerInput> = required("Players", PLAYERS),
        ticket: Option<String> = optional("TicketId", TICKET),
    }

    struct BackfillInput {
        configuration: String = required("ConfigurationName", MATCHMAKER),
        players: Vec<PlayerInput> = required("Players", PLAYERS),
        ticket: Option<String> = optional("TicketId", TICKET),
        session: Option<String> = optional("GameSessionArn", SESSION),
    }

    struct StopInput {
        ticket: String = required("TicketId", TICKET),
    }

    struct AcceptInput {
        ticket: String = required("TicketId", TICKET),
        players: Vec<String> = required("PlayerIds", PLAYER_IDS),
        answer: String = required("AcceptanceType", ACCEPTANCE),
    }
}

fn attribute(name: &str, input: AttributeInput) -> Result<AttributeValue, ServiceError> {
    match (input.text, input.number, input.texts, input.numbers) {
        (Some(text), None, None, None) => Ok(AttributeValue::Text(text)),
        (None, Some(number), None, None) => Ok(AttributeValue::Number(number)),
        (None, None, Some(texts), None) if texts.len() > MOST_STRINGS => {
            Err(invalid(format!("PlayerAttributes: {name} can have at most {MOST_STRINGS} strings.")))
        }
        (None, None, None, Some(numbers)) if numbers.len() > MOST_PAIRS => {
            Err(invalid(format!("PlayerAttributes: {name} can have at most {MOST_PAIRS} pairs.")))
        }
        (None, None, Some(texts), None) => Ok(AttributeValue::Texts(texts)),
        (None, None, None, Some(numbers)) => Ok(AttributeValue::Numbers(numbers.into_iter().collect())),
        _ => Err(invalid(format!("PlayerAttributes: {name} needs exactly one of S, N, SL and SDM."))),
    }
}

fn player(input: PlayerInput) -> Result<NewPlayer, ServiceError> {
    let attributes = input.attributes.unwrap_or_default().into_iter();
    let attributes = attributes.map(|(name, value)| Ok((name.clone(), attribute(&name, value)?)));
    let latencies = input.latencies.unwrap_or_default().into_iter();
    Ok(NewPlayer {
        player_id: input.player.unwrap_or_default(),
        attributes: attributes.collect::<Result<_, ServiceError>>()?,
        latencies: latencies
            .map(|(location, ms)| (location, u32::try_from(ms).unwrap_or(u32::MAX)))
            .collect(),
        team: input.team,
    })
}

/// Returns the name of the configuration with this name or ARN.
pub(super) fn named(call: &Call<'_>, name_or_arn: &str) -> Result<String, ServiceError> {
    let mut known = call.world.matchmaking_configurations(call.region);
    let found = known.find(|known| names(name_or_arn, &known.name, &known.configuration_arn));
    let found = found.ok_or_else(|| not_found("Matchmaking configuration", name_or_arn))?;
    Ok(found.name.clone())
}

fn begin(
    change: &mut Change<'_>,
    configuration: &str,
    ticket: Option<String>,
    players: Vec<PlayerInput>,
    purpose: TicketPurpose<'_>,
    writer: &mut Writer,
) -> Result<(), ServiceError> {
    let name = named(&change.call(), configuration)?;
    let players = players.into_iter().map(player).collect::<Result<Vec<_>, _>>()?;
    let id = change.world.start_matchmaking(change.region, &name, ticket, players, purpose)?;
    let ticket = change.world.ticket(change.region, &id);
    in_place!({ "MatchmakingTicket" => ticket }).write(writer);
    Ok(())
}

/// `StartMatchmaking`.
pub(super) fn start(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: StartInput = lookup::read(&change.call())?;
    begin(change, &input.configuration, input.ticket, input.players, TicketPurpose::Match, writer)
}

/// `StartMatchBackfill`.
pub(super) fn start_backfill(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: BackfillInput = lookup::read(&change.call())?;
    if input.players.iter().any(|player| player.team.is_none()) {
        return Err(invalid("A backfill request must name the Team of every player."));
    }
    let purpose = TicketPurpose::Backfill(input.session.as_deref());
    begin(change, &input.configuration, input.ticket, input.players, purpose, writer)
}

/// `StopMatchmaking`.
pub(super) fn stop(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: StopInput = lookup::read(&change.call())?;
    change.world.stop_matchmaking(change.region, &input.ticket)?;
    listing::write_empty(writer);
    Ok(())
}

/// `AcceptMatch`.
pub(super) fn accept(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: AcceptInput = lookup::read(&change.call())?;
    change.world.accept_match(change.region, &input.ticket, &input.players, input.answer == "ACCEPT")?;
    listing::write_empty(writer);
    Ok(())
}
