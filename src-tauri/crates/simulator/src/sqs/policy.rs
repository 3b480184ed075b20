//! Queue policies: whether an AWS service may send a message to a queue.
//!
//! Reads the part of the policy language that such policies use: services and everybody as principals, actions and
//! resources with wildcards, and conditions on the ARN of the source.

use serde_json::Value;

use crate::identity::glob;

/// A sender: a service that sends on behalf of a resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sender<'a> {
    /// `sns.amazonaws.com` or the like.
    pub(crate) service: &'a str,
    /// The ARN of the topic or rule.
    pub(crate) source: &'a str,
}

/// Whether a policy allows a service to send to the queue with that ARN. Sending needs a statement that allows it.
pub(super) fn lets_send(policy: Option<&str>, queue: &str, sender: Sender<'_>) -> bool {
    let policy: Value = policy.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let statements = many(policy.get("Statement"));
    let applies = |effect: &str| {
        statements.iter().any(|statement| {
            statement.get("Effect").and_then(Value::as_str) == Some(effect)
                && principal_fits(statement.get("Principal"), sender.service)
                && action_fits(statement.get("Action"))
                && texts(statement.get("Resource")).iter().any(|resource| glob(resource, queue))
                && conditions_hold(statement.get("Condition"), sender.source)
        })
    };
    applies("Allow") && !applies("Deny")
}

/// Returns a policy that allows services to send to a queue, each on behalf of the given sources.
pub(super) fn letting(queue: &str, senders: &[(&str, Vec<String>)]) -> String {
    let statements: Vec<Value> = senders
        .iter()
        .map(|(service, sources)| {
            serde_json::json!({
                "Sid": format!("let-{}", service.split('.').next().unwrap_or_default()),
                "Effect": "Allow",
                "Principal": { "Service": service },
                "Action": "sqs:SendMessage",
                "Resource": queue,
                "Condition": { "ArnLike": { "aws:SourceArn": sources } },
            })
        })
        .collect();
    serde_json::json!({ "Version": "2012-10-17", "Statement": statements }).to_string()
}

fn many(value: Option<&Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(items)) => items.clone(),
        Some(other) => vec![other.clone()],
        None => Vec::new(),
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    many(value).iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn principal_fits(principal: Option<&Value>, service: &str) -> bool {
    match principal {
        Some(Value::String(text)) => text == "*",
        Some(Value::Object(kinds)) => {
            texts(kinds.get("AWS")).iter().any(|text| text == "*")
                || texts(kinds.get("Service")).iter().any(|text| text == service)
        }
        _ => false,
    }
}

fn action_fits(actions: Option<&Value>) -> bool {
    texts(actions).iter().any(|action| glob(&action.to_ascii_lowercase(), "sqs:sendmessage"))
}

/// Whether every condition holds. A condition on anything but the source's ARN never holds.
fn conditions_hold(conditions: Option<&Value>, source: &str) -> bool {
    let Some(Value::Object(operators)) = conditions else { return conditions.is_none() };
    operators.iter().all(|(operator, keys)| {
        let Value::Object(keys) = keys else { return false };
        keys.iter().all(|(key, values)| {
            let values = texts(Some(values));
            key.eq_ignore_ascii_case("aws:SourceArn")
                && match operator.as_str() {
                    "ArnLike" | "ArnEquals" | "StringLike" => values.iter().any(|value| glob(value, source)),
                    "StringEquals" => values.iter().any(|value| value == source),
                    _ => false,
                }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUEUE: &str = "arn:aws:sqs:eu-west-1:1:events";
    const TOPIC: Sender<'_> =
        Sender { service: "sns.amazonaws.com", source: "arn:aws:sns:eu-west-1:1:placements" };

    #[test]
    fn a_policy_lets_in_whom_it_names_and_nobody_else() {
        let made = letting(QUEUE, &[("sns.amazonaws.com", vec!["arn:aws:sns:eu-west-1:1:*".to_owned()])]);
        assert!(lets_send(Some(&made), QUEUE, TOPIC));
        assert!(!lets_send(Some(&made), "arn:aws:sqs:eu-west-1:1:other", TOPIC));
        assert!(!lets_send(Some(&made), QUEUE, Sender { source: "arn:aws:sns:eu-west-1:2:x", ..TOPIC }));
        assert!(!lets_send(Some(&made), QUEUE, Sender { service: "events.amazonaws.com", ..TOPIC }));
        assert!(!lets_send(None, QUEUE, TOPIC));
        assert!(!lets_send(Some("{}"), QUEUE, TOPIC));
    }

    #[test]
    fn what_is_denied_is_not_allowed() {
        let open = r#"{"Statement":[{"Effect":"Allow","Principal":"*","Action":"SQS:*","Resource":"*"}]}"#;
        assert!(lets_send(Some(open), QUEUE, TOPIC));
        let shut = open.replace(
            "]}",
            r#",{"Effect":"Deny","Principal":{"AWS":"*"},"Action":"sqs:SendMessage","Resource":"*"}]}"#,
        );
        assert!(!lets_send(Some(&shut), QUEUE, TOPIC));
    }
}
