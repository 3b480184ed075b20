//! Inspects the zip of a Realtime script before it is sent.
//!
//! Owns the check for what AWS would refuse or a server could not start with. Deliberately unpacks nothing: the list
//! of entries is enough, so a zip bomb does no harm.

use std::io::Cursor;
use std::path::Path;

use bytes::Bytes;
use liftdeck_model::action::{MOST_ZIP_BYTES, ZipFile};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use specta::Type;
use zip::ZipArchive;

use crate::error::OperationError;

/// The most entries listed; a script has a handful.
const MOST_ENTRIES: usize = 1_000;

/// What was found in a zip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Archive {
    /// The file to send; `None` if a problem prevents sending it.
    pub file: Option<ZipFile>,
    /// Files in it, with their unpacked size in bytes; at most 1 000.
    pub entries: Vec<(String, u64)>,
    /// What prevents sending it, in sentences.
    pub problems: Vec<String>,
    /// The JavaScript file at the top level, if there is exactly one: a Realtime server starts with it.
    pub entry_file: Option<String>,
}

/// Inspects a zip on this computer.
///
/// # Errors
/// If the file cannot be read. What is wrong with its content is listed as a problem instead.
pub fn inspect(path: &Path) -> std::io::Result<Archive> {
    let size = std::fs::metadata(path)?.len();
    if size > u64::from(MOST_ZIP_BYTES) {
        let problem = format!(
            "AWS takes at most {MOST_ZIP_BYTES} bytes; this file has {size}. Leave out what the script does not need."
        );
        return Ok(Archive { file: None, entries: Vec::new(), problems: vec![problem], entry_file: None });
    }
    Ok(look(&std::fs::read(path)?, path))
}

fn look(bytes: &[u8], path: &Path) -> Archive {
    let mut problems = Vec::new();
    let mut entries = Vec::new();
    match ZipArchive::new(Cursor::new(bytes)) {
        Err(error) => problems.push(format!("This zip cannot be read: {error}.")),
        Ok(mut archive) => {
            for index in 0..archive.len().min(MOST_ENTRIES) {
                match archive.by_index_raw(index) {
                    Ok(entry) if entry.is_dir() => {}
                    Ok(entry) => {
                        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
                        if entry.encrypted() {
                            problems.push(format!("{name} is encrypted; a server cannot open it."));
                        }
                        entries.push((name, entry.size()));
                    }
                    Err(error) => problems.push(format!("Entry {} cannot be read: {error}.", index + 1)),
                }
            }
            if entries.is_empty() && problems.is_empty() {
                problems.push("The zip holds no file.".to_owned());
            }
        }
    }
    let mut scripts = entries.iter().filter(|(name, _)| is_script(name) && !name.contains('/'));
    let (first, second) = (scripts.next(), scripts.next());
    if first.is_none() && problems.is_empty() {
        let nested = entries.iter().find(|(name, _)| is_script(name));
        problems.push(match nested {
            Some((name, _)) => format!(
                "A Realtime server looks for its script at the top level of the zip; here it is deeper: {name}. Zip \
                 the files, not their folder."
            ),
            None => "The zip holds no JavaScript file: a Realtime server has nothing to start.".to_owned(),
        });
    }
    let entry_file = match (first, second) {
        (Some((name, _)), None) => Some(name.clone()),
        _ => None,
    };
    let file = problems.is_empty().then(|| ZipFile {
        path: path.display().to_string(),
        size_bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        sha256: hex(&Sha256::digest(bytes)),
    });
    Archive { file, entries, problems, entry_file }
}

/// Reads a zip, and checks that it is still the one that was inspected.
pub(crate) async fn zip_bytes(zip: &ZipFile) -> Result<Bytes, OperationError> {
    let bytes = tokio::fs::read(&zip.path).await.map_err(|error| {
        OperationError::Refused(format!("The file {} could not be read: {error}. Choose it again.", zip.path))
    })?;
    let digest = hex(&Sha256::digest(&bytes));
    if bytes.len() as u64 != u64::from(zip.size_bytes) || !digest.eq_ignore_ascii_case(&zip.sha256) {
        return Err(OperationError::Refused(format!(
            "The file {} has changed since it was looked at, so it is not sent. Choose it again.",
            zip.path
        )));
    }
    Ok(Bytes::from(bytes))
}

fn is_script(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("js"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zipped(files: &[&str]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for name in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(b"exports.ssExports = {};").unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn of(bytes: &[u8]) -> Archive {
        look(bytes, Path::new("match.zip"))
    }

    #[test]
    fn a_script_at_the_top_is_found_and_the_file_is_named_by_its_hash() {
        let bytes = zipped(&["match.js", "lib/maths.js", "data.json"]);
        let archive = of(&bytes);
        assert_eq!((archive.entry_file.as_deref(), archive.problems.len()), (Some("match.js"), 0));
        let file = archive.file.unwrap();
        assert_eq!((file.size_bytes as usize, file.sha256.len()), (bytes.len(), 64));
    }

    #[test]
    fn what_is_no_zip_cannot_be_sent() {
        let archive = of(b"#!/bin/sh");
        assert!(archive.file.is_none() && archive.problems[0].contains("zip cannot be read"), "{archive:?}");
    }

    #[test]
    fn a_folder_zipped_with_its_name_is_told_how_to_zip_it() {
        let archive = of(&zipped(&["match/match.js"]));
        assert!(archive.file.is_none() && archive.problems[0].contains("Zip the files"), "{archive:?}");
    }

    #[test]
    fn a_zip_without_a_script_or_without_anything_cannot_be_sent() {
        assert!(of(&zipped(&["readme.txt"])).problems[0].contains("no JavaScript"));
        assert!(of(&zipped(&[])).problems[0].contains("no file"));
    }

    #[test]
    fn two_scripts_at_the_top_leave_the_entry_open() {
        let archive = of(&zipped(&["a.js", "b.js"]));
        assert!(archive.file.is_some() && archive.entry_file.is_none());
    }

    #[test]
    fn a_file_beyond_the_limit_is_not_even_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(u64::from(MOST_ZIP_BYTES) + 1).unwrap();
        let archive = inspect(file.path()).unwrap();
        assert!(archive.problems[0].contains("5000000"), "{archive:?}");
    }
}
