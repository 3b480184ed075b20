//! The notification of changed data that every host receives.

use liftdeck_model::observation::Subject;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The subjects that changed: a hint to query again, under 1 KB, at most four a second. A lost hint only delays an
/// update; it never makes a result wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub revision: u64,
    pub subjects: Vec<Subject>,
}
