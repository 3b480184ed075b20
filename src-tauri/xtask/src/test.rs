//! `cargo xtask test`: everything CI runs, one step after the other, each also alone.

use std::fs::File;
use std::process::Command;
use std::time::Instant;

use clap::{Args, ValueEnum};

use crate::run::{Failure, cargo, command, foreign_cargo, is_linting, linting, npm, succeed, target_dir};
use crate::{mutants, packages};

/// A step.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Step {
    /// Rust's format.
    Format,
    /// Format, lints, types and unit tests of the UI, and its build.
    Ui,
    /// Clippy over everything, warnings denied; in a full run while it is compiled for the steps after it.
    Lint,
    /// Dependencies: who may use whom, licences, sources.
    Deny,
    /// Tests beside the code, and the generated files held to it.
    Unit,
    /// Stories over the real wire, and the documents held to the tree.
    Stories,
    /// Foreign clients against the simulator, judged by botocore's model.
    Clients,
    /// Screens in a browser, served by the program over simulated worlds.
    Screens,
    /// The real window, driven.
    Window,
    /// Each operation the product uses under each kind of fault; the size is a number of cells.
    Faults,
    /// Everything that can be asked of the program, without leave to change anything; the size is a number of forgeries.
    Readonly,
    /// Keys and player ids where they have no place; the size is a number of minutes the world lives on before.
    Secrets,
    /// SIGKILL at any moment of whatever writes; the size is a number of kills.
    Crash,
    /// A disk that is full, fails or turns read-only under everything that writes; the size is a number of rounds.
    Storage,
    /// Rubbish that is nearly right, given to everything that reads from outside; the size is a number of runs a target.
    Fuzz,
    /// Payloads in every text of the database and of the window: inert and whole in each output? The size is a number of
    /// payloads, some of each kind.
    Hostile,
    /// A long day of collecting; the size is a number of hours of the world, two minutes each. By hand only: it
    /// is as long as one asks for, as is the next.
    Soak,
    /// Bugs put into guard, feed, budget and retention: do the tests notice? The size is a number of mutants a part. By
    /// hand only.
    Mutants,
}

/// How much a step of the harness tries, and from which seed; the step knows what is small.
#[derive(Args)]
pub(crate) struct Extent {
    /// How much a step of the harness tries; each says what it counts. Small when absent.
    #[arg(long, requires = "steps")]
    size: Option<u64>,
    /// What chance begins with, always the same when absent: another number tries other cases. Printed by each step.
    #[arg(long, requires = "steps")]
    seed: Option<u64>,
}

impl Extent {
    /// Hands both numbers over to whoever tries.
    fn tell<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        for (name, value) in [("LIFTDECK_TEST_SIZE", self.size), ("LIFTDECK_TEST_SEED", self.seed)] {
            if let Some(value) = value {
                command.env(name, value.to_string());
            }
        }
        command
    }
}

/// Tests at once: most of their time is waiting, so these are more than a small machine has cores.
const TEST_THREADS: &str = "4";

/// Those beside the code at once. Their programs run one after the other, and the last tests of each would leave a machine
/// idle that has few at once.
const UNIT_TEST_THREADS: &str = "8";

/// A full run, row after row: the steps of a row run at the same time, since most wait much of theirs for worlds to live on.
/// What fails most often and soonest comes first; what keeps every core busy by itself has a row of its own.
const ROWS: &[&[Step]] = &[
    &[Step::Format],
    // The compiler leaves a core idle wherever one crate is waited for.
    &[Step::Lint, Step::Ui],
    &[Step::Unit, Step::Stories, Step::Clients, Step::Deny],
    &[Step::Screens],
    &[Step::Window, Step::Faults, Step::Readonly, Step::Secrets, Step::Crash, Step::Storage],
    &[Step::Fuzz, Step::Hostile],
];

/// Runs the steps named, or all of them, and says how long each took.
///
/// # Errors
/// At the first step that fails; of a full run, at the first row with one.
pub(crate) fn run(steps: &[Step], extent: &Extent) -> Result<(), Failure> {
    let mut took = Vec::new();
    if steps.is_empty() {
        // Two steps of a row cannot install at the same time, nor one write the pages that another compiles.
        packages::for_window_drive()?;
        packages::for_browser()?;
        packages::for_window_build()?;
        for row in ROWS {
            let started = Instant::now();
            together(row)?;
            let names: Vec<String> = row.iter().map(|step| step.name()).collect();
            took.push(format!("{} {} s", names.join(" and "), started.elapsed().as_secs()));
        }
    } else {
        for step in steps {
            step.timed(extent, &mut took)?;
        }
    }
    println!("== all green: {}", took.join(", "));
    Ok(())
}

/// Runs steps of a full run at the same time, each as a process of its own whose cargo lints what it compiles. Shows what
/// a step prints: at once when it is alone, otherwise when all have ended.
fn together(steps: &[Step]) -> Result<(), Failure> {
    let failed = |what: &str, error: &dyn std::fmt::Display| Failure(format!("{what}: {error}"));
    let this = std::env::current_exe().map_err(|error| failed("this program is not found", &error))?;
    let mut running = Vec::new();
    for step in steps {
        let (name, log) = (step.name(), target_dir().join(format!("test-{}.log", step.name())));
        let mut child = command(&this);
        child.args(["test", &name]).envs(linting());
        if steps.len() > 1 {
            println!("== {name}, in the background");
            let out = File::create(&log).map_err(|error| failed(&log.display().to_string(), &error))?;
            let copy = out.try_clone().map_err(|error| failed(&log.display().to_string(), &error))?;
            child.stdout(out).stderr(copy);
        }
        running.push((name, log, child.spawn().map_err(|error| failed("a step does not start", &error))?));
    }
    let mut broken = Vec::new();
    for (name, log, mut child) in running {
        let status = child.wait().map_err(|error| failed(&name, &error))?;
        if steps.len() > 1 {
            println!("== {name} printed:\n{}", std::fs::read_to_string(&log).unwrap_or_default());
        }
        if !status.success() {
            broken.push(name);
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(Failure(format!("step {} failed", broken.join(" and ")))) }
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn timed(self, extent: &Extent, took: &mut Vec<String>) -> Result<(), Failure> {
        let name = self.name();
        println!("== {name}");
        let started = Instant::now();
        let outcome = self.run(extent);
        took.push(format!("{name} {} s", started.elapsed().as_secs()));
        outcome.map_err(|Failure(what)| Failure(format!("step {name} failed: {what}")))
    }

    fn run(self, extent: &Extent) -> Result<(), Failure> {
        match self {
            Self::Format => succeed(cargo().args(["fmt", "--all", "--check"])),
            Self::Ui => {
                packages::ui_modules()?;
                for script in ["format:check", "lint", "check", "test"] {
                    succeed(&mut npm(&["run", script]))?;
                }
                packages::ui_pages()
            }
            Self::Lint => {
                packages::for_window_build()?;
                if is_linting() {
                    // All targets as tests: their libraries and programs are compiled for them.
                    return succeed(cargo().args(["test", "--workspace", "--all-targets", "--no-run"]));
                }
                succeed(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
            }
            Self::Deny => deny(),
            Self::Unit => {
                packages::for_window_build()?;
                let mut unit = cargo();
                unit.args(["test", "--workspace", "--exclude", "liftdeck-tests", "--no-fail-fast"]);
                succeed(unit.env("RUST_TEST_THREADS", UNIT_TEST_THREADS))
            }
            Self::Stories => {
                program()?;
                succeed(tests_of(&["stories", "tidy"]).env("RUST_TEST_THREADS", TEST_THREADS))
            }
            Self::Clients => {
                program()?;
                let mut pytest = command(packages::python()?);
                pytest.args(["-m", "pytest", "-q", "-n", TEST_THREADS, "--durations=10", "tests/clients"]);
                pytest.env("LIFTDECK_BIN", target_dir().join("debug/liftdeck"));
                succeed(pytest.env("LIFTDECK_OLDER_SDK", packages::older_sdk()?))
            }
            Self::Screens => {
                stage()?;
                packages::for_browser()?;
                succeed(&mut npm(&["run", "screens"]))
            }
            Self::Window => {
                program()?;
                packages::for_window_drive()?;
                let mut window = tests_of(&["window"]);
                window.args(["--", "--test-threads=1"]);
                // What the window changed is confirmed by a client that is none of ours.
                succeed(window.env("LIFTDECK_PYTHON", packages::python()?))
            }
            Self::Faults | Self::Crash | Self::Storage | Self::Soak => self.harness(extent),
            Self::Readonly | Self::Secrets => {
                packages::for_window_drive()?;
                self.harness(extent)
            }
            Self::Fuzz => {
                self.harness(extent)?;
                packages::ui_modules()?;
                succeed(extent.tell(&mut npm(&["run", "test", "--", "fuzz"])))
            }
            Self::Hostile => hostile(extent),
            Self::Mutants => mutants::run(extent.size),
        }
    }
}

impl Step {
    /// Runs a step of the harness: a test binary of the step's name that prints one line with its figure.
    fn harness(self, extent: &Extent) -> Result<(), Failure> {
        program()?;
        succeed(extent.tell(&mut tests_of(&[&self.name()])))
    }
}

/// Runs test programs of `tests`. All packages are chosen, so that their dependencies have the features they have in the
/// unit tests: another choice would build the AWS clients once more.
fn tests_of(names: &[&str]) -> Command {
    let mut test = cargo();
    test.args(["test", "--workspace"]);
    for name in names {
        test.args(["--test", name]);
    }
    test
}

/// Builds the program the later steps start, as a part of tests that start it too: built alone, its dependencies would
/// have other features, and all of them, the AWS clients too, would be built once more.
fn program() -> Result<(), Failure> {
    packages::for_window_build()?;
    succeed(tests_of(&["command_line"]).arg("--no-run"))
}

/// Builds the program and the stage that opens worlds for it, which is built with any test beside it.
fn stage() -> Result<(), Failure> {
    packages::for_window_build()?;
    succeed(tests_of(&["command_line", "tidy"]).arg("--no-run"))
}

/// Payloads in every text: of a collected database, then of every screen.
fn hostile(extent: &Extent) -> Result<(), Failure> {
    stage()?;
    let mut outputs = command(packages::python()?);
    outputs.arg("tests/hostile/hostile.py").arg(target_dir().join("debug/liftdeck"));
    succeed(extent.tell(&mut outputs))?;
    packages::for_browser()?;
    let mut screens = npm(&["run", "screens", "--", "hostile.spec.ts"]);
    succeed(extent.tell(screens.env("LIFTDECK_HOSTILE", "1")))
}

/// Runs cargo-deny, installing it below the target folder where the machine lacks it.
fn deny() -> Result<(), Failure> {
    let tools = target_dir().join("tools");
    let check = ["deny", "--all-features", "check", "bans", "licenses", "sources"];
    let installed = tools.join("bin").join(if cfg!(windows) { "cargo-deny.exe" } else { "cargo-deny" });
    if crate::run::exists("cargo-deny") {
        return succeed(cargo().args(check));
    }
    if !installed.exists() {
        let mut install = foreign_cargo();
        install
            .args(["install", "--quiet", "--locked", "cargo-deny", "--version", "0.20.2", "--root"])
            .arg(&tools);
        // Built once and run once: compiling it fast matters, running it fast does not.
        for (setting, value) in [("OPT_LEVEL", "0"), ("LTO", "off"), ("DEBUG", "0")] {
            install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
        }
        succeed(&mut install)?;
    }
    succeed(command(installed).args(check.iter().skip(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_run_takes_each_step_once_but_those_by_hand() {
        let mut taken: Vec<String> = ROWS.iter().flat_map(|row| row.iter()).map(|step| step.name()).collect();
        taken.extend([Step::Soak.name(), Step::Mutants.name()]);
        let mut all: Vec<String> = Step::value_variants().iter().map(|step| step.name()).collect();
        taken.sort();
        all.sort();
        assert_eq!(taken, all);
    }
}
