//! Alerts: what is wrong becomes an alert, stays one while it lasts, and ends.
//!
//! Owns the course of alerts: pending periods, damping, what happens without data, what is to be told of them and when,
//! the task that looks while data is collected, and the trial of a rule on the past, which is the same course.
//! Deliberately knows neither SQL nor what can be wrong (`liftdeck-insight` judges that), asks AWS nothing, sends
//! nothing, and knows no host.

mod course;
mod desk;
mod judge;
mod own;
mod tell;
mod trial;
mod watch;
mod words;

pub use desk::Desk;
pub use trial::try_rule;
pub use watch::{Clock, Watch, is_settled_since, judge_now};
pub use words::told;
