//! The placements chart: placements per minute by outcome, and the number waiting.

use std::borrow::Cow;

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use liftdeck_store::Reader;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};

use crate::axis::moment;
use crate::error::ChartError;
use crate::picture::{Lane, Line, Picture, Stroke};
use crate::read::{Read, read};
use crate::theme::Ink;

/// Fewer buckets than in other charts: a rate over some minutes says more than single placements.
pub(crate) const POINTS: u32 = 180;

pub(crate) async fn picture(
    reader: &Reader,
    range: TimeRange,
    now: Timestamp,
) -> Result<Picture, ChartError> {
    let names = vec![SeriesName::PlacementsFulfilled, SeriesName::PlacementsFailed, SeriesName::QueueDepth];
    let request = SeriesRequest { scope: SeriesScope::All, names, range, max_points: POINTS };
    let Read { times, bucket_ms, usual_times, columns } = read(reader, &request, now).await?;
    let mut columns = columns.into_iter();
    let mut line = |label, column, ink| Line {
        label: Cow::Borrowed(label),
        figure: None,
        column,
        ink,
        stroke: Stroke::Step,
        filled: true,
        figures: columns.next().unwrap_or_default(),
    };
    let fulfilled = line("fulfilled", "placements_fulfilled_per_minute", Ink::Good);
    let failed = line("failed, timed out", "placements_failed_per_minute", Ink::Bad);
    let waiting = line("waiting", "queue_depth", Ink::Series4);
    Ok(Picture {
        title: "Placements".to_owned(),
        subtitle: format!("{} to {} UTC", moment(range.from), moment(range.to)),
        range,
        times,
        bucket_ms,
        usual_times,
        lanes: vec![
            Lane::new("Placements per minute", 2.0, "", 2.0, vec![fulfilled, failed]),
            Lane::new("Queue depth", 1.0, "", 2.0, vec![waiting]),
        ],
        marks: None,
        shaded: Vec::new(),
    })
}
