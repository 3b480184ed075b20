//! The steps of a drain: which there are, the state of each, and which changes each sends.
//!
//! Owns the state that is kept from one to the next. Deliberately sends nothing.

use liftdeck_model::Timestamp;
use liftdeck_model::action::Request;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::intent::DrainPlan;
use crate::send::run::item::Item;
use crate::send::run::progress::Progress;

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DrainStepKey {
    /// Send new sessions elsewhere.
    Route,
    /// Protect live sessions from scale-in.
    Protect,
    /// Suspend scaling.
    Suspend,
    /// Wait until the live sessions have ended by themselves.
    Wait,
    /// Set every location to no instances.
    Scale,
}

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DrainStepState {
    /// Its turn has not come.
    Waiting,
    /// Under way.
    Running,
    /// Done.
    Done,
    /// A change of it failed. Resuming tries that change again.
    Failed,
    /// Not wanted, or nothing to do.
    Skipped,
}

/// A step and its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DrainStep {
    /// Which step it is.
    pub key: DrainStepKey,
    /// Its title for people.
    pub title: String,
    /// Its state.
    pub state: DrainStepState,
    /// Its progress, or why it failed.
    pub detail: Option<String>,
    /// Its changes, by their place in the run.
    #[serde(default)]
    pub(crate) items: Vec<u32>,
}

/// The progress of a drain, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DrainProgress {
    /// The steps in order.
    pub steps: Vec<DrainStep>,
    /// Live game sessions at the last count; before the first one, those on record.
    pub game_sessions: u64,
    /// Players in them; `None` before the first count.
    pub player_sessions: Option<u64>,
    /// Game sessions created on the fleet since new ones are sent elsewhere; `None` before the first count.
    pub new_game_sessions: Option<u64>,
    /// Live game sessions when the drain began.
    pub start_game_sessions: u64,
    /// Median of the estimate, in milliseconds from the last count; `None` if there is no estimate.
    pub estimate_ms: Option<i64>,
    /// The estimate in a sentence, or why there is none.
    pub estimate_text: String,
}

/// The progress of a drain, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DrainState {
    pub(crate) steps: Vec<DrainStep>,
    /// When new sessions were first sent elsewhere.
    pub(crate) routed_at: Option<Timestamp>,
    /// Whether the live sessions were checked for protection.
    pub(crate) sessions_planned: bool,
    pub(crate) count: Count,
    pub(crate) start_game_sessions: u64,
}

/// The last count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Count {
    pub(crate) game_sessions: u64,
    pub(crate) player_sessions: u64,
    pub(crate) new_game_sessions: u64,
    pub(crate) estimate_ms: Option<i64>,
    pub(crate) estimate_text: String,
}

impl Count {
    /// Whether AWS has been asked. Every count comes with a sentence on how long it will take.
    pub(super) const fn is_counted(&self) -> bool {
        !self.estimate_text.is_empty()
    }
}

impl DrainStepKey {
    const ALL: [Self; 5] = [Self::Route, Self::Protect, Self::Suspend, Self::Wait, Self::Scale];

    const fn title(self) -> &'static str {
        match self {
            Self::Route => "Send new game sessions elsewhere",
            Self::Protect => "Protect live game sessions",
            Self::Suspend => "Suspend scaling",
            Self::Wait => "Wait until the fleet is empty",
            Self::Scale => "Scale to zero",
        }
    }

    /// Returns the step that sends a change.
    const fn of(request: &Request) -> Option<Self> {
        match request {
            Request::UpdateAlias(_) | Request::UpdateGameSessionQueue(_) => Some(Self::Route),
            Request::UpdateFleetAttributes(_) | Request::UpdateGameSession(_) => Some(Self::Protect),
            Request::StopFleetActions(_) => Some(Self::Suspend),
            Request::UpdateFleetCapacity(_) => Some(Self::Scale),
            _ => None,
        }
    }
}

impl DrainState {
    /// Creates a state with nothing begun. A drain always waits for the fleet to become empty before it scales.
    pub(crate) fn new(plan: &DrainPlan, items: &[Item], live: u64) -> Self {
        let step = |key: DrainStepKey| {
            let items: Vec<u32> = (0..)
                .zip(items)
                .filter(|(_, item)| DrainStepKey::of(&item.action.request) == Some(key))
                .map(|(at, _)| at)
                .collect();
            let wanted = match key {
                DrainStepKey::Route | DrainStepKey::Suspend | DrainStepKey::Scale => !items.is_empty(),
                DrainStepKey::Protect => plan.protect,
                DrainStepKey::Wait => true,
            };
            let state = if wanted { DrainStepState::Waiting } else { DrainStepState::Skipped };
            DrainStep { key, title: key.title().to_owned(), state, detail: None, items }
        };
        let count = Count { game_sessions: live, ..Count::default() };
        Self {
            steps: DrainStepKey::ALL.map(step).into(),
            routed_at: None,
            sessions_planned: false,
            count,
            start_game_sessions: live,
        }
    }

    /// Returns the first step that is not over.
    pub(crate) fn current(&self) -> Option<usize> {
        self.steps
            .iter()
            .position(|step| !matches!(step.state, DrainStepState::Done | DrainStepState::Skipped))
    }

    /// Sets the state of a step.
    pub(crate) fn set(&mut self, at: usize, state: DrainStepState, detail: Option<String>) {
        if let Some(step) = self.steps.get_mut(at) {
            (step.state, step.detail) = (state, detail);
        }
    }

    /// Repeats what failed in the step that is not over: a person who resumes wants that. What is done, or unknown,
    /// is left alone.
    pub(crate) fn try_failed_again(&mut self, progress: &mut Progress) {
        if let Some(step) = self.current().and_then(|at| self.steps.get_mut(at)) {
            for item in &step.items {
                progress.retry(*item);
            }
            (step.state, step.detail) = (DrainStepState::Waiting, None);
        }
    }

    /// Returns the progress for people.
    pub(crate) fn progress(&self) -> DrainProgress {
        let is_counted = self.count.is_counted();
        DrainProgress {
            steps: self.steps.clone(),
            game_sessions: self.count.game_sessions,
            player_sessions: is_counted.then_some(self.count.player_sessions),
            new_game_sessions: is_counted.then_some(self.count.new_game_sessions),
            start_game_sessions: self.start_game_sessions,
            estimate_ms: self.count.estimate_ms,
            estimate_text: self.count.estimate_text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::action::{Action, Protection, SetFleetActions, UpdateFleetAttributes};
    use liftdeck_model::{FleetId, Region};

    use super::*;
    use crate::send::run::progress::ItemState;

    fn item(request: Request) -> Item {
        Item::bare(Action { region: Region::from("eu-west-1"), request })
    }

    fn plan() -> DrainPlan {
        DrainPlan {
            region: Region::from("eu-west-1"),
            fleet_id: FleetId::from("fleet-1"),
            routes: Vec::new(),
            protect: true,
            suspend_scaling: true,
            scale_to_zero: false,
        }
    }

    fn items() -> Vec<Item> {
        let stop = |place: &str| {
            item(Request::StopFleetActions(SetFleetActions {
                fleet_id: FleetId::from("fleet-1"),
                location: Some(place.into()),
            }))
        };
        let protect = item(Request::UpdateFleetAttributes(UpdateFleetAttributes {
            fleet_id: FleetId::from("fleet-1"),
            new_game_session_protection_policy: Protection::FullProtection,
        }));
        vec![protect, stop("eu-west-1"), stop("eu-north-1")]
    }

    #[test]
    fn each_change_belongs_to_its_step_and_a_step_without_any_is_skipped() {
        let state = DrainState::new(&plan(), &items(), 9);
        let told: Vec<_> =
            state.steps.iter().map(|step| (step.key, step.state, step.items.clone())).collect();
        use DrainStepState::{Skipped, Waiting};
        assert_eq!(
            told,
            [
                (DrainStepKey::Route, Skipped, vec![]),
                (DrainStepKey::Protect, Waiting, vec![0]),
                (DrainStepKey::Suspend, Waiting, vec![1, 2]),
                (DrainStepKey::Wait, Waiting, vec![]),
                (DrainStepKey::Scale, Skipped, vec![]),
            ]
        );
        assert_eq!(state.current(), Some(1));
    }

    #[test]
    fn resuming_repeats_what_failed_and_never_what_is_done_or_unknown() {
        let mut state = DrainState::new(&plan(), &items(), 9);
        let mut progress = Progress::new(3);
        state.set(1, DrainStepState::Done, None);
        state.set(2, DrainStepState::Failed, Some("No.".to_owned()));
        progress.answered(0, ItemState::Failed, None);
        progress.answered(1, ItemState::Failed, None);
        progress.answered(2, ItemState::Unknown, None);
        state.try_failed_again(&mut progress);
        let waiting: Vec<u32> = progress.waiting_of(&[0, 1, 2]).collect();
        assert_eq!(waiting, [1], "the first belongs to a step that is over");
    }

    #[test]
    fn before_the_first_count_nobody_knows_of_players() {
        let mut state = DrainState::new(&plan(), &items(), 9);
        let told = state.progress();
        assert_eq!((told.game_sessions, told.player_sessions, told.new_game_sessions), (9, None, None));
        state.count.estimate_text = "The fleet is empty.".to_owned();
        let told = state.progress();
        assert_eq!((told.player_sessions, told.new_game_sessions), (Some(0), Some(0)));
    }

    #[test]
    fn it_survives_being_written_down() {
        let state = DrainState::new(&plan(), &items(), 9);
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<DrainState>(&text).unwrap(), state);
    }
}
