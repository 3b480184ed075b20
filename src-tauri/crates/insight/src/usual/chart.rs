//! What is usual over a range, as columns for a chart.

use liftdeck_model::Timestamp;
use liftdeck_store::reader::series::{Band, BandedTable, SeriesName, SeriesRequest, SeriesTable};
use liftdeck_store::{Reader, StoreError};

use super::past::Memory;
use super::{Floor, History};

/// Most points of a band. It bends only at the middles of hours, so more would look the same.
const MOST_POINTS: i64 = 240;

/// What was usual at each point of a request's range: the median as the column, the band around it as its band. NaN
/// where too little was known, and for figures whose past is not learnt: limits, targets, and counts of rare events.
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
        request.names.iter().copied().filter(|name| floor(*name).is_some()).collect();
    let histories = past.metrics(reader, &request.scope, &learnt, request.range, now).await?;
    let points = i64::from(request.max_points).clamp(2, MOST_POINTS);
    let step_ms = (request.range.length_ms() / (points - 1)).max(1);
    let times: Vec<Timestamp> =
        (0..points).map(|point| request.range.from.plus_ms(point * step_ms)).collect();
    let mut columns = Vec::with_capacity(request.names.len());
    let mut bands = Vec::with_capacity(request.names.len());
    let unknown = History::default();
    for name in &request.names {
        let history = learnt.iter().position(|known| known == name).and_then(|index| histories.get(index));
        let history = history.unwrap_or(&unknown);
        let (mut column, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
        for time in &times {
            let usual = floor(*name).and_then(|floor| history.usual_at(*time, floor).ok());
            column.push(usual.map_or(f64::NAN, |usual| usual.median));
            low.push(usual.map_or(f64::NAN, |usual| usual.low));
            high.push(usual.map_or(f64::NAN, |usual| usual.high.min(most(*name))));
        }
        columns.push(column);
        bands.push(Some(Band { low, high }));
    }
    Ok(BandedTable { table: SeriesTable { times, bucket_ms: step_ms, columns }, bands })
}

/// How little a figure may be taken to vary; `None` for figures whose past is not learnt.
const fn floor(name: SeriesName) -> Option<Floor> {
    use SeriesName as N;
    match name {
        N::ActiveInstances
        | N::IdleInstances
        | N::ActiveGameSessions
        | N::AvailableGameSessions
        | N::ActiveServerProcesses
        | N::HealthyServerProcesses
        | N::CurrentPlayerSessions => Some(Floor::COUNT),
        N::PercentAvailableGameSessions | N::PlacementFailedPercent => Some(Floor::PERCENT),
        // A chart's points are averages over minutes; five are the least that says anything of a rate.
        N::PlacementsFulfilled | N::TicketsCompleted => Some(Floor::rate(5.0)),
        N::TimeToPlaceP50 | N::TimeToPlaceP95 | N::MatchmakingWaitP50 | N::MatchmakingWaitP95 => {
            Some(Floor::WAIT_MS)
        }
        _ => None,
    }
}

/// The highest value that a figure can have.
const fn most(name: SeriesName) -> f64 {
    match name {
        SeriesName::PercentAvailableGameSessions | SeriesName::PlacementFailedPercent => 100.0,
        _ => f64::INFINITY,
    }
}
