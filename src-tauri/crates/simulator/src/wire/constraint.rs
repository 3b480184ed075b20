//! The constraints of input members: lengths, ranges, patterns and enumerations, with the messages that AWS reports.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use regex_lite::Regex;

use super::{Constraint, FromWire, Path, Problems, Value};

/// Text: a length in characters, and a pattern or an enumeration.
#[derive(Debug)]
pub(crate) struct Text {
    min: usize,
    max: usize,
    pattern: Option<&'static str>,
    choices: &'static [&'static str],
    compiled: OnceLock<Option<Regex>>,
}

impl Text {
    /// Any text.
    pub(crate) const fn any() -> Text {
        Text::length(0, usize::MAX)
    }

    /// Text of a length.
    pub(crate) const fn length(min: usize, max: usize) -> Text {
        Text { min, max, pattern: None, choices: &[], compiled: OnceLock::new() }
    }

    /// Text of a length that matches a pattern.
    pub(crate) const fn matching(min: usize, max: usize, pattern: &'static str) -> Text {
        Text { min, max, pattern: Some(pattern), choices: &[], compiled: OnceLock::new() }
    }

    /// One of an enumeration's values.
    pub(crate) const fn one_of(choices: &'static [&'static str]) -> Text {
        Text { min: 0, max: usize::MAX, pattern: None, choices, compiled: OnceLock::new() }
    }

    /// Whether the text matches the pattern; a pattern that does not compile matches nothing.
    fn matches(&self, pattern: &str, text: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| Regex::new(pattern).ok());
        compiled.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

impl Constraint for Text {
    type Output = String;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<String> {
        let Value::Text(text) = value else {
            problems.wrong_type(path, "string");
            return None;
        };
        let length = text.chars().count();
        if length < self.min {
            let constraint = format!("have length greater than or equal to {}", self.min);
            problems.broken(path, text, constraint);
        } else if length > self.max {
            problems.broken(path, text, format!("have length less than or equal to {}", self.max));
        } else if let Some(pattern) = self.pattern.filter(|pattern| !self.matches(pattern, text)) {
            problems.broken(path, text, format!("satisfy regular expression pattern: {pattern}"));
        } else if !self.choices.is_empty() && !self.choices.contains(&text.as_str()) {
            problems.broken(path, text, format!("satisfy enum value set: [{}]", self.choices.join(", ")));
        } else {
            return Some(text.clone());
        }
        None
    }
}

/// A whole number in a range.
#[derive(Debug)]
pub(crate) struct Integer {
    min: i64,
    max: i64,
}

impl Integer {
    /// A whole number from `min` to `max`, both included.
    pub(crate) const fn between(min: i64, max: i64) -> Integer {
        Integer { min, max }
    }
}

impl Constraint for Integer {
    type Output = i64;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<i64> {
        let Value::Int(number) = *value else {
            problems.wrong_type(path, "integer");
            return None;
        };
        if number < self.min {
            problems.broken(path, number, format!("have value greater than or equal to {}", self.min));
        } else if number > self.max {
            problems.broken(path, number, format!("have value less than or equal to {}", self.max));
        } else {
            return Some(number);
        }
        None
    }
}

/// A 64-bit float. JSON writes whole ones without a decimal point.
#[derive(Debug)]
pub(crate) struct Double;

impl Constraint for Double {
    type Output = f64;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<f64> {
        match *value {
            Value::Float(number) => Some(number),
            Value::Int(number) => Some(number as f64),
            _ => {
                problems.wrong_type(path, "double");
                None
            }
        }
    }
}

/// A boolean.
#[derive(Debug)]
pub(crate) struct Bool;

impl Constraint for Bool {
    type Output = bool;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<bool> {
        match *value {
            Value::Bool(value) => Some(value),
            _ => {
                problems.wrong_type(path, "boolean");
                None
            }
        }
    }
}

/// A time: tagged seconds in CBOR, a number of seconds in JSON. It is read as milliseconds since the epoch.
#[derive(Debug)]
pub(crate) struct Time;

impl Constraint for Time {
    type Output = i64;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<i64> {
        let seconds = match *value {
            Value::Seconds(seconds) | Value::Float(seconds) => seconds,
            Value::Int(seconds) => seconds as f64,
            _ => f64::NAN,
        };
        if seconds.is_finite() {
            return Some((seconds * 1000.0).round() as i64);
        }
        problems.wrong_type(path, "timestamp");
        None
    }
}

/// Bytes: a byte string in CBOR, base64 text in JSON.
#[derive(Debug)]
pub(crate) struct Blob;

impl Constraint for Blob {
    type Output = Vec<u8>;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<Vec<u8>> {
        let bytes = match value {
            Value::Bytes(bytes) => Some(bytes.clone()),
            Value::Text(text) => STANDARD.decode(text).ok(),
            _ => None,
        };
        if bytes.is_none() {
            problems.wrong_type(path, "blob");
        }
        bytes
    }
}

/// A list of `min` to `max` items that satisfy a constraint.
#[derive(Debug)]
pub(crate) struct Items<'a, C> {
    /// The constraint on each item.
    pub(crate) each: &'a C,
    /// The fewest items.
    pub(crate) min: usize,
    /// The most items.
    pub(crate) max: usize,
}

impl<C: Constraint> Constraint for Items<'_, C> {
    type Output = Vec<C::Output>;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<Self::Output> {
        let Value::List(items) = value else {
            problems.wrong_type(path, "list");
            return None;
        };
        if items.len() < self.min {
            problems.broken(path, "[]", format!("have length greater than or equal to {}", self.min));
            return None;
        }
        if items.len() > self.max {
            problems.broken(path, "[...]", format!("have length less than or equal to {}", self.max));
            return None;
        }
        let read = items.iter().enumerate();
        read.map(|(at, item)| self.each.read(item, &Path::Item(path, at + 1), problems)).collect()
    }
}

/// A map whose keys and values each satisfy a constraint.
#[derive(Debug)]
pub(crate) struct Map<'a, C> {
    /// The constraint on each key.
    pub(crate) key: &'a Text,
    /// The constraint on each value.
    pub(crate) each: &'a C,
}

impl<C: Constraint> Constraint for Map<'_, C> {
    type Output = BTreeMap<String, C::Output>;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<Self::Output> {
        let Value::Map(members) = value else {
            problems.wrong_type(path, "map");
            return None;
        };
        let read = members.iter();
        read.map(|(name, value)| {
            let key = self.key.read(&Value::Text(name.clone()), path, problems);
            let value = self.each.read(value, &Path::Member(path, name), problems);
            Some((key?, value?))
        })
        .collect()
    }
}

/// A nested structure.
#[derive(Debug)]
pub(crate) struct Nested<T>(PhantomData<T>);

impl<T> Nested<T> {
    /// The structure `T`.
    pub(crate) const fn new() -> Nested<T> {
        Nested(PhantomData)
    }
}

impl<T: FromWire> Constraint for Nested<T> {
    type Output = T;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<T> {
        T::from_wire(value, path, problems)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{input, read_input, read_json};
    use super::*;

    static FLEET: Text = Text::matching(1, 16, "^fleet-[a-z0-9]+$");

    input! {
        struct Nest {
            name: String = required("Name", Text::length(1, 3)),
        }
        struct Sample {
            fleet: String = required("FleetId", FLEET),
            limit: Option<i64> = optional("Limit", Integer::between(1, 10)),
            nests: Option<Vec<Nest>> = optional("Nests", Items { each: &Nested::<Nest>::new(), min: 1, max: 2 }),
            at: Option<i64> = optional("At", Time),
        }
    }

    fn problems(json: &str) -> String {
        read_input::<Sample>(&read_json(json.as_bytes()).unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn a_good_input_is_read() {
        let json = r#"{"FleetId":"fleet-1","Limit":3,"Nests":[{"Name":"ab"}],"At":1.5,"Unknown":1}"#;
        let sample: Sample = read_input(&read_json(json.as_bytes()).unwrap()).unwrap();
        assert_eq!((sample.fleet.as_str(), sample.limit, sample.at), ("fleet-1", Some(3), Some(1500)));
        assert_eq!(sample.nests.unwrap()[0].name, "ab");
    }

    #[test]
    fn every_broken_constraint_is_named() {
        assert_eq!(
            problems("{}"),
            "1 validation error detected: Value null at 'fleetId' failed to satisfy constraint: Member must not be null"
        );
        let text = problems(r#"{"FleetId":"box-1","Limit":11,"Nests":[{"Name":"abcd"}]}"#);
        assert!(text.starts_with("3 validation errors detected: "), "{text}");
        assert!(
            text.contains("'nests.1.member.name' failed to satisfy constraint: Member must have length less")
        );
        assert!(text.contains("Value '11' at 'limit'"));
        assert!(text.contains(
            "Value 'box-1' at 'fleetId' failed to satisfy constraint: Member must satisfy regular"
        ));
    }

    #[test]
    fn a_value_of_another_type_makes_the_body_unreadable() {
        let json = read_json(br#"{"FleetId":7}"#).unwrap();
        assert!(read_input::<Sample>(&json).unwrap_err().unreadable());
    }
}
