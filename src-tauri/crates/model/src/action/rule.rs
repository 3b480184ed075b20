//! Checks the form of a field: lengths, patterns, ranges. Each rule and its source at AWS are stated with the field.

use serde::{Deserialize, Serialize};

use crate::id::{FleetId, GameSessionId, PlayerId, QueueName};

/// A field the service would refuse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// The field, as the request spells it in camelCase, with an index for items of lists: `gameProperties[2].key`.
    pub field: String,
    /// What is wrong and what would be right, in a sentence.
    pub message: String,
    /// Nothing was entered. A form shows this only once somebody has tried to send it.
    pub is_missing: bool,
}

/// The errors found so far.
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

    /// Checks a length in characters, both ends included.
    pub(super) fn length(&mut self, field: &str, text: &str, least: usize, most: usize) {
        let length = text.chars().count();
        if length < least && text.is_empty() {
            self.missing(field);
        } else if length < least {
            self.wrong(field, format!("At least {least} characters, not {length}."));
        } else if length > most {
            self.wrong(field, format!("At most {most} characters, not {length}."));
        }
    }

    /// Checks an id chosen by the caller (AWS: IdStringModel, `[a-zA-Z0-9-]+`, 1 to 48).
    pub(super) fn token(&mut self, field: &str, text: &str) {
        self.length(field, text, 1, 48);
        self.letters(field, text, "-", "Only letters, digits and hyphens.");
    }

    /// Checks that a text has only letters, digits and the characters in `others`.
    pub(super) fn letters(&mut self, field: &str, text: &str, others: &str, message: &str) {
        let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c));
        self.require(plain, field, || message.to_owned());
    }

    /// Checks the id of a fleet (AWS: FleetId, `[a-z]*fleet-[a-zA-Z0-9-]+`, 1 to 128). The ARN, which many calls also
    /// accept, is refused because everything else here identifies fleets by id.
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

    /// Checks an id with its prefix (AWS: AliasId `alias-\S+`, ScriptId `script-\S+`, at most 512). Refuses the ARN,
    /// as for fleets.
    pub(super) fn prefixed(&mut self, field: &str, id: &str, prefix: &str) {
        self.length(field, id, 1, 512);
        let right = id.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && !has_space(rest));
        self.require(right || id.is_empty(), field, || {
            format!("This is named by its id, which looks like {prefix}1a2b, not by its name.")
        });
    }

    /// Checks a location (AWS: LocationStringModel, `[A-Za-z0-9-]+`, 1 to 64).
    pub(super) fn location(&mut self, field: &str, location: &str) {
        self.length(field, location, 1, 64);
        self.letters(field, location, "-", "A location is a Region, a Local Zone or custom-….");
    }

    /// Checks an ARN (AWS: ArnStringModel, `[a-zA-Z0-9:/-]+`, 1 to 512).
    pub(super) fn arn(&mut self, field: &str, arn: &str) {
        self.length(field, arn, 1, 512);
        self.letters(field, arn, ":/-", "An ARN has letters, digits, colons, slashes and hyphens only.");
    }

    /// Checks that a game session is named by its full ARN.
    pub(super) fn game_session(&mut self, field: &str, id: &GameSessionId) {
        self.arn(field, id.as_str());
        self.require(id.as_str().starts_with("arn:") && id.fleet_id().is_some(), field, || {
            "A game session is named by its full ARN: arn:aws:gamelift:REGION::gamesession/FLEET/ID."
                .to_owned()
        });
    }

    /// Checks the name of a queue (AWS: GameSessionQueueName, `[a-zA-Z0-9-]+`, 1 to 128). Refuses the ARN, as for
    /// fleets.
    pub(super) fn queue(&mut self, field: &str, name: &QueueName) {
        self.length(field, name.as_str(), 1, 128);
        self.letters(
            field,
            name.as_str(),
            "-",
            "The name of a queue has letters, digits and hyphens only; its ARN is not its name.",
        );
    }

    /// Checks a player id (AWS: PlayerId, 1 to 1024).
    pub(super) fn player(&mut self, field: &str, id: &PlayerId) {
        self.length(field, id.as_str(), 1, 1024);
    }

    /// Checks a player's data (AWS: PlayerData, 1 to 2048).
    pub(super) fn player_data(&mut self, field: &str, data: Option<&str>) {
        if let Some(data) = data {
            self.length(field, data, 1, 2048);
        }
    }

    /// Checks that a whole number is within a range, both ends included.
    pub(super) fn range(&mut self, field: &str, value: i32, least: i32, most: i32) {
        self.require((least..=most).contains(&value), field, || {
            format!("From {least} to {most}, not {value}.")
        });
    }
}

fn has_space(text: &str) -> bool {
    text.chars().any(char::is_whitespace)
}
