//! The game session that a change created or joined, and how players reach it.

use liftdeck_model::GameSessionId;
use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityOutcome};
use liftdeck_model::game_session::{GameSessionStatus, address};
use serde::Serialize;

use crate::connection::Connection;

/// How players reach a game session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JoinedGameSession {
    /// The game session.
    pub game_session_id: GameSessionId,
    /// Its status.
    pub status: GameSessionStatus,
    /// Its host and port; `None` before it has one.
    pub address: Option<String>,
}

/// Asks AWS how players reach the game session that a change created or joined. `None` if there is none, or if AWS
/// does not tell: the change itself is done.
pub(crate) async fn joined(connection: &Connection, activity: &Activity) -> Option<JoinedGameSession> {
    if activity.outcome != ActivityOutcome::Done {
        return None;
    }
    let aws = connection.reader(&activity.region).ok()?;
    let game_session_id = match &activity.action.request {
        Request::CreateGameSession(_) => activity.made.as_deref().map(GameSessionId::from)?,
        Request::CreatePlayerSessions(it) => it.game_session_id.clone(),
        Request::StartGameSessionPlacement(it) => {
            aws.placement(&it.placement_id).await.ok()??.game_session_id?
        }
        _ => return None,
    };
    let session = aws.game_session(&game_session_id).await.ok()??;
    let address = address(&session.dns_name, &session.ip_address, session.port);
    Some(JoinedGameSession { game_session_id, status: session.status, address })
}
