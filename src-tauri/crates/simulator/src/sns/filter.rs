//! Filter policies of subscriptions: whether a message passes one (SNS developer guide, filter policy constraints).
//!
//! Which policies are valid is up to `policy`.

use std::net::IpAddr;

use serde_json::{Map, Value};

use super::policy::OR;
use crate::notification::Publication;

/// Whether a message passes a policy, on its attributes or on its body.
pub(super) fn passes(policy: &str, on_body: bool, publication: &Publication) -> bool {
    let Ok(Value::Object(policy)) = serde_json::from_str(policy) else { return false };
    if on_body {
        let body = serde_json::from_str::<Value>(&publication.body.text()).unwrap_or_default();
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

/// Whether a message satisfies every key of the policy. Objects in the policy match objects in the message.
fn body_passes(policy: &Map<String, Value>, body: &Value) -> bool {
    policy.iter().all(|(name, wanted)| {
        let found = body.get(name);
        match wanted {
            Value::Array(sides) if name == OR => {
                sides.iter().filter_map(Value::as_object).any(|side| body_passes(side, body))
            }
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
        "cidr" => text.zip(operand.as_str()).is_some_and(|(address, range)| in_range(address, range)),
        "numeric" => value.as_f64().is_some_and(|number| numeric_holds(operand, number)),
        _ => false,
    })
}

/// Reads a range of addresses: its address as 128 bits, and how many leading bits have to match.
pub(super) fn read_range(range: &str) -> Option<(u128, u32)> {
    let (address, bits) = range.split_once('/')?;
    let (address, own) = read_address(address)?;
    let bits = bits.parse::<u32>().ok().filter(|bits| *bits <= own)?;
    Some((address, 128 - own + bits))
}

/// Reads the bits of an address, and how many it has. IPv4 addresses are padded with leading zeros.
fn read_address(address: &str) -> Option<(u128, u32)> {
    Some(match address.parse().ok()? {
        IpAddr::V4(address) => (u128::from(address.to_bits()), 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    })
}

fn in_range(address: &str, range: &str) -> bool {
    let same_kind = address.contains(':') == range.contains(':');
    let (Some((address, _)), Some((start, bits))) = (read_address(address), read_range(range)) else {
        return false;
    };
    let differing = (address ^ start).leading_zeros();
    same_kind && differing >= bits
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < f64::EPSILON,
        _ => a == b,
    }
}

/// Whether a number satisfies bounds such as `["=", 5]` or `[">", 0, "<=", 100]`.
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
            body: body.into(),
            attributes: attributes.collect::<BTreeMap<_, _>>(),
            order: None,
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
            (r#"{"$or":[{"kind":["a"]},{"detail":{"wait":[31]}}]}"#, true),
            (r#"{"$or":[{"kind":["a"]},{"detail":{"wait":[32]}}]}"#, false),
            ("no policy", false),
        ] {
            assert_eq!(passes(policy, true, &event), expected, "{policy}");
        }
    }

    #[test]
    fn an_address_is_looked_for_in_a_range() {
        for (address, range, expected) in [
            ("10.0.0.7", "10.0.0.0/24", true),
            ("10.0.1.7", "10.0.0.0/24", false),
            ("10.0.1.7", "0.0.0.0/0", true),
            ("2001:db8::1", "2001:db8::/32", true),
            ("::a00:7", "10.0.0.0/24", false),
            ("somewhere", "10.0.0.0/24", false),
        ] {
            let host = publication(&format!(r#"{{"host":"{address}"}}"#), &[]);
            let policy = format!(r#"{{"host":[{{"cidr":"{range}"}}]}}"#);
            assert_eq!(passes(&policy, true, &host), expected, "{address} in {range}");
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
