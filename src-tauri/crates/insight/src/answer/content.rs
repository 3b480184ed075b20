//! Builds and Realtime scripts.

use liftdeck_model::{BuildId, Region, ScriptId, Timestamp};
use liftdeck_store::reader::content::{self as store, UsingFleet};
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::change::{Change, histories};

/// A build.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BuildRow {
    pub build_id: BuildId,
    pub name: String,
    pub version: Option<String>,
    pub region: Region,
    pub status: String,
    pub operating_system: Option<String>,
    pub sdk_version: Option<String>,
    pub size_bytes: Option<i64>,
    pub creation_time: Option<Timestamp>,
    pub fleets: Vec<UsingFleet>,
}

/// A Realtime script.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScriptRow {
    pub script_id: ScriptId,
    pub name: String,
    pub version: Option<String>,
    pub region: Region,
    pub size_bytes: Option<i64>,
    pub creation_time: Option<Timestamp>,
    pub fleets: Vec<UsingFleet>,
    /// When its newest files arrived, or were first seen.
    pub updated_at: Option<Timestamp>,
    /// Live game sessions with older files.
    pub live_before: u64,
    /// Live game sessions with the newest files.
    pub live_after: u64,
    /// Live game sessions that were created before the script was first seen, with files that nothing tells.
    pub live_unknown: u64,
    pub history: Vec<Change>,
}

/// All builds and scripts, with the fleets that run them.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContentList {
    pub builds: Vec<BuildRow>,
    pub scripts: Vec<ScriptRow>,
    pub freshness: Freshness,
}

/// All builds and scripts, with the fleets that run them.
///
/// # Errors
/// When the store cannot be read.
pub async fn content(reader: &Reader, now: Timestamp) -> Result<ContentList, StoreError> {
    let (builds, freshness) = reader.builds(now).await?;
    let (scripts, of_scripts) = reader.scripts(now).await?;
    let seen: Vec<_> = scripts.iter().map(|row| row.history.as_slice()).collect();
    let histories = histories(reader, &seen).await?;
    Ok(ContentList {
        builds: builds.into_iter().map(BuildRow::from).collect(),
        scripts: scripts
            .into_iter()
            .zip(histories)
            .map(|(row, history)| ScriptRow::new(row, history))
            .collect(),
        freshness: freshness.and(of_scripts),
    })
}

impl From<store::BuildRow> for BuildRow {
    fn from(row: store::BuildRow) -> Self {
        let build = row.build;
        Self {
            name: build.name.unwrap_or_else(|| build.build_id.to_string()),
            build_id: build.build_id,
            version: build.version,
            region: build.region,
            status: build.status,
            operating_system: build.operating_system,
            sdk_version: build.server_sdk_version,
            size_bytes: size(build.size_on_disk_bytes),
            creation_time: build.creation_time,
            fleets: row.fleets,
        }
    }
}

impl ScriptRow {
    fn new(row: store::ScriptRow, history: Vec<Change>) -> Self {
        let script = row.script;
        Self {
            name: script.name.unwrap_or_else(|| script.script_id.to_string()),
            script_id: script.script_id,
            version: script.version,
            region: script.region,
            size_bytes: size(script.size_on_disk_bytes),
            creation_time: script.creation_time,
            fleets: row.fleets,
            updated_at: row.updated_at,
            live_before: row.live_before,
            live_after: row.live_after,
            live_unknown: row.live_unknown,
            history,
        }
    }
}

/// AWS reports 0 for content that is in the developer's own bucket; that is not a size.
fn size(bytes: Option<i64>) -> Option<i64> {
    bytes.filter(|bytes| *bytes > 0)
}
