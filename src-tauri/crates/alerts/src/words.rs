//! An alert as a message tells it: the facts of the moment, in the words of `liftdeck-insight`.

use liftdeck_insight::Alert;
use liftdeck_model::alert::AlertRecord;
use liftdeck_model::notification::{Telling, ToldAlert};

/// Words an alert for a message.
#[must_use]
pub fn told(record: &AlertRecord, telling: Telling) -> ToldAlert {
    let alert = Alert::of(record.clone());
    ToldAlert {
        telling,
        id: alert.id,
        severity: alert.severity,
        rule: alert.rule,
        subject: alert.subject,
        region: alert.region,
        fleet_id: alert.fleet_id,
        since: alert.since,
        fired_at: alert.fired_at,
        ended_at: alert.ended_at,
        acknowledged_by: alert.acknowledged.map(|acknowledged| acknowledged.by),
        title: cut(alert.title),
        detail: cut(alert.detail),
        cause: alert.causes.into_iter().next().map(|cause| cut(cause.text)),
    }
}

/// Most characters of one text. What GameLift or a game server wrote may be of any length; a message may not.
const LONGEST: usize = 1_000;

fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
