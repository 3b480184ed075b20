//! Read-only reasoning over the store: what changed, why a fleet scaled, what needs attention, what a session lived through.
//!
//! Owns the judgements: causes, states, severities, sentences. Deliberately knows nothing of SQL (it asks the store's
//! reader), of AWS or of the window, and reads no clock: the present comes in as an argument.

pub mod change;
pub mod matchmaking;
pub mod overview;
pub mod queue;
pub mod scaling;
pub mod state;
pub mod timeline;

pub use change::{ByUs, Change, ChangeKind, Severity, changes, event_severity, histories, resource_history};
pub use matchmaking::{matchmaking_severity, matchmaking_text};
pub use overview::{Attention, HeatCell, HeatRow, Kpi, KpiKey, Overview, Target, overview};
pub use queue::{QueueDestinationState, QueueDetail, latency_policy_text, queue_detail};
pub use scaling::{Cause, FleetScaling, Mark, ScalingStep, capped_since, fleet_scaling};
pub use state::{FleetState, fleet_state};
pub use timeline::{TimelineEntry, TimelineKind, players_over_time, session_timeline};
