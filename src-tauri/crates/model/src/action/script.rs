//! Realtime scripts.

use serde::{Deserialize, Serialize};

use super::rule::Rules;
use crate::id::ScriptId;

/// AWS: a script is sent as a zip of at most 5 000 000 bytes.
pub const MOST_ZIP_BYTES: u32 = 5_000_000;

/// A zip on this computer, as it was when it was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ZipFile {
    /// Where it lies.
    pub path: String,
    /// Size in bytes.
    pub size_bytes: u32,
    /// SHA-256 of its bytes in hex: what is sent is what was looked at.
    pub sha256: String,
}

/// UpdateScript: what is absent stays. AWS: running fleets take the new files for new game sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateScript {
    /// Script.
    pub script_id: ScriptId,
    /// Name, 1 to 1024 characters.
    pub name: Option<String>,
    /// Version, 1 to 1024 characters; a word for people, AWS keeps only the newest files.
    pub version: Option<String>,
    /// New files.
    pub zip_file: Option<ZipFile>,
}

impl UpdateScript {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.prefixed("scriptId", self.script_id.as_str(), "script-");
        for (field, text) in [("name", &self.name), ("version", &self.version)] {
            if let Some(text) = text {
                rules.length(field, text, 1, 1024);
            }
        }
        if let Some(zip) = &self.zip_file {
            rules.require(zip.size_bytes <= MOST_ZIP_BYTES, "zipFile", || {
                format!("At most {MOST_ZIP_BYTES} bytes; this zip has {}.", zip.size_bytes)
            });
        }
        let nothing = self.name.is_none() && self.version.is_none() && self.zip_file.is_none();
        rules.require(!nothing, "scriptId", || "Nothing is to be changed.".to_owned());
    }
}
