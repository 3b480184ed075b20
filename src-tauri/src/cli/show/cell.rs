//! A value in an answer, for people and for programs.

use liftdeck_model::game_session::{GameSessionStatus, GameSessionStatusReason};
use liftdeck_model::player_session::PlayerSessionStatus;
use liftdeck_model::time::in_words;
use liftdeck_model::{
    AccountId, AliasId, BuildId, FleetId, GameSessionId, Location, PlacementId, PlayerId, PlayerSessionId,
    QueueName, Region, ScriptId, Timestamp,
};
use serde_json::Value;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Nothing,
    Text(String),
    Count(i64),
    Real(f64),
    /// A moment: an age for people, RFC 3339 for programs.
    At(Timestamp),
    /// A length of time in milliseconds.
    Length(i64),
    Flag(bool),
    Many(Vec<String>),
}

/// Turns any value into a cell.
pub(crate) fn cell(value: impl Into<Cell>) -> Cell {
    value.into()
}

/// A name from a fixed set.
pub(crate) fn name(value: impl Into<&'static str>) -> Cell {
    Cell::Text(value.into().to_owned())
}

/// Several values of one kind.
pub(crate) fn many(values: impl IntoIterator<Item: ToString>) -> Cell {
    Cell::Many(values.into_iter().map(|value| value.to_string()).collect())
}

/// A moment, if there is one.
pub(crate) fn at(moment: impl Into<Option<Timestamp>>) -> Cell {
    moment.into().map_or(Cell::Nothing, Cell::At)
}

/// A length of time, if it is known.
pub(crate) fn length(ms: impl Into<Option<i64>>) -> Cell {
    ms.into().map_or(Cell::Nothing, Cell::Length)
}

impl Cell {
    /// The value as text, for people.
    pub(super) fn words(&self, now: Timestamp) -> String {
        match self {
            Self::Nothing => "–".to_owned(),
            Self::Text(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Real(real) => format!("{real:.1}"),
            Self::At(moment) => match now.since_ms(*moment) {
                age if age < 0 => format!("in {}", in_words(age)),
                age => format!("{} ago", in_words(age)),
            },
            Self::Length(ms) if (1..10_000).contains(ms) => format!("{:.1} s", *ms as f64 / 1_000.0),
            Self::Length(ms) => in_words(*ms),
            Self::Flag(is) => if *is { "yes" } else { "no" }.to_owned(),
            Self::Many(many) if many.is_empty() => "–".to_owned(),
            Self::Many(many) => many.join(", "),
        }
    }

    /// The value as JSON, for programs.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Nothing => Value::Null,
            Self::Text(text) => Value::from(text.as_str()),
            Self::Count(count) => Value::from(*count),
            Self::Real(real) => Value::from(*real),
            Self::At(moment) => Value::from(moment.to_rfc3339()),
            Self::Length(ms) => Value::from(*ms),
            Self::Flag(is) => Value::from(*is),
            Self::Many(many) => Value::from(many.clone()),
        }
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(there: Option<T>) -> Self {
        there.map_or(Self::Nothing, Into::into)
    }
}

impl<'a, T> From<&'a Option<T>> for Cell
where
    &'a T: Into<Self>,
{
    fn from(there: &'a Option<T>) -> Self {
        there.as_ref().into()
    }
}

macro_rules! cells {
    ($($kind:ident($value:ident) of $($type:ty),+: $made:expr;)+) => {$($(
        impl From<$type> for Cell {
            fn from($value: $type) -> Self {
                Self::$kind($made)
            }
        }
    )+)+};
}

cells! {
    Flag(is) of bool: is;
    Count(count) of i32, u32: count.into();
    Count(count) of i64: count;
    // No count comes near the limit of an `i64`.
    Count(count) of u64, usize: i64::try_from(count).unwrap_or(i64::MAX);
    Real(real) of f64: real;
    Many(many) of &Vec<String>: many.clone();
    Text(text) of
        String, &str, &String, &AccountId, &AliasId, &BuildId, &FleetId, &GameSessionId, &GameSessionStatus,
        &GameSessionStatusReason, &Location, &PlacementId, &PlayerId, &PlayerSessionId, &PlayerSessionStatus,
        &QueueName, &Region, &ScriptId: text.to_string();
}
