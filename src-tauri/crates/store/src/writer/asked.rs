//! What GameLift told when it was asked about one player, placement or ticket.
//!
//! Owns the rows that no poll and no event brings: player sessions of game sessions that were never read, who a
//! placement or ticket was for, and with which latencies.

use liftdeck_model::action::RegionLatency;
use liftdeck_model::matchmaking::Ticket;
use liftdeck_model::observation::{Listing, Subject};
use liftdeck_model::placement::Placement;
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::{GameSessionId, PlacementId, PlayerId, Timestamp};

use crate::bulk::Bulk;
use crate::code::Code;
use crate::error::StoreError;
use crate::reader::split_arn;
use crate::writer::resource::document;
use crate::writer::transaction::Transaction;

/// Latencies to Regions or locations, in milliseconds.
type Latencies = Vec<(String, i64)>;

impl Transaction<'_> {
    /// Stores player sessions of a game session that was never read.
    pub(super) async fn player_sessions_alone(
        &mut self,
        id: &GameSessionId,
        listing: &Listing<PlayerSession>,
    ) -> Result<(), StoreError> {
        self.know_players(listing.items.iter().map(|item| &item.player_id).collect()).await?;
        let (prefix, short) = split_arn(id);
        let prefix_key = self.prefix_key(prefix).await?;
        let mut rows = Bulk::upsert(
            "player_session_alone (id, player_key, session_id, prefix_key, fleet_key, created_at, ended_at, status)",
            "ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, status = excluded.status",
        );
        for item in &listing.items {
            rows.push(Code::encode(item.player_session_id.as_str()))?;
            rows.push(self.player_key(&item.player_id)?)?;
            rows.push(short.clone())?;
            rows.push(prefix_key)?;
            rows.push(self.fleet_key(&item.fleet_id).await?)?;
            rows.push(item.creation_time.as_ms())?;
            rows.push(item.termination_time.map(Timestamp::as_ms))?;
            rows.push(self.word(item.status.as_str()).await?)?;
        }
        let written = rows.send(self.write().await?).await?;
        self.tally.count("player_sessions", written, Subject::PlayerSessions);
        Ok(())
    }

    /// Stores who a placement was for. One that GameLift does not know is remembered as asked about.
    pub(super) async fn placement_asked(
        &mut self,
        id: &PlacementId,
        told: Option<&Placement>,
    ) -> Result<(), StoreError> {
        if let Some(placement) = told {
            let mut players: Vec<(&PlayerId, Latencies)> = Vec::new();
            let placed = placement.placed_player_sessions.iter().map(|placed| &placed.player_id);
            for player in placed.chain(placement.player_latencies.iter().map(|one| &one.player_id)) {
                if !players.iter().any(|(known, _)| *known == player) {
                    players.push((player, Vec::new()));
                }
            }
            for measured in &placement.player_latencies {
                if let Some((_, list)) = players.iter_mut().find(|(player, _)| **player == measured.player_id)
                {
                    list.push((measured.region.clone(), measured.latency_ms.round() as i64));
                }
            }
            let at = placement.start_time.map_or(self.at, Timestamp::as_ms);
            self.player_latencies(id.as_str(), false, at, players).await?;
        }
        sqlx::query(
            "INSERT INTO placement_asked (placement_id, asked_at) VALUES (?, ?) \
             ON CONFLICT (placement_id) DO UPDATE SET asked_at = excluded.asked_at",
        )
        .bind(id.as_str())
        .bind(self.at)
        .execute(self.write().await?)
        .await?;
        self.tally.count("placements_asked", 1, Subject::Placements);
        Ok(())
    }

    /// Stores the latencies of a ticket's players.
    pub(super) async fn ticket_asked(&mut self, ticket: &Ticket) -> Result<(), StoreError> {
        let latencies = |list: &[RegionLatency]| {
            list.iter().map(|one| (one.region.clone(), i64::from(one.latency_ms))).collect()
        };
        let players = ticket.players.iter().map(|player| (&player.player_id, latencies(&player.latencies)));
        let at = ticket.start_time.map_or(self.at, Timestamp::as_ms);
        self.player_latencies(ticket.ticket_id.as_str(), true, at, players.collect()).await
    }

    async fn player_latencies(
        &mut self,
        asked_id: &str,
        is_ticket: bool,
        at: i64,
        players: Vec<(&PlayerId, Latencies)>,
    ) -> Result<(), StoreError> {
        self.know_players(players.iter().map(|(player, _)| *player).collect()).await?;
        let mut rows = Bulk::upsert(
            "player_latency (player_key, asked_id, is_ticket, at, latencies)",
            "ON CONFLICT (player_key, asked_id) DO UPDATE SET at = excluded.at, latencies = excluded.latencies",
        );
        for (player, latencies) in &players {
            rows.push(self.player_key(player)?)?;
            rows.push(asked_id.to_owned())?;
            rows.push(is_ticket)?;
            rows.push(at)?;
            rows.push(document(latencies)?)?;
        }
        let written = rows.send(self.write().await?).await?;
        self.tally.count("player_latencies", written, Subject::Placements);
        Ok(())
    }
}
