//! The one place that reads a clock; everything else is told what time it is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use liftdeck_model::Timestamp;

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The present.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp::from_ms(since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
}

/// The wall clock, to hand to whoever needs to ask again.
pub fn wall() -> Clock {
    Arc::new(now)
}

/// A clock that shows this moment now and goes on from there.
pub fn from(start: Timestamp) -> Clock {
    let begun = Instant::now();
    Arc::new(move || start.plus_ms(i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX)))
}

/// The time that passes from now on, whatever the wall clock is set to.
pub fn steady() -> Arc<dyn Fn() -> Duration + Send + Sync> {
    let begun = Instant::now();
    Arc::new(move || begun.elapsed())
}
