//! Placements as their events told them: a window, the funnel, and how long they took.

mod split;
mod story;
mod sum;

use liftdeck_model::placement::PlacementEventType;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, GameSessionId, Location, PlacementId, QueueName, Region, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use self::split::Keys;
pub use self::split::{Destination, PlacementGroup, PlacementScope, PlacementSplit};
pub use self::story::PlacementStory;
use super::Reader;
use super::change::push_range;
use super::directory::Directory;
use super::window::{Page, Window};
use crate::code::Code;
use crate::error::StoreError;

/// A placement's outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// When it was queued.
    pub start_time: Option<Timestamp>,
    /// When it ended.
    pub end_time: Option<Timestamp>,
    /// The session made.
    pub game_session_id: Option<GameSessionId>,
    /// Fleet of that session.
    pub fleet_id: Option<FleetId>,
    /// Where it runs.
    pub location: Option<Location>,
    /// Players placed.
    pub players: i64,
}

impl PlacementRow {
    /// Milliseconds from queued to ended.
    pub fn duration_ms(&self) -> Option<i64> {
        Some(self.end_time?.since_ms(self.start_time?))
    }
}

/// Which placements are wanted.
#[derive(Clone, Debug)]
pub struct PlacementRequest {
    /// Only these.
    pub scope: PlacementScope,
    /// Only these outcomes; all when empty.
    pub event_types: Vec<PlacementEventType>,
    /// Only ids of placements or players that begin with it.
    pub text: String,
    /// When the event was sent.
    pub range: TimeRange,
    /// Which part, newest first.
    pub page: Page,
}

/// How placements ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The schema's word key of PlacementFulfilled; those of cancelled, timed out and failed follow.
    pub(crate) const FULFILLED: i64 = 50;

    /// Adds outcomes by the schema's word key.
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
    const fn add_all(&mut self, other: Self) {
        self.fulfilled += other.fulfilled;
        self.cancelled += other.cancelled;
        self.timed_out += other.timed_out;
        self.failed += other.failed;
    }

    /// How many ended like one of `outcomes`; in any way when it is empty.
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

    /// All of them.
    pub const fn total(self) -> u64 {
        self.fulfilled + self.cancelled + self.timed_out + self.failed
    }

    /// Share (0 to 1) that timed out or failed; a cancelled one was somebody's wish. `None` without placements.
    pub fn failed_share(self) -> Option<f64> {
        (self.total() > 0).then(|| (self.timed_out + self.failed) as f64 / self.total() as f64)
    }
}

/// Outcomes and times to place over a range.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacementStatistics {
    /// How they ended.
    pub funnel: Funnel,
    /// Median time to place of the fulfilled, in milliseconds.
    pub p50_ms: Option<i64>,
    /// 95th percentile.
    pub p95_ms: Option<i64>,
    /// 99th percentile.
    pub p99_ms: Option<i64>,
    /// Fulfilled by time to place: upper bound in milliseconds (the last is open, `i64::MAX`) and count.
    pub histogram: Vec<(i64, u64)>,
}

/// Upper bounds of the histogram's bars in milliseconds; queues allow at most 600 s.
const BARS_MS: [i64; 11] =
    [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 180_000, 600_000, i64::MAX];
/// Placements counted for a window that a text narrows.
const COUNTED: i64 = 100_000;
/// Spans placements are summed by.
pub(crate) const HOUR_MS: i64 = 3_600_000;
pub(crate) const DAY_MS: i64 = 86_400_000;

impl Reader {
    /// The placements that match, newest first, as a window.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placements(&self, request: &PlacementRequest) -> Result<Window<PlacementRow>, StoreError> {
        let directory = self.directory().await?;
        let keys = request.scope.keys(&directory);
        let (count, bound) = if request.text.trim().is_empty() {
            let summed = self.placements_summed(&keys, request.range).await?;
            (i64::try_from(summed.funnel.of(&request.event_types)).unwrap_or(i64::MAX), i64::MAX)
        } else {
            let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM placement_event e WHERE ");
            push_request(&mut sql, request, &keys, &directory);
            sql.push(" LIMIT ").push_bind(COUNTED + 1).push(")");
            (sql.build().fetch_one(self.pool()).await?.try_get(0)?, COUNTED)
        };
        let mut sql = QueryBuilder::new(COLUMNS);
        push_request(&mut sql, request, &keys, &directory);
        let (offset, limit) = request.page.bounds();
        sql.push(" ORDER BY e.event_at DESC, e.event_key DESC LIMIT ").push_bind(limit);
        sql.push(" OFFSET ").push_bind(offset);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let rows = rows.iter().map(|row| placement(row, &directory)).collect::<Result<_, _>>()?;
        Ok(Window::counted(rows, count, bound))
    }

    /// Outcomes and times to place of all queues or one over `range`. Times are exact over less than three hours; over
    /// longer ranges they come from sums by hour and day, and percentiles are at most 5 % off.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_statistics(
        &self,
        queue: Option<&str>,
        range: TimeRange,
    ) -> Result<PlacementStatistics, StoreError> {
        Ok(self.placement_sums(queue, range).await?.statistics())
    }

    /// Outcomes in each bucket of `width_ms` from the start of `range` on: a funnel a bucket.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_rate(
        &self,
        queue: Option<&str>,
        range: TimeRange,
        width_ms: i64,
    ) -> Result<Vec<Funnel>, StoreError> {
        let width_ms = width_ms.max(1_000);
        let from = range.from.as_ms();
        let buckets = usize::try_from((range.length_ms() + width_ms - 1) / width_ms).unwrap_or(0).min(10_000);
        let mut funnels = vec![Funnel::default(); buckets];
        let mut add = |at: i64, outcome: i64, count: i64| {
            let bucket = usize::try_from((at - from).div_euclid(width_ms)).ok();
            if let Some(funnel) = bucket.and_then(|bucket| funnels.get_mut(bucket)) {
                funnel.add(outcome, u64::try_from(count).unwrap_or(0));
            }
        };
        let mut each_from = range.from;
        if from % HOUR_MS == 0 && width_ms % HOUR_MS == 0 {
            each_from = range.to.floor_to_ms(HOUR_MS).max(range.from);
            let whole = TimeRange::new(range.from, each_from);
            for (at, funnel) in self.placements_by_hour(queue, whole).await? {
                let counts = [funnel.fulfilled, funnel.cancelled, funnel.timed_out, funnel.failed];
                for (outcome, count) in (Funnel::FULFILLED..).zip(counts) {
                    add(at, outcome, count.cast_signed());
                }
            }
        }
        let mut sql = QueryBuilder::new("SELECT (e.event_at - ");
        sql.push_bind(from).push(") / ").push_bind(width_ms);
        sql.push(", e.event_type, count(*) FROM placement_event e WHERE ");
        push_queue_and_range(&mut sql, queue, TimeRange::new(each_from, range.to));
        sql.push(" GROUP BY 1, 2");
        for row in sql.build().fetch_all(self.pool()).await? {
            add(from + row.try_get::<i64, _>(0)? * width_ms, row.try_get(1)?, row.try_get(2)?);
        }
        Ok(funnels)
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

const COLUMNS: &str = "SELECT e.event_key, e.placement_id, e.event_type, e.queue, e.region_key, e.event_at, e.start_at, e.end_at, \
     a.prefix, e.session_id, e.fleet_key, e.location_key, e.players FROM placement_event e \
     LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key WHERE ";

fn push_queue_and_range(sql: &mut QueryBuilder<Sqlite>, queue: Option<&str>, range: TimeRange) {
    if let Some(queue) = queue {
        sql.push("e.queue = ").push_bind(queue.to_owned()).push(" AND ");
    }
    sql.push("e.event_at >= ");
    push_range(sql, "e.event_at", Some(range));
}

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
            let key =
                directory.words.iter().find(|(_, word)| *word == wanted.as_str()).map_or(-1, |(key, _)| *key);
            list.push_bind(key);
        }
        sql.push(")");
    }
    let text = request.text.trim();
    if !text.is_empty() {
        // One range of the index of placement ids; the player's own sessions name theirs exactly.
        sql.push(" AND (e.event_key IN (SELECT event_key FROM placement_event WHERE placement_id >= ");
        sql.push_bind(text.to_owned()).push(" AND placement_id < ").push_bind(format!("{text}\u{10ffff}"));
        sql.push(
            ") OR e.event_key IN (SELECT p.event_key FROM placement_player p WHERE p.player_key = \
             (SELECT player_key FROM player WHERE id = ",
        );
        sql.push_bind(Code::encode(text)).push(")))");
    }
}

/// The value below which `share` of all lies; `times` ascending, each with how often it occurs.
fn percentile(times: &[(i64, u64)], share: f64) -> Option<i64> {
    let total: u64 = times.iter().map(|(_, count)| count).sum();
    let wanted = ((total as f64 * share).ceil() as u64).max(1);
    let mut seen = 0;
    times.iter().find_map(|(time, count)| {
        seen += count;
        (seen >= wanted).then_some(*time)
    })
}

fn histogram(times: &[(i64, u64)]) -> Vec<(i64, u64)> {
    let mut bars: Vec<(i64, u64)> = BARS_MS.iter().map(|bound| (*bound, 0)).collect();
    for (time, count) in times {
        if let Some(bar) = bars.iter_mut().find(|(bound, _)| time <= bound) {
            bar.1 += count;
        }
    }
    bars
}

fn placement(row: &SqliteRow, directory: &Directory) -> Result<PlacementRow, StoreError> {
    let moment = |index: usize| -> Result<Option<Timestamp>, sqlx::Error> {
        Ok(row.try_get::<Option<i64>, _>(index)?.map(Timestamp::from_ms))
    };
    let prefix: Option<&str> = row.try_get(8)?;
    let short: Option<Code> = row.try_get(9)?;
    let outcome = directory.word(row.try_get(2)?).unwrap_or_default();
    Ok(PlacementRow {
        event_key: row.try_get(0)?,
        placement_id: PlacementId::new(row.try_get::<String, _>(1)?),
        event_type: PlacementEventType::from(outcome.as_str()),
        queue: QueueName::new(row.try_get::<String, _>(3)?),
        region: directory.region(row.try_get(4)?),
        event_time: Timestamp::from_ms(row.try_get(5)?),
        start_time: moment(6)?,
        end_time: moment(7)?,
        game_session_id: prefix
            .zip(short)
            .map(|(prefix, short)| GameSessionId::new(format!("{prefix}/{}", short.decode()))),
        fleet_id: row.try_get::<Option<i64>, _>(10)?.map(|key| directory.fleet_id(key)),
        location: directory.location(row.try_get(11)?),
        players: row.try_get(12)?,
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
        assert_eq!(bars.iter().map(|(_, count)| count).sum::<u64>(), 6);
        assert_eq!(bars.first(), Some(&(250, 2)));
        assert_eq!(bars.last(), Some(&(i64::MAX, 1)));
    }
}
