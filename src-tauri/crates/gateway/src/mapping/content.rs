//! Builds and Realtime scripts.

use aws_sdk_gamelift::types;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::{BuildId, Region, ScriptId};

use super::{Lacks, moment, need, text};

pub(crate) fn build(from: types::Build, region: &Region) -> Result<Build, Lacks> {
    const RECORD: &str = "a build";
    Ok(Build {
        build_id: BuildId::new(need(from.build_id, RECORD, "BuildId")?),
        region: region.clone(),
        arn: from.build_arn,
        name: from.name,
        version: from.version,
        status: need(text(from.status), RECORD, "Status")?,
        size_on_disk_bytes: from.size_on_disk,
        operating_system: text(from.operating_system),
        server_sdk_version: from.server_sdk_version,
        creation_time: from.creation_time.map(moment),
    })
}

pub(crate) fn script(from: types::Script, region: &Region) -> Result<Script, Lacks> {
    Ok(Script {
        script_id: ScriptId::new(need(from.script_id, "a script", "ScriptId")?),
        region: region.clone(),
        arn: from.script_arn,
        name: from.name,
        version: from.version,
        size_on_disk_bytes: from.size_on_disk,
        node_js_version: from.node_js_version,
        creation_time: from.creation_time.map(moment),
    })
}
