//! The incidents of a world, as its own record has them.

use liftdeck_model::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

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
    #[serde(default, deserialize_with = "perhaps")]
    pub(super) ended_time: Option<Timestamp>,
    #[serde(default)]
    pub(super) fleet_ids: Vec<String>,
    #[serde(default)]
    pub(super) locations: Vec<String>,
    pub(super) alias_id: Option<String>,
    #[serde(default)]
    pub(super) game_session_queue_names: Vec<String>,
    pub(super) matchmaking_configuration_name: Option<String>,
}

impl Incident {
    /// All that have begun in a Region.
    pub(super) fn all(endpoint: &str, region: &str) -> Vec<Self> {
        let url = format!("{endpoint}/_simulator/truth?region={region}");
        let mut answer = ureq::get(&url).call().expect("the truth");
        let mut truth: Value = answer.body_mut().with_config().limit(u64::MAX).read_json().expect("JSON");
        serde_json::from_value(truth["Incidents"].take()).expect("incidents")
    }
}

fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let seconds = f64::deserialize(deserializer)?;
    Ok(Timestamp::from_ms((seconds * 1_000.0).round() as i64))
}

fn perhaps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let seconds = Option::<f64>::deserialize(deserializer)?;
    Ok(seconds.map(|seconds| Timestamp::from_ms((seconds * 1_000.0).round() as i64)))
}
