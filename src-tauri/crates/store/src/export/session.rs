//! Game sessions and their player sessions, in batches by key.

use std::collections::HashMap;

use liftdeck_model::GameSessionId;
use liftdeck_model::game_session::GameSessionEnding;
use serde_json::{Value, json};
use sqlx::QueryBuilder;

use super::sink::{Cell, Sink};
use super::{ExportError, ExportRequest};
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::directory::Directory;
use crate::reader::session::{GameSessionRow, Resolved, Scope, push_query};
use crate::text::PackedText;

/// Game sessions in one batch. The batch is small because the long texts of each may take a megabyte.
const BATCH: i64 = 250;

/// The keys of matching game sessions, a batch at a time, ascending.
struct Matching<'a> {
    reader: &'a Reader,
    request: &'a ExportRequest,
    directory: &'a Directory,
    resolved: Resolved,
    after: i64,
}

impl<'a> Matching<'a> {
    async fn new(
        reader: &'a Reader,
        request: &'a ExportRequest,
        directory: &'a Directory,
    ) -> Result<Self, StoreError> {
        let resolved = reader.resolved(directory, &[&request.query], request.now).await?;
        Ok(Self { reader, request, directory, resolved, after: i64::MIN })
    }

    async fn next(&mut self) -> Result<Vec<i64>, StoreError> {
        let (directory, resolved, now) = (self.directory, &self.resolved, self.request.now);
        let scope = Scope { directory, resolved, now, lead: None, probing: false };
        let range = self.request.range();
        let mut sql =
            QueryBuilder::new("SELECT s.session_key FROM game_session_state s WHERE s.session_key > ");
        sql.push_bind(self.after).push(" AND s.created_at < ").push_bind(range.to.as_ms());
        sql.push(" AND coalesce(s.ended_at, s.gone_at, ")
            .push_bind(i64::MAX)
            .push(") >= ")
            .push_bind(range.from.as_ms());
        sql.push(" AND ");
        push_query(&mut sql, &self.request.query, &scope);
        sql.push(" ORDER BY s.session_key LIMIT ").push_bind(BATCH);
        let keys: Vec<i64> = sql.build_query_scalar().fetch_all(self.reader.pool()).await?;
        self.after = keys.last().copied().unwrap_or(i64::MAX);
        Ok(keys)
    }
}

pub(super) async fn game_sessions(
    reader: &Reader,
    request: &ExportRequest,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    sink.begin(&[
        "game_session_id",
        "name",
        "fleet_id",
        "region",
        "location",
        "status",
        "status_reason",
        "ending",
        "creation_time",
        "termination_time",
        "end_unseen",
        "current_player_session_count",
        "maximum_player_session_count",
        "player_session_creation_policy",
        "protection_policy",
        "creator_id",
        "ip_address",
        "dns_name",
        "port",
        "compute_name",
        "game_properties",
        "game_session_data",
        "matchmaker_data",
    ])?;
    let directory = reader.directory().await?;
    let mut matching = Matching::new(reader, request, &directory).await?;
    loop {
        let keys = matching.next().await?;
        if keys.is_empty() {
            return Ok(());
        }
        let mut texts = texts(reader, &keys).await?;
        for (key, row) in keys.iter().zip(reader.session_rows(&keys, &directory).await?) {
            let [properties, data, matchmaker] = match texts.remove(key) {
                Some(packed) => unpacked(packed, &row.game_session_id)?,
                None => [json!([]), Value::Null, Value::Null],
            };
            sink.row(session_values(row, properties, data, matchmaker))?;
        }
    }
}

fn session_values(row: GameSessionRow, properties: Value, data: Value, matchmaker: Value) -> Vec<Value> {
    vec![
        Cell::of(row.game_session_id.into_string()),
        Cell::text(row.name),
        Cell::of(row.fleet_id.into_string()),
        Cell::of(row.region.into_string()),
        Cell::of(row.location.into_string()),
        Cell::of(row.status.as_str()),
        Cell::text(row.status_reason.as_ref().map(|reason| reason.as_str())),
        Cell::text(row.ending.map(GameSessionEnding::as_str)),
        Cell::time(Some(row.creation_time)),
        Cell::time(row.termination_time),
        Cell::of(row.end_unseen),
        Cell::of(row.current_player_session_count),
        Cell::of(row.maximum_player_session_count),
        Cell::text(row.player_session_creation_policy),
        Cell::text(row.protection_policy),
        Cell::text(row.creator_id),
        Cell::text(row.ip_address),
        Cell::text(row.dns_name),
        json!(row.port),
        Cell::text(row.compute_name),
        properties,
        data,
        matchmaker,
    ]
}

type Packed = (Option<String>, Option<PackedText>, Option<PackedText>);

async fn texts(reader: &Reader, keys: &[i64]) -> Result<HashMap<i64, Packed>, StoreError> {
    let mut sql = QueryBuilder::new(
        "SELECT session_key, game_properties, game_session_data, matchmaker_data FROM game_session_text \
         WHERE session_key IN (",
    );
    let mut list = sql.separated(", ");
    for key in keys {
        list.push_bind(*key);
    }
    sql.push(")");
    let rows = sql.build().fetch_all(reader.pool()).await?;
    rows.iter()
        .map(|row| {
            let packed =
                (row.read("game_properties")?, row.read("game_session_data")?, row.read("matchmaker_data")?);
            Ok((row.read("session_key")?, packed))
        })
        .collect()
}

fn unpacked(
    (properties, data, matchmaker): Packed,
    session: &GameSessionId,
) -> Result<[Value; 3], StoreError> {
    let pairs: Vec<(String, String)> = match properties {
        Some(text) => serde_json::from_str(&text).map_err(|error| StoreError::Unreadable {
            what: format!("game properties of {session}: {error}"),
        })?,
        None => Vec::new(),
    };
    let properties = pairs.into_iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
    let text = |packed: Option<PackedText>| match packed {
        Some(packed) => packed.unpack(session).map(Value::String),
        None => Ok(Value::Null),
    };
    Ok([Value::Array(properties), text(data)?, text(matchmaker)?])
}

pub(super) async fn player_sessions(
    reader: &Reader,
    request: &ExportRequest,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    sink.begin(&[
        "player_session_id",
        "player_id",
        "game_session_id",
        "fleet_id",
        "region",
        "status",
        "creation_time",
        "termination_time",
        "end_unseen",
        "ip_address",
        "dns_name",
        "port",
        "player_data",
    ])?;
    let directory = reader.directory().await?;
    let mut matching = Matching::new(reader, request, &directory).await?;
    let range = request.range();
    loop {
        let keys = matching.next().await?;
        if keys.is_empty() {
            return Ok(());
        }
        // AWS allows 200 players per session, so a few sessions at a time mean few rows.
        for keys in keys.chunks(50) {
            let mut data = player_data(reader, keys).await?;
            // A player session has the address of its game session.
            let sessions = reader.session_rows(keys, &directory).await?;
            let addresses: HashMap<GameSessionId, Address> = sessions
                .into_iter()
                .map(|row| (row.game_session_id, (row.ip_address, row.dns_name, row.port)))
                .collect();
            for player in reader.player_sessions_in(keys, &directory).await? {
                if !range.contains(player.creation_time) && request.since.or(request.until).is_some() {
                    continue;
                }
                let packed = data.remove(&Code::encode(player.player_session_id.as_str()));
                let text = packed.map(|packed| packed.unpack(&player.game_session_id)).transpose()?;
                let (ip_address, dns_name, port) =
                    addresses.get(&player.game_session_id).cloned().unwrap_or_default();
                sink.row(vec![
                    Cell::of(player.player_session_id.into_string()),
                    Cell::of(player.player_id.into_string()),
                    Cell::of(player.game_session_id.into_string()),
                    Cell::of(player.fleet_id.into_string()),
                    Cell::of(player.region.into_string()),
                    Cell::of(player.status.as_str()),
                    Cell::time(Some(player.creation_time)),
                    Cell::time(player.termination_time),
                    Cell::of(player.end_unseen),
                    Cell::text(ip_address),
                    Cell::text(dns_name),
                    json!(port),
                    Cell::text(text),
                ])?;
            }
        }
    }
}

/// IP address, DNS name and port.
type Address = (Option<String>, Option<String>, Option<i32>);

async fn player_data(reader: &Reader, keys: &[i64]) -> Result<HashMap<Code, PackedText>, StoreError> {
    let mut sql = QueryBuilder::new("SELECT id, player_data FROM player_session_text WHERE session_key IN (");
    let mut list = sql.separated(", ");
    for key in keys {
        list.push_bind(*key);
    }
    sql.push(")");
    let rows = sql.build().fetch_all(reader.pool()).await?;
    rows.iter().map(|row| Ok((row.read("id")?, row.read("player_data")?))).collect()
}
