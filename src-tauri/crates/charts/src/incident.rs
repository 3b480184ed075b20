//! The lanes of an incident as a picture: what its page shows, over the same time axis, with the times in which the
//! alert fired shaded.

use std::borrow::Cow;

use liftdeck_insight::incident::{Incident, IncidentMark, Lane as Told, LaneUnit, MarkKind, Tone};
use liftdeck_model::Severity;
use liftdeck_model::alert::AlertState;
use liftdeck_model::time::TimeRange;

use crate::axis::moment;
use crate::error::ChartError;
use crate::paint::{Format, paint};
use crate::picture::{Figures, Lane, Line, Mark, MarkLane, Picture, Stroke};
use crate::theme::{Ink, Theme};

/// Draws the lanes of an incident and returns the bytes of the file.
///
/// # Errors
/// When drawing fails.
pub fn draw_incident(incident: &Incident, format: Format, theme: Theme) -> Result<Vec<u8>, ChartError> {
    paint(&picture(incident), format, theme)
}

fn picture(incident: &Incident) -> Picture {
    let firing = incident.course.iter().filter(|phase| phase.state == Some(AlertState::Firing));
    let shaded =
        firing.map(|phase| TimeRange::new(phase.from, phase.to.unwrap_or(incident.shown.to))).collect();
    let bucket_ms = match incident.times.as_slice() {
        [first, second, ..] => second.since_ms(*first),
        _ => incident.shown.length_ms(),
    };
    Picture {
        title: incident.title.clone(),
        subtitle: format!("{} to {} UTC", moment(incident.shown.from), moment(incident.shown.to)),
        range: incident.shown,
        times: incident.times.clone(),
        bucket_ms,
        usual_times: Vec::new(),
        lanes: incident.lanes.iter().map(lane).collect(),
        marks: (!incident.marks.is_empty()).then(|| mark_lane(&incident.marks)),
        shaded,
    }
}

fn lane(told: &Told) -> Lane {
    const PLAIN: [Ink; 4] = [Ink::Series2, Ink::Series3, Ink::Series4, Ink::Series5];
    let mut plain = PLAIN.iter().copied().cycle();
    let lines = told.lines.iter().enumerate().map(|(index, line)| {
        let ink = match line.tone {
            Tone::Bad | Tone::Limit => Ink::Bad,
            Tone::Rest => Ink::Series1,
            Tone::Hit => Ink::Series5,
            Tone::Plain => plain.next().unwrap_or(Ink::Series2),
        };
        let stroke = match (line.tone, told.is_step) {
            (Tone::Limit, _) => Stroke::Dashed,
            (_, true) => Stroke::Step,
            (_, false) => Stroke::Plain,
        };
        Line {
            label: Cow::Owned(line.label.clone()),
            figure: Some(line.figure.clone()),
            column: "value",
            ink,
            stroke,
            filled: index == 0 && line.tone != Tone::Limit,
            figures: Figures {
                values: line.values.iter().map(|value| value.unwrap_or(f64::NAN)).collect(),
                band: None,
                usual: None,
            },
        }
    });
    let (unit, at_least) = match told.unit {
        LaneUnit::Percent => (" %", 10.0),
        LaneUnit::Count => ("", 4.0),
    };
    Lane { title: Cow::Owned(told.title.clone()), weight: 1.0, unit, at_least, lines: lines.collect() }
}

fn mark_lane(marks: &[IncidentMark]) -> MarkLane {
    let ink = |mark: &IncidentMark| match (mark.kind, mark.severity) {
        (MarkKind::Failure, _) | (_, Severity::Bad) => Ink::Bad,
        (_, Severity::Warning) => Ink::Warn,
        (MarkKind::Change, _) => Ink::Series1,
        _ => Ink::Faint,
    };
    let count = |kind: MarkKind| marks.iter().filter(|mark| mark.kind == kind).count();
    let legend = vec![
        (Ink::Bad, "failure", count(MarkKind::Failure)),
        (Ink::Series1, "change", count(MarkKind::Change)),
        (Ink::Faint, "scaling step", count(MarkKind::Scaling)),
        (Ink::Warn, "fleet event", count(MarkKind::Event)),
    ];
    MarkLane {
        title: "Events",
        legend: legend.into_iter().filter(|(_, _, count)| *count > 0).collect(),
        marks: marks
            .iter()
            .map(|mark| Mark { at: mark.at, severity: mark.severity, ink: ink(mark) })
            .collect(),
    }
}
