//! The local SQLite store, and the only crate that contains SQL.
//!
//! Owns one database file per AWS account: its schema and migrations, the single writer that turns poll results into
//! rows, transitions and metric samples, the readers behind every screen, retention, and the revision. Deliberately
//! knows nothing about AWS's wire format, schedules or the window, and reads no wall clock: the current time is
//! passed in.

mod account;
mod bulk;
mod checkpoint;
mod chunk;
pub mod code;
mod column;
mod damage;
mod ending;
mod error;
pub mod export;
mod file;
mod ledger;
mod list;
mod lock;
mod placement_time;
pub mod reader;
mod schema;
mod store;
pub mod text;
pub mod writer;

pub use damage::Recovered;
pub use error::StoreError;
pub use file::{is_same_file, resolved};
pub use ledger::{Judged, LedgerLine};
pub use reader::Reader;
pub use store::{Access, Notice, Store, StoreOptions};
pub use writer::{
    ActivityEnd, AlertChanges, Applied, AttemptEnd, AwsTime, HEARTBEAT_MS, MOST_ASIDE, MOST_ASIDE_BYTES,
    Preset, PresetKind, Queued, Retained, RetentionPolicy, RunKind, RunRecord, RunState, UsageRecord, Writer,
    Written,
};
