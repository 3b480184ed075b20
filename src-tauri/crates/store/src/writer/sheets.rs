//! The rows gathered for the busy tables.
//!
//! Owns their columns, what happens to a row that exists already, and the order in which tables are sent.

use crate::bulk::{Bulk, Upsert};

/// Rows of the busy tables, sent together and parents first.
pub(super) struct Sheets {
    pub(super) sessions: Upsert,
    pub(super) states: Upsert,
    pub(super) texts: Upsert,
    pub(super) pairs: Bulk,
    pub(super) properties: Bulk,
    pub(super) session_changes: Bulk,
    pub(super) activating: Bulk,
    pub(super) players: Bulk,
    pub(super) slots: Upsert,
    pub(super) slot_texts: Bulk,
    pub(super) changes: Bulk,
    pub(super) hot: Bulk,
}

impl Sheets {
    pub(super) fn new() -> Self {
        Self {
            sessions: Upsert::new(
                "game_session (session_key, id, prefix_key, fleet_key, name, creator_id, ip_address, \
                 dns_name, port, compute_name, first_seen_at)",
                "ON CONFLICT (session_key) DO UPDATE SET name = excluded.name, creator_id = excluded.creator_id, \
                 ip_address = excluded.ip_address, dns_name = excluded.dns_name, port = excluded.port, \
                 compute_name = excluded.compute_name",
            ),
            states: Upsert::new(
                "game_session_state (session_key, fleet_key, location_key, created_at, ended_at, live, \
                 status, status_reason, current_player_session_count, maximum_player_session_count, \
                 player_session_creation_policy, protection_policy, player_gateway_status, changed_at, gone_at, \
                 fingerprint, ending)",
                "ON CONFLICT (session_key) DO UPDATE SET location_key = excluded.location_key, \
                 ended_at = excluded.ended_at, live = excluded.live, status = excluded.status, \
                 status_reason = excluded.status_reason, \
                 current_player_session_count = excluded.current_player_session_count, \
                 maximum_player_session_count = excluded.maximum_player_session_count, \
                 player_session_creation_policy = excluded.player_session_creation_policy, \
                 protection_policy = excluded.protection_policy, \
                 player_gateway_status = excluded.player_gateway_status, changed_at = excluded.changed_at, \
                 gone_at = excluded.gone_at, fingerprint = excluded.fingerprint, ending = excluded.ending",
            ),
            texts: Upsert::new(
                "game_session_text (session_key, game_properties, game_session_data, matchmaker_data)",
                "ON CONFLICT (session_key) DO UPDATE SET game_properties = excluded.game_properties, \
                 game_session_data = excluded.game_session_data, matchmaker_data = excluded.matchmaker_data",
            ),
            pairs: Bulk::insert("property_pair (pair_key, name, value)"),
            properties: Bulk::upsert(
                "game_session_property (pair_key, session_key)",
                "ON CONFLICT DO NOTHING",
            ),
            session_changes: Bulk::upsert(
                "game_session_change (session_key, seen_at, field, before, after)",
                "ON CONFLICT (session_key, seen_at, field) DO UPDATE SET after = excluded.after",
            ),
            activating: Bulk::upsert(
                "game_session_activating (session_key, seen_at)",
                "ON CONFLICT (session_key) DO UPDATE SET seen_at = excluded.seen_at",
            ),
            players: Bulk::insert("player (player_key, id)"),
            slots: Upsert::new(
                "player_session (session_key, id, player_key, created_at, ended_at, status, gone_at)",
                "ON CONFLICT (session_key, id) DO UPDATE SET ended_at = excluded.ended_at, status = excluded.status, \
                 gone_at = excluded.gone_at",
            ),
            slot_texts: Bulk::upsert(
                "player_session_text (session_key, id, player_data)",
                "ON CONFLICT (session_key, id) DO UPDATE SET player_data = excluded.player_data",
            ),
            changes: Bulk::insert(
                "change (change_key, seen_at, region_key, kind, resource, name, fleet_key, location_key, \
                 field, before, after, since_at)",
            ),
            hot: Bulk::upsert(
                "metric_hot (sample_at, series_key, value_bits)",
                "ON CONFLICT (sample_at, series_key) DO UPDATE SET value_bits = excluded.value_bits",
            ),
        }
    }

    /// Every table, parents first.
    pub(super) fn all(&mut self) -> [&mut Bulk; 16] {
        let ([new_sessions, sessions], [new_states, states]) = (self.sessions.all(), self.states.all());
        let ([new_texts, texts], [new_slots, slots]) = (self.texts.all(), self.slots.all());
        [
            new_sessions,
            sessions,
            new_states,
            states,
            new_texts,
            texts,
            &mut self.pairs,
            &mut self.properties,
            &mut self.session_changes,
            &mut self.activating,
            &mut self.players,
            new_slots,
            slots,
            &mut self.slot_texts,
            &mut self.changes,
            &mut self.hot,
        ]
    }
}
