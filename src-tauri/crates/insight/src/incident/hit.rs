//! Whom an incident hit: how many of what failed, and the players who were cut off or left without a match, and where
//! they are since.

use std::collections::BTreeMap;
use std::sync::Arc;

use liftdeck_model::time::TimeRange;
use liftdeck_model::{Location, Region, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::hit_player::PlayersHit;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::failed::Failed;
use super::failing::Failing;
use super::sphere::Sphere;
use super::{IncidentOf, lane};
use crate::alert::Alert;
use crate::offer::Ground;
use crate::verdict::{Facts, Trouble};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum HitNoun {
    /// Game sessions.
    GameSessions,
    /// Placements.
    Placements,
    /// Matchmaking tickets.
    Tickets,
    /// Slots reserved for players.
    Reservations,
    /// Placements or tickets of which nothing is known: no event queue listens where they are.
    Unheard,
    /// Nothing that is counted.
    Nothing,
}

impl HitNoun {
    /// What became of the players.
    pub fn of_players(self) -> &'static str {
        match self {
            Self::Tickets => "without a match",
            Self::Placements => "not placed",
            Self::Reservations => "not connected",
            Self::GameSessions | Self::Unheard | Self::Nothing => "cut off",
        }
    }
}

/// Those hit in one location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HitHere {
    /// Location.
    pub location: Location,
    /// Different players cut off there; of game sessions whose players were never read, none is counted.
    pub players: u64,
    /// Game sessions that failed there.
    pub game_sessions: u64,
}

/// The players of a Region in the time of the incident.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RegionShare {
    /// Home Region.
    pub region: Region,
    /// Different players in game sessions of its fleets in that time.
    pub players: u64,
}

/// Where the players who were cut off are, or were when it was over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WhereNow {
    /// On another fleet.
    pub elsewhere: u64,
    /// On a fleet in trouble again.
    pub here_again: u64,
    /// In no game session.
    pub offline: u64,
}

/// What is still running where it may be hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Remaining {
    /// Live game sessions of the fleets in trouble.
    pub game_sessions: u64,
    /// Players in them.
    pub players: u64,
}

/// Failures in one part of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HitBucket {
    /// Start.
    pub at: Timestamp,
    /// How many failed.
    pub failed: u64,
}

/// Whom it hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WhoIsHit {
    /// What is counted.
    pub noun: HitNoun,
    /// How many failed. For an alert, as the alert says.
    pub count: u64,
    /// Out of how many that ended.
    pub of: Option<u64>,
    /// Different players cut off, in the tickets that failed or whose placement did, or not connected; `None` where nothing
    /// tells who was hit.
    pub players: Option<u64>,
    /// Times that a player was hit.
    pub times: u64,
    /// Game sessions that failed and whose players were never read: those are not counted.
    pub unread: u64,
    /// The players of the Region meanwhile; `None` for several Regions.
    pub region: Option<RegionShare>,
    /// By location, the most players first.
    pub locations: Vec<HitHere>,
    /// Where the players who were cut off are now, or were when it was over.
    pub playing: Option<WhereNow>,
    /// What may still be hit; `None` when it is over.
    pub remaining: Option<Remaining>,
    /// When the first and the last failed.
    pub first_at: Option<Timestamp>,
    /// When the last failed.
    pub last_at: Option<Timestamp>,
    /// Failures over its time, in equal parts.
    pub course: Vec<HitBucket>,
    /// False when there are more game sessions than are counted one by one.
    pub is_exact: bool,
}

impl WhoIsHit {
    fn are(&mut self, hit: PlayersHit) {
        self.players = (hit.players > 0).then_some(hit.players);
        self.times = hit.times;
    }
}

/// Most alerts for which it is read who is hit, in one answer.
const MOST_ALERTS: usize = 8;
/// Parts into which the time is cut.
const PARTS: i64 = 12;

/// Adds to the first alerts that people are told of whom each has hit.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn add_hits(ground: &Arc<Ground<'_>>, alerts: &mut [Alert]) -> Result<(), StoreError> {
    for alert in alerts.iter_mut().filter(|alert| alert.state.is_shown()).take(MOST_ALERTS) {
        let of = IncidentOf::Alert { id: alert.id.clone() };
        let Some(sphere) = Sphere::of(Arc::clone(ground), &of).await? else { continue };
        if matches!(sphere.failing, Failing::Unheard | Failing::Nothing) {
            continue;
        }
        let failed = sphere.failed_now().await?;
        alert.who = Some(who(&sphere, &failed).await?);
    }
    Ok(())
}

pub(super) async fn who(sphere: &Sphere<'_>, failed: &Failed) -> Result<WhoIsHit, StoreError> {
    let noun = match &sphere.failing {
        Failing::Sessions(_) => HitNoun::GameSessions,
        Failing::Placements(_) => HitNoun::Placements,
        Failing::Tickets(..) => HitNoun::Tickets,
        Failing::Reservations(_) => HitNoun::Reservations,
        Failing::Unheard => HitNoun::Unheard,
        Failing::Nothing => HitNoun::Nothing,
    };
    let (count, of) = counted(sphere, failed);
    let times: Vec<Timestamp> = moments(sphere, failed);
    let mut who = WhoIsHit {
        noun,
        count,
        of,
        players: None,
        times: failed.sessions.times,
        unread: failed.sessions.rows.iter().filter(|row| !row.is_read).count() as u64,
        region: None,
        locations: Vec::new(),
        playing: None,
        remaining: None,
        first_at: times.first().copied(),
        last_at: times.last().copied(),
        course: course(sphere, &times),
        is_exact: failed.sessions.is_exact || noun != HitNoun::GameSessions,
    };
    if let Some(scope) = sphere.ended_scope() {
        let is_told = failed.sessions.rows.is_empty() || failed.sessions.rows.iter().any(|row| row.is_read);
        who.players = is_told.then_some(failed.sessions.players);
        who.locations = by_location(failed);
        if failed.sessions.players > 0 {
            let playing = sphere.ground.reader.cut_off_playing(&scope, sphere.last()).await?;
            let mut sum = WhereNow::default();
            for (fleet, players) in playing {
                match fleet {
                    None => sum.offline += players,
                    Some(fleet) if sphere.bad.contains(&fleet) => sum.here_again += players,
                    Some(_) => sum.elsewhere += players,
                }
            }
            who.playing = Some(sum);
        }
    }
    if let Some(scope) = sphere.unmatched_scope() {
        who.are(sphere.ground.reader.unmatched(&scope).await?);
    }
    if let Some(scope) = sphere.reservation_scope(sphere.span) {
        who.are(sphere.ground.reader.unused_reservations(&scope).await?);
    }
    // Those without a match or a placement may be in no game session: they are no part of those who are.
    let is_part = matches!(noun, HitNoun::GameSessions | HitNoun::Reservations);
    if let (true, [region]) = (is_part, sphere.regions().as_slice()) {
        let players = sphere.ground.reader.players_of_region(region, sphere.span).await?;
        who.region = Some(RegionShare { region: region.clone(), players });
    }
    if sphere.until().is_none() && !sphere.bad.is_empty() && noun == HitNoun::GameSessions {
        let live = sphere.ground.reader.live_counts(&sphere.bad).await?;
        who.remaining = Some(Remaining {
            game_sessions: live.values().map(|count| count.game_sessions).sum(),
            players: live.values().map(|count| count.player_sessions).sum(),
        });
    }
    Ok(who)
}

/// How many failed, of how many. An alert's own figures hold for it: one question has one number.
fn counted(sphere: &Sphere<'_>, failed: &Failed) -> (u64, Option<u64>) {
    let is_own = |facts: &&Facts| match &sphere.failing {
        Failing::Placements(_) => {
            matches!(facts.trouble, Trouble::PlacementsFail { .. } | Trouble::Custom { .. })
        }
        Failing::Unheard => false,
        // These figures are of instances, of game sessions that may start yet, and of tickets that were matched.
        _ => !matches!(
            facts.trouble,
            Trouble::Interrupted { .. } | Trouble::SessionsStartSlowly { .. } | Trouble::TicketsWait { .. }
        ),
    };
    if let Some(facts) = sphere.facts().filter(is_own) {
        return (facts.hit.count, facts.hit.of);
    }
    match &sphere.failing {
        Failing::Sessions(_) => {
            let (_, all) = Failed::within(&failed.ended, sphere.span);
            let lost = failed.sessions.rows.len() as u64;
            (lost, Some(all.max(lost)))
        }
        Failing::Placements(_) | Failing::Tickets(..) | Failing::Reservations(_) => {
            let (lost, all) = Failed::within(&failed.minutes, sphere.span);
            (lost, Some(all))
        }
        Failing::Unheard | Failing::Nothing => (0, None),
    }
}

/// When each failure happened, oldest first; those known by the minute at its beginning.
fn moments(sphere: &Sphere<'_>, failed: &Failed) -> Vec<Timestamp> {
    if !failed.sessions.rows.is_empty() {
        return failed.sessions.rows.iter().map(|row| row.at).collect();
    }
    let inside = failed.minutes.iter().filter(|minute| {
        minute.failed > 0 && minute.at >= sphere.span.from.floor_to_ms(60_000) && minute.at < sphere.span.to
    });
    inside
        .flat_map(|minute| {
            let many = usize::try_from(minute.failed).unwrap_or(usize::MAX).min(10_000);
            std::iter::repeat_n(minute.at.max(sphere.span.from), many)
        })
        .collect()
}

fn course(sphere: &Sphere<'_>, times: &[Timestamp]) -> Vec<HitBucket> {
    if times.is_empty() {
        return Vec::new();
    }
    let (from, to) = (sphere.span.from, sphere.last().max(sphere.span.from.plus_ms(1)));
    let width = (to.since_ms(from) / PARTS).max(1);
    let part = |index: i64| {
        let range = TimeRange::new(from.plus_ms(index * width), from.plus_ms((index + 1) * width));
        let is_last = index == PARTS - 1;
        let is_in = |at: &&Timestamp| {
            range.contains(**at) || (is_last && **at >= range.to) || (index == 0 && **at < range.from)
        };
        HitBucket { at: range.from, failed: times.iter().filter(is_in).count() as u64 }
    };
    (0..PARTS).map(part).collect()
}

fn by_location(failed: &Failed) -> Vec<HitHere> {
    let mut counts: BTreeMap<Location, u64> = BTreeMap::new();
    for row in &failed.sessions.rows {
        *counts.entry(row.location.clone()).or_default() += 1;
    }
    let players = &failed.sessions.players_by_location;
    let mut here: Vec<HitHere> = counts
        .into_iter()
        .map(|(location, game_sessions)| HitHere {
            players: players.get(&location).copied().unwrap_or(0),
            location,
            game_sessions,
        })
        .collect();
    here.sort_by_key(|one| std::cmp::Reverse((one.players, one.game_sessions)));
    here.truncate(lane::MOST_LOCATIONS);
    here
}

impl Sphere<'_> {
    /// Whether the trouble is a lack of room.
    pub(super) fn is_of_room(&self) -> bool {
        self.facts().is_some_and(|facts| crate::offer::is_of_room(&facts.trouble))
    }
}
