//! `liftdeck chart`: what was collected, as a picture.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use liftdeck_charts::{ChartError, Subject, Theme, draw};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Reader;

use super::{Failure, Outcome, database, moment};
use crate::{clock, home};

const MANUAL: &str = "\
The kind of file follows from its name: .png or .svg. The database is only read, and may be in use.

Example:
  liftdeck chart scaling --db prod.sqlite --fleet arena-prod-eu --since 24h --out scaling.png";

/// What to draw, from which database, where to.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Arguments {
    /// What to draw
    #[arg(value_enum)]
    chart: Chart,
    /// The database
    #[arg(long, value_name = "FILE")]
    db: PathBuf,
    /// The fleet, by id or name; scaling needs one
    #[arg(long, value_name = "FLEET", required_if_eq("chart", "scaling"))]
    fleet: Option<String>,
    /// From this moment on: RFC 3339, or an age such as 15m, 24h, 7d
    #[arg(long, default_value = "24h", value_name = "T", value_parser = moment)]
    since: Timestamp,
    /// Up to this moment: RFC 3339, or an age [default: now]
    #[arg(long, value_name = "T", value_parser = moment)]
    until: Option<Timestamp>,
    /// The file to write, .png or .svg
    #[arg(long, value_name = "FILE", value_parser = picture)]
    out: Picture,
    /// Colours
    #[arg(long, value_enum, default_value_t = Colours::Light)]
    theme: Colours,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Chart {
    /// A fleet's instances, free sessions with the policy's target, load and what changed
    Scaling,
    /// Game sessions and players, of one fleet or all
    Sessions,
    /// Placements by outcome
    Placements,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colours {
    Light,
    Dark,
}

/// A file to draw into, and what its name says it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Picture {
    path: PathBuf,
    format: liftdeck_charts::Format,
}

pub(super) async fn run(arguments: Arguments) -> Result<Outcome, Failure> {
    let now = clock::now();
    database::forwards(Some(arguments.since), Some(arguments.until.unwrap_or(now)))?;
    database::keep_apart(&arguments.db, &arguments.out.path)?;
    let store = database::look(&arguments.db, now).await?;
    let drawn = Box::pin(drawn(&store.reader(), &arguments, now)).await;
    store.close().await;
    let out = &arguments.out.path;
    home::write_whole(out, &drawn?)
        .map_err(|error| Failure::new(format!("{} could not be written: {error}.", out.display())))?;
    Ok(Outcome::Done)
}

async fn drawn(reader: &Reader, arguments: &Arguments, now: Timestamp) -> Result<Vec<u8>, Failure> {
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
    };
    let range = TimeRange::new(arguments.since, arguments.until.unwrap_or(now));
    let theme = match arguments.theme {
        Colours::Light => Theme::Light,
        Colours::Dark => Theme::Dark,
    };
    draw(reader, subject, range, now, arguments.out.format, theme).await.map_err(|error| match error {
        ChartError::Store(error) => error.into(),
        ChartError::NoFleet(fleet) => Failure::new(format!(
            "There is no fleet {fleet} in this database. `liftdeck export fleets` lists those there are."
        )),
        ChartError::Drawing(reason) => Failure::new(format!("The chart could not be drawn: {reason}.")),
    })
}

/// A fleet by id, or by a name only one fleet has.
async fn fleet(reader: &Reader, text: &str, now: Timestamp) -> Result<FleetId, Failure> {
    let fleets = reader.fleet_summaries(now).await?;
    let named = |fleet: &&liftdeck_store::reader::fleet::FleetSummary| fleet.fleet.display_name() == text;
    let found: Vec<&FleetId> = fleets.iter().filter(named).map(|fleet| &fleet.fleet.fleet_id).collect();
    match found.as_slice() {
        // An id, or nothing known: the chart says which.
        [] => Ok(FleetId::from(text)),
        [fleet] => Ok((*fleet).clone()),
        several => {
            let ids: Vec<&str> = several.iter().map(|fleet| fleet.as_str()).collect();
            Err(Failure::new(format!("Several fleets are called {text}: {}. Give the id.", ids.join(", "))))
        }
    }
}

fn picture(text: &str) -> Result<Picture, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    let format = match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("png") => liftdeck_charts::Format::Png,
        Some("svg") => liftdeck_charts::Format::Svg,
        _ => return Err("a chart is a .png or .svg file".to_owned()),
    };
    Ok(Picture { path, format })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_file_says_what_it_is() {
        assert_eq!(picture("a/b.PNG").unwrap().format, liftdeck_charts::Format::Png);
        assert_eq!(picture("b.svg").unwrap().format, liftdeck_charts::Format::Svg);
        assert!(picture("b.jpg").is_err());
        assert!(picture("png").is_err());
    }
}
