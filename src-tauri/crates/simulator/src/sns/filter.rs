//! Filter policies of subscriptions: whether a message passes one (SNS developer guide, filter policy constraints).

use serde_json::{Map, Value};

use crate::notification::Publication;

/// Whether a message passes a policy, on its attributes or on its body.
pub(super) fn passes(policy: &str, on_body: bool, publication: &Publication) -> bool {
    let Ok(Value::Object(policy)) = serde_json::from_str(policy) else { return false };
    if on_body {
        let body = serde_json::from_str::<Value>(&publication.body).unwrap_or_default();
        return body_passes(&policy, &body);
    }
    let attributes = publication.attributes.iter().map(|(name, attribute)| {
        let text = attribute.text.clone().unwrap_or_default();
        let value = match attribute.data_type.as_str() {
            "Number" => text.parse::<f64>().map_or(Value::Null, Value::from),
            "String.Array" => serde_json::from_str(&text).unwrap_or_default(),
            _ => Value::from(text),
        };
        (name.clone(), value)
    });
    body_passes(&policy, &Value::Object(attributes.collect()))
}

/// Every key of the policy has to be satisfied; objects in it stand for objects in the message.
fn body_passes(policy: &Map<String, Value>, body: &Value) -> bool {
    policy.iter().all(|(name, wanted)| {
        let found = body.get(name);
        match wanted {
            Value::Object(inner) => found.is_some_and(|found| body_passes(inner, found)),
            Value::Array(conditions) => conditions.iter().any(|condition| condition_holds(condition, found)),
            _ => false,
        }
    })
}

fn condition_holds(condition: &Value, found: Option<&Value>) -> bool {
    if let Some(exists) = condition.get("exists").and_then(Value::as_bool) {
        return exists == found.is_some();
    }
    match found {
        None => false,
        Some(Value::Array(items)) => items.iter().any(|item| value_fits(condition, item)),
        Some(value) => value_fits(condition, value),
    }
}

fn value_fits(condition: &Value, value: &Value) -> bool {
    let Value::Object(operator) = condition else { return equal(condition, value) };
    let text = value.as_str();
    operator.iter().all(|(name, operand)| match name.as_str() {
        "prefix" => text.zip(operand.as_str()).is_some_and(|(text, prefix)| text.starts_with(prefix)),
        "suffix" => text.zip(operand.as_str()).is_some_and(|(text, suffix)| text.ends_with(suffix)),
        "equals-ignore-case" => {
            text.zip(operand.as_str()).is_some_and(|(text, wanted)| text.eq_ignore_ascii_case(wanted))
        }
        "anything-but" => match operand {
            Value::Array(items) => !items.iter().any(|item| equal(item, value)),
            Value::Object(_) => !value_fits(operand, value),
            other => !equal(other, value),
        },
        "numeric" => value.as_f64().is_some_and(|number| numeric_holds(operand, number)),
        _ => false,
    })
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < f64::EPSILON,
        _ => a == b,
    }
}

/// `["=", 5]`, `[">", 0, "<=", 100]`.
fn numeric_holds(operand: &Value, number: f64) -> bool {
    let Value::Array(items) = operand else { return false };
    !items.is_empty()
        && items.chunks(2).all(|pair| match pair {
            [Value::String(operator), bound] => bound.as_f64().is_some_and(|bound| match operator.as_str() {
                "=" => (number - bound).abs() < f64::EPSILON,
                "<" => number < bound,
                "<=" => number <= bound,
                ">" => number > bound,
                ">=" => number >= bound,
                _ => false,
            }),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::sqs::Attribute;

    fn publication(body: &str, attributes: &[(&str, &str, &str)]) -> Publication {
        let attributes = attributes.iter().map(|(name, kind, text)| {
            let attribute =
                Attribute { data_type: (*kind).to_owned(), text: Some((*text).to_owned()), bytes: None };
            ((*name).to_owned(), attribute)
        });
        Publication {
            topic: "arn:aws:sns:eu-west-1:1:t".to_owned(),
            id: "m".to_owned(),
            subject: None,
            body: body.to_owned(),
            attributes: attributes.collect::<BTreeMap<_, _>>(),
            at_ms: 0,
        }
    }

    #[test]
    fn a_policy_on_the_body_reaches_into_it() {
        let event = publication(r#"{"detail":{"type":"PlacementTimedOut","wait":31}}"#, &[]);
        for (policy, expected) in [
            (r#"{"detail":{"type":["PlacementTimedOut","PlacementFailed"]}}"#, true),
            (r#"{"detail":{"type":["PlacementFulfilled"]}}"#, false),
            (r#"{"detail":{"type":[{"prefix":"Placement"}],"wait":[{"numeric":[">",30,"<",40]}]}}"#, true),
            (r#"{"detail":{"wait":[{"numeric":["<",30]}]}}"#, false),
            (r#"{"detail":{"port":[{"exists":false}]}}"#, true),
            (r#"{"detail":{"type":[{"anything-but":["PlacementTimedOut"]}]}}"#, false),
            ("no policy", false),
        ] {
            assert_eq!(passes(policy, true, &event), expected, "{policy}");
        }
    }

    #[test]
    fn a_policy_on_attributes_does_not_see_the_body() {
        let plain = publication(r#"{"kind":"a"}"#, &[]);
        assert!(!passes(r#"{"kind":["a"]}"#, false, &plain));
        let marked = publication("x", &[("kind", "String", "a"), ("size", "Number", "5")]);
        assert!(passes(r#"{"kind":["a","b"],"size":[{"numeric":["=",5]}]}"#, false, &marked));
        assert!(!passes(r#"{"kind":["b"]}"#, false, &marked));
    }
}
