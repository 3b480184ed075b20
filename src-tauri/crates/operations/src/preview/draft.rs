//! One change against the present: what it changes, whom it hits, what to know, how to undo it.
//!
//! Owns the form every kind of change fills in. The kinds are beside it, a file each.

use liftdeck_model::action::{Action, Request};
use liftdeck_model::activity::{ActivityId, FactChange};
use liftdeck_model::{FleetId, GameSessionId, Region};

use super::present::Present;
use super::skip::{Skip, SkipReason, Skipped};
use super::{UndoOffer, Warning, alias, capacity, matchmaking, placement, queue, scaling, script, session};
use crate::core::Core;
use crate::error::OperationError;
use crate::send::Planned;

/// A blast may grow by this many, or by a tenth, before it is another one.
const GROWTH: u64 = 5;

/// Whether whom a change hits grew so much that it is another change.
pub(crate) fn grew(was: u64, is: u64) -> bool {
    is > was + GROWTH.max(was / 10)
}

/// How game sessions are hit.
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

/// Whom a change hits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hit {
    pub(crate) how: How,
    pub(crate) game_sessions: u64,
    pub(crate) player_sessions: u64,
    pub(crate) protected_game_sessions: u64,
    /// When the counts come from the store: how old they are; unset when AWS was asked just now.
    pub(crate) from_store: Option<Option<liftdeck_model::Timestamp>>,
    /// What else happens to whom, a sentence.
    pub(crate) note: Option<String>,
}

impl Hit {
    /// Nobody is hit; `note` says what happens instead.
    pub(crate) fn nobody(note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..Self::default() }
    }
}

/// One change against the present.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    pub(crate) action: Action,
    /// What the resource is called.
    pub(crate) name: Option<String>,
    /// The fleet concerned, where one is.
    pub(crate) fleet_id: Option<FleetId>,
    /// What is going to happen, as a heading.
    pub(crate) title: String,
    pub(crate) facts: Vec<FactChange>,
    /// What the preview rests on besides: as label and value.
    pub(crate) ground: Vec<(String, Option<String>)>,
    pub(crate) hit: Hit,
    pub(crate) warnings: Vec<Warning>,
    /// Why it is left out; set for what is not to be sent.
    pub(crate) skip: Option<Skip>,
    /// What undoing it takes; empty when it cannot be undone.
    pub(crate) undo: Vec<Action>,
    pub(crate) offer: UndoOffer,
}

impl Draft {
    /// A draft without a consequence yet.
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

    /// Notes something the preview rests on.
    pub(crate) fn rests_on(&mut self, label: &str, value: Option<String>) {
        self.ground.push((label.to_owned(), value));
    }

    /// Leaves it out, because AWS would refuse it; each reason is told.
    pub(crate) fn refuse(&mut self, text: impl Into<String>) {
        let text = text.into();
        match &mut self.skip {
            None => self.skip = Some(Skip::refused(text)),
            Some(skip) if skip.reason == SkipReason::Refused => {
                skip.text = format!("{} {text}", skip.text);
            }
            Some(_) => {}
        }
    }

    /// Leaves it out, because what it is about has ended.
    pub(crate) fn end(&mut self, text: impl Into<String>) {
        self.skip.get_or_insert_with(|| Skip::ended(text));
    }

    /// As it is told when it is left out for this reason.
    pub(crate) fn left_out(&self, skip: &Skip) -> Skipped {
        skip.of(&self.action, self.name.as_deref())
    }

    /// Notes what undoes it.
    pub(crate) fn undone_by(&mut self, undo: Vec<Request>, offer: UndoOffer) {
        let region = self.action.region.clone();
        self.undo = undo.into_iter().map(|request| Action { region: region.clone(), request }).collect();
        self.offer = offer;
    }

    /// Whether the present is already what the change asks for, as far as its facts tell.
    pub(crate) fn holds(&self) -> bool {
        !self.facts.is_empty() && self.facts.iter().all(|fact| fact.before == fact.after)
    }

    /// What to call the resource.
    pub(crate) fn named(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.action.request.resource().id)
    }

    /// What the other draft of the same change finds different, as (label, here, there). Among many game sessions a
    /// status is allowed to move: sessions end all the time, and one that has ended is not ended twice.
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

    /// What is recorded and sent.
    pub(crate) fn into_planned(self, undo_of: Option<ActivityId>) -> Planned {
        Planned {
            action: self.action,
            name: self.name,
            fleet_id: self.fleet_id,
            facts: self.facts,
            undo: self.undo,
            undo_of,
            run: None,
        }
    }
}

/// Each change against the present, in order.
pub(crate) async fn all(core: &Core, actions: &[Action]) -> Result<Vec<Draft>, OperationError> {
    let mut present = Present::new(core);
    let sessions: Vec<(Region, GameSessionId)> = actions
        .iter()
        .filter_map(|action| Some((action.region.clone(), session_of(&action.request)?.clone())))
        .collect();
    present.read_sessions(&sessions).await?;
    let mut drafts = Vec::with_capacity(actions.len());
    for action in actions {
        drafts.push(one(&mut present, action).await?);
    }
    Ok(drafts)
}

/// One change against the present.
pub(crate) async fn single(core: &Core, action: &Action) -> Result<Draft, OperationError> {
    one(&mut Present::new(core), action).await
}

const fn session_of(request: &Request) -> Option<&GameSessionId> {
    match request {
        Request::UpdateGameSession(it) => Some(&it.game_session_id),
        Request::TerminateGameSession(it) => Some(&it.game_session_id),
        Request::CreatePlayerSessions(it) => Some(&it.game_session_id),
        _ => None,
    }
}

async fn one(present: &mut Present<'_>, action: &Action) -> Result<Draft, OperationError> {
    // The largest of these futures would make every caller's as large.
    match &action.request {
        Request::CreateGameSession(it) => Box::pin(session::create(present, action, it)).await,
        Request::UpdateGameSession(it) => Box::pin(session::update(present, action, it)).await,
        Request::TerminateGameSession(it) => Box::pin(session::terminate(present, action, it)).await,
        Request::CreatePlayerSessions(it) => Box::pin(session::reserve(present, action, it)).await,
        Request::StartGameSessionPlacement(it) => Box::pin(placement::start(present, action, it)).await,
        Request::StopGameSessionPlacement(it) => Box::pin(placement::stop(present, action, it)).await,
        Request::CreateAlias(it) => Box::pin(alias::create(present, action, it)).await,
        Request::UpdateAlias(it) => Box::pin(alias::update(present, action, it)).await,
        Request::DeleteAlias(it) => Box::pin(alias::delete(present, action, it)).await,
        Request::UpdateFleetCapacity(it) => Box::pin(capacity::update(present, action, it)).await,
        Request::PutScalingPolicy(it) => Box::pin(scaling::put(present, action, it)).await,
        Request::DeleteScalingPolicy(it) => Box::pin(scaling::delete(present, action, it)).await,
        Request::StopFleetActions(it) => Box::pin(scaling::switch(present, action, it, true)).await,
        Request::StartFleetActions(it) => Box::pin(scaling::switch(present, action, it, false)).await,
        Request::UpdateFleetAttributes(it) => Box::pin(scaling::protect(present, action, it)).await,
        Request::UpdateGameSessionQueue(it) => Box::pin(queue::update(present, action, it)).await,
        Request::StartMatchmaking(it) => Box::pin(matchmaking::start(present, action, it)).await,
        Request::AcceptMatch(it) => Box::pin(matchmaking::accept(present, action, it)).await,
        Request::StopMatchmaking(it) => Box::pin(matchmaking::stop(present, action, it)).await,
        Request::StartMatchBackfill(it) => Box::pin(matchmaking::backfill(present, action, it)).await,
        Request::UpdateScript(it) => Box::pin(script::update(present, action, it)).await,
    }
}
