//! Player sessions that callers create.

use super::super::records::{GameSessionStatus, PlayerSession, PlayerSessionCreationPolicy};
use super::super::refusal::{Refusal, RefusalKind};
use super::super::session::Seat;
use super::super::{SessionRef, World};
use super::session::wrong_status;

impl World {
    /// Reserves slots of a session for players, all or none, and returns their player sessions in that order. Players
    /// of the simulated population join within seconds. Others never join, and their reservations time out.
    ///
    /// # Errors
    /// When the session is unknown, not ACTIVE, closed to new players, or has too few free slots.
    pub fn create_player_sessions(
        &mut self,
        region: &str,
        arn: &str,
        players: Vec<(String, Option<String>)>,
    ) -> Result<Vec<PlayerSession>, Refusal> {
        let number = self.session_number(region, arn)?;
        self.check_open(number, arn, players.len())?;
        let players =
            players.into_iter().map(|(player_id, data)| (self.meet_player(&player_id), data)).collect();
        let made = self.seat_players(number, players);
        let session = self.session(number).ok_or_else(|| Refusal::not_found("Game session", arn))?;
        let view = SessionRef { world: self, session };
        Ok(made.into_iter().filter_map(|seat| view.player_session(seat)).collect())
    }

    /// Reserves slots of a session for players, with their data, even if it has too few. Returns the seats.
    pub(crate) fn seat_players(&mut self, number: u32, players: Vec<(u32, Option<String>)>) -> Vec<u16> {
        let now_ms = self.now_ms;
        let mut made = Vec::with_capacity(players.len());
        for (player, player_data) in players {
            let plays = self.population.plays(player);
            let mut draw = self.request_draw();
            let Some(session) = self.session(number) else { break };
            let (created_ms, over_ms) = (session.created_ms, session.end_ms - session.created_ms);
            let (seat, from_ms) = (session.seats.len() as u16, now_ms - created_ms);
            let joined_ms = from_ms + draw.span_ms(1_500, 15_000);
            let stays = draw.chance(session.profile().loyalty);
            let early_ms = joined_ms + draw.span_ms(60_000, over_ms - joined_ms);
            let left_ms = if stays { over_ms } else { early_ms.min(over_ms) };
            let before = self.population.seat(player, number, seat, created_ms + left_ms);
            let Some(session) = self.session_mut(number) else { break };
            session.seats.push(Seat {
                player,
                reserved: from_ms as u32,
                joined: if plays { joined_ms as u32 } else { u32::MAX },
                left: left_ms as u32,
                before,
            });
            session.chosen.get_or_insert_default().seats.insert(seat, player_data);
            // A player planned for later may have no slot any more.
            session.fit_seats_after(now_ms);
            made.push(seat);
        }
        made
    }

    fn check_open(&self, number: u32, arn: &str, players: usize) -> Result<(), Refusal> {
        let session = self.session(number).ok_or_else(|| Refusal::not_found("Game session", arn))?;
        let view = SessionRef { world: self, session };
        if view.status() != GameSessionStatus::Active {
            return Err(wrong_status(arn, view.status(), "take players"));
        }
        if view.player_session_creation_policy() != PlayerSessionCreationPolicy::AcceptAll {
            let message = format!("Game session {arn} does not accept new players.");
            return Err(Refusal::new(RefusalKind::SessionStatus, message));
        }
        let free = u32::from(session.max_players).saturating_sub(session.players(self.now_ms));
        if (players as u64) > u64::from(free) {
            let message =
                format!("Game session {arn} has {free} free player slots, and {players} were asked for.");
            return Err(Refusal::new(RefusalKind::Full, message));
        }
        Ok(())
    }
}
