//! Player sessions by id, by game session or by player.

use super::constraint::{PLAYER, PLAYER_SESSION, POSITIVE, SESSION, SHORT_TEXT, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, invalid, not_found};
use crate::operation::Call;
use crate::page::Page;
use crate::service::ServiceError;
use crate::wire::{Writer, input};
use liftdeck_simulated_world::records::PlayerSessionStatus;

input! {
    struct PlayerSessionsInput {
        session: Option<String> = optional("GameSessionId", SESSION),
        player: Option<String> = optional("PlayerId", PLAYER),
        player_session: Option<String> = optional("PlayerSessionId", PLAYER_SESSION),
        status: Option<String> = optional("PlayerSessionStatusFilter", SHORT_TEXT),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }
}

/// `DescribePlayerSessions`. The status filter applies only with a game session; the limit does not apply with an id.
pub(super) fn describe(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: PlayerSessionsInput = lookup::read(call)?;
    let asked = Asked::new(input.limit, &input.token);
    let page = match (&input.player_session, &input.session, &input.player) {
        (Some(id), None, None) => {
            let found = call.world.player_session(call.region, id);
            let found = found.ok_or_else(|| not_found("Player session", id))?;
            Page { items: vec![found], cursor: None }
        }
        (None, Some(arn), None) => {
            let status = input.status.as_deref().map(filter).transpose()?;
            let session = call.world.game_session(call.region, arn);
            let session = session.ok_or_else(|| not_found("Game session", arn))?;
            asked.cut(
                call,
                session.player_sessions(),
                |player_session| &player_session.player_session_id,
                |player_session| status.is_none_or(|status| player_session.status == status),
            )?
        }
        (None, None, Some(player)) => asked.cut(
            call,
            call.world.player_sessions_of(call.region, player),
            |player_session| &player_session.player_session_id,
            |_| true,
        )?,
        _ => {
            let message = "Exactly one of GameSessionId, PlayerId and PlayerSessionId must be specified.";
            return Err(invalid(message));
        }
    };
    listing::write(call, writer, "PlayerSessions", &page);
    Ok(())
}

fn filter(text: &str) -> Result<PlayerSessionStatus, ServiceError> {
    let known = PlayerSessionStatus::ALL.iter().copied().find(|status| status.as_str() == text);
    known.ok_or_else(|| invalid(format!("PlayerSessionStatusFilter {text} is not a player session status.")))
}
