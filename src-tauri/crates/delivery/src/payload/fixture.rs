//! A message for the tests of payloads.

use liftdeck_model::notification::{Message, Notification, NotificationState, Telling, ToldAlert};
use liftdeck_model::{Severity, Timestamp};

use crate::envelope::{Envelope, MOST_ALERTS, Origin};

pub(crate) const SINCE: Timestamp = Timestamp::from_ms(1_772_618_400_000);

pub(crate) const ORIGIN: Origin<'_> = Origin { account: "123456789012", connection: "Live" };

pub(crate) fn alert(id: &str, telling: Telling) -> ToldAlert {
    ToldAlert {
        id: id.into(),
        telling,
        severity: Severity::Bad,
        rule: "crashes".to_owned(),
        subject: "fleet-1".to_owned(),
        region: Some("eu-west-1".into()),
        fleet_id: Some("fleet-1".into()),
        since: SINCE,
        fired_at: Some(SINCE.plus_ms(60_000)),
        ended_at: (telling == Telling::Resolved).then_some(SINCE.plus_ms(240_000)),
        acknowledged_by: (telling == Telling::Acknowledged).then(|| "mia".to_owned()),
        title: "41 of 60 sessions on arena crashed".to_owned(),
        detail: "last: \"out of memory\"".to_owned(),
        cause: Some("build 7 was deployed".to_owned()),
    }
}

pub(crate) fn of(alerts: Vec<ToldAlert>) -> Notification {
    Notification {
        id: "message-1".into(),
        channel: "on call".to_owned(),
        topic: "crashes/eu-west-1".to_owned(),
        state: NotificationState::Sending,
        queued_at: SINCE,
        due_at: SINCE,
        attempts: 1,
        may_be_repeat: false,
        ended_at: None,
        detail: None,
        message: Message { alerts },
    }
}

pub(crate) fn notification() -> Notification {
    of(vec![alert("alert-1", Telling::Fired)])
}

pub(crate) fn envelope(notification: &Notification) -> Envelope<'_> {
    Envelope { notification, origin: ORIGIN, most: MOST_ALERTS, at: SINCE.plus_ms(300_000) }
}
