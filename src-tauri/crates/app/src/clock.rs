//! The only place that reads a clock; all other code is given the time.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Instant;

use liftdeck_model::Timestamp;
pub use liftdeck_operations::{Clock, Steady};

/// The current time.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp::from_ms(since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
}

/// The wall clock, for code that needs the time repeatedly.
pub fn wall() -> Clock {
    Arc::new(now)
}

/// A clock that starts at this moment and runs on from there, `slowed_by` times slower than real time.
pub fn from(start: Timestamp, slowed_by: NonZeroU32) -> Clock {
    let begun = Instant::now();
    Arc::new(move || {
        let passed = begun.elapsed().as_millis() / u128::from(slowed_by.get());
        start.plus_ms(i64::try_from(passed).unwrap_or(i64::MAX))
    })
}

/// The time elapsed from now on, unaffected by changes to the wall clock.
pub fn steady() -> Steady {
    let begun = Instant::now();
    Arc::new(move || begun.elapsed())
}
