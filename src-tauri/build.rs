//! That the pages are there, packed for `liftdeck serve`; with the window, its permissions from the one command list and
//! its context for Tauri.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use walkdir::WalkDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const PAGES: &str = "../ui/dist";

/// Every command gets a permission, so a command no capability names is denied to the window.
#[cfg(feature = "window")]
mod window {
    use std::fs::File;
    use std::time::SystemTime;

    use tauri_build::{AppManifest, Attributes};
    use walkdir::WalkDir;

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
        tauri_build::try_build(attributes).map_err(|error| format!("{error:#}"))?;
        // Written where cargo watches for changes of them, and newer than the build that wrote them, the permissions of a
        // fresh clone would have the whole program compiled once more. One that cannot look old costs just that.
        for made in WalkDir::new("permissions").into_iter().filter_map(Result::ok) {
            let _ = File::open(made.path()).and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH));
        }
        Ok(())
    }
}

#[cfg(not(feature = "window"))]
mod window {
    pub(super) fn build() -> Result<(), String> {
        Ok(())
    }
}

/// Packs the pages, which are a megabyte less so. The same pages make the same bytes.
fn pack() -> Result<(), Box<dyn Error>> {
    let to = PathBuf::from(std::env::var("OUT_DIR")?).join("pages.zip");
    let mut packed = ZipWriter::new(File::create(to)?);
    for file in WalkDir::new(PAGES).sort_by_file_name() {
        let file = file?;
        if file.file_type().is_file() {
            let name = file.path().strip_prefix(PAGES)?.to_string_lossy().replace('\\', "/");
            packed.start_file(name, SimpleFileOptions::default())?;
            std::io::Write::write_all(&mut packed, &fs::read(file.path())?)?;
        }
    }
    packed.finish()?;
    Ok(())
}

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed={PAGES}");
    if !Path::new(PAGES).join("index.html").exists() {
        println!("cargo::error=The pages are not built: ui/dist/index.html is missing.");
        println!(
            "cargo::error=Build them first: (cd ui && npm ci && npm run build). `cargo xtask demo` does it."
        );
        return ExitCode::FAILURE;
    }
    let built =
        pack().map_err(|error| format!("The pages are not packed: {error}.")).and_then(|()| window::build());
    match built {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}
