//! Runs: series of attempts, such as a bulk change or the drain of a fleet.

use liftdeck_model::{FleetId, Region};
use liftdeck_operations as operations;
use liftdeck_store as store;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::number::{Ms, count};
use crate::wire::operate::{LeftOut, Skipped};

/// What sort of series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RunKind {
    Bulk,
    Drain,
}

/// How a series stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RunState {
    Running,
    Paused,
    Stopped,
    Finished,
}

/// A series of attempts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) kind: RunKind,
    pub(crate) state: RunState,
    pub(crate) title: String,
    pub(crate) region: Option<String>,
    pub(crate) fleet_id: Option<String>,
    pub(crate) created_ms: Ms,
    pub(crate) changed_ms: Ms,
    pub(crate) total: u32,
    pub(crate) done: u32,
    pub(crate) failed: u32,
    pub(crate) unknown: u32,
    /// Had ended by themselves: nothing was left to do.
    pub(crate) ended: u32,
    /// Not sent, because they were not as they had been looked at any more.
    pub(crate) skipped: u32,
    pub(crate) left: u32,
    /// What had ended or was left out, and why; the first of it.
    pub(crate) left_out: Vec<Skipped>,
    /// Why it is paused or stopped, or what it waits for.
    pub(crate) message: Option<String>,
    pub(crate) drain: Option<DrainProgress>,
}

/// The steps of a drain, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum DrainStepKey {
    Route,
    Protect,
    Suspend,
    Wait,
    Scale,
}

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum DrainStepState {
    Waiting,
    Running,
    Done,
    Failed,
    Skipped,
}

/// A step of a drain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrainStep {
    pub(crate) key: DrainStepKey,
    pub(crate) title: String,
    pub(crate) state: DrainStepState,
    pub(crate) detail: Option<String>,
}

/// How far a fleet is led out of service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrainProgress {
    pub(crate) steps: Vec<DrainStep>,
    pub(crate) game_sessions: u32,
    pub(crate) player_sessions: u32,
    /// Made on the fleet since new sessions were led elsewhere.
    pub(crate) new_game_sessions: u32,
    pub(crate) start_game_sessions: u32,
    /// Left until the last session ends, from recorded session lengths.
    pub(crate) estimate_ms: Option<Ms>,
    pub(crate) estimate_text: String,
}

impl From<operations::Run> for Run {
    fn from(run: operations::Run) -> Self {
        Self {
            id: run.id.into_string(),
            kind: match run.kind {
                store::RunKind::Bulk => RunKind::Bulk,
                store::RunKind::Drain => RunKind::Drain,
            },
            state: match run.state {
                store::RunState::Running => RunState::Running,
                store::RunState::Paused => RunState::Paused,
                store::RunState::Stopped => RunState::Stopped,
                store::RunState::Finished => RunState::Finished,
            },
            title: run.title,
            region: run.region.map(Region::into_string),
            fleet_id: run.fleet_id.map(FleetId::into_string),
            created_ms: run.created_at.into(),
            changed_ms: run.changed_at.into(),
            total: run.total,
            done: run.done,
            failed: run.failed,
            unknown: run.unknown,
            ended: run.ended,
            skipped: run.skipped,
            left: run.left,
            left_out: run.left_out.into_iter().take(LeftOut::MOST).map(Skipped::from).collect(),
            message: run.message,
            drain: run.drain.map(DrainProgress::from),
        }
    }
}

impl From<operations::DrainProgress> for DrainProgress {
    fn from(progress: operations::DrainProgress) -> Self {
        Self {
            steps: progress.steps.into_iter().map(DrainStep::from).collect(),
            game_sessions: count(progress.game_sessions),
            player_sessions: count(progress.player_sessions),
            new_game_sessions: count(progress.new_game_sessions),
            start_game_sessions: count(progress.start_game_sessions),
            estimate_ms: progress.estimate_ms.map(Ms),
            estimate_text: progress.estimate_text,
        }
    }
}

impl From<operations::DrainStep> for DrainStep {
    fn from(step: operations::DrainStep) -> Self {
        let key = match step.key {
            operations::DrainStepKey::Route => DrainStepKey::Route,
            operations::DrainStepKey::Protect => DrainStepKey::Protect,
            operations::DrainStepKey::Suspend => DrainStepKey::Suspend,
            operations::DrainStepKey::Wait => DrainStepKey::Wait,
            operations::DrainStepKey::Scale => DrainStepKey::Scale,
        };
        let state = match step.state {
            operations::DrainStepState::Waiting => DrainStepState::Waiting,
            operations::DrainStepState::Running => DrainStepState::Running,
            operations::DrainStepState::Done => DrainStepState::Done,
            operations::DrainStepState::Failed => DrainStepState::Failed,
            operations::DrainStepState::Skipped => DrainStepState::Skipped,
        };
        Self { key, title: step.title, state, detail: step.detail }
    }
}
