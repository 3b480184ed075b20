//! Events API v2 of PagerDuty: an event for each alert with news, all of one alert under one `dedup_key`
//! (developer.pagerduty.com: key at most 255 characters, summary at most 1 024, an event at most 512 KB).

use liftdeck_model::Severity;
use liftdeck_model::notification::{Telling, ToldAlert};
use serde_json::{Value, json};

use crate::envelope::{Envelope, cut};
use crate::post::Request;
use crate::secret::Secret;

/// The address of the service in the United States.
pub(crate) const ENDPOINT: &str = "https://events.pagerduty.com/v2/enqueue";
/// Most characters of a summary.
const SUMMARY: usize = 1_024;
/// Most characters of a detail.
const DETAIL: usize = 4_000;

/// The events, in the order they are sent.
pub(crate) fn requests(envelope: Envelope<'_>, routing_key: &Secret) -> Vec<Request> {
    // Every alert with news: what is left out here would stay open at PagerDuty for ever.
    let events = envelope.message().news().flat_map(|alert| {
        let actions: &[&str] = match alert.telling {
            Telling::Resolved => &["resolve"],
            Telling::Acknowledged => &["acknowledge"],
            // A test leaves nothing open behind.
            Telling::Test => &["trigger", "resolve"],
            _ => &["trigger"],
        };
        actions.iter().map(move |action| event(envelope, alert, action, routing_key))
    });
    events.map(|event| Request { headers: Vec::new(), body: event.to_string() }).collect()
}

fn event(envelope: Envelope<'_>, alert: &ToldAlert, action: &str, routing_key: &Secret) -> Value {
    let mut event = json!({
        "routing_key": routing_key.expose(),
        "event_action": action,
        "dedup_key": cut(&format!("liftdeck/{}/{}", envelope.origin.account, alert.id), 255),
    });
    if action == "trigger" {
        event["client"] = json!("Liftdeck");
        event["payload"] = json!({
            "summary": cut(&alert.title, SUMMARY),
            "source": alert.subject,
            "severity": match alert.severity {
                _ if alert.telling == Telling::Test => "info",
                Severity::Bad => "critical",
                _ => "warning",
            },
            "timestamp": alert.since.to_string(),
            "component": alert.fleet_id,
            "group": alert.region,
            "class": alert.rule,
            "custom_details": {
                "detail": cut(&alert.detail, DETAIL),
                "likely_cause": alert.cause.as_deref().map(|cause| cut(cause, DETAIL)),
                "since": alert.since.to_string(),
                "region": alert.region,
                "account": envelope.origin.account,
                "connection": envelope.origin.connection,
                "next_step": envelope.origin.next_step(),
                // Not among `links`: an event whose links are no web addresses may be refused.
                "link": envelope.origin.link(alert),
            },
        });
        // What there is not is left out: these fields are texts.
        for at in ["/payload", "/payload/custom_details"] {
            if let Some(Value::Object(fields)) = event.pointer_mut(at) {
                fields.retain(|_, value| !value.is_null());
            }
        }
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::fixture;

    #[test]
    fn one_alert_has_one_key_from_its_beginning_to_its_end() {
        let key = Secret::of("R0");
        let tellings = [Telling::Fired, Telling::Acknowledged, Telling::Reminder, Telling::Resolved];
        let events: Vec<Value> = tellings
            .into_iter()
            .flat_map(|telling| {
                let notification = fixture::of(vec![
                    fixture::alert("alert-1", telling),
                    fixture::alert("alert-2", Telling::Unchanged),
                ]);
                requests(fixture::envelope(&notification), &key)
            })
            .map(|request| serde_json::from_str(&request.body).unwrap())
            .collect();
        let actions: Vec<_> = events.iter().map(|event| event["event_action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["trigger", "acknowledge", "trigger", "resolve"]);
        assert!(events.iter().all(|event| event["dedup_key"] == "liftdeck/123456789012/alert-1"));
        assert_eq!(events[0]["payload"]["severity"], "critical");
        let link = &events[0]["payload"]["custom_details"]["link"];
        assert_eq!(link, "liftdeck://123456789012/alerts/alert-1");
        assert!(events[3].get("payload").is_none());
    }

    #[test]
    fn what_there_is_not_is_left_out() {
        let mut alert = fixture::alert("alert-1", Telling::Fired);
        (alert.region, alert.fleet_id, alert.cause) = (None, None, None);
        let notification = fixture::of(vec![alert]);
        let sent = requests(fixture::envelope(&notification), &Secret::of("R0"));
        assert!(!sent[0].body.contains("null"), "{}", sent[0].body);
    }

    #[test]
    fn a_test_leaves_nothing_open() {
        let notification = fixture::of(vec![fixture::alert("test-1", Telling::Test)]);
        let sent = requests(fixture::envelope(&notification), &Secret::of("R0"));
        assert_eq!(sent.len(), 2);
        assert!(sent[0].body.contains(r#""severity":"info""#));
        assert!(sent[1].body.contains(r#""event_action":"resolve""#));
    }
}
