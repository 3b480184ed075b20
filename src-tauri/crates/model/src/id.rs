//! Newtypes for GameLift's identifiers. Deliberately unchecked: what the service sent is kept as sent.

macro_rules! string_id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, specta::Type)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the identifier exactly as the service or the operator wrote it.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The identifier as an owned text.
            pub fn into_string(self) -> String {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{:?}", self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    )+};
}

pub(crate) use string_id;

string_id! {
    /// A 12-digit AWS account.
    AccountId,
    /// An AWS Region code, the home Region of a resource, such as `eu-west-1`.
    Region,
    /// Where a fleet runs: a Region code, a Local Zone code or `custom-…` (AWS: API Reference, Location).
    Location,
    /// `fleet-…` or with a prefix such as `containerfleet-…`; never the ARN.
    FleetId,
    /// `alias-…`.
    AliasId,
    /// `build-…`.
    BuildId,
    /// `script-…`.
    ScriptId,
    /// Always a full ARN: `arn:aws:gamelift:<home region>::gamesession/<fleet id>/[<location>/]<id>`.
    GameSessionId,
    /// `psess-…`; not an ARN.
    PlayerSessionId,
    /// Chosen by the game, up to 1024 characters.
    PlayerId,
    /// Name of a game session queue, unique in its Region.
    QueueName,
    /// Chosen by whoever started the placement; unique over all Regions and never reused.
    PlacementId,
    /// A matchmaking ticket, chosen by the caller or a UUID.
    TicketId,
}

impl Region {
    /// Whether a text has the form of a Region code: lower-case words and a number, joined by hyphens.
    pub fn is_well_formed(text: &str) -> bool {
        let parts: Vec<&str> = text.split('-').collect();
        let Some((number, words)) = parts.split_last() else { return false };
        let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        words.len() >= 2
            && words.iter().all(is_word)
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    }
}

impl GameSessionId {
    /// Reads the full ARN of a game session; `None` for anything else.
    pub fn from_arn(text: &str) -> Option<Self> {
        Some(Self::from(text)).filter(|id| text.starts_with("arn:") && id.fleet_id().is_some())
    }

    /// The fleet part of the ARN, if the ARN has the documented form.
    pub fn fleet_id(&self) -> Option<FleetId> {
        let rest = self.0.split_once("gamesession/")?.1;
        rest.split('/').next().filter(|part| part.contains("fleet-")).map(FleetId::from)
    }

    /// The last part of the ARN: the idempotency token, placement id or generated id.
    pub fn short(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_session_arn_names_its_fleet_and_its_short_id() {
        let id = GameSessionId::from("arn:aws:gamelift:eu-west-1::gamesession/fleet-11/eu-north-1/plc-7");
        assert_eq!(id.fleet_id(), Some(FleetId::from("fleet-11")));
        assert_eq!(id.short(), "plc-7");
    }

    #[test]
    fn a_region_is_words_and_a_number() {
        for region in ["eu-west-1", "us-gov-east-1", "ap-southeast-12"] {
            assert!(Region::is_well_formed(region), "{region}");
        }
        for other in ["", "eu", "eu-west", "EU-west-1", "eu--1", "eu-west-1a", "eu-1"] {
            assert!(!Region::is_well_formed(other), "{other}");
        }
    }

    #[test]
    fn a_session_is_named_by_its_full_arn() {
        assert!(GameSessionId::from_arn("arn:aws:gamelift:eu-west-1::gamesession/fleet-1/s-1").is_some());
        assert_eq!(GameSessionId::from_arn("s-1"), None);
    }

    #[test]
    fn an_arn_without_a_fleet_part_has_no_fleet() {
        assert_eq!(GameSessionId::from("arn:aws:gamelift:eu-west-1:1:gamesession/abc").fleet_id(), None);
        assert_eq!(GameSessionId::from("rubbish").fleet_id(), None);
    }
}
