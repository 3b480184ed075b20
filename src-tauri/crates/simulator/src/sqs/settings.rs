//! The attributes of a queue that can be set: their values, ranges and defaults.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::operation::MAX_BODY_BYTES;
use crate::service::ServiceError;

/// Numeric attributes: name, minimum, maximum, default (SQS API reference, SetQueueAttributes).
const NUMBERS: [(&str, u64, u64, u64); 5] = [
    ("DelaySeconds", 0, 900, 0),
    ("MaximumMessageSize", 1_024, MAX_BODY_BYTES as u64, MAX_BODY_BYTES as u64),
    ("MessageRetentionPeriod", 60, 1_209_600, 345_600),
    ("ReceiveMessageWaitTimeSeconds", 0, 20, 0),
    ("VisibilityTimeout", 0, 43_200, 30),
];

/// Boolean attributes.
const SWITCHES: [&str; 3] = ["ContentBasedDeduplication", "FifoQueue", "SqsManagedSseEnabled"];

/// Attributes that are kept as given.
const TEXTS: [&str; 7] = [
    "DeduplicationScope",
    "FifoThroughputLimit",
    "KmsDataKeyReusePeriodSeconds",
    "KmsMasterKeyId",
    "Policy",
    "RedriveAllowPolicy",
    "RedrivePolicy",
];

/// The attributes set on a queue, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settings(BTreeMap<String, String>);

/// Where messages go that have been received too often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Redrive {
    /// ARN of the dead-letter queue.
    pub(super) target: String,
    /// How many receives are allowed.
    pub(super) most: u32,
}

/// Whether a queue has, or could have, a settable attribute with that name.
pub(super) fn is_known(name: &str) -> bool {
    NUMBERS.iter().any(|(known, ..)| *known == name) || SWITCHES.contains(&name) || TEXTS.contains(&name)
}

fn wrong(name: &str, value: &str, why: &str) -> ServiceError {
    ServiceError::new(
        "InvalidAttributeValue",
        format!("Invalid value for the parameter {name}: {value}. {why}"),
    )
}

impl Settings {
    /// Sets attributes; an empty text removes one.
    pub(super) fn set(&mut self, attributes: &BTreeMap<String, String>) -> Result<(), ServiceError> {
        for (name, value) in attributes {
            check(name, value)?;
        }
        for (name, value) in attributes {
            if value.is_empty() {
                self.0.remove(name);
            } else {
                self.0.insert(name.clone(), value.clone());
            }
        }
        Ok(())
    }

    /// Whether the queue already has these attributes.
    pub(super) fn holds(&self, attributes: &BTreeMap<String, String>) -> bool {
        attributes.iter().all(|(name, value)| self.text(name).is_some_and(|own| own == *value))
    }

    /// An attribute's value: what was set, or the default.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let set = self.0.get(name).cloned();
        set.or_else(|| match name {
            "SqsManagedSseEnabled" => Some("true".to_owned()),
            "ContentBasedDeduplication" if self.is_fifo() => Some("false".to_owned()),
            _ => NUMBERS.iter().find(|(known, ..)| *known == name).map(|(.., default)| default.to_string()),
        })
    }

    /// Every attribute that has a value.
    pub(super) fn all(&self) -> Vec<(&'static str, String)> {
        let names = NUMBERS.iter().map(|(name, ..)| *name).chain(SWITCHES).chain(TEXTS);
        names.filter_map(|name| Some((name, self.text(name)?))).collect()
    }

    fn seconds(&self, name: &str) -> Duration {
        Duration::from_secs(self.text(name).and_then(|text| text.parse().ok()).unwrap_or_default())
    }

    pub(super) fn visibility(&self) -> Duration {
        self.seconds("VisibilityTimeout")
    }

    pub(super) fn wait(&self) -> Duration {
        self.seconds("ReceiveMessageWaitTimeSeconds")
    }

    pub(super) fn delay(&self) -> Duration {
        self.seconds("DelaySeconds")
    }

    /// How long messages are kept, in milliseconds of virtual time.
    pub(super) fn retention_ms(&self) -> i64 {
        i64::try_from(self.seconds("MessageRetentionPeriod").as_millis()).unwrap_or(i64::MAX)
    }

    /// The largest message, in bytes.
    pub(super) fn most_bytes(&self) -> usize {
        self.text("MaximumMessageSize").and_then(|text| text.parse().ok()).unwrap_or(MAX_BODY_BYTES)
    }

    pub(super) fn is_fifo(&self) -> bool {
        self.0.get("FifoQueue").is_some_and(|value| value == "true")
    }

    pub(super) fn deduplicates_by_content(&self) -> bool {
        self.0.get("ContentBasedDeduplication").is_some_and(|value| value == "true")
    }

    /// The policy: who may do what with the queue, besides its owner.
    pub(super) fn policy(&self) -> Option<&str> {
        self.0.get("Policy").map(String::as_str)
    }

    pub(super) fn redrive(&self) -> Option<Redrive> {
        read_redrive(self.0.get("RedrivePolicy")?)
    }
}

fn check(name: &str, value: &str) -> Result<(), ServiceError> {
    if !is_known(name) {
        return Err(ServiceError::new("InvalidAttributeName", format!("Unknown Attribute {name}.")));
    }
    if value.is_empty() {
        return Ok(());
    }
    if let Some((_, least, most, _)) = NUMBERS.iter().find(|(known, ..)| *known == name) {
        let fits = value.parse::<u64>().is_ok_and(|number| (*least..=*most).contains(&number));
        return if fits {
            Ok(())
        } else {
            Err(wrong(name, value, &format!("It must be from {least} to {most}.")))
        };
    }
    if SWITCHES.contains(&name) && !["true", "false"].contains(&value) {
        return Err(wrong(name, value, "It must be true or false."));
    }
    if name == "Policy" && !serde_json::from_str::<Value>(value).is_ok_and(|policy| policy.is_object()) {
        return Err(wrong(name, value, "A policy is a JSON object."));
    }
    if name == "RedrivePolicy" && read_redrive(value).is_none() {
        let why = "It needs a deadLetterTargetArn and a maxReceiveCount from 1 to 1000.";
        return Err(wrong(name, value, why));
    }
    Ok(())
}

fn read_redrive(text: &str) -> Option<Redrive> {
    let policy: Value = serde_json::from_str(text).ok()?;
    let target = policy.get("deadLetterTargetArn")?.as_str()?.to_owned();
    // The service accepts the count as a number or as text.
    let count = policy.get("maxReceiveCount")?;
    let most = count.as_u64().or_else(|| count.as_str()?.parse().ok())?;
    let most = u32::try_from(most).ok().filter(|most| (1..=1_000).contains(most))?;
    Some(Redrive { target, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, value: &str) -> BTreeMap<String, String> {
        [(name.to_owned(), value.to_owned())].into()
    }

    #[test]
    fn values_out_of_range_and_unknown_names_are_refused() {
        for (name, value, code) in [
            ("VisibilityTimeout", "43201", "InvalidAttributeValue"),
            ("MessageRetentionPeriod", "59", "InvalidAttributeValue"),
            ("DelaySeconds", "soon", "InvalidAttributeValue"),
            ("FifoQueue", "yes", "InvalidAttributeValue"),
            ("Policy", "open", "InvalidAttributeValue"),
            ("RedrivePolicy", r#"{"deadLetterTargetArn":"a","maxReceiveCount":0}"#, "InvalidAttributeValue"),
            ("Colour", "red", "InvalidAttributeName"),
            ("QueueArn", "a", "InvalidAttributeName"),
        ] {
            assert_eq!(Settings::default().set(&given(name, value)).unwrap_err().code, code, "{name}");
        }
    }

    #[test]
    fn what_is_not_set_has_the_services_default() {
        let mut settings = Settings::default();
        assert_eq!(settings.visibility(), Duration::from_secs(30));
        assert_eq!(settings.retention_ms(), 345_600_000);
        settings.set(&given("VisibilityTimeout", "5")).unwrap();
        assert!(
            settings.holds(&given("VisibilityTimeout", "5")) && settings.holds(&given("DelaySeconds", "0"))
        );
        assert!(!settings.holds(&given("VisibilityTimeout", "6")));
        settings.set(&given("VisibilityTimeout", "")).unwrap();
        assert_eq!(settings.visibility(), Duration::from_secs(30));
    }
}
