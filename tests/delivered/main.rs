//! Delivers alerts to other people's software: an Alertmanager and the SNS of another simulator, undisturbed and with
//! SIGKILL at random moments. Each message arrives, and where the receiver can tell a repeat, none counts twice.
//!
//! Owns the order of both parts and the figure. What a message says is looked at in `contract.rs`, kills in `kills.rs`.

mod alertmanager;
mod contract;
mod kills;
mod outbox;
mod place;
mod topics;

use std::process::ExitCode;

use liftdeck_tests::program::Simulation;
use liftdeck_tests::trial::Trial;

use topics::Moto;

fn main() -> ExitCode {
    let trial = Trial::begin("delivered");
    let kills = trial.size(8);
    let home = tempfile::tempdir().expect("a folder");
    // A storm takes Spot instances at any time of day.
    let seed = trial.seed().to_string();
    let world = ["--scenario", "spot-storm", "--seed", &seed, "--speed", "1", "--no-throttle"];
    let world = Simulation::start(home.path(), &world);
    let moto = Moto::start();
    let killed = std::thread::scope(|scope| {
        scope.spawn(|| trial.part("what is told", || contract::hold(&world, &moto)));
        let killed = scope.spawn(|| trial.part("kills", || kills::survive(&trial, &world, &moto, kills)));
        killed.join().expect("a panic fails only its part")
    });
    trial.end(&killed.map_or_else(|| "the kills did not end".to_owned(), |tally| tally.to_string()))
}
