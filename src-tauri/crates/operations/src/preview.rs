//! What a change would do, worked out before anything is sent.
//!
//! Owns the preview as people read it. Deliberately sends nothing: it rests on reads alone. How one is made is in the
//! submodules, a file for each kind of resource.

mod alias;
mod capacity;
mod compose;
pub(crate) mod crowd;
pub(crate) mod draft;
mod matchmaking;
mod placement;
pub(crate) mod present;
mod queue;
pub(crate) mod scaling;
mod script;
mod session;
pub(crate) mod skip;
pub(crate) mod words;

use liftdeck_model::Timestamp;
use liftdeck_model::action::Action;
use liftdeck_model::activity::FactChange;

pub use skip::{SkipReason, Skipped, left_out};

pub(crate) use compose::{Drained, Regard, Resumed, compose};

/// Names a preview, for its confirmation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Id.
    pub id: PreviewId,
    /// What is going to happen, as a heading: `Repoint alias live to fleet-b`.
    pub title: String,
    /// Each change that would be sent, with its facts.
    pub items: Vec<PreviewItem>,
    /// What is left out: it is not sent, whoever confirms.
    pub skipped: Vec<Skipped>,
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

/// One change of a preview.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewItem {
    /// What is asked of AWS.
    pub action: Action,
    /// What the resource is called.
    pub resource_name: Option<String>,
    /// What it changes.
    pub facts: Vec<FactChange>,
}

/// Who is hit by a change: game sessions that end, may end or lose something by it.
#[derive(Clone, Debug, Default, PartialEq)]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// How much it matters.
    pub severity: Severity,
    /// A sentence or two.
    pub text: String,
}

/// How much a warning matters; the worst comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// AWS will refuse it, or people will be hurt by it.
    Bad,
    /// It may not do what is wanted.
    Warning,
    /// Worth knowing.
    Info,
}

impl Warning {
    /// AWS will refuse it, or people will be hurt by it.
    pub fn bad(text: impl Into<String>) -> Self {
        Self { severity: Severity::Bad, text: text.into() }
    }

    /// It may not do what is wanted.
    pub fn caution(text: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, text: text.into() }
    }

    /// Worth knowing.
    pub fn info(text: impl Into<String>) -> Self {
        Self { severity: Severity::Info, text: text.into() }
    }
}

/// Whether a change can be undone once it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoOffer {
    /// Everything comes back as it was.
    Exact,
    /// Some of it does; the sentence says what does not.
    Partly(String),
    /// Nothing does; the sentence says why.
    None(String),
}
