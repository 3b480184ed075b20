//! API v2 of a Prometheus Alertmanager: everything that fires, each time, with the time after which it counts as over
//! unless it is told again. Its identity there are its labels, so that a repeat is the same alert; the account is one of
//! them, because several Liftdecks may tell one Alertmanager.

use liftdeck_model::notification::{Message, Telling, ToldAlert};
use liftdeck_model::{Severity, Timestamp};
use serde_json::{Value, json};

use crate::envelope::Origin;
use crate::post::Request;

/// For how long an alert counts as firing without being told again, in milliseconds; several times the cycle.
pub(crate) const LASTS_MS: i64 = 5 * 60_000;

pub(crate) fn request(origin: Origin<'_>, message: &Message, active: &[ToldAlert], at: Timestamp) -> Request {
    let still = active.iter().filter(|alert| message.alerts.iter().all(|told| told.id != alert.id));
    let alerts: Vec<Value> =
        message.alerts.iter().chain(still).flat_map(|alert| of_alert(origin, alert, at)).collect();
    Request { headers: Vec::new(), body: Value::from(alerts).to_string() }
}

fn of_alert(origin: Origin<'_>, alert: &ToldAlert, at: Timestamp) -> Vec<Value> {
    let ends = match alert.telling {
        Telling::Resolved => alert.ended_at.unwrap_or(at).min(at),
        // A test is over soon.
        Telling::Test => at.plus_ms(60_000),
        _ => at.plus_ms(LASTS_MS),
    };
    let mut alerts = vec![posted(origin, alert, alert.severity, ends)];
    if alert.telling == Telling::Worse {
        // The severity is a label, and so part of the identity: under the lower one it is over.
        alerts.push(posted(origin, alert, Severity::Warning, at));
    }
    alerts
}

fn posted(origin: Origin<'_>, alert: &ToldAlert, severity: Severity, ends: Timestamp) -> Value {
    let mut labels = json!({
        "alertname": alert.rule,
        "severity": match severity {
            _ if alert.telling == Telling::Test => "info",
            Severity::Bad => "critical",
            _ => "warning",
        },
        "subject": alert.subject,
        "source": "liftdeck",
        "account": origin.account,
    });
    if let Some(region) = &alert.region {
        labels["region"] = json!(region);
    }
    if let Some(fleet) = &alert.fleet_id {
        labels["fleet_id"] = json!(fleet);
    }
    let mut annotations = json!({
        "summary": alert.title,
        "description": alert.detail,
        "connection": origin.connection,
        "next_step": origin.next_step(),
    });
    if let Some(cause) = &alert.cause {
        annotations["likely_cause"] = json!(cause);
    }
    // An end before the beginning is refused; a trouble may be over within the second it began in.
    let ends = ends.max(alert.since.plus_ms(1));
    json!({
        "labels": labels,
        "annotations": annotations,
        "startsAt": alert.since.to_string(),
        "endsAt": ends.to_string(),
        // No label, which would be part of the identity. Alertmanager takes any scheme here.
        "generatorURL": origin.link(alert),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::fixture;

    fn sent(message: Vec<ToldAlert>, active: &[ToldAlert]) -> Vec<Value> {
        let message = Message { alerts: message };
        let request = request(fixture::ORIGIN, &message, active, fixture::SINCE.plus_ms(300_000));
        serde_json::from_str::<Value>(&request.body).unwrap().as_array().unwrap().clone()
    }

    #[test]
    fn what_fires_ends_unless_it_is_told_again_and_what_is_over_has_ended() {
        let active =
            [fixture::alert("alert-1", Telling::Unchanged), fixture::alert("alert-2", Telling::Unchanged)];
        let alerts = sent(vec![fixture::alert("alert-1", Telling::Resolved)], &active);
        assert_eq!(alerts.len(), 2, "an alert of the message is not told twice");
        assert_eq!(alerts[0]["endsAt"], "2026-03-04T10:04:00.000Z");
        assert_eq!(alerts[1]["endsAt"], "2026-03-04T10:10:00.000Z");
        assert_eq!(alerts[0]["generatorURL"], "liftdeck://123456789012/alerts/alert-1");
        assert_eq!(alerts[0]["labels"], alerts[1]["labels"], "the identity does not hang on what is told");
    }

    #[test]
    fn a_worse_alert_is_over_under_its_lower_severity() {
        let alerts = sent(vec![fixture::alert("alert-1", Telling::Worse)], &[]);
        assert_eq!(alerts[0]["labels"]["severity"], "critical");
        assert_eq!(alerts[1]["labels"]["severity"], "warning");
        assert_eq!(alerts[1]["endsAt"], "2026-03-04T10:05:00.000Z");
    }
    #[test]
    fn the_same_trouble_in_another_account_is_another_alert() {
        let alerts = sent(vec![fixture::alert("alert-1", Telling::Fired)], &[]);
        assert_eq!(alerts[0]["labels"]["account"], "123456789012");
        assert_eq!(alerts[0]["annotations"]["connection"], "Live", "a connection may be renamed");
    }
}
