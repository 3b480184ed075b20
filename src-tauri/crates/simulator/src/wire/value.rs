//! The tree both encodings are read into. It keeps what the encodings distinguish (integer, float, tagged time) and
//! nothing of their framing.

use std::collections::BTreeMap;

/// One value of a request body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// An absent member: both encodings read `null` so.
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

    /// The structure without the members named: what identifies a listing whatever page of it is asked.
    pub(crate) fn without(&self, names: &[&str]) -> Value {
        match self {
            Value::Map(members) => Value::Map(
                members
                    .iter()
                    .filter(|(name, value)| !names.contains(&name.as_str()) && **value != Value::Null)
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            ),
            other => other.clone(),
        }
    }
}
