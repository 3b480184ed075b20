//! Decides what to ask AWS and when: schedule, pollers, event feed, backfill.
//!
//! Owns the path from the gateway to the store: which operation is called next, how often, with which priority, and
//! how a failure affects polling. Deliberately knows nothing of SQL, of the SDKs' types or of the window, and reads
//! no clock of its own.

pub mod adoption;
pub mod cadence;
mod collector;
mod condition;
pub mod feed;
mod fired;
pub mod health;
pub mod metrics;
mod once;
mod options;
mod others;
mod players;
mod poll;
mod receiving;
mod region;
pub mod schedule;
mod search;
mod summary;
mod tasks;
mod throttled;
mod trail;
mod trouble;
mod verdict;

pub use cadence::{Cadence, Pace};
pub use collector::Collector;
pub use health::{Backfill, Caution, FeedHealth, FeedState, Health, HealthState, OtherReader, RegionHealth};
pub use metrics::MetricsPolicy;
pub use options::{Clock, CollectorOptions, EndedGameSessions, EveryMetric, Focus};
pub use schedule::Places;
pub use search::{Found, PlayerFound, SearchError, Searcher, Searches};
pub use summary::{Calls, Collected, Failure, Summary};
pub use verdict::{End, Verdict};
