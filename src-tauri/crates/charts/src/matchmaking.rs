//! The matchmaking chart: tickets per minute by outcome, and how long those that were matched waited.

use std::borrow::Cow;

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use liftdeck_store::Reader;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};

use crate::axis::moment;
use crate::error::ChartError;
use crate::picture::{Lane, Line, Picture, Stroke};
use crate::placements::POINTS;
use crate::read::{Read, read};
use crate::theme::Ink;

pub(crate) async fn picture(
    reader: &Reader,
    range: TimeRange,
    now: Timestamp,
) -> Result<Picture, ChartError> {
    let names = vec![
        SeriesName::TicketsCompleted,
        SeriesName::TicketsTimedOut,
        SeriesName::TicketsFailed,
        SeriesName::MatchmakingWaitP50,
        SeriesName::MatchmakingWaitP95,
    ];
    let request = SeriesRequest { scope: SeriesScope::All, names, range, max_points: POINTS };
    let Read { times, bucket_ms, usual_times, columns } = read(reader, &request, now).await?;
    let mut columns = columns.into_iter();
    let mut line = |label, column, ink, (stroke, filled), scale: f64| {
        let mut figures = columns.next().unwrap_or_default();
        figures.scale(scale);
        Line { label: Cow::Borrowed(label), figure: None, column, ink, stroke, filled, figures }
    };
    let rate = (Stroke::Step, true);
    let tickets = vec![
        line("matched", "tickets_completed_per_minute", Ink::Good, rate, 1.0),
        line("timed out", "tickets_timed_out_per_minute", Ink::Warn, rate, 1.0),
        line("failed", "tickets_failed_per_minute", Ink::Bad, rate, 1.0),
    ];
    let wait = (Stroke::Plain, false);
    let waits = vec![
        line("p50", "wait_p50_seconds", Ink::Series1, wait, 0.001),
        line("p95", "wait_p95_seconds", Ink::Series5, wait, 0.001),
    ];
    Ok(Picture {
        title: "Matchmaking".to_owned(),
        subtitle: format!("{} to {} UTC", moment(range.from), moment(range.to)),
        range,
        times,
        bucket_ms,
        usual_times,
        lanes: vec![
            Lane::new("Tickets per minute", 2.0, "", 2.0, tickets),
            Lane::new("Wait for a match", 1.4, " s", 10.0, waits),
        ],
        marks: None,
        shaded: Vec::new(),
    })
}
