//! The command list against the capabilities, and the bindings against the file the window is built from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use specta_typescript::Typescript;

use super::border;

macro_rules! names {
    ($($module:ident :: $name:ident),+) => { [$(stringify!($name)),+] };
}

fn in_package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Every permission some capability grants.
fn granted() -> Vec<String> {
    let mut granted = Vec::new();
    for entry in std::fs::read_dir(in_package("capabilities")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let capability: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(capability["windows"], serde_json::json!(["main"]), "a capability names its window");
        for permission in capability["permissions"].as_array().unwrap() {
            granted.push(permission.as_str().unwrap().to_owned());
        }
    }
    granted
}

#[test]
fn every_command_is_granted_once_and_nothing_else_is() {
    let ours = with_commands!(names).map(|name| format!("allow-{}", name.replace('_', "-")));
    let expected: BTreeSet<String> = ours.into_iter().collect();
    let (mut core, commands): (Vec<_>, Vec<_>) = granted().into_iter().partition(|name| name.contains(':'));
    let distinct: BTreeSet<String> = commands.iter().cloned().collect();
    assert_eq!(distinct.len(), commands.len(), "a command is granted by one capability only");
    assert_eq!(distinct, expected);
    core.sort();
    assert_eq!(
        core,
        ["core:event:allow-listen", "core:event:allow-unlisten", "core:webview:allow-set-webview-zoom"]
    );
}

#[test]
fn every_capability_is_in_force() {
    let text = std::fs::read_to_string(in_package("tauri.conf.json")).unwrap();
    let config: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut listed: Vec<String> =
        serde_json::from_value(config["app"]["security"]["capabilities"].clone()).unwrap();
    let mut present: Vec<String> = std::fs::read_dir(in_package("capabilities"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    listed.sort();
    present.sort();
    assert_eq!(listed, present);
}

/// With `UPDATE_BINDINGS=1` writes the file instead (`cargo xtask generate`).
#[test]
fn the_bindings_are_those_the_window_is_built_from() {
    let committed = in_package("../ui/src/host/bindings.gen.ts");
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("bindings.gen.ts");
    let header =
        "// Generated from src-tauri/src/wire and src-tauri/src/commands by `cargo xtask generate`.\n";
    border().export(Typescript::default().header(header), &fresh).unwrap();
    let generated = std::fs::read_to_string(&fresh).unwrap();
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        std::fs::write(&committed, generated).unwrap();
        return;
    }
    let present = std::fs::read_to_string(&committed).unwrap_or_default().replace("\r\n", "\n");
    assert!(present == generated, "ui/src/host/bindings.gen.ts is stale: run `cargo xtask generate`");
}
