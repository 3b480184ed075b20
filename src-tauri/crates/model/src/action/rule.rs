//! The form of a field: lengths, patterns, ranges. What a rule is and where AWS states it stands with the field.

use serde::{Deserialize, Serialize};

use crate::id::{FleetId, GameSessionId, PlayerId, QueueName};

/// A field the service would refuse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// The field, as the request spells it in camelCase, with an index for items of lists: `gameProperties[2].key`.
    pub field: String,
    /// What is wrong and what would be right; a sentence.
    pub message: String,
    /// Nothing was entered: a form says so only once somebody has tried to send it.
    pub is_missing: bool,
}

/// What was found wrong so far.
#[derive(Debug, Default)]
pub(super) struct Rules {
    errors: Vec<FieldError>,
}

impl Rules {
    pub(super) fn found(self) -> Vec<FieldError> {
        self.errors
    }

    /// Notes a field as wrong.
    pub(super) fn wrong(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.errors.push(FieldError { field: field.into(), message: message.into(), is_missing: false });
    }

    /// Notes that nothing was entered in a field that needs something.
    fn missing(&mut self, field: &str) {
        let message = "This may not be empty.".to_owned();
        self.errors.push(FieldError { field: field.to_owned(), message, is_missing: true });
    }

    /// Notes a field as missing when there is nothing in it.
    pub(super) fn required(&mut self, field: &str, text: &str) {
        if text.is_empty() {
            self.missing(field);
        }
    }

    /// Notes the field as wrong when `right` does not hold.
    pub(super) fn require(&mut self, right: bool, field: &str, message: impl FnOnce() -> String) {
        if !right {
            self.wrong(field, message());
        }
    }

    /// Length in characters, both ends included.
    pub(super) fn length(&mut self, field: &str, text: &str, least: usize, most: usize) {
        let length = text.chars().count();
        if length < least && text.is_empty() {
            self.missing(field);
        } else if length < least {
            self.wrong(field, format!("At least {least} characters; these are {length}."));
        } else if length > most {
            self.wrong(field, format!("At most {most} characters; these are {length}."));
        }
    }

    /// Ids the caller chooses (AWS: IdStringModel, `[a-zA-Z0-9-]+`, 1 to 48).
    pub(super) fn token(&mut self, field: &str, text: &str) {
        self.length(field, text, 1, 48);
        self.letters(field, text, "-", "Only letters, digits and hyphens.");
    }

    /// Letters, digits and these others, nothing else.
    pub(super) fn letters(&mut self, field: &str, text: &str, others: &str, message: &str) {
        let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c));
        self.require(plain, field, || message.to_owned());
    }

    /// A fleet by its id (AWS: FleetId, `[a-z]*fleet-[a-zA-Z0-9-]+`, 1 to 128). The ARN, which many calls take as well,
    /// is refused: everything else here knows fleets by their ids.
    pub(super) fn fleet(&mut self, field: &str, id: &FleetId) {
        self.length(field, id.as_str(), 1, 128);
        let (prefix, rest) = id.as_str().split_once("fleet-").unwrap_or_default();
        let right = prefix.chars().all(|c| c.is_ascii_lowercase())
            && !rest.is_empty()
            && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        self.require(right || id.as_str().is_empty(), field, || {
            "A fleet is named by its id, which looks like fleet-1a2b, not by its name.".to_owned()
        });
    }

    /// An id with its prefix (AWS: AliasId `alias-\S+`, ScriptId `script-\S+`, at most 512); no ARN, like a fleet.
    pub(super) fn prefixed(&mut self, field: &str, id: &str, prefix: &str) {
        self.length(field, id, 1, 512);
        let right = id.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && !has_space(rest));
        self.require(right || id.is_empty(), field, || {
            format!("This is named by its id, which looks like {prefix}1a2b, not by its name.")
        });
    }

    /// A location (AWS: LocationStringModel, `[A-Za-z0-9-]+`, 1 to 64).
    pub(super) fn location(&mut self, field: &str, location: &str) {
        self.length(field, location, 1, 64);
        self.letters(field, location, "-", "A location is a Region, a Local Zone or custom-….");
    }

    /// Some ARN (AWS: ArnStringModel, `[a-zA-Z0-9:/-]+`, 1 to 512).
    pub(super) fn arn(&mut self, field: &str, arn: &str) {
        self.length(field, arn, 1, 512);
        self.letters(field, arn, ":/-", "An ARN has letters, digits, colons, slashes and hyphens only.");
    }

    /// A game session by its full ARN.
    pub(super) fn game_session(&mut self, field: &str, id: &GameSessionId) {
        self.arn(field, id.as_str());
        self.require(id.as_str().starts_with("arn:") && id.fleet_id().is_some(), field, || {
            "A game session is named by its full ARN: arn:aws:gamelift:REGION::gamesession/FLEET/ID."
                .to_owned()
        });
    }

    /// A queue by its name (AWS: GameSessionQueueName, `[a-zA-Z0-9-]+`, 1 to 128); no ARN, like a fleet.
    pub(super) fn queue(&mut self, field: &str, name: &QueueName) {
        self.length(field, name.as_str(), 1, 128);
        self.letters(
            field,
            name.as_str(),
            "-",
            "The name of a queue has letters, digits and hyphens only; its ARN is not its name.",
        );
    }

    /// A player (AWS: PlayerId, 1 to 1024).
    pub(super) fn player(&mut self, field: &str, id: &PlayerId) {
        self.length(field, id.as_str(), 1, 1024);
    }

    /// What is said of a player (AWS: PlayerData, 1 to 2048).
    pub(super) fn player_data(&mut self, field: &str, data: Option<&str>) {
        if let Some(data) = data {
            self.length(field, data, 1, 2048);
        }
    }

    /// A whole number within a range, both ends included.
    pub(super) fn range(&mut self, field: &str, value: i32, least: i32, most: i32) {
        self.require((least..=most).contains(&value), field, || {
            format!("From {least} to {most}; this is {value}.")
        });
    }
}

fn has_space(text: &str) -> bool {
    text.chars().any(char::is_whitespace)
}
