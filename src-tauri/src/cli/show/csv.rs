//! An answer as CSV: the columns of a list, or the fields and values of one resource. Text is written as in
//! `liftdeck export`.

use std::io;

use liftdeck_store::export::csv_record;
use serde_json::Value;

use super::{Body, Table, json};

/// A heading and one line per row.
pub(super) fn text(body: &Body) -> io::Result<String> {
    let mut out = Vec::new();
    match body {
        Body::Table(table) => list(table, &mut out)?,
        Body::Sheet(sheet) => {
            out.extend(csv_record(vec!["field".into(), "value".into()])?);
            for (key, value) in json::members(sheet) {
                field(&key, value, &mut out)?;
            }
        }
    }
    String::from_utf8(out).map_err(io::Error::other)
}

fn list(table: &Table, out: &mut Vec<u8>) -> io::Result<()> {
    out.extend(csv_record(table.columns.iter().map(|column| column.key.into()).collect())?);
    for (_, cells) in &table.rows {
        out.extend(csv_record(cells.iter().map(super::Cell::value).collect())?);
    }
    Ok(())
}

/// Writes a value under its name, or its members under `name.0`, `name.part`.
fn field(name: &str, value: Value, out: &mut Vec<u8>) -> io::Result<()> {
    match value {
        Value::Array(items) => {
            for (index, item) in items.into_iter().enumerate() {
                field(&format!("{name}.{index}"), item, out)?;
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                field(&format!("{name}.{key}"), member, out)?;
            }
        }
        plain => out.extend(csv_record(vec![name.into(), plain])?),
    }
    Ok(())
}
