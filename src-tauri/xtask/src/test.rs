//! `cargo xtask test`: everything CI runs, as a sequence of steps that can also be run one by one.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use wait_timeout::ChildExt;

use crate::run::{Failure, cargo, command, foreign_cargo, is_linting, linting, npm, succeed, target_dir};
use crate::{mutants, packages};

/// A step.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Step {
    /// Formatting of the Rust code.
    Format,
    /// Formatting, lints, types and unit tests of the UI, and its build.
    Ui,
    /// Clippy on everything, with warnings denied. A full run lints the code while compiling it for the later steps.
    Lint,
    /// Dependencies: which crate may use which, licences, sources.
    Deny,
    /// Tests beside the code, including the check that generated files are up to date.
    Unit,
    /// User stories over the real wire protocol, and the check that the documents match the tree.
    Stories,
    /// Third-party clients against the simulator, checked against botocore's model.
    Clients,
    /// Screens in a browser, served by the program on simulated worlds.
    Screens,
    /// The real window, driven automatically.
    Window,
    /// Each operation the product uses, under each kind of fault; the size is the number of cells.
    Faults,
    /// Everything that can be asked of the program while it may change nothing; the size is the number of forgeries.
    Readonly,
    /// Keys and player ids in places where they must not appear; the size is the number of minutes the world runs
    /// first.
    Secrets,
    /// SIGKILL at any moment to everything that writes; the size is the number of kills.
    Crash,
    /// Alerts delivered to an Alertmanager and to the SNS of another simulator, undisturbed and with SIGKILL at random
    /// moments; the size is the number of kills.
    Delivered,
    /// A disk that is full, fails or turns read-only under everything that writes; the size is the number of rounds.
    Storage,
    /// Hours of incidents, and whether each is told rightly: that, since when, and why; the size is the number of
    /// simulated hours, which take some minutes each.
    Incidents,
    /// Almost valid garbage, fed to everything that reads external input; the size is the number of runs per target.
    Fuzz,
    /// Payloads in every text of the database and of the window, which must be inert and unaltered in each output.
    /// The size is the number of payloads, some of each kind.
    Hostile,
    /// A long day of collecting; the size is the number of simulated hours, which take two minutes each. Run by hand
    /// only, like the next step, because both take as long as requested.
    Soak,
    /// Bugs put into guard, feed, budget and retention, which the tests must notice. The size is the number of
    /// mutants per part. Run by hand only.
    Mutants,
}

/// How much a step of the harness tries, and with which seed. Each step has its own small default.
#[derive(Args)]
pub(crate) struct Extent {
    /// How much a step of the harness tries; each step says what it counts. Small if absent.
    #[arg(long, requires = "steps")]
    size: Option<u64>,
    /// Seed of the random choices, with a fixed default; another seed tries other cases. Each step prints it.
    #[arg(long, requires = "steps")]
    seed: Option<u64>,
}

impl Extent {
    /// Passes both numbers to the command.
    fn tell<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        for (name, value) in [("LIFTDECK_TEST_SIZE", self.size), ("LIFTDECK_TEST_SEED", self.seed)] {
            if let Some(value) = value {
                command.env(name, value.to_string());
            }
        }
        command
    }
}

/// Number of tests to run at once: they mostly wait, so this is more than the cores of a small machine.
const TEST_THREADS: &str = "4";

/// The same for the tests beside the code. Their programs run one after the other, and with few tests at once the
/// last tests of each would leave the machine idle.
const UNIT_TEST_THREADS: &str = "8";

/// What a full run does first, because all later steps use what these compile. The compiler leaves cores idle whenever
/// everything waits for one crate.
const BUILDS: &[Step] = &[Step::Lint, Step::Ui];

/// The other steps of a full run, in the order in which they begin. The longest come first, so that none runs alone at
/// the end.
const POOL: &[Step] = &[
    Step::Stories,
    Step::Screens,
    Step::Clients,
    Step::Unit,
    Step::Deny,
    Step::Window,
    Step::Incidents,
    Step::Hostile,
    Step::Readonly,
    Step::Delivered,
    Step::Storage,
    Step::Secrets,
    Step::Faults,
    Step::Crash,
    Step::Fuzz,
];

/// Number of steps of the pool to run at once: most of them spend much of their time waiting for simulated worlds to
/// progress.
const STEPS_AT_ONCE: usize = 3;

/// The longest that a step of a full run may take. The longest takes a third of it on two slow cores, so a step that
/// takes longer is stuck. Its log tells where, which it would not if whoever started the run lost patience first.
const LONGEST: Duration = Duration::from_mins(40);

/// Runs the given steps, or all of them, and prints how long each took.
///
/// # Errors
/// At the first step that fails; in a full run, when the steps that were running then have ended.
pub(crate) fn run(steps: &[Step], extent: &Extent) -> Result<(), Failure> {
    let mut took = Vec::new();
    if steps.is_empty() {
        Step::Format.timed(extent, &mut took)?;
        // Two steps cannot install at the same time, nor may one write the pages while another compiles them.
        packages::for_window_drive()?;
        packages::for_browser()?;
        packages::alertmanager()?;
        packages::for_window_build()?;
        packages::python()?;
        packages::older_sdk()?;
        together(BUILDS, BUILDS.len(), &mut took)?;
        together(POOL, STEPS_AT_ONCE, &mut took)?;
    } else {
        for step in steps {
            step.timed(extent, &mut took)?;
        }
    }
    println!("== all green: {}", took.join(", "));
    Ok(())
}

/// Runs steps of a full run, `at_once` at the same time, each as a separate process whose cargo lints what it compiles.
/// Shows the output of each when it has ended, and of those that failed at the very end, where one looks for it. After
/// a failure no other step begins.
fn together(steps: &[Step], at_once: usize, took: &mut Vec<String>) -> Result<(), Failure> {
    let waiting = Mutex::new(steps.iter());
    let (ended, outcomes) = mpsc::channel();
    let mut broken = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            let (waiting, ended) = (&waiting, ended.clone());
            scope.spawn(move || {
                // A lock in the head of the loop would be held throughout its body.
                let next = || lock(waiting).next();
                while let Some(step) = next() {
                    let started = Instant::now();
                    let outcome = step.in_background();
                    if outcome.is_err() {
                        *lock(waiting) = [].iter();
                    }
                    let _ = ended.send((step.name(), started.elapsed().as_secs(), outcome));
                }
            });
        }
        drop(ended);
        for (name, seconds, outcome) in outcomes {
            match outcome {
                Ok(()) => {
                    show_log_of(&name);
                    took.push(format!("{name} {seconds} s"));
                }
                Err(Failure(what)) => broken.push((name, what)),
            }
        }
    });
    for (name, _) in &broken {
        show_log_of(name);
    }
    let broken: Vec<String> = broken.into_iter().map(|(_, what)| what).collect();
    if broken.is_empty() { Ok(()) } else { Err(Failure(broken.join("; "))) }
}

fn show_log_of(name: &str) {
    let log = std::fs::read_to_string(log_of(name)).unwrap_or_default();
    println!("== {name} printed:\n{log}");
}

/// Nothing is left half done under this lock, so a panic of another thread does not matter.
fn lock<T>(waiting: &Mutex<T>) -> MutexGuard<'_, T> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file that what a step prints in the background goes to.
fn log_of(name: &str) -> PathBuf {
    target_dir().join(format!("test-{name}.log"))
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Runs the step as a process of its own, which prints to a file. A step that is stuck is left running, so that
    /// one can look at what it waits for.
    fn in_background(self) -> Result<(), Failure> {
        let name = self.name();
        println!("== {name}, in the background");
        let failed = |error: io::Error| Failure(format!("step {name} does not start: {error}"));
        let log = File::create(log_of(&name)).map_err(failed)?;
        let mut step = command(std::env::current_exe().map_err(failed)?);
        step.args(["test", &name]).envs(linting());
        step.stdout(log.try_clone().map_err(failed)?).stderr(log);
        match step.spawn().and_then(|mut step| step.wait_timeout(LONGEST)).map_err(failed)? {
            Some(status) if status.success() => Ok(()),
            Some(_) => Err(Failure(format!("step {name} failed"))),
            None => {
                Err(Failure(format!("step {name} has not ended after {} minutes", LONGEST.as_secs() / 60)))
            }
        }
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
                    // All targets are built as tests, because their libraries and programs are compiled for the tests
                    // anyway.
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
                // A third-party client confirms what the window changed.
                succeed(window.env("LIFTDECK_PYTHON", packages::python()?))
            }
            Self::Faults | Self::Crash | Self::Storage | Self::Incidents | Self::Soak => self.harness(extent),
            Self::Readonly | Self::Secrets => {
                packages::for_window_drive()?;
                self.harness(extent)
            }
            Self::Delivered => {
                program()?;
                packages::alertmanager()?;
                let mut delivered = tests_of(&[&self.name()]);
                // Its Python has the other simulator.
                delivered.env("LIFTDECK_PYTHON", packages::python()?);
                succeed(extent.tell(&mut delivered))
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
    /// Runs a step of the harness: the test binary with the step's name, which prints one line with its result.
    fn harness(self, extent: &Extent) -> Result<(), Failure> {
        program()?;
        succeed(extent.tell(&mut tests_of(&[&self.name()])))
    }
}

/// Runs test programs of `tests`. All packages are selected, so that their dependencies have the same features as in
/// the unit tests: another selection would build the AWS clients again.
fn tests_of(names: &[&str]) -> Command {
    let mut test = cargo();
    test.args(["test", "--workspace"]);
    for name in names {
        test.args(["--test", name]);
    }
    test
}

/// Builds the program that later steps start, together with tests that start it too. Built alone, its dependencies
/// would have other features, and all of them, including the AWS clients, would be built again.
fn program() -> Result<(), Failure> {
    packages::for_window_build()?;
    succeed(tests_of(&["command_line"]).arg("--no-run"))
}

/// Builds the program, and the stage that opens worlds for it. The stage is built with any test beside it.
fn stage() -> Result<(), Failure> {
    packages::for_window_build()?;
    succeed(tests_of(&["command_line", "tidy"]).arg("--no-run"))
}

/// Tests payloads in every text: first in a collected database, then on every screen.
fn hostile(extent: &Extent) -> Result<(), Failure> {
    stage()?;
    let mut outputs = command(packages::python()?);
    outputs.arg("tests/hostile/hostile.py").arg(target_dir().join("debug/liftdeck"));
    succeed(extent.tell(&mut outputs))?;
    packages::for_browser()?;
    let mut screens = npm(&["run", "screens", "--", "hostile.spec.ts", "--output", "test-results/hostile"]);
    // The other screens may run at the same time.
    screens.envs([("LIFTDECK_HOSTILE", "1"), ("LIFTDECK_STAGE_PORT", "4312")]);
    succeed(extent.tell(&mut screens))
}

/// Runs cargo-deny, and installs it below the target folder if the machine lacks it.
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
        // It is built once and run once, so fast compilation matters more than fast execution.
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
        let automatic = [&[Step::Format], BUILDS, POOL].concat();
        let by_hand = [Step::Soak, Step::Mutants];
        let mut taken: Vec<String> = automatic.iter().chain(&by_hand).map(|step| step.name()).collect();
        let mut all: Vec<String> = Step::value_variants().iter().map(|step| step.name()).collect();
        taken.sort();
        all.sort();
        assert_eq!(taken, all);
    }
}
