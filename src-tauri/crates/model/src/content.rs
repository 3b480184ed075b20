//! Builds and Realtime scripts.

use serde::{Deserialize, Serialize};

use crate::id::{BuildId, Region, ScriptId};
use crate::time::Timestamp;

/// A build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Id.
    pub build_id: BuildId,
    /// Region.
    pub region: Region,
    /// ARN.
    pub arn: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// Version, chosen by the developer.
    pub version: Option<String>,
    /// `INITIALIZED`, `READY` or `FAILED`.
    pub status: String,
    /// Size in bytes; 0 while INITIALIZED or when the build comes from the developer's own bucket.
    pub size_on_disk_bytes: Option<i64>,
    /// Operating system.
    pub operating_system: Option<String>,
    /// Server SDK, x.y.z.
    pub server_sdk_version: Option<String>,
    /// When it was created.
    pub creation_time: Option<Timestamp>,
}

/// A Realtime script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// Id.
    pub script_id: ScriptId,
    /// Region.
    pub region: Region,
    /// ARN.
    pub arn: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// Version, chosen by the developer.
    pub version: Option<String>,
    /// Size in bytes; 0 when it is stored in S3.
    pub size_on_disk_bytes: Option<i64>,
    /// Node.js version.
    pub node_js_version: Option<String>,
    /// When it was created.
    pub creation_time: Option<Timestamp>,
}
