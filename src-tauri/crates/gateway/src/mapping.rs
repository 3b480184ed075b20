//! The SDK's records in the model's words, one submodule per subject.
//!
//! Owns the whole translation; nothing outside the gateway sees an SDK type. Members AWS declares optional but
//! always sends, and without which a record means nothing, are asked for with `need`.

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

/// A record that lacks a member it cannot be without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} came without {1}")]
pub(crate) struct Lacks(pub(crate) &'static str, pub(crate) &'static str);

/// The member, or what lacks it.
pub(crate) fn need<T>(member: Option<T>, record: &'static str, name: &'static str) -> Result<T, Lacks> {
    member.ok_or(Lacks(record, name))
}

/// Milliseconds. The SDK cuts its float of seconds, so a moment may read one millisecond early, but always the
/// same one.
pub(crate) fn moment(time: DateTime) -> Timestamp {
    let ms = i64::from(time.subsec_nanos() / 1_000_000);
    Timestamp::from_ms(time.secs().saturating_mul(1_000).saturating_add(ms))
}

/// The texts of a list of the SDK's enums.
pub(crate) fn texts<T: AsRef<str>>(values: Option<Vec<T>>) -> Vec<String> {
    values.unwrap_or_default().iter().map(|value| value.as_ref().to_owned()).collect()
}

/// The text of one of the SDK's enums.
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
