//! Reads single fields of a JSON object the way the feed sends them. Deliberately does not decide which are required.

use liftdeck_model::Timestamp;
use serde_json::{Map, Value};

/// A JSON object.
pub(super) type Object = Map<String, Value>;

/// A text field that is present and not empty.
pub(super) fn text(object: &Object, key: &str) -> Option<String> {
    object.get(key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A whole number, written as a number (FlexMatch events) or as text (the port of placement events).
pub(super) fn whole(object: &Object, key: &str) -> Option<i64> {
    match object.get(key)? {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A port, 0 to 65 535.
pub(super) fn port(object: &Object, key: &str) -> Option<i32> {
    whole(object, key).and_then(|port| i32::try_from(port).ok()).filter(|port| (0..=65_535).contains(port))
}

/// An ISO 8601 moment. Ages such as `15m`, which the model also reads, are not moments.
pub(super) fn moment(object: &Object, key: &str) -> Option<Timestamp> {
    let text = text(object, key)?;
    if !text.contains('T') {
        return None;
    }
    Timestamp::parse(&text, Timestamp::default()).ok()
}

/// The objects in a list; other items are skipped.
pub(super) fn objects<'a>(object: &'a Object, key: &str) -> impl Iterator<Item = &'a Object> {
    object.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

/// A nested object.
pub(super) fn object<'a>(object: &'a Object, key: &str) -> Option<&'a Object> {
    object.get(key)?.as_object()
}
