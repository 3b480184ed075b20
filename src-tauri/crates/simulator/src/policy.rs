//! Policies of queues and topics: whether an AWS service may send to one.
//!
//! Reads the part of the policy language that such policies use: services and everybody as principals, actions and
//! resources with wildcards, and conditions on the ARN and the account of the source.

use serde_json::Value;

use crate::identity::glob;

/// A sender: a service that sends on behalf of a resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sender<'a> {
    /// `sns.amazonaws.com` or the like.
    pub(crate) service: &'a str,
    /// The ARN of the topic, the rule, or the resource with an event.
    pub(crate) source: &'a str,
}

/// Whether a policy allows a service an action on the resource with that ARN. It needs a statement that allows it.
pub(crate) fn allows(policy: Option<&str>, action: &str, resource: &str, sender: Sender<'_>) -> bool {
    let policy: Value = policy.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let statements = many(policy.get("Statement"));
    let applies = |effect: &str| {
        statements.iter().any(|statement| {
            statement.get("Effect").and_then(Value::as_str) == Some(effect)
                && principal_fits(statement.get("Principal"), sender.service)
                && action_fits(statement.get("Action"), action)
                && texts(statement.get("Resource")).iter().any(|pattern| glob(pattern, resource))
                && conditions_hold(statement.get("Condition"), sender.source)
        })
    };
    applies("Allow") && !applies("Deny")
}

/// Returns a policy that allows services to send to a queue, each on behalf of the given sources.
pub(crate) fn letting(queue: &str, senders: &[(&str, Vec<String>)]) -> String {
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

fn action_fits(actions: Option<&Value>, wanted: &str) -> bool {
    let wanted = wanted.to_ascii_lowercase();
    texts(actions).iter().any(|action| glob(&action.to_ascii_lowercase(), &wanted))
}

/// Whether every condition holds. A condition on anything but the source's ARN and account never holds.
fn conditions_hold(conditions: Option<&Value>, source: &str) -> bool {
    let Some(Value::Object(operators)) = conditions else { return conditions.is_none() };
    operators.iter().all(|(operator, keys)| {
        let Value::Object(keys) = keys else { return false };
        keys.iter().all(|(key, values)| {
            let value = match key.to_ascii_lowercase().as_str() {
                "aws:sourcearn" => source,
                "aws:sourceaccount" => source.split(':').nth(4).unwrap_or_default(),
                _ => return false,
            };
            let wanted = texts(Some(values));
            match operator.as_str() {
                "ArnLike" | "ArnEquals" | "StringLike" => wanted.iter().any(|wanted| glob(wanted, value)),
                "StringEquals" => wanted.iter().any(|wanted| wanted == value),
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

    fn lets_send(policy: Option<&str>, queue: &str, sender: Sender<'_>) -> bool {
        allows(policy, "sqs:SendMessage", queue, sender)
    }

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

    #[test]
    fn a_condition_can_be_on_the_account_of_the_source() {
        let gamelift = Sender {
            service: "gamelift.amazonaws.com",
            source: "arn:aws:gamelift:eu-west-1:111122223333:gamesessionqueue/q",
        };
        let of = |account: &str| {
            let condition = format!(r#"{{"StringEquals":{{"aws:SourceAccount":"{account}"}}}}"#);
            format!(
                r#"{{"Statement":{{"Effect":"Allow","Principal":{{"Service":"gamelift.amazonaws.com"}},
                "Action":"SNS:Publish","Resource":"arn:topic","Condition":{condition}}}}}"#
            )
        };
        let publishes = |policy: &str| allows(Some(policy), "sns:Publish", "arn:topic", gamelift);
        assert!(publishes(&of("111122223333")) && !publishes(&of("999988887777")));
        assert!(!allows(Some(&of("111122223333")), "sns:Subscribe", "arn:topic", gamelift));
    }
}
