//! Incidents: an alert, or any span of time, as one story.

use liftdeck_insight::difference::{Differences, SessionDifferenceQuery};
use liftdeck_insight::incident::{
    EvidenceFilter, EvidenceLine, Incident, IncidentCompared, IncidentOf, IncidentScope, incident,
    incident_evidence as evidence_of, incident_players as players_of,
};
use liftdeck_model::time::TimeRange;
use liftdeck_report::{ReportFormat, Story, write};
use liftdeck_store::reader::hit_player::HitPlayer;
use liftdeck_store::reader::span_note::SpanNote;
use liftdeck_store::reader::window::{Listed, Page};

use super::{placement_difference, session_difference, ticket_difference};
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

pub(crate) async fn span_note(
    app: &App,
    scope: IncidentScope,
    range: TimeRange,
    text: String,
) -> Result<(), AppError> {
    let text = super::alert::note(&text)?;
    let note = SpanNote { at: app.now(), by: crate::user::name(), text };
    let open = app.connection()?;
    open.writer().await?.note_span(scope.key(), range, note).await?;
    Ok(())
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
    let differences = compared(app, told.compared.as_ref()).await?;
    let apart = compared(app, told.apart.as_ref()).await?;
    let story = Story {
        incident: told,
        differences,
        apart,
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

async fn compared(app: &App, what: Option<&IncidentCompared>) -> Result<Option<Differences>, AppError> {
    Ok(match what {
        Some(IncidentCompared::Sessions { text, range }) => {
            let query = SessionDifferenceQuery {
                text: text.clone(),
                fleet_id: None,
                location: None,
                range: Some(*range),
            };
            Some(session_difference(app, query).await?)
        }
        Some(IncidentCompared::Placements { scope, range, span }) => {
            Some(placement_difference(app, scope.clone(), *range, *span).await?)
        }
        Some(IncidentCompared::Tickets { scope, range, span }) => {
            Some(ticket_difference(app, scope.clone(), *range, *span).await?)
        }
        None => None,
    })
}

fn unknown(of: &IncidentOf) -> AppError {
    let message = match of {
        IncidentOf::Alert { id } => format!("There is no alert {id} in this database."),
        IncidentOf::Span { .. } => "There is no such incident in this database.".to_owned(),
    };
    AppError::new(ErrorKind::NotFound, message)
}
