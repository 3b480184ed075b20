//! The time since which a location of a fleet has had fewer instances than it desires.

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};
use liftdeck_store::{Reader, StoreError};

use super::capped::STILL_MS;

/// How far back to look for the beginning.
const LOOK_BACK_MS: i64 = 3 * 3_600_000;
/// Number of buckets in that time: 15 s each.
const BUCKETS: u32 = 720;

/// The time since which more instances are desired in a location than are ACTIVE or PENDING, looking up to three hours
/// back. Call it for a location that lacks instances now: if the history does not show that yet, the result is `now`.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn lacking_since(
    reader: &Reader,
    fleet: &FleetId,
    location: &Location,
    now: Timestamp,
) -> Result<Timestamp, StoreError> {
    let request = SeriesRequest {
        scope: SeriesScope::Fleet { fleet_id: fleet.clone(), location: Some(location.clone()) },
        names: vec![SeriesName::DesiredInstances, SeriesName::ActiveInstances, SeriesName::PendingInstances],
        range: TimeRange::new(now.plus_ms(-LOOK_BACK_MS), now.plus_ms(1)),
        max_points: BUCKETS,
    };
    Ok(last_stretch(&reader.series(&request).await?, now))
}

/// The beginning of the period of lack that reaches the present; gaps neither end nor begin one.
fn last_stretch(table: &SeriesTable, now: Timestamp) -> Timestamp {
    let value = |column: usize, row: usize| {
        table.columns.get(column).and_then(|column| column.get(row)).copied().unwrap_or(f64::NAN)
    };
    let mut since = now;
    for (row, time) in table.times.iter().enumerate().rev() {
        let lack = value(0, row) - value(1, row) - value(2, row);
        if lack.is_nan() {
            continue;
        }
        let is_old = since == now && now.since_ms(*time) > STILL_MS;
        if lack <= 0.0 || is_old {
            break;
        }
        since = *time;
    }
    since.min(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;
    const GAP: [f64; 3] = [f64::NAN; 3];

    fn since(rows: &[[f64; 3]], now_minute: i64) -> i64 {
        let times = (0_i64..).take(rows.len()).map(|minute| Timestamp::from_ms(minute * MINUTE)).collect();
        let columns = (0..3).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        let table = SeriesTable { times, bucket_ms: MINUTE, columns };
        last_stretch(&table, Timestamp::from_ms(now_minute * MINUTE)).as_ms() / MINUTE
    }

    #[test]
    fn a_lack_is_dated_by_the_stretch_that_reaches_the_present() {
        let (enough, starting, lack) = ([4.0, 4.0, 0.0], [6.0, 4.0, 2.0], [6.0, 4.0, 0.0]);
        assert_eq!(since(&[lack, enough, lack, lack], 4), 2);
        assert_eq!(since(&[enough, lack, GAP, lack], 4), 1, "a gap does not end it");
        assert_eq!(since(&[lack, starting], 2), 2, "instances that are PENDING are on their way");
        assert_eq!(since(&[lack, lack], 30), 30, "an old stretch is another one");
        assert_eq!(since(&[], 5), 5);
    }
}
