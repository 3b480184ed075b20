//! The content that fleets run: builds and Realtime scripts.

use super::{OperatingSystem, wire_enum};

wire_enum!(/// State of a build.
BuildStatus { Initialized = "INITIALIZED", Ready = "READY", Failed = "FAILED" });

/// `Build`.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// `build-…`.
    pub build_id: String,
    /// ARN.
    pub build_arn: String,
    /// Name.
    pub name: String,
    /// Free text.
    pub version: String,
    /// State.
    pub status: BuildStatus,
    /// Bytes; 0 while INITIALIZED.
    pub size_on_disk_bytes: u64,
    /// Operating system.
    pub operating_system: OperatingSystem,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// x.y.z.
    pub server_sdk_version: String,
}

/// `Script`.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// `script-…`.
    pub script_id: String,
    /// ARN.
    pub script_arn: String,
    /// Name, if it has one.
    pub name: Option<String>,
    /// Changes with UpdateScript.
    pub version: Option<String>,
    /// Bytes; 0 when it came from S3.
    pub size_on_disk_bytes: u64,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// Location of the zip file.
    pub storage_location: Option<S3Location>,
    /// `10.x` or `24.x`.
    pub node_js_version: String,
}

/// Location of an object in S3.
#[derive(Clone, Debug, PartialEq)]
pub struct S3Location {
    /// Bucket.
    pub bucket: String,
    /// Key.
    pub key: String,
    /// Role that may read it; absent for the service's own bucket.
    pub role_arn: Option<String>,
    /// Version of the object.
    pub object_version: Option<String>,
}
