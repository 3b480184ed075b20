//! What had ended by itself before it could be ended.
//!
//! Owns telling that from a failure: AWS refuses to terminate a game session that has ended, and then nothing went wrong.
//! The attempt stays recorded as refused, with what was seen as its effect.

use std::sync::Arc;

use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityOutcome, Effect, EffectState};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};

use crate::core::Core;

/// Whether an attempt was refused because the game session it was to end had ended already.
pub fn had_ended(activity: &Activity) -> bool {
    activity.outcome == ActivityOutcome::Failed
        && matches!(activity.action.request, Request::TerminateGameSession(_))
        && activity.effect.as_ref().is_some_and(|effect| effect.state == EffectState::Seen)
}

/// Looks whether a termination was refused because the game session has ended, and notes that.
pub(crate) async fn look_into(core: &Arc<Core>, mut activity: Activity) -> Activity {
    let refused = activity.outcome == ActivityOutcome::Failed
        && matches!(
            activity.aws_code.as_deref(),
            Some("InvalidGameSessionStatusException" | "NotFoundException")
        );
    let Request::TerminateGameSession(it) = &activity.action.request else { return activity };
    if !refused {
        return activity;
    }
    // What cannot be read is not claimed: it stays a refusal.
    let Ok(aws) = core.reader(&activity.region) else { return activity };
    let Ok(session) = aws.game_session(&it.game_session_id).await else { return activity };
    let Some(text) = ended(session.as_ref()) else { return activity };
    let effect = Effect { state: EffectState::Seen, text, at: core.now() };
    if let Err(error) = core.writer.note_effect(&activity.id, effect.clone()).await {
        tracing::error!(%error, "That a game session had ended already could not be recorded.");
        return activity;
    }
    activity.effect = Some(effect);
    activity
}

fn ended(session: Option<&GameSession>) -> Option<String> {
    match session {
        None => Some("GameLift no longer knows the game session: it had ended already.".to_owned()),
        Some(session)
            if matches!(session.status, GameSessionStatus::Terminated | GameSessionStatus::Terminating) =>
        {
            Some(format!("The game session had ended already: it is {}.", session.status))
        }
        Some(_) => None,
    }
}
