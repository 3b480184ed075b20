//! Checks that the pages are there and packs them for `liftdeck serve`. With the window, generates its permissions
//! from the one command list and its context for Tauri.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use walkdir::WalkDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const PAGES: &str = "../ui/dist";

/// Every command gets a permission, so that the window is denied a command that no capability names.
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
            // The first ones belong to the window itself: the core can neither pick a file nor show a notification.
            const COMMANDS: &[&str] =
                &["file_pick", "place_take", "notification_test", "notification_trouble", $(stringify!($name)),*];
        };
    }

    commands!(names);

    pub(super) fn build() -> Result<(), String> {
        println!("cargo::rerun-if-changed=crates/api/src/list.rs");
        let attributes = Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS));
        tauri_build::try_build(attributes).map_err(|error| format!("{error:#}"))?;
        // Cargo watches the folder with the generated permissions. In a fresh clone they are newer than the build
        // that wrote them, which would compile the whole program again, so they are made to look old. If that fails,
        // it costs only that rebuild.
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

/// Packs the pages, which saves a megabyte. The same pages give the same bytes.
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
        pack().map_err(|error| format!("Cannot pack the pages: {error}.")).and_then(|()| window::build());
    match built {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}
