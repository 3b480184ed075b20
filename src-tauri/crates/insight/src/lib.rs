//! Read-only reasoning over the store: what is known, what is wrong and why, what changed, why a fleet scaled, and
//! what happened in a game session.
//!
//! Owns the judgements (causes, states, severities) and, in `words`, how each is worded. Deliberately knows nothing
//! of SQL (it uses the store's reader), of AWS or of the window, and reads no clock: the current time is an argument.

pub mod alert;
pub mod answer;
pub mod change;
pub mod custom;
pub mod difference;
mod figures;
pub mod incident;
pub mod knowledge;
pub mod matchmaking;
pub mod names;
pub mod offer;
pub mod overview;
pub mod rule_list;
pub mod scaling;
mod silence;
pub mod state;
pub mod timeline;
pub mod usual;
pub mod verdict;
pub mod words;

pub use alert::{Alert, AlertList, AlertStory, CauseWords, alert_list, alert_story, open_alerts};
pub use answer::queue::{latency_policy_text, queue_detail};
pub use change::{
    ByUs, Change, ChangeKind, DestinationNamed, FleetNamed, Part, RecordedCall, Scaled, Sent, Value, What,
    Who, WhyUnknown, changes, histories, resource_history,
};
pub use knowledge::{Knowledge, RegionKnown, Source, SourceKnown, knowledge};
pub use matchmaking::{matchmaking_severity, matchmaking_text};
pub use names::{Named, Names, Noun, SharedName};
pub use overview::{HeatCell, HeatRow, Kpi, KpiKey, Overview, Unwatched, overview};
pub use rule_list::{AdjustmentListed, RuleListed, RuleTried, TriedSpan, rule_list, rule_try};
pub use scaling::{
    Cause, Evidence, FleetScaling, Limit, Mark, ScalingStep, capped_since, export_scaling_steps,
    fleet_scaling,
};
pub use silence::silences;
pub use state::{FleetState, fleet_state};
pub use timeline::{TimelineEntry, TimelineKind, players_over_time, session_timeline};
pub use verdict::{Facts, Hit, Likely, LikelyCause, Rule, Strength, Target, Trouble};
