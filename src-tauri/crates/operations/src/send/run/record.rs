//! The record of a run: reading and writing it, and what the rows of its changes mean.

use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityOutcome, RunId};
use liftdeck_store::{Reader, RunKind, RunRecord, RunState};

use super::plan::{Plan, State};
use super::progress::{ItemState, Progress};
use crate::connection::Connection;
use crate::error::OperationError;
use crate::outcome::ended::had_ended;

/// Makes the record of a run that is about to begin.
///
/// # Errors
/// `Refused` if the plan cannot be serialized.
pub(crate) fn new_record(
    connection: &Connection,
    kind: RunKind,
    title: String,
    plan: &Plan,
    state: &State,
) -> Result<RunRecord, OperationError> {
    let now = connection.now();
    let first = plan.items.first();
    let region = first.map(|item| &item.action.region);
    let fleet = first.and_then(|item| item.fleet_id.as_ref());
    let same_region = plan.items.iter().all(|item| Some(&item.action.region) == region);
    let same_fleet = plan.items.iter().all(|item| item.fleet_id.as_ref() == fleet);
    Ok(RunRecord {
        id: RunId::new(connection.new_id()),
        kind,
        state: RunState::Running,
        title,
        region: region.filter(|_| same_region).cloned(),
        fleet_id: fleet.filter(|_| same_fleet).cloned(),
        created_at: now,
        changed_at: now,
        plan: json(plan)?,
        progress: json(state)?,
    })
}

/// Works out the progress of a run from the records of what was sent, and from what was recorded about the items left
/// out.
///
/// # Errors
/// If the records cannot be read.
pub(super) async fn progress_of(
    store: &Reader,
    id: &RunId,
    plan: &Plan,
    recorded: &Progress,
) -> Result<Progress, OperationError> {
    let rows = store.activities_of_run(id).await?;
    let told = rows.iter().filter(|row| !surely_not_sent(row));
    let told = told.filter_map(|row| Some((row.item?, standing(plan, row))));
    Ok(Progress::of_rows(plan.items.len(), recorded, told))
}

/// What an attempt means for its run. If AWS refuses a change because its target has ended, nothing is left to do,
/// though the attempt itself stays recorded as refused.
pub(super) fn standing(plan: &Plan, activity: &Activity) -> ItemState {
    let too_late = plan.drain.is_some()
        && matches!(activity.action.request, Request::UpdateGameSession(_))
        && matches!(
            activity.aws_code.as_deref(),
            Some("InvalidGameSessionStatusException" | "NotFoundException")
        );
    match activity.outcome {
        ActivityOutcome::Failed if too_late || had_ended(activity) => ItemState::Ended,
        outcome => outcome.into(),
    }
}

/// Whether an attempt was certainly not carried out and may be made again: it did not reach AWS, or AWS only asked to
/// slow down, or AWS did not accept the credentials.
pub(super) fn surely_not_sent(activity: &Activity) -> bool {
    activity.outcome == ActivityOutcome::Failed
        && (is_throttled(activity)
            || is_unsigned(activity)
            || (activity.aws_code.is_none() && activity.request_id.is_none()))
}

/// Whether AWS did not accept the credentials, so that no other change of the run would succeed.
pub(super) fn is_unsigned(activity: &Activity) -> bool {
    const CODES: [&str; 9] = [
        "ExpiredToken",
        "ExpiredTokenException",
        "RequestExpired",
        "UnrecognizedClientException",
        "InvalidClientTokenId",
        "InvalidAccessKeyId",
        "MissingAuthenticationToken",
        "InvalidSignatureException",
        "SignatureDoesNotMatch",
    ];
    activity.outcome == ActivityOutcome::Failed
        && activity.aws_code.as_deref().is_some_and(|code| CODES.contains(&code))
}

/// Whether AWS only asked to slow down.
pub(super) fn is_throttled(activity: &Activity) -> bool {
    const CODES: [&str; 4] =
        ["ThrottlingException", "Throttling", "TooManyRequestsException", "RequestLimitExceeded"];
    activity.outcome == ActivityOutcome::Failed
        && activity.aws_code.as_deref().is_some_and(|code| CODES.contains(&code))
}

pub(super) async fn record(store: &Reader, id: &RunId) -> Result<RunRecord, OperationError> {
    let found = store.run(id).await?;
    found.ok_or_else(|| OperationError::Unknown { what: "run", id: id.to_string() })
}

/// Records a run in another state.
///
/// # Errors
/// If it cannot be written.
pub(super) async fn put(
    connection: &Connection,
    record: &RunRecord,
    to: RunState,
    state: &State,
) -> Result<RunRecord, OperationError> {
    let record =
        RunRecord { state: to, changed_at: connection.now(), progress: json(state)?, ..record.clone() };
    connection.writer.put_run(record.clone()).await?;
    Ok(record)
}

pub(super) fn read_state(record: &RunRecord) -> Result<State, OperationError> {
    serde_json::from_str(&record.progress).map_err(|error| unreadable(record, &error))
}

pub(super) fn read_plan(record: &RunRecord) -> Result<Plan, OperationError> {
    serde_json::from_str(&record.plan).map_err(|error| unreadable(record, &error))
}

fn unreadable(record: &RunRecord, error: &serde_json::Error) -> OperationError {
    OperationError::Refused(format!(
        "The record of “{}” cannot be read: {error}. Look at its changes in Activity.",
        record.title
    ))
}

/// Serializes a value as it is kept.
///
/// # Errors
/// `Refused` if it cannot be serialized.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Result<String, OperationError> {
    serde_json::to_string(value)
        .map_err(|error| OperationError::Refused(format!("This cannot be recorded: {error}.")))
}
