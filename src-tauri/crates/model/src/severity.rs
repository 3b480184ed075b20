//! How much something matters to the reader.

use serde::{Deserialize, Serialize};
use specta::Type;
use strum::IntoStaticStr;

/// How much something matters; later ones matter more.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, Type,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Worth a look. For a change: it may not do what is wanted.
    Warning,
    /// Players notice. For a change: AWS will refuse it, or it will do people harm.
    Bad,
}
