//! Installs what a fresh machine lacks: Debian packages, npm packages, a Python environment.
//!
//! Each step requests what it needs, so that a single step installs no more than it uses.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::run::{Failure, command, exists, npm, root, succeed, target_dir};

/// Needed to compile the window: WebKitGTK and the libraries that Tauri links.
const WINDOW_BUILD: &[&str] =
    &["build-essential", "pkg-config", "libwebkit2gtk-4.1-dev", "libgtk-3-dev", "librsvg2-dev", "libxdo-dev"];
/// Needed to open the window without a display and to drive it, and for a desktop of the test's own: notifications, and
/// a tray, whose library the program loads by name if it is there.
const WINDOW_DRIVE: &[&str] = &[
    "xvfb",
    "xauth",
    "webkit2gtk-driver",
    "dbus",
    "python3-dbus",
    "python3-gi",
    "libayatana-appindicator3-1",
];
/// Needed to run screens in a browser.
const BROWSER: &[&str] = &["chromium-headless-shell"];

/// Needed to tell alerts to an Alertmanager.
const ALERTMANAGER: &str = "prometheus-alertmanager";

/// Folders of `ui` that are generated from the rest of it.
const MADE: [&str; 3] = ["node_modules", "dist", "test-results"];

/// Makes sure that the window can be compiled: installs system libraries and builds the UI.
///
/// # Errors
/// If a package cannot be installed or the UI does not build.
pub(crate) fn for_window_build() -> Result<(), Failure> {
    debian(WINDOW_BUILD)?;
    ui_pages()
}

/// Builds the UI's pages unless they are newer than their sources. Writing them again would make cargo compile the
/// program again, which takes a minute each time.
///
/// # Errors
/// If the UI does not build.
pub(crate) fn ui_pages() -> Result<(), Failure> {
    ui_modules()?;
    if ui_is_built().unwrap_or(false) {
        return Ok(());
    }
    let begun = SystemTime::now();
    succeed(&mut npm(&["run", "build"]))?;
    let stamp = ui_stamp();
    // The time when the build began, because a file edited during a build may or may not be in it.
    File::create(&stamp)
        .and_then(|file| file.set_modified(begun))
        .map_err(|error| Failure(format!("{} cannot be written: {error}", stamp.display())))
}

/// An empty file left by a successful build of the pages; its modification time is when that build began.
fn ui_stamp() -> PathBuf {
    target_dir().join("ui.built")
}

fn ui_is_built() -> io::Result<bool> {
    let ui = root().join("ui");
    let built = fs::metadata(ui_stamp())?.modified()?;
    Ok(ui.join("dist/index.html").exists() && !has_changed(&ui, built)?)
}

/// Whether anything in the UI's folder is newer, apart from generated folders.
fn has_changed(ui: &Path, since: SystemTime) -> io::Result<bool> {
    for entry in fs::read_dir(ui)? {
        let entry = entry?;
        let is_made = MADE.iter().any(|made| entry.file_name() == *made);
        if !is_made && is_newer(&entry.path(), since)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a file or folder, or anything below it, has changed since then. A folder changes when an entry is added or
/// removed.
fn is_newer(path: &Path, since: SystemTime) -> io::Result<bool> {
    let metadata = fs::metadata(path)?;
    if metadata.modified()? > since {
        return Ok(true);
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            if is_newer(&entry?.path(), since)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Makes sure that the window can be opened and driven on a virtual display.
///
/// # Errors
/// If a package cannot be installed.
pub(crate) fn for_window_drive() -> Result<(), Failure> {
    debian(WINDOW_DRIVE)
}

/// Makes sure that screens can be run in Chromium.
///
/// # Errors
/// If a package cannot be installed.
pub(crate) fn for_browser() -> Result<(), Failure> {
    debian(BROWSER)?;
    ui_modules()
}

/// Makes sure that there is an Alertmanager to start. Its service is masked first if it is installed here: tests start
/// their own, and nothing else on this machine asked for one.
///
/// # Errors
/// If it cannot be installed.
pub(crate) fn alertmanager() -> Result<(), Failure> {
    let masked = format!("/etc/systemd/system/{ALERTMANAGER}.service");
    let is_new = !exists(ALERTMANAGER) && exists("dpkg-query");
    if is_new && fs::symlink_metadata(&masked).is_err() {
        println!("  masking the service {ALERTMANAGER}; to use it, run: systemctl unmask {ALERTMANAGER}");
        succeed(as_root("mkdir").args(["-p", "/etc/systemd/system"]))?;
        succeed(as_root("ln").args(["-s", "/dev/null", &masked]))?;
    }
    debian(&[ALERTMANAGER])
}

/// Installs the UI's npm packages if the lock file is newer than the installed ones.
///
/// # Errors
/// If npm is missing or fails.
pub(crate) fn ui_modules() -> Result<(), Failure> {
    modules("ui")
}

/// The reader for an older GameLift SDK, installed with that SDK: a third-party client that runs on Node.
///
/// # Errors
/// As for [`ui_modules`].
pub(crate) fn older_sdk() -> Result<PathBuf, Failure> {
    let folder = "tests/clients/older-sdk";
    modules(folder)?;
    Ok(root().join(folder).join("read.js"))
}

fn modules(folder: &str) -> Result<(), Failure> {
    let place = root().join(folder);
    let modified = |path: PathBuf| path.metadata().and_then(|meta| meta.modified()).ok();
    let installed = modified(place.join("node_modules/.package-lock.json"));
    let locked = modified(place.join("package-lock.json"));
    if installed.is_some() && installed >= locked {
        return Ok(());
    }
    if !exists(if cfg!(windows) { "npm.cmd" } else { "npm" }) {
        return Err(Failure("npm was not found: install Node 20 or newer.".to_owned()));
    }
    succeed(npm(&["ci", "--no-audit", "--no-fund"]).current_dir(place))
}

/// The Python of an environment with the third-party clients, which is created on first use.
///
/// # Errors
/// If Python is missing or a package cannot be installed.
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

/// Installs those of the given Debian packages that are missing.
///
/// # Errors
/// If one cannot be installed. On a system without apt, the packages are only named.
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
    let apt = |args: &[&str]| {
        let mut apt = as_root("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").args(args);
        apt
    };
    let advice = |Failure(what): Failure| {
        Failure(format!("{what}\n  install these packages and run the command again: {}", missing.join(" ")))
    };
    succeed(apt(&["update", "-qq"]).stdout(Stdio::null())).map_err(advice)?;
    let mut install = apt(&["install", "-y", "-qq", "--no-install-recommends"]);
    succeed(install.args(&missing).stdout(Stdio::null())).map_err(advice)
}

/// A command that runs as root, by sudo without asking for a password if this program does not.
fn as_root(program: &str) -> Command {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0");
    if is_root {
        return command(program);
    }
    let mut sudo = command("sudo");
    sudo.args(["-n", program]);
    sudo
}

fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f=${db:Status-Abbrev}", package])
        .output()
        .is_ok_and(|out| out.stdout.starts_with(b"ii"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn pages_are_built_anew_when_a_source_is_newer_or_gone_and_not_for_what_is_made_of_them() {
        let ui = tempfile::tempdir().unwrap();
        let (screens, made) = (ui.path().join("src/screens"), ui.path().join("dist"));
        fs::create_dir_all(&screens).unwrap();
        fs::create_dir(&made).unwrap();
        let page = screens.join("page.svelte");
        for file in [&page, &screens.join("old.svelte"), &made.join("index.html")] {
            fs::write(file, "text").unwrap();
        }
        let later = |seconds| SystemTime::now() + Duration::from_secs(seconds);
        let changed = |since| has_changed(ui.path(), since).unwrap();
        assert!(changed(SystemTime::UNIX_EPOCH));
        assert!(!changed(later(3_600)));
        File::options()
            .write(true)
            .open(made.join("index.html"))
            .unwrap()
            .set_modified(later(7_200))
            .unwrap();
        assert!(!changed(later(3_600)));
        File::options().write(true).open(&page).unwrap().set_modified(later(7_200)).unwrap();
        assert!(changed(later(3_600)));
        fs::remove_file(&page).unwrap();
        assert!(!changed(later(3_600)));
        // Windows cannot open a folder as a file.
        #[cfg(unix)]
        {
            File::open(&screens).unwrap().set_modified(later(7_200)).unwrap();
            assert!(changed(later(3_600)), "a page that is gone leaves its folder newer");
        }
    }
}
