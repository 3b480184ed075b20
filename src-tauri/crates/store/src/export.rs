//! Exports everything that was collected, as tables for other programs.
//!
//! Owns the kinds, their columns and the formats. Columns are GameLift's own field names in snake_case; times are
//! RFC 3339 in UTC. Rows are read and written in batches, so memory does not grow with the database, and no read
//! transaction stays open between them.

mod activity;
mod configuration;
mod event;
mod metric;
mod session;
mod sink;

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use liftdeck_model::Timestamp;
use liftdeck_model::query::Query;
use liftdeck_model::time::TimeRange;
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::activity::export_activities;
pub use self::sink::{Cell, Sink, csv_record};
use crate::error::StoreError;
use crate::reader::Reader;

/// What can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Fleets, including those that are gone.
    Fleets,
    /// Locations of fleets.
    FleetLocations,
    /// Newest instance counts of each location.
    FleetCapacity,
    /// Fleet events.
    FleetEvents,
    /// Scaling policies.
    ScalingPolicies,
    /// Changes to the desired instances.
    ScalingSteps,
    /// Game sessions.
    GameSessions,
    /// Player sessions.
    PlayerSessions,
    /// Outcomes of placements.
    Placements,
    /// Queues.
    Queues,
    /// Aliases.
    Aliases,
    /// FlexMatch events.
    MatchmakingEvents,
    /// Builds.
    Builds,
    /// Realtime scripts.
    Scripts,
    /// Metric samples.
    Metrics,
    /// What this installation changed.
    Activity,
}

impl Kind {
    /// Every kind with its name on the command line.
    pub const ALL: [(&'static str, Self); 16] = [
        ("fleets", Self::Fleets),
        ("fleet-locations", Self::FleetLocations),
        ("fleet-capacity", Self::FleetCapacity),
        ("fleet-events", Self::FleetEvents),
        ("scaling-policies", Self::ScalingPolicies),
        ("scaling-steps", Self::ScalingSteps),
        ("game-sessions", Self::GameSessions),
        ("player-sessions", Self::PlayerSessions),
        ("placements", Self::Placements),
        ("queues", Self::Queues),
        ("aliases", Self::Aliases),
        ("matchmaking-events", Self::MatchmakingEvents),
        ("builds", Self::Builds),
        ("scripts", Self::Scripts),
        ("metrics", Self::Metrics),
        ("activity", Self::Activity),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether its rows have a time; the other kinds hold the current state.
    pub const fn has_times(self) -> bool {
        match self {
            Self::FleetEvents
            | Self::ScalingSteps
            | Self::GameSessions
            | Self::PlayerSessions
            | Self::Placements
            | Self::MatchmakingEvents
            | Self::Metrics
            | Self::Activity => true,
            Self::Fleets
            | Self::FleetLocations
            | Self::FleetCapacity
            | Self::ScalingPolicies
            | Self::Queues
            | Self::Aliases
            | Self::Builds
            | Self::Scripts => false,
        }
    }

    /// Whether a query can select among the rows.
    pub const fn takes_query(self) -> bool {
        matches!(self, Self::GameSessions | Self::PlayerSessions)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no kind or format.
#[derive(Debug, thiserror::Error)]
#[error("`{word}` is not one of {choices}")]
pub struct UnknownWord {
    word: String,
    choices: String,
}

impl FromStr for Kind {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let found = Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
        let choices = || Self::ALL.map(|(name, _)| name).join(", ");
        found.ok_or_else(|| UnknownWord { word: word.to_owned(), choices: choices() })
    }
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// One JSON object per line.
    Ndjson,
    /// RFC 4180 with a header, safe to open in a spreadsheet; nested values as JSON.
    Csv,
    /// The same, but with every text unchanged. Only the command line offers it.
    #[serde(skip)]
    ExactCsv,
    /// One JSON array.
    Json,
}

impl Format {
    /// The file name extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            Self::Csv | Self::ExactCsv => "csv",
            Self::Json => "json",
        }
    }
}

impl FromStr for Format {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "ndjson" => Ok(Self::Ndjson),
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            _ => Err(UnknownWord { word: word.to_owned(), choices: "ndjson, csv, json".to_owned() }),
        }
    }
}

/// What to export.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    /// Which table.
    pub kind: Kind,
    /// How it is written.
    pub format: Format,
    /// Selects game sessions and their player sessions; other kinds take no query.
    pub query: Query,
    /// Start of the range: sessions that ran then or later, and events and samples from then on.
    pub since: Option<Timestamp>,
    /// End of the range, exclusive.
    pub until: Option<Timestamp>,
    /// The current time, for the ages in a query.
    pub now: Timestamp,
}

impl ExportRequest {
    /// The requested range, with open ends filled in.
    pub fn range(&self) -> TimeRange {
        let from = self.since.unwrap_or(Timestamp::from_ms(i64::MIN / 4));
        TimeRange::new(from, self.until.unwrap_or(Timestamp::from_ms(i64::MAX / 4)))
    }
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The rows could not be written to the output.
    #[error("the export could not be written: {0}")]
    Io(#[from] std::io::Error),
    /// A query was given for a kind that takes none.
    #[error("`--where` works only with game-sessions and player-sessions, not with {0}")]
    NoQuery(Kind),
    /// The rows are not in the store as they are exported: they are judged from what is.
    #[error("{0} are not stored as they are exported")]
    NotStored(Kind),
}

impl ExportError {
    /// Whether the reader of the output has closed it (`liftdeck export … | head`), which is not worth reporting.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

/// Writes the requested table and returns the number of rows.
///
/// # Errors
/// When the store cannot be read, `out` cannot be written, or a query was given for a kind that takes none.
pub async fn export(
    reader: &Reader,
    request: &ExportRequest,
    out: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    if request.query.root.is_some() && !request.kind.takes_query() {
        return Err(ExportError::NoQuery(request.kind));
    }
    let mut sink = Sink::new(request.format, out);
    match request.kind {
        Kind::GameSessions => session::game_sessions(reader, request, &mut sink).await?,
        Kind::PlayerSessions => session::player_sessions(reader, request, &mut sink).await?,
        Kind::FleetEvents => event::fleet_events(reader, request, &mut sink).await?,
        Kind::Placements => event::placements(reader, request, &mut sink).await?,
        Kind::MatchmakingEvents => event::matchmaking_events(reader, request, &mut sink).await?,
        Kind::ScalingSteps => return Err(ExportError::NotStored(request.kind)),
        Kind::Metrics => metric::metrics(reader, request, &mut sink).await?,
        Kind::Fleets => configuration::fleets(reader, &mut sink).await?,
        Kind::FleetLocations => configuration::fleet_locations(reader, &mut sink).await?,
        Kind::FleetCapacity => configuration::fleet_capacity(reader, &mut sink).await?,
        Kind::ScalingPolicies => configuration::scaling_policies(reader, &mut sink).await?,
        Kind::Queues => configuration::queues(reader, &mut sink).await?,
        Kind::Aliases => configuration::aliases(reader, &mut sink).await?,
        Kind::Builds => configuration::builds(reader, &mut sink).await?,
        Kind::Scripts => configuration::scripts(reader, &mut sink).await?,
        Kind::Activity => activity::activity(reader, request, &mut sink).await?,
    }
    Ok(sink.finish()?)
}
