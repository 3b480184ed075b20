//! The size of the program in bytes, with all symbols stripped.

use std::fs;
use std::path::Path;

use crate::packages;
use crate::run::{Failure, cargo, succeed, target_dir};

/// Bytes per megabyte.
const MB: f64 = 1_000_000.0;

/// The builds to measure: name, arguments for cargo, and maximum size in megabytes.
const PROGRAMS: [(&str, &[&str], f64); 2] =
    [("without the window", &["--no-default-features"], 25.0), ("with the window", &[], 35.0)];

/// Builds each program, prints the sizes as a table, and writes them to a file.
///
/// # Errors
/// If one does not build.
pub(super) fn run(json: &Path) -> Result<(), Failure> {
    let program = target_dir().join("release").join(format!("liftdeck{}", std::env::consts::EXE_SUFFIX));
    let unreadable = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", program.display()));
    packages::for_window_build()?;
    let mut rows = Vec::new();
    for (name, arguments, most) in PROGRAMS {
        let mut build = cargo();
        build.args(["build", "--release", "--package", "liftdeck"]).args(arguments);
        succeed(build.env("CARGO_PROFILE_RELEASE_STRIP", "symbols"))?;
        let bytes = fs::metadata(&program).map_err(|error| unreadable(&error))?.len();
        rows.push((name, bytes, most));
    }
    println!("{:20}{:>10}{:>10}{:>8}", "program", "MB", "at most", "ratio");
    let mut figures = Vec::new();
    for (name, bytes, most) in rows {
        let taken = bytes as f64 / MB;
        println!("{name:20}{taken:>10.1}{most:>10.1}{:>8.2}", taken / most);
        figures.push(format!(
            r#"{{"program":"{name}","bytes":{bytes},"most_mb":{most},"ratio":{:.3}}}"#,
            taken / most
        ));
    }
    fs::write(json, format!("[{}]\n", figures.join(","))).map_err(|error| unreadable(&error))
}
