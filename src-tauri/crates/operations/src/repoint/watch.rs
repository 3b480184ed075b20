//! After a repoint: new game sessions on the new fleet, and the old ones ending.
//!
//! Relies on the store alone, which the collector keeps fresh while somebody looks.

use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityId};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{AliasId, FleetId, Timestamp};
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::connection::Connection;
use crate::error::OperationError;
use crate::outcome::follow::STRAGGLERS_MS;

/// How much time before the repoint the chart shows, for comparison.
const BEFORE_MS: i64 = 10 * 60_000;
/// Points of the chart.
const POINTS: u32 = 120;

/// Live game sessions of both fleets at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WatchPoint {
    /// When.
    pub at: Timestamp,
    /// On the fleet the alias pointed to before.
    pub on_old: u64,
    /// On the fleet it points to.
    pub on_target: u64,
}

/// How a repoint is progressing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RepointWatch {
    /// The attempt.
    pub activity_id: ActivityId,
    /// Alias.
    pub alias_id: AliasId,
    /// When AWS accepted it.
    pub since: Timestamp,
    /// Where it pointed before; `None` if it was terminal.
    pub from_fleet_id: Option<FleetId>,
    /// That fleet's name.
    pub from_name: Option<String>,
    /// Where it points; `None` if it is terminal now.
    pub to_fleet_id: Option<FleetId>,
    /// That fleet's name.
    pub to_name: Option<String>,
    /// Game sessions created on the new fleet since.
    pub new_on_target: u64,
    /// Stragglers: game sessions created on the old fleet in the two minutes AWS takes.
    pub new_on_old: u64,
    /// Live game sessions on the old fleet.
    pub live_on_old: u64,
    /// Players in them.
    pub players_on_old: u64,
    /// Live game sessions on the new fleet.
    pub live_on_target: u64,
    /// Until when stragglers are to be expected.
    pub stragglers_until: Timestamp,
    /// Whether that time is over and the old fleet is empty.
    pub settled: bool,
    /// Whether it can be undone.
    pub can_undo: bool,
    /// Live game sessions over time, from ten minutes before; empty if GameLift does not report them.
    pub series: Vec<WatchPoint>,
    /// How old the counts are.
    pub freshness: Freshness,
}

/// The fleet that this request points an alias to, if it does.
fn fleet_of(request: &Request) -> Option<FleetId> {
    match request {
        Request::UpdateAlias(it) => match &it.routing {
            Some(RoutingStrategy::Simple { fleet_id }) => Some(fleet_id.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn alias_of(activity: &Activity) -> Option<AliasId> {
    match &activity.action.request {
        Request::UpdateAlias(it) if it.routing.is_some() => Some(it.alias_id.clone()),
        _ => None,
    }
}

/// Reports how a repoint is progressing, from the store.
///
/// # Errors
/// `Unknown` if there is no such attempt, `Refused` if it is not a repoint.
pub(crate) async fn watch(connection: &Connection, id: &ActivityId) -> Result<RepointWatch, OperationError> {
    let activity = connection.activity(id).await?;
    let alias_id = alias_of(&activity).ok_or_else(|| {
        OperationError::Refused(
            "This change did not repoint an alias, so there is nothing to watch.".to_owned(),
        )
    })?;
    let now = connection.now();
    let since = activity.ended_at.unwrap_or(activity.at);
    let stragglers_until = since.plus_ms(STRAGGLERS_MS);
    let from = activity.undo.iter().find_map(|undo| fleet_of(&undo.request));
    let to = fleet_of(&activity.action.request);
    let both: Vec<FleetId> = from.iter().chain(&to).cloned().collect();
    let live = connection.store.live_counts(&both).await?;
    let on =
        |fleet: &Option<FleetId>| fleet.as_ref().and_then(|id| live.get(id)).copied().unwrap_or_default();
    let window = TimeRange::new(since, stragglers_until);
    let new_on_old = match &from {
        Some(fleet) => connection.store.sessions_created(fleet, window).await?,
        None => 0,
    };
    let new_on_target = match &to {
        Some(fleet) => connection.store.sessions_since(fleet, since).await?,
        None => 0,
    };
    let undone = connection.store.undone_by(id).await?;
    let mut freshness: Option<Freshness> = None;
    for fleet in &both {
        let of = connection.store.freshness(Basis::One(PollKind::GameSessions, fleet.as_str()), now);
        freshness = Some(freshness.map_or(of, |known| known.and(of)));
    }
    Ok(RepointWatch {
        activity_id: activity.id.clone(),
        since,
        from_name: name(connection, from.as_ref()).await,
        to_name: name(connection, to.as_ref()).await,
        new_on_target,
        new_on_old,
        live_on_old: on(&from).game_sessions,
        players_on_old: on(&from).player_sessions,
        live_on_target: on(&to).game_sessions,
        stragglers_until,
        settled: now >= stragglers_until && on(&from).game_sessions == 0,
        can_undo: activity.is_surely_ours() && !activity.undo.is_empty() && undone.is_none(),
        series: series(
            connection,
            from.as_ref(),
            to.as_ref(),
            TimeRange::new(since.plus_ms(-BEFORE_MS), now),
        )
        .await?,
        freshness: freshness.unwrap_or_default(),
        alias_id,
        from_fleet_id: from,
        to_fleet_id: to,
    })
}

async fn name(connection: &Connection, fleet: Option<&FleetId>) -> Option<String> {
    let detail = connection.store.fleet_detail(fleet?, connection.now()).await.ok()??;
    Some(detail.summary.fleet.display_name().to_owned())
}

async fn series(
    connection: &Connection,
    from: Option<&FleetId>,
    to: Option<&FleetId>,
    range: TimeRange,
) -> Result<Vec<WatchPoint>, OperationError> {
    let mut times = Vec::new();
    let mut columns = [Vec::new(), Vec::new()];
    for (column, fleet) in columns.iter_mut().zip([from, to]) {
        let Some(fleet) = fleet else { continue };
        let request = SeriesRequest {
            scope: SeriesScope::Fleet { fleet_id: fleet.clone(), location: None },
            names: vec![SeriesName::ActiveGameSessions],
            range,
            max_points: POINTS,
        };
        let table = connection.store.series(&request).await?;
        *column = table.columns.into_iter().next().unwrap_or_default();
        times = table.times;
    }
    let [old, new] = columns;
    let points = times.into_iter().enumerate().filter_map(|(row, at)| {
        let on = |column: &[f64]| column.get(row).copied().filter(|count| !count.is_nan());
        let (on_old, on_target) = (on(&old), on(&new));
        // A moment without a count is a gap, not an empty fleet.
        (on_old.is_some() || on_target.is_some()).then(|| WatchPoint {
            at,
            on_old: on_old.unwrap_or(0.0).round() as u64,
            on_target: on_target.unwrap_or(0.0).round() as u64,
        })
    });
    Ok(points.collect())
}
