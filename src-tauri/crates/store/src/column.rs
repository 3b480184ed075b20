//! Reads rows by column name, straight into the types of the model.
//!
//! Owns how each type is stored. Columns may be reordered freely, and a renamed or dropped column fails the first
//! test that reads its row; reading by position would silently return its neighbour.

use liftdeck_model::activity::{ActivityId, RunId};
use liftdeck_model::{
    FleetId, Location, PlacementId, PlayerId, PlayerSessionId, QueueName, Region, TicketId, Timestamp,
};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row as _, Sqlite, Type};

use crate::code::Code;
use crate::error::StoreError;
use crate::text::PackedText;

/// A type that a column can be read into.
pub(crate) trait FromColumn: Sized {
    /// The type that sqlx decodes the column to.
    type Kept: for<'r> Decode<'r, Sqlite> + Type<Sqlite>;

    fn from_column(kept: Self::Kept) -> Self;
}

macro_rules! kept_as {
    ($kept:ty: $($read:ty),+ => $how:expr) => {$(
        impl FromColumn for $read {
            type Kept = $kept;

            fn from_column(kept: $kept) -> Self {
                let how: fn($kept) -> Self = $how;
                how(kept)
            }
        }
    )+};
}

kept_as!(bool: bool => |kept| kept);
kept_as!(i32: i32 => |kept| kept);
kept_as!(i64: i64 => |kept| kept);
kept_as!(String: String => |kept| kept);
kept_as!(Vec<u8>: Vec<u8> => |kept| kept);
kept_as!(Code: Code => |kept| kept);
kept_as!(PackedText: PackedText => |kept| kept);
kept_as!(i64: Timestamp => Timestamp::from_ms);
// Counts. A negative count can only mean damage, and is read as 0.
kept_as!(i64: u64 => |kept| u64::try_from(kept).unwrap_or(0));
kept_as!(String: ActivityId, FleetId, Location, PlacementId, QueueName, Region, RunId, TicketId => Self::new);
kept_as!(Code: PlayerId, PlayerSessionId => |kept| Self::new(kept.decode()));

impl<T: FromColumn> FromColumn for Option<T>
where
    Option<T::Kept>: for<'r> Decode<'r, Sqlite> + Type<Sqlite>,
{
    type Kept = Option<T::Kept>;

    fn from_column(kept: Self::Kept) -> Self {
        kept.map(T::from_column)
    }
}

/// Reads columns by name.
pub(crate) trait Columns {
    /// The value of a column.
    fn read<T: FromColumn>(&self, name: &str) -> Result<T, StoreError>;

    /// The text of a column, borrowed; NULL is an error.
    fn text(&self, name: &str) -> Result<&str, StoreError>;

    /// The bytes of a column, likewise.
    fn bytes(&self, name: &str) -> Result<&[u8], StoreError>;

    /// The parsed JSON of a column; `None` for NULL.
    fn json_or_none<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError>;

    /// The enum variant whose name, as serde spells it, is in a column.
    fn word<T: DeserializeOwned>(&self, name: &str) -> Result<T, StoreError> {
        let word: StrDeserializer<'_, serde::de::value::Error> = self.text(name)?.into_deserializer();
        T::deserialize(word).map_err(|error| unreadable(name, error))
    }

    /// The parsed JSON of a column.
    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, StoreError> {
        parsed(name, self.text(name)?)
    }
}

fn parsed<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| unreadable(name, error))
}

fn unreadable(name: &str, error: impl std::fmt::Display) -> StoreError {
    StoreError::Unreadable { what: format!("{name}: {error}") }
}

impl Columns for SqliteRow {
    fn read<T: FromColumn>(&self, name: &str) -> Result<T, StoreError> {
        Ok(T::from_column(self.try_get(name)?))
    }

    fn text(&self, name: &str) -> Result<&str, StoreError> {
        Ok(self.try_get(name)?)
    }

    fn bytes(&self, name: &str) -> Result<&[u8], StoreError> {
        Ok(self.try_get(name)?)
    }

    fn json_or_none<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        self.try_get::<Option<&str>, _>(name)?.map(|text| parsed(name, text)).transpose()
    }
}
