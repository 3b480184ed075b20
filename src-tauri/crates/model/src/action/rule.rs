//! The form of a field: lengths, patterns, ranges. What a rule is and where AWS states it stands with the field.

use serde::{Deserialize, Serialize};

/// A field the service would refuse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// The field, as the request spells it in camelCase, with an index for items of lists: `gameProperties[2].key`.
    pub field: String,
    /// What is wrong and what would be right; a sentence.
    pub message: String,
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
        self.errors.push(FieldError { field: field.into(), message: message.into() });
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
            self.wrong(field, "This may not be empty.");
        } else if length < least {
            self.wrong(field, format!("At least {least} characters; these are {length}."));
        } else if length > most {
            self.wrong(field, format!("At most {most} characters; these are {length}."));
        }
    }

    /// Ids the caller chooses (AWS: IdStringModel, `[a-zA-Z0-9-]+`, 1 to 48).
    pub(super) fn token(&mut self, field: &str, text: &str) {
        self.length(field, text, 1, 48);
        let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        self.require(plain, field, || "Only letters, digits and hyphens.".to_owned());
    }

    /// A whole number within a range, both ends included.
    pub(super) fn range(&mut self, field: &str, value: i32, least: i32, most: i32) {
        self.require((least..=most).contains(&value), field, || {
            format!("From {least} to {most}; this is {value}.")
        });
    }
}
