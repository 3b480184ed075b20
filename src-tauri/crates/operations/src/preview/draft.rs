//! One change compared with the current state: what it changes, who it affects, what to know, how to undo it.
//!
//! Owns the form that every kind of change fills in. Each kind has a file of its own, and `change` picks among them.

use liftdeck_model::FleetId;
use liftdeck_model::action::{Action, Request};
use liftdeck_model::activity::FactChange;

use crate::fact::{Skip, SkipReason, Skipped, UndoOffer, Warning};
use crate::words::{SkipFact, WarningFact};

/// The number affected may grow by this many, or by a tenth, before the change counts as a different one.
const GROWTH: u64 = 5;

/// Whether the number affected grew so much that it is a different change.
pub(crate) fn grew(was: u64, is: u64) -> bool {
    is > was + GROWTH.max(was / 10)
}

/// How game sessions are affected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum How {
    /// Not at all.
    #[default]
    Nobody,
    /// They go on, with something about them changed.
    Concerns,
    /// They may end: GameLift chooses.
    MayEnd,
    /// They end.
    Ends,
}

/// Who a change affects.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hit {
    pub(crate) how: How,
    pub(crate) game_sessions: u64,
    pub(crate) player_sessions: u64,
    pub(crate) protected_game_sessions: u64,
    /// Set if the counts come from the store: their time, if known. Unset if AWS was asked just now.
    pub(crate) from_store: Option<Option<liftdeck_model::Timestamp>>,
    /// What else happens and to whom, in a sentence.
    pub(crate) note: Option<String>,
}

impl Hit {
    /// Creates a hit that affects nobody. `note` says what happens instead.
    pub(crate) fn nobody(note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..Self::default() }
    }
}

/// One change compared with the current state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    pub(crate) action: Action,
    /// Name of the resource.
    pub(crate) name: Option<String>,
    /// The fleet concerned, if any.
    pub(crate) fleet_id: Option<FleetId>,
    /// What is going to happen, as a heading.
    pub(crate) title: String,
    pub(crate) facts: Vec<FactChange>,
    /// What else the preview depends on, as label and value.
    pub(crate) ground: Vec<(String, Option<String>)>,
    pub(crate) hit: Hit,
    pub(crate) warnings: Vec<Warning>,
    /// Why it is left out; `None` if it is to be sent.
    pub(crate) skip: Option<Skip>,
    /// The actions that undo it; empty if it cannot be undone.
    pub(crate) undo: Vec<Action>,
    pub(crate) offer: UndoOffer,
}

impl Draft {
    /// Creates a draft without consequences yet.
    pub(crate) fn new(action: &Action, title: impl Into<String>) -> Self {
        Self {
            action: action.clone(),
            name: None,
            fleet_id: action.request.resource().fleet_id,
            title: title.into(),
            facts: Vec::new(),
            ground: Vec::new(),
            hit: Hit::default(),
            warnings: Vec::new(),
            skip: None,
            undo: Vec::new(),
            offer: UndoOffer::None("Nothing is changed, so there is nothing to undo.".to_owned()),
        }
    }

    /// Notes a fact.
    pub(crate) fn fact(&mut self, label: &str, before: Option<String>, after: Option<String>) {
        self.facts.push(FactChange { label: label.to_owned(), before, after });
    }

    /// Notes something the preview depends on.
    pub(crate) fn rests_on(&mut self, label: &str, value: Option<String>) {
        self.ground.push((label.to_owned(), value));
    }

    /// Leaves the change out because AWS would refuse it. Every reason is kept.
    pub(crate) fn refuse(&mut self, fact: SkipFact) {
        match &mut self.skip {
            None => self.skip = Some(Skip::refused(fact)),
            Some(skip) if skip.reason == SkipReason::Refused => skip.facts.push(fact),
            Some(_) => {}
        }
    }

    /// Leaves the change out because its target has ended.
    pub(crate) fn end(&mut self, fact: SkipFact) {
        self.skip.get_or_insert_with(|| Skip::ended(fact));
    }

    /// Warns that AWS will refuse the change, or that it will hurt players.
    pub(crate) fn bad(&mut self, fact: WarningFact) {
        self.warnings.push(Warning::bad(fact));
    }

    /// Warns that the change may not do what is wanted.
    pub(crate) fn caution(&mut self, fact: WarningFact) {
        self.warnings.push(Warning::caution(fact));
    }

    /// Notes something worth knowing.
    pub(crate) fn info(&mut self, fact: WarningFact) {
        self.warnings.push(Warning::info(fact));
    }

    /// Describes the change as left out for this reason.
    pub(crate) fn left_out(&self, skip: &Skip) -> Skipped {
        skip.of(&self.action, self.name.as_deref())
    }

    /// Notes what undoes it.
    pub(crate) fn undone_by(&mut self, undo: Vec<Request>, offer: UndoOffer) {
        let region = self.action.region.clone();
        self.undo = undo.into_iter().map(|request| Action { region: region.clone(), request }).collect();
        self.offer = offer;
    }

    /// Whether the current state is already what the change asks for, as far as its facts show.
    pub(crate) fn holds(&self) -> bool {
        !self.facts.is_empty() && self.facts.iter().all(|fact| fact.before == fact.after)
    }

    /// What to call the resource.
    pub(crate) fn named(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.action.request.resource().id)
    }

    /// Lists what the other draft of the same change finds different, as (label, here, there). Among many game
    /// sessions a status may change: sessions end all the time, and one that has ended is not ended twice.
    pub(crate) fn differs_from(
        &self,
        other: &Self,
        among_many: bool,
    ) -> Vec<(String, Option<String>, Option<String>)> {
        let lenient = among_many && matches!(self.action.request, Request::TerminateGameSession(_));
        if lenient {
            return Vec::new();
        }
        let lines = |draft: &Self| -> Vec<(String, Option<String>)> {
            let facts = draft.facts.iter().map(|fact| (fact.label.clone(), fact.before.clone()));
            facts.chain(draft.ground.iter().cloned()).collect()
        };
        let there = lines(other);
        let differs = |(label, was): (String, Option<String>)| {
            let is = there.iter().find(|(other, _)| *other == label).and_then(|(_, value)| value.clone());
            (was != is).then_some((label, was, is))
        };
        lines(self).into_iter().filter_map(differs).collect()
    }
}
