//! `liftdeck export`: what was collected, as NDJSON, CSV or JSON.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use liftdeck_insight::export_scaling_steps;
use liftdeck_model::query::Query;
use liftdeck_model::time::Moment;
use liftdeck_store::Store;
use liftdeck_store::export::{ExportError, ExportRequest, Format, Kind, Sink, export};

use super::look::{self, ReadOptions};
use super::{Caller, Failure, Outcome, database, is_stdout, query};
use liftdeck_app::clock;
use liftdeck_app::home::Whole;

const MANUAL: &str = "\
KIND: fleets fleet-locations fleet-capacity fleet-events scaling-policies scaling-steps game-sessions \
player-sessions placements queues aliases matchmaking-events builds scripts metrics activity

--since and --until limit fleet-events, scaling-steps, game-sessions, player-sessions, placements, \
matchmaking-events, metrics and activity; the other kinds are exported as they are now. A scaling step has its likely cause, the evidence and how long its \
instances took to become active (to_active_ms), as the fleet's page tells them.

Fields carry GameLift's names in snake_case; times are RFC 3339 in UTC. The database is only read, and may be in use.

A CSV is safe to open in a spreadsheet: text that would be read as a formula gets a leading apostrophe, and invisible \
characters are shown as symbols. --exact turns both off. JSON holds the exact text, with \\u escapes.

Example:
  liftdeck export game-sessions --db prod.sqlite --where 'status:active players>=8' --format csv --out busy.csv";

/// What to export, from which database, and where to write it.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Arguments {
    /// What to write
    #[arg(value_name = "KIND")]
    kind: Kind,
    #[command(flatten)]
    options: ReadOptions,
    /// Only game sessions, or their player sessions, that match the query
    #[arg(long = "where", value_name = "QUERY", allow_hyphen_values = true, value_parser = query)]
    query: Option<Query>,
    /// From this moment on: RFC 3339, or an age such as 15m, 24h, 7d
    #[arg(long, value_name = "T")]
    since: Option<Moment>,
    /// Up to this moment: RFC 3339, or an age
    #[arg(long, value_name = "T")]
    until: Option<Moment>,
    /// ndjson, csv or json
    #[arg(long, default_value = "ndjson", value_name = "FORMAT")]
    format: Format,
    /// Write CSV text unchanged, including formulas and invisible characters
    #[arg(long)]
    exact: bool,
    /// The file to write; stdout when absent or -
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) async fn run(caller: &Caller, arguments: Arguments) -> Result<Outcome, Failure> {
    let now = clock::now();
    let kind = arguments.kind;
    let [since, until] = [arguments.since, arguments.until].map(|end| end.map(|end| end.at(now)));
    database::forwards(since, until)?;
    if since.or(until).is_some() && !kind.has_times() {
        return Err(Failure::usage(format!(
            "--since and --until need a kind that has times; {kind} has none."
        )));
    }
    let db = look::database(caller, &arguments.options)?;
    let out = arguments.out.filter(|out| !is_stdout(out));
    if let Some(out) = &out {
        database::keep_apart(&db, out)?;
    }
    let format = match (arguments.format, arguments.exact) {
        (format, false) => format,
        (Format::Csv, true) => Format::ExactCsv,
        (_, true) => return Err(Failure::usage("--exact is for --format csv; JSON is exact in any case.")),
    };
    let request = ExportRequest {
        kind,
        format,
        query: arguments.query.unwrap_or(Query::everything()),
        since,
        until,
        now,
    };
    let store = database::look(&db, now).await?;
    let written = match &out {
        Some(path) => to_file(&store, &request, path).await,
        None => to_stdout(&store, &request).await,
    };
    store.close().await;
    match written {
        Err(error) if error.is_closed_pipe() => Ok(Outcome::Done),
        Err(error @ ExportError::NoQuery(_)) => Err(Failure::usage(format!("{error}."))),
        Err(ExportError::Store(error)) => Err(error.into()),
        Err(error) => {
            let out = out.map_or_else(|| "stdout".to_owned(), |path| path.display().to_string());
            Err(Failure::new(format!("{out}: {error}.")))
        }
        Ok(()) => Ok(Outcome::Done),
    }
}

async fn to_stdout(store: &Store, request: &ExportRequest) -> Result<(), ExportError> {
    let mut out = BufWriter::new(io::stdout());
    Box::pin(rows(store, request, &mut out)).await?;
    Ok(out.flush()?)
}

async fn rows(
    store: &Store,
    request: &ExportRequest,
    out: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let reader = store.reader();
    if request.kind != Kind::ScalingSteps {
        return export(&reader, request, out).await;
    }
    let mut sink = Sink::new(request.format, out);
    Box::pin(export_scaling_steps(&reader, request.range(), request.now, &mut sink)).await?;
    Ok(sink.finish()?)
}

/// Afterwards the file holds either the whole export or its previous content.
async fn to_file(store: &Store, request: &ExportRequest, path: &Path) -> Result<(), ExportError> {
    let mut out = Whole::begin(path)?;
    Box::pin(rows(store, request, &mut out)).await?;
    Ok(out.take_its_place()?)
}
