//! Creating and replacing Realtime scripts.

use std::collections::BTreeMap;

use super::super::World;
use super::super::names::Kind;
use super::super::records::{S3Location, Script};

/// Where the files of a script come from.
#[derive(Clone, Debug)]
pub enum ScriptSource {
    /// A zip sent with the request.
    Zip {
        /// Its size.
        bytes: u64,
    },
    /// A zip in a bucket of the customer.
    Bucket(S3Location),
}

impl World {
    /// Creates a script and returns its id, or `None` if there is no such region.
    pub fn create_script(
        &mut self,
        region: &str,
        name: Option<String>,
        version: Option<String>,
        source: &ScriptSource,
        node_js_version: String,
        tags: BTreeMap<String, String>,
    ) -> Option<String> {
        let (index, home) = self.region(region)?;
        let number = home.scripts.len() as u32;
        let script_id = format!("script-{}", self.names.uuid(Kind::Script, number, index as u16));
        let script_arn = format!("arn:aws:gamelift:{region}:{}:script/{script_id}", self.account);
        let (storage_location, size_on_disk_bytes) = stored(region, &script_id, source);
        let home = &mut self.regions[index];
        home.tags.insert(script_arn.clone(), tags);
        home.scripts.push(Script {
            script_id: script_id.clone(),
            script_arn,
            name,
            version,
            size_on_disk_bytes,
            creation_time_ms: self.now_ms,
            storage_location: Some(storage_location),
            node_js_version,
        });
        Some(script_id)
    }

    /// Replaces the given parts of a script. The fleets that run it use them for new sessions. Returns the script, if
    /// it exists.
    pub fn change_script(
        &mut self,
        region: &str,
        script_id: &str,
        name: Option<String>,
        version: Option<String>,
        source: Option<&ScriptSource>,
    ) -> Option<&Script> {
        let home = self.regions.iter_mut().find(|known| known.name == region)?;
        let script = home.scripts.iter_mut().find(|script| script.script_id == script_id)?;
        script.name = name.or(script.name.take());
        script.version = version.or(script.version.take());
        if let Some(source) = source {
            let (location, bytes) = stored(region, script_id, source);
            (script.storage_location, script.size_on_disk_bytes) = (Some(location), bytes);
        }
        Some(script)
    }
}

/// Returns the location of a script and its size, which is 0 in a bucket of the customer.
fn stored(region: &str, script_id: &str, source: &ScriptSource) -> (S3Location, u64) {
    match source {
        ScriptSource::Bucket(location) => (location.clone(), 0),
        ScriptSource::Zip { bytes } => {
            let location = S3Location {
                bucket: format!("gamelift-scripts-{region}"),
                key: format!("{script_id}.zip"),
                role_arn: None,
                object_version: None,
            };
            (location, *bytes)
        }
    }
}
