//! Actions on Realtime scripts.

use serde::{Deserialize, Serialize};

use super::rule::Rules;
use crate::id::ScriptId;

/// AWS: a script is sent as a zip of at most 5 000 000 bytes.
pub const MOST_ZIP_BYTES: u32 = 5_000_000;

/// A zip file on this computer, as it was when inspected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ZipFile {
    /// Path of the file.
    pub path: String,
    /// Size in bytes.
    pub size_bytes: u32,
    /// SHA-256 of its bytes in hex, so that exactly the inspected file is sent.
    pub sha256: String,
}

/// UpdateScript; absent fields stay unchanged. AWS: running fleets use the new files for new game sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateScript {
    /// Script.
    pub script_id: ScriptId,
    /// Name, 1 to 1024 characters.
    pub name: Option<String>,
    /// Version, 1 to 1024 characters. Only a label for people: AWS keeps only the newest files.
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
                format!("At most {MOST_ZIP_BYTES} bytes, not {}.", zip.size_bytes)
            });
        }
        let nothing = self.name.is_none() && self.version.is_none() && self.zip_file.is_none();
        rules.require(!nothing, "scriptId", || "Nothing would change.".to_owned());
    }
}
