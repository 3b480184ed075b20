//! Packs long texts for the disk: as zstd if that is shorter, otherwise as the text itself.
//!
//! Owns the column value of packed texts (type ANY in the schema). Deliberately has no dictionary: a text must be
//! readable from its own row alone.

use std::fmt;

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Sqlite, Type, TypeInfo, ValueRef};

use crate::error::StoreError;

/// Level 3 costs half as much as level 9 and compresses matchmaker data 3 % less.
const LEVEL: i32 = 3;
/// Shorter texts never get smaller.
const SHORTEST: usize = 96;
/// Matchmaker data has at most 390 000 characters (AWS) of at most 4 bytes each; a larger size can only mean damage.
const LONGEST_BYTES: usize = 4 * 1024 * 1024;

/// A packed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackedText {
    /// Uncompressed.
    Plain(Box<str>),
    /// Compressed.
    Zstd(Box<[u8]>),
}

/// Packs texts, reusing its working memory.
pub(crate) struct Packer {
    compressor: Option<zstd::bulk::Compressor<'static>>,
}

impl Packer {
    pub(crate) fn new() -> Self {
        // If no compressor can be created, texts stay plain.
        Self { compressor: zstd::bulk::Compressor::new(LEVEL).ok() }
    }

    pub(crate) fn pack(&mut self, text: &str) -> PackedText {
        if text.len() >= SHORTEST
            && let Some(compressor) = &mut self.compressor
            && let Ok(packed) = compressor.compress(text.as_bytes())
            && packed.len() < text.len()
        {
            return PackedText::Zstd(packed.into());
        }
        PackedText::Plain(text.into())
    }
}

impl PackedText {
    /// Returns the text; `of` names the row in the error.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] when the bytes are damaged.
    pub fn unpack(&self, of: &impl fmt::Display) -> Result<String, StoreError> {
        let unreadable = |why: String| StoreError::Unreadable { what: format!("a text of {of}: {why}") };
        match self {
            Self::Plain(text) => Ok(text.to_string()),
            Self::Zstd(bytes) => {
                let text = zstd::bulk::decompress(bytes, LONGEST_BYTES)
                    .map_err(|error| unreadable(error.to_string()))?;
                String::from_utf8(text).map_err(|error| unreadable(error.to_string()))
            }
        }
    }
}

impl Type<Sqlite> for PackedText {
    fn type_info() -> SqliteTypeInfo {
        <&[u8] as Type<Sqlite>>::type_info()
    }

    fn compatible(ty: &SqliteTypeInfo) -> bool {
        <&[u8] as Type<Sqlite>>::compatible(ty) || ty.is_null()
    }
}

impl Encode<'_, Sqlite> for PackedText {
    fn encode(self, args: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        match self {
            Self::Plain(text) => <String as Encode<'_, Sqlite>>::encode(text.into(), args),
            Self::Zstd(bytes) => <Vec<u8> as Encode<'_, Sqlite>>::encode(bytes.into(), args),
        }
    }

    fn encode_by_ref(&self, args: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        self.clone().encode(args)
    }
}

impl<'r> Decode<'r, Sqlite> for PackedText {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        if value.type_info().name() == "BLOB" {
            Ok(Self::Zstd(<Vec<u8> as Decode<'r, Sqlite>>::decode(value)?.into()))
        } else {
            Ok(Self::Plain(<String as Decode<'r, Sqlite>>::decode(value)?.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::GameSessionId;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_repetitive_text_is_packed_and_a_short_one_is_not() {
        let mut packer = Packer::new();
        assert!(matches!(packer.pack(&"abc".repeat(500)), PackedText::Zstd(bytes) if bytes.len() < 100));
        assert_eq!(packer.pack("abc"), PackedText::Plain("abc".into()));
    }

    #[test]
    fn damaged_bytes_are_an_error_that_names_the_session() {
        let error = PackedText::Zstd(Box::new([1, 2, 3]))
            .unpack(&GameSessionId::from("arn:x"))
            .expect_err("not zstd");
        assert!(error.to_string().contains("arn:x"), "{error}");
    }

    proptest! {
        #[test]
        fn every_text_comes_back(text in ".{0,400}") {
            let session = GameSessionId::from("arn:x");
            prop_assert_eq!(Packer::new().pack(&text).unpack(&session).unwrap(), text);
        }
    }
}
