//! Validation of filter policies when they are set, with errors in the words of SNS (SNS developer guide, filter
//! policy constraints).
//!
//! Whether a message passes is up to `filter`.

use serde_json::{Map, Value};

use super::filter::read_range;

/// The operators that a condition can use instead of a plain value.
const OPERATORS: [&str; 7] =
    ["anything-but", "cidr", "equals-ignore-case", "exists", "numeric", "prefix", "suffix"];

/// The key that lists alternative policies, of which one has to be satisfied.
pub(super) const OR: &str = "$or";

/// Validates a policy; the error is in the words of SNS.
pub(super) fn check(policy: &str) -> Result<(), String> {
    match serde_json::from_str(policy) {
        Ok(Value::Object(policy)) => check_keys(&policy),
        Ok(_) => Err("Filter is not an object".to_owned()),
        Err(_) => Err("failed to parse JSON.".to_owned()),
    }
}

fn check_keys(policy: &Map<String, Value>) -> Result<(), String> {
    policy.iter().try_for_each(|(name, wanted)| match wanted {
        Value::Array(sides) if name == OR => {
            let inner = |side: &Value| match side {
                Value::Object(side) if !side.is_empty() => check_keys(side),
                _ => Err(format!("\"{OR}\" must be an array of objects")),
            };
            if sides.len() < 2 {
                return Err(format!("There must have at least 2 Objects in \"{OR}\" relationship."));
            }
            sides.iter().try_for_each(inner)
        }
        Value::Object(inner) if inner.is_empty() => Err("Empty objects are not allowed".to_owned()),
        Value::Object(inner) => check_keys(inner),
        Value::Array(conditions) if conditions.is_empty() => Err("Empty arrays are not allowed".to_owned()),
        Value::Array(conditions) => conditions.iter().try_for_each(check_condition),
        _ => Err(format!("\"{name}\" must be an object or an array")),
    })
}

fn check_condition(condition: &Value) -> Result<(), String> {
    match condition {
        Value::Array(_) => Err("Match value must be String, number, true, false, or null".to_owned()),
        Value::Object(operator) => {
            let mut names = operator.iter();
            let (Some((name, operand)), None) = (names.next(), names.next()) else {
                return Err("Only one key allowed in match expression".to_owned());
            };
            if !OPERATORS.contains(&name.as_str()) {
                return Err(format!("Unrecognized match type {name}"));
            }
            let fits = match name.as_str() {
                "exists" => operand.is_boolean(),
                "numeric" => is_numeric(operand),
                "anything-but" => !operand.is_null(),
                "cidr" => operand.as_str().is_some_and(|range| read_range(range).is_some()),
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
    fn a_policy_that_says_nothing_sensible_is_named() {
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
            assert_eq!(check(policy), Err(wrong.to_owned()), "{policy}");
        }
        for policy in [
            "{}",
            r#"{"a":["x",1,true,null,{"prefix":"b"},{"anything-but":["c"]},{"exists":false}]}"#,
            r#"{"a":{"b":[{"numeric":[">",0,"<=",5]}]},"$or":[{"c":["d"]},{"e":[{"cidr":"::/0"}]}]}"#,
        ] {
            assert_eq!(check(policy), Ok(()), "{policy}");
        }
    }
}
