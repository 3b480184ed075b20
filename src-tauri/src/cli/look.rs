//! Where reading commands get their data, and the one way they ask for it.
//!
//! Owns finding the database from the options and asking with the commands of `liftdeck-api`, as every host does. It
//! asks the program that has the database open, through its socket, or else reads the database without asking AWS.
//! Deliberately writes nothing.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::settings::AppState;
use liftdeck_api::{Answer, AppError, Call, ErrorKind};
use liftdeck_app::connections::Connections;
use liftdeck_app::{App, AppOptions, clock, command_socket};
use liftdeck_insight::AlertList;
use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::operate::by_name;
use super::{Caller, Failure};
use crate::socket::Remote;

/// Where to look.
#[derive(Debug, Default, Args)]
pub(crate) struct ReadOptions {
    /// A saved connection, by name [default: the one opened last]
    #[arg(long, value_name = "NAME", conflicts_with = "db", add = super::complete::connections())]
    pub(crate) connection: Option<String>,
    /// A database instead of a saved connection; it is only read, and may be in use
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
}

/// A database that a command reads.
pub(crate) struct ReadConnection {
    source: Source,
    connection: Option<ConnectionSummary>,
}

/// What answers the questions.
enum Source {
    /// The program that has the database open: it knows how collection is going, and may ask AWS.
    Remote(Remote),
    /// This process, from the database alone.
    Own(Arc<App>),
}

impl ReadConnection {
    /// Opens the database that the options name.
    ///
    /// # Errors
    /// `usage` if no database is named and none is the obvious default; otherwise when the database cannot be used.
    pub(crate) async fn open(caller: &Caller, options: &ReadOptions) -> Result<Self, Failure> {
        if caller.shared().is_some() {
            // Opening and closing the file here would give up SQLite's locks on it.
            return Err(Failure::usage("This command must run in its own process."));
        }
        if let Some(remote) = Remote::with(&database(caller, options)?).await {
            let source = Source::Remote(remote);
            let state: AppState = read("app_state", source.answer(call("app_state", Value::Null)).await)?;
            return Ok(Self { source, connection: state.current });
        }
        let app = App::new(AppOptions::new(caller.home()?, clock::wall(), command_socket::nobody()))?;
        let turn = app.turn().await;
        let opened = match &options.db {
            Some(db) => Box::pin(app.look_at_file(&caller.path(db), turn)).await,
            None => {
                let id = meant(&caller.connections()?, options.connection.as_deref())?.id;
                Box::pin(app.look_at_connection(&id, turn)).await
            }
        };
        opened?;
        let connection = app.app_state().current;
        Ok(Self { source: Source::Own(app), connection })
    }

    /// Asks a question.
    ///
    /// # Errors
    /// As for [`ask`].
    pub(crate) async fn ask<T: DeserializeOwned>(&self, name: &str, arguments: Value) -> Result<T, Failure> {
        read(name, self.source.answer(call(name, arguments)).await)
    }

    /// Asks a question whose answer may be of any form.
    ///
    /// # Errors
    /// As for [`ask`].
    pub(crate) async fn answer(&self, call: Call) -> Result<Answer, Failure> {
        self.source.answer(call).await.map_err(refused)
    }

    /// Whether AWS has never answered anything: what is not listed is then not known to be absent.
    ///
    /// # Errors
    /// As for [`ask`].
    pub(crate) async fn is_never_read(&self) -> Result<bool, Failure> {
        let range = TimeRange::new(self.now(), self.now().plus_ms(1));
        let list: AlertList = self.ask("alert_list", json!({ "range": range })).await?;
        Ok(list.knowledge.is_never_read())
    }

    /// The current time.
    pub(crate) fn now(&self) -> Timestamp {
        clock::now()
    }

    /// The connection that is read: a saved one, or a database under its file's name.
    pub(crate) const fn connection(&self) -> Option<&ConnectionSummary> {
        self.connection.as_ref()
    }

    /// Closes the database.
    pub(crate) async fn close(self) {
        if let Source::Own(app) = self.source {
            app.close().await;
        }
    }
}

impl Source {
    async fn answer(&self, call: Call) -> Result<Answer, AppError> {
        match self {
            Self::Remote(remote) => remote.ask(call).await,
            Self::Own(app) => Box::pin(app.ask(call)).await,
        }
    }
}

/// The path of the database that the options name. It need not exist.
///
/// # Errors
/// As for [`ReadConnection::open`].
pub(super) fn database(caller: &Caller, options: &ReadOptions) -> Result<PathBuf, Failure> {
    if let Some(db) = &options.db {
        return Ok(caller.path(db));
    }
    let meant = meant(&caller.connections()?, options.connection.as_deref())?;
    Ok(caller.home()?.database_file(&meant.id)?)
}

/// Asks a question with a command of the API. There is no other way to ask.
///
/// # Errors
/// The core's refusal; invalid input counts as wrong use of the command.
pub(super) async fn ask<T: DeserializeOwned>(app: &App, name: &str, arguments: Value) -> Result<T, Failure> {
    read(name, Box::pin(app.ask(call(name, arguments))).await)
}

fn call(name: &str, arguments: Value) -> Call {
    Call { name: name.to_owned(), arguments }
}

fn refused(error: AppError) -> Failure {
    match error.kind {
        ErrorKind::InvalidInput => Failure::usage(Failure::from(error).to_string()),
        _ => Failure::from(error),
    }
}

fn read<T: DeserializeOwned>(name: &str, answer: Result<Answer, AppError>) -> Result<T, Failure> {
    let answer = answer.map_err(refused)?;
    let unreadable =
        |why: &dyn std::fmt::Display| Failure::new(format!("The answer to `{name}` cannot be read: {why}."));
    match answer {
        Answer::Json(text) => serde_json::from_str(&text).map_err(|error| unreadable(&error)),
        Answer::Bytes(_) | Answer::File { .. } => Err(unreadable(&"it is not JSON")),
    }
}

/// Finds the connection: the one named, else the one opened last, else the only one there is.
pub(super) fn meant(connections: &Connections, named: Option<&str>) -> Result<ConnectionSummary, Failure> {
    if let Some(name) = named {
        return by_name(connections, name);
    }
    let saved = connections.list();
    if let Some(doubt) = connections.doubt() {
        return Err(doubt.error().into());
    }
    let only = || match saved.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    };
    connections.last().or_else(only).ok_or_else(|| {
        let known: Vec<&str> = saved.iter().map(|one| one.name.as_str()).collect();
        Failure::usage(match known.as_slice() {
            [] => "Name a database with --db FILE. No connection is saved yet.".to_owned(),
            known => format!("Name a connection with --connection: {}.", known.join(", ")),
        })
    })
}
