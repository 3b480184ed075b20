//! Feeds almost valid garbage to everything that reads text or files from outside.
//!
//! `cargo xtask test fuzz --size N` makes N runs for each target and prints a line for each. A failing input is
//! shrunk and printed with the property it broke. Deliberately guided by samples and words of each format and not by
//! coverage, so it needs no other compiler.

mod mutate;
mod targets;

use std::process::ExitCode;
use std::thread;

use liftdeck_tests::trial::Trial;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use targets::Target;

/// Runs for each target if no size is given.
const RUNS: u64 = 4_000;

fn main() -> ExitCode {
    let trial = Trial::begin("fuzz");
    let runs = trial.size(RUNS);
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get() as u64).min(runs.max(1));
    let targets = targets::all();
    for target in &targets {
        let before = trial.broken();
        let share = u32::try_from(runs.div_ceil(workers)).expect("4 billion runs a core at most");
        let parts = (0..workers).map(|worker| (target.name.to_owned(), worker));
        trial.parts(workers as usize, parts, |worker| {
            if let Some(found) = run(target, share, &mut trial.chance(worker)) {
                trial.broke(format!("{}: {found}", target.name));
            }
        });
        println!("fuzz: {}: {runs} runs, {} findings", target.name, trial.broken() - before);
    }
    let figure = format!("{} targets, {runs} runs each, {} findings", targets.len(), trial.broken());
    trial.end(&figure)
}

/// Does one worker's share of a target's runs and returns the failure, if any.
fn run(target: &Target, runs: u32, chance: &mut fastrand::Rng) -> Option<String> {
    let config = Config { cases: runs, failure_persistence: None, ..Config::default() };
    let mut seed = [0; 32];
    chance.fill(&mut seed);
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let inputs = mutate::of(&target.samples, target.words);
    TestRunner::new_with_rng(config, rng)
        .run(&inputs, |input| (target.holds)(&input))
        .err()
        .map(|error| error.to_string())
}
