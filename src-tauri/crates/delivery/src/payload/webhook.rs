//! Our own JSON, by POST. Documented in README.md: a receiver may rely on its fields; new ones may be added.

use hmac::{Hmac, KeyInit, Mac};
use liftdeck_model::notification::ToldAlert;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::envelope::Envelope;
use crate::post::Request;
use crate::secret::Secret;

/// The request. With a key it is signed: `X-Liftdeck-Signature: t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 of
/// `SECONDS.BODY`.
pub(crate) fn request(envelope: Envelope<'_>, key: Option<&Secret>) -> Request {
    let body = document(envelope).to_string();
    let mut headers = vec![("Idempotency-Key", envelope.notification.id.to_string())];
    if let Some(key) = key {
        let seconds = envelope.at.as_ms().div_euclid(1_000);
        let signature = signature(key.expose(), &format!("{seconds}.{body}"));
        headers.push(("X-Liftdeck-Signature", format!("t={seconds},v1={signature}")));
    }
    Request { headers, body }
}

/// The message as JSON.
pub(crate) fn document(envelope: Envelope<'_>) -> Value {
    json!({
        "version": 1,
        "id": envelope.notification.id,
        "telling": envelope.message().telling(),
        "headline": envelope.headline(),
        "severity": envelope.severity(),
        "account": envelope.origin.account,
        "connection": envelope.origin.connection,
        "topic": envelope.notification.topic,
        "sentAt": envelope.at.to_string(),
        "mayBeRepeat": envelope.notification.may_be_repeat,
        "nextStep": envelope.origin.next_step(),
        "alerts": envelope.described().iter().map(|alert| of_alert(envelope, alert)).collect::<Vec<_>>(),
        "leftOut": envelope.left_out(),
    })
}

fn of_alert(envelope: Envelope<'_>, alert: &ToldAlert) -> Value {
    json!({
        "id": alert.id,
        "link": envelope.origin.link(alert),
        "telling": alert.telling,
        "severity": alert.severity,
        "rule": alert.rule,
        "subject": alert.subject,
        "region": alert.region,
        "fleetId": alert.fleet_id,
        "since": alert.since.to_string(),
        "firedAt": alert.fired_at.map(|at| at.to_string()),
        "endedAt": alert.ended_at.map(|at| at.to_string()),
        "acknowledgedBy": alert.acknowledged_by,
        "title": alert.title,
        "detail": alert.detail,
        "likelyCause": alert.cause,
    })
}

fn signature(key: &str, text: &str) -> String {
    // HMAC takes keys of any length, so this cannot fail.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key.as_bytes()) else { return String::new() };
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::fixture;

    #[test]
    fn a_message_has_its_id_in_the_header_and_says_what_since_when_and_why() {
        let notification = fixture::notification();
        let request = request(fixture::envelope(&notification), None);
        assert_eq!(request.headers, [("Idempotency-Key", "message-1".to_owned())]);
        let body: Value = serde_json::from_str(&request.body).unwrap();
        assert_eq!(body["version"], 1);
        assert_eq!(body["telling"], "fired");
        assert_eq!(body["account"], "123456789012");
        assert_eq!(body["alerts"][0]["title"], "41 of 60 sessions on arena crashed");
        assert_eq!(body["alerts"][0]["since"], "2026-03-04T10:00:00.000Z");
        assert_eq!(body["alerts"][0]["link"], "liftdeck://123456789012/alerts/alert-1");
        assert_eq!(body["alerts"][0]["likelyCause"], "build 7 was deployed");
        assert_eq!(body["headline"], "Bad: 41 of 60 sessions on arena crashed (eu-west-1)");
    }

    #[test]
    fn a_signature_can_be_checked_by_anybody_with_the_key() {
        // RFC 4231, test case 2.
        assert_eq!(
            signature("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        let notification = fixture::notification();
        let request = request(fixture::envelope(&notification), Some(&Secret::of("Jefe")));
        let (name, value) = &request.headers[1];
        let expected = signature("Jefe", &format!("1772618700.{}", request.body));
        assert_eq!((*name, value.clone()), ("X-Liftdeck-Signature", format!("t=1772618700,v1={expected}")));
    }
}
