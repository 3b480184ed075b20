//! Message attributes: their shape, and the digest that lets a client check them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use sha2::Sha256;

use super::queue::Attribute;
use crate::service::ServiceError;
use crate::wire::{Blob, Text, input, structure};

input! {
    /// An attribute as a sender writes it.
    pub(super) struct AttributeInput {
        data_type: String = required("DataType", Text::length(1, 256)),
        text: Option<String> = optional("StringValue", Text::any()),
        bytes: Option<Vec<u8>> = optional("BinaryValue", Blob),
    }
}

impl From<AttributeInput> for Attribute {
    fn from(input: AttributeInput) -> Attribute {
        Attribute { data_type: input.data_type, text: input.text, bytes: input.bytes }
    }
}

/// The most attributes a message can have.
const MOST: usize = 10;

/// Refuses too many attributes, and types that are not text, number or bytes with an optional custom label (SQS
/// developer guide, message attributes).
pub(super) fn check<'a>(
    attributes: impl Iterator<Item = (&'a String, &'a AttributeInput)>,
) -> Result<(), ServiceError> {
    let refuse = |message: String| {
        Err(ServiceError::new("InvalidParameterValueException", message)
            .with_query_code("InvalidParameterValue"))
    };
    let mut count = 0;
    for (name, attribute) in attributes {
        count += 1;
        let kind = attribute.data_type.split('.').next().unwrap_or_default();
        let value = match kind {
            "String" | "Number" => attribute.text.as_ref().is_some_and(|text| !text.is_empty()),
            "Binary" => attribute.bytes.as_ref().is_some_and(|bytes| !bytes.is_empty()),
            _ => {
                return refuse(format!(
                    "The type of message (user) attribute '{name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String."
                ));
            }
        };
        if !value {
            return refuse(format!(
                "The message (user) attribute '{name}' must contain a non-empty message attribute value for message attribute type '{}'.",
                attribute.data_type
            ));
        }
    }
    if count > MOST {
        return refuse(format!(
            "Number of message attributes [{count}] exceeds the allowed maximum [{MOST}]."
        ));
    }
    Ok(())
}

structure!(Attribute, attribute, {
    "DataType" => attribute.data_type,
    "StringValue" => attribute.text,
    "BinaryValue" => attribute.bytes.as_ref().map(|bytes| STANDARD.encode(bytes)),
});

/// The MD5 of bytes in hexadecimal.
pub(super) fn md5_hex(bytes: &[u8]) -> String {
    hex(&Md5::digest(bytes))
}

/// The SHA-256 of bytes in hexadecimal.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing into a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The digest of attributes: name, type and value, each with its length, in order of name (SQS developer guide).
pub(super) fn digest(attributes: &BTreeMap<String, Attribute>) -> Option<String> {
    (!attributes.is_empty()).then(|| md5_hex(&encode(attributes)))
}

fn encode(attributes: &BTreeMap<String, Attribute>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, attribute) in attributes {
        append(&mut bytes, name.as_bytes());
        append(&mut bytes, attribute.data_type.as_bytes());
        match (&attribute.text, &attribute.bytes) {
            (_, Some(value)) => {
                bytes.push(2);
                append(&mut bytes, value);
            }
            (text, None) => {
                bytes.push(1);
                append(&mut bytes, text.as_deref().unwrap_or_default().as_bytes());
            }
        }
    }
    bytes
}

fn append(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend_from_slice(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend_from_slice(part);
}
