//! Finds the differences between two documents, field by field.

use liftdeck_model::id::FleetId;
use serde_json::Value;

use super::ResourceKind;
use crate::error::StoreError;

/// Fields compared as a whole although they are objects: their parts mean nothing alone.
const WHOLE: [&str; 1] = ["routing"];

/// Field, value before, value after; absent values are `None`.
pub(super) type Difference = (String, Option<String>, Option<String>);

/// Returns the fields that differ between two documents of a kind.
pub(super) fn differences(
    kind: ResourceKind,
    before: &str,
    after: &str,
) -> Result<Vec<Difference>, StoreError> {
    let parse = |text: &str| -> Result<Value, StoreError> {
        serde_json::from_str(text).map_err(|error| StoreError::Unreadable {
            what: format!("resource of kind {}: {error}", kind.text()),
        })
    };
    // The only document that is a list; it counts as one field.
    let top = if kind == ResourceKind::PortSettings { "inbound_permissions" } else { "" };
    let mut found = Vec::new();
    differ(top, &parse(before)?, &parse(after)?, &mut found);
    Ok(found)
}

/// How long before it is first seen an alias may have been changed for that to be worth telling.
const RECENT_MS: i64 = 86_400_000;

/// When an alias seen for the first time was last updated, if that was lately and not when it was created.
pub(super) fn recently_updated(document: &str, now_ms: i64) -> Option<String> {
    let alias: Value = serde_json::from_str(document).ok()?;
    let moment = |field: &str| alias.get(field).and_then(Value::as_i64);
    let updated = moment("last_updated_time")?;
    let is_new = moment("creation_time").is_some_and(|created| (updated - created).abs() < 1_000);
    (!is_new && (0..RECENT_MS).contains(&(now_ms - updated))).then(|| updated.to_string())
}

/// The fleet that an alias leads to.
pub(super) fn led_to(document: &str) -> Option<FleetId> {
    let alias: Value = serde_json::from_str(document).ok()?;
    Some(alias.get("routing")?.get("simple")?.get("fleet_id")?.as_str()?.into())
}

fn differ(field: &str, before: &Value, after: &Value, out: &mut Vec<Difference>) {
    if before == after {
        return;
    }
    if let (Value::Object(before), Value::Object(after)) = (before, after)
        && !WHOLE.contains(&field)
    {
        let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let path = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
            differ(
                &path,
                before.get(name).unwrap_or(&Value::Null),
                after.get(name).unwrap_or(&Value::Null),
                out,
            );
        }
        return;
    }
    out.push((field.to_owned(), plain(before), plain(after)));
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_difference_names_the_innermost_field_and_both_values() {
        let mut found = Vec::new();
        let before = json!({"a": 1, "b": {"c": "x", "d": null}, "same": [1]});
        let after = json!({"a": 2, "b": {"c": "x", "d": "y"}, "same": [1]});
        differ("", &before, &after, &mut found);
        assert_eq!(
            found,
            [
                ("a".to_owned(), Some("1".to_owned()), Some("2".to_owned())),
                ("b.d".to_owned(), None, Some("y".to_owned())),
            ]
        );
    }

    #[test]
    fn a_routing_is_compared_whole() {
        let mut found = Vec::new();
        differ(
            "",
            &json!({"routing": {"simple": {"fleet_id": "f1"}}}),
            &json!({"routing": {"terminal": {"message": "m"}}}),
            &mut found,
        );
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "routing");
    }
}
