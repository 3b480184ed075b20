//! An incident: everything the store tells about one alert, or about any span of time, as one story.
//!
//! Owns what belongs together: since when, on which time axis, why, who was hit, and in which order. An alert's own span
//! decides what is read, so that the story of one that is over stays as it was. Deliberately judges nothing anew: what is
//! wrong, why, and what would help come from where they are judged.

mod axis;
mod cause;
mod evidence;
mod failed;
mod failing;
mod heard;
mod hit;
mod lane;
mod mark;
mod open;
mod sphere;

use liftdeck_model::alert::{AlertId, AlertState};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{AliasId, FleetId, QueueName, Region, Timestamp};
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::hit_player::HitPlayer;
use liftdeck_store::reader::matchmaking::TicketScope;
use liftdeck_store::reader::placement::PlacementScope;
use liftdeck_store::reader::window::{Listed, Page};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::cause::{CauseAlert, CauseFact, CauseFactKind, CauseStory, Speaks};
pub use self::evidence::{EvidenceFilter, EvidenceKind, EvidenceLine};
pub(crate) use self::hit::add_hits;
pub use self::hit::{HitBucket, HitHere, HitNoun, RegionShare, Remaining, WhereNow, WhoIsHit};
pub use self::lane::{Lane, LaneLine, LaneUnit, Tone};
pub use self::mark::{IncidentMark, MarkKind};
use self::sphere::Sphere;
use crate::alert::Alert;
use crate::change::FleetNamed;
use crate::custom::CLEAR_MS;
use crate::offer::Offered;
use crate::verdict::Trouble;
use crate::words;

/// What an incident is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum IncidentOf {
    /// An alert.
    Alert {
        /// Its id.
        id: AlertId,
    },
    /// Any span of time.
    Span {
        /// What is looked at.
        scope: IncidentScope,
        /// The span.
        range: TimeRange,
    },
}

/// What a span is looked at for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum IncidentScope {
    /// Everything.
    All,
    /// The fleets of a home Region.
    Region {
        /// Region.
        region: Region,
    },
    /// A fleet.
    Fleet {
        /// Fleet.
        fleet_id: FleetId,
    },
    /// A queue, with the fleets it leads to.
    Queue {
        /// Name.
        name: QueueName,
        /// Region.
        region: Region,
    },
    /// An alias, with the fleets it led to in the span.
    Alias {
        /// Alias.
        alias_id: AliasId,
    },
    /// A matchmaking configuration.
    Matchmaking {
        /// Name.
        name: String,
        /// Region.
        region: Region,
    },
    /// The fleets that run a build or a Realtime script.
    Build {
        /// Its id.
        id: String,
    },
}

impl IncidentScope {
    /// The name under which notes about a span of this scope are kept.
    pub fn key(&self) -> String {
        match self {
            Self::All => "all".to_owned(),
            Self::Region { region } => format!("region {region}"),
            Self::Fleet { fleet_id } => format!("fleet {fleet_id}"),
            Self::Queue { name, region } => format!("queue {region} {name}"),
            Self::Alias { alias_id } => format!("alias {alias_id}"),
            Self::Matchmaking { name, region } => format!("matchmaking {region} {name}"),
            Self::Build { id } => format!("build {id}"),
        }
    }
}

/// A time in the course of an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Phase {
    /// State; `None` where there was no data that could tell.
    pub state: Option<AlertState>,
    /// From when.
    pub from: Timestamp,
    /// Until when; `None` while it goes on.
    pub to: Option<Timestamp>,
}

/// What failed, as the lists of the screens select it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FailedList {
    /// Game sessions that match a query.
    Sessions {
        /// In the query language; what is the same on both sides of a comparison comes first.
        text: String,
        /// The fleet, if it is one.
        fleet_id: Option<FleetId>,
        /// When they ran.
        range: TimeRange,
    },
    /// Placements that failed or timed out.
    Placements {
        /// Which.
        scope: PlacementScope,
        /// When their events were sent.
        range: TimeRange,
    },
    /// Tickets that failed or timed out.
    Tickets {
        /// Matchmaking configuration.
        configuration: String,
        /// When they were last heard of.
        range: TimeRange,
    },
    /// Nothing that is listed.
    Nothing,
}

/// What is compared with the rest, to find what is different about the bad ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum IncidentCompared {
    /// Game sessions that match a query, against the others of the range.
    Sessions {
        /// In the query language.
        text: String,
        /// The range.
        range: TimeRange,
    },
    /// Placements that failed or timed out, against the others.
    Placements {
        /// Which.
        scope: PlacementScope,
        /// The range.
        range: TimeRange,
        /// If given, those that ended in this span against the others, however they ended.
        span: Option<TimeRange>,
    },
    /// Tickets that failed or timed out, against the others.
    Tickets {
        /// Which.
        scope: TicketScope,
        /// The range.
        range: TimeRange,
        /// If given, those that ended in this span against the others, however they ended.
        span: Option<TimeRange>,
    },
}

/// The rule that found an alert, and how patient it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleFacts {
    /// The rule, in words.
    pub text: String,
    /// Milliseconds it must be seen before it fires.
    pub pending_ms: i64,
    /// Milliseconds it must not be seen before it is over.
    pub clear_ms: i64,
}

/// An incident.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Incident {
    /// What it is about.
    pub of: IncidentOf,
    /// What is wrong, as text; for a span, what is looked at.
    pub title: String,
    /// The figures behind it, as text.
    pub detail: String,
    /// The alert; `None` for a span.
    pub alert: Option<Alert>,
    /// The rule that found the alert.
    pub rule: Option<RuleFacts>,
    /// When it began.
    pub since: Timestamp,
    /// When it was over; `None` while it goes on.
    pub until: Option<Timestamp>,
    /// What the lanes and the marks show.
    pub shown: TimeRange,
    /// When this was read.
    pub at: Timestamp,
    /// The fleets concerned, those in trouble first.
    pub fleets: Vec<FleetNamed>,
    /// Home Regions of those fleets.
    pub regions: Vec<Region>,
    /// The course of the alert, oldest first.
    pub course: Vec<Phase>,
    /// Start of each bucket of the lanes, ascending.
    pub times: Vec<Timestamp>,
    /// The lanes, over those buckets.
    pub lanes: Vec<Lane>,
    /// What happened in the range shown, oldest first, at most 600.
    pub marks: Vec<IncidentMark>,
    /// Likely causes, the likeliest first; of a span, those of the alerts that were open in it.
    pub causes: Vec<CauseStory>,
    /// What is said in their place while there is none.
    pub unexplained: String,
    /// What was changed in a span before the first failure, newest first, at most 8, without the likely causes; empty
    /// for an alert, whose timeline begins before it.
    pub changed_before: Vec<EvidenceLine>,
    /// What was looked at and is not the cause.
    pub ruled_out: Vec<CauseFact>,
    /// What is offered; `None` for what is over, and for a span.
    pub offered: Option<Offered>,
    /// Whom it hit.
    pub who: WhoIsHit,
    /// What failed, for a list.
    pub failed: FailedList,
    /// What to compare; `None` where nothing can be compared.
    pub compared: Option<IncidentCompared>,
    /// What to compare to find what is different in a span: all of it against the rest of the time around it; `None`
    /// for an alert.
    pub apart: Option<IncidentCompared>,
    /// Times in the range shown for which nothing is known, oldest first.
    pub gaps: Vec<TimeRange>,
    /// Age of what it rests on.
    pub freshness: Freshness,
}

/// Tells an incident; `None` if there is no such alert.
///
/// # Errors
/// When the store cannot be read.
pub async fn incident(
    reader: &Reader,
    of: &IncidentOf,
    now: Timestamp,
) -> Result<Option<Incident>, StoreError> {
    let Some(sphere) = Sphere::read(reader, of, now).await? else { return Ok(None) };
    let failed = sphere.failed_now().await?;
    let changes = sphere.changes().await?;
    let who = hit::who(&sphere, &failed).await?;
    let (times, lanes, gaps) = lane::lanes(&sphere, &failed, &who).await?;
    let (causes, ruled_out) = cause::causes(&sphere, &failed, &who).await?;
    let changed_before = cause::changed_before(&sphere, &who, &changes);
    let marks = mark::marks(&sphere, &failed, &changes);
    let offered = match &sphere.alert {
        Some(alert) if alert.state.is_open() => crate::offer::offered(&sphere.ground, alert).await?,
        _ => None,
    };
    let rule = rule_facts(reader, &sphere).await?;
    Ok(Some(Incident {
        of: of.clone(),
        title: sphere.title(),
        detail: sphere.alert.as_ref().map(|alert| alert.detail.clone()).unwrap_or_default(),
        rule,
        since: sphere.since(),
        until: sphere.until(),
        shown: sphere.shown,
        at: now,
        fleets: sphere.named_fleets(),
        regions: sphere.regions(),
        course: sphere.course(),
        times,
        lanes,
        marks,
        causes,
        unexplained: cause::unexplained(&sphere),
        changed_before,
        ruled_out,
        offered,
        who,
        failed: sphere.list(),
        compared: sphere.compared(),
        apart: sphere.apart(),
        gaps,
        freshness: sphere.freshness(),
        alert: sphere.alert,
    }))
}

/// The rule of the alert, as it counts for what the alert is about.
async fn rule_facts(reader: &Reader, sphere: &Sphere<'_>) -> Result<Option<RuleFacts>, StoreError> {
    let Some(alert) = &sphere.alert else { return Ok(None) };
    if let Some(Trouble::Custom { rule, .. }) = alert.facts.as_ref().map(|facts| &facts.trouble) {
        return Ok(Some(RuleFacts {
            text: rule.name.clone(),
            pending_ms: rule.pending_ms,
            clear_ms: CLEAR_MS,
        }));
    }
    let Some(rule) = sphere.rule() else { return Ok(None) };
    let adjustments = reader.adjustments().await?;
    let weight = rule.weigh(&adjustments, alert.region.as_ref(), alert.fleet_id.as_ref(), alert.severity);
    Ok(Some(RuleFacts {
        text: words::incident::rule(rule).to_owned(),
        pending_ms: weight.pending_ms,
        clear_ms: rule.clear_ms(),
    }))
}

/// Players hit by an incident, those hit last first, with where they were when it was over, or are now.
/// `None` if there is no such alert.
///
/// # Errors
/// When the store cannot be read.
pub async fn incident_players(
    reader: &Reader,
    of: &IncidentOf,
    page: Page,
    now: Timestamp,
) -> Result<Option<Listed<HitPlayer>>, StoreError> {
    let Some(sphere) = Sphere::read(reader, of, now).await? else { return Ok(None) };
    let freshness = sphere.freshness();
    let window = if let Some(scope) = sphere.ended_scope() {
        reader.cut_off_players(&scope, sphere.last(), page).await?
    } else if let Some(scope) = sphere.unmatched_scope() {
        reader.unmatched_players(&scope, sphere.last(), page).await?
    } else if let Some(scope) = sphere.reservation_scope(sphere.span) {
        reader.unconnected_players(&scope, sphere.last(), page).await?
    } else {
        return Ok(Some(Listed { rows: Vec::new(), total: 0, total_is_exact: true, freshness }));
    };
    Ok(Some(Listed::new(window, freshness, |row| row)))
}

/// What happened in an incident, newest first. `None` if there is no such alert.
///
/// # Errors
/// When the store cannot be read.
pub async fn incident_evidence(
    reader: &Reader,
    of: &IncidentOf,
    filter: EvidenceFilter,
    page: Page,
    now: Timestamp,
) -> Result<Option<Listed<EvidenceLine>>, StoreError> {
    let Some(sphere) = Sphere::read(reader, of, now).await? else { return Ok(None) };
    let failed = sphere.failed_now().await?;
    let changes = sphere.changes().await?;
    let freshness = sphere.freshness();
    let (lines, is_exact) = evidence::lines(&sphere, &failed, &changes).await?;
    let kept: Vec<EvidenceLine> = lines.into_iter().filter(|line| filter.keeps(line)).collect();
    let total = kept.len() as u64;
    let rows = kept
        .into_iter()
        .skip(usize::try_from(page.offset).unwrap_or(usize::MAX))
        .take(usize::try_from(page.limit.min(Page::MOST)).unwrap_or(0))
        .collect();
    Ok(Some(Listed { rows, total, total_is_exact: is_exact, freshness }))
}
