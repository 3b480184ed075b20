//! Metadata of every command, and the form in which a call travels from any host to the code that answers it.

use liftdeck_model::observation::Subject;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::base64::Base64;
use serde_with::serde_as;
use specta::datatype::DataType;
use specta::{Type, Types};

use crate::error::{AppError, ErrorKind};
use crate::series::Columns;

/// What a command affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads, or tells the collector what to read first. Changes nothing, and keeps nothing beyond the life of the
    /// program.
    Read,
    /// Changes something at AWS, or controls a change in progress there.
    Change,
    /// Answers with a file, which the host saves where the person wants it.
    File,
    /// Changes Liftdeck's own data: settings, connections, presets, adopted queues.
    Setting,
}

/// A command as declared in the list.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// `noun_verb`.
    pub name: &'static str,
    /// What it affects.
    pub kind: Kind,
    /// Its documentation, in full sentences.
    pub about: &'static str,
    /// Its arguments by name, with their Rust types.
    pub arguments: &'static [(&'static str, &'static str)],
    /// The Rust type of its answer.
    pub answer: &'static str,
    /// Subjects whose changes make its answer stale.
    pub subjects: &'static [Subject],
}

impl Command {
    /// Finds the command with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|command| command.name == name)
    }
}

macro_rules! kind {
    (read) => {
        Kind::Read
    };
    (change) => {
        Kind::Change
    };
    (file) => {
        Kind::File
    };
    (setting) => {
        Kind::Setting
    };
}

macro_rules! table {
    ($(
        $(#[doc = $about:literal])+
        $kind:ident $name:ident($($argument:ident: $type:ty),*) -> $answer:ty [$($subject:ident)*];
    )*) => {
        /// Every command, in the order of the list.
        pub const COMMANDS: &[Command] = &[$(Command {
            name: stringify!($name),
            kind: kind!($kind),
            about: concat!($($about),+),
            arguments: &[$((stringify!($argument), stringify!($type))),*],
            answer: stringify!($answer),
            subjects: &[$(Subject::$subject),*],
        }),*];
    };
}

crate::commands!(table);

/// A call in transit: a command and its arguments, named as in TypeScript.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Name of the command.
    pub name: String,
    /// A JSON object, or null if there are no arguments.
    #[serde(default)]
    pub arguments: Value,
}

impl Call {
    /// Whether the command changes anything: at AWS, or in Liftdeck's own data.
    #[must_use]
    pub fn is_a_change(&self) -> bool {
        let changes = |command: &Command| matches!(command.kind, Kind::Change | Kind::Setting);
        Command::named(&self.name).is_some_and(changes)
    }

    /// Parses the arguments into the type a command takes.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`], naming the argument that does not fit.
    pub fn arguments<T: DeserializeOwned>(self) -> Result<T, AppError> {
        let arguments =
            if self.arguments.is_null() { Value::Object(serde_json::Map::new()) } else { self.arguments };
        serde_json::from_value(arguments).map_err(|error| {
            AppError::new(ErrorKind::InvalidInput, format!("`{}` does not take this: {error}.", self.name))
        })
    }

    /// The error for a command that does not exist.
    #[must_use]
    pub fn unknown(name: &str) -> AppError {
        AppError::new(ErrorKind::InvalidInput, format!("There is no command `{name}`."))
    }
}

/// An answer in transit. Where it has to be text, bytes are in Base64.
#[serde_as]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// JSON text.
    Json(String),
    /// Raw bytes.
    Bytes(#[serde_as(as = "Base64")] Vec<u8>),
    /// A file for the host to save.
    File {
        /// Suggested name, with its extension.
        name: String,
        /// Its content.
        #[serde_as(as = "Base64")]
        contents: Vec<u8>,
    },
}

/// A file produced by a command.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// Suggested name, with its extension.
    pub name: String,
    /// Its content.
    pub contents: Vec<u8>,
}

impl Type for File {
    fn definition(_: &mut Types) -> DataType {
        // The path the host wrote it to; null if the person cancelled.
        DataType::Reference(specta_typescript::define("string | null"))
    }
}

/// A return type of commands that can be turned into an [`Answer`].
pub trait IntoAnswer {
    /// Converts the value into the form that hosts carry.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if it cannot be serialised as JSON.
    fn into_answer(self) -> Result<Answer, AppError>;
}

impl<T: Serialize> IntoAnswer for T {
    fn into_answer(self) -> Result<Answer, AppError> {
        serde_json::to_string(&self).map(Answer::Json).map_err(|error| {
            AppError::new(ErrorKind::Internal, format!("The answer could not be written: {error}."))
        })
    }
}

impl IntoAnswer for Columns {
    fn into_answer(self) -> Result<Answer, AppError> {
        Ok(Answer::Bytes(self.into_bytes()))
    }
}

impl IntoAnswer for File {
    fn into_answer(self) -> Result<Answer, AppError> {
        let Self { name, contents } = self;
        Ok(Answer::File { name, contents })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_is_in_the_list_once() {
        let names: BTreeSet<&str> = COMMANDS.iter().map(|command| command.name).collect();
        assert_eq!(names.len(), COMMANDS.len());
    }

    #[test]
    fn arguments_that_do_not_fit_are_named() {
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Arguments {
            fleet_id: String,
        }
        let call = |arguments| Call { name: "fleet_get".to_owned(), arguments };
        let taken: Arguments = call(serde_json::json!({ "fleetId": "fleet-1" })).arguments().unwrap();
        assert_eq!(taken.fleet_id, "fleet-1");
        for (arguments, named) in [
            (Value::Null, "fleetId"),
            (serde_json::json!({ "fleetId": 7 }), "string"),
            (serde_json::json!({ "fleetId": "fleet-1", "fleet": 1 }), "`fleet`"),
        ] {
            let refused = call(arguments).arguments::<Arguments>().unwrap_err();
            assert_eq!(refused.kind, ErrorKind::InvalidInput);
            assert!(refused.message.contains(named), "{refused:?}");
        }
    }
}
