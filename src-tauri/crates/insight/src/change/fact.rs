//! Changes as data: typed values before and after, and the part of the subject that changed.
//!
//! Owns parsing the store's recorded texts into values. Deliberately produces no text: `words` does that.

use liftdeck_model::action::LatencyPolicy;
use liftdeck_model::activity::FactChange;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::queue::PlayerLatencyPolicy;
use liftdeck_model::{FleetEventCode, FleetId, Location, Timestamp};
use liftdeck_store::RunState;
use liftdeck_store::reader::change::ChangeRow;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::Names;
use crate::answer::queue::latency_policy;

/// What happened to the subject of a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum What {
    /// It, or a part of it, appeared.
    Added {
        /// The part.
        part: Option<Part>,
    },
    /// It, or a part of it, is gone.
    Removed {
        /// The part.
        part: Option<Part>,
    },
    /// A setting changed.
    Set {
        /// The part that the setting belongs to.
        part: Option<Part>,
        /// The record's field, such as `desired` or `routing`.
        field: String,
        /// Its value before; `None` if it had none.
        before: Option<Value>,
        /// Its value after; `None` if it has none.
        after: Option<Value>,
    },
    /// Only the moment AWS keeps of its last update says that it was changed: what was changed was taken back, or
    /// happened before anybody looked.
    Touched,
    /// Fleet events of one code in a short time.
    Events {
        /// Their code.
        code: FleetEventCode,
        /// How many.
        count: i64,
        /// When the first of them happened.
        first_at: Timestamp,
        /// Message of the newest one.
        message: Option<String>,
        /// The step that a FLEET_SCALING_EVENT announces.
        scaled: Option<Scaled>,
    },
    /// A change by this installation that no poll has seen yet.
    Sent {
        /// What was done.
        sent: Sent,
        /// The facts before and after, as previewed.
        facts: Vec<FactChange>,
    },
    /// A drain by this installation began, or ended in this state.
    Drain {
        /// How it ended; `None` if it began.
        ended: Option<RunState>,
    },
}

/// A part of a fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "id", rename_all = "camelCase")]
pub enum Part {
    /// A scaling policy, by name.
    Policy(String),
    /// A location.
    Location(Location),
    /// A deployment, by id.
    Deployment(String),
}

/// A value of a setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "value", rename_all = "camelCase")]
pub enum Value {
    /// A number of things.
    Count(i64),
    /// A percentage, 0 to 100.
    Percent(f64),
    /// Yes or no.
    Flag(bool),
    /// Several texts.
    List(Vec<String>),
    /// Destinations of a queue, in order.
    Destinations(Vec<DestinationNamed>),
    /// Player latency policies of a queue, in order.
    LatencyPolicies(Vec<LatencyPolicy>),
    /// A text.
    Text(String),
    /// The fleet that an alias points to.
    Fleet(FleetNamed),
    /// The message of a terminal alias.
    Message(String),
}

/// A fleet and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetNamed {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Its name, or its id if the store has never listed it.
    pub name: String,
}

/// A destination of a queue and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DestinationNamed {
    /// ARN of a fleet or an alias.
    pub arn: String,
    /// Name of that fleet or alias, or its id if the store has never listed it.
    pub name: String,
}

/// A change of the desired instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Scaled {
    /// Desired instances before.
    pub from: i64,
    /// Desired instances after.
    pub to: i64,
}

/// What a change by this installation did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "policy", rename_all = "camelCase")]
pub enum Sent {
    /// Desired instances were set, maybe with minimum and maximum.
    Capacity,
    /// Minimum or maximum instances were set, and not the desired ones.
    Limits,
    /// The scaling policy of this name was set.
    Policy(String),
    /// The scaling policy of this name was deleted.
    PolicyRemoved(String),
    /// Automatic scaling was suspended.
    ScalingSuspended,
    /// Automatic scaling was resumed.
    ScalingResumed,
    /// Protection of new game sessions was set.
    Protection,
    /// It was created.
    Added,
    /// It points to another fleet.
    Repointed,
    /// Its settings were changed.
    Edited,
    /// Its files were replaced.
    Files,
    /// It was deleted.
    Removed,
}

/// Reads what a recorded change says.
pub(super) fn what(row: &ChangeRow, names: &Names) -> What {
    let part = part(row);
    match row.field.as_str() {
        "added" => What::Added { part },
        "gone" => What::Removed { part },
        _ if row.updated_at().is_some() => What::Touched,
        field => What::Set {
            part,
            field: field.to_owned(),
            before: row.before.as_deref().map(|text| value(row, text, names)),
            after: row.after.as_deref().map(|text| value(row, text, names)),
        },
    }
}

/// The value after a recorded change, without fleet names.
pub(super) fn after(row: &ChangeRow) -> Option<Value> {
    row.after.as_deref().map(|text| value(row, text, &Names::default()))
}

fn part(row: &ChangeRow) -> Option<Part> {
    match row.kind.as_str() {
        "scaling_policy" => Some(Part::Policy(row.name.clone().unwrap_or_else(|| row.resource.clone()))),
        "fleet_location" => Some(Part::Location(Location::new(row.resource.as_str()))),
        "fleet_deployment" => Some(Part::Deployment(row.resource.clone())),
        _ => None,
    }
}

fn value(row: &ChangeRow, text: &str, names: &Names) -> Value {
    let read = match (row.kind.as_str(), row.field.as_str()) {
        ("fleet_capacity", _)
        | (
            _,
            "timeout_seconds"
            | "request_timeout_seconds"
            | "acceptance_timeout_seconds"
            | "additional_player_count",
        ) => text.parse().ok().map(Value::Count),
        ("scaling_policy", "target_value") => text.parse().ok().map(Value::Percent),
        ("alias", "routing") => serde_json::from_str(text).ok().map(|routing| match routing {
            RoutingStrategy::Simple { fleet_id } => {
                let name = names.fleets.get(&fleet_id).cloned().unwrap_or_else(|| fleet_id.to_string());
                Value::Fleet(FleetNamed { fleet_id, name })
            }
            RoutingStrategy::Terminal { message } => Value::Message(message),
        }),
        ("queue", "destinations") => serde_json::from_str(text).ok().map(|arns: Vec<String>| {
            let named = |arn: String| DestinationNamed { name: names.of_destination(&arn), arn };
            Value::Destinations(arns.into_iter().map(named).collect())
        }),
        ("queue", "player_latency_policies") => {
            serde_json::from_str(text).ok().map(|policies: Vec<PlayerLatencyPolicy>| {
                Value::LatencyPolicies(policies.iter().map(latency_policy).collect())
            })
        }
        (_, "scaling_suspended" | "acceptance_required") => text.parse().ok().map(Value::Flag),
        _ => serde_json::from_str(text).ok().map(Value::List),
    };
    read.unwrap_or_else(|| Value::Text(text.to_owned()))
}

impl Value {
    /// The fleet that an alias points to.
    pub fn fleet(&self) -> Option<&FleetId> {
        match self {
            Self::Fleet(fleet) => Some(&fleet.fleet_id),
            _ => None,
        }
    }
}
