//! `cargo xtask demo`: from a clean clone to a window with live data.

use crate::packages;
use crate::run::{Failure, cargo, succeed, target_dir};

/// Builds the window and opens it on the embedded simulator. Without a display, walks the screens on a virtual one.
///
/// # Errors
/// If something cannot be installed or built, or a screen does not appear.
pub(crate) fn run(scenario: &str) -> Result<(), Failure> {
    packages::for_window_build()?;
    succeed(cargo().args(["build", "--package", "liftdeck"]))?;
    if has_display() {
        let program =
            target_dir().join("debug").join(if cfg!(windows) { "liftdeck.exe" } else { "liftdeck" });
        return succeed(crate::run::command(program).args(["demo", "--scenario", scenario]));
    }
    println!("no display: walking the screens on a virtual one");
    packages::for_window_drive()?;
    let mut walk = cargo();
    walk.args(["run", "--quiet", "--package", "liftdeck-tests", "--bin", "walk", "--"]);
    succeed(walk.args(["--scenario", scenario, "--out"]).arg(target_dir().join("demo")))
}

fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
