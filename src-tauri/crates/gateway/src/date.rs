//! The time at AWS, taken from the `Date` of its responses.
//!
//! Owns the newest date. Unlike this computer's clock, nobody here can set it, and unlike elapsed time, it outlasts
//! the program. Deliberately corrects nothing: the SDK finds its own time to sign with.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_gamelift::config::interceptors::BeforeDeserializationInterceptorContextRef;
use aws_sdk_gamelift::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_gamelift::error::BoxError;
use aws_sdk_gamelift::primitives::{DateTime, DateTimeFormat};
use liftdeck_model::Timestamp;
use parking_lot::Mutex;
use tokio::time::Instant;

/// The time at AWS, and the age of the response it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeardDate {
    /// The last date from AWS plus the time this process has measured since. Never ahead of the real time.
    pub now: Timestamp,
    /// How long ago that response arrived.
    pub age: Duration,
}

/// The time at AWS. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct AwsClock {
    seen: Arc<Mutex<Option<Seen>>>,
}

/// A date, and when it arrived.
#[derive(Clone, Copy, Debug)]
struct Seen {
    date: Timestamp,
    at: Instant,
}

impl AwsClock {
    /// The newest date; `None` until AWS has given one.
    pub(crate) fn heard(&self) -> Option<HeardDate> {
        let seen = (*self.seen.lock())?;
        let age = seen.at.elapsed();
        let age_ms = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        Some(HeardDate { now: seen.date.plus_ms(age_ms), age })
    }

    fn learn(&self, date: Timestamp) {
        let seen = Seen { date, at: Instant::now() };
        *self.seen.lock() = Some(seen);
    }
}

impl Intercept for AwsClock {
    fn name(&self) -> &'static str {
        "AwsClock"
    }

    fn read_before_deserialization(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let headers = context.response().headers();
        if let Some(date) = date(headers.get("date"), headers.get("age")) {
            self.learn(date);
        }
        Ok(())
    }
}

/// When a response was made. `None` for one with an `Age`, because a cache on the way had stored it.
fn date(date: Option<&str>, age: Option<&str>) -> Option<Timestamp> {
    let read = DateTime::from_str(date.filter(|_| age.is_none())?, DateTimeFormat::HttpDate).ok()?;
    Some(Timestamp::from_ms(read.to_millis().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_date_that_nobody_kept_on_the_way_is_taken() {
        let noon = "Sun, 22 Nov 2026 12:00:00 GMT";
        assert_eq!(date(Some(noon), None), Some(Timestamp::from_ms(1_795_348_800_000)));
        assert_eq!(date(Some(noon), Some("60")), None);
        assert_eq!(date(Some("noon"), None), None);
        assert_eq!(date(None, None), None);
    }

    #[tokio::test(start_paused = true)]
    async fn it_goes_on_from_the_last_date_by_the_time_that_passes_here() {
        let clock = AwsClock::default();
        let now = || clock.heard().map(|heard| heard.now);
        assert_eq!(now(), None);
        clock.learn(Timestamp::from_ms(5_000));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(now(), Some(Timestamp::from_ms(7_000)));
        clock.learn(Timestamp::from_ms(6_000));
        assert_eq!(now(), Some(Timestamp::from_ms(6_000)), "AWS knows better");
    }
}
