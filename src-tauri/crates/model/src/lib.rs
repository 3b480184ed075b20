//! The vocabulary every other crate shares: ids, records, enums, time and the query language.
//!
//! Owns pure values under GameLift's own names. Deliberately knows nothing of I/O, of clocks (time comes in
//! as an argument), of SQL, of the AWS SDK's types or of the window.

pub mod action;
pub mod activity;
pub mod alert;
pub mod alert_rule;
pub mod alias;
pub mod arn;
pub mod certificate;
pub mod channel;
pub mod container;
pub mod content;
pub mod custom_rule;
pub mod endpoint;
pub mod environment;
pub mod event_code;
pub mod feed;
pub mod fleet;
pub mod fleet_metric;
pub mod game_session;
pub mod id;
pub mod link;
pub mod matchmaking;
pub mod metric;
pub mod notification;
pub mod observation;
pub mod open_enum;
pub mod placement;
pub mod player_session;
pub mod query;
pub mod queue;
pub mod search;
pub mod series_name;
pub mod severity;
pub mod silence;
pub mod spelling;
pub mod time;
pub mod trail;
pub mod visible;
pub mod watch;

pub use environment::Environment;
pub use event_code::FleetEventCode;
pub use id::{
    AccountId, AliasId, BuildId, FleetId, GameSessionId, Location, PlacementId, PlayerId, PlayerSessionId,
    QueueName, Region, ScriptId, TicketId,
};
pub use severity::Severity;
pub use time::Timestamp;
