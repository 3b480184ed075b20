//! The time since which a fleet has had little room for more game sessions.

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};
use liftdeck_store::{Reader, StoreError};

use super::capped::STILL_MS;
use crate::state::LITTLE_ROOM_PERCENT;

/// How far back to look for the beginning.
const LOOK_BACK_MS: i64 = 3 * 3_600_000;
/// Number of buckets in that time: 15 s each.
const BUCKETS: u32 = 720;

/// The time since which less than [`LITTLE_ROOM_PERCENT`] of a fleet's server processes are free, looking up to three
/// hours back. Call it for a fleet that has little room now: if the history does not show that yet, the result is
/// `now`.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn little_room_since(
    reader: &Reader,
    summary: &FleetSummary,
    now: Timestamp,
) -> Result<Timestamp, StoreError> {
    let request = SeriesRequest {
        scope: SeriesScope::Fleet { fleet_id: summary.fleet.fleet_id.clone(), location: None },
        names: vec![SeriesName::PercentAvailableGameSessions],
        range: TimeRange::new(now.plus_ms(-LOOK_BACK_MS), now),
        max_points: BUCKETS,
    };
    Ok(last_stretch(&reader.series(&request).await?, now))
}

/// The beginning of the period of little room that reaches the present; gaps neither end nor begin one.
fn last_stretch(table: &SeriesTable, now: Timestamp) -> Timestamp {
    let percents = table.columns.first().map_or(&[][..], Vec::as_slice);
    let seen = table.times.iter().zip(percents).rev().filter(|(_, percent)| !percent.is_nan());
    let mut since = now;
    for (time, _) in seen.take_while(|(_, percent)| **percent < LITTLE_ROOM_PERCENT) {
        if since == now && now.since_ms(*time) > STILL_MS {
            break;
        }
        since = *time;
    }
    since
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn since(percents: &[f64], now_minute: i64) -> i64 {
        let times =
            (0_i64..).take(percents.len()).map(|minute| Timestamp::from_ms(minute * MINUTE)).collect();
        let table = SeriesTable { times, bucket_ms: MINUTE, columns: vec![percents.to_vec()] };
        last_stretch(&table, Timestamp::from_ms(now_minute * MINUTE)).as_ms() / MINUTE
    }

    #[test]
    fn little_room_is_dated_by_the_stretch_that_reaches_the_present() {
        assert_eq!(since(&[4.0, 40.0, 9.0, 5.0, 0.0], 5), 2);
        assert_eq!(since(&[4.0, 40.0, 9.0, f64::NAN, 0.0], 5), 2, "a gap does not end it");
        assert_eq!(since(&[4.0, 40.0], 2), 2, "what is seen now began now");
        assert_eq!(since(&[4.0, 4.0], 30), 30, "an old stretch is another one");
        assert_eq!(since(&[], 5), 5);
    }
}
