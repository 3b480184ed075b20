//! Sends SIGKILL at random moments to everything that writes. Nothing acknowledged is lost, nothing is damaged and
//! nothing is sent twice.
//!
//! Owns the order of the kills and the counters. There is one file for each kind of work. Each starts the work again
//! and checks what the kill left behind.

mod adoption;
mod change;
mod delivery;
mod feed;
mod files;
mod made;
mod old;
mod place;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use liftdeck_tests::program::Group;
use liftdeck_tests::trial::Trial;

use place::Place;

/// Work that can be killed.
trait Scene {
    /// Name for messages.
    fn name(&self) -> &'static str;

    /// Starts the work.
    fn begin(&mut self, place: &mut Place) -> Group;

    /// Checks what a kill left behind.
    fn hold(&mut self, place: &mut Place, tally: &Tally);

    /// Lets the work finish after the last kill, and checks the final result.
    fn close(&mut self, _place: &mut Place, _tally: &Tally) {}
}

/// Counters over all kills.
#[derive(Default)]
struct Tally {
    kills: AtomicU64,
    lost: AtomicU64,
    corrupt: AtomicU64,
    twice: AtomicU64,
    /// Messages about alerts that arrived, each counted once.
    delivered: AtomicU64,
    /// Of those, how often one came again under the same id.
    repeated: AtomicU64,
}

impl Tally {
    fn add(counter: &AtomicU64, more: u64) {
        counter.fetch_add(more, Ordering::Relaxed);
    }
}

/// A scene, and an estimate of how long it takes undisturbed.
struct Timed {
    scene: Box<dyn Scene>,
    whole: Duration,
}

/// The longest estimate for a scene; a collection is well into its feed by then.
const LONGEST: Duration = Duration::from_secs(4);

impl Timed {
    fn of(scene: impl Scene + 'static) -> Self {
        Self { scene: Box::new(scene), whole: Duration::from_millis(900) }
    }

    /// Starts the scene, and kills it somewhere between its start and a little past its end.
    fn kill(&mut self, place: &mut Place, share: f64) {
        let mut begun = self.scene.begin(place);
        std::thread::sleep(self.whole.mul_f64(share));
        let was_running = begun.runs();
        begun.kill();
        // The duration depends on the load of the machine.
        if !was_running {
            self.whole = self.whole.mul_f64(0.85);
        } else if share > 0.9 {
            self.whole = self.whole.mul_f64(1.3).min(LONGEST);
        }
    }
}

/// Runs the kills of one worker in turn, in its own world.
fn kill_away(trial: &Trial, tally: &Tally, worker: u64, kills: u64) {
    let mut chance = trial.chance(worker);
    let mut place = Place::begin(chance.u64(..1_000));
    let mut scenes = vec![
        Timed::of(feed::Feed::of(&place)),
        Timed::of(adoption::Adopting::default()),
        Timed::of(change::Terminate::default()),
        Timed::of(change::Repoint::of(&place)),
        Timed::of(change::Capacity::of(&place)),
        Timed::of(old::Migration::default()),
        Timed::of(files::Export::default()),
        Timed::of(files::Retention::default()),
        Timed::of(delivery::Delivering::of(&place)),
    ];
    // One kind of work alone, for a closer look at it.
    if let Ok(only) = std::env::var("LIFTDECK_TEST_SCENE") {
        scenes.retain(|timed| timed.scene.name().contains(&only));
    }
    for number in 0..kills {
        let at = usize::try_from(number + worker).unwrap_or_default() % scenes.len();
        let timed = &mut scenes[at];
        let name = format!("kill {number} of worker {worker}, in {}", timed.scene.name());
        trial.part(&name, || {
            timed.kill(&mut place, 1.1 * chance.f64());
            Tally::add(&tally.kills, 1);
            timed.scene.hold(&mut place, tally);
        });
    }
    for timed in &mut scenes {
        let name = format!("the end of {} of worker {worker}", timed.scene.name());
        trial.part(&name, || timed.scene.close(&mut place, tally));
    }
}

fn main() -> ExitCode {
    if let Some(ended) = files::retaining() {
        return ended;
    }
    let trial = Trial::begin("crash");
    let kills = trial.size(18);
    let workers = (kills / 9).clamp(1, 4);
    let tally = Tally::default();
    // The first workers take the remainder.
    let share = |worker: u64| kills / workers + u64::from(worker < kills % workers);
    let parts = (0..workers).map(|worker| (format!("worker {worker}"), worker));
    let at_once = usize::try_from(workers).unwrap_or(1);
    trial.parts(at_once, parts, |worker| kill_away(&trial, &tally, worker, share(worker)));
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let killed = count(&tally.kills);
    if killed != kills {
        trial.broke(format!("{killed} of {kills} kills came to pass"));
    }
    trial.end(&format!(
        "{killed} kills, {} acknowledged events lost, {} corrupt, {} sent twice; {} messages about alerts delivered, \
         {} repeated under the same id",
        count(&tally.lost),
        count(&tally.corrupt),
        count(&tally.twice),
        count(&tally.delivered),
        count(&tally.repeated)
    ))
}
