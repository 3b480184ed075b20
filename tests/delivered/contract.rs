//! What is told to an Alertmanager and to topics, undisturbed: accepted, complete, and closed when it is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use liftdeck_tests::program::{Simulation, eventually};
use serde_json::Value;

use crate::alertmanager::Notified;
use crate::outbox::{alert, now_ms};
use crate::place::{ALERTMANAGER, CHANNELS, FIFO, Place, STANDARD};
use crate::topics::{Heard, Moto, REGION};

/// An alert waits half a minute for others; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(240);
/// The Region that cannot be read at first.
const BLIND: &str = "us-east-1";
/// The account of the world.
const ACCOUNT: &str = "111122223333";

/// Checks it all in one collection: two alerts handed over together, the storm's, a Region that cannot be read and then
/// can, and a test message.
pub(crate) fn hold(world: &Simulation, moto: &Moto) {
    let is_blind = Arc::new(AtomicBool::new(true));
    let blinded = Arc::clone(&is_blind);
    let mut place = Place::begin("told", world, moto, Duration::ZERO, move |head| {
        blinded.load(Ordering::Relaxed) && head.contains(BLIND) && !head.contains("/sts/")
    });
    place.also(BLIND);
    let began = now_ms() - 60_000;
    let [one, two] = ["handed-1", "handed-2"];
    place.outbox().hand_over("both", now_ms(), &[alert(one, began, None), alert(two, began + 1_000, None)]);
    let mut collecting = place.collect();
    let named = |alerts: &[Value], name: &str, value: &str| -> Option<Value> {
        alerts.iter().find(|alert| alert["labels"][name] == value).cloned()
    };
    let there = |name: &'static str, value: &'static str| {
        eventually(PATIENCE, value, || named(&place.alertmanager.firing(), name, value))
    };
    let shown = there("subject", one);
    assert_eq!(shown["startsAt"], rfc3339(began).as_str(), "{shown}");
    assert!(
        shown["endsAt"].as_str() > shown["startsAt"].as_str(),
        "it ends unless it is told again: {shown}"
    );
    let labels = [("severity", "critical"), ("source", "liftdeck"), ("region", REGION), ("account", ACCOUNT)];
    for (name, value) in labels {
        assert_eq!(shown["labels"][name], value, "{shown}");
    }
    assert_eq!(shown["annotations"]["summary"], "Trouble handed-1");

    // A Region that cannot be read is told, and is over with the first answer.
    there("alertname", "blind");
    is_blind.store(false, Ordering::Relaxed);
    eventually(PATIENCE, "the Region is no longer blind there", || {
        named(&place.alertmanager.firing(), "alertname", "blind").is_none().then_some(())
    });
    let storm = there("alertname", "interruptions");
    // It may turn out to have begun earlier, which is told with the next cycle.
    let storm = eventually(PATIENCE, "both say the same of the storm", || {
        let subject = storm["labels"]["subject"].as_str()?;
        let firing = place.alertmanager.firing().into_iter();
        let shown = firing
            .filter(|alert| alert["labels"]["alertname"] == "interruptions")
            .find(|alert| alert["labels"]["subject"] == subject)?;
        let listed = place.alerts().into_iter();
        let same = listed
            .filter(|alert| alert["rule"] == "interruptions")
            .find(|alert| alert["subject"] == subject)?;
        let since: jiff::Timestamp = same["since"].as_str()?.parse().ok()?;
        let is_same = shown["startsAt"] == rfc3339(since.as_millisecond()).as_str()
            && shown["labels"]["fleet_id"] == same["fleet_id"];
        is_same.then_some(shown)
    });
    assert!(
        storm["annotations"]["summary"].as_str().is_some_and(|text| text.contains("interrupted")),
        "{storm}"
    );
    assert!(storm["annotations"]["next_step"].as_str().is_some_and(|text| text.contains("liftdeck alerts")));

    for channel in CHANNELS {
        place.told(&["alerts", "channel", "test", channel]);
    }
    eventually(PATIENCE, "topics hear of the storm", || {
        let all = [&place.fifo, &place.standard].iter().all(|topic| topic.has("interrupted"));
        (all && place.outbox().is_empty()).then_some(())
    });
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
    // What was handed over just before the end would be sent after the start.
    while !place.outbox().is_empty() {
        collecting = place.collect();
        eventually(PATIENCE, "the last message is sent", || place.outbox().is_empty().then_some(()));
        collecting.signal("-TERM");
        assert_eq!(collecting.wait(PATIENCE), 0);
    }
    of_notifications(&place, one, two);
    after_a_pause(&place, &is_blind, &storm["fingerprint"]);
    let (fifo, standard) = (place.fifo.take(), place.standard.take());
    let sent = |channel: &str| {
        let messages = place.outbox().messages();
        messages.iter().filter(|one| one.channel == channel && one.state == "delivered").count()
    };
    assert_eq!([fifo.len(), standard.len()], [FIFO, STANDARD].map(sent), "once each");
    assert!(sent(ALERTMANAGER) > 0);
    for heard in &fifo {
        assert_eq!(heard.attributes["MessageDeduplicationId"], heard.id().as_str());
        assert_eq!(heard.attributes["MessageGroupId"], heard.document["topic"]);
        of_document(heard);
    }
    standard.iter().for_each(of_document);
}

/// Starts again as if after a pause in which an Alertmanager lets go of what fires: it is told of it only once everything
/// was read, because much of it may be over.
fn after_a_pause(place: &Place, is_blind: &AtomicBool, fingerprint: &Value) {
    let ends = || {
        let firing = place.alertmanager.firing().into_iter();
        firing
            .filter(|alert| alert["fingerprint"] == *fingerprint)
            .find_map(|alert| alert["endsAt"].as_str().map(str::to_owned))
    };
    let before = ends();
    assert!(before.is_some(), "it still holds the storm's alert");
    place.outbox().age(10 * 60_000);
    place.outbox().hand_over("later", now_ms(), &[alert("handed-3", now_ms(), None)]);
    is_blind.store(true, Ordering::Relaxed);
    let mut collecting = place.collect();
    eventually(PATIENCE, "it delivers again", || {
        let firing = place.alertmanager.firing();
        firing.iter().any(|alert| alert["labels"]["subject"] == "handed-3").then_some(())
    });
    assert_eq!(ends(), before, "what was not seen again is not told as firing");
    is_blind.store(false, Ordering::Relaxed);
    eventually(PATIENCE, "everything was read, and what fires is told again", || {
        (ends() > before && place.outbox().is_empty()).then_some(())
    });
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
}

/// Checks what the Alertmanager itself told: each once, and of a group together.
fn of_notifications(place: &Place, one: &str, two: &str) {
    let of = |name: &str, value: &str| -> Vec<String> {
        let notified = place.alertmanager.notified().into_iter();
        notified.filter(|alert| alert.label(name) == value).map(|alert| alert.status().to_owned()).collect()
    };
    // It notifies of an end within a second or two.
    eventually(PATIENCE, "the end is notified", || (of("alertname", "blind").len() > 1).then_some(()));
    assert_eq!(of("alertname", "blind"), ["firing", "resolved"]);
    assert_eq!(of("subject", one), ["firing"]);
    // What began longer ago than it waits for others is notified at once: between two alerts of one request, even.
    let is_both = |group: &Vec<Notified>| group.iter().map(|alert| alert.label("subject")).eq([one, two]);
    let groups = eventually(PATIENCE, "alerts of one rule in one Region are one notification", || {
        Some(place.alertmanager.groups()).filter(|groups| groups.iter().any(is_both))
    });
    for group in groups {
        let rules: Vec<&str> = group.iter().map(|alert| alert.label("alertname")).collect();
        assert!(rules.windows(2).all(|two| two[0] == two[1]), "{rules:?}");
    }
}

/// Checks a message against README.md.
fn of_document(heard: &Heard) {
    let document = &heard.document;
    let shown = format!("{document}");
    assert_eq!(
        (document["version"].as_u64(), document["account"].as_str()),
        (Some(1), Some(ACCOUNT)),
        "{shown}"
    );
    for name in ["telling", "severity"] {
        assert_eq!(document[name], heard.attribute(name), "{name} of {shown}");
    }
    for name in ["id", "headline", "connection", "topic", "sentAt", "nextStep"] {
        assert!(document[name].as_str().is_some_and(|text| !text.is_empty()), "{name} of {shown}");
    }
    let subject = heard.envelope["Subject"].as_str().expect("a subject");
    assert!(subject.is_ascii() && (1..100).contains(&subject.len()), "{subject}");
    assert!(!heard.alerts().is_empty(), "{shown}");
    for alert in heard.alerts() {
        let texts = ["id", "telling", "severity", "rule", "subject", "since", "title"];
        assert!(texts.iter().all(|name| alert[name].is_string()), "{alert}");
        let rest = ["region", "fleetId", "firedAt", "endedAt", "acknowledgedBy", "detail", "likelyCause"];
        assert!(rest.iter().all(|name| alert.get(name).is_some()), "{alert}");
        assert_eq!(alert["telling"] == "resolved", alert["endedAt"].is_string(), "{alert}");
    }
}

/// A moment as an Alertmanager writes it.
fn rfc3339(at_ms: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(at_ms).expect("a moment");
    format!("{at:.3}")
}
