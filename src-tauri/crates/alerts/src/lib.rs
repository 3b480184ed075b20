//! Alerts: what is wrong becomes an alert, stays one while it lasts, and ends.
//!
//! Owns the course of alerts: pending periods, damping, what happens without data, and the task that looks while data
//! is collected. Deliberately knows neither SQL nor what can be wrong (`liftdeck-insight` judges that), asks AWS
//! nothing, and knows no host.

mod judge;
mod watch;

pub use judge::judge;
pub use watch::{Clock, Watch, judge_now};
