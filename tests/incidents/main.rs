//! Days of incidents, and whether Liftdeck tells each of them: that something is wrong, since when, and why.
//!
//! A world with scripted and random incidents and a collector run in this process, in step: both clocks are moved by
//! hand, a second at a time, as fast as the machine can follow. Afterwards the alerts are set against the world's own
//! record. CI tries a few hours; `cargo xtask test incidents --size HOURS --seed N` tries any number.

mod clockwork;
mod judging;
mod record;

use std::process::ExitCode;
use std::time::Instant;

use liftdeck_simulator::Scenario;
use liftdeck_tests::trial::Trial;

use clockwork::Clockwork;
use judging::Judgement;

/// The least shares that are right once there are enough incidents to speak of shares.
const RIGHT: [(&str, f64); 6] = [
    ("recall", 0.98),
    ("precision", 0.95),
    ("first cause", 0.95),
    ("since", 0.98),
    ("names", 1.0),
    ("scaling causes", 0.97),
];
/// Fewer say little about a share.
const ENOUGH: usize = 40;
/// The longest median delay from what could be seen first to the alert, in seconds.
const DELAY_S: f64 = 60.0;

fn main() -> ExitCode {
    let trial = Trial::begin("incidents");
    let hours = trial.size(2);
    let scenario = std::env::var("LIFTDECK_TEST_SCENARIO").unwrap_or_else(|_| "incidents".to_owned());
    let scenario: Scenario = scenario.parse().expect("a scenario");
    let begun = Instant::now();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    let judgement = runtime.expect("a thread").block_on(async {
        let mut clockwork = Box::pin(Clockwork::start(scenario, trial.seed())).await;
        for hour in 1..=hours {
            clockwork.run(3_600).await;
            eprintln!("incidents: hour {hour} of {hours} after {} s", begun.elapsed().as_secs());
        }
        let record = clockwork.record();
        let mut judgement = Judgement::of(&record.incidents, &clockwork.alerts().await, clockwork.now());
        judgement.judge_steps(&record.scaling_steps, &clockwork.scaling_steps().await);
        clockwork.stop().await;
        judgement
    });
    for line in judgement.lines() {
        println!("incidents: {line}");
    }
    if judgement.share("recall") < 1.0 && judgement.incidents() < ENOUGH {
        trial.broke("not every incident was found");
    }
    if judgement.incidents() >= ENOUGH {
        for (name, least) in RIGHT {
            let share = judgement.share(name);
            if share < least {
                trial.broke(format!(
                    "{name} is {:.1} %, of which {:.0} % is asked",
                    share * 100.0,
                    least * 100.0
                ));
            }
        }
        if judgement.median_delay_s() > DELAY_S {
            trial.broke(format!("the median delay is {:.0} s", judgement.median_delay_s()));
        }
    }
    trial.end(&format!("{hours} hours, {}", judgement.figure()))
}
