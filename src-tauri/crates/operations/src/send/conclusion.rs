//! What came of changes as a whole, for whoever asked for them.
//!
//! Owns when they count as done, partly done, refused or failed. Reads nothing: the records say it all.

use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, EffectState};
use liftdeck_store::RunState;

use super::run::view::Run;
use crate::fact::Preview;
use crate::outcome::ended::had_ended;
use crate::words::failure;

/// What came of changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// All is done, or there was nothing left to do.
    Done,
    /// Some of it is done, or its effect is not seen; the sentence says what happened instead, if that is known.
    Partly(Option<String>),
    /// Nothing was sent, and the sentence says why.
    Refused(String),
    /// Nothing was done, and the sentence says why.
    Failed(String),
    /// It is not known whether it was done.
    Unknown {
        /// The attempt.
        id: ActivityId,
        /// Why, in a sentence.
        why: String,
    },
}

impl Conclusion {
    /// What came of a single change. `has_waited` says whether its effect was waited for.
    pub fn of(activity: &Activity, has_waited: bool) -> Self {
        match activity.outcome {
            ActivityOutcome::Done => {}
            ActivityOutcome::Failed if had_ended(activity) => return Self::Done,
            ActivityOutcome::Failed => return Self::Failed(failure(activity)),
            ActivityOutcome::Unknown | ActivityOutcome::Sending => {
                return Self::Unknown { id: activity.id.clone(), why: failure(activity) };
            }
        }
        match activity.effect.as_ref().filter(|_| has_waited) {
            Some(effect) if effect.state == EffectState::Missed => Self::Partly(Some(effect.text.clone())),
            Some(effect) if effect.state != EffectState::Seen => Self::Partly(None),
            _ => Self::Done,
        }
    }

    /// What would come of confirming a preview: whether all of it would be sent, a part, or nothing.
    pub fn of_preview(preview: &Preview) -> Self {
        match &preview.left_out {
            None => Self::Done,
            Some(_) if preview.confirmable => Self::Partly(None),
            Some(left_out) => Self::Refused(format!("Nothing is sent: {}.", left_out.sentence)),
        }
    }

    /// What came of a run. The lines about its changes say what failed and what is unknown.
    pub fn of_run(run: &Run) -> Self {
        match (run.done + run.ended, run.failed + run.unknown, run.skipped, run.state) {
            (_, 0, 0, RunState::Finished) => Self::Done,
            (0, 0, _, RunState::Finished) => {
                Self::Refused("Nothing was sent: all of it has changed since it was looked at.".to_owned())
            }
            (0, _, _, RunState::Finished) => Self::Failed("None of the changes was made.".to_owned()),
            _ => Self::Partly(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Timestamp;
    use liftdeck_model::action::{Action, DeleteAlias, Request};
    use liftdeck_model::activity::Effect;
    use liftdeck_store::RunKind;

    use super::*;

    fn activity(outcome: ActivityOutcome) -> Activity {
        let request = Request::DeleteAlias(DeleteAlias { alias_id: "alias-1".into() });
        let action = Action { region: "eu-west-1".into(), request };
        Activity { outcome, ..Activity::sending(ActivityId::new("a-1"), Timestamp::from_ms(0), action) }
    }

    #[test]
    fn a_change_is_done_once_its_effect_is_seen_or_nobody_waits_for_it() {
        let with = |state| {
            let effect = Effect { state, text: "It is gone.".to_owned(), at: Timestamp::from_ms(1) };
            Activity { effect: Some(effect), ..activity(ActivityOutcome::Done) }
        };
        assert_eq!(Conclusion::of(&with(EffectState::Seen), true), Conclusion::Done);
        assert_eq!(Conclusion::of(&with(EffectState::Awaited), true), Conclusion::Partly(None));
        assert_eq!(Conclusion::of(&with(EffectState::Awaited), false), Conclusion::Done);
        let missed = Conclusion::Partly(Some("It is gone.".to_owned()));
        assert_eq!(Conclusion::of(&with(EffectState::Missed), true), missed);
    }

    #[test]
    fn a_change_that_failed_says_why_with_code_and_request() {
        let failed = Activity {
            aws_code: Some("NotFoundException".to_owned()),
            request_id: Some("r-1".to_owned()),
            message: Some("There is no such alias.".to_owned()),
            ..activity(ActivityOutcome::Failed)
        };
        let said = "There is no such alias. (NotFoundException, request r-1)".to_owned();
        assert_eq!(Conclusion::of(&failed, true), Conclusion::Failed(said));
        let unknown = Conclusion::of(&activity(ActivityOutcome::Unknown), true);
        let why = "The change failed.".to_owned();
        assert_eq!(unknown, Conclusion::Unknown { id: ActivityId::new("a-1"), why });
    }

    #[test]
    fn a_run_is_partly_done_if_anything_of_it_was_not() {
        let run = |done, failed, skipped, state| {
            Conclusion::of_run(&Run {
                id: "run-1".into(),
                kind: RunKind::Bulk,
                state,
                title: "Delete aliases".to_owned(),
                region: None,
                fleet_id: None,
                created_at: Timestamp::from_ms(0),
                changed_at: Timestamp::from_ms(0),
                total: 2,
                done,
                failed,
                unknown: 0,
                ended: 0,
                skipped,
                left: 0,
                left_out: Vec::new(),
                message: None,
                drain: None,
            })
        };
        assert_eq!(run(2, 0, 0, RunState::Finished), Conclusion::Done);
        assert_eq!(run(1, 1, 0, RunState::Finished), Conclusion::Partly(None));
        assert_eq!(run(1, 0, 0, RunState::Paused), Conclusion::Partly(None));
        assert!(matches!(run(0, 0, 2, RunState::Finished), Conclusion::Refused(_)));
        assert!(matches!(run(0, 1, 1, RunState::Finished), Conclusion::Failed(_)));
    }
}
