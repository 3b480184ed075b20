//! What time it is at AWS, by the `Date` of its answers.
//!
//! Owns the newest one. Unlike this computer's clock nobody here can set it, and unlike elapsed time it outlives the
//! program. Deliberately corrects nothing: the SDK finds its own time to sign with.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_gamelift::config::interceptors::BeforeDeserializationInterceptorContextRef;
use aws_sdk_gamelift::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_gamelift::error::BoxError;
use aws_sdk_gamelift::primitives::{DateTime, DateTimeFormat};
use liftdeck_model::Timestamp;
use parking_lot::Mutex;
use tokio::time::Instant;

/// AWS's own time, and how long ago an answer told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeardDate {
    /// The last date AWS gave and the time this process has seen pass since; never later than the truth.
    pub now: Timestamp,
    /// How long ago that answer came.
    pub age: Duration,
}

/// AWS's own time. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct AwsClock {
    seen: Arc<Mutex<Option<Seen>>>,
}

/// A date, and when it came.
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

/// When an answer was made. One with an age was kept by somebody on the way.
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
