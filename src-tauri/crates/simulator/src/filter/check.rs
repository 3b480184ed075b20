//! Validation of filters when they are set, with errors in the words of the services.
//!
//! Whether a value passes is up to the parent.

use serde_json::{Map, Value};

use super::{OR, read_range};

/// The operators that a condition can use instead of a plain value.
const OPERATORS: [&str; 7] =
    ["anything-but", "cidr", "equals-ignore-case", "exists", "numeric", "prefix", "suffix"];

/// Whose filter it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// A filter policy of a subscription to SNS.
    FilterPolicy,
    /// An event pattern of EventBridge. It cannot be empty and knows wildcards.
    EventPattern,
}

/// Validates a filter and returns its keys; the error is in the words of the service.
pub(crate) fn check(filter: &str, language: Language) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(filter) {
        Ok(Value::Object(filter)) if filter.is_empty() && language == Language::EventPattern => {
            Err("Empty objects are not allowed".to_owned())
        }
        Ok(Value::Object(filter)) => check_keys(&filter, language).map(|()| filter),
        Ok(_) => Err("Filter is not an object".to_owned()),
        Err(_) => Err("failed to parse JSON.".to_owned()),
    }
}

fn check_keys(filter: &Map<String, Value>, language: Language) -> Result<(), String> {
    filter.iter().try_for_each(|(name, wanted)| match wanted {
        Value::Array(sides) if name == OR => {
            let inner = |side: &Value| match side {
                Value::Object(side) if !side.is_empty() => check_keys(side, language),
                _ => Err(format!("\"{OR}\" must be an array of objects")),
            };
            if sides.len() < 2 {
                return Err(format!("There must have at least 2 Objects in \"{OR}\" relationship."));
            }
            sides.iter().try_for_each(inner)
        }
        Value::Object(inner) if inner.is_empty() => Err("Empty objects are not allowed".to_owned()),
        Value::Object(inner) => check_keys(inner, language),
        Value::Array(conditions) if conditions.is_empty() => Err("Empty arrays are not allowed".to_owned()),
        Value::Array(conditions) => conditions.iter().try_for_each(|one| check_condition(one, language)),
        _ => Err(format!("\"{name}\" must be an object or an array")),
    })
}

fn check_condition(condition: &Value, language: Language) -> Result<(), String> {
    match condition {
        Value::Array(_) => Err("Match value must be String, number, true, false, or null".to_owned()),
        Value::Object(operator) => {
            let mut names = operator.iter();
            let (Some((name, operand)), None) = (names.next(), names.next()) else {
                return Err("Only one key allowed in match expression".to_owned());
            };
            let has_wildcards = language == Language::EventPattern;
            let known = OPERATORS.contains(&name.as_str()) || (has_wildcards && name == "wildcard");
            if !known {
                return Err(format!("Unrecognized match type {name}"));
            }
            let fits = match name.as_str() {
                "exists" => operand.is_boolean(),
                "numeric" => is_numeric(operand),
                "anything-but" => !operand.is_null(),
                "cidr" => operand.as_str().is_some_and(|range| read_range(range).is_some()),
                "prefix" | "suffix" if has_wildcards && operand.is_object() => {
                    operand.get("equals-ignore-case").is_some_and(Value::is_string)
                }
                _ => operand.is_string(),
            };
            if fits { Ok(()) } else { Err(format!("Value of {name} is not valid")) }
        }
        _ => Ok(()),
    }
}

/// Whether bounds come in pairs of an operator and a number.
fn is_numeric(operand: &Value) -> bool {
    let pair = |pair: &[Value]| match pair {
        [Value::String(operator), bound] => {
            ["=", "<", "<=", ">", ">="].contains(&operator.as_str()) && bound.is_number()
        }
        _ => false,
    };
    operand.as_array().is_some_and(|items| !items.is_empty() && items.chunks(2).all(pair))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_says_nothing_sensible_is_named() {
        for (policy, wrong) in [
            ("{", "failed to parse JSON."),
            ("[]", "Filter is not an object"),
            (r#"{"a":"x"}"#, "\"a\" must be an object or an array"),
            (r#"{"a":{"b":1}}"#, "\"b\" must be an object or an array"),
            (r#"{"a":[]}"#, "Empty arrays are not allowed"),
            (r#"{"a":{}}"#, "Empty objects are not allowed"),
            (r#"{"a":[{"sounds-like":"b"}]}"#, "Unrecognized match type sounds-like"),
            (r#"{"a":[{"prefix":"b","suffix":"c"}]}"#, "Only one key allowed in match expression"),
            (r#"{"a":[{"numeric":["~",5]}]}"#, "Value of numeric is not valid"),
            (r#"{"a":[{"cidr":"10.0.0.0/33"}]}"#, "Value of cidr is not valid"),
            (r#"{"a":[["b"]]}"#, "Match value must be String, number, true, false, or null"),
            (r#"{"$or":[{"a":["b"]}]}"#, "There must have at least 2 Objects in \"$or\" relationship."),
        ] {
            for language in [Language::FilterPolicy, Language::EventPattern] {
                assert_eq!(check(policy, language), Err(wrong.to_owned()), "{policy}");
            }
        }
        for policy in [
            "{}",
            r#"{"a":["x",1,true,null,{"prefix":"b"},{"anything-but":["c"]},{"exists":false}]}"#,
            r#"{"a":{"b":[{"numeric":[">",0,"<=",5]}]},"$or":[{"c":["d"]},{"e":[{"cidr":"::/0"}]}]}"#,
        ] {
            assert!(check(policy, Language::FilterPolicy).is_ok(), "{policy}");
        }
    }

    #[test]
    fn an_event_pattern_knows_wildcards_and_is_never_empty() {
        let both = |filter| {
            [Language::FilterPolicy, Language::EventPattern].map(|language| check(filter, language).is_ok())
        };
        assert_eq!(both(r#"{"a":[{"wildcard":"b*"}]}"#), [false, true]);
        assert_eq!(both(r#"{"a":[{"prefix":{"equals-ignore-case":"b"}}]}"#), [false, true]);
        assert_eq!(both("{}"), [true, false]);
    }
}
