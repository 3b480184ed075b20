//! That the pages are there; with the window, its permissions from the one command list and its context for Tauri.

use std::path::Path;
use std::process::ExitCode;

/// Every command gets a permission, so a command no capability names is denied to the window.
#[cfg(feature = "window")]
mod window {
    use tauri_build::{AppManifest, Attributes};

    include!("crates/api/src/list.rs");

    macro_rules! names {
        ($(
            $(#[doc = $about:literal])+
            $kind:ident $name:ident($($argument:ident: $type:ty),*) -> $answer:ty [$($subject:ident)*];
        )*) => {
            // The window's own: picking a file is nothing the core could do.
            const COMMANDS: &[&str] = &["file_pick", $(stringify!($name)),*];
        };
    }

    commands!(names);

    pub(super) fn build() -> Result<(), String> {
        println!("cargo::rerun-if-changed=crates/api/src/list.rs");
        let attributes = Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS));
        tauri_build::try_build(attributes).map_err(|error| format!("{error:#}"))
    }
}

#[cfg(not(feature = "window"))]
mod window {
    pub(super) fn build() -> Result<(), String> {
        Ok(())
    }
}

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=../ui/dist/index.html");
    if !Path::new("../ui/dist/index.html").exists() {
        println!("cargo::error=The pages are not built: ui/dist/index.html is missing.");
        println!(
            "cargo::error=Build them first: (cd ui && npm ci && npm run build). `cargo xtask demo` does it."
        );
        return ExitCode::FAILURE;
    }
    match window::build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}
