//! What a chart shows, before it has any size or colour: lanes over one time axis.

use liftdeck_model::Severity;
use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::series::{Band, BandedTable};

use crate::axis::width;
use crate::theme::Ink;

/// A chart.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) range: TimeRange,
    pub(crate) times: Vec<Timestamp>,
    pub(crate) bucket_ms: i64,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) marks: Option<MarkLane>,
    /// Stretches shaded through every lane.
    pub(crate) shaded: Vec<TimeRange>,
}

/// Lines that share a scale.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub(crate) title: &'static str,
    /// Share of the height.
    pub(crate) weight: f64,
    /// Written after numbers: ` %`.
    pub(crate) unit: &'static str,
    /// Top of the scale at least.
    pub(crate) at_least: f64,
    pub(crate) lines: Vec<Line>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// From point to point.
    Plain,
    /// Each value holds over its bucket.
    Step,
    /// A step in dashes: a limit or a target.
    Dashed,
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) label: &'static str,
    /// Column name in the CSV.
    pub(crate) column: &'static str,
    pub(crate) ink: Ink,
    pub(crate) stroke: Stroke,
    /// Whether the ground below is tinted.
    pub(crate) filled: bool,
    pub(crate) figures: Figures,
}

/// What a line is drawn of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// One value a bucket; NaN is a gap.
    pub(crate) values: Vec<f64>,
    /// How far they went inside each bucket, where buckets are wide.
    pub(crate) band: Option<Band>,
}

/// The figures of a table, column by column.
pub(crate) fn figures(table: BandedTable) -> (Vec<Timestamp>, i64, impl Iterator<Item = Figures>) {
    let BandedTable { table, bands } = table;
    let columns = table.columns.into_iter().zip(bands).map(|(values, band)| Figures { values, band });
    (table.times, table.bucket_ms, columns)
}

impl Line {
    /// The newest value that is not a gap.
    pub(crate) fn newest(&self) -> Option<f64> {
        self.figures.values.iter().rev().copied().find(|value| !value.is_nan())
    }

    /// The band worth drawing: limits and targets are lines, whatever they did inside a bucket.
    pub(crate) fn band(&self) -> Option<&Band> {
        self.figures.band.as_ref().filter(|band| self.stroke != Stroke::Dashed && band.moves())
    }
}

/// Marks under the lanes.
#[derive(Clone, Debug)]
pub(crate) struct MarkLane {
    pub(crate) title: &'static str,
    pub(crate) marks: Vec<Mark>,
    /// Legend: colour, words, how many.
    pub(crate) legend: Vec<(Ink, &'static str, usize)>,
}

/// One mark. Its severity gives it a shape, so that colour is never the only sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) at: Timestamp,
    pub(crate) severity: Severity,
    pub(crate) ink: Ink,
}

/// The columns' bounds: the greatest value of a lane's lines and their bands, or its least top.
pub(crate) fn top(lane: &Lane) -> f64 {
    let bands = lane.lines.iter().filter_map(Line::band).flat_map(|band| &band.high);
    let values = lane.lines.iter().flat_map(|line| &line.figures.values).chain(bands).copied();
    values.filter(|value| value.is_finite()).fold(lane.at_least, f64::max)
}

impl Picture {
    /// What stands under the title: the range, and what the bands are where there are any.
    pub(crate) fn legend(&self) -> String {
        let has_band = self.lanes.iter().flat_map(|lane| &lane.lines).any(|line| line.band().is_some());
        if !has_band {
            return self.subtitle.clone();
        }
        format!("{} · shaded: lowest to highest within {}", self.subtitle, width(self.bucket_ms))
    }
}
