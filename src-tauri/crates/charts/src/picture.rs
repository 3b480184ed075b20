//! The content of a chart, independent of size and colour: lanes over one time axis.

use std::borrow::Cow;

use liftdeck_model::Severity;
use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::series::Band;

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
    /// The moments at which lines tell what is usual.
    pub(crate) usual_times: Vec<Timestamp>,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) marks: Option<MarkLane>,
    /// Time ranges shaded across every lane.
    pub(crate) shaded: Vec<TimeRange>,
}

/// Lines that share a scale.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub(crate) title: Cow<'static, str>,
    /// Share of the total height.
    pub(crate) weight: f64,
    /// Text after each number: ` %`.
    pub(crate) unit: &'static str,
    /// Lowest allowed top of the scale.
    pub(crate) at_least: f64,
    pub(crate) lines: Vec<Line>,
}

impl Lane {
    pub(crate) const fn new(
        title: &'static str,
        weight: f64,
        unit: &'static str,
        at_least: f64,
        lines: Vec<Line>,
    ) -> Self {
        Self { title: Cow::Borrowed(title), weight, unit, at_least, lines }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// From point to point.
    Plain,
    /// Each value holds over its bucket.
    Step,
    /// Dashed steps, for a limit or a target.
    Dashed,
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) label: Cow<'static, str>,
    /// The figure beside the label; the newest value if absent.
    pub(crate) figure: Option<String>,
    /// Column name in the CSV.
    pub(crate) column: &'static str,
    pub(crate) ink: Ink,
    pub(crate) stroke: Stroke,
    /// Whether the area below is tinted.
    pub(crate) filled: bool,
    pub(crate) figures: Figures,
}

/// The figures behind a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// One value per bucket; NaN is a gap.
    pub(crate) values: Vec<f64>,
    /// The lowest and highest value in each bucket, if buckets are wide.
    pub(crate) band: Option<Band>,
    /// What is usual, at [`Picture::usual_times`]; `None` where nothing of it is known.
    pub(crate) usual: Option<Band>,
}

impl Figures {
    /// Brings the figures into another unit.
    pub(crate) fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|value| *value *= factor);
        for band in self.band.iter_mut().chain(&mut self.usual) {
            band.low.iter_mut().chain(&mut band.high).for_each(|value| *value *= factor);
        }
    }
}

impl Line {
    /// The newest value that is not a gap.
    pub(crate) fn newest(&self) -> Option<f64> {
        self.figures.values.iter().rev().copied().find(|value| !value.is_nan())
    }

    /// The band to draw. Limits and targets have none: they are drawn as lines, whatever they did inside a bucket.
    pub(crate) fn band(&self) -> Option<&Band> {
        self.figures.band.as_ref().filter(|band| self.stroke != Stroke::Dashed && band.moves())
    }
}

/// Marks below the lanes.
#[derive(Clone, Debug)]
pub(crate) struct MarkLane {
    pub(crate) title: &'static str,
    pub(crate) marks: Vec<Mark>,
    /// Legend: colour, label, count.
    pub(crate) legend: Vec<(Ink, &'static str, usize)>,
}

/// One mark. Its severity determines its shape, so that colour is never the only signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) at: Timestamp,
    pub(crate) severity: Severity,
    pub(crate) ink: Ink,
}

/// The top of a lane's scale before rounding: the greatest value of its lines and their bands, but at least
/// [`Lane::at_least`].
pub(crate) fn top(lane: &Lane) -> f64 {
    let bands = lane.lines.iter().filter_map(Line::band).flat_map(|band| &band.high);
    let values = lane.lines.iter().flat_map(|line| &line.figures.values).chain(bands).copied();
    values.filter(|value| value.is_finite()).fold(lane.at_least, f64::max)
}

impl Picture {
    /// The text below the title: the range, and what the bands mean if there are any.
    pub(crate) fn legend(&self) -> String {
        let lines = || self.lanes.iter().flat_map(|lane| &lane.lines);
        let mut legend = self.subtitle.clone();
        if lines().any(|line| line.band().is_some()) {
            legend += &format!(" · shaded: lowest to highest within {}", width(self.bucket_ms));
        }
        if lines().any(|line| line.figures.usual.is_some()) {
            legend += " · grey: usual at that hour";
        }
        legend
    }
}
