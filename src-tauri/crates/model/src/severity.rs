//! How much something matters to whoever reads it.

use serde::{Deserialize, Serialize};
use specta::Type;

/// How much something matters; later ones matter more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Worth a look; of a change: it may not do what is wanted.
    Warning,
    /// Players notice; of a change: AWS will refuse it, or people will be hurt by it.
    Bad,
}
