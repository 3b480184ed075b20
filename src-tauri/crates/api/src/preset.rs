//! Presets: filled-in forms that the operator saved for reuse.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The form that a preset fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PresetKind {
    NewSession,
}

/// A filled-in form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    pub name: String,
    pub kind: PresetKind,
    /// The form as JSON, in the window's own format.
    pub body: String,
}

impl PresetKind {
    /// The name under which the store keeps it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewSession => "newSession",
        }
    }
}
