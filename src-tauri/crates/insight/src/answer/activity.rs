//! Activity: the changes this installation asked AWS to make.

use std::collections::HashMap;

use liftdeck_model::action::{Action, Request, ResourceKind};
use liftdeck_model::activity::{
    Activity, ActivityId, ActivityOutcome, ActivitySource, Effect, FactChange, Proof, RunId,
};
use liftdeck_model::game_session;
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::words;

/// A slot reserved for a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReservedSlot {
    pub player_id: String,
    pub player_session_id: String,
    /// The address the player connects to, once the game session reports it.
    pub connection: Option<String>,
}

/// An attempted change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ActivityRow {
    pub id: ActivityId,
    pub run_id: Option<RunId>,
    pub at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub duration_ms: Option<i64>,
    pub region: Region,
    pub operation: String,
    /// Whether it points an alias to another fleet.
    pub is_repoint: bool,
    pub resource_kind: ResourceKind,
    pub resource_id: String,
    pub resource_name: Option<String>,
    pub fleet_id: Option<FleetId>,
    pub title: String,
    pub facts: Vec<FactChange>,
    pub outcome: ActivityOutcome,
    /// How the outcome is known.
    pub proof: Proof,
    pub effect: Option<Effect>,
    pub source: ActivitySource,
    pub caller_arn: Option<String>,
    pub request_id: Option<String>,
    pub aws_code: Option<String>,
    pub message: Option<String>,
    /// ARN or id of the created resource.
    pub made: Option<String>,
    pub made_player_sessions: Vec<ReservedSlot>,
    pub can_undo: bool,
    pub undo_of: Option<ActivityId>,
    pub undone_by: Option<ActivityId>,
    /// The equivalent AWS CLI command.
    pub command: String,
}

/// One page of attempted changes, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ActivityPage {
    pub rows: Vec<ActivityRow>,
    pub total: u64,
    /// Whether `total` counts all rows; false if counting stopped and there are more.
    pub total_is_exact: bool,
    /// Number of attempts with an unknown outcome, regardless of the filter.
    pub unsettled: u64,
}

/// One page of attempted changes; `command` returns the AWS CLI command that is equivalent to a change.
///
/// # Errors
/// When the store cannot be read.
pub async fn activity_page(
    reader: &Reader,
    request: &ActivityRequest,
    command: impl Fn(&Action) -> String,
    now: Timestamp,
) -> Result<ActivityPage, StoreError> {
    let found = reader.activities(request).await?;
    Ok(ActivityPage {
        total: found.total,
        total_is_exact: found.total_is_exact,
        unsettled: reader.unsettled_count().await?,
        rows: activity_rows(reader, found.rows, command, now).await?,
    })
}

/// These attempts as rows, in the same order; `command` is as for [`activity_page`].
///
/// # Errors
/// When the store cannot be read.
pub async fn activity_rows(
    reader: &Reader,
    activities: Vec<Activity>,
    command: impl Fn(&Action) -> String,
    now: Timestamp,
) -> Result<Vec<ActivityRow>, StoreError> {
    let ids: Vec<ActivityId> = activities.iter().map(|activity| activity.id.clone()).collect();
    let mut undone: HashMap<ActivityId, ActivityId> = reader.undone_among(&ids).await?;
    let mut rows = Vec::with_capacity(activities.len());
    for activity in activities {
        let undone_by = undone.remove(&activity.id);
        let command = command(&activity.action);
        let connection = connection(reader, &activity, now).await?;
        rows.push(ActivityRow::new(activity, undone_by, command, connection.as_deref()));
    }
    Ok(rows)
}

/// The address that reserved players connect to.
async fn connection(
    reader: &Reader,
    activity: &Activity,
    now: Timestamp,
) -> Result<Option<String>, StoreError> {
    let Request::CreatePlayerSessions(it) = &activity.action.request else { return Ok(None) };
    if activity.made_player_sessions.is_empty() {
        return Ok(None);
    }
    let session = reader.game_session(&it.game_session_id, now).await?;
    Ok(session.and_then(|session| {
        let row = session.row;
        game_session::connection(row.dns_name.as_deref(), row.ip_address.as_deref(), row.port)
    }))
}

impl ActivityRow {
    fn new(
        activity: Activity,
        undone_by: Option<ActivityId>,
        command: String,
        connection: Option<&str>,
    ) -> Self {
        let resource = activity.action.request.resource();
        // Ids are long and differ at their ends, so only the last part is shown.
        let called =
            activity.name.as_deref().unwrap_or_else(|| resource.id.rsplit('/').next().unwrap_or_default());
        let slot = |(player_id, player_session_id): (String, String)| ReservedSlot {
            player_id,
            player_session_id,
            connection: connection.map(str::to_owned),
        };
        Self {
            can_undo: activity.is_surely_ours() && !activity.undo.is_empty() && undone_by.is_none(),
            title: words::action(&activity.action.request, called),
            operation: activity.action.request.operation().to_owned(),
            is_repoint: matches!(&activity.action.request, Request::UpdateAlias(it) if it.routing.is_some()),
            id: activity.id,
            run_id: activity.run,
            at: activity.at,
            ended_at: activity.ended_at,
            duration_ms: activity.ended_at.map(|ended| ended.since_ms(activity.at)),
            region: activity.region,
            resource_kind: resource.kind,
            resource_id: resource.id,
            resource_name: activity.name,
            fleet_id: activity.fleet_id,
            facts: activity.facts,
            outcome: activity.outcome,
            proof: activity.proof,
            effect: activity.effect,
            source: activity.source,
            caller_arn: activity.caller_arn,
            request_id: activity.request_id,
            aws_code: activity.aws_code,
            message: activity.message,
            made: activity.made,
            made_player_sessions: activity.made_player_sessions.into_iter().map(slot).collect(),
            undo_of: activity.undo_of,
            undone_by,
            command,
        }
    }
}
