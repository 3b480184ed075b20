//! Numbers that cross as a JavaScript `number`: epoch milliseconds and fractions.
//!
//! specta refuses 64-bit integers and calls floats nullable. Both are right in general and wrong here: times fit
//! into 53 bits for 285 000 years, and a `Real` is finite by construction.

use liftdeck_model::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use specta::datatype::DataType;
use specta::{Type, Types};
use specta_typescript::Number;

/// A moment or a length of time in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(crate) struct Ms(pub(crate) i64);

/// A finite number.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Real(f64);

impl Real {
    /// The number, or zero in place of a NaN or an infinity, which JSON cannot carry.
    pub(crate) fn new(value: f64) -> Self {
        Self(if value.is_finite() { value } else { 0.0 })
    }

    /// The number, or nothing in place of a NaN or an infinity.
    pub(crate) fn finite(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self(value))
    }

    /// The number.
    pub(crate) const fn get(self) -> f64 {
        self.0
    }
}

impl Ms {
    /// The moment this number names.
    pub(crate) const fn timestamp(self) -> Timestamp {
        Timestamp::from_ms(self.0)
    }
}

impl From<Timestamp> for Ms {
    fn from(moment: Timestamp) -> Self {
        Self(moment.as_ms())
    }
}

/// JavaScript computes times as floats: a brushed range has fractions of a millisecond.
impl<'de> Deserialize<'de> for Ms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(|ms| Self(ms.round() as i64))
    }
}

impl Type for Ms {
    fn definition(types: &mut Types) -> DataType {
        Number::<()>::definition(types)
    }
}

impl Type for Real {
    fn definition(types: &mut Types) -> DataType {
        Number::<()>::definition(types)
    }
}

/// A count as the window takes it; a count below zero or beyond 32 bits is cut.
pub(crate) fn count(value: impl TryInto<i64>) -> u32 {
    let value = value.try_into().unwrap_or(i64::MAX);
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_computed_by_javascript_is_rounded_to_the_millisecond() {
        let ms: Ms = serde_json::from_str("1700000000000.6").unwrap();
        assert_eq!(ms, Ms(1_700_000_000_001));
        assert_eq!(serde_json::to_string(&ms).unwrap(), "1700000000001");
    }

    #[test]
    fn what_json_cannot_carry_is_never_written_as_null() {
        assert_eq!(serde_json::to_string(&Real::new(f64::NAN)).unwrap(), "0.0");
        assert_eq!(Real::finite(f64::INFINITY), None);
    }

    #[test]
    fn a_count_is_cut_to_what_it_can_be() {
        assert_eq!(count(-3_i64), 0);
        assert_eq!(count(7_u64), 7);
        assert_eq!(count(u64::MAX), u32::MAX);
    }
}
