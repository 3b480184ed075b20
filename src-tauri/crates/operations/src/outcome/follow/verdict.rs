//! What a look at AWS says about the effect of a change, and how long to look for it.

use liftdeck_model::Timestamp;
use liftdeck_model::action::{Request, TerminationMode};
use liftdeck_model::activity::{Effect, EffectState};
use liftdeck_model::observation::Observation;
use liftdeck_model::time::MINUTE_MS;

use crate::words::Sight;

/// What was seen, and what it means for the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Not there yet.
    Awaited(Sight),
    /// There.
    Seen(Sight),
    /// It ended another way.
    Missed(Sight),
}

/// The result of a look: the verdict, and what it saw for the store.
#[derive(Debug)]
pub(crate) struct Glance {
    pub(crate) verdict: Verdict,
    pub(crate) observations: Vec<Observation>,
}

impl Verdict {
    /// Converts to the effect that the record keeps. One that is still awaited after `patience_ms` is given up.
    pub(crate) fn into_effect(self, at: Timestamp, age_ms: i64, patience_ms: i64) -> Effect {
        let (state, sight) = match self {
            Self::Seen(sight) => (EffectState::Seen, sight),
            Self::Missed(sight) => (EffectState::Missed, sight),
            Self::Awaited(sight) if age_ms < patience_ms => (EffectState::Awaited, sight),
            Self::Awaited(last) => {
                (EffectState::GivenUp, Sight::NotSeenWithin { patience_ms, last: Box::new(last) })
            }
        };
        let text = sight.to_string();
        Effect { state, text, at }
    }
}

/// A game session that has not ended this long after it was asked to is called stuck. AWS: it ends only if the server
/// process calls ProcessEnding.
pub(crate) const GRACE_MS: i64 = 5 * MINUTE_MS;

/// How long to look for the effect of a change, in milliseconds.
pub(crate) const fn patience_ms(request: &Request) -> i64 {
    match request {
        // AWS: a queue gives up after at most 600 s; a session that does not activate ends by its own time-out.
        Request::CreateGameSession(_) | Request::StartGameSessionPlacement(_) => 15 * MINUTE_MS,
        Request::TerminateGameSession(it) => match it.termination_mode {
            TerminationMode::TriggerOnProcessTerminate => GRACE_MS + MINUTE_MS,
            TerminationMode::ForceTerminate => 5 * MINUTE_MS,
        },
        // Instances take minutes to start, and protected game sessions keep theirs until they end.
        Request::UpdateFleetCapacity(_) => 45 * MINUTE_MS,
        Request::PutScalingPolicy(_)
        | Request::DeleteScalingPolicy(_)
        | Request::StopFleetActions(_)
        | Request::StartFleetActions(_) => 10 * MINUTE_MS,
        Request::StartMatchmaking(_) | Request::StartMatchBackfill(_) => 30 * MINUTE_MS,
        Request::AcceptMatch(_) => 5 * MINUTE_MS,
        Request::UpdateGameSession(_)
        | Request::CreatePlayerSessions(_)
        | Request::StopGameSessionPlacement(_)
        | Request::CreateAlias(_)
        | Request::UpdateAlias(_)
        | Request::DeleteAlias(_)
        | Request::UpdateFleetAttributes(_)
        | Request::CreateGameSessionQueue(_)
        | Request::UpdateGameSessionQueue(_)
        | Request::StopMatchmaking(_)
        | Request::UpdateScript(_) => 2 * MINUTE_MS,
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::placement::PlacementStatus;

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_000_000);

    #[test]
    fn what_is_awaited_too_long_is_given_up_with_what_was_seen_last() {
        let awaited = || Verdict::Awaited(Sight::PlacementIs { status: PlacementStatus::Pending });
        assert_eq!(awaited().into_effect(NOW, 59_999, 60_000).state, EffectState::Awaited);
        let given_up = awaited().into_effect(NOW, 60_000, 60_000);
        assert_eq!(given_up.state, EffectState::GivenUp);
        assert_eq!(given_up.text, "Not seen within 1 min 00 s. The placement is PENDING.");
    }

    #[test]
    fn what_is_seen_late_is_still_seen() {
        let effect = Verdict::Seen(Sight::SessionShowsChange).into_effect(NOW, 999_999, 60_000);
        assert_eq!((effect.state, effect.at), (EffectState::Seen, NOW));
    }
}
