//! Why the connections file cannot be relied on.
//!
//! The file says which connections are production. The content of a truncated, unreadable or newer file is unknown,
//! so every connection is treated as production: nothing may be changed while there is a doubt. The file itself is
//! left as it is for a person to repair.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::home;
use crate::saved::{SavedConnection, VERSION};
use liftdeck_api::error::{AppError, ErrorKind};

/// What is wrong with the connections file.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Doubt {
    /// The system cannot read it.
    #[error("{0}")]
    Unread(String),
    /// It is not JSON of the expected form.
    #[error("The connections file {} is damaged or incomplete: {what}.", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A later version of Liftdeck wrote it.
    #[error("The connections file {} was written by a newer Liftdeck: its version is {found}, this one reads {VERSION}.", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
    },
}

impl Doubt {
    /// What a person can do about it.
    fn remedy(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "Update Liftdeck.",
            Self::Unread(_) => "Make the file readable for this user.",
            Self::Damaged { .. } => {
                "The file was left as it is: repair it or restore a copy. To start without it, move it elsewhere \
                 and save the connections again."
            }
        }
    }

    /// Explains in one text why nothing may be changed.
    pub fn objection(&self) -> String {
        format!(
            "Nothing can be changed: the file that says what is production cannot be trusted. {self} {}",
            self.remedy()
        )
    }

    /// Converts the doubt to an error.
    pub fn error(&self) -> AppError {
        AppError::new(ErrorKind::Refused, format!("Connections cannot be trusted or saved. {self}"))
            .remedy(self.remedy())
    }
}

/// Reads as much of the file as possible, and says what is wrong with it. An absent file contains no connections.
pub(super) fn read(path: &Path) -> (Map<String, Value>, Vec<SavedConnection>, Option<Doubt>) {
    let damaged =
        |what: &dyn std::fmt::Display| Some(Doubt::Damaged { path: path.to_owned(), what: what.to_string() });
    let text = match home::read(path) {
        Ok(Some(text)) => text,
        Ok(None) => return (Map::new(), Vec::new(), None),
        Err(error) => return (Map::new(), Vec::new(), Some(Doubt::Unread(error.to_string()))),
    };
    let keys: Map<String, Value> = match serde_json::from_str(&text) {
        Ok(keys) => keys,
        Err(error) => return (Map::new(), Vec::new(), damaged(&error)),
    };
    let Some(records) = keys.get("connections").and_then(Value::as_array) else {
        return (keys, Vec::new(), damaged(&"it has no list of connections"));
    };
    let mut doubt = match keys.get("version") {
        // Written before the file had a version.
        None => None,
        Some(version) if version.as_u64().is_some_and(|version| version <= VERSION) => None,
        Some(version) => Some(Doubt::Newer { path: path.to_owned(), found: version.to_string() }),
    };
    let mut saved = Vec::with_capacity(records.len());
    for record in records {
        match serde_json::from_value(record.clone()) {
            Ok(record) => saved.push(record),
            Err(error) => {
                let name = record.get("name").and_then(Value::as_str).unwrap_or("without a name");
                doubt = doubt.or_else(|| damaged(&format!("the connection {name} cannot be read: {error}")));
            }
        }
    }
    (keys, saved, doubt)
}
