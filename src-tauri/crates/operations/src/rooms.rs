//! The order of this crate's modules (its rooms), enforced by a test: each uses only those below it.

use std::fs;
use std::path::{Path, PathBuf};

/// From the lowest to the highest. A room uses only those listed before it.
const ROOMS: [&str; 14] = [
    "marks",
    "words",
    "fact",
    "intent",
    "options",
    "error",
    "connection",
    "mode",
    "log",
    "preview",
    "outcome",
    "repoint",
    "send",
    "guard",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Returns the place of a file's room in the order; `None` for files that concern all rooms, or tests alone.
fn room_of(file: &Path, source: &Path) -> Option<usize> {
    let first = file.strip_prefix(source).unwrap().components().next().unwrap();
    let name = Path::new(first.as_os_str()).file_stem().unwrap().to_str().unwrap();
    if ["lib", "fixtures", "rooms"].contains(&name) {
        return None;
    }
    let room = ROOMS.iter().position(|room| *room == name);
    Some(room.unwrap_or_else(|| panic!("{name} has no place in the order of the rooms")))
}

#[test]
fn a_room_uses_only_those_below_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut upward = Vec::new();
    for file in files(&source) {
        let Some(room) = room_of(&file, &source) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        for (above, name) in ROOMS.iter().enumerate().skip(room + 1) {
            if text.contains(&format!("crate::{name}::")) {
                upward.push(format!("{} uses {name}, rooms {room} and {above}", file.display()));
            }
        }
        assert!(!text.contains("use crate::{"), "{}: name each room in a line of its own", file.display());
    }
    assert!(upward.is_empty(), "{upward:#?}");
}
