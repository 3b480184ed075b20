//! The scaling chart: instances, available game sessions against the policy's target, load, and changes.

use std::borrow::Cow;

use liftdeck_insight::{ChangeKind, fleet_scaling};
use liftdeck_model::Severity;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Reader;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};

use crate::axis::moment;
use crate::error::ChartError;
use crate::picture::{Lane, Line, Mark, MarkLane, Picture, Stroke};
use crate::read::{Read, read};
use crate::theme::Ink;

/// Number of buckets drawn: about one for every two pixels.
pub(crate) const POINTS: u32 = 720;

const NAMES: [SeriesName; 10] = [
    SeriesName::MaxInstances,
    SeriesName::MinInstances,
    SeriesName::ActiveInstances,
    SeriesName::DesiredInstances,
    SeriesName::PendingInstances,
    SeriesName::IdleInstances,
    SeriesName::PercentAvailableGameSessions,
    SeriesName::PolicyTarget,
    SeriesName::ActiveGameSessions,
    SeriesName::CurrentPlayerSessions,
];

pub(crate) async fn picture(
    reader: &Reader,
    fleet: &FleetId,
    range: TimeRange,
    now: Timestamp,
) -> Result<Picture, ChartError> {
    let none = || ChartError::NoFleet(fleet.clone());
    let detail = reader.fleet_detail(fleet, now).await?.ok_or_else(none)?;
    let scaling = fleet_scaling(reader, fleet, range, now).await?.ok_or_else(none)?;
    let scope = SeriesScope::Fleet { fleet_id: fleet.clone(), location: None };
    let request = SeriesRequest { scope, names: NAMES.to_vec(), range, max_points: POINTS };
    let Read { times, bucket_ms, usual_times, columns } = read(reader, &request, now).await?;
    let mut columns = columns.into_iter();
    let mut line = |label, column, ink, stroke, filled| Line {
        label: Cow::Borrowed(label),
        figure: None,
        column,
        ink,
        stroke,
        filled,
        figures: columns.next().unwrap_or_default(),
    };
    let instances = vec![
        line("maximum", "max_instances", Ink::Bad, Stroke::Dashed, false),
        line("minimum", "min_instances", Ink::Faint, Stroke::Dashed, false),
        line("active", "active_instances", Ink::Series1, Stroke::Step, true),
        line("desired", "desired_instances", Ink::Series2, Stroke::Step, false),
        line("pending", "pending_instances", Ink::Series4, Stroke::Step, false),
        line("idle", "idle_instances", Ink::Faint, Stroke::Step, false),
    ];
    let available = vec![
        line("available", "percent_available_game_sessions", Ink::Series3, Stroke::Plain, false),
        line("policy target", "policy_target", Ink::Series4, Stroke::Dashed, false),
    ];
    let sessions = vec![line("game sessions", "active_game_sessions", Ink::Series1, Stroke::Plain, true)];
    let players = vec![line("players", "current_player_sessions", Ink::Series5, Stroke::Plain, true)];
    Ok(Picture {
        title: detail.summary.fleet.display_name().to_owned(),
        subtitle: format!("{fleet} · {} to {} UTC", moment(range.from), moment(range.to)),
        range,
        times,
        bucket_ms,
        usual_times,
        lanes: vec![
            Lane::new("Instances", 2.1, "", 2.0, instances),
            Lane::new("Available game sessions", 1.3, " %", 10.0, available),
            Lane::new("Game sessions", 1.0, "", 4.0, sessions),
            Lane::new("Players", 1.0, "", 4.0, players),
        ],
        marks: Some(mark_lane(&scaling.marks)),
        shaded: scaling.capped_ranges,
    })
}

fn mark_lane(marks: &[liftdeck_insight::Mark]) -> MarkLane {
    let ink = |kind: ChangeKind, severity: Severity| match (severity, kind) {
        (Severity::Bad, _) => Ink::Bad,
        (Severity::Warning, _) => Ink::Warn,
        (_, ChangeKind::ScalingStep) => Ink::Series1,
        (_, ChangeKind::ScalingPolicy | ChangeKind::Capacity) => Ink::Series4,
        (_, ChangeKind::FleetEvent) => Ink::Series3,
        _ => Ink::Series5,
    };
    let count =
        |wanted: fn(&liftdeck_insight::Mark) -> bool| marks.iter().filter(|mark| wanted(mark)).count();
    let legend = vec![
        (Ink::Series1, "scaling step", count(|mark| mark.kind == ChangeKind::ScalingStep)),
        (
            Ink::Series4,
            "policy or limit",
            count(|m| matches!(m.kind, ChangeKind::ScalingPolicy | ChangeKind::Capacity)),
        ),
        (Ink::Series3, "fleet event", count(|m| m.kind == ChangeKind::FleetEvent)),
        (Ink::Bad, "trouble", count(|mark| mark.severity != Severity::Info)),
    ];
    MarkLane {
        title: "What changed",
        legend: legend.into_iter().filter(|(_, _, count)| *count > 0).collect(),
        marks: marks
            .iter()
            .map(|mark| Mark { at: mark.at, severity: mark.severity, ink: ink(mark.kind, mark.severity) })
            .collect(),
    }
}
