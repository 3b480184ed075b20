//! One writer for both encodings of responses: structures are written member by member, straight from the world's
//! records.
//!
//! Doubles stay 64-bit floats and times carry tag 1 in CBOR, because the AWS decoders refuse anything else.

use std::convert::Infallible;
use std::io::Write as _;

use minicbor::Encoder;
use minicbor::data::Tag;

/// Writes one body.
#[derive(Debug)]
pub(crate) enum Writer {
    /// Smithy RPC v2 CBOR.
    Cbor(Encoder<Vec<u8>>),
    /// AWS JSON 1.0 and 1.1.
    Json(Vec<u8>),
}

/// Writing into memory cannot fail: the encoder's error type says so, but its signature still returns a `Result`.
fn written<T>(result: Result<T, minicbor::encode::Error<Infallible>>) {
    if let Err(error) = result {
        tracing::error!(%error, "CBOR could not be written into memory");
    }
}

/// Does the same for text.
fn appended(result: std::io::Result<()>) {
    if let Err(error) = result {
        tracing::error!(%error, "JSON could not be written into memory");
    }
}

impl Writer {
    /// A writer of CBOR.
    pub(crate) fn cbor() -> Writer {
        Writer::Cbor(Encoder::new(Vec::with_capacity(1024)))
    }

    /// A writer of JSON.
    pub(crate) fn json() -> Writer {
        Writer::Json(Vec::with_capacity(1024))
    }

    /// The bytes written.
    pub(crate) fn finish(self) -> Vec<u8> {
        match self {
            Writer::Cbor(encoder) => encoder.into_writer(),
            Writer::Json(bytes) => bytes,
        }
    }

    /// Opens a structure or a map; call `name` for each member, then `close_map`.
    pub(crate) fn open_map(&mut self) {
        match self {
            Writer::Cbor(encoder) => written(encoder.begin_map()),
            Writer::Json(bytes) => bytes.push(b'{'),
        }
    }

    /// Announces a member whose name needs no quoting; its value has to follow.
    pub(super) fn plain_name(&mut self, name: &str) {
        match self {
            Writer::Cbor(encoder) => written(encoder.str(name)),
            Writer::Json(bytes) => {
                separate(bytes);
                bytes.push(b'"');
                bytes.extend_from_slice(name.as_bytes());
                bytes.extend_from_slice(b"\":");
            }
        }
    }

    /// Announces a member; its value has to follow.
    pub(crate) fn name(&mut self, name: &str) {
        match self {
            Writer::Cbor(encoder) => written(encoder.str(name)),
            Writer::Json(bytes) => {
                separate(bytes);
                quote(bytes, name);
                bytes.push(b':');
            }
        }
    }

    /// Closes a structure or a map.
    pub(crate) fn close_map(&mut self) {
        match self {
            Writer::Cbor(encoder) => written(encoder.end()),
            Writer::Json(bytes) => bytes.push(b'}'),
        }
    }

    /// Opens a list of `length` items; call `item` before each, then `close_list`.
    pub(crate) fn open_list(&mut self, length: usize) {
        match self {
            Writer::Cbor(encoder) => written(encoder.array(length as u64)),
            Writer::Json(bytes) => bytes.push(b'['),
        }
    }

    /// Announces an item of a list; its value has to follow.
    pub(crate) fn item(&mut self) {
        if let Writer::Json(bytes) = self {
            separate(bytes);
        }
    }

    /// Closes a list.
    pub(crate) fn close_list(&mut self) {
        if let Writer::Json(bytes) = self {
            bytes.push(b']');
        }
    }

    /// Writes text.
    pub(crate) fn text(&mut self, value: &str) {
        match self {
            Writer::Cbor(encoder) => written(encoder.str(value)),
            Writer::Json(bytes) => quote(bytes, value),
        }
    }

    /// Writes a boolean.
    pub(crate) fn boolean(&mut self, value: bool) {
        match self {
            Writer::Cbor(encoder) => written(encoder.bool(value)),
            Writer::Json(bytes) => bytes.extend_from_slice(if value { b"true" } else { b"false" }),
        }
    }

    /// Writes a whole number.
    pub(crate) fn integer(&mut self, value: i64) {
        match self {
            Writer::Cbor(encoder) => written(encoder.i64(value)),
            Writer::Json(bytes) => appended(write!(bytes, "{value}")),
        }
    }

    /// Writes a 64-bit float.
    pub(crate) fn double(&mut self, value: f64) {
        match self {
            Writer::Cbor(encoder) => written(encoder.f64(value)),
            Writer::Json(bytes) => {
                let number = serde_json::Number::from_f64(value);
                bytes.extend_from_slice(
                    number.map_or("null".to_owned(), |number| number.to_string()).as_bytes(),
                );
            }
        }
    }

    /// Writes a 32-bit float, because clients read a `float` shape from nothing wider.
    pub(crate) fn float(&mut self, value: f32) {
        match self {
            Writer::Cbor(encoder) => written(encoder.f32(value)),
            Writer::Json(_) => self.double(f64::from(value)),
        }
    }

    /// Writes a time given in milliseconds since the epoch.
    pub(crate) fn time(&mut self, at_ms: i64) {
        match self {
            Writer::Cbor(encoder) => {
                written(encoder.tag(Tag::new(1)));
                written(encoder.f64(at_ms as f64 / 1000.0));
            }
            Writer::Json(bytes) => {
                let (seconds, rest) = (at_ms.div_euclid(1000), at_ms.rem_euclid(1000));
                appended(if rest == 0 {
                    write!(bytes, "{seconds}")
                } else {
                    write!(bytes, "{seconds}.{rest:03}")
                });
            }
        }
    }
}

/// Writes a comma, unless the collection has just been opened.
fn separate(bytes: &mut Vec<u8>) {
    if !matches!(bytes.last(), Some(b'{' | b'[')) {
        bytes.push(b',');
    }
}

fn quote(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\')) {
        bytes.extend_from_slice(&rest[..at]);
        match rest[at] {
            b'"' => bytes.extend_from_slice(b"\\\""),
            b'\\' => bytes.extend_from_slice(b"\\\\"),
            b'\n' => bytes.extend_from_slice(b"\\n"),
            control => appended(write!(bytes, "\\u{control:04x}")),
        }
        rest = &rest[at + 1..];
    }
    bytes.extend_from_slice(rest);
    bytes.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::super::{Value, read_cbor, read_json};
    use super::*;

    fn sample(mut writer: Writer) -> Vec<u8> {
        writer.open_map();
        writer.name("Text");
        writer.text("a \"quoted\"\n[word]{");
        writer.name("List");
        writer.open_list(2);
        for value in [50.0, 0.25] {
            writer.item();
            writer.double(value);
        }
        writer.close_list();
        writer.name("Empty");
        writer.open_map();
        writer.close_map();
        writer.name("At");
        writer.time(1_700_000_000_250);
        writer.close_map();
        writer.finish()
    }

    #[test]
    fn doubles_stay_doubles_and_times_are_tagged_in_cbor() {
        let bytes = sample(Writer::cbor());
        assert!(bytes.windows(9).any(|window| window == [0xfb, 0x40, 0x49, 0, 0, 0, 0, 0, 0]), "50.0 as f64");
        let value = read_cbor(&bytes).unwrap();
        assert_eq!(value.member("At"), Some(&Value::Seconds(1_700_000_000.25)));
    }

    #[test]
    fn floats_stay_32_bits_wide_in_cbor() {
        let mut writer = Writer::cbor();
        writer.float(42.5);
        assert_eq!(writer.finish(), [0xfa, 0x42, 0x2a, 0, 0]);
    }

    #[test]
    fn json_is_well_formed_and_times_keep_three_decimals() {
        let bytes = sample(Writer::json());
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.ends_with("\"At\":1700000000.250}"), "{text}");
        let value = read_json(&bytes).unwrap();
        assert_eq!(value.member("Text"), Some(&Value::Text("a \"quoted\"\n[word]{".to_owned())));
    }
}
