//! Records of what this installation changes: attempts, runs and presets, each durable before the caller goes on.
//!
//! Owns their rows. Deliberately decides nothing: the guard decides which outcome follows which.

use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, Effect, Proof, RunId};
use liftdeck_model::{FleetId, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr};

use crate::column::Columns as _;
use crate::error::StoreError;
use crate::text::PackedText;
use crate::writer::resource::document;
use crate::writer::transaction::Transaction;

/// The outcome of an attempt and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityEnd {
    /// Outcome.
    pub outcome: ActivityOutcome,
    /// How the outcome is known.
    pub proof: Proof,
    /// When the response came, or when waiting for it was given up.
    pub ended_at: Timestamp,
    /// AWS's own time when waiting was given up; if absent, the recorded value stays.
    pub given_up_aws_at: Option<Timestamp>,
    /// AWS request id; if absent, the recorded value stays.
    pub request_id: Option<String>,
    /// AWS error code. It belongs to the outcome, so if absent, the recorded value is cleared.
    pub aws_code: Option<String>,
    /// The message of AWS or the program; likewise.
    pub message: Option<String>,
    /// Id of what was created; if absent, the recorded value stays.
    pub made: Option<String>,
    /// Player sessions created, as (player id, player session id); if empty, the recorded value stays.
    pub made_player_sessions: Vec<(String, String)>,
    /// The identity that AWS saw (ARN); if absent, the recorded value stays.
    pub caller_arn: Option<String>,
}

impl ActivityEnd {
    /// Creates an answered outcome with nothing else set.
    pub const fn new(outcome: ActivityOutcome, ended_at: Timestamp) -> Self {
        Self {
            outcome,
            proof: Proof::Answered,
            ended_at,
            given_up_aws_at: None,
            request_id: None,
            aws_code: None,
            message: None,
            made: None,
            made_player_sessions: Vec::new(),
            caller_arn: None,
        }
    }

    /// Writes it into the record of the attempt.
    pub fn apply(self, activity: &mut Activity) {
        activity.outcome = self.outcome;
        activity.proof = self.proof;
        activity.ended_at = Some(self.ended_at);
        activity.given_up_aws_at = self.given_up_aws_at.or(activity.given_up_aws_at);
        activity.aws_code = self.aws_code;
        activity.message = self.message;
        activity.request_id = self.request_id.or_else(|| activity.request_id.take());
        activity.made = self.made.or_else(|| activity.made.take());
        activity.caller_arn = self.caller_arn.or_else(|| activity.caller_arn.take());
        if !self.made_player_sessions.is_empty() {
            activity.made_player_sessions = self.made_player_sessions;
        }
    }
}

/// The kind of a run, which is a series of attempts.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum RunKind {
    /// The same change to many resources.
    Bulk,
    /// The drain of a fleet.
    Drain,
}

/// The state of a run.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum RunState {
    /// Sending attempts.
    Running,
    /// Waiting for somebody to resume it.
    Paused,
    /// Ended before its last item.
    Stopped,
    /// Ended after its last item.
    Finished,
}

/// A run: attempts that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// Id.
    pub id: RunId,
    /// Kind.
    pub kind: RunKind,
    /// State.
    pub state: RunState,
    /// What it does, as shown in lists.
    pub title: String,
    /// Home Region, if all of it happens in one.
    pub region: Option<Region>,
    /// The fleet concerned, if there is one.
    pub fleet_id: Option<FleetId>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it last changed.
    pub changed_at: Timestamp,
    /// What it has to do, as JSON in its runner's format. Written again only when it differs.
    pub plan: String,
    /// How far it has got, as JSON in its runner's format.
    pub progress: String,
}

/// A filled-in form kept for the next time, identified by its kind and name together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// Name, chosen by a person.
    pub name: String,
    /// Which form.
    pub kind: PresetKind,
    /// The form's content, as JSON in the form's own format.
    pub body: String,
}

/// The form that a preset fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(rename_all = "camelCase")]
pub enum PresetKind {
    /// The creation of a game session.
    NewSession,
}

impl RunKind {
    /// Parses the schema's spelling.
    pub(crate) fn from_text(text: &str) -> Result<Self, StoreError> {
        text.parse().map_err(|_| StoreError::Unreadable { what: format!("run.kind `{text}`") })
    }
}

impl RunState {
    /// Whether it may still continue.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }

    /// Parses the schema's spelling.
    pub(crate) fn from_text(text: &str) -> Result<Self, StoreError> {
        text.parse().map_err(|_| StoreError::Unreadable { what: format!("run.state `{text}`") })
    }
}

/// The resource an attempt is listed under: its target or, if that had no id yet, what it created.
fn listed_resource(activity: &Activity) -> String {
    let about = activity.action.request.resource();
    if about.id.is_empty() { activity.made.clone().unwrap_or_default() } else { about.id }
}

/// Builds the lower-case text that a search looks in.
fn words(activity: &Activity) -> String {
    let resource = listed_resource(activity);
    let given = [
        Some(activity.action.request.operation()),
        Some(resource.as_str()),
        activity.name.as_deref(),
        activity.fleet_id.as_ref().map(FleetId::as_str),
        activity.made.as_deref(),
        activity.request_id.as_deref(),
        activity.aws_code.as_deref(),
        activity.caller_arn.as_deref(),
        activity.message.as_deref(),
        Some(activity.id.as_str()),
    ];
    let players = activity.made_player_sessions.iter().map(|(player, _)| player.as_str());
    given.into_iter().flatten().chain(players).collect::<Vec<_>>().join("\n").to_lowercase()
}

/// Reads back the record of an attempt.
pub(crate) fn read_document(packed: &PackedText) -> Result<Activity, StoreError> {
    serde_json::from_str(&packed.unpack(&"an attempt")?)
        .map_err(|error| StoreError::Unreadable { what: format!("an attempt: {error}") })
}

impl Transaction<'_> {
    /// Records an attempt that is about to be sent.
    pub(super) async fn begin_activity(&mut self, mut activity: Activity) -> Result<(), StoreError> {
        activity.outcome = ActivityOutcome::Sending;
        let key = self.memory.next_key("activity");
        self.region_key = self.region_key(activity.region.as_str()).await?;
        let region_key = self.region_key;
        let fleet_key = match &activity.fleet_id {
            Some(fleet) => Some(self.fleet_key(fleet).await?),
            None => None,
        };
        let packed = self.packer.pack(&document(&activity)?);
        let kind: &str = activity.action.request.resource().kind.into();
        let connection = self.write().await?;
        let inserted = sqlx::query(
            "INSERT INTO activity (activity_key, id, at, region_key, operation, resource_kind, resource, fleet_key, run_id, \
             item, outcome, effect, ended_at, undo_of, words) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'sending', NULL, NULL, ?, ?) \
             ON CONFLICT (id) DO NOTHING",
        )
        .bind(key)
        .bind(activity.id.as_str())
        .bind(activity.at.as_ms())
        .bind(region_key)
        .bind(activity.action.request.operation())
        .bind(kind)
        .bind(listed_resource(&activity))
        .bind(fleet_key)
        .bind(activity.run.as_ref().map(RunId::as_str))
        .bind(activity.item)
        .bind(activity.undo_of.as_ref().map(ActivityId::as_str))
        .bind(words(&activity))
        .execute(&mut *connection)
        .await?
        .rows_affected();
        if inserted == 0 {
            return Err(StoreError::Recorded { id: activity.id.into_string() });
        }
        sqlx::query("INSERT INTO activity_document (activity_key, document) VALUES (?, ?)")
            .bind(key)
            .bind(packed)
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Records the outcome of an attempt.
    pub(super) async fn end_activity(&mut self, id: &ActivityId, end: ActivityEnd) -> Result<(), StoreError> {
        self.change_activity(id, |activity| end.apply(activity)).await
    }

    /// Records the state of an attempt's effect.
    pub(super) async fn note_effect(&mut self, id: &ActivityId, effect: Effect) -> Result<(), StoreError> {
        self.change_activity(id, |activity| activity.effect = Some(effect)).await
    }

    async fn change_activity(
        &mut self,
        id: &ActivityId,
        change: impl FnOnce(&mut Activity),
    ) -> Result<(), StoreError> {
        let row = sqlx::query(
            "SELECT activity_key, document FROM activity JOIN activity_document USING (activity_key) WHERE id = ?",
        )
        .bind(id.as_str())
        .fetch_optional(self.read().await?)
        .await?
        .ok_or_else(|| StoreError::Unrecorded { id: id.as_str().to_owned() })?;
        let key: i64 = row.read("activity_key")?;
        let mut activity = read_document(&row.read("document")?)?;
        change(&mut activity);
        let packed = self.packer.pack(&document(&activity)?);
        let connection = self.write().await?;
        sqlx::query(
            "UPDATE activity SET outcome = ?, effect = ?, ended_at = ?, resource = ?, words = ? WHERE activity_key = ?",
        )
        .bind(<&str>::from(activity.outcome))
        .bind(activity.effect.as_ref().map(|effect| <&str>::from(effect.state)))
        .bind(activity.ended_at.map(Timestamp::as_ms))
        .bind(listed_resource(&activity))
        .bind(words(&activity))
        .bind(key)
        .execute(&mut *connection)
        .await?;
        sqlx::query("UPDATE activity_document SET document = ? WHERE activity_key = ?")
            .bind(packed)
            .bind(key)
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Records a run, or updates what is recorded about it.
    pub(super) async fn put_run(&mut self, run: RunRecord) -> Result<(), StoreError> {
        let region_key = match &run.region {
            Some(region) => Some(self.region_key(region.as_str()).await?),
            None => None,
        };
        let fleet_key = match (&run.fleet_id, region_key) {
            (Some(fleet), Some(region_key)) => {
                self.region_key = region_key;
                Some(self.fleet_key(fleet).await?)
            }
            // A fleet that was never seen has no row, and cannot get one without a Region.
            (Some(fleet), None) => self.memory.fleets.get(fleet.as_str()).copied(),
            (None, _) => None,
        };
        let known: Option<i64> = sqlx::query_scalar("SELECT run_key FROM run WHERE id = ?")
            .bind(run.id.as_str())
            .fetch_optional(self.read().await?)
            .await?;
        let key = known.unwrap_or_else(|| self.memory.next_key("run"));
        let plan = self.packer.pack(&run.plan);
        let connection = self.write().await?;
        sqlx::query(
            "INSERT INTO run (run_key, id, kind, state, title, region_key, fleet_key, created_at, changed_at, progress) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_key) DO UPDATE SET kind = excluded.kind, \
             state = excluded.state, title = excluded.title, region_key = excluded.region_key, \
             fleet_key = excluded.fleet_key, created_at = excluded.created_at, changed_at = excluded.changed_at, \
             progress = excluded.progress",
        )
        .bind(key)
        .bind(run.id.as_str())
        .bind(<&str>::from(run.kind))
        .bind(<&str>::from(run.state))
        .bind(&run.title)
        .bind(region_key)
        .bind(fleet_key)
        .bind(run.created_at.as_ms())
        .bind(run.changed_at.as_ms())
        .bind(&run.progress)
        .execute(&mut *connection)
        .await?;
        sqlx::query(
            "INSERT INTO run_plan (run_key, plan) VALUES (?, ?) ON CONFLICT (run_key) DO UPDATE SET plan = excluded.plan \
             WHERE plan <> excluded.plan",
        )
        .bind(key)
        .bind(plan)
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Stores a preset, replacing one with the same kind and name.
    pub(super) async fn put_preset(&mut self, preset: Preset) -> Result<(), StoreError> {
        let connection = self.write().await?;
        sqlx::query(
            "INSERT INTO preset (kind, name, body) VALUES (?, ?, ?) \
             ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body",
        )
        .bind(preset.kind)
        .bind(preset.name)
        .bind(preset.body)
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Deletes a preset; it is not an error if there is none.
    pub(super) async fn delete_preset(&mut self, kind: PresetKind, name: &str) -> Result<(), StoreError> {
        let connection = self.write().await?;
        sqlx::query("DELETE FROM preset WHERE kind = ? AND name = ?")
            .bind(kind)
            .bind(name)
            .execute(connection)
            .await?;
        Ok(())
    }
}
