//! The sessions chart: game sessions, players and processes over time, of one fleet or of all.

use std::borrow::Cow;

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Reader;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};

use crate::axis::moment;
use crate::error::ChartError;
use crate::picture::{Lane, Line, Picture, Stroke};
use crate::read::{Read, read};
use crate::scaling::POINTS;
use crate::theme::Ink;

pub(crate) async fn picture(
    reader: &Reader,
    fleet: Option<&FleetId>,
    range: TimeRange,
    now: Timestamp,
) -> Result<Picture, ChartError> {
    let (title, scope) = match fleet {
        Some(id) => {
            let detail =
                reader.fleet_detail(id, now).await?.ok_or_else(|| ChartError::NoFleet(id.clone()))?;
            let scope = SeriesScope::Fleet { fleet_id: id.clone(), location: None };
            (detail.summary.fleet.display_name().to_owned(), scope)
        }
        None => ("All fleets".to_owned(), SeriesScope::All),
    };
    let names = vec![
        SeriesName::ActiveServerProcesses,
        SeriesName::ActiveGameSessions,
        SeriesName::CurrentPlayerSessions,
        SeriesName::PercentAvailableGameSessions,
    ];
    let request = SeriesRequest { scope, names, range, max_points: POINTS };
    let Read { times, bucket_ms, usual_times, columns } = read(reader, &request, now).await?;
    let mut columns = columns.into_iter();
    let mut line = |label, column, ink, filled| Line {
        label: Cow::Borrowed(label),
        figure: None,
        column,
        ink,
        stroke: Stroke::Plain,
        filled,
        figures: columns.next().unwrap_or_default(),
    };
    let sessions = vec![
        line("server processes", "active_server_processes", Ink::Faint, false),
        line("game sessions", "active_game_sessions", Ink::Series1, true),
    ];
    let players = vec![line("players", "current_player_sessions", Ink::Series5, true)];
    let available = vec![line("available", "percent_available_game_sessions", Ink::Series3, false)];
    Ok(Picture {
        title: format!("{title}: game sessions and players"),
        subtitle: format!("{} to {} UTC", moment(range.from), moment(range.to)),
        range,
        times,
        bucket_ms,
        usual_times,
        lanes: vec![
            Lane::new("Game sessions", 1.6, "", 4.0, sessions),
            Lane::new("Players", 1.6, "", 4.0, players),
            Lane::new("Available game sessions", 1.0, " %", 10.0, available),
        ],
        marks: None,
        shaded: Vec::new(),
    })
}
