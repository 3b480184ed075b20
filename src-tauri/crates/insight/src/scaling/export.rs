//! The scaling steps of every fleet as rows of a table, with their causes as the screens tell them.

use liftdeck_model::Timestamp;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_store::export::{Cell, ExportError, Sink};
use liftdeck_store::{Reader, StoreError};
use serde_json::Value;

use super::fleet_scaling;

/// Writes the scaling steps of all fleets in `range`, oldest first.
///
/// # Errors
/// When the store cannot be read or the rows cannot be written.
pub async fn export_scaling_steps(
    reader: &Reader,
    range: TimeRange,
    now: Timestamp,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    sink.begin(&[
        "fleet_id",
        "fleet_name",
        "location",
        "time",
        "from_desired",
        "to_desired",
        "cause",
        "cause_text",
        "evidence",
        "to_active_ms",
    ])?;
    let names = reader.names_of_fleets().await?;
    // A day at a time: what is read around a step has a bound.
    for day in days(reader, range).await? {
        let mut steps = Vec::new();
        for fleet in names.keys() {
            let scaling = fleet_scaling(reader, fleet, day, now).await?;
            steps.extend(scaling.into_iter().flat_map(|it| it.steps).map(|step| (fleet, step)));
        }
        steps.sort_by_key(|(_, step)| step.at);
        for (fleet, step) in steps {
            sink.row(vec![
                Cell::of(fleet.as_str()),
                Cell::text(names.get(fleet)),
                Cell::of(step.location.into_string()),
                Cell::time(Some(step.at)),
                Cell::of(step.from_desired),
                Cell::of(step.to_desired),
                Cell::of(step.cause.name()),
                Cell::of(step.cause_text),
                Cell::of(step.evidence_text),
                step.to_active_ms.map_or(Value::Null, Cell::of),
            ])?;
        }
    }
    Ok(())
}

/// The days of a range that have figures, as far as they lie in it.
async fn days(reader: &Reader, range: TimeRange) -> Result<Vec<TimeRange>, StoreError> {
    let day = |day: i64| {
        let from = Timestamp::from_ms(day * DAY_MS);
        TimeRange::new(from.max(range.from), from.plus_ms(DAY_MS).min(range.to))
    };
    Ok(reader.sampled_locations(None, range).await?.into_keys().map(day).collect())
}
