//! `liftdeck chart`: what was collected, as a picture.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use liftdeck_charts::{ChartError, Format, Subject, Theme, draw};
use liftdeck_model::time::{Moment, TimeRange};
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Reader;

use super::look::{self, ReadOptions};
use super::names::{Names, Noun};
use super::{Caller, Failure, Outcome, database, is_stdout, one_of};
use liftdeck_app::{clock, home};

const MANUAL: &str = "\
The kind of file follows from its name: .png or .svg. The database is only read, and may be in use.

Example:
  liftdeck chart scaling --db prod.sqlite --fleet arena-prod-eu --since 24h --out scaling.png";

/// What to draw, from which database, and where to write it.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Arguments {
    /// What to draw
    #[arg(value_enum)]
    chart: Chart,
    #[command(flatten)]
    options: ReadOptions,
    /// The fleet, by id or name; scaling needs one
    #[arg(long, value_name = "FLEET", required_if_eq("chart", "scaling"), add = super::complete::of(Noun::Fleet))]
    fleet: Option<String>,
    /// From this moment on: RFC 3339, or an age such as 15m, 24h, 7d
    #[arg(long, default_value = "24h", value_name = "T")]
    since: Moment,
    /// Up to this moment: RFC 3339, or an age [default: now]
    #[arg(long, value_name = "T")]
    until: Option<Moment>,
    /// The file to write, .png or .svg; - for stdout
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Picture format; taken from the file's name when absent
    #[arg(long, value_parser = one_of::<Format>(), value_name = "FORMAT", required_if_eq("out", "-"))]
    format: Option<Format>,
    /// Colours
    #[arg(long, value_parser = one_of::<Theme>(), default_value = "light")]
    theme: Theme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Chart {
    /// A fleet's instances, free sessions with the policy's target, load and what changed
    Scaling,
    /// Game sessions and players, of one fleet or all
    Sessions,
    /// Placements by outcome
    Placements,
    /// Matchmaking tickets by outcome, and how long those that were matched waited
    Matchmaking,
}

pub(super) async fn run(caller: &Caller, arguments: Arguments) -> Result<Outcome, Failure> {
    let now = clock::now();
    let (since, until) = (arguments.since.at(now), arguments.until.map_or(now, |until| until.at(now)));
    database::forwards(Some(since), Some(until))?;
    let range = TimeRange::new(since, until);
    let format = format(&arguments)?;
    let db = look::database(caller, &arguments.options)?;
    let out = &arguments.out;
    if !is_stdout(out) {
        database::keep_apart(&db, out)?;
    }
    let store = database::look(&db, now).await?;
    let drawn = Box::pin(drawn(&store.reader(), &arguments, range, format, now)).await;
    store.close().await;
    let drawn = drawn?;
    if is_stdout(out) {
        caller.terminal.pass_on_bytes(&drawn)?;
        return Ok(Outcome::Done);
    }
    home::write_whole(out, &drawn)
        .map_err(|error| Failure::new(format!("{} could not be written: {error}.", out.display())))?;
    Ok(Outcome::Done)
}

/// Returns the format asked for, or else the one that the file's name implies.
fn format(arguments: &Arguments) -> Result<Format, Failure> {
    arguments.format.or_else(|| Format::of_file(&arguments.out)).ok_or_else(|| {
        Failure::usage(format!(
            "A chart is a .png or .svg file, which {} is not. Name it so, or add --format.",
            arguments.out.display()
        ))
    })
}

async fn drawn(
    reader: &Reader,
    arguments: &Arguments,
    range: TimeRange,
    format: Format,
    now: Timestamp,
) -> Result<Vec<u8>, Failure> {
    let fleet = match &arguments.fleet {
        Some(text) => Some(fleet(reader, text, now).await?),
        None => None,
    };
    let subject = match (arguments.chart, &fleet) {
        (Chart::Scaling, Some(fleet)) => Subject::Scaling(fleet),
        (Chart::Scaling, None) => {
            return Err(Failure::usage("A scaling chart is of one fleet: add --fleet."));
        }
        (Chart::Sessions, fleet) => Subject::Sessions(fleet.as_ref()),
        (Chart::Placements, _) => Subject::Placements,
        (Chart::Matchmaking, _) => Subject::Matchmaking,
    };
    draw(reader, subject, range, now, format, arguments.theme).await.map_err(|error| match error {
        ChartError::Store(error) => error.into(),
        ChartError::NoFleet(fleet) => Failure::new(format!(
            "There is no fleet {fleet} in this database. `liftdeck export fleets` lists them all."
        )),
        ChartError::Drawing(reason) => Failure::new(format!("The chart could not be drawn: {reason}.")),
    })
}

/// Finds a fleet by id, or by a name that only one fleet has.
async fn fleet(reader: &Reader, text: &str, now: Timestamp) -> Result<FleetId, Failure> {
    let names = Names::read(reader, now).await?;
    let meant = names.meant(Noun::Fleet, text, None)?;
    // A deleted fleet is known by its id alone. If there is no such fleet, drawing the chart reports it.
    Ok(FleetId::from(meant.map_or(text, |fleet| fleet.id.as_str())))
}
