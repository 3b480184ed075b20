//! A preview as people read it: what a change would do, worked out before anything is sent.

use liftdeck_model::action::Action;
use liftdeck_model::activity::FactChange;
use liftdeck_model::{Severity, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::IntoStaticStr;

use super::skip::{LeftOut, Skipped};
use crate::words::WarningFact;

/// Identifies a preview, so that it can be confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct PreviewId(String);

impl PreviewId {
    /// Wraps the id of a preview.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A preview. A confirmation carries out exactly this, or nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// Id.
    pub id: PreviewId,
    /// What is going to happen, as a heading: `Repoint alias live to fleet-b`.
    pub title: String,
    /// Each change that would be sent, with its facts.
    pub items: Vec<PreviewItem>,
    /// Changes that are not sent even if the preview is confirmed; `None` if nothing is left out.
    pub left_out: Option<LeftOut>,
    /// Whether it can be confirmed: it has a change to send, or resumes a run.
    pub confirmable: bool,
    /// Who is affected.
    pub blast: Blast,
    /// What to know before confirming, worst first.
    pub warnings: Vec<Warning>,
    /// Whether it can be undone.
    pub undo: UndoOffer,
    /// Text that must be typed to confirm it; `None` if a click is enough.
    pub must_type: Option<String>,
    /// The equivalent `aws gamelift …` lines, one per item.
    pub commands: Vec<String>,
    /// From this time on it can no longer be confirmed.
    pub expires_at: Timestamp,
}

impl Preview {
    /// Returns the changes left out, one by one.
    pub fn skipped(&self) -> &[Skipped] {
        self.left_out.as_ref().map_or(&[], |left_out| &left_out.rows)
    }
}

/// One change of a preview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PreviewItem {
    /// What is asked of AWS.
    pub action: Action,
    /// Name of the resource.
    pub resource_name: Option<String>,
    /// What it changes.
    pub facts: Vec<FactChange>,
}

/// Who a change affects: game sessions that end, may end or lose something because of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Blast {
    /// Live game sessions.
    pub game_sessions: u64,
    /// Players in them.
    pub player_sessions: u64,
    /// Those of the game sessions that have full protection.
    pub protected_game_sessions: u64,
    /// Their share of the Region, 0 to 1: of its players, or of its game sessions while it has no players. `None` if
    /// that is not known or nobody is affected.
    pub share_of_region: Option<f64>,
    /// All of it in one sentence.
    pub sentence: String,
    /// Time of the oldest count; `None` if everything was read just now, or the age is not known.
    pub as_of: Option<Timestamp>,
}

/// Something to know before confirming.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    /// How much it matters.
    pub severity: Severity,
    /// A sentence or two.
    pub text: String,
    /// The fact that the text states, with what was seen. Use it to tell one warning from another.
    pub fact: WarningFact,
}

impl Warning {
    /// Creates a warning that AWS will refuse the change, or that it will hurt players.
    pub fn bad(fact: WarningFact) -> Self {
        Self::new(Severity::Bad, fact)
    }

    /// Creates a warning that the change may not do what is wanted.
    pub fn caution(fact: WarningFact) -> Self {
        Self::new(Severity::Warning, fact)
    }

    /// Creates a warning that is worth knowing.
    pub fn info(fact: WarningFact) -> Self {
        Self::new(Severity::Info, fact)
    }

    fn new(severity: Severity, fact: WarningFact) -> Self {
        Self { severity, text: fact.to_string(), fact }
    }

    /// Says how many of all changes the warning concerns.
    pub(crate) fn of_some(self, changes: u64, all: u64) -> Self {
        Self::new(self.severity, WarningFact::OfSome { changes, all, fact: Box::new(self.fact) })
    }
}

/// Whether a change can be undone once it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, Type)]
#[serde(tag = "kind", content = "text", rename_all = "camelCase")]
#[strum(serialize_all = "lowercase")]
pub enum UndoOffer {
    /// Everything is restored.
    Exact,
    /// Some of it does; the sentence says what does not.
    Partly(String),
    /// Nothing does; the sentence says why.
    None(String),
}

impl UndoOffer {
    /// What is restored, in a sentence.
    pub fn text(&self) -> &str {
        match self {
            Self::Exact => "everything is restored.",
            Self::Partly(text) | Self::None(text) => text,
        }
    }
}
