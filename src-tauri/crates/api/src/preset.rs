//! Presets: forms the operator filled in once and wants again.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Which form.
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
    /// JSON of the form, the window's own.
    pub body: String,
}

impl PresetKind {
    /// As the store keeps it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewSession => "newSession",
        }
    }
}
