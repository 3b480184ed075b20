//! An answer as one JSON document: names in snake_case, times in RFC 3339, and the age of the data in it.

use liftdeck_model::visible::visible_json;
use serde_json::{Map, Value};

use super::{Body, Sheet, Shown, Table};

/// Returns the document with a line feed.
pub(super) fn text(shown: &Shown) -> String {
    let mut document = Map::new();
    if let Some(freshness) = shown.freshness {
        document.insert("as_of".to_owned(), super::at(freshness.as_of).value());
        document.insert("stale".to_owned(), freshness.stale.into());
    }
    if let Some(total) = shown.total {
        document.insert("total".to_owned(), total.all.into());
        document.insert("total_is_exact".to_owned(), total.is_exact.into());
    }
    match &shown.body {
        Body::Table(table) => drop(document.insert("rows".to_owned(), rows(table))),
        Body::Sheet(sheet) => document.extend(members(sheet)),
    }
    visible_json(&format!("{:#}\n", Value::Object(document))).into_owned()
}

/// Each row as an object.
fn rows(table: &Table) -> Value {
    let row = |cells: &Vec<super::Cell>| -> Value {
        let named =
            table.columns.iter().zip(cells).map(|(column, cell)| (column.key.to_owned(), cell.value()));
        Value::Object(named.collect())
    };
    table.rows.iter().map(|(_, cells)| row(cells)).collect()
}

/// Facts, then tables.
pub(super) fn members(sheet: &Sheet) -> Map<String, Value> {
    let named = sheet.facts.iter().filter(|(column, _)| !column.key.is_empty());
    let facts = named.map(|(column, cell)| (column.key.to_owned(), cell.value()));
    facts.chain(sheet.parts.iter().map(|(key, _, table)| ((*key).to_owned(), rows(table)))).collect()
}
