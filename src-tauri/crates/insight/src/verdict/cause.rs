//! Likely causes: what changed shortly before, and what else is wrong with what a trouble depends on.
//!
//! A cause is never certain. Each carries how strongly the store's facts speak for it, and how long before the trouble
//! it came. Deliberately asks AWS nothing. Who made a change is told with the change.

mod demand;
mod location;
mod process;
mod queue;
mod room;

use std::collections::BTreeSet;

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::matchmaking::{MatchmakingConfiguration, MatchmakingRuleSet};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Region, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::queue::AliasRow;
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::IntoStaticStr;

use super::{Alone, LostDestination, Rule, Scene, Trouble, Verdict};
use crate::change::{Change, ChangeKind, What, changes};

/// How long before a trouble a change may be its cause.
const BEFORE_MS: i64 = 45 * 60_000;
/// How long after the first sign a change may have been seen and still be its cause: polls see changes late.
const SEEN_LATE_MS: i64 = 4 * 60_000;
/// Most changes looked through, and most causes told.
const MOST_CHANGES: u32 = 1_000;
const MOST_TOLD: usize = 4;

/// How strongly the facts speak for a cause; later ones are stronger.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type, IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum Strength {
    /// It fits, as other things may.
    Weak,
    /// It explains what is seen.
    Fair,
    /// It explains what is seen, and came just before.
    Strong,
}

/// A likely cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Likely {
    /// What it is.
    pub cause: LikelyCause,
    /// How strongly the facts speak for it.
    pub strength: Strength,
    /// When it happened or began, if that is known.
    pub at: Option<Timestamp>,
}

/// What may be the cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LikelyCause {
    /// A recorded change.
    Changed {
        /// The change.
        change: Box<Change>,
    },
    /// An alias was updated. Only its LastUpdatedTime tells, so what it pointed to before is not known.
    AliasUpdated {
        /// Name of the alias.
        alias: String,
        /// The fleet it points to now.
        fleet: String,
    },
    /// The fleet was created shortly before.
    NewFleet {
        /// Its name.
        fleet: String,
    },
    /// The rule set of a matchmaking configuration was created shortly before: it may have been given to the
    /// configuration then.
    NewRuleSet {
        /// Name of the configuration.
        configuration: String,
        /// Name of the rule set.
        rule_set: String,
    },
    /// A fleet that game sessions are placed on gets no more instances: the account's limit for its type is reached.
    InstanceLimit {
        /// The fleet's name.
        fleet: String,
        /// Its EC2 instance type.
        instance_type: String,
        /// Where.
        locations: Vec<Location>,
        /// Instances of that type that the account has in these locations.
        current: i64,
        /// Instances that it may have there.
        limit: i64,
    },
    /// A fleet that game sessions are placed on is at its maximum with no free server process.
    AtMaximum {
        /// Its name.
        fleet: String,
        /// Where.
        locations: Vec<Location>,
    },
    /// A fleet that game sessions are placed on has no free server process.
    Full {
        /// Its name.
        fleet: String,
        /// Instances that are desired but not yet active.
        coming_instances: i64,
    },
    /// Automatic scaling of a full fleet is suspended.
    ScalingSuspended {
        /// Its name.
        fleet: String,
    },
    /// A destination of the queue cannot host game sessions.
    DestinationNotActive {
        /// Its name.
        fleet: String,
        /// Its status.
        status: String,
    },
    /// A destination of the queue is an alias that leads to no fleet.
    DestinationTerminal {
        /// Name of the alias.
        alias: String,
    },
    /// A destination of the queue has no instances, or none of the locations that the queue allows.
    DestinationUnusable {
        /// The destination, and why it cannot host game sessions.
        lost: LostDestination,
    },
    /// The latency policies of the queue may leave players no destination: the destinations have room.
    LatencyPolicies {
        /// Queue.
        queue: String,
        /// The highest latency that any of its policies allows a player, in milliseconds.
        maximum_ms: i32,
        /// Server processes of its destinations without a game session.
        free_processes: i64,
    },
    /// Game sessions of a destination crash, or instances are interrupted.
    Elsewhere {
        /// The rule of that other trouble.
        rule: Rule,
        /// Name of the fleet or queue.
        name: String,
    },
    /// More game sessions are asked for than in the hour before.
    MoreDemand {
        /// Region of the queues.
        region: Region,
        /// Placements that ended per minute around the beginning.
        per_min: f64,
        /// The same in the hour before.
        before_per_min: f64,
    },
    /// Game sessions start late in one location.
    OneLocation {
        /// The location.
        location: Location,
        /// Game sessions of this fleet that were not activated in time there, or are late now.
        failed: u64,
        /// The same anywhere.
        of: u64,
        /// How many fleets are late there, this one included.
        fleets: usize,
    },
    /// EC2 needs the capacity back.
    Spot,
    /// Every Region stopped answering within seconds: the fault is likely on this side.
    OwnNetwork,
}

impl Likely {
    /// Whether it makes a trouble likely that began at `since`, before the trouble itself shows enough: it is strong,
    /// and no standing condition.
    pub(super) fn speaks_for(&self, since: Timestamp) -> bool {
        self.strength == Strength::Strong && self.at.is_none_or(|at| is_before(at, since))
    }

    /// Whether this is the same cause as an earlier one.
    fn is_still(&self, earlier: &Self) -> bool {
        /// CloudTrail tells seconds.
        const SECOND_MS: i64 = 1_000;
        let is_then = self.at.zip(earlier.at).is_some_and(|(now, then)| now.since_ms(then).abs() < SECOND_MS);
        self.cause.is_still(&earlier.cause)
            || (is_then && self.cause.is_of_alias() && earlier.cause.is_of_alias())
    }
}

impl LikelyCause {
    /// Whether it is a change of an alias. The same change is seen as an alias that was updated and, once it is
    /// recorded, as a change.
    fn is_of_alias(&self) -> bool {
        match self {
            Self::AliasUpdated { .. } => true,
            Self::Changed { change } => change.kind == ChangeKind::Alias,
            _ => false,
        }
    }

    /// Whether it is a change that sends the next placement elsewhere.
    pub(super) fn reroutes(&self) -> bool {
        match self {
            Self::Changed { change } => matches!(change.kind, ChangeKind::Alias | ChangeKind::Queue),
            other => other.is_of_alias(),
        }
    }

    /// Whether it is known when it was made: an alias keeps the time of its update, and CloudTrail that of the call.
    /// Polls only see a change after it was made.
    pub(super) fn is_dated_by_its_call(&self) -> bool {
        match self {
            Self::AliasUpdated { .. } => true,
            Self::Changed { change } => {
                change.by_us.is_some() || change.who.as_ref().is_some_and(|who| who.made_at().is_some())
            }
            _ => false,
        }
    }

    /// Whether this is the same cause as an earlier one, whose figures may have been others.
    fn is_still(&self, earlier: &Self) -> bool {
        use LikelyCause as Cause;
        match (self, earlier) {
            (Cause::Changed { change: now }, Cause::Changed { change: then }) => now.key == then.key,
            (Cause::InstanceLimit { fleet: now, .. }, Cause::InstanceLimit { fleet: then, .. })
            | (Cause::AtMaximum { fleet: now, .. }, Cause::AtMaximum { fleet: then, .. })
            | (Cause::Full { fleet: now, .. }, Cause::Full { fleet: then, .. })
            | (
                Cause::DestinationNotActive { fleet: now, .. },
                Cause::DestinationNotActive { fleet: then, .. },
            ) => now == then,
            (Cause::MoreDemand { region: now, .. }, Cause::MoreDemand { region: then, .. }) => now == then,
            (Cause::OneLocation { location: now, .. }, Cause::OneLocation { location: then, .. }) => {
                now == then
            }
            _ => self == earlier,
        }
    }
}

/// What causes are looked for in.
struct Past {
    changes: Vec<Change>,
    aliases: Vec<AliasRow>,
    configurations: Vec<MatchmakingConfiguration>,
    rule_sets: Vec<MatchmakingRuleSet>,
}

/// Adds likely causes to each verdict.
pub(super) async fn explain(scene: &Scene<'_>, verdicts: &mut [Verdict]) -> Result<(), StoreError> {
    let needs =
        |verdict: &&mut Verdict| !matches!(verdict.rule, Rule::EventsAside | Rule::Unread | Rule::Throttled);
    let Some(oldest) = verdicts.iter_mut().filter(needs).map(|verdict| verdict.since).min() else {
        return Ok(());
    };
    let range = TimeRange::new(oldest.plus_ms(-BEFORE_MS), scene.now.plus_ms(1));
    let past = Past {
        changes: changes(scene.reader, None, range, MOST_CHANGES).await?,
        aliases: scene.reader.aliases(scene.now).await?.0,
        configurations: scene.reader.configurations().await?,
        rule_sets: if verdicts.iter().any(|it| matches!(it.rule, Rule::Tickets | Rule::SlowTickets)) {
            scene.reader.rule_sets(scene.now).await?.0
        } else {
            // Each is up to 64 KiB of rules.
            Vec::new()
        },
    };
    // What may be chance explains nothing else.
    let standing: Vec<Verdict> =
        verdicts.iter().filter(|verdict| verdict.alone != Alone::Nothing).cloned().collect();
    let mut found = Vec::with_capacity(verdicts.len());
    for verdict in verdicts.iter() {
        let mut causes = past.causes(scene, verdict, &standing);
        if let Some(demand) = demand::more_demand(scene, verdict).await? {
            demand.weigh(&mut causes, verdict.since);
            causes.push(demand.likely);
        }
        causes.extend(location::one_location(scene, verdict).await?);
        found.push(ordered(causes, verdict.since));
    }
    for (verdict, causes) in verdicts.iter_mut().zip(found) {
        verdict.facts.causes = causes;
    }
    Ok(())
}

/// The strongest first; among equals what has causes of its own after what has none, then what came last before the
/// trouble. Nothing twice.
fn ordered(mut causes: Vec<Likely>, since: Timestamp) -> Vec<Likely> {
    let effect = |likely: &Likely| match likely.cause {
        // Whatever makes placements fail is a cause of its own.
        LikelyCause::Elsewhere { rule: Rule::Placements | Rule::SlowPlacements, .. } => 2,
        LikelyCause::AtMaximum { .. } | LikelyCause::Full { .. } => 1,
        _ => 0,
    };
    let distance = |likely: &Likely| likely.at.map_or(i64::MAX, |at| at.since_ms(since).abs());
    causes.sort_by_key(|likely| (std::cmp::Reverse(likely.strength), effect(likely), distance(likely)));
    let mut told: Vec<Likely> = Vec::new();
    for cause in causes {
        if told.len() < MOST_TOLD && !told.iter().any(|known| known.cause == cause.cause) {
            told.push(cause);
        }
    }
    told
}

/// The causes of now and those found `before` that are worth keeping.
pub(super) fn remembered(now: Vec<Likely>, before: Vec<Likely>, since: Timestamp) -> Vec<Likely> {
    let is_told = |known: &[Likely], old: &Likely| known.iter().any(|one| one.is_still(old));
    let (strong, weaker): (Vec<Likely>, Vec<Likely>) =
        before.into_iter().partition(|likely| likely.strength == Strength::Strong);
    let mut all = now;
    for old in strong {
        if !is_told(&all, &old) {
            all.push(old);
        }
    }
    if all.is_empty() {
        all = weaker;
    }
    ordered(all, since)
}

const fn fair(cause: LikelyCause, at: Option<Timestamp>) -> Likely {
    Likely { cause, strength: Strength::Fair, at }
}

const fn strong(cause: LikelyCause, at: Option<Timestamp>) -> Likely {
    Likely { cause, strength: Strength::Strong, at }
}

fn is_before(at: Timestamp, since: Timestamp) -> bool {
    (-SEEN_LATE_MS..=BEFORE_MS).contains(&since.since_ms(at))
}

impl Past {
    fn causes(&self, scene: &Scene<'_>, verdict: &Verdict, all: &[Verdict]) -> Vec<Likely> {
        match verdict.rule {
            Rule::Crashes | Rule::Activation | Rule::Startup | Rule::NoProcess => {
                self.of_processes(scene, verdict)
            }
            Rule::Placements | Rule::SlowPlacements | Rule::NoDestination => {
                self.of_placements(scene, verdict, all)
            }
            Rule::Tickets | Rule::SlowTickets => self.of_tickets(scene, verdict, all),
            Rule::TerminalAlias => self.changed(verdict.since, |change| {
                change.kind == ChangeKind::Alias && change.resource == verdict.subject
            }),
            Rule::Capped | Rule::LittleRoom | Rule::InstanceLimit | Rule::ScalingSuspended => {
                self.of_room(scene, verdict, all)
            }
            Rule::EmptySessions
            | Rule::LongSessions
            | Rule::StuckSessions
            | Rule::UnfilledSessions
            | Rule::Reservations => self.of_processes(scene, verdict),
            Rule::Interruptions => vec![strong(LikelyCause::Spot, None)],
            Rule::Blind => of_blindness(verdict),
            Rule::FleetError | Rule::FeedMute | Rule::EventsAside | Rule::Unread | Rule::Throttled => {
                Vec::new()
            }
        }
    }

    /// Changes before `since` that `is_cause` accepts.
    fn changed(&self, since: Timestamp, is_cause: impl Fn(&Change) -> bool) -> Vec<Likely> {
        let before = self.changes.iter().filter(|change| is_before(change.at, since));
        before
            .filter(|change| is_cause(change))
            .map(|change| strong(LikelyCause::Changed { change: Box::new(change.clone()) }, Some(change.at)))
            .collect()
    }

    /// Aliases that lead to a fleet and were updated before `since` without a recorded change.
    fn alias_updated(&self, scene: &Scene<'_>, id: &FleetId, since: Timestamp) -> Vec<Likely> {
        let recorded: BTreeSet<&str> = self
            .changes
            .iter()
            .filter(|change| change.kind == ChangeKind::Alias)
            .map(|change| change.resource.as_str())
            .collect();
        let leads = |row: &&AliasRow| {
            matches!(&row.alias.routing, RoutingStrategy::Simple { fleet_id } if fleet_id == id)
                && !recorded.contains(row.alias.alias_id.as_str())
        };
        let updated = |row: &AliasRow| {
            let at = row.alias.last_updated_time.filter(|at| is_before(*at, since))?;
            // A new alias has that time as well, and changed nothing for those who used another.
            let is_new = row.alias.creation_time.is_some_and(|created| at.since_ms(created).abs() < 1_000);
            let cause =
                LikelyCause::AliasUpdated { alias: row.alias.name.clone(), fleet: scene.fleet_name(id) };
            (!is_new).then(|| strong(cause, Some(at)))
        };
        self.aliases.iter().filter(leads).filter_map(updated).collect()
    }
}

/// Whether an alias leads to the fleet since the change.
fn now_leads_to(change: &Change, fleet: &FleetId) -> bool {
    let after = match &change.what {
        What::Set { after: Some(after), .. } => after.fleet(),
        What::Touched => return change.fleets.contains(fleet),
        _ => return change.by_us.is_some() && change.fleets.last() == Some(fleet),
    };
    after == Some(fleet)
}

fn of_blindness(verdict: &Verdict) -> Vec<Likely> {
    /// Last answers of several Regions this close together have one cause.
    const TOGETHER_MS: i64 = 60_000;
    let Trouble::Blind { regions, is_all: true } = &verdict.facts.trouble else { return Vec::new() };
    let last: Option<Vec<Timestamp>> = regions.iter().map(|region| region.last_read).collect();
    let together = last.is_some_and(|last| {
        let (first, last) = (last.iter().min(), last.iter().max());
        first.zip(last).is_some_and(|(first, last)| last.since_ms(*first) <= TOGETHER_MS)
    });
    let several = regions.len() > 1 && together && regions.iter().all(|region| region.failure.is_some());
    if several { vec![fair(LikelyCause::OwnNetwork, None)] } else { Vec::new() }
}
