//! Packs identifiers for the disk: 16 bytes where AWS gives a UUID, text otherwise.
//!
//! Owns the mapping between an identifier and its column value (type ANY in the schema), and the ranges of codes that
//! match a typed prefix. Every identifier comes back exactly as it went in. Deliberately knows nothing about tables.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Sqlite, Type, TypeInfo, ValueRef};

/// Prefixes an identifier may have before its UUID. The position is the tag byte of a 17-byte code, so the order is
/// fixed.
const PREFIXES: [&str; 2] = ["psess-", "gsess-"];

/// A packed identifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A lower-case UUID: its 16 bytes, or 17 with the tag of a known prefix in front.
    Packed(Box<[u8]>),
    /// Any other identifier.
    Text(Box<str>),
}

impl Code {
    /// Packs an identifier.
    pub fn encode(text: &str) -> Self {
        if let Some(bytes) = uuid_bytes(text) {
            return Self::Packed(Box::new(bytes));
        }
        for (tag, prefix) in (0_u8..).zip(PREFIXES) {
            if let Some(bytes) = text.strip_prefix(prefix).and_then(uuid_bytes) {
                let mut packed = Vec::with_capacity(17);
                packed.push(tag);
                packed.extend_from_slice(&bytes);
                return Self::Packed(packed.into());
            }
        }
        Self::Text(text.into())
    }

    /// Returns the identifier as AWS gave it.
    pub fn decode(&self) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            Self::Packed(bytes) => match bytes.split_first() {
                Some((tag, uuid)) if bytes.len() == 17 => {
                    let prefix = PREFIXES.get(usize::from(*tag)).copied().unwrap_or_default();
                    format!("{prefix}{}", hyphenated(uuid))
                }
                _ => hyphenated(bytes),
            },
        }
    }

    /// The ranges of codes, lower bound inclusive and upper exclusive, whose identifiers begin with `prefix`; `None`
    /// as upper bound means "to the end of that type". Use each as `id >= ? AND id < ?` and join them with OR.
    pub fn ranges_of_prefix(prefix: &str) -> Vec<(Self, Option<Self>)> {
        let mut ranges = vec![(Self::Text(prefix.into()), text_successor(prefix).map(Self::Text))];
        let mut packed = |tag: Option<u8>, rest: &str| {
            if let Some((low, high)) = uuid_range(rest) {
                let front = |bytes: Vec<u8>| Self::Packed(tag.into_iter().chain(bytes).collect());
                let end = high.map(front).or_else(|| tag.map(|tag| Self::Packed(Box::new([tag + 1]))));
                ranges.push((front(low), end));
            }
        };
        packed(None, prefix);
        for (tag, known) in (0_u8..).zip(PREFIXES) {
            if known.starts_with(prefix) {
                packed(Some(tag), "");
            } else if let Some(rest) = prefix.strip_prefix(known) {
                packed(Some(tag), rest);
            }
        }
        ranges
    }
}

const HYPHENS: [usize; 4] = [8, 13, 18, 23];

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        // An upper-case UUID would not come back as it went in.
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

fn uuid_bytes(text: &str) -> Option<[u8; 16]> {
    if text.len() != 36 {
        return None;
    }
    let mut bytes = [0_u8; 16];
    let mut digits = 0_usize;
    for (index, digit) in text.bytes().enumerate() {
        if HYPHENS.contains(&index) {
            if digit != b'-' {
                return None;
            }
        } else {
            let byte = bytes.get_mut(digits / 2)?;
            *byte = *byte << 4 | nibble(digit)?;
            digits += 1;
        }
    }
    Some(bytes)
}

fn hyphenated(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    text
}

/// The range of bytes of the UUIDs that begin with `prefix`, upper bound exclusive; `None` if no UUID does.
fn uuid_range(prefix: &str) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
    if prefix.len() > 36 {
        return None;
    }
    let mut digits = Vec::with_capacity(32);
    for (index, digit) in prefix.bytes().enumerate() {
        if HYPHENS.contains(&index) {
            if digit != b'-' {
                return None;
            }
        } else {
            digits.push(nibble(digit)?);
        }
    }
    let pack = |digits: &[u8]| -> Vec<u8> {
        digits
            .chunks(2)
            .map(|pair| pair.first().copied().unwrap_or(0) << 4 | pair.get(1).copied().unwrap_or(0))
            .collect()
    };
    let low = pack(&digits);
    let mut next = digits;
    while let Some(last) = next.pop() {
        if last < 15 {
            next.push(last + 1);
            return Some((low, Some(pack(&next))));
        }
    }
    Some((low, None))
}

/// The smallest text above every text that begins with `prefix`.
fn text_successor(prefix: &str) -> Option<Box<str>> {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            chars.push(next);
            return Some(chars.into_iter().collect::<String>().into());
        }
    }
    None
}

impl Type<Sqlite> for Code {
    fn type_info() -> SqliteTypeInfo {
        <&[u8] as Type<Sqlite>>::type_info()
    }

    fn compatible(ty: &SqliteTypeInfo) -> bool {
        <&[u8] as Type<Sqlite>>::compatible(ty) || ty.is_null()
    }
}

impl Encode<'_, Sqlite> for Code {
    fn encode(self, args: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        match self {
            Self::Packed(bytes) => <Vec<u8> as Encode<'_, Sqlite>>::encode(bytes.into(), args),
            Self::Text(text) => <String as Encode<'_, Sqlite>>::encode(text.into(), args),
        }
    }

    fn encode_by_ref(&self, args: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        self.clone().encode(args)
    }
}

impl<'r> Decode<'r, Sqlite> for Code {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        if value.type_info().name() == "BLOB" {
            Ok(Self::Packed(<Vec<u8> as Decode<'r, Sqlite>>::decode(value)?.into()))
        } else {
            Ok(Self::Text(<String as Decode<'r, Sqlite>>::decode(value)?.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const UUID: &str = "0b7c1f52-6a3e-4d8f-9b21-5e0c9a7d3f10";

    #[test]
    fn a_uuid_takes_sixteen_bytes_and_a_prefixed_one_seventeen() {
        assert!(matches!(Code::encode(UUID), Code::Packed(bytes) if bytes.len() == 16));
        assert!(matches!(Code::encode(&format!("psess-{UUID}")), Code::Packed(bytes) if bytes.len() == 17));
    }

    #[test]
    fn what_would_not_come_back_exactly_stays_text() {
        for text in [
            UUID.to_uppercase(),
            format!("psess-{}", UUID.to_uppercase()),
            "psess-5f0e1d2c-0001".into(),
            String::new(),
        ] {
            assert_eq!(Code::encode(&text), Code::Text(text.as_str().into()));
        }
    }

    fn within(code: &Code, low: &Code, high: Option<&Code>) -> bool {
        let key = |code: &Code| match code {
            Code::Text(text) => (0, text.as_bytes().to_vec()),
            Code::Packed(bytes) => (1, bytes.to_vec()),
        };
        let (kind, bytes) = key(code);
        let (low_kind, low_bytes) = key(low);
        kind == low_kind && bytes >= low_bytes && high.is_none_or(|high| bytes < key(high).1)
    }

    proptest! {
        #[test]
        fn every_text_comes_back_as_it_went_in(text in ".{0,40}") {
            prop_assert_eq!(Code::encode(&text).decode(), text);
        }

        #[test]
        fn every_uuid_comes_back_and_is_found_by_each_of_its_prefixes(bytes in any::<[u8; 16]>(), prefix in 0..3_usize, cut in 0..=42_usize) {
            let prefix = ["", "psess-", "gsess-"][prefix];
            let text = format!("{prefix}{}", hyphenated(&bytes));
            let code = Code::encode(&text);
            prop_assert_eq!(code.decode(), text.clone());
            let typed = &text[..cut.min(text.len())];
            let ranges = Code::ranges_of_prefix(typed);
            prop_assert!(ranges.iter().any(|(low, high)| within(&code, low, high.as_ref())), "{typed} {ranges:?}");
        }
    }
}
