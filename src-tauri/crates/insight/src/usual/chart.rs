//! What is usual over a range, as columns for a chart.

use liftdeck_model::Timestamp;
use liftdeck_model::time::MINUTE_MS;
use liftdeck_store::reader::placement::PlacementScope;
use liftdeck_store::reader::series::SeriesName::PlacementFailedPercent;
use liftdeck_store::reader::series::{
    Band, BandedTable, SeriesName, SeriesRequest, SeriesScope, SeriesTable,
};
use liftdeck_store::{Reader, StoreError};

use super::past::Memory;
use super::{Floor, History};

/// Most points of a band. It bends only at the middles of hours, so more would look the same.
const MOST_POINTS: i64 = 240;

/// What was usual at each point of a request's range: the median as the column, the band around it as its band. Of
/// failures, which chance decides, the band is that of a Poisson or binomial distribution in one point's time. NaN where
/// too little was known, and for figures whose past is not learnt: limits, targets, and totals of rare events.
///
/// # Errors
/// When the store cannot be read.
pub async fn usual_series(
    reader: &Reader,
    past: &Memory,
    request: &SeriesRequest,
    now: Timestamp,
) -> Result<BandedTable, StoreError> {
    let learnt: Vec<SeriesName> =
        request.names.iter().copied().filter(|name| kind(*name).is_some()).collect();
    let histories = past.metrics(reader, &request.scope, &learnt, request.range, now).await?;
    let points = i64::from(request.max_points).clamp(2, MOST_POINTS);
    let step_ms = (request.range.length_ms() / (points - 1)).max(1);
    let times: Vec<Timestamp> =
        (0..points).map(|point| request.range.from.plus_ms(point * step_ms)).collect();
    let mut columns = Vec::with_capacity(request.names.len());
    let mut bands = Vec::with_capacity(request.names.len());
    let unknown = History::default();
    let placements = match placements_of(&request.scope).filter(|_| learnt.contains(&PlacementFailedPercent))
    {
        Some(scope) => Some(past.placements(reader, &scope, request.range, now).await?),
        None => None,
    };
    // A chart's points are no closer than a minute.
    let minutes = (step_ms as f64 / MINUTE_MS as f64).max(1.0);
    for name in &request.names {
        let history = learnt.iter().position(|known| known == name).and_then(|index| histories.get(index));
        let history = history.unwrap_or(&unknown);
        let (mut column, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
        for time in &times {
            let usual = match kind(*name) {
                Some(Kind::Level(floor)) => {
                    let usual = history.usual_at(*time, floor).ok();
                    usual.map(|usual| (usual.median, usual.low, usual.high.min(most(*name))))
                }
                Some(Kind::Events) => history.usual_events(*time, minutes),
                Some(Kind::FailedShare) => {
                    let share =
                        placements.as_ref().and_then(|hours| hours.usual_failed_share(*time, minutes));
                    share.map(|(share, usual)| (share * 100.0, usual.low * 100.0, usual.high * 100.0))
                }
                None => None,
            };
            let (middle, least, most) = usual.unwrap_or((f64::NAN, f64::NAN, f64::NAN));
            column.push(middle);
            low.push(least);
            high.push(most);
        }
        columns.push(column);
        bands.push(Some(Band { low, high }));
    }
    Ok(BandedTable { table: SeriesTable { times, bucket_ms: step_ms, columns }, bands })
}

/// How what is usual is told of a figure.
#[derive(Clone, Copy)]
enum Kind {
    /// By the median and how far values lie from it, which is taken to be no less than this.
    Level(Floor),
    /// Events per minute, so few that chance decides.
    Events,
    /// The share of placements that fail, in percent.
    FailedShare,
}

fn placements_of(scope: &SeriesScope) -> Option<PlacementScope> {
    match scope {
        SeriesScope::All => Some(PlacementScope::default()),
        SeriesScope::Queue { name, region } => Some(PlacementScope {
            queue: Some(name.clone()),
            region: Some(region.clone()),
            ..PlacementScope::default()
        }),
        SeriesScope::Fleet { .. } | SeriesScope::Configuration { .. } => None,
    }
}

/// `None` for figures whose past is not learnt.
const fn kind(name: SeriesName) -> Option<Kind> {
    use SeriesName as N;
    let floor = match name {
        N::ActiveInstances
        | N::IdleInstances
        | N::ActiveGameSessions
        | N::AvailableGameSessions
        | N::ActiveServerProcesses
        | N::HealthyServerProcesses
        | N::CurrentPlayerSessions => Floor::COUNT,
        N::PercentAvailableGameSessions => Floor::PERCENT,
        // A chart's points are averages over minutes; five are the least that says anything of a rate.
        N::PlacementsFulfilled | N::TicketsCompleted => Floor::rate(5.0),
        N::TimeToPlaceP50 | N::TimeToPlaceP95 | N::MatchmakingWaitP50 | N::MatchmakingWaitP95 => {
            Floor::WAIT_MS
        }
        N::PlacementsFailed | N::TicketsFailed | N::TicketsTimedOut => return Some(Kind::Events),
        N::PlacementFailedPercent => return Some(Kind::FailedShare),
        _ => return None,
    };
    Some(Kind::Level(floor))
}

/// The highest value that a figure can have.
const fn most(name: SeriesName) -> f64 {
    match name {
        SeriesName::PercentAvailableGameSessions => 100.0,
        _ => f64::INFINITY,
    }
}
