//! Operations that create scripts and change scripts and builds.

use std::io::Cursor;

use super::constraint::{BUILD, NON_EMPTY, SCRIPT, SHORT_TEXT};
use super::lookup::{self, invalid, names, not_found};
use super::tag::{self, NewTag, TAGS};
use crate::operation::Change;
use crate::service::ServiceError;
use crate::wire::{Blob, Nested, Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::S3Location;
use liftdeck_simulated_world::steering::ScriptSource;

/// The largest zip file that a request can contain (A16, ZipBlob).
const MOST_ZIP_BYTES: usize = 5_000_000;

/// The Node.js versions that scripts can run on; the first is the default (C, Script).
const NODE_JS: [&str; 2] = ["10.x", "24.x"];

static NODE_JS_VERSION: Text = Text::matching(0, 16, r"^[0-9]+\.(?:x|[0-9]+)$");
static LOCATION: Nested<Location> = Nested::new();

input! {
    /// `S3Location`.
    struct Location {
        bucket: Option<String> = optional("Bucket", NON_EMPTY),
        key: Option<String> = optional("Key", NON_EMPTY),
        role: Option<String> = optional("RoleArn", NON_EMPTY),
        version: Option<String> = optional("ObjectVersion", NON_EMPTY),
    }

    struct CreateScriptInput {
        name: Option<String> = optional("Name", SHORT_TEXT),
        version: Option<String> = optional("Version", SHORT_TEXT),
        location: Option<Location> = optional("StorageLocation", LOCATION),
        zip: Option<Vec<u8>> = optional("ZipFile", Blob),
        tags: Option<Vec<NewTag>> = optional("Tags", TAGS),
        node_js: Option<String> = optional("NodeJsVersion", NODE_JS_VERSION),
    }

    struct UpdateScriptInput {
        script: String = required("ScriptId", SCRIPT),
        name: Option<String> = optional("Name", SHORT_TEXT),
        version: Option<String> = optional("Version", SHORT_TEXT),
        location: Option<Location> = optional("StorageLocation", LOCATION),
        zip: Option<Vec<u8>> = optional("ZipFile", Blob),
    }

    struct UpdateBuildInput {
        build: String = required("BuildId", BUILD),
        name: Option<String> = optional("Name", SHORT_TEXT),
        version: Option<String> = optional("Version", SHORT_TEXT),
    }
}

/// Reads where the files are, according to the input; `None` if it does not say.
fn source(zip: Option<Vec<u8>>, location: Option<Location>) -> Result<Option<ScriptSource>, ServiceError> {
    match (zip, location) {
        (Some(_), Some(_)) => Err(invalid("Only one of ZipFile and StorageLocation can be given.")),
        (None, None) => Ok(None),
        (Some(zip), None) => checked(zip).map(Some),
        (None, Some(location)) => {
            let missing = |name: &str| invalid(format!("StorageLocation needs {name}."));
            Ok(Some(ScriptSource::Bucket(S3Location {
                bucket: location.bucket.ok_or_else(|| missing("Bucket"))?,
                key: location.key.ok_or_else(|| missing("Key"))?,
                role_arn: Some(location.role.ok_or_else(|| missing("RoleArn"))?),
                object_version: location.version,
            })))
        }
    }
}

/// Checks that a zip file is readable, not empty and not too large.
fn checked(zip: Vec<u8>) -> Result<ScriptSource, ServiceError> {
    let bytes = zip.len();
    if bytes > MOST_ZIP_BYTES {
        return Err(invalid(format!(
            "1 validation error detected: Value at 'zipFile' failed to satisfy constraint: Member must have length less \
             than or equal to {MOST_ZIP_BYTES}"
        )));
    }
    let archive = zip::ZipArchive::new(Cursor::new(zip));
    let archive = archive.map_err(|error| invalid(format!("ZipFile is not a readable zip file: {error}")))?;
    if archive.is_empty() {
        return Err(invalid("ZipFile holds no files."));
    }
    Ok(ScriptSource::Zip { bytes: bytes as u64 })
}

/// `CreateScript`.
pub(super) fn create_script(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: CreateScriptInput = lookup::read(&change.call())?;
    let [default, _] = NODE_JS;
    let node_js = input.node_js.unwrap_or_else(|| default.to_owned());
    if !NODE_JS.contains(&node_js.as_str()) {
        return Err(invalid(format!("NodeJsVersion must be one of {}.", NODE_JS.join(", "))));
    }
    let source = source(input.zip, input.location)?;
    let source = source.ok_or_else(|| invalid("One of ZipFile and StorageLocation must be given."))?;
    let (region, tags) = (change.region, tag::by_key(input.tags)?);
    let id = change.world.create_script(region, input.name, input.version, &source, node_js, tags);
    let mut scripts = change.world.scripts(region).iter();
    let script = scripts.find(|script| id.as_deref() == Some(script.script_id.as_str()));
    let script = script.ok_or_else(|| invalid(format!("No scripts can be made in {region}.")))?;
    in_place!({ "Script" => script }).write(writer);
    Ok(())
}

/// `UpdateScript`.
pub(super) fn update_script(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: UpdateScriptInput = lookup::read(&change.call())?;
    let missing = || not_found("Script", &input.script);
    let mut scripts = change.world.scripts(change.region).iter();
    let found = scripts.find(|script| names(&input.script, &script.script_id, &script.script_arn));
    let id = found.map(|script| script.script_id.clone()).ok_or_else(missing)?;
    let source = source(input.zip, input.location)?;
    let changed = change.world.change_script(change.region, &id, input.name, input.version, source.as_ref());
    let script = changed.ok_or_else(missing)?;
    in_place!({ "Script" => script }).write(writer);
    Ok(())
}

/// `UpdateBuild`.
pub(super) fn update_build(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: UpdateBuildInput = lookup::read(&change.call())?;
    let missing = || not_found("Build", &input.build);
    let mut builds = change.world.builds(change.region).iter();
    let found = builds.find(|build| names(&input.build, &build.build_id, &build.build_arn));
    let id = found.map(|build| build.build_id.clone()).ok_or_else(missing)?;
    let changed = change.world.change_build(change.region, &id, input.name, input.version);
    let build = changed.ok_or_else(missing)?;
    in_place!({ "Build" => build }).write(writer);
    Ok(())
}
