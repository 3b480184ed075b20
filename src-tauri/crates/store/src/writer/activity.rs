//! What this installation changes: attempts, runs and presets, each durable before the caller goes on.
//!
//! Owns their rows. Deliberately decides nothing: which outcome follows which is the guard's matter.

use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, Effect, Proof, RunId};
use liftdeck_model::{FleetId, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr};

use crate::column::Columns as _;
use crate::error::StoreError;
use crate::text::PackedText;
use crate::writer::desk::Desk;
use crate::writer::resource::document;

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityEnd {
    /// Outcome.
    pub outcome: ActivityOutcome,
    /// How it is known.
    pub proof: Proof,
    /// When the answer came or was given up.
    pub ended_at: Timestamp,
    /// AWS's own time when it was given up; when absent, what was recorded before stays.
    pub given_up_aws_at: Option<Timestamp>,
    /// AWS request id; when absent, what was recorded before stays.
    pub request_id: Option<String>,
    /// AWS error code; belongs to the outcome, so an absent one clears what was recorded before.
    pub aws_code: Option<String>,
    /// What AWS or the program said; likewise.
    pub message: Option<String>,
    /// Id of what was made; when absent, what was recorded before stays.
    pub made: Option<String>,
    /// Player sessions made, as (player id, player session id); when empty, what was recorded before stays.
    pub made_player_sessions: Vec<(String, String)>,
    /// Whom AWS took us for (ARN); when absent, what was recorded before stays.
    pub caller_arn: Option<String>,
}

impl ActivityEnd {
    /// An answered outcome and nothing else.
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

/// What kind of series of attempts a run is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum RunKind {
    /// The same change of many resources.
    Bulk,
    /// The drain of a fleet.
    Drain,
}

/// How a run stands.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum RunState {
    /// Sends.
    Running,
    /// Waits for somebody to resume it.
    Paused,
    /// Ended before its last item.
    Stopped,
    /// Came to its end.
    Finished,
}

/// Attempts that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// Id.
    pub id: RunId,
    /// Kind.
    pub kind: RunKind,
    /// How it stands.
    pub state: RunState,
    /// What it does, for lists.
    pub title: String,
    /// Home Region, when all of it happens in one.
    pub region: Option<Region>,
    /// The fleet concerned, where one is.
    pub fleet_id: Option<FleetId>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When it last moved.
    pub changed_at: Timestamp,
    /// What it is to do: JSON of whoever runs it. Written again only when it differs.
    pub plan: String,
    /// How far it is: JSON of whoever runs it.
    pub progress: String,
}

/// A filled-in form kept for the next time; kind and name together name it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Preset {
    /// Name, chosen by a person.
    pub name: String,
    /// Which form: `newSession`.
    pub kind: String,
    /// JSON of the form, its own.
    pub body: String,
}

impl RunKind {
    /// From the schema's spelling.
    pub(crate) fn from_text(text: &str) -> Result<Self, StoreError> {
        text.parse().map_err(|_| StoreError::Unreadable { what: format!("run.kind `{text}`") })
    }
}

impl RunState {
    /// Whether it may still go on.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }

    /// From the schema's spelling.
    pub(crate) fn from_text(text: &str) -> Result<Self, StoreError> {
        text.parse().map_err(|_| StoreError::Unreadable { what: format!("run.state `{text}`") })
    }
}

/// The resource an attempt is listed under: what it is about or, where that had no id yet, what it made.
fn listed_resource(activity: &Activity) -> String {
    let about = activity.action.request.resource();
    if about.id.is_empty() { activity.made.clone().unwrap_or_default() } else { about.id }
}

/// What a text is looked for in.
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

/// Reads a record back.
pub(crate) fn read_document(packed: &PackedText) -> Result<Activity, StoreError> {
    serde_json::from_str(&packed.unpack(&"an attempt")?)
        .map_err(|error| StoreError::Unreadable { what: format!("an attempt: {error}") })
}

impl Desk<'_> {
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

    /// Records what became of an attempt.
    pub(super) async fn end_activity(&mut self, id: &ActivityId, end: ActivityEnd) -> Result<(), StoreError> {
        self.change_activity(id, |activity| end.apply(activity)).await
    }

    /// Records how the effect of an attempt is coming along.
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

    /// Makes a run or brings it up to date.
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
            // A fleet nobody ever saw has no row without a Region.
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

    /// Keeps a preset, replacing one of the same kind and name.
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

    /// Forgets a preset; one that is not there is forgotten already.
    pub(super) async fn delete_preset(&mut self, kind: &str, name: &str) -> Result<(), StoreError> {
        let connection = self.write().await?;
        sqlx::query("DELETE FROM preset WHERE kind = ? AND name = ?")
            .bind(kind)
            .bind(name)
            .execute(connection)
            .await?;
        Ok(())
    }
}
