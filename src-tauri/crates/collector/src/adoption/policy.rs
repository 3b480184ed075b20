//! Reads from a queue's policy who may send to it.
//!
//! Owns reading the statements that allow sending. An unreadable policy or principal is reported as such, never left
//! out.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;

/// Who may send, and from where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Sender {
    /// Service or principal; `*` means everybody.
    pub principal: String,
    /// ARNs or accounts the statement is limited to, such as topics and rules. Empty means no limit.
    pub sources: Vec<String>,
}

/// `sns.amazonaws.com from arn:aws:sns:…`, or `from anywhere`.
impl fmt::Display for Sender {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = if self.sources.is_empty() { "anywhere".to_owned() } else { self.sources.join(", ") };
        write!(out, "{} from {from}", self.principal)
    }
}

/// Condition keys that limit where a message may come from.
const SOURCES: [&str; 4] = ["aws:sourcearn", "aws:sourceaccount", "aws:sourceorgid", "aws:principalorgid"];

/// Returns the senders that a policy allows.
pub fn senders(policy: &str) -> Vec<Sender> {
    let Ok(policy) = serde_json::from_str::<Value>(policy) else {
        return vec![Sender { principal: "a policy that cannot be read".to_owned(), sources: Vec::new() }];
    };
    let statements = list(policy.get("Statement"));
    let mut found = Vec::new();
    for statement in statements {
        let allows = statement.get("Effect").and_then(Value::as_str) == Some("Allow");
        if !allows || !sends(statement) {
            continue;
        }
        let sources = sources(statement);
        for principal in principals(statement.get("Principal")) {
            found.push(Sender { principal, sources: sources.clone() });
        }
    }
    found
}

fn sends(statement: &Value) -> bool {
    // `NotAction` allows every action that it does not list.
    statement.get("NotAction").is_some()
        || texts(statement.get("Action")).iter().any(|action| {
            let action = action.to_ascii_lowercase();
            matches!(action.as_str(), "*" | "sqs:*") || action.starts_with("sqs:send")
        })
}

fn principals(principal: Option<&Value>) -> Vec<String> {
    match principal {
        Some(Value::Object(kinds)) => kinds.values().flat_map(|value| texts(Some(value))).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => vec!["a principal the policy does not name".to_owned()],
    }
}

fn sources(statement: &Value) -> Vec<String> {
    let conditions = statement.get("Condition").and_then(Value::as_object);
    let mut found = Vec::new();
    for (operator, keys) in conditions.into_iter().flatten() {
        let limits = operator.to_ascii_lowercase().contains("equals")
            || operator.to_ascii_lowercase().contains("like");
        let is_not = operator.to_ascii_lowercase().contains("not");
        for (key, value) in keys.as_object().into_iter().flatten() {
            if limits && !is_not && SOURCES.contains(&key.to_ascii_lowercase().as_str()) {
                found.extend(texts(Some(value)));
            }
        }
    }
    found
}

fn list(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    list(value).into_iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(policy: &Value) -> Vec<(String, Vec<String>)> {
        senders(&policy.to_string()).into_iter().map(|sender| (sender.principal, sender.sources)).collect()
    }

    #[test]
    fn topics_and_rules_that_may_send_are_named_and_everybody_is_everybody() {
        let topic = "arn:aws:sns:eu-west-1:111122223333:events";
        let policy = json!({"Statement": [
            {"Effect": "Allow", "Principal": {"Service": "sns.amazonaws.com"}, "Action": "sqs:SendMessage",
                "Condition": {"ArnEquals": {"aws:SourceArn": topic}}},
            {"Effect": "Allow", "Principal": "*", "Action": ["SQS:*"],
                "Condition": {"ArnNotLike": {"aws:SourceArn": topic}}},
            {"Effect": "Allow", "Principal": {"AWS": ["1", "2"]}, "NotAction": "sqs:DeleteMessage"},
            {"Effect": "Deny", "Principal": "*", "Action": "sqs:*"},
            {"Effect": "Allow", "Principal": "*", "Action": "sqs:ReceiveMessage"},
        ]});
        assert_eq!(
            of(&policy),
            [
                ("sns.amazonaws.com".to_owned(), vec![topic.to_owned()]),
                ("*".to_owned(), vec![]),
                ("1".to_owned(), vec![]),
                ("2".to_owned(), vec![]),
            ]
        );
        assert_eq!(of(&json!({"Statement": {"Effect": "Allow", "Action": "*"}})).len(), 1);
    }

    #[test]
    fn a_policy_that_cannot_be_read_is_told_and_not_taken_for_none() {
        assert_eq!(senders("{").len(), 1);
        assert_eq!(senders("{}"), []);
    }
}
