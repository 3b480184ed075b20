//! What is wrong now: each trouble with its subject, its beginning, the facts it rests on, and its likely causes.
//!
//! Owns the detectors and what each concludes. Deliberately keeps no state and writes nothing: whether a trouble has
//! lasted long enough to alert, and since when it is known, is decided by whoever keeps alerts.

mod cause;
mod destination;
mod excursion;
mod failing;
mod feed;
mod limit;
mod lingering;
mod no_process;
mod process;
mod reservations;
mod room;
mod rule;
mod slow_start;
mod terminal_alias;
mod throttled;
mod trouble;
mod unfilled;
mod waits;

use std::collections::HashMap;

use liftdeck_model::observation::{PollKind, PollSubject};
use liftdeck_model::{AliasId, FleetId, QueueName, Region, Severity, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::queue::QueueRow;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::cause::{Likely, LikelyCause, Strength};
pub(crate) use self::process::CRASHES;
pub use self::rule::{Reach, Rule, Weight};
pub use self::trouble::{LostDestination, SetAside, Trouble, Unusable};
use crate::custom::watched_fleets;
use crate::knowledge::{Knowledge, knowledge};

/// The screen on which to start an investigation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "id", rename_all = "camelCase")]
pub enum Target {
    /// The fleet's scaling.
    FleetScaling(FleetId),
    /// The fleet's events.
    FleetEvents(FleetId),
    /// The placements of one queue, or of all.
    Placements(Option<QueueName>),
    /// The tickets of a matchmaking configuration.
    Tickets(String),
    /// An alias.
    Alias(AliasId),
    /// Game sessions that a query selects.
    Sessions(String),
    /// The collector's health.
    Health,
}

/// Whom a trouble has hit since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// How many of what failed: game sessions, placements, tickets, instances.
    pub count: u64,
    /// Out of how many, if that can be said.
    pub of: Option<u64>,
}

/// The facts of a trouble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// What is wrong, with the figures behind it.
    pub trouble: Trouble,
    /// Whom it has hit.
    pub hit: Hit,
    /// Likely causes, the likeliest first.
    pub causes: Vec<Likely>,
    /// Where to look.
    pub target: Target,
}

impl Facts {
    /// The facts as the store keeps them, JSON.
    pub fn to_document(&self) -> String {
        // Plain values: writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// These facts with causes that were found at earlier looks, for a trouble that began at `since`.
    ///
    /// A strong cause stays: once it is put right, nothing shows any more that it was one. A weaker one stays only
    /// where nothing else is left to tell.
    #[must_use]
    pub fn remembering(mut self, before: Vec<Likely>, since: Timestamp) -> Self {
        self.causes = cause::remembered(self.causes, before, since);
        self
    }

    /// The facts of a kept document; `None` if it is of another version, in a form that this one cannot read.
    pub fn of_document(document: &str) -> Option<Self> {
        serde_json::from_str(document).ok()
    }
}

/// Something wrong with one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The rule that found it.
    pub rule: Rule,
    /// What it is about: stable for as long as it lasts and after a restart.
    pub subject: String,
    /// Home Region; `None` for what concerns several.
    pub region: Option<Region>,
    /// The fleet concerned.
    pub fleet_id: Option<FleetId>,
    /// `Info` is worth knowing and never alerts; `Warning` and `Bad` do.
    pub severity: Severity,
    /// When it began, by what the store holds.
    pub since: Timestamp,
    /// The facts.
    pub facts: Facts,
    /// What it is worth while no cause speaks for it.
    pub(crate) alone: Alone,
}

/// What a verdict is worth as long as nothing is known that is likely to have caused it just before.
///
/// A few failures may be chance. Right after a change of what they depend on they hardly are: less evidence is needed
/// then, which is told sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alone {
    /// The evidence is enough by itself.
    Stands,
    /// It is worth knowing, no more.
    OnlyKnown,
    /// Nothing.
    Nothing,
}

/// What was found at one look.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// When.
    pub at: Timestamp,
    /// Everything wrong.
    pub verdicts: Vec<Verdict>,
    /// What is known, and as of when.
    pub knowledge: Knowledge,
}

impl Look {
    /// Whether nothing was missing that it takes to see what is wrong: fresh data, and event queues that are heard.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.knowledge.is_fresh() && self.verdicts.iter().all(|verdict| verdict.rule != Rule::FeedMute)
    }
}

/// Verdicts that are in force already, by rule and subject: when each began. They are held by a lower threshold than
/// the one that begins them, and are not dated anew.
pub type InForce = HashMap<(Rule, String), Timestamp>;

/// Everything the detectors share at one look.
pub(crate) struct Scene<'a> {
    pub(crate) reader: &'a Reader,
    pub(crate) fleets: &'a [FleetSummary],
    pub(crate) queues: &'a [QueueRow],
    pub(crate) now: Timestamp,
    pub(crate) in_force: &'a InForce,
    /// What is still to be read for the first time.
    pub(crate) unread: &'a [(Region, PollSubject)],
}

impl Scene<'_> {
    /// When a verdict that is in force began.
    pub(crate) fn began(&self, rule: Rule, subject: &str) -> Option<Timestamp> {
        self.in_force.get(&(rule, subject.to_owned())).copied()
    }

    pub(crate) fn fleet(&self, id: &FleetId) -> Option<&FleetSummary> {
        self.fleets.iter().find(|fleet| fleet.fleet.fleet_id == *id)
    }

    pub(crate) fn fleet_ids(&self) -> Vec<FleetId> {
        self.fleets.iter().map(|fleet| fleet.fleet.fleet_id.clone()).collect()
    }

    /// Whether some figures of a fleet are still to be read for the first time: what is known of it is then only a part.
    pub(crate) fn is_partly_unread(&self, fleet: &FleetSummary) -> bool {
        use PollKind::{FleetCapacity, FleetLocations, FleetUtilization};
        let figures = |kind| matches!(kind, FleetCapacity | FleetLocations | FleetUtilization);
        let concerns = |resource: &str| resource.is_empty() || resource == fleet.fleet.fleet_id.as_str();
        self.unread.iter().any(|(region, subject)| {
            *region == fleet.fleet.region && figures(subject.kind) && concerns(&subject.resource)
        })
    }

    /// When this was last read of a fleet; now if that is not known.
    pub(crate) fn last_read(&self, kind: PollKind, id: &FleetId) -> Timestamp {
        let watched = self.reader.watched(kind, id.as_str());
        watched.map_or(self.now, |watched| watched.read_from.min(self.now))
    }

    pub(crate) fn fleet_name(&self, id: &FleetId) -> String {
        self.fleet(id).map_or_else(|| id.to_string(), |fleet| fleet.fleet.display_name().to_owned())
    }
}

/// Looks at everything the store holds.
///
/// # Errors
/// When the store cannot be read.
pub async fn look(reader: &Reader, in_force: &InForce, now: Timestamp) -> Result<Look, StoreError> {
    let fleets = watched_fleets(reader, now).await?;
    let (queues, _) = reader.queues(now).await?;
    let unread = reader.unread();
    let scene = Scene { reader, fleets: &fleets, queues: &queues, now, in_force, unread: &unread };
    let knowledge = knowledge(reader, now);
    let mut verdicts = room::verdicts(&scene).await?;
    verdicts.extend(no_process::verdicts(&scene).await?);
    verdicts.extend(limit::verdicts(&scene).await?);
    verdicts.extend(process::verdicts(&scene).await?);
    verdicts.extend(failing::verdicts(&scene).await?);
    verdicts.extend(destination::verdicts(&scene).await?);
    verdicts.extend(terminal_alias::verdicts(&scene).await?);
    let late = slow_start::verdicts(&scene, &verdicts).await?;
    // All late ones tell more than those alone that timed out.
    verdicts
        .retain(|known| !late.iter().any(|late| late.rule == known.rule && late.subject == known.subject));
    verdicts.extend(late);
    verdicts.extend(waits::verdicts(&scene, &verdicts).await?);
    verdicts.extend(lingering::verdicts(&scene).await?);
    verdicts.extend(reservations::verdicts(&scene).await?);
    verdicts.extend(unfilled::verdicts(&scene, &verdicts).await?);
    verdicts.extend(feed::verdicts(&scene, &knowledge).await?);
    verdicts.extend(throttled::verdicts(&scene).await?);
    cause::explain(&scene, &mut verdicts).await?;
    failing::weigh_causes(&scene, &mut verdicts).await?;
    failing::date_by_changes(&scene, &mut verdicts).await?;
    let verdicts = verdicts.into_iter().filter_map(Verdict::weighed).collect();
    Ok(Look { at: now, verdicts, knowledge })
}

impl Verdict {
    /// A verdict on a fleet.
    pub(crate) fn of_fleet(
        rule: Rule,
        fleet: &FleetSummary,
        severity: Severity,
        since: Timestamp,
        trouble: Trouble,
        target: Target,
    ) -> Self {
        let id = &fleet.fleet.fleet_id;
        Self {
            fleet_id: Some(id.clone()),
            region: Some(fleet.fleet.region.clone()),
            ..Self::new(rule, id.to_string(), severity, since, trouble, target)
        }
    }

    /// A verdict of no Region or fleet, without causes.
    pub fn new(
        rule: Rule,
        subject: String,
        severity: Severity,
        since: Timestamp,
        trouble: Trouble,
        target: Target,
    ) -> Self {
        let facts = Facts { trouble, hit: Hit::default(), causes: Vec::new(), target };
        Self { rule, subject, region: None, fleet_id: None, severity, since, facts, alone: Alone::Stands }
    }

    /// What is left of it by its causes.
    fn weighed(self) -> Option<Self> {
        let is_caused = || self.facts.causes.iter().any(|likely| likely.speaks_for(self.since));
        match self.alone {
            Alone::Stands => Some(self),
            _ if is_caused() => Some(self),
            Alone::OnlyKnown => Some(Self { severity: Severity::Info, ..self }),
            Alone::Nothing => None,
        }
    }

    #[must_use]
    pub(crate) fn hitting(mut self, count: u64, of: Option<u64>) -> Self {
        self.facts.hit = Hit { count, of };
        self
    }
}
