//! Maps the SDK's records to the model's types, one submodule per subject.
//!
//! Owns the whole translation; nothing outside the gateway sees an SDK type. `need` takes the members that AWS
//! declares optional but always sends, and without which a record means nothing.

use aws_sdk_gamelift::primitives::DateTime;
use liftdeck_model::Timestamp;

pub(crate) mod capacity;
pub(crate) mod configuration;
pub(crate) mod container;
pub(crate) mod content;
pub(crate) mod fleet;
pub(crate) mod game_session;
pub(crate) mod matchmaking;
pub(crate) mod placement;
pub(crate) mod routing;

/// A record that lacks a required member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} came without {1}")]
pub(crate) struct Lacks(pub(crate) &'static str, pub(crate) &'static str);

/// Returns the member, or an error that names the record and the missing member.
pub(crate) fn need<T>(member: Option<T>, record: &'static str, name: &'static str) -> Result<T, Lacks> {
    member.ok_or(Lacks(record, name))
}

/// Converts to milliseconds. The SDK truncates its float of seconds, so a moment may read one millisecond early, but
/// always the same one.
pub(crate) fn moment(time: DateTime) -> Timestamp {
    let ms = i64::from(time.subsec_nanos() / 1_000_000);
    Timestamp::from_ms(time.secs().saturating_mul(1_000).saturating_add(ms))
}

/// Converts a list of the SDK's enums to their texts.
pub(crate) fn texts<T: AsRef<str>>(values: Option<Vec<T>>) -> Vec<String> {
    values.unwrap_or_default().iter().map(|value| value.as_ref().to_owned()).collect()
}

/// Converts one of the SDK's enums to its text.
pub(crate) fn text<T: AsRef<str>>(value: Option<T>) -> Option<String> {
    value.map(|value| value.as_ref().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_keep_their_milliseconds_even_before_1970() {
        for ms in [1_700_000_000_123, 0, -1, -1_001] {
            assert_eq!(moment(DateTime::from_millis(ms)).as_ms(), ms);
        }
    }
}
