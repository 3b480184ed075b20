//! The one place that reads the wall clock; everything else is told what time it is.

use std::sync::Arc;

use liftdeck_model::Timestamp;

/// Tells the time.
pub(crate) type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The present.
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp::from_ms(since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
}

/// The wall clock, to hand to whoever needs to ask again.
pub(crate) fn wall() -> Clock {
    Arc::new(now)
}
