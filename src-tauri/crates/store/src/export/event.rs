//! Fleet events, placements and FlexMatch events, oldest first, in batches by key.

use liftdeck_model::Timestamp;
use liftdeck_model::matchmaking::EventTicket;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _};

use super::sink::{Cell, Sink};
use super::{ExportError, ExportRequest};
use crate::code::Code;
use crate::error::StoreError;
use crate::reader::Reader;

/// Rows in one batch.
const BATCH: i64 = 1_000;

fn time(row: &SqliteRow, index: usize) -> Result<Value, sqlx::Error> {
    Ok(Cell::time(row.try_get::<Option<i64>, _>(index)?.map(Timestamp::from_ms)))
}

fn text(row: &SqliteRow, index: usize) -> Result<Value, sqlx::Error> {
    Ok(Cell::text(row.try_get::<Option<String>, _>(index)?))
}

fn number(row: &SqliteRow, index: usize) -> Result<Value, sqlx::Error> {
    Ok(json!(row.try_get::<Option<i64>, _>(index)?))
}

fn session(row: &SqliteRow, prefix: usize, id: usize) -> Result<Value, sqlx::Error> {
    let parts = row.try_get::<Option<String>, _>(prefix)?.zip(row.try_get::<Option<Code>, _>(id)?);
    Ok(Cell::text(parts.map(|(prefix, id)| format!("{prefix}/{}", id.decode()))))
}

/// Rows whose key is above `after`, in the range asked for, ascending by key; `head` selects the key as first column.
async fn batch(
    reader: &Reader,
    request: &ExportRequest,
    head: &'static str,
    after: &mut i64,
) -> Result<Vec<SqliteRow>, StoreError> {
    let range = request.range();
    let mut sql = QueryBuilder::new(head);
    sql.push(" WHERE e.event_key > ")
        .push_bind(*after)
        .push(" AND e.event_at >= ")
        .push_bind(range.from.as_ms());
    sql.push(" AND e.event_at < ")
        .push_bind(range.to.as_ms())
        .push(" ORDER BY e.event_key LIMIT ")
        .push_bind(BATCH);
    let rows = sql.build().fetch_all(reader.pool()).await?;
    if let Some(last) = rows.last() {
        *after = last.try_get(0)?;
    }
    Ok(rows)
}

pub(super) async fn fleet_events(
    reader: &Reader,
    request: &ExportRequest,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    sink.begin(&["event_id", "resource_id", "event_code", "message", "event_time", "count", "has_log"])?;
    let directory = reader.directory().await?;
    let mut after = i64::MIN;
    loop {
        let rows = batch(
            reader,
            request,
            "SELECT e.event_key, e.event_id, e.fleet_key, e.event_code, e.message, e.event_at, e.count, e.has_log \
             FROM fleet_event e",
            &mut after,
        )
        .await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            let values = || -> Result<Vec<Value>, sqlx::Error> {
                Ok(vec![
                    Cell::of(row.try_get::<Code, _>(1)?.decode()),
                    Cell::of(directory.fleet_id(row.try_get(2)?).into_string()),
                    text(row, 3)?,
                    text(row, 4)?,
                    time(row, 5)?,
                    number(row, 6)?,
                    Cell::of(row.try_get::<bool, _>(7)?),
                ])
            };
            sink.row(values().map_err(StoreError::from)?)?;
        }
    }
}

pub(super) async fn placements(
    reader: &Reader,
    request: &ExportRequest,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    sink.begin(&[
        "placement_id",
        "event_type",
        "event_id",
        "game_session_queue_name",
        "region",
        "event_time",
        "start_time",
        "end_time",
        "game_session_id",
        "game_session_region",
        "location",
        "fleet_id",
        "ip_address",
        "dns_name",
        "port",
        "compute_name",
        "custom_event_data",
        "placed_player_sessions",
    ])?;
    let directory = reader.directory().await?;
    let mut after = i64::MIN;
    loop {
        let rows = batch(
            reader,
            request,
            "SELECT e.event_key, e.placement_id, e.event_type, e.event_id, e.queue, e.region_key, e.event_at, e.start_at, \
             e.end_at, a.prefix, e.session_id, e.session_region, e.location_key, e.fleet_key, e.ip_address, e.dns_name, \
             e.port, e.compute_name, e.custom_event_data, (SELECT json_group_array(json_array(CASE typeof(y.id) WHEN \
             'text' THEN y.id ELSE hex(y.id) END, CASE typeof(p.player_session_id) WHEN 'text' THEN p.player_session_id \
             ELSE hex(p.player_session_id) END, typeof(y.id), typeof(p.player_session_id))) FROM placement_player p \
             JOIN player y ON y.player_key = p.player_key WHERE p.event_key = e.event_key) \
             FROM placement_event e LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key",
            &mut after,
        )
        .await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            let values = || -> Result<Vec<Value>, sqlx::Error> {
                let fleet = row.try_get::<Option<i64>, _>(13)?.map(|key| directory.fleet_id(key));
                Ok(vec![
                    text(row, 1)?,
                    Cell::text(directory.word(row.try_get(2)?)),
                    text(row, 3)?,
                    text(row, 4)?,
                    Cell::of(directory.region(row.try_get(5)?).into_string()),
                    time(row, 6)?,
                    time(row, 7)?,
                    time(row, 8)?,
                    session(row, 9, 10)?,
                    text(row, 11)?,
                    Cell::text(directory.location(row.try_get(12)?)),
                    Cell::text(fleet),
                    text(row, 14)?,
                    text(row, 15)?,
                    number(row, 16)?,
                    text(row, 17)?,
                    text(row, 18)?,
                    players(row.try_get(19)?),
                ])
            };
            sink.row(values().map_err(StoreError::from)?)?;
        }
    }
}

/// Players from the pairs the statement above makes: packed ids come in hexadecimal.
fn players(pairs: &str) -> Value {
    let pairs: Vec<[String; 4]> = serde_json::from_str(pairs).unwrap_or_default();
    let id = |text: &str, kind: &str| if kind == "text" { text.to_owned() } else { from_hex(text) };
    let player = |[player, slot, player_kind, slot_kind]: &[String; 4]| json!({"player_id": id(player, player_kind), "player_session_id": id(slot, slot_kind)});
    Value::Array(pairs.iter().map(player).collect())
}

fn from_hex(text: &str) -> String {
    let digits: Vec<u8> =
        text.chars().filter_map(|c| c.to_digit(16)).filter_map(|digit| u8::try_from(digit).ok()).collect();
    let bytes = digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit));
    Code::Packed(bytes.collect()).decode()
}

pub(super) async fn matchmaking_events(
    reader: &Reader,
    request: &ExportRequest,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    sink.begin(&[
        "event_id",
        "event_type",
        "configuration_name",
        "region",
        "event_time",
        "match_id",
        "reason",
        "message",
        "estimated_wait_seconds",
        "game_session_id",
        "tickets",
    ])?;
    let directory = reader.directory().await?;
    let mut after = i64::MIN;
    loop {
        let rows = batch(
            reader,
            request,
            "SELECT e.event_key, e.event_id, e.event_type, e.configuration, e.region_key, e.event_at, e.match_id, e.reason, \
             e.message, e.estimated_wait_seconds, a.prefix, e.session_id, e.tickets \
             FROM matchmaking_event e LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key",
            &mut after,
        )
        .await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            let values = || -> Result<Vec<Value>, sqlx::Error> {
                Ok(vec![
                    Cell::of(row.try_get::<Code, _>(1)?.decode()),
                    text(row, 2)?,
                    text(row, 3)?,
                    Cell::of(directory.region(row.try_get(4)?).into_string()),
                    time(row, 5)?,
                    text(row, 6)?,
                    text(row, 7)?,
                    text(row, 8)?,
                    number(row, 9)?,
                    session(row, 10, 11)?,
                    tickets(row.try_get(12)?),
                ])
            };
            sink.row(values().map_err(StoreError::from)?)?;
        }
    }
}

fn tickets(text: &str) -> Value {
    let tickets: Vec<EventTicket> = serde_json::from_str(text).unwrap_or_default();
    let ticket = |ticket: &EventTicket| {
        let players = ticket.players.iter().map(
            |player| json!({"player_id": player.player_id, "team": player.team, "accepted": player.accepted}),
        );
        json!({
            "ticket_id": ticket.ticket_id,
            "start_time": Cell::time(ticket.start_time),
            "players": players.collect::<Vec<_>>(),
        })
    };
    Value::Array(tickets.iter().map(ticket).collect())
}
