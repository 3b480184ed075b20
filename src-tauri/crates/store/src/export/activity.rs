//! Exports what this installation changed, in the order it was recorded, in batches by key.

use liftdeck_model::activity::{Activity, ActivityId, RunId};
use serde_json::{Value, json};
use sqlx::QueryBuilder;

use super::sink::{Cell, Sink};
use super::{ExportError, ExportRequest, Format};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::activity::{ActivityRequest, push_request};
use crate::reader::window::Page;
use crate::writer::read_document;

/// Rows in one batch.
const BATCH: i64 = 500;

/// Writes all pages of the matching attempts and returns their number.
///
/// # Errors
/// When the store cannot be read, or `out` cannot be written.
pub async fn export_activities(
    reader: &Reader,
    request: &ActivityRequest,
    format: Format,
    out: &mut (dyn std::io::Write + Send),
) -> Result<u64, ExportError> {
    let mut sink = Sink::new(format, out);
    write(reader, request, &mut sink).await?;
    Ok(sink.finish()?)
}

pub(super) async fn activity(
    reader: &Reader,
    request: &ExportRequest,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    let range = (request.since.is_some() || request.until.is_some()).then(|| request.range());
    write(reader, &ActivityRequest { range, ..ActivityRequest::everything(Page::first(0)) }, sink).await
}

async fn write(reader: &Reader, request: &ActivityRequest, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "activity_id",
        "run_id",
        "item",
        "time",
        "end_time",
        "region",
        "operation",
        "resource_kind",
        "resource",
        "name",
        "fleet_id",
        "outcome",
        "proof",
        "request_id",
        "aws_code",
        "message",
        "effect",
        "effect_text",
        "effect_time",
        "changes",
        "made",
        "made_player_sessions",
        "undo_of",
        "source",
        "caller_arn",
        "request",
    ])?;
    let directory = reader.directory().await.map_err(ExportError::Store)?;
    let mut after = i64::MIN;
    loop {
        let mut sql = QueryBuilder::new(
            "SELECT a.activity_key, d.document FROM activity a JOIN activity_document d ON d.activity_key = a.activity_key \
             WHERE a.activity_key > ",
        );
        sql.push_bind(after).push(" AND ");
        push_request(&mut sql, request, &directory);
        sql.push(" ORDER BY a.activity_key LIMIT ").push_bind(BATCH);
        let rows = sql.build().fetch_all(reader.pool()).await.map_err(StoreError::from)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            after = row.read("activity_key")?;
            sink.row(values(&read_document(&row.read("document")?)?)?)?;
        }
    }
}

fn values(activity: &Activity) -> Result<Vec<Value>, StoreError> {
    let about = activity.action.request.resource();
    let resource = if about.id.is_empty() { activity.made.clone() } else { Some(about.id) };
    let effect = activity.effect.as_ref();
    Ok(vec![
        Cell::of(activity.id.as_str()),
        Cell::text(activity.run.as_ref().map(RunId::as_str)),
        json!(activity.item),
        Cell::time(Some(activity.at)),
        Cell::time(activity.ended_at),
        Cell::of(activity.region.as_str()),
        Cell::of(activity.action.request.operation()),
        json_of(&about.kind)?,
        Cell::text(resource),
        Cell::text(activity.name.as_ref()),
        Cell::text(activity.fleet_id.as_ref()),
        json_of(&activity.outcome)?,
        json_of(&activity.proof)?,
        Cell::text(activity.request_id.as_ref()),
        Cell::text(activity.aws_code.as_ref()),
        Cell::text(activity.message.as_ref()),
        effect.map_or(Ok(Value::Null), |effect| json_of(&effect.state))?,
        Cell::text(effect.map(|effect| &effect.text)),
        Cell::time(effect.map(|effect| effect.at)),
        json_of(&activity.facts)?,
        Cell::text(activity.made.as_ref()),
        json_of(&activity.made_player_sessions)?,
        Cell::text(activity.undo_of.as_ref().map(ActivityId::as_str)),
        json_of(&activity.source)?,
        Cell::text(activity.caller_arn.as_ref()),
        json_of(&activity.action.request)?,
    ])
}

fn json_of(value: &impl serde::Serialize) -> Result<Value, StoreError> {
    serde_json::to_value(value)
        .map_err(|error| StoreError::Unreadable { what: format!("an attempt to be written out: {error}") })
}
