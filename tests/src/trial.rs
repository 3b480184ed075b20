//! The common form of the harness's steps: how much a step tries, with which seed, and the one line it prints.
//!
//! Owns what all steps share. `cargo xtask test STEP --size N --seed N` passes both numbers in the environment.
//! Without them a step is small, which is what CI runs.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The default seed: always the same, so that a full run does not depend on luck.
const SEED: u64 = 1;
/// The most failures that are printed; a matrix that breaks everywhere breaks for one reason.
const TOLD: usize = 40;

/// A running step.
#[derive(Debug)]
pub struct Trial {
    step: &'static str,
    size: Option<u64>,
    seed: u64,
    begun: Instant,
    broken: Mutex<Vec<String>>,
}

impl Trial {
    /// Begins a step. Prints the seed at once, so that a run that hangs can be repeated.
    ///
    /// # Panics
    /// If the size or the seed is not a number.
    pub fn begin(step: &'static str) -> Self {
        let seed = number("LIFTDECK_TEST_SEED").unwrap_or(SEED);
        println!("{step}: seed {seed}");
        // Prints the location in one line; a backtrace for each of a thousand cells would be too much.
        std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
        Self {
            step,
            size: number("LIFTDECK_TEST_SIZE"),
            seed,
            begun: Instant::now(),
            broken: Mutex::default(),
        }
    }

    /// Returns how much to try; `small` by default.
    pub fn size(&self, small: u64) -> u64 {
        self.size.unwrap_or(small)
    }

    /// Returns the seed, for worlds that take one.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns a random generator for one part of the step, independent of what other parts draw.
    pub fn chance(&self, part: u64) -> fastrand::Rng {
        fastrand::Rng::with_seed(self.seed ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Runs a part and returns its result; a panic in it fails only this part.
    pub fn part<T>(&self, name: &str, work: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => Some(done),
            Err(panic) => {
                let said = panic.downcast_ref::<String>().map(String::as_str);
                let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
                self.broke(format!("{name}: {said}"));
                None
            }
        }
    }

    /// Runs parts like [`Trial::part`], `at_once` at a time. Returns the results of those that did not fail.
    pub fn parts<P: Send, T: Send>(
        &self,
        at_once: usize,
        parts: impl IntoIterator<Item = (String, P)>,
        work: impl Fn(P) -> T + Sync,
    ) -> Vec<T> {
        let waiting: Mutex<VecDeque<(String, P)>> = Mutex::new(parts.into_iter().collect());
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..at_once.max(1) {
                scope.spawn(|| {
                    loop {
                        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                        let Some((name, part)) = next else { return };
                        if let Some(came) = self.part(&name, || work(part)) {
                            done.lock().unwrap_or_else(PoisonError::into_inner).push(came);
                        }
                    }
                });
            }
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a failure.
    pub fn broke(&self, what: impl Into<String>) {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).push(what.into());
    }

    /// Returns the number of failures.
    pub fn broken(&self) -> usize {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Ends the step: prints the failures, then the line with its figure.
    pub fn end(self, figure: &str) -> ExitCode {
        let broken = self.broken.into_inner().unwrap_or_else(PoisonError::into_inner);
        for what in broken.iter().take(TOLD) {
            println!("{} does not hold: {what}", self.step);
        }
        if broken.len() > TOLD {
            println!("{}: and {} more", self.step, broken.len() - TOLD);
        }
        println!("{}: {figure} ({} s, seed {})", self.step, self.begun.elapsed().as_secs(), self.seed);
        if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text}, which is no number")))
}
