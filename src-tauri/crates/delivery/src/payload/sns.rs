//! A message to an SNS topic: text for people who subscribe by mail, JSON as our webhook's for programs.
//!
//! With a message structure, SNS gives each protocol its own (docs.aws.amazon.com/sns, Publish: 256 KB in all; a
//! subject has less than 100 ASCII characters and no line break).

use liftdeck_gateway::Publication;
use serde_json::json;

use crate::envelope::{Envelope, cut, sentences};
use crate::payload::webhook;

/// Most characters of what is said of one alert.
const ALERT: usize = 2_000;
/// Most bytes of a message: what SNS takes, less its attributes and what it wraps around a message to a queue.
const LONGEST: usize = 230_000;

pub(crate) fn publication(envelope: Envelope<'_>, topic: &str) -> Publication {
    Publication {
        subject: subject(&envelope.headline()),
        message: message(envelope),
        id: envelope.notification.id.to_string(),
        telling: <&str>::from(envelope.message().telling()).to_owned(),
        severity: <&str>::from(envelope.severity()).to_owned(),
        group: topic.ends_with(".fifo").then(|| group(&envelope.notification.topic)),
    }
}

/// Describes fewer alerts when a group of many with long texts would be too long: the whole message would be refused.
fn message(envelope: Envelope<'_>) -> String {
    let each = json!({
        "default": webhook::document(envelope).to_string(),
        "email": text(envelope),
        "sms": cut(&envelope.headline(), 140),
    });
    let message = each.to_string();
    if message.len() > LONGEST && envelope.most > 1 {
        return self::message(Envelope { most: envelope.most / 2, ..envelope });
    }
    message
}

fn text(envelope: Envelope<'_>) -> String {
    let mut lines = vec![envelope.headline(), String::new()];
    lines.extend(envelope.described().iter().map(|alert| {
        format!("{}: {}\n{}", alert.label(), cut(&sentences(alert), ALERT), envelope.origin.link(alert))
    }));
    if envelope.left_out() > 0 {
        lines.push(format!("{} more alerts.", envelope.left_out()));
    }
    lines.extend([
        String::new(),
        format!("Account {}, {}.", envelope.origin.account, envelope.origin.connection),
        format!("{}.", envelope.origin.next_step()),
        format!("Message {}.", envelope.notification.id),
    ]);
    lines.join("\n")
}

fn subject(headline: &str) -> String {
    let ascii: String =
        headline.chars().map(|one| if one.is_ascii_graphic() || one == ' ' { one } else { '?' }).collect();
    ascii.chars().take(99).collect::<String>().trim().to_owned()
}

/// A message group has at most 128 characters, letters, digits and punctuation.
fn group(topic: &str) -> String {
    topic.chars().filter(char::is_ascii_graphic).take(128).collect()
}

#[cfg(test)]
mod tests {
    use liftdeck_model::notification::Telling;
    use serde_json::Value;

    use super::*;
    use crate::payload::fixture;

    #[test]
    fn a_fifo_topic_gets_a_group_and_every_topic_gets_the_id() {
        let notification = fixture::notification();
        let envelope = fixture::envelope(&notification);
        let plain = publication(envelope, "arn:aws:sns:eu-west-1:123456789012:alerts");
        assert_eq!((plain.id.as_str(), plain.group), ("message-1", None));
        let fifo = publication(envelope, "arn:aws:sns:eu-west-1:123456789012:alerts.fifo");
        assert_eq!(fifo.group.as_deref(), Some("crashes/eu-west-1"));
        let each: Value = serde_json::from_str(&fifo.message).unwrap();
        assert!(each["email"].as_str().unwrap().contains("Likely cause: build 7 was deployed."));
        assert!(each["email"].as_str().unwrap().contains("\nliftdeck://123456789012/alerts/alert-1\n"));
        let inner: Value = serde_json::from_str(each["default"].as_str().unwrap()).unwrap();
        assert_eq!(inner["id"], "message-1");
    }

    #[test]
    fn a_subject_is_one_line_of_ascii() {
        let subject = subject(&format!("Bad: arène\n{}", "x".repeat(200)));
        assert!(subject.starts_with("Bad: ar?ne?xx") && subject.len() == 99, "{subject}");
    }
    #[test]
    fn a_group_with_long_texts_stays_within_what_a_topic_takes() {
        let long = (0..30).map(|at| {
            let mut alert = fixture::alert(&format!("alert-{at}"), Telling::Fired);
            alert.detail = "\u{7}\"".repeat(500);
            alert.cause = Some("竜".repeat(1_000));
            alert
        });
        let notification = fixture::of(long.collect());
        let message = message(fixture::envelope(&notification));
        assert!(message.len() <= LONGEST, "{}", message.len());
        let each: Value = serde_json::from_str(&message).unwrap();
        let inner: Value = serde_json::from_str(each["default"].as_str().unwrap()).unwrap();
        let described = inner["alerts"].as_array().unwrap().len();
        assert!(described > 1, "no more is left out than must be");
        assert_eq!(inner["leftOut"], 30 - described);
    }
}
