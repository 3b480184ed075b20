//! The lanes of an incident: what failed, how many game sessions there were and could be, and whom it cut off, all over
//! one time axis.

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::axis::Axis;
use super::failed::{Failed, Minute};
use super::failing::Failing;
use super::hit::WhoIsHit;
use super::sphere::Sphere;
use crate::words;

/// Most locations told of.
pub(super) const MOST_LOCATIONS: usize = 24;
/// Most fleets with a line of their own.
const MOST_FLEETS: usize = 4;
/// A gap shorter than this is the wait for a poll.
const GAP_MS: i64 = 2 * 60_000;

/// What the values of a lane are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum LaneUnit {
    /// Whole numbers.
    Count,
    /// Percent, 0 to 100.
    Percent,
}

/// What a line stands for, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Tone {
    /// What is in trouble.
    Bad,
    /// What it is compared with.
    Rest,
    /// Players cut off.
    Hit,
    /// A limit.
    Limit,
    /// One of several.
    Plain,
}

/// A line of a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LaneLine {
    /// Its label.
    pub label: String,
    /// What it stands for.
    pub tone: Tone,
    /// A value for each bucket; `None` is a gap.
    pub values: Vec<Option<f64>>,
    /// The figure of the line, as text: `12 of 17`.
    pub figure: String,
}

/// Lines with one scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Lane {
    /// Title.
    pub title: String,
    /// What its values are.
    pub unit: LaneUnit,
    /// Whether the area below its lines is tinted, and each value holds to the next.
    pub is_step: bool,
    /// Whether the figures count the whole incident; else they are the newest values.
    pub counts_all: bool,
    /// Its lines.
    pub lines: Vec<LaneLine>,
}

pub(super) async fn lanes(
    sphere: &Sphere<'_>,
    failed: &Failed,
    who: &WhoIsHit,
) -> Result<(Vec<Timestamp>, Vec<Lane>, Vec<TimeRange>), StoreError> {
    let axis = Axis::over(sphere.shown);
    let mut lanes = Vec::new();
    match &sphere.failing {
        Failing::Sessions(endings) => {
            let title = words::incident::failed_lane(endings);
            lanes.push(shares_of_sessions(sphere, failed, who, axis, title));
        }
        Failing::Placements(_) | Failing::Tickets(..) | Failing::Reservations(_) => {
            lanes.extend(shares_of_minutes(sphere, failed, who, axis))
        }
        Failing::Unheard | Failing::Nothing => {}
    }
    if sphere.is_of_room() {
        lanes.extend(instances(sphere, axis).await?);
    }
    let (active, available, gaps) = load(sphere, axis).await?;
    lanes.extend(active);
    // Where no player was read, a line at zero would be a lie.
    if matches!(sphere.failing, Failing::Sessions(_)) && who.players.is_some() {
        lanes.push(cut_off(failed, axis));
    }
    lanes.extend(available);
    Ok((axis.times(), lanes, gaps))
}

fn percent(failed: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| failed as f64 / all as f64 * 100.0)
}

/// The share of what ended that failed, summed up from the beginning.
fn share(axis: Axis, failed: &[(Timestamp, u64)], ended: &[Minute], from: Timestamp) -> Vec<Option<f64>> {
    let inside = |at: Timestamp| at >= from.floor_to_ms(60_000);
    let ended: Vec<(Timestamp, u64)> =
        ended.iter().filter(|minute| inside(minute.at)).map(|minute| (minute.at, minute.all)).collect();
    let (failed, ended) = (axis.cumulated(failed), axis.cumulated(&ended));
    axis.times()
        .into_iter()
        .zip(failed.into_iter().zip(ended))
        .map(|(at, (failed, ended))| {
            // A failed session is known at once, and as ended only when a poll has seen it.
            let ended = ended.max(failed);
            if at.plus_ms(axis.width_ms) < from { Some(0.0) } else { percent(failed, ended).or(Some(0.0)) }
        })
        .collect()
}

fn shares_of_sessions(
    sphere: &Sphere<'_>,
    failed: &Failed,
    who: &WhoIsHit,
    axis: Axis,
    title: String,
) -> Lane {
    let moments = |rows: &[liftdeck_store::reader::cut_off::EndedSession]| -> Vec<(Timestamp, u64)> {
        rows.iter().map(|row| (row.at, 1)).collect()
    };
    let mut lines = vec![LaneLine {
        label: sphere.bad_label(),
        tone: Tone::Bad,
        values: share(axis, &moments(&failed.sessions.rows), &failed.ended, sphere.span.from),
        figure: words::incident::of(who.count, who.of),
    }];
    if !sphere.rest.is_empty() {
        let lost = failed.rest.rows.len() as u64;
        let all: u64 = failed.rest_ended.iter().map(|minute| minute.all).sum();
        lines.push(LaneLine {
            label: sphere.rest_label(),
            tone: Tone::Rest,
            values: share(axis, &moments(&failed.rest.rows), &failed.rest_ended, axis.range.from),
            figure: words::incident::of(lost, Some(all.max(lost))),
        });
    }
    Lane { title, unit: LaneUnit::Percent, is_step: true, counts_all: true, lines }
}

fn shares_of_minutes(sphere: &Sphere<'_>, failed: &Failed, who: &WhoIsHit, axis: Axis) -> Vec<Lane> {
    let (title, lost_label, good_label) = match sphere.failing {
        Failing::Tickets(..) => ("Tickets per minute", "failed", "matched"),
        Failing::Reservations(_) => ("Reservations per minute", "timed out", "used"),
        _ => ("Placements per minute", "failed", "fulfilled"),
    };
    // The minute that is not over, or not heard of yet, would show too few.
    let known_to = sphere.freshness().as_of.unwrap_or(sphere.now);
    let line = |label: &str, tone: Tone, pick: fn(&Minute) -> u64, figure: String| {
        let width = axis.width_ms.max(60_000);
        // Counts are known by the minute: finer buckets of one minute show the same rate.
        let values = axis
            .times()
            .into_iter()
            .map(|at| {
                let from = if axis.width_ms < 60_000 { at.floor_to_ms(60_000) } else { at };
                let inside = failed.minutes.iter().filter(|it| it.at >= from && it.at < from.plus_ms(width));
                let sum: u64 = inside.map(pick).sum();
                let to = from.plus_ms(width);
                (to > sphere.heard_from && to <= known_to).then(|| sum as f64 / (width as f64 / 60_000.0))
            })
            .collect();
        LaneLine { label: label.to_owned(), tone, values, figure }
    };
    let lost = words::incident::of(who.count, who.of);
    let good = who.of.map(|of| of.saturating_sub(who.count).to_string()).unwrap_or_default();
    let lines = vec![
        line(lost_label, Tone::Bad, |it| it.failed, lost),
        line(good_label, Tone::Rest, |it| it.all.saturating_sub(it.failed), good),
    ];
    vec![Lane { title: title.to_owned(), unit: LaneUnit::Count, is_step: true, counts_all: true, lines }]
}

fn cut_off(failed: &Failed, axis: Axis) -> Lane {
    let moments: Vec<(Timestamp, u64)> =
        failed.sessions.rows.iter().map(|row| (row.at, row.players)).collect();
    let values = axis.cumulated(&moments).into_iter().map(|sum| Some(sum as f64)).collect();
    let figure = failed.sessions.times.to_string();
    let line = LaneLine { label: "times, in all".to_owned(), tone: Tone::Hit, values, figure };
    Lane {
        title: "Players cut off".to_owned(),
        unit: LaneUnit::Count,
        is_step: true,
        counts_all: false,
        lines: vec![line],
    }
}

/// The fleets that have a line each: those in trouble with the most game sessions, then the former one.
fn drawn(sphere: &Sphere<'_>) -> Vec<(FleetId, Tone)> {
    let mut bad: Vec<_> =
        sphere.ground.fleets.iter().filter(|fleet| sphere.bad.contains(&fleet.fleet.fleet_id)).collect();
    bad.sort_by_key(|fleet| std::cmp::Reverse(fleet.game_sessions()));
    let tone = if sphere.bad.len() == 1 { Tone::Bad } else { Tone::Plain };
    let bad = bad.into_iter().take(MOST_FLEETS).map(|fleet| (fleet.fleet.fleet_id.clone(), tone));
    let former = sphere.rest.iter().filter(|_| sphere.is_former).map(|id| (id.clone(), Tone::Rest));
    bad.chain(former).collect()
}

async fn table(
    sphere: &Sphere<'_>,
    scope: SeriesScope,
    names: Vec<SeriesName>,
    axis: Axis,
) -> Result<SeriesTable, StoreError> {
    let points = u32::try_from(axis.times().len()).unwrap_or(240).max(2);
    let request = SeriesRequest { scope, names, range: axis.range, max_points: points };
    sphere.ground.reader.series(&request).await
}

type Loaded = (Option<Lane>, Option<Lane>, Vec<TimeRange>);

/// Active and available game sessions, and where nothing is known of them.
async fn load(sphere: &Sphere<'_>, axis: Axis) -> Result<Loaded, StoreError> {
    let names = vec![SeriesName::ActiveGameSessions, SeriesName::PercentAvailableGameSessions];
    let mut scopes: Vec<(SeriesScope, String, Tone)> = drawn(sphere)
        .into_iter()
        .map(|(id, tone)| {
            let name = sphere.name_of(&id);
            (SeriesScope::Fleet { fleet_id: id, location: None }, name, tone)
        })
        .collect();
    if sphere.bad_is_all() || scopes.is_empty() {
        scopes = vec![(SeriesScope::All, "all fleets".to_owned(), Tone::Plain)];
    }
    let (mut active, mut available, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (scope, label, tone)) in scopes.into_iter().enumerate() {
        let table = table(sphere, scope, names.clone(), axis).await?;
        for (column, lines, unit) in [(0, &mut active, ""), (1, &mut available, " %")] {
            let column = table.columns.get(column).map_or(&[][..], Vec::as_slice);
            let values = axis.held(&table.times, column);
            let newest = values.iter().rev().find_map(|value| *value);
            let figure = newest.map_or_else(|| "–".to_owned(), |value| format!("{value:.0}{unit}"));
            lines.push(LaneLine { label: label.clone(), tone, values, figure });
        }
        if index == 0 {
            gaps = silent(axis, active.first().map_or(&[][..], |line| line.values.as_slice()));
        }
    }
    let lane = |title: &str, unit, lines: Vec<LaneLine>| {
        let known = lines.iter().any(|line| line.values.iter().any(Option::is_some));
        known.then(|| Lane { title: title.to_owned(), unit, is_step: false, counts_all: false, lines })
    };
    Ok((
        lane("Active sessions", LaneUnit::Count, active),
        lane("Available sessions", LaneUnit::Percent, available),
        gaps,
    ))
}

fn silent(axis: Axis, values: &[Option<f64>]) -> Vec<TimeRange> {
    let mut gaps: Vec<TimeRange> = Vec::new();
    for (at, value) in axis.times().into_iter().zip(values) {
        if value.is_some() {
            continue;
        }
        let to = at.plus_ms(axis.width_ms);
        match gaps.last_mut().filter(|last| last.to == at) {
            Some(last) => last.to = to,
            None => gaps.push(TimeRange::new(at, to)),
        }
    }
    gaps.retain(|gap| gap.length_ms() >= GAP_MS);
    gaps
}

/// Instances against their limit.
async fn instances(sphere: &Sphere<'_>, axis: Axis) -> Result<Option<Lane>, StoreError> {
    let Some(id) = sphere.bad.first() else { return Ok(None) };
    let scope = SeriesScope::Fleet { fleet_id: id.clone(), location: None };
    let names = [
        (SeriesName::ActiveInstances, "active", Tone::Bad),
        (SeriesName::DesiredInstances, "desired", Tone::Plain),
        (SeriesName::MaxInstances, "maximum", Tone::Limit),
    ];
    let table = table(sphere, scope, names.iter().map(|(name, ..)| *name).collect(), axis).await?;
    let lines = names
        .iter()
        .zip(&table.columns)
        .map(|((_, label, tone), column)| {
            let values = axis.held(&table.times, column);
            let newest = values.iter().rev().find_map(|value| *value);
            let figure = newest.map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"));
            LaneLine { label: (*label).to_owned(), tone: *tone, values, figure }
        })
        .collect();
    Ok(Some(Lane {
        title: "Instances".to_owned(),
        unit: LaneUnit::Count,
        is_step: true,
        counts_all: false,
        lines,
    }))
}

impl Sphere<'_> {
    /// What is in trouble, in a word.
    pub(super) fn bad_label(&self) -> String {
        self.label(&self.bad, || self.title_of_scope())
    }

    /// What it is compared with.
    pub(super) fn rest_label(&self) -> String {
        if self.is_former {
            return self.label(&self.rest, || "the rest".to_owned());
        }
        let region = self.alert.as_ref().and_then(|alert| alert.region.as_ref());
        region.map_or_else(|| "other fleets".to_owned(), |region| format!("other fleets of {region}"))
    }

    fn title_of_scope(&self) -> String {
        if self.bad_is_all() { "all fleets".to_owned() } else { format!("{} fleets", self.bad.len()) }
    }

    /// A fleet by what it runs if it is compared with its predecessor, else by its name: others may run the same.
    fn label(&self, fleets: &[FleetId], several: impl FnOnce() -> String) -> String {
        let [only] = fleets else { return several() };
        let content = self.ground.fleet(only).filter(|_| self.is_former).and_then(crate::offer::content);
        content.unwrap_or_else(|| self.name_of(only))
    }
}
