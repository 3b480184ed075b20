//! Writes rows in one of the formats. Deliberately streams and keeps no row.
//!
//! Owns making the files safe to open. JSON is exact: characters that control a terminal or are invisible in an
//! editor are written as `\u` escapes. A CSV shows such characters as visible signs and prevents a spreadsheet from
//! taking a text for a formula, unless the exact format is asked for.

use std::io::{self, Write};

use liftdeck_model::Timestamp;
use liftdeck_model::visible::{is_formula, visible, visible_json};
use serde_json::Value;

use super::Format;

/// Makes the values of a row in the form that every table uses.
#[derive(Clone, Copy, Debug)]
pub struct Cell;

impl Cell {
    /// A time in RFC 3339.
    pub fn time(moment: Option<Timestamp>) -> Value {
        moment.map_or(Value::Null, |moment| Value::String(moment.to_rfc3339()))
    }

    /// A text.
    pub fn text(text: Option<impl AsRef<str>>) -> Value {
        text.map_or(Value::Null, |text| Value::String(text.as_ref().to_owned()))
    }

    /// A number, or anything else that JSON can hold as it is.
    pub fn of(value: impl Into<Value>) -> Value {
        value.into()
    }
}

/// Writes rows to an output.
pub struct Sink<'w> {
    format: Format,
    columns: &'static [&'static str],
    rows: u64,
    out: &'w mut (dyn Write + Send),
}

impl<'w> Sink<'w> {
    /// Creates a sink that writes to `out`.
    pub fn new(format: Format, out: &'w mut (dyn Write + Send)) -> Self {
        Self { format, columns: &[], rows: 0, out }
    }

    /// Names the columns and writes what comes before the first row.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(&mut self, columns: &'static [&'static str]) -> io::Result<()> {
        self.columns = columns;
        match self.format {
            Format::Ndjson => Ok(()),
            Format::Json => self.out.write_all(b"["),
            Format::Csv | Format::ExactCsv => {
                self.record(columns.iter().map(|column| (*column).to_owned()).collect())
            }
        }
    }

    /// Writes a row, its values in the order of the columns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn row(&mut self, values: Vec<Value>) -> io::Result<()> {
        debug_assert_eq!(values.len(), self.columns.len(), "a value for each column");
        self.rows += 1;
        match self.format {
            Format::Csv => return self.record(values.into_iter().map(inert).collect()),
            Format::ExactCsv => return self.record(values.into_iter().map(plain).collect()),
            Format::Json | Format::Ndjson => {}
        }
        if self.format == Format::Json {
            self.out.write_all(if self.rows == 1 { b"\n" } else { b",\n" })?;
        }
        self.out.write_all(b"{")?;
        for (index, (column, value)) in self.columns.iter().zip(values).enumerate() {
            write!(self.out, "{}\"{column}\":", if index > 0 { "," } else { "" })?;
            self.out.write_all(visible_json(&value.to_string()).as_bytes())?;
        }
        self.out.write_all(if self.format == Format::Ndjson { b"}\n" } else { b"}" })
    }

    /// Writes what comes after the last row and returns the number of rows.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> io::Result<u64> {
        if self.format == Format::Json {
            self.out.write_all(b"\n]\n")?;
        }
        self.out.flush()?;
        Ok(self.rows)
    }

    fn record(&mut self, fields: Vec<String>) -> io::Result<()> {
        self.out.write_all(&record(fields)?)
    }
}

/// Formats one CSV record for a spreadsheet, for output that is shown rather than exported.
///
/// # Errors
/// When it cannot be written, which does not happen in memory.
pub fn csv_record(values: Vec<Value>) -> io::Result<Vec<u8>> {
    record(values.into_iter().map(inert).collect())
}

fn record(fields: Vec<String>) -> io::Result<Vec<u8>> {
    // RFC 4180 ends a record with CR LF.
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::with_capacity(256));
    writer.write_record(fields)?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// Formats a value as a CSV field for a spreadsheet. A text that would be a formula gets a leading apostrophe, which
/// tells a spreadsheet that it is text. Numbers stay numbers, including negative ones.
fn inert(value: Value) -> String {
    match value {
        Value::String(text) if is_formula(&text) => format!("'{}", visible(&text)),
        Value::String(text) => visible(&text).into_owned(),
        other => visible_json(&plain(other)).into_owned(),
    }
}

/// Formats a value as an exact CSV field: empty for null, JSON for nested values.
fn plain(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(format: Format, rows: &[Vec<Value>]) -> String {
        let mut out = Vec::new();
        let mut sink = Sink::new(format, &mut out);
        sink.begin(&["id", "list", "note"]).unwrap();
        for row in rows {
            sink.row(row.clone()).unwrap();
        }
        assert_eq!(sink.finish().unwrap(), rows.len() as u64);
        String::from_utf8(out).unwrap()
    }

    fn rows() -> Vec<Vec<Value>> {
        vec![
            vec![json!("a"), json!([1, 2]), Value::Null],
            vec![json!("b,\"c\""), json!({}), json!("line\nbreak")],
        ]
    }

    #[test]
    fn ndjson_is_one_object_a_line() {
        let text = written(Format::Ndjson, &rows());
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0], json!({"id": "a", "list": [1, 2], "note": null}));
        assert_eq!(lines[1]["note"], "line\nbreak");
    }

    #[test]
    fn json_is_one_array_even_when_empty() {
        assert_eq!(serde_json::from_str::<Vec<Value>>(&written(Format::Json, &rows())).unwrap().len(), 2);
        assert_eq!(serde_json::from_str::<Vec<Value>>(&written(Format::Json, &[])).unwrap().len(), 0);
    }

    #[test]
    fn csv_for_a_spreadsheet_holds_no_formula_and_nothing_unseen() {
        let hostile = vec![
            vec![json!("=cmd|' /C calc'!A0"), json!(["\u{202e}=1"]), json!("a\u{1b}[2J\nb\u{202e}")],
            vec![json!(-5), json!(-0.5), json!(" \u{ff1d}1")],
        ];
        let text = written(Format::Csv, &hostile);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let read: Vec<Vec<String>> =
            reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(read[0], ["'=cmd|' /C calc'!A0", r#"["\u202e=1"]"#, "a␛[2J␊b⟨U+202E⟩"]);
        assert_eq!(read[1], ["-5", "-0.5", "' \u{ff1d}1"], "numbers stay numbers");
    }

    #[test]
    fn an_exact_csv_and_json_hold_the_very_text() {
        let hostile = vec![vec![json!("=1\u{1b}"), json!("\u{202e}"), json!("\u{9b}")]];
        let exact = written(Format::ExactCsv, &hostile);
        assert!(exact.contains("=1\u{1b},\u{202e},\u{9b}"), "{exact:?}");
        let lines = written(Format::Ndjson, &hostile);
        assert!(lines.is_ascii(), "{lines:?}");
        assert_eq!(serde_json::from_str::<Value>(&lines).unwrap()["list"], "\u{202e}");
    }

    #[test]
    fn csv_quotes_what_needs_it_and_reads_back() {
        let text = written(Format::ExactCsv, &rows());
        assert!(text.starts_with("id,list,note\r\na,\"[1,2]\",\r\n"), "{text}");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let second = reader.records().nth(1).unwrap().unwrap();
        assert_eq!(second.iter().collect::<Vec<_>>(), ["b,\"c\"", "{}", "line\nbreak"]);
        assert_eq!(written(Format::Csv, &[]), "id,list,note\r\n");
    }
}
