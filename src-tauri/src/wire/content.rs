//! Builds and Realtime scripts.

use liftdeck_insight as insight;
use liftdeck_model::action::ZipFile;
use liftdeck_operations::Archive;
use liftdeck_store::reader::content as store;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Change;
use crate::wire::number::{Ms, Real, count};
use crate::wire::window::Freshness;

/// A fleet that runs a build or a script.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetLabel {
    pub(crate) fleet_id: String,
    pub(crate) name: String,
}

/// A build.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BuildRow {
    pub(crate) build_id: String,
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) region: String,
    pub(crate) status: String,
    pub(crate) operating_system: Option<String>,
    pub(crate) sdk_version: Option<String>,
    pub(crate) size_bytes: Option<Real>,
    pub(crate) created_ms: Option<Ms>,
    pub(crate) fleets: Vec<FleetLabel>,
}

/// A Realtime script.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScriptRow {
    pub(crate) script_id: String,
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) region: String,
    pub(crate) size_bytes: Option<Real>,
    pub(crate) created_ms: Option<Ms>,
    pub(crate) fleets: Vec<FleetLabel>,
    /// When its newest change was seen.
    pub(crate) updated_ms: Option<Ms>,
    /// Live game sessions that were started before that change.
    pub(crate) sessions_before: u32,
    /// Game sessions started after it.
    pub(crate) sessions_after: u32,
    pub(crate) history: Vec<Change>,
}

/// What fleets run.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentList {
    pub(crate) builds: Vec<BuildRow>,
    pub(crate) scripts: Vec<ScriptRow>,
    pub(crate) freshness: Freshness,
}

/// A file in a zip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ZipEntry {
    pub(crate) name: String,
    pub(crate) size_bytes: u32,
}

/// A zip as it was looked at before it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ZipCheck {
    /// What would be sent; null when it cannot be.
    pub(crate) file: Option<ZipFile>,
    pub(crate) entries: Vec<ZipEntry>,
    /// What keeps it from being sent, in sentences.
    pub(crate) problems: Vec<String>,
    /// The file a Realtime server starts with, where one is recognised.
    pub(crate) entry_file: Option<String>,
}

impl From<store::UsingFleet> for FleetLabel {
    fn from(fleet: store::UsingFleet) -> Self {
        Self { fleet_id: fleet.fleet_id.into_string(), name: fleet.name }
    }
}

impl From<store::BuildRow> for BuildRow {
    fn from(row: store::BuildRow) -> Self {
        let build = row.build;
        Self {
            name: build.name.unwrap_or_else(|| build.build_id.to_string()),
            build_id: build.build_id.into_string(),
            version: build.version,
            region: build.region.into_string(),
            status: build.status,
            operating_system: build.operating_system,
            sdk_version: build.server_sdk_version,
            size_bytes: size(build.size_on_disk_bytes),
            created_ms: build.creation_time.map(Ms::from),
            fleets: row.fleets.into_iter().map(FleetLabel::from).collect(),
        }
    }
}

impl ScriptRow {
    /// A script with its history as lines.
    pub(crate) fn new(row: store::ScriptRow, history: Vec<insight::Change>) -> Self {
        let script = row.script;
        Self {
            name: script.name.unwrap_or_else(|| script.script_id.to_string()),
            script_id: script.script_id.into_string(),
            version: script.version,
            region: script.region.into_string(),
            size_bytes: size(script.size_on_disk_bytes),
            created_ms: script.creation_time.map(Ms::from),
            fleets: row.fleets.into_iter().map(FleetLabel::from).collect(),
            updated_ms: row.updated_at.map(Ms::from),
            sessions_before: count(row.live_before),
            sessions_after: count(row.created_after),
            history: history.into_iter().map(Change::from).collect(),
        }
    }
}

/// AWS says 0 of what lies in the developer's own bucket, which is no size.
fn size(bytes: Option<i64>) -> Option<Real> {
    bytes.filter(|bytes| *bytes > 0).map(|bytes| Real::new(bytes as f64))
}

impl From<Archive> for ZipCheck {
    fn from(archive: Archive) -> Self {
        let entry = |(name, size): (String, u64)| ZipEntry { name, size_bytes: count(size) };
        Self {
            file: archive.file,
            entries: archive.entries.into_iter().map(entry).collect(),
            problems: archive.problems,
            entry_file: archive.entry_file,
        }
    }
}
