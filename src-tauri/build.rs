//! Permissions from the one command list, and the window's context for Tauri.
//!
//! Every command gets a permission, so a command no capability names is denied to the window.

use std::path::Path;
use std::process::ExitCode;

use tauri_build::{AppManifest, Attributes};

include!("src/commands/list.rs");

macro_rules! names {
    ($($module:ident :: $name:ident),+) => { &[$(stringify!($name)),+] };
}

const COMMANDS: &[&str] = with_commands!(names);

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=src/commands/list.rs");
    println!("cargo::rerun-if-changed=../ui/dist/index.html");
    if !Path::new("../ui/dist/index.html").exists() {
        println!("cargo::error=The window's pages are not built: ui/dist/index.html is missing.");
        println!(
            "cargo::error=Build them first: (cd ui && npm ci && npm run build). `cargo xtask demo` does it."
        );
        return ExitCode::FAILURE;
    }
    let attributes = Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS));
    match tauri_build::try_build(attributes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error:#}");
            ExitCode::FAILURE
        }
    }
}
