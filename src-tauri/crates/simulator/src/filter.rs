//! Filters on JSON as event patterns of EventBridge and filter policies of SNS write them: whether values pass one
//! (EventBridge user guide, comparison operators; SNS developer guide, filter policy constraints).
//!
//! Which filters are valid is up to `check`.

mod check;

use std::borrow::Cow;
use std::net::IpAddr;

use serde_json::{Map, Value};

use crate::identity::glob;

pub(crate) use check::{Language, check};

/// The key that lists alternative filters, of which one has to be satisfied.
const OR: &str = "$or";

/// Whether the members of an object satisfy every key of a filter. Objects in the filter match objects in it.
pub(crate) fn passes(filter: &Map<String, Value>, object: &Value) -> bool {
    passes_by(filter, &|name| object.get(name).map(Cow::Borrowed))
}

/// The same for an object whose members are found by name, so that only those that are looked at have to be made.
pub(crate) fn passes_by<'a>(
    filter: &Map<String, Value>,
    member: &dyn Fn(&str) -> Option<Cow<'a, Value>>,
) -> bool {
    filter.iter().all(|(name, wanted)| match wanted {
        Value::Array(sides) if name == OR => {
            sides.iter().filter_map(Value::as_object).any(|side| passes_by(side, member))
        }
        Value::Object(inner) => member(name).is_some_and(|found| passes(inner, &found)),
        Value::Array(conditions) => {
            let found = member(name);
            conditions.iter().any(|condition| condition_holds(condition, found.as_deref()))
        }
        _ => false,
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
    operator.iter().all(|(name, operand)| match name.as_str() {
        "anything-but" => match operand {
            Value::Array(items) => !items.iter().any(|item| equal(item, value)),
            Value::Object(_) => !value_fits(operand, value),
            other => !equal(other, value),
        },
        "numeric" => value.as_f64().is_some_and(|number| numeric_holds(operand, number)),
        _ => value.as_str().is_some_and(|text| text_fits(name, operand, text)),
    })
}

/// Whether text satisfies an operator on text. Inside `anything-but`, the operand can be a list.
fn text_fits(operator: &str, operand: &Value, text: &str) -> bool {
    let wanted = match operand {
        Value::Array(items) => return items.iter().any(|item| text_fits(operator, item, text)),
        // `{"prefix": {"equals-ignore-case": "x"}}`
        Value::Object(inner) => {
            let wanted = inner.get("equals-ignore-case").and_then(Value::as_str);
            let lower = |text: &str| Value::from(text.to_lowercase());
            return wanted.is_some_and(|wanted| text_fits(operator, &lower(wanted), &text.to_lowercase()));
        }
        Value::String(wanted) => wanted,
        _ => return false,
    };
    match operator {
        "prefix" => text.starts_with(wanted),
        "suffix" => text.ends_with(wanted),
        "equals-ignore-case" => text.to_lowercase() == wanted.to_lowercase(),
        "wildcard" => glob(wanted, text),
        "cidr" => in_range(text, wanted),
        _ => false,
    }
}

/// Reads a range of addresses: its address as 128 bits, and how many leading bits have to match.
fn read_range(range: &str) -> Option<(u128, u32)> {
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
    use serde_json::json;

    use super::*;

    fn fits(filter: &str, object: &Value) -> bool {
        serde_json::from_str::<Value>(filter)
            .unwrap()
            .as_object()
            .is_some_and(|filter| passes(filter, object))
    }

    #[test]
    fn a_filter_reaches_into_an_object() {
        let event =
            json!({ "detail": { "type": "PlacementTimedOut", "wait": 31 }, "resources": ["arn:a", "arn:b"] });
        for (policy, expected) in [
            (r#"{"detail":{"type":["PlacementTimedOut","PlacementFailed"]}}"#, true),
            (r#"{"detail":{"type":["PlacementFulfilled"]}}"#, false),
            (r#"{"detail":{"type":[{"prefix":"Placement"}],"wait":[{"numeric":[">",30,"<",40]}]}}"#, true),
            (r#"{"detail":{"wait":[{"numeric":["<",30]}]}}"#, false),
            (r#"{"detail":{"port":[{"exists":false}]}}"#, true),
            (r#"{"detail":{"type":[{"anything-but":["PlacementTimedOut"]}]}}"#, false),
            (r#"{"$or":[{"kind":["a"]},{"detail":{"wait":[31]}}]}"#, true),
            (r#"{"$or":[{"kind":["a"]},{"detail":{"wait":[32]}}]}"#, false),
            (r#"{"resources":["arn:b","arn:c"]}"#, true),
            (r#"{"resources":[{"anything-but":["arn:a","arn:b"]}]}"#, false),
            (r#"{"detail":{"type":[{"wildcard":"*Timed*"}]}}"#, true),
            (r#"{"detail":{"type":[{"prefix":{"equals-ignore-case":"placement"}}]}}"#, true),
            (r#"{"detail":{"type":[{"anything-but":{"prefix":["Match","Placement"]}}]}}"#, false),
            (r#"{"detail":{"type":[{"equals-ignore-case":"placementtimedout"}]}}"#, true),
        ] {
            assert_eq!(fits(policy, &event), expected, "{policy}");
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
            let filter = format!(r#"{{"host":[{{"cidr":"{range}"}}]}}"#);
            assert_eq!(fits(&filter, &json!({ "host": address })), expected, "{address} in {range}");
        }
    }
}
