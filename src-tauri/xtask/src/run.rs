//! Starts other programs from the workspace root and turns their exit codes into failures.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The error, as a sentence.
pub(crate) struct Failure(pub(crate) String);

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The folder for cargo's build output.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A command that runs in the workspace root.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// The cargo that started this program.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The environment in which cargo runs clippy on each crate of the workspace as it compiles it, with warnings denied.
///
/// `cargo clippy` sets the same variables for `cargo check`, which compiles nothing. All dependencies of the
/// workspace, including the AWS clients, would then be checked for the lints and compiled again for the tests. A
/// build with these variables differs from a build without them, so a run that uses them must use them throughout.
pub(crate) fn linting() -> [(&'static str, OsString); 2] {
    let name = if cfg!(windows) { "clippy-driver.exe" } else { "clippy-driver" };
    let beside = std::env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name(name));
    let driver = beside.filter(|path| path.exists()).unwrap_or_else(|| name.into());
    [
        ("RUSTC_WORKSPACE_WRAPPER", driver.into_os_string()),
        // `-D warnings`, with each word followed by the separator that clippy's driver splits on.
        ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__".into()),
    ]
}

/// Whether this process's cargo lints what it compiles.
pub(crate) fn is_linting() -> bool {
    let [(name, driver), _] = linting();
    std::env::var_os(name) == Some(driver)
}

/// A cargo for code outside this workspace, which is not linted.
pub(crate) fn foreign_cargo() -> Command {
    let mut cargo = cargo();
    for (name, _) in linting() {
        cargo.env_remove(name);
    }
    cargo
}

/// npm inside `ui`.
pub(crate) fn npm(args: &[&str]) -> Command {
    let mut command = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(root().join("ui")).args(args);
    command
}

/// Runs a command to its end and shows its output.
///
/// # Errors
/// If it cannot be started or does not exit with 0.
pub(crate) fn succeed(command: &mut Command) -> Result<(), Failure> {
    let shown = shown(command);
    println!("  $ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{shown}` ended with {status}"))),
        Err(error) => Err(Failure(format!("`{shown}` could not be started: {error}"))),
    }
}

/// Whether a program can be started at all.
pub(crate) fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

fn shown(command: &Command) -> String {
    let mut words = vec![Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy()];
    words.extend(command.get_args().map(OsStr::to_string_lossy));
    words.join(" ")
}
