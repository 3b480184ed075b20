//! What the palette finds.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What kind of thing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum GotoKind {
    Fleet,
    Session,
    Player,
    Queue,
    Alias,
    Placement,
}

/// A place to go to.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GotoHit {
    pub(crate) kind: GotoKind,
    pub(crate) label: String,
    pub(crate) detail: String,
    /// Address inside the window.
    pub(crate) link: String,
}
