//! Game sessions that had ended by themselves before they could be terminated.
//!
//! Owns telling this apart from a failure: AWS refuses to terminate a game session that has ended, but then nothing
//! went wrong. The attempt stays recorded as refused, with what was seen as its effect.

use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityOutcome, Effect, EffectState};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};

use crate::connection::Connection;
use crate::words::Sight;

/// Whether an attempt was refused because the game session it was meant to end had already ended.
pub fn had_ended(activity: &Activity) -> bool {
    activity.outcome == ActivityOutcome::Failed
        && matches!(activity.action.request, Request::TerminateGameSession(_))
        && activity.effect.as_ref().is_some_and(|effect| effect.state == EffectState::Seen)
}

/// Checks whether a termination was refused because the game session has ended, and notes that.
pub(crate) async fn look_into(connection: &Connection, mut activity: Activity) -> Activity {
    let refused = activity.outcome == ActivityOutcome::Failed
        && matches!(
            activity.aws_code.as_deref(),
            Some("InvalidGameSessionStatusException" | "NotFoundException")
        );
    let Request::TerminateGameSession(it) = &activity.action.request else { return activity };
    if !refused {
        return activity;
    }
    // Nothing is claimed that cannot be read: it stays a refusal.
    let Ok(aws) = connection.reader(&activity.region) else { return activity };
    let Ok(session) = aws.game_session(&it.game_session_id).await else { return activity };
    let Some(sight) = ended(session.as_ref()) else { return activity };
    let effect = Effect { state: EffectState::Seen, text: sight.to_string(), at: connection.now() };
    if let Err(error) = connection.writer.note_effect(&activity.id, effect.clone()).await {
        tracing::error!(%error, "That a game session had ended already could not be recorded.");
        return activity;
    }
    activity.effect = Some(effect);
    activity
}

fn ended(session: Option<&GameSession>) -> Option<Sight> {
    let over = [GameSessionStatus::Terminated, GameSessionStatus::Terminating];
    match session.map(|session| session.status.clone()) {
        None => Some(Sight::SessionHadEnded { status: None }),
        Some(status) if over.contains(&status) => Some(Sight::SessionHadEnded { status: Some(status) }),
        Some(_) => None,
    }
}
