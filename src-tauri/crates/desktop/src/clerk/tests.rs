//! The clerk with a notifier that shows nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use liftdeck_model::notification::{Telling, ToldAlert};
use liftdeck_model::severity::Severity;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

/// What the clerk did, and what a person does.
struct Fake {
    did: UnboundedSender<String>,
    person: UnboundedReceiver<Response>,
    works: Arc<AtomicBool>,
}

impl Notifier for Fake {
    async fn show(&mut self, key: Key, notice: &Notice) -> Result<(), String> {
        if !self.works.load(Ordering::Relaxed) {
            return Err("No notification service runs.".to_owned());
        }
        self.did.send(format!("{key} {}", notice.title)).unwrap();
        Ok(())
    }

    async fn withdraw(&mut self, key: Key) {
        self.did.send(format!("{key} withdrawn")).unwrap();
    }

    async fn response(&mut self) -> Response {
        self.person.recv().await.unwrap()
    }
}

fn message(id: &str, telling: Telling) -> [Message; 1] {
    let alert = ToldAlert {
        id: id.into(),
        telling,
        severity: Severity::Bad,
        rule: "capped".to_owned(),
        subject: id.to_owned(),
        region: None,
        fleet_id: None,
        since: NOW,
        fired_at: Some(NOW),
        ended_at: None,
        acknowledged_by: None,
        title: format!("{id} is wrong"),
        detail: String::new(),
        cause: None,
    };
    [Message { alerts: vec![alert] }]
}

fn told(messages: &[Message]) -> Told<'_> {
    Told { connection: "live", name: "Live", messages }
}

#[tokio::test]
async fn a_click_leads_to_the_page_of_the_alert_and_a_dismissal_nowhere() {
    let ((did, mut done), (act, person)) = (unbounded_channel(), unbounded_channel());
    let works = Arc::new(AtomicBool::new(true));
    let mut clerk = Clerk::new(Fake { did, person, works });
    clerk.told(told(&message("a", Telling::Fired)), true, NOW).await;
    clerk.told(told(&message("b", Telling::Fired)), true, NOW.plus_ms(90_000)).await;
    assert_eq!(done.recv().await.unwrap(), "1 Bad: a is wrong");
    // The second is of the same group, and joins the first.
    assert_eq!(done.recv().await.unwrap(), "1 Bad: a is wrong, and 1 more");
    act.send(Response::Gone(7)).unwrap();
    act.send(Response::Opened(1)).unwrap();
    assert_eq!(clerk.opened().await, "#/alerts/a");
    clerk.test().await.unwrap();
    act.send(Response::Opened(TEST)).unwrap();
    assert_eq!(clerk.opened().await, "#/settings");
}

#[tokio::test]
async fn a_system_without_notifications_is_said_and_the_next_alert_is_tried_again() {
    let ((did, mut done), (_act, person)) = (unbounded_channel(), unbounded_channel());
    let works = Arc::new(AtomicBool::new(false));
    let mut clerk = Clerk::new(Fake { did, person, works: Arc::clone(&works) });
    clerk.told(told(&message("a", Telling::Fired)), true, NOW).await;
    assert_eq!(clerk.trouble(), Some("No notification service runs."));
    assert!(clerk.test().await.is_err());
    works.store(true, Ordering::Relaxed);
    clerk.told(told(&message("b", Telling::Fired)), true, NOW.plus_ms(90_000)).await;
    assert_eq!(clerk.trouble(), None);
    assert_eq!(done.recv().await.unwrap(), "2 Bad: b is wrong");
    clerk.closed("live").await;
    assert_eq!(done.recv().await.unwrap(), "2 withdrawn");
}
