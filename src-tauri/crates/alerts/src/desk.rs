//! Tells the people at this computer, at once and beside the channels.
//!
//! Owns what was told here; nothing of it is recorded, because it concerns nobody else and is over with the program.
//! Deliberately decides nothing by itself: [`tell`] does, as for every channel. Knows no host and shows nothing.

use liftdeck_model::Timestamp;
use liftdeck_model::alert::{AlertId, AlertRecord};
use liftdeck_model::channel::{Channel, ChannelKind, Place};
use liftdeck_model::notification::{Message, NotificationId, ToldMark};
use liftdeck_model::severity::Severity;
use parking_lot::Mutex;

use crate::tell::{Scene, tell};

/// Names the desk where a channel is expected.
const NAME: &str = "this computer";

/// Takes the messages of one look.
type Take = Box<dyn Fn(Vec<Message>) + Send + Sync>;

/// The people at this computer. Outlives the watch, so that a watch that begins again tells nothing twice.
pub struct Desk {
    take: Take,
    /// `None` before the first look.
    told: Mutex<Option<Vec<ToldMark>>>,
}

impl Desk {
    /// Hands what is told to `take`, message by message of one look, once the alerts' own steps are recorded. Called
    /// on the task that judges, so it must return at once.
    pub fn new(take: impl Fn(Vec<Message>) + Send + Sync + 'static) -> Self {
        Self { take: Box::new(take), told: Mutex::new(None) }
    }

    /// The alerts of which the end is still to be told.
    pub(crate) fn awaited(&self) -> Vec<AlertId> {
        self.told.lock().iter().flatten().map(|mark| mark.alert_id.clone()).collect()
    }

    /// What is to be told here now, with what is then to be remembered. Alerts that fired before `started` are not
    /// news: whoever starts the program sees them on its screens.
    pub(crate) fn hear(&self, scene: Scene<'_>, started: Timestamp) -> Heard {
        let known = self.told.lock().clone();
        let mut marks = known.unwrap_or_else(|| earlier(scene.alerts, started));
        let channel = [as_a_channel()];
        let scene = Scene { channels: &channel, told: &marks, waiting: &[], ..scene };
        let queued = tell(scene, || NotificationId::new(String::new()));
        let mut messages = Vec::new();
        for one in queued {
            marks.retain(|mark| {
                !one.closed.contains(&mark.alert_id)
                    && one.told.iter().all(|told| told.alert_id != mark.alert_id)
            });
            marks.extend(one.told);
            messages.push(one.notification.message);
        }
        Heard { messages, marks }
    }

    /// Tells it and remembers that.
    pub(crate) fn tell(&self, heard: Heard) {
        *self.told.lock() = Some(heard.marks);
        if !heard.messages.is_empty() {
            (self.take)(heard.messages);
        }
    }
}

/// What one look brings to the desk.
#[derive(Debug)]
pub(crate) struct Heard {
    messages: Vec<Message>,
    marks: Vec<ToldMark>,
}

/// The desk takes everything that is told. It is never recorded or sent to, so its kind and address mean nothing.
fn as_a_channel() -> Channel {
    Channel {
        name: NAME.to_owned(),
        kind: ChannelKind::Webhook,
        address: Place::Plain(String::new()),
        signing_key: None,
        endpoint: None,
        least_severity: Severity::Warning,
        rules: Vec::new(),
        regions: Vec::new(),
        is_on: true,
    }
}

fn earlier(alerts: &[AlertRecord], started: Timestamp) -> Vec<ToldMark> {
    let fired = |alert: &&AlertRecord| alert.fired_at.is_some_and(|fired| fired < started);
    let mark = |alert: &AlertRecord| ToldMark {
        channel: NAME.to_owned(),
        alert_id: alert.id.clone(),
        severity: alert.severity,
        acknowledged: alert.acknowledged.is_some(),
        at: started,
    };
    alerts.iter().filter(fired).map(mark).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use liftdeck_model::alert::AlertState;
    use liftdeck_model::notification::Telling;

    use super::*;

    const STARTED: Timestamp = Timestamp::from_ms(1_772_618_400_000);

    fn alert(id: &str, fired_ms: i64) -> AlertRecord {
        AlertRecord {
            id: id.into(),
            rule: "capped".to_owned(),
            subject: id.to_owned(),
            region: Some("eu-west-1".into()),
            fleet_id: None,
            severity: Severity::Bad,
            state: AlertState::Firing,
            since: STARTED.plus_ms(fired_ms),
            seen_at: STARTED,
            fired_at: Some(STARTED.plus_ms(fired_ms)),
            clear_since: None,
            unknown_since: None,
            ended_at: None,
            acknowledged: None,
            document: String::new(),
        }
    }

    /// A desk and what it took, look by look.
    fn desk() -> (Desk, Arc<Mutex<Vec<Vec<Message>>>>) {
        let took = Arc::<Mutex<Vec<Vec<Message>>>>::default();
        let into = Arc::clone(&took);
        (Desk::new(move |messages| into.lock().push(messages)), took)
    }

    fn look(desk: &Desk, at_ms: i64, alerts: &[AlertRecord]) {
        let at = STARTED.plus_ms(at_ms);
        let scene =
            Scene { alerts, channels: &[], silences: &[], told: &[], waiting: &[], is_settled: true, at };
        desk.tell(desk.hear(scene, STARTED));
    }

    fn ids(message: &Message) -> Vec<(&str, Telling)> {
        message.alerts.iter().map(|alert| (alert.id.as_str(), alert.telling)).collect()
    }

    #[test]
    fn what_fired_before_the_start_is_no_news_and_what_fires_after_it_is_told_in_groups() {
        let (desk, took) = desk();
        let old = alert("old", -3_600_000);
        look(&desk, 0, std::slice::from_ref(&old));
        assert!(took.lock().is_empty());
        let new = [old.clone(), alert("a", 10_000), alert("b", 12_000)];
        look(&desk, 20_000, &new);
        assert!(took.lock().is_empty(), "a first alert waits for others of its group");
        look(&desk, 330_000, &new);
        let told = took.lock().pop().unwrap();
        assert_eq!(told.len(), 1, "one rule in one Region is one message");
        let expected = [("a", Telling::Fired), ("b", Telling::Fired), ("old", Telling::Unchanged)];
        assert_eq!(ids(&told[0]), expected);
    }

    #[test]
    fn what_was_told_here_is_closed_here() {
        let (desk, took) = desk();
        let one = alert("a", 1_000);
        look(&desk, 40_000, std::slice::from_ref(&one));
        assert_eq!(took.lock().pop().unwrap().len(), 1);
        assert_eq!(desk.awaited(), ["a".into()]);
        look(&desk, 50_000, &[AlertRecord { state: AlertState::Resolved, ended_at: Some(STARTED), ..one }]);
        let told = took.lock().pop().unwrap();
        assert_eq!(ids(&told[0]), [("a", Telling::Resolved)]);
        assert!(desk.awaited().is_empty());
    }
}
