//! Kills the program while it collects and tells, and starts it again on the same database. At the end what the outbox
//! says is compared with what receivers heard.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use liftdeck_tests::program::{Simulation, eventually};
use liftdeck_tests::trial::Trial;

use crate::outbox::{Message, alert, now_ms};
use crate::place::{ALERTMANAGER, FIFO, Place, STANDARD};
use crate::topics::{Heard, Moto};

/// The longest a receiver's answer takes to come back after it has accepted: kills fall into this time.
const SLOWNESS: Duration = Duration::from_millis(400);
/// The latest kill after a start, for most: messages are due until about then.
const SOON: Duration = Duration::from_millis(3_000);
/// The latest kill after every twelfth start of a long run. A start tells nothing new of the world before it has read
/// everything once, which takes more than a minute.
const LATE: Duration = Duration::from_secs(150);
/// From so many kills on a run is long: what takes minutes adds little to it.
const LONG: u64 = 50;
/// The time between two messages handed over for a channel, so that kills meet one after the other.
const STEP_MS: i64 = 700;
/// The longest time until everything has arrived after the last kill.
const PATIENCE: Duration = Duration::from_secs(420);

/// What came of it.
pub(crate) struct Tally {
    kills: u64,
    /// Messages in the outbox that were delivered.
    messages: usize,
    /// Alerts handed over.
    handed: u64,
    /// Alerts of the world, with how often each was told as begun, worse or over.
    real: BTreeMap<String, usize>,
    /// Messages whose attempt a kill cut off.
    cut_off: usize,
    /// Repeats that a standard topic passed on, each under the same id.
    repeats: usize,
    /// Messages to the standard topic.
    standard: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} kills, {} messages about {} alerts handed over and {} of the world ({} begun, worse or over), {} cut \
             off while being sent, all delivered; 0 twice at the Alertmanager and the FIFO topic, {} of {} twice at the standard topic, under \
             the same id",
            self.kills,
            self.messages,
            self.handed,
            self.real.len(),
            self.real.values().sum::<usize>(),
            self.cut_off,
            self.repeats,
            self.standard
        )
    }
}

/// Kills the program so often, and compares.
pub(crate) fn survive(trial: &Trial, world: &Simulation, moto: &Moto, kills: u64) -> Tally {
    let mut chance = trial.chance(1);
    let mut place = Place::begin("killed", world, moto, SLOWNESS, |_| false);
    place.also_all(world);
    // More to tell: many fleets have little room, which by itself is no alert.
    place.done(&["alerts", "rule", "set", "little-room", "--severity", "warning", "--pending", "0s"]);
    let outbox = place.outbox();
    let mut handed: Vec<(String, i64)> = Vec::new();
    let mut due = now_ms();
    for number in 1..=kills {
        due = due.max(now_ms()) + STEP_MS;
        hand_over(&place, &mut handed, number, &mut due);
        if number == kills / 2 {
            // What was told as a warning gets worse, and what was told of rooms is over, minutes later.
            place.done(&["alerts", "rule", "set", "interruptions", "--severity", "bad"]);
            place.done(&["alerts", "rule", "set", "little-room", "--off"]);
        }
        let mut collecting = place.collect();
        let latest = match number {
            // A new database tells soon, so that the first kill meets what is told of the world.
            1 => {
                eventually(PATIENCE, "an alert of the world is to be told", || {
                    outbox.messages().iter().any(|one| !is_handed_over(one)).then_some(())
                });
                SLOWNESS * 2
            }
            _ if kills >= LONG && number % 12 == 0 => LATE,
            // Every other kill comes after the program is up, however long that takes on a busy machine.
            odd if odd % 2 == 1 => {
                eventually(PATIENCE, "it delivers", || place.delivers().then_some(()));
                SOON / 2
            }
            _ => SOON,
        };
        std::thread::sleep(latest.mul_f64(chance.f64()));
        assert!(collecting.runs(), "it ended by itself before kill {number}");
        collecting.kill();
        let failed: Vec<Message> =
            outbox.messages().into_iter().filter(|one| one.state == "failed").collect();
        assert!(failed.is_empty(), "a kill is no reason to give up: {failed:?}");
    }
    end_last(&place, &handed, due + STEP_MS);
    let mut collecting = place.collect();
    if kills >= LONG {
        eventually(PATIENCE, "rooms are told as over", || {
            let firing = place.alertmanager.firing();
            firing.iter().all(|one| one["labels"]["alertname"] != "little-room").then_some(())
        });
    }
    eventually(PATIENCE, "everything is on record as delivered", || outbox.is_empty().then_some(()));
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
    compare(&place, &handed, kills)
}

/// Whether a message was put into the outbox by this step. The ids of the program's own are UUIDs.
fn is_handed_over(message: &Message) -> bool {
    message.id.starts_with("begins-") || message.id.starts_with("over-")
}

/// Hands over, to each channel, that an alert begins and that the one before is over.
fn hand_over(place: &Place, handed: &mut Vec<(String, i64)>, number: u64, due: &mut i64) {
    let (name, since) = (format!("handed-{number}"), now_ms());
    place.outbox().hand_over(&format!("begins-{number}"), *due, &[alert(&name, since, None)]);
    if !handed.is_empty() {
        *due += STEP_MS;
        end_last(place, handed, *due);
    }
    handed.push((name, since));
}

fn end_last(place: &Place, handed: &[(String, i64)], due: i64) {
    let (name, since) = handed.last().expect("one was handed over");
    place.outbox().hand_over(&format!("over-{name}"), due, &[alert(name, *since, Some(now_ms()))]);
}

fn compare(place: &Place, handed: &[(String, i64)], kills: u64) -> Tally {
    let messages = place.outbox().messages();
    let of = |channel: &str| -> BTreeMap<&str, &Message> {
        let own = messages.iter().filter(|one| one.channel == channel && one.state == "delivered");
        own.map(|one| (one.id.as_str(), one)).collect()
    };
    let (fifo, standard) = (place.fifo.take(), place.standard.take());
    let sent = of(FIFO);
    let heard = counted(&fifo);
    assert_eq!(
        heard.keys().map(String::as_str).collect::<Vec<_>>(),
        sent.keys().copied().collect::<Vec<_>>()
    );
    let twice: Vec<_> = heard.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "twice at the FIFO topic: {twice:?}");

    let sent = of(STANDARD);
    let heard = counted(&standard);
    assert_eq!(
        heard.keys().map(String::as_str).collect::<Vec<_>>(),
        sent.keys().copied().collect::<Vec<_>>()
    );
    let repeated: Vec<&str> =
        heard.iter().filter(|(_, times)| **times > 1).map(|(id, _)| id.as_str()).collect();
    for id in &repeated {
        assert!(sent[id].may_be_repeat && sent[id].attempts > 1, "{id} came twice, and nothing says so");
    }

    let real = at_alertmanager(place, handed, &fifo);
    assert!(!real.is_empty(), "nothing of the world was told");
    Tally {
        kills,
        messages: messages.iter().filter(|one| one.state == "delivered").count(),
        handed: kills,
        real,
        cut_off: messages.iter().filter(|one| one.may_be_repeat).count(),
        repeats: repeated.len(),
        standard: sent.len(),
    }
}

/// How often each message was heard.
fn counted(heard: &[Heard]) -> BTreeMap<String, u64> {
    let mut counted = BTreeMap::new();
    for one in heard {
        *counted.entry(one.id()).or_default() += 1;
    }
    counted
}

/// Checks what the Alertmanager notified against what was handed over and what the FIFO topic heard; returns the alerts
/// of the world, with how often each was told as begun, worse or over.
fn at_alertmanager(place: &Place, handed: &[(String, i64)], fifo: &[Heard]) -> BTreeMap<String, usize> {
    let told = |rule: &str, subject: &str, severity: &str, status: &str| {
        let notified = place.alertmanager.notified();
        let own = notified.iter().filter(|one| {
            (one.label("alertname"), one.label("subject")) == (rule, subject)
                && (one.label("severity"), one.status()) == (severity, status)
        });
        own.count()
    };
    for (name, _) in handed {
        // What is over is notified about a second after it was told.
        let both = || ["firing", "resolved"].map(|status| told("handed", name, "critical", status));
        eventually(PATIENCE, name, || both().iter().all(|times| *times > 0).then_some(()));
        assert_eq!(both(), [1, 1], "{name}");
    }
    let mut real = BTreeMap::<String, usize>::new();
    for alert in fifo.iter().flat_map(Heard::alerts).filter(|alert| alert["rule"] != "handed") {
        let [rule, subject] = ["rule", "subject"].map(|name| alert[name].as_str().expect("a text"));
        let severity = if alert["severity"] == "bad" { "critical" } else { "warning" };
        let status = match alert["telling"].as_str() {
            Some("fired" | "worse") => "firing",
            Some("resolved") => "resolved",
            _ => continue,
        };
        eventually(PATIENCE, "the Alertmanager knows it, too", || {
            (told(rule, subject, severity, status) > 0).then_some(())
        });
        *real.entry(alert["id"].as_str().expect("an id").to_owned()).or_default() += 1;
    }
    let mut once = BTreeSet::new();
    for notified in place.alertmanager.notified() {
        let what = notified.once();
        assert!(
            once.insert(what.clone()),
            "twice at the {ALERTMANAGER}: {what:?}, {}",
            notified.text("/labels/subject")
        );
    }
    real
}
