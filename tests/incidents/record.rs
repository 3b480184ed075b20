//! The incidents of a world, as its own record has them.

use std::collections::BTreeMap;

use liftdeck_model::Timestamp;
use serde::{Deserialize, Deserializer};

/// An incident that has begun. Members are named as the simulator's truth names them.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Incident {
    pub(super) kind: String,
    pub(super) region: String,
    /// When the cause took effect.
    #[serde(deserialize_with = "moment")]
    pub(super) began_time: Timestamp,
    /// When the first effect could be seen.
    #[serde(default, deserialize_with = "perhaps")]
    pub(super) seen_time: Option<Timestamp>,
    /// When each effect could be seen first.
    #[serde(default)]
    pub(super) signs: Signs,
    /// The same for each fleet, queue and matchmaking configuration, by id or name.
    #[serde(default)]
    pub(super) signs_on: BTreeMap<String, Signs>,
    #[serde(default, deserialize_with = "perhaps")]
    pub(super) ended_time: Option<Timestamp>,
    #[serde(default)]
    pub(super) fleet_ids: Vec<String>,
    #[serde(default)]
    pub(super) locations: Vec<String>,
    /// Who caused it, if anybody did.
    pub(super) by: Option<String>,
    pub(super) alias_id: Option<String>,
    #[serde(default)]
    pub(super) game_session_queue_names: Vec<String>,
    pub(super) matchmaking_configuration_name: Option<String>,
}

/// Effects, and when each could be seen first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Signs(#[serde(deserialize_with = "moments")] BTreeMap<String, Timestamp>);

impl Signs {
    /// When the first of these could be seen.
    pub(super) fn first(&self, signs: &[&str]) -> Option<Timestamp> {
        signs.iter().filter_map(|sign| self.0.get(*sign)).min().copied()
    }
}

/// A change of the desired count of a location.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Step {
    #[serde(deserialize_with = "moment")]
    pub(super) time: Timestamp,
    pub(super) fleet_id: String,
    pub(super) location: String,
    pub(super) to: i64,
    /// The count that was asked for, which the location's limits may not have allowed.
    pub(super) wanted: i64,
    pub(super) reason: String,
}

/// What a world has recorded of a Region.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Record {
    /// Incidents that have begun.
    pub(super) incidents: Vec<Incident>,
    pub(super) scaling_steps: Vec<Step>,
}

impl Record {
    pub(super) fn of(endpoint: &str, region: &str) -> Self {
        let url = format!("{endpoint}/_simulator/truth?region={region}");
        let mut answer = ureq::get(&url).call().expect("the truth");
        answer.body_mut().with_config().limit(u64::MAX).read_json().expect("a record")
    }
}

fn of_seconds(seconds: f64) -> Timestamp {
    Timestamp::from_ms((seconds * 1_000.0).round() as i64)
}

fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    Ok(of_seconds(f64::deserialize(deserializer)?))
}

fn perhaps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.map(of_seconds))
}

fn moments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Timestamp>, D::Error> {
    let seconds = BTreeMap::<String, f64>::deserialize(deserializer)?;
    Ok(seconds.into_iter().map(|(sign, seconds)| (sign, of_seconds(seconds))).collect())
}
