//! Placements as reported by their events: a window of them, the funnel of outcomes, and how long they took.

mod difference;
mod split;
mod story;
mod sum;

use liftdeck_model::placement::PlacementEventType;
use liftdeck_model::time::{DAY_MS, HOUR_MS, TimeRange};
use liftdeck_model::{FleetId, GameSessionId, Location, PlacementId, QueueName, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use self::split::Keys;
pub use self::split::{Destination, PlacementGroup, PlacementScope, PlacementSplit};
pub use self::story::{AskedFor, PlacementStory};
use super::directory::Directory;
use super::window::{Page, Window};
use super::{Reader, session_of};
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;

/// A placement and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementRow {
    /// Key within this database.
    pub event_key: i64,
    /// Placement.
    pub placement_id: PlacementId,
    /// Outcome.
    pub event_type: PlacementEventType,
    /// Queue.
    pub queue: QueueName,
    /// Region of the queue.
    pub region: Region,
    /// When the event was sent.
    pub event_time: Timestamp,
    /// When the placement was queued.
    pub start_time: Option<Timestamp>,
    /// When the placement ended; if the event does not say, when the event was sent.
    pub end_time: Timestamp,
    /// Milliseconds from queued to ended.
    pub duration_ms: Option<i64>,
    /// The game session created.
    pub game_session_id: Option<GameSessionId>,
    /// Fleet of that session.
    pub fleet_id: Option<FleetId>,
    /// Location of that session.
    pub location: Option<Location>,
    /// Players placed.
    pub players: i64,
}

/// Selects placements.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementRequest {
    /// Only placements in this scope.
    pub scope: PlacementScope,
    /// Only these outcomes; all when empty.
    pub event_types: Vec<PlacementEventType>,
    /// Only placements whose id begins with this, that placed a player with exactly this id, or that belong to a
    /// match this player was in.
    pub text: String,
    /// When the event was sent.
    pub range: TimeRange,
    /// The page wanted, newest first.
    pub page: Page,
}

/// How placements ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Funnel {
    /// PlacementFulfilled.
    pub fulfilled: u64,
    /// PlacementCancelled.
    pub cancelled: u64,
    /// PlacementTimedOut.
    pub timed_out: u64,
    /// PlacementFailed.
    pub failed: u64,
}

impl Funnel {
    /// The schema's word key of PlacementFulfilled; the keys of cancelled, timed out and failed follow it.
    pub(crate) const FULFILLED: i64 = 50;

    /// Adds `count` to the outcome with this schema word key.
    pub(crate) const fn add(&mut self, word_key: i64, count: u64) {
        match word_key {
            50 => self.fulfilled += count,
            51 => self.cancelled += count,
            52 => self.timed_out += count,
            53 => self.failed += count,
            _ => {}
        }
    }

    /// Adds all of `other`.
    pub const fn add_all(&mut self, other: Self) {
        self.fulfilled += other.fulfilled;
        self.cancelled += other.cancelled;
        self.timed_out += other.timed_out;
        self.failed += other.failed;
    }

    /// Counts the placements with one of `outcomes`; all placements when it is empty.
    fn of(self, outcomes: &[PlacementEventType]) -> u64 {
        let counted = |outcome: &PlacementEventType| match outcome {
            PlacementEventType::Fulfilled => self.fulfilled,
            PlacementEventType::Cancelled => self.cancelled,
            PlacementEventType::TimedOut => self.timed_out,
            PlacementEventType::Failed => self.failed,
            _ => 0,
        };
        if outcomes.is_empty() { self.total() } else { outcomes.iter().map(counted).sum() }
    }

    /// All placements.
    pub const fn total(self) -> u64 {
        self.fulfilled + self.cancelled + self.timed_out + self.failed
    }

    /// Share (0 to 1) that timed out or failed; the cancelled ones were cancelled on request. `None` without
    /// placements.
    pub fn failed_share(self) -> Option<f64> {
        (self.total() > 0).then(|| (self.timed_out + self.failed) as f64 / self.total() as f64)
    }
}

/// Outcomes and times to place over a range.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementStatistics {
    /// How they ended.
    pub funnel: Funnel,
    /// Median time to place of the fulfilled, in milliseconds.
    pub p50_ms: Option<i64>,
    /// 95th percentile.
    pub p95_ms: Option<i64>,
    /// 99th percentile.
    pub p99_ms: Option<i64>,
    /// Fulfilled placements by time to place, quickest first.
    pub histogram: Vec<HistogramBar>,
}

/// How long fulfilled placements took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacementTimes {
    /// Median milliseconds; `None` if none was fulfilled.
    pub p50_ms: Option<i64>,
    /// 95th percentile.
    pub p95_ms: Option<i64>,
}

impl From<PlacementStatistics> for PlacementTimes {
    fn from(statistics: PlacementStatistics) -> Self {
        Self { p50_ms: statistics.p50_ms, p95_ms: statistics.p95_ms }
    }
}

/// Placements that took at most this long, and longer than the previous bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HistogramBar {
    /// Upper bound in milliseconds; `None` for the last bar.
    pub up_to_ms: Option<i64>,
    /// Number of placements.
    pub count: u64,
}

/// Upper bounds of the histogram's bars in milliseconds; queues allow at most 600 s.
const BARS_MS: [i64; 10] = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 180_000, 600_000];
/// Maximum number of placements counted for a window filtered by a text.
const COUNTED: i64 = 100_000;

impl Reader {
    /// The placements that match, newest first, as a window.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placements(&self, request: &PlacementRequest) -> Result<Window<PlacementRow>, StoreError> {
        let directory = self.directory().await?;
        let keys = self.placement_keys(&request.scope, request.range, &directory).await?;
        let (count, bound) = if request.text.trim().is_empty() {
            let summed = self.placements_summed(&keys, request.range).await?;
            (i64::try_from(summed.funnel.of(&request.event_types)).unwrap_or(i64::MAX), i64::MAX)
        } else {
            let bound = request.page.counted(COUNTED);
            let condition = |sql: &mut _| push_request(sql, request, &keys, &directory);
            (self.count_up_to("placement_event e", bound, condition).await?, bound)
        };
        let mut sql = QueryBuilder::new(COLUMNS);
        push_request(&mut sql, request, &keys, &directory);
        sql.push(" ORDER BY e.event_at DESC, e.event_key DESC");
        request.page.push(&mut sql);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let rows = rows.iter().map(|row| placement(row, &directory)).collect::<Result<_, _>>()?;
        Ok(Window::counted(rows, count, bound))
    }

    /// When the first event of the placements in `scope` was sent; `None` if there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn first_placement(&self, scope: &PlacementScope) -> Result<Option<Timestamp>, StoreError> {
        let directory = self.directory().await?;
        let all = TimeRange::new(Timestamp::from_ms(0), Timestamp::from_ms(i64::MAX));
        let mut sql = QueryBuilder::new("SELECT e.event_at FROM placement_event e WHERE ");
        self.placement_keys(scope, all, &directory).await?.push_events(&mut sql, all);
        sql.push(" ORDER BY e.event_at LIMIT 1");
        let first: Option<i64> = sql.build_query_scalar().fetch_optional(self.pool()).await?;
        Ok(first.map(Timestamp::from_ms))
    }

    /// Outcomes of the placements in `scope` and `range`: one funnel per bucket of `width_ms`, counted
    /// from the start of the range.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_rate(
        &self,
        scope: &PlacementScope,
        range: TimeRange,
        width_ms: i64,
    ) -> Result<Vec<Funnel>, StoreError> {
        let directory = self.directory().await?;
        let keys = self.placement_keys(scope, range, &directory).await?;
        let width_ms = width_ms.max(1_000);
        let from = range.from.as_ms();
        let mut funnels = vec![Funnel::default(); bucket_count(range, width_ms)];
        let mut add = |at: i64, outcome: i64, count: u64| {
            let bucket = usize::try_from((at - from).div_euclid(width_ms)).ok();
            if let Some(funnel) = bucket.and_then(|bucket| funnels.get_mut(bucket)) {
                funnel.add(outcome, count);
            }
        };
        let mut each_from = range.from;
        if keys.is_summed() && from % HOUR_MS == 0 && width_ms % HOUR_MS == 0 {
            each_from = range.to.floor_to_ms(HOUR_MS).max(range.from);
            let whole = TimeRange::new(range.from, each_from);
            for (at, funnel) in self.placements_by_hour(&keys, whole).await? {
                let counts = [funnel.fulfilled, funnel.cancelled, funnel.timed_out, funnel.failed];
                for (outcome, count) in (Funnel::FULFILLED..).zip(counts) {
                    add(at, outcome, count);
                }
            }
        }
        let mut sql = QueryBuilder::new("SELECT (e.event_at - ");
        sql.push_bind(from).push(") / ").push_bind(width_ms);
        sql.push(" AS bucket, e.event_type, count(*) AS placements FROM placement_event e WHERE ");
        keys.push_events(&mut sql, TimeRange::new(each_from, range.to));
        sql.push(" GROUP BY 1, 2");
        for row in sql.build().fetch_all(self.pool()).await? {
            let at = from + row.read::<i64>("bucket")? * width_ms;
            add(at, row.read("event_type")?, row.read("placements")?);
        }
        Ok(funnels)
    }

    pub(super) async fn placements_of_player(
        &self,
        player: &str,
        most: i64,
        directory: &Directory,
    ) -> Result<Vec<PlacementRow>, StoreError> {
        let mut sql = QueryBuilder::new(COLUMNS);
        push_player(&mut sql, player);
        sql.push(" ORDER BY e.event_at DESC, e.event_key DESC LIMIT ").push_bind(most);
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| placement(row, directory)).collect()
    }

    /// How long the fulfilled placements in `scope` took in `range`: one entry per bucket of `width_ms`, counted
    /// from the start of the range. Whole hours come from sums, and are at most 5 % off.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_times(
        &self,
        scope: &PlacementScope,
        range: TimeRange,
        width_ms: i64,
    ) -> Result<Vec<PlacementTimes>, StoreError> {
        let directory = self.directory().await?;
        let keys = self.placement_keys(scope, range, &directory).await?;
        let summed = self.placement_sums_by_bucket(&keys, range, width_ms.max(1_000)).await?;
        Ok(summed.into_iter().map(|bucket| bucket.statistics().into()).collect())
    }

    pub(super) async fn placement_of_session(
        &self,
        id: &GameSessionId,
        directory: &Directory,
    ) -> Result<Option<PlacementRow>, StoreError> {
        let Some((prefix, short)) = id.as_str().rsplit_once('/') else { return Ok(None) };
        let mut sql = QueryBuilder::new(COLUMNS);
        sql.push("e.session_id = ").push_bind(Code::encode(short));
        sql.push(" AND e.session_prefix_key = (SELECT prefix_key FROM arn_prefix WHERE prefix = ");
        sql.push_bind(prefix.to_owned()).push(") ORDER BY e.event_at LIMIT 1");
        let row = sql.build().fetch_optional(self.pool()).await?;
        row.map(|row| placement(&row, directory)).transpose()
    }
}

/// The number of buckets of `width_ms` that cover a range, at most 10 000.
pub(super) fn bucket_count(range: TimeRange, width_ms: i64) -> usize {
    usize::try_from((range.length_ms() + width_ms - 1) / width_ms).unwrap_or(0).min(10_000)
}

const COLUMNS: &str = "SELECT e.event_key, e.placement_id, e.event_type, e.queue, e.region_key, e.event_at, e.start_at, e.end_at, \
     a.prefix, e.session_id, e.fleet_key, e.location_key, e.players FROM placement_event e \
     LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key WHERE ";

fn push_request(
    sql: &mut QueryBuilder<Sqlite>,
    request: &PlacementRequest,
    keys: &Keys<'_>,
    directory: &Directory,
) {
    keys.push_events(sql, request.range);
    if !request.event_types.is_empty() {
        sql.push(" AND e.event_type IN (");
        let mut list = sql.separated(", ");
        for wanted in &request.event_types {
            let key = directory.word_key(wanted.as_str()).unwrap_or(-1);
            list.push_bind(key);
        }
        sql.push(")");
    }
    let text = request.text.trim();
    if !text.is_empty() {
        // Placement ids are matched by prefix, as one range of their index. Player ids are matched exactly.
        sql.push(" AND (e.event_key IN (SELECT event_key FROM placement_event WHERE placement_id >= ");
        sql.push_bind(text.to_owned()).push(" AND placement_id < ").push_bind(format!("{text}\u{10ffff}"));
        sql.push(") OR ");
        push_player(sql, text);
        sql.push(")");
    }
}

/// Appends the condition that a placement has a player. Events name the players of fulfilled placements alone. Those of
/// the others are known if FlexMatch made the placement: its tickets name them. This takes the id of such a placement
/// for that of its match, which AWS does not document; if it is not, the placement is not found by its player.
fn push_player(sql: &mut QueryBuilder<Sqlite>, player: &str) {
    let code = Code::encode(player);
    sql.push(
        "(e.event_key IN (SELECT p.event_key FROM placement_player p WHERE p.player_key = \
         (SELECT player_key FROM player WHERE id = ",
    );
    sql.push_bind(code.clone());
    sql.push(
        ")) OR e.event_key IN (SELECT f.event_key FROM ticket_player p JOIN ticket t ON t.ticket_key = p.ticket_key \
         JOIN matchmaking_ticket k ON k.ticket_id = t.ticket_id JOIN matchmaking_event m ON m.event_key = k.event_key \
         JOIN placement_event f ON f.placement_id = m.match_id WHERE p.player = ",
    );
    sql.push_bind(code.clone());
    sql.push(
        ") OR e.placement_id IN (SELECT l.asked_id FROM player_latency l WHERE l.is_ticket = 0 AND l.player_key = \
         (SELECT player_key FROM player WHERE id = ",
    );
    sql.push_bind(code).push(")))");
}

/// Returns the value at or below which `share` of the values lie. `times` is ascending, with how often each occurs.
fn percentile(times: &[(i64, u64)], share: f64) -> Option<i64> {
    let total: u64 = times.iter().map(|(_, count)| count).sum();
    let wanted = ((total as f64 * share).ceil() as u64).max(1);
    let mut seen = 0;
    times.iter().find_map(|(time, count)| {
        seen += count;
        (seen >= wanted).then_some(*time)
    })
}

fn histogram(times: &[(i64, u64)]) -> Vec<HistogramBar> {
    let bounds = BARS_MS.into_iter().map(Some).chain([None]);
    let mut bars: Vec<HistogramBar> = bounds.map(|up_to_ms| HistogramBar { up_to_ms, count: 0 }).collect();
    for (time, count) in times {
        if let Some(bar) = bars.iter_mut().find(|bar| bar.up_to_ms.is_none_or(|bound| *time <= bound)) {
            bar.count += count;
        }
    }
    bars
}

fn placement(row: &SqliteRow, directory: &Directory) -> Result<PlacementRow, StoreError> {
    let outcome = directory.word(row.read("event_type")?).unwrap_or_default();
    let (event_time, start_time): (Timestamp, Option<Timestamp>) =
        (row.read("event_at")?, row.read("start_at")?);
    let end_time = row.read::<Option<Timestamp>>("end_at")?.unwrap_or(event_time);
    Ok(PlacementRow {
        event_key: row.read("event_key")?,
        placement_id: row.read("placement_id")?,
        event_type: PlacementEventType::from(outcome.as_str()),
        queue: row.read("queue")?,
        region: directory.region(row.read("region_key")?),
        duration_ms: start_time.map(|start| end_time.since_ms(start)),
        event_time,
        start_time,
        end_time,
        game_session_id: session_of(row)?,
        fleet_id: row.read::<Option<i64>>("fleet_key")?.map(|key| directory.fleet_id(key)),
        location: directory.location(row.read("location_key")?),
        players: row.read("players")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let times = [(100, 50), (200, 45), (900, 4), (5_000, 1)];
        assert_eq!(percentile(&times, 0.50), Some(100));
        assert_eq!(percentile(&times, 0.95), Some(200));
        assert_eq!(percentile(&times, 0.99), Some(900));
        assert_eq!(percentile(&times, 1.0), Some(5_000));
        assert_eq!(percentile(&[], 0.5), None);
    }

    #[test]
    fn every_time_falls_into_one_bar() {
        let bars = histogram(&[(250, 2), (251, 3), (9_999_999, 1)]);
        assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), 6);
        assert_eq!(bars.first(), Some(&HistogramBar { up_to_ms: Some(250), count: 2 }));
        assert_eq!(bars.last(), Some(&HistogramBar { up_to_ms: None, count: 1 }));
    }
}
