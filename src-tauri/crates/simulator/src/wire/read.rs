//! Parses request bodies into trees: CBOR (RFC 8949, definite and indefinite lengths) and JSON.
//!
//! Refuses what no AWS client may send: trailing bytes, keys that are not text, nesting past the protocol's depth.

use std::collections::BTreeMap;

use minicbor::data::{Tag, Type};
use minicbor::decode::{Decoder, Error};

use super::Value;

/// The nesting depth at which AWS clients and services give up.
const MAX_DEPTH: usize = 128;

/// The CBOR tag of a time in seconds since the epoch (RFC 8949, 3.4.2).
const TIME: Tag = Tag::new(1);

/// A body that does not match its content type.
#[derive(Debug, thiserror::Error)]
#[error("the body could not be read: {0}")]
pub(crate) struct Malformed(String);

/// Reads a CBOR body; an empty body is an empty structure.
pub(crate) fn read_cbor(bytes: &[u8]) -> Result<Value, Malformed> {
    if bytes.is_empty() {
        return Ok(Value::Map(BTreeMap::new()));
    }
    let mut decoder = Decoder::new(bytes);
    let value = item(&mut decoder, 0).map_err(|error| Malformed(error.to_string()))?;
    if decoder.position() < bytes.len() {
        return Err(Malformed("bytes follow the value".to_owned()));
    }
    Ok(value)
}

/// Reads a JSON body; an empty body is an empty structure.
pub(crate) fn read_json(bytes: &[u8]) -> Result<Value, Malformed> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Value::Map(BTreeMap::new()));
    }
    serde_json::from_slice(bytes).map(from_json).map_err(|error| Malformed(error.to_string()))
}

fn from_json(value: serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(value),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Value::Int(whole),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        serde_json::Value::String(text) => Value::Text(text),
        serde_json::Value::Array(items) => Value::List(items.into_iter().map(from_json).collect()),
        serde_json::Value::Object(members) => {
            Value::Map(members.into_iter().map(|(name, value)| (name, from_json(value))).collect())
        }
    }
}

fn item(decoder: &mut Decoder<'_>, depth: usize) -> Result<Value, Error> {
    if depth > MAX_DEPTH {
        return Err(Error::message("nested too deeply"));
    }
    Ok(match decoder.datatype()? {
        Type::Null | Type::Undefined => {
            decoder.skip()?;
            Value::Null
        }
        Type::Bool => Value::Bool(decoder.bool()?),
        Type::U8
        | Type::U16
        | Type::U32
        | Type::U64
        | Type::I8
        | Type::I16
        | Type::I32
        | Type::I64
        | Type::Int => Value::Int(decoder.i64()?),
        Type::F16 | Type::F32 | Type::F64 => Value::Float(decoder.f64()?),
        Type::String | Type::StringIndef => Value::Text(decoder.str_iter()?.collect::<Result<String, _>>()?),
        Type::Bytes | Type::BytesIndef => {
            let chunks = decoder.bytes_iter()?.collect::<Result<Vec<_>, _>>()?;
            Value::Bytes(chunks.concat())
        }
        Type::Tag => {
            let tag = decoder.tag()?;
            let inner = item(decoder, depth + 1)?;
            match (tag == TIME, inner) {
                (true, Value::Int(seconds)) => Value::Seconds(seconds as f64),
                (true, Value::Float(seconds)) => Value::Seconds(seconds),
                _ => return Err(Error::message("a tag other than a time")),
            }
        }
        Type::Array | Type::ArrayIndef => list(decoder, depth)?,
        Type::Map | Type::MapIndef => map(decoder, depth)?,
        _ => return Err(Error::message("a type no protocol uses")),
    })
}

fn list(decoder: &mut Decoder<'_>, depth: usize) -> Result<Value, Error> {
    let length = decoder.array()?;
    let mut items = Vec::new();
    while more(decoder, length, items.len())? {
        items.push(item(decoder, depth + 1)?);
    }
    Ok(Value::List(items))
}

fn map(decoder: &mut Decoder<'_>, depth: usize) -> Result<Value, Error> {
    let length = decoder.map()?;
    let mut members = BTreeMap::new();
    let mut read = 0;
    while more(decoder, length, read)? {
        let name = decoder.str_iter()?.collect::<Result<String, _>>()?;
        members.insert(name, item(decoder, depth + 1)?);
        read += 1;
    }
    Ok(Value::Map(members))
}

/// Whether another item of a collection follows; consumes the break of an indefinite one.
fn more(decoder: &mut Decoder<'_>, length: Option<u64>, read: usize) -> Result<bool, Error> {
    match length {
        Some(length) => Ok((read as u64) < length),
        None if decoder.datatype()? == Type::Break => {
            decoder.skip()?;
            Ok(false)
        }
        None => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    #[test]
    fn the_bodies_the_rust_sdk_sends_are_read() {
        let sessions = read_cbor(&bytes("bf67466c656574496467666c6565742d31654c696d69740aff")).unwrap();
        assert_eq!(sessions.member("FleetId"), Some(&Value::Text("fleet-1".to_owned())));
        assert_eq!(sessions.member("Limit"), Some(&Value::Int(10)));
        let events = bytes("bf67466c656574496467666c6565742d3169537461727454696d65c1fb41d954fc40200000ff");
        let events = read_cbor(&events).unwrap();
        assert_eq!(events.member("StartTime"), Some(&Value::Seconds(1_700_000_000.5)));
        assert_eq!(read_cbor(&bytes("bfff")).unwrap(), Value::Map(BTreeMap::new()));
    }

    #[test]
    fn damaged_bodies_are_refused() {
        for hex in ["bf67", "bfff00", "a101", "ff", "c2fb41d954fc40200000"] {
            assert!(read_cbor(&bytes(hex)).is_err(), "{hex}");
        }
        assert!(read_cbor(&[0x81; 400]).is_err());
        assert!(read_json(b"{\"FleetId\":").is_err());
    }

    #[test]
    fn null_members_are_absent_in_both_encodings() {
        let cbor = read_cbor(&bytes("a167466c6565744964f6")).unwrap();
        let json = read_json(b"{\"FleetId\":null}").unwrap();
        assert_eq!(cbor, json);
        assert_eq!(cbor.member("FleetId"), None);
    }
}
