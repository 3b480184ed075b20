//! The tree that both encodings are read into. It keeps what the encodings distinguish (integer, float, tagged time)
//! but nothing of their framing.

use std::collections::BTreeMap;

/// One value of a request body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// An absent member, which is `null` in both encodings.
    Null,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A CBOR timestamp (tag 1), in seconds since the epoch.
    Seconds(f64),
    /// Text.
    Text(String),
    /// A CBOR byte string.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Value>),
    /// A structure or a map.
    Map(BTreeMap<String, Value>),
}

impl Value {
    /// The member of a structure, unless it is absent or null.
    pub(crate) fn member(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(members) => members.get(name).filter(|value| **value != Value::Null),
            _ => None,
        }
    }

    /// Identifies the structure without the named members. The text is the same in either encoding, where a number
    /// may be an integer, a float or a time.
    pub(crate) fn fingerprint(&self, without: &[&str]) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Int(number) => (*number as f64).to_string(),
            Value::Float(number) | Value::Seconds(number) => number.to_string(),
            Value::Text(text) => format!("{text:?}"),
            Value::Bytes(bytes) => format!("{bytes:?}"),
            Value::List(items) => {
                items.iter().map(|item| item.fingerprint(&[])).collect::<Vec<_>>().join(",")
            }
            Value::Map(members) => members
                .iter()
                .filter(|(name, value)| !without.contains(&name.as_str()) && **value != Value::Null)
                .map(|(name, value)| format!("{name:?}:({})", value.fingerprint(&[])))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_json;
    use super::*;

    #[test]
    fn a_fingerprint_tells_filters_apart_and_not_encodings() {
        let json = read_json(br#"{"FleetId":"f","StartTime":5,"Limit":3,"Names":["a","b"]}"#).unwrap();
        let Value::Map(mut members) = json.clone() else { panic!("a structure") };
        members.insert("StartTime".to_owned(), Value::Seconds(5.0));
        members.insert("Limit".to_owned(), Value::Int(4));
        assert_eq!(json.fingerprint(&["Limit"]), Value::Map(members.clone()).fingerprint(&["Limit"]));
        assert_ne!(json.fingerprint(&[]), Value::Map(members.clone()).fingerprint(&[]));
        members.insert("Names".to_owned(), Value::List(vec![Value::Text("a\",\"b".to_owned())]));
        assert_ne!(json.fingerprint(&["Limit"]), Value::Map(members).fingerprint(&["Limit"]));
    }
}
