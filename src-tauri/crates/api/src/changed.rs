//! What moved, as every host is told.

use liftdeck_model::observation::Subject;
use serde::{Deserialize, Serialize};
use specta::Type;

/// What moved: a hint to ask again, under 1 KB, at most four a second. Losing one costs a tick, never correctness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub revision: u64,
    pub subjects: Vec<Subject>,
}
