//! What an account is used for, which decides how much confirmation a change needs.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// The environment of an account, strictest first: if several apply, the lowest counts.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    specta::Type,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Environment {
    /// Players are on it: every change must be confirmed by typing.
    Production,
    /// Before production.
    Staging,
    /// A developer's own.
    Development,
    /// The simulator.
    Demo,
}

impl Environment {
    /// Its name, as written into files.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads its name. An unknown name may mean anything, so it is treated as the strictest.
    pub fn from_word(word: &str) -> Self {
        word.parse().unwrap_or(Self::Production)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written_and_an_unknown_one_is_the_strictest() {
        for mark in
            [Environment::Production, Environment::Staging, Environment::Development, Environment::Demo]
        {
            assert_eq!(Environment::from_word(mark.as_str()), mark);
            assert_eq!(serde_json::to_value(mark).unwrap(), mark.as_str());
        }
        assert_eq!(Environment::from_word("canary"), Environment::Production);
        assert_eq!(Environment::Demo.min(Environment::Staging), Environment::Staging);
    }
}
