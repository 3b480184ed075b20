//! Incidents: an alert, or any span of time, as one story.

use liftdeck_insight::difference::SessionDifferenceQuery;
use liftdeck_insight::incident::{
    EvidenceFilter, EvidenceLine, Incident, IncidentCompared, IncidentOf, incident,
    incident_evidence as evidence_of, incident_players as players_of,
};
use liftdeck_report::{ReportFormat, Story, write};
use liftdeck_store::reader::hit_player::HitPlayer;
use liftdeck_store::reader::window::{Listed, Page};

use super::{placement_difference, session_difference};
use crate::app::App;
use liftdeck_api::File;
use liftdeck_api::error::{AppError, ErrorKind};

pub(crate) async fn incident_get(app: &App, of: IncidentOf) -> Result<Incident, AppError> {
    let open = app.connection()?;
    let told = Box::pin(incident(&open.reader, &of, app.now())).await?;
    told.ok_or_else(|| unknown(&of))
}

pub(crate) async fn incident_players(
    app: &App,
    of: IncidentOf,
    page: Page,
) -> Result<Listed<HitPlayer>, AppError> {
    let open = app.connection()?;
    let found = Box::pin(players_of(&open.reader, &of, page, app.now())).await?;
    found.ok_or_else(|| unknown(&of))
}

pub(crate) async fn incident_evidence(
    app: &App,
    of: IncidentOf,
    filter: EvidenceFilter,
    page: Page,
) -> Result<Listed<EvidenceLine>, AppError> {
    let open = app.connection()?;
    let found = Box::pin(evidence_of(&open.reader, &of, filter, page, app.now())).await?;
    found.ok_or_else(|| unknown(&of))
}

/// Most players and most lines of the timeline in a file.
const MOST: u32 = 1_000;

pub(crate) async fn incident_save(app: &App, of: IncidentOf, format: ReportFormat) -> Result<File, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let told = Box::pin(incident(&open.reader, &of, now)).await?.ok_or_else(|| unknown(&of))?;
    let players = Box::pin(players_of(&open.reader, &of, Page::first(MOST), now)).await?;
    let players = players.ok_or_else(|| unknown(&of))?;
    let lines = evidence_of(&open.reader, &of, EvidenceFilter::All, Page::first(MOST), now);
    let lines = Box::pin(lines).await?.ok_or_else(|| unknown(&of))?;
    let differences = match &told.compared {
        Some(IncidentCompared::Sessions { text, range }) => {
            let query = SessionDifferenceQuery {
                text: text.clone(),
                fleet_id: None,
                location: None,
                range: Some(*range),
            };
            Some(session_difference(app, query).await?)
        }
        Some(IncidentCompared::Placements { scope, range }) => {
            Some(placement_difference(app, scope.clone(), *range).await?)
        }
        None => None,
    };
    let story = Story {
        incident: told,
        differences,
        players: players.rows,
        players_total: players.total,
        timeline: lines.rows,
        timeline_total: lines.total,
        connection: open.connection.name.clone(),
    };
    let contents = write(&story, format).map_err(|error| {
        AppError::new(ErrorKind::Internal, format!("The file could not be written: {error}."))
    })?;
    let began = story.incident.since.to_rfc3339().replace([':', '.'], "-");
    Ok(File { name: format!("incident-{began}.{}", format.extension()), contents })
}

fn unknown(of: &IncidentOf) -> AppError {
    let message = match of {
        IncidentOf::Alert { id } => format!("There is no alert {id} in this database."),
        IncidentOf::Span { .. } => "There is no such incident in this database.".to_owned(),
    };
    AppError::new(ErrorKind::NotFound, message)
}
