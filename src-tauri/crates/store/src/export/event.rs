//! Fleet events, placements and FlexMatch events, in the order they were recorded, in batches by key.

use liftdeck_model::Timestamp;
use liftdeck_model::matchmaking::EventTicket;
use serde_json::{Value, json};
use sqlx::QueryBuilder;
use sqlx::sqlite::SqliteRow;

use super::sink::{Cell, Sink};
use super::{ExportError, ExportRequest};
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::{Reader, session_of};

/// Rows in one batch.
const BATCH: i64 = 1_000;

fn time(row: &SqliteRow, name: &str) -> Result<Value, StoreError> {
    Ok(Cell::time(row.read::<Option<Timestamp>>(name)?))
}

fn text(row: &SqliteRow, name: &str) -> Result<Value, StoreError> {
    Ok(Cell::text(row.read::<Option<String>>(name)?))
}

fn number(row: &SqliteRow, name: &str) -> Result<Value, StoreError> {
    Ok(json!(row.read::<Option<i64>>(name)?))
}

fn code(row: &SqliteRow, name: &str) -> Result<Value, StoreError> {
    Ok(Cell::of(row.read::<Code>(name)?.decode()))
}

/// Reads the next rows in the requested range, by ascending `event_key` above `after`, and moves `after` to the last
/// of them. `head` is the start of the statement.
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
        *after = last.read("event_key")?;
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
            sink.row(vec![
                code(row, "event_id")?,
                Cell::of(directory.fleet_id(row.read("fleet_key")?).into_string()),
                text(row, "event_code")?,
                text(row, "message")?,
                time(row, "event_at")?,
                number(row, "count")?,
                Cell::of(row.read::<bool>("has_log")?),
            ])?;
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
             JOIN player y ON y.player_key = p.player_key WHERE p.event_key = e.event_key) AS players \
             FROM placement_event e LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key",
            &mut after,
        )
        .await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            let fleet = row.read::<Option<i64>>("fleet_key")?.map(|key| directory.fleet_id(key));
            sink.row(vec![
                text(row, "placement_id")?,
                Cell::text(directory.word(row.read("event_type")?)),
                text(row, "event_id")?,
                text(row, "queue")?,
                Cell::of(directory.region(row.read("region_key")?).into_string()),
                time(row, "event_at")?,
                time(row, "start_at")?,
                time(row, "end_at")?,
                Cell::text(session_of(row)?),
                text(row, "session_region")?,
                Cell::text(directory.location(row.read("location_key")?)),
                Cell::text(fleet),
                text(row, "ip_address")?,
                text(row, "dns_name")?,
                number(row, "port")?,
                text(row, "compute_name")?,
                text(row, "custom_event_data")?,
                players(row.text("players")?),
            ])?;
        }
    }
}

/// Parses the players from the JSON that the statement above makes; packed ids come in hexadecimal.
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
            sink.row(vec![
                code(row, "event_id")?,
                text(row, "event_type")?,
                text(row, "configuration")?,
                Cell::of(directory.region(row.read("region_key")?).into_string()),
                time(row, "event_at")?,
                text(row, "match_id")?,
                text(row, "reason")?,
                text(row, "message")?,
                number(row, "estimated_wait_seconds")?,
                Cell::text(session_of(row)?),
                tickets(row.text("tickets")?),
            ])?;
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
