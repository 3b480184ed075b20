//! A preview as people read it: what a change would do, worked out before anything is sent.

use liftdeck_model::action::Action;
use liftdeck_model::activity::FactChange;
use liftdeck_model::{Severity, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::skip::{LeftOut, Skipped};
use crate::words::WarningFact;

/// Names a preview, for its confirmation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct PreviewId(String);

impl PreviewId {
    /// The id as it was given out.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A preview. What is confirmed is exactly this, or nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// Id.
    pub id: PreviewId,
    /// What is going to happen, as a heading: `Repoint alias live to fleet-b`.
    pub title: String,
    /// Each change that would be sent, with its facts.
    pub items: Vec<PreviewItem>,
    /// What is not sent, whoever confirms; `None` when nothing is left out.
    pub left_out: Option<LeftOut>,
    /// Whether there is anything to confirm: not when all of it is left out.
    pub confirmable: bool,
    /// Who is hit.
    pub blast: Blast,
    /// What should be known before it is confirmed, worst first.
    pub warnings: Vec<Warning>,
    /// Whether it can be undone.
    pub undo: UndoOffer,
    /// What must be typed to confirm it; `None` when a click is enough.
    pub must_type: Option<String>,
    /// The equivalent `aws gamelift …` lines, one an item.
    pub commands: Vec<String>,
    /// From then on it can no longer be confirmed.
    pub expires_at: Timestamp,
}

impl Preview {
    /// What is left out, one by one.
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
    /// What the resource is called.
    pub resource_name: Option<String>,
    /// What it changes.
    pub facts: Vec<FactChange>,
}

/// Who is hit by a change: game sessions that end, may end or lose something by it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Blast {
    /// Live game sessions.
    pub game_sessions: u64,
    /// Players in them.
    pub player_sessions: u64,
    /// Those of them with full protection.
    pub protected_game_sessions: u64,
    /// Their share of all live game sessions of the Region, 0 to 1; `None` when that is not known or nobody is hit.
    pub share_of_region: Option<f64>,
    /// All of it in a sentence.
    pub sentence: String,
    /// How old the oldest count in it is; `None` when all of it was asked just now.
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
    /// What it says, with what was seen: whoever needs to tell one warning from another looks here.
    pub fact: WarningFact,
}

impl Warning {
    /// AWS will refuse it, or people will be hurt by it.
    pub fn bad(fact: WarningFact) -> Self {
        Self::new(Severity::Bad, fact)
    }

    /// It may not do what is wanted.
    pub fn caution(fact: WarningFact) -> Self {
        Self::new(Severity::Warning, fact)
    }

    /// Worth knowing.
    pub fn info(fact: WarningFact) -> Self {
        Self::new(Severity::Info, fact)
    }

    fn new(severity: Severity, fact: WarningFact) -> Self {
        Self { severity, text: fact.to_string(), fact }
    }

    /// Told of so many of all changes.
    pub(crate) fn of_some(self, changes: u64, all: u64) -> Self {
        Self::new(self.severity, WarningFact::OfSome { changes, all, fact: Box::new(self.fact) })
    }
}

/// Whether a change can be undone once it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "text", rename_all = "camelCase")]
pub enum UndoOffer {
    /// Everything comes back as it was.
    Exact,
    /// Some of it does; the sentence says what does not.
    Partly(String),
    /// Nothing does; the sentence says why.
    None(String),
}
