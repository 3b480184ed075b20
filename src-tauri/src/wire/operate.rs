//! Operating: leave to change things, previews and their confirmation.

use liftdeck_model::action::{Action, FieldError};
use liftdeck_model::activity::{ActivityId, FactChange, RunId};
use liftdeck_model::{FleetId, Region};
use liftdeck_operations as operations;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::number::{Ms, Real, count};

/// Whether changes are let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Mode {
    /// Nothing is changed, whoever asks.
    ReadOnly,
    /// Changes are let through until then.
    Operator {
        /// When it ends by itself.
        until_ms: Ms,
    },
}

/// What somebody wants done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Intent {
    /// These changes; more than one is a bulk change.
    Actions { actions: Vec<Action> },
    /// What an attempt changed, put back.
    Undo { activity_id: String },
    /// A fleet led out of service.
    Drain { plan: DrainPlan },
    /// The rest of a paused run.
    Resume { run_id: String },
}

/// How a fleet is led out of service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrainPlan {
    pub(crate) region: String,
    pub(crate) fleet_id: String,
    /// Changes of aliases and queues that lead new sessions elsewhere.
    pub(crate) routes: Vec<Action>,
    pub(crate) protect: bool,
    pub(crate) suspend_scaling: bool,
    pub(crate) scale_to_zero: bool,
}

/// Whom a change hits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Blast {
    pub(crate) game_sessions: u32,
    pub(crate) player_sessions: u32,
    pub(crate) protected_game_sessions: u32,
    /// Of the Region's players, 0 to 1.
    pub(crate) share_of_region: Option<Real>,
    pub(crate) sentence: String,
    pub(crate) as_of_ms: Option<Ms>,
}

/// How loudly a warning speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum WarningSeverity {
    Info,
    Warning,
    Bad,
}

/// What to know before confirming.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PreviewWarning {
    pub(crate) severity: WarningSeverity,
    pub(crate) text: String,
}

/// How well a change can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum UndoKind {
    Exact,
    Partly,
    None,
}

/// Whether a change can be undone, and what is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UndoOffer {
    pub(crate) kind: UndoKind,
    pub(crate) text: String,
}

/// One change of a preview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PreviewItem {
    pub(crate) action: Action,
    pub(crate) resource_name: Option<String>,
    pub(crate) facts: Vec<FactChange>,
}

/// Why a change is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum SkipReason {
    /// What it is about has ended: nothing is left to do.
    Ended,
    /// AWS would refuse it.
    Refused,
    /// It is not as it was looked at any more.
    Moved,
}

/// A change that is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skipped {
    pub(crate) operation: String,
    pub(crate) resource_id: String,
    pub(crate) resource_name: Option<String>,
    pub(crate) reason: SkipReason,
    /// Why, in a sentence.
    pub(crate) text: String,
}

/// What is left out: all of it counted, the first of it told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LeftOut {
    pub(crate) total: u32,
    /// How many for which reason.
    pub(crate) sentence: String,
    pub(crate) rows: Vec<Skipped>,
}

/// What would happen, to be confirmed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Preview {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) items: Vec<PreviewItem>,
    /// What is not sent, whoever confirms; null when nothing is left out.
    pub(crate) left_out: Option<LeftOut>,
    /// Whether there is anything to confirm: not when all of it is left out.
    pub(crate) confirmable: bool,
    pub(crate) blast: Blast,
    pub(crate) warnings: Vec<PreviewWarning>,
    pub(crate) undo: UndoOffer,
    /// What has to be typed to confirm; null when nothing has.
    pub(crate) must_type: Option<String>,
    /// Equivalent commands of the AWS CLI.
    pub(crate) commands: Vec<String>,
    pub(crate) expires_ms: Ms,
}

/// What confirming set off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Receipt {
    pub(crate) run_id: Option<String>,
    pub(crate) activity_ids: Vec<String>,
    /// The one change, when it was not sent because what it was about had ended by itself; null otherwise.
    pub(crate) left_out: Option<LeftOut>,
}

/// The answer to a confirmation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(crate) enum Confirmed {
    /// It was recorded and sent.
    Sent { receipt: Receipt },
    /// Nothing was sent: the world moved since the preview. This is the new one.
    Moved { what: Vec<FactChange>, preview: Box<Preview> },
}

/// Whether a change has the form the service asks for, and the same as a command of the AWS CLI.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct ActionCheck {
    pub(crate) errors: Vec<FieldError>,
    pub(crate) command: String,
}

impl From<operations::Mode> for Mode {
    fn from(mode: operations::Mode) -> Self {
        match mode {
            operations::Mode::ReadOnly => Self::ReadOnly,
            operations::Mode::Operator { until } => Self::Operator { until_ms: until.into() },
        }
    }
}

impl From<Intent> for operations::Intent {
    fn from(intent: Intent) -> Self {
        match intent {
            Intent::Actions { actions } => Self::Actions(actions),
            Intent::Undo { activity_id } => Self::Undo(ActivityId::new(activity_id)),
            Intent::Drain { plan } => Self::Drain(plan.into()),
            Intent::Resume { run_id } => Self::Resume(RunId::new(run_id)),
        }
    }
}

impl From<DrainPlan> for operations::DrainPlan {
    fn from(plan: DrainPlan) -> Self {
        Self {
            region: Region::new(plan.region),
            fleet_id: FleetId::new(plan.fleet_id),
            routes: plan.routes,
            protect: plan.protect,
            suspend_scaling: plan.suspend_scaling,
            scale_to_zero: plan.scale_to_zero,
        }
    }
}

impl From<operations::Blast> for Blast {
    fn from(blast: operations::Blast) -> Self {
        Self {
            game_sessions: count(blast.game_sessions),
            player_sessions: count(blast.player_sessions),
            protected_game_sessions: count(blast.protected_game_sessions),
            share_of_region: blast.share_of_region.and_then(Real::finite),
            sentence: blast.sentence,
            as_of_ms: blast.as_of.map(Ms::from),
        }
    }
}

impl From<operations::Warning> for PreviewWarning {
    fn from(warning: operations::Warning) -> Self {
        let severity = match warning.severity {
            operations::Severity::Bad => WarningSeverity::Bad,
            operations::Severity::Warning => WarningSeverity::Warning,
            operations::Severity::Info => WarningSeverity::Info,
        };
        Self { severity, text: warning.text }
    }
}

impl From<operations::UndoOffer> for UndoOffer {
    fn from(offer: operations::UndoOffer) -> Self {
        let (kind, text) = match offer {
            operations::UndoOffer::Exact => (UndoKind::Exact, "Everything comes back as it was.".to_owned()),
            operations::UndoOffer::Partly(text) => (UndoKind::Partly, text),
            operations::UndoOffer::None(text) => (UndoKind::None, text),
        };
        Self { kind, text }
    }
}

impl From<operations::PreviewItem> for PreviewItem {
    fn from(item: operations::PreviewItem) -> Self {
        Self { action: item.action, resource_name: item.resource_name, facts: item.facts }
    }
}

impl From<operations::Preview> for Preview {
    fn from(preview: operations::Preview) -> Self {
        Self {
            id: preview.id.as_str().to_owned(),
            title: preview.title,
            items: preview.items.into_iter().map(PreviewItem::from).collect(),
            left_out: LeftOut::of(preview.skipped),
            confirmable: preview.confirmable,
            blast: preview.blast.into(),
            warnings: preview.warnings.into_iter().map(PreviewWarning::from).collect(),
            undo: preview.undo.into(),
            must_type: preview.must_type,
            commands: preview.commands,
            expires_ms: preview.expires_at.into(),
        }
    }
}

impl LeftOut {
    /// Told one by one at most; beyond, they are counted.
    pub(crate) const MOST: usize = 200;

    /// What is left out; `None` when nothing is.
    pub(crate) fn of(skipped: Vec<operations::Skipped>) -> Option<Self> {
        let sentence = operations::left_out(&skipped)?;
        let total = count(skipped.len() as u64);
        let rows = skipped.into_iter().take(Self::MOST).map(Skipped::from).collect();
        Some(Self { total, sentence, rows })
    }
}

impl From<operations::Skipped> for Skipped {
    fn from(skipped: operations::Skipped) -> Self {
        Self {
            operation: skipped.operation,
            resource_id: skipped.resource,
            resource_name: skipped.name,
            reason: match skipped.reason {
                operations::SkipReason::Ended => SkipReason::Ended,
                operations::SkipReason::Refused => SkipReason::Refused,
                operations::SkipReason::Moved => SkipReason::Moved,
            },
            text: skipped.text,
        }
    }
}

impl From<operations::Receipt> for Receipt {
    fn from(receipt: operations::Receipt) -> Self {
        Self {
            run_id: receipt.run.map(RunId::into_string),
            activity_ids: receipt.activities.into_iter().map(|activity| activity.id.into_string()).collect(),
            left_out: LeftOut::of(receipt.skipped),
        }
    }
}
