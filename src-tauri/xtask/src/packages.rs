//! What a fresh machine lacks, and how it gets it: Debian packages, npm packages, a Python environment.
//!
//! Each need is asked for by the step that has it, so a single step installs no more than it uses.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::run::{Failure, command, exists, npm, root, succeed, target_dir};

/// To compile the window: WebKitGTK and what Tauri links.
const WINDOW_BUILD: &[&str] =
    &["build-essential", "pkg-config", "libwebkit2gtk-4.1-dev", "libgtk-3-dev", "librsvg2-dev", "libxdo-dev"];
/// To open the window without a display and drive it.
const WINDOW_DRIVE: &[&str] = &["xvfb", "xauth", "webkit2gtk-driver", "dbus"];
/// To run screens in a browser.
const BROWSER: &[&str] = &["chromium"];

/// Makes sure the window can be compiled: system libraries and the built UI.
///
/// # Errors
/// When a package cannot be installed or the UI does not build.
pub(crate) fn for_window_build() -> Result<(), Failure> {
    debian(WINDOW_BUILD)?;
    ui_modules()?;
    succeed(&mut npm(&["run", "build"]))
}

/// Makes sure the window can be opened and driven on a virtual display.
///
/// # Errors
/// When a package cannot be installed.
pub(crate) fn for_window_drive() -> Result<(), Failure> {
    debian(WINDOW_DRIVE)
}

/// Makes sure screens can be run in Chromium.
///
/// # Errors
/// When a package cannot be installed.
pub(crate) fn for_browser() -> Result<(), Failure> {
    debian(BROWSER)?;
    ui_modules()
}

/// Installs the UI's npm packages when the lock file is newer than what is there.
///
/// # Errors
/// When npm is missing or fails.
pub(crate) fn ui_modules() -> Result<(), Failure> {
    let ui = root().join("ui");
    let modified = |path: PathBuf| path.metadata().and_then(|meta| meta.modified()).ok();
    let installed = modified(ui.join("node_modules/.package-lock.json"));
    let locked = modified(ui.join("package-lock.json"));
    if installed.is_some() && installed >= locked {
        return Ok(());
    }
    if !exists(if cfg!(windows) { "npm.cmd" } else { "npm" }) {
        return Err(Failure("npm was not found: install Node 20 or newer.".to_owned()));
    }
    succeed(&mut npm(&["ci", "--no-audit", "--no-fund"]))
}

/// The Python of an environment that has the foreign clients, made on first use.
///
/// # Errors
/// When Python is missing or a package cannot be installed.
pub(crate) fn python() -> Result<PathBuf, Failure> {
    let requirements = root().join("tests/clients/requirements.txt");
    let wanted = std::fs::read_to_string(&requirements)
        .map_err(|error| Failure(format!("{} cannot be read: {error}", requirements.display())))?;
    let venv = target_dir().join("clients-venv");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = venv.join("requirements.installed");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let made = succeed(command("python3").args(["-m", "venv"]).arg(&venv));
    if made.is_err() {
        // Debian's own Python ships without ensurepip.
        debian(&["python3-venv"])?;
        succeed(command("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
    }
    succeed(
        command(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(&requirements),
    )?;
    std::fs::write(&stamp, wanted)
        .map_err(|error| Failure(format!("{} cannot be written: {error}", stamp.display())))?;
    Ok(python)
}

/// Installs the Debian packages of a list that are missing.
///
/// # Errors
/// When one cannot be installed, or on a system without apt one may be missing: then it is named.
fn debian(wanted: &[&str]) -> Result<(), Failure> {
    if cfg!(not(target_os = "linux")) {
        // WebView2 and WKWebView come with Windows and macOS; their compilers come with Rust's own prerequisites.
        return Ok(());
    }
    if !exists("dpkg-query") {
        println!(
            "  this is not Debian or Ubuntu; if the build fails, install what they call: {}",
            wanted.join(", ")
        );
        return Ok(());
    }
    let missing: Vec<&str> = wanted.iter().copied().filter(|package| !installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("  installing {}", missing.join(", "));
    let root_already = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0");
    let apt = |args: &[&str]| {
        let mut command = if root_already { command("apt-get") } else { command("sudo") };
        if !root_already {
            command.args(["-n", "apt-get"]);
        }
        command.env("DEBIAN_FRONTEND", "noninteractive").args(args);
        command
    };
    let advice = |Failure(what): Failure| {
        Failure(format!("{what}\n  install these packages and run the command again: {}", missing.join(" ")))
    };
    succeed(apt(&["update", "-qq"]).stdout(Stdio::null())).map_err(advice)?;
    let mut install = apt(&["install", "-y", "-qq", "--no-install-recommends"]);
    succeed(install.args(&missing).stdout(Stdio::null())).map_err(advice)
}

fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f=${db:Status-Abbrev}", package])
        .output()
        .is_ok_and(|out| out.stdout.starts_with(b"ii"))
}
