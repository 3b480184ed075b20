//! The history of a game session as a list of moments, and its number of players over time.

use std::collections::BTreeMap;

use liftdeck_model::game_session::{GameSessionEnding, GameSessionStatus};
use liftdeck_model::time::in_words;
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::reader::session::GameSessionDetail;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::words;

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TimelineKind {
    /// Status of the game session.
    Status,
    /// Players or player slots.
    Players,
    /// Whether new players can join.
    Policy,
    /// The placement that created it.
    Placement,
    /// Protection.
    Protection,
    /// Name or properties.
    Properties,
    /// A fleet event about the game session.
    Event,
}

/// A moment in the history of a game session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntry {
    /// The time; a change between two polls is dated by the poll that first saw it.
    pub at: Timestamp,
    /// What it is about.
    pub kind: TimelineKind,
    /// What happened.
    pub text: String,
    /// How much it matters.
    pub severity: Severity,
}

/// The moments of a game session, oldest first. Player counts are left to [`players_over_time`].
pub fn session_timeline(session: &GameSessionDetail) -> Vec<TimelineEntry> {
    let mut entries = Vec::new();
    let mut add = |at, kind, severity, text: String| entries.push(TimelineEntry { at, kind, text, severity });
    let row = &session.row;
    if let Some(placement) = &session.placement
        && let Some(start) = placement.start_time
    {
        let text = format!("placement {} queued in {}", placement.placement_id, placement.queue);
        add(start, TimelineKind::Placement, Severity::Info, text);
        let took = placement.duration_ms.map(|ms| format!(" after {}", in_words(ms))).unwrap_or_default();
        let end = placement.end_time;
        add(end, TimelineKind::Placement, Severity::Info, format!("placement fulfilled{took}"));
    }
    let creator = row.creator_id.as_ref().map(|creator| format!(" by {creator}")).unwrap_or_default();
    add(
        row.creation_time,
        TimelineKind::Status,
        Severity::Info,
        format!("created{creator} in {}", row.location),
    );
    for change in &session.changes {
        let before = change.before.as_deref().unwrap_or("–");
        let after = change.after.as_deref().unwrap_or("–");
        let (kind, text) = match change.field.as_str() {
            // The end is reported below, with the time that AWS gives.
            "status" if after == GameSessionStatus::Terminated.as_str() => continue,
            "status" => (TimelineKind::Status, format!("{before} → {after}").to_lowercase()),
            "maximum_players" => (TimelineKind::Players, format!("player slots {before} → {after}")),
            "policy" if after == "DENY_ALL" => (TimelineKind::Policy, "closed to new players".to_owned()),
            "policy" => (TimelineKind::Policy, "open to new players".to_owned()),
            "protection" => (TimelineKind::Protection, format!("protection {before} → {after}")),
            "name" => (TimelineKind::Properties, format!("name {before} → {after}")),
            "properties" => (TimelineKind::Properties, "game properties changed".to_owned()),
            _ => continue,
        };
        let bad = change.field == "status" && after == GameSessionStatus::Error.as_str();
        add(change.seen_at, kind, if bad { Severity::Bad } else { Severity::Info }, text);
    }
    for event in &session.events {
        let text = event.message.clone().unwrap_or_else(|| event.event_code.to_string());
        add(event.event_time, TimelineKind::Event, event.event_code.severity(), text);
    }
    if let Some(end) = row.termination_time {
        let ending = row.ending.unwrap_or(GameSessionEnding::Normal);
        let text = words::session::ended(ending, end.since_ms(row.creation_time));
        add(end, TimelineKind::Status, words::session::ending_severity(ending), text);
    }
    entries.sort_by_key(|entry| entry.at);
    entries
}

/// Players in the game session as steps (time, players from then on), oldest first.
///
/// Counted from the player sessions if there are any, because they carry AWS's own times; otherwise from the counts
/// that polls saw.
pub fn players_over_time(session: &GameSessionDetail) -> Vec<(Timestamp, i64)> {
    let mut steps: BTreeMap<Timestamp, i64> = BTreeMap::new();
    steps.insert(session.row.creation_time, 0);
    if session.player_sessions.is_empty() {
        for change in session.changes.iter().filter(|change| change.field == "players") {
            if let Some(count) = change.after.as_deref().and_then(|count| count.parse().ok()) {
                steps.insert(change.seen_at, count);
            }
        }
        if let Some(end) = session.row.termination_time {
            steps.insert(end, 0);
        }
        return steps.into_iter().collect();
    }
    for player in &session.player_sessions {
        *steps.entry(player.creation_time).or_default() += 1;
        let end = player.termination_time.or(session.row.termination_time);
        if let Some(end) = end {
            *steps.entry(end).or_default() -= 1;
        }
    }
    let mut players = 0;
    steps
        .into_iter()
        .map(|(at, moved)| {
            players += moved;
            (at, players)
        })
        .collect()
}
