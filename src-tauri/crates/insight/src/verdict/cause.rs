//! Likely causes: what changed shortly before, and what else is wrong with what a trouble depends on.
//!
//! A cause is never certain. Each carries how strongly the store's facts speak for it, and how long before the trouble
//! it came. Deliberately asks AWS nothing. Who made a change is told with the change.

mod demand;
mod location;

use std::collections::BTreeSet;

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::matchmaking::MatchmakingConfiguration;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Region, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::change::{ChangeRow, ChangeScope};
use liftdeck_store::reader::queue::{AliasRow, QueueRow};
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::IntoStaticStr;

use super::{Rule, Scene, Trouble, Verdict};
use crate::change::{Change, ChangeKind, Part, Value, What, changes, is_suspended};

/// How long before a trouble a change may be its cause.
const BEFORE_MS: i64 = 45 * 60_000;
/// How long after the first sign a change may have been seen and still be its cause: polls see changes late.
const SEEN_LATE_MS: i64 = 4 * 60_000;
/// Most changes looked through, and most causes told.
const MOST_CHANGES: u32 = 1_000;
const MOST_TOLD: usize = 4;
/// A fleet younger than this when its trouble began may itself be the novelty.
const NEW_FLEET_MS: i64 = 2 * 3_600_000;

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
    /// The settings of a matchmaking configuration changed.
    MatchmakingChanged {
        /// Its name.
        configuration: String,
        /// The setting.
        field: String,
        /// Before.
        before: Option<String>,
        /// After.
        after: Option<String>,
    },
    /// The fleet was created shortly before.
    NewFleet {
        /// Its name.
        fleet: String,
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

/// What causes are looked for in.
struct Past {
    changes: Vec<Change>,
    matchmaking: Vec<ChangeRow>,
    aliases: Vec<AliasRow>,
    queues: Vec<QueueRow>,
    configurations: Vec<MatchmakingConfiguration>,
}

/// Adds likely causes to each verdict.
pub(super) async fn explain(scene: &Scene<'_>, verdicts: &mut [Verdict]) -> Result<(), StoreError> {
    let needs = |verdict: &&mut Verdict| !matches!(verdict.rule, Rule::EventsAside | Rule::Unread);
    let Some(oldest) = verdicts.iter_mut().filter(needs).map(|verdict| verdict.since).min() else {
        return Ok(());
    };
    let range = TimeRange::new(oldest.plus_ms(-BEFORE_MS), scene.now.plus_ms(1));
    let past = Past {
        changes: changes(scene.reader, None, range, MOST_CHANGES).await?,
        matchmaking: scene
            .reader
            .changes(ChangeScope::All, Some(range), MOST_CHANGES)
            .await?
            .into_iter()
            .filter(|row| row.kind.starts_with("matchmaking_"))
            .collect(),
        aliases: scene.reader.aliases(scene.now).await?.0,
        queues: scene.reader.queues(scene.now).await?.0,
        configurations: scene.reader.configurations().await?,
    };
    let mut found = Vec::with_capacity(verdicts.len());
    for verdict in verdicts.iter() {
        let mut causes = past.causes(scene, verdict, verdicts);
        causes.extend(demand::more_demand(scene, verdict).await?);
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
    let is_effect =
        |likely: &Likely| matches!(likely.cause, LikelyCause::AtMaximum { .. } | LikelyCause::Full { .. });
    let distance = |likely: &Likely| likely.at.map_or(i64::MAX, |at| at.since_ms(since).abs());
    causes.sort_by_key(|likely| (std::cmp::Reverse(likely.strength), is_effect(likely), distance(likely)));
    let mut told: Vec<Likely> = Vec::new();
    for cause in causes {
        if told.len() < MOST_TOLD && !told.iter().any(|known| known.cause == cause.cause) {
            told.push(cause);
        }
    }
    told
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
            Rule::Crashes | Rule::Activation | Rule::Startup => self.of_processes(scene, verdict),
            Rule::Placements => self.of_placements(scene, verdict, all),
            Rule::Tickets => self.of_tickets(verdict, all),
            Rule::Capped | Rule::LittleRoom | Rule::InstanceLimit | Rule::ScalingSuspended => {
                self.of_room(scene, verdict, all)
            }
            Rule::EmptySessions | Rule::StuckSessions => self.of_processes(scene, verdict),
            Rule::Interruptions => vec![strong(LikelyCause::Spot, None)],
            Rule::Blind => of_blindness(verdict),
            Rule::FleetError | Rule::FeedMute | Rule::EventsAside | Rule::Unread => Vec::new(),
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

    fn of_processes(&self, scene: &Scene<'_>, verdict: &Verdict) -> Vec<Likely> {
        let Some(id) = &verdict.fleet_id else { return Vec::new() };
        let runs = scene.fleet(id).and_then(|fleet| fleet.fleet.script_id.clone());
        let mut causes = self.changed(verdict.since, |change| match change.kind {
            ChangeKind::Alias => now_leads_to(change, id),
            ChangeKind::RuntimeConfiguration | ChangeKind::Deployment => change.fleet_id.as_ref() == Some(id),
            ChangeKind::Script => runs.as_ref().is_some_and(|script| script.as_str() == change.resource),
            _ => false,
        });
        causes.extend(self.alias_updated(scene, id, verdict.since));
        if let Some(fleet) = scene.fleet(id)
            && let Some(created) = fleet.fleet.creation_time
            && (0..NEW_FLEET_MS).contains(&verdict.since.since_ms(created))
        {
            let cause = LikelyCause::NewFleet { fleet: fleet.fleet.display_name().to_owned() };
            causes.push(fair(cause, Some(created)));
        }
        causes
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

    fn of_room(&self, scene: &Scene<'_>, verdict: &Verdict, all: &[Verdict]) -> Vec<Likely> {
        let Some(id) = &verdict.fleet_id else { return Vec::new() };
        let held = all.iter().filter(|other| other.fleet_id.as_ref() == Some(id)).find_map(processes_held);
        let mut causes = self.changed(verdict.since, |change| {
            change.fleet_id.as_ref() == Some(id) && (lowers_maximum(change) || suspends(change))
        });
        causes.extend(self.alias_updated(scene, id, verdict.since));
        causes.extend(
            self.changed(verdict.since, |change| {
                change.kind == ChangeKind::Alias && now_leads_to(change, id)
            }),
        );
        causes.extend(held);
        let own = |other: &&Verdict| other.fleet_id.as_ref() == Some(id);
        if verdict.rule != Rule::InstanceLimit {
            causes.extend(all.iter().filter(own).find_map(limit_reached));
        }
        causes.extend(spills_over(scene, verdict, all));
        if scene.fleet(id).is_some_and(|fleet| is_suspended(&stopped(fleet))) {
            causes.push(fair(LikelyCause::ScalingSuspended { fleet: scene.fleet_name(id) }, None));
        }
        causes
    }

    fn of_placements(&self, scene: &Scene<'_>, verdict: &Verdict, all: &[Verdict]) -> Vec<Likely> {
        let Trouble::PlacementsFail { queue, .. } = &verdict.facts.trouble else { return Vec::new() };
        let of_queue =
            |row: &&QueueRow| row.queue.name == *queue && Some(&row.queue.region) == verdict.region.as_ref();
        let mut causes = self.changed(verdict.since, |change| {
            change.kind == ChangeKind::Queue && change.resource == queue.as_str()
        });
        let Some(row) = self.queues.iter().find(of_queue) else { return causes };
        for to in &row.destinations {
            let Some(id) = &to.fleet_id else {
                causes.push(fair(LikelyCause::DestinationTerminal { alias: to.label.clone() }, None));
                continue;
            };
            if to.alias_id.is_some() {
                causes.extend(self.alias_updated(scene, id, verdict.since));
                causes.extend(self.changed(verdict.since, |change| {
                    change.kind == ChangeKind::Alias && now_leads_to(change, id)
                }));
            }
            causes.extend(self.of_destination(scene, verdict, id, all));
        }
        causes
    }

    fn of_destination(
        &self,
        scene: &Scene<'_>,
        verdict: &Verdict,
        id: &FleetId,
        all: &[Verdict],
    ) -> Vec<Likely> {
        let Some(fleet) = scene.fleet(id) else { return Vec::new() };
        let name = fleet.fleet.display_name().to_owned();
        let mut causes = Vec::new();
        if !matches!(fleet.fleet.status, FleetStatus::Active | FleetStatus::Updating) {
            let status = fleet.fleet.status.as_str().to_owned();
            causes.push(fair(LikelyCause::DestinationNotActive { fleet: name.clone(), status }, None));
        }
        for other in all.iter().filter(|other| other.fleet_id.as_ref() == Some(id)) {
            causes.extend(processes_held(other));
            causes.extend(limit_reached(other));
            match (&other.facts.trouble, other.rule) {
                (Trouble::Capped { locations, .. }, _) => {
                    let cause = LikelyCause::AtMaximum { fleet: name.clone(), locations: locations.clone() };
                    causes.push(strong(cause, Some(other.since)));
                    // Who lowered the maximum explains more than that it is reached.
                    let lowered = self.changed(other.since.max(verdict.since), |change| {
                        change.fleet_id.as_ref() == Some(id) && lowers_maximum(change)
                    });
                    causes.extend(lowered);
                }
                (_, rule @ (Rule::Crashes | Rule::Activation | Rule::Startup | Rule::Interruptions))
                    if other.severity > liftdeck_model::Severity::Info =>
                {
                    let cause = LikelyCause::Elsewhere { rule, name: name.clone() };
                    causes.push(fair(cause, Some(other.since)));
                }
                _ => {}
            }
        }
        let is_full = fleet.free_processes() == Some(0) && fleet.processes().is_some_and(|all| all > 0);
        if is_full {
            let coming_instances = (fleet.desired() - fleet.active()).max(0);
            causes.push(fair(LikelyCause::Full { fleet: name.clone(), coming_instances }, None));
            if is_suspended(&stopped(fleet)) {
                causes.push(strong(LikelyCause::ScalingSuspended { fleet: name }, None));
            }
        }
        causes
    }

    fn of_tickets(&self, verdict: &Verdict, all: &[Verdict]) -> Vec<Likely> {
        let Trouble::TicketsFail { configuration, .. } = &verdict.facts.trouble else { return Vec::new() };
        let concerns = |row: &&ChangeRow| {
            is_before(row.seen_at, verdict.since)
                && (row.kind == "matchmaking_rule_set" || row.resource == *configuration)
                && !matches!(row.field.as_str(), "last_updated_time" | "creation_time")
        };
        let mut causes: Vec<Likely> = self
            .matchmaking
            .iter()
            .filter(concerns)
            .map(|row| {
                let cause = LikelyCause::MatchmakingChanged {
                    configuration: row.resource.clone(),
                    field: row.field.clone(),
                    before: row.before.clone(),
                    after: row.after.clone(),
                };
                strong(cause, Some(row.seen_at))
            })
            .collect();
        causes.extend(self.limits_behind(verdict, configuration, all));
        for other in all.iter().filter(|other| other.region == verdict.region) {
            if let Trouble::PlacementsFail { queue, .. } = &other.facts.trouble {
                let cause = LikelyCause::Elsewhere { rule: Rule::Placements, name: queue.to_string() };
                causes.push(fair(cause, Some(other.since)));
            }
        }
        causes
    }

    /// Instance limits that hold back fleets on which a matchmaking configuration's queues place game sessions.
    fn limits_behind(&self, verdict: &Verdict, configuration: &str, all: &[Verdict]) -> Vec<Likely> {
        let named = |it: &&MatchmakingConfiguration| {
            it.name == configuration && Some(&it.region) == verdict.region.as_ref()
        };
        let arns: Vec<&String> =
            self.configurations.iter().filter(named).flat_map(|it| &it.queue_arns).collect();
        let is_of_it = |row: &&QueueRow| arns.iter().any(|arn| is_arn_of(arn, row));
        let destinations = self.queues.iter().filter(is_of_it).flat_map(|row| &row.destinations);
        let fleets: BTreeSet<&FleetId> = destinations.filter_map(|to| to.fleet_id.as_ref()).collect();
        let behind = |other: &&Verdict| other.fleet_id.as_ref().is_some_and(|id| fleets.contains(id));
        all.iter().filter(behind).filter_map(limit_reached).collect()
    }
}

/// Whether an ARN names a queue (AWS: `arn:…:gamelift:REGION:ACCOUNT:gamesessionqueue/NAME`).
fn is_arn_of(arn: &str, row: &QueueRow) -> bool {
    arn.split(':').nth(3) == Some(row.queue.region.as_str())
        && arn.split_once("gamesessionqueue/").is_some_and(|(_, name)| name == row.queue.name.as_str())
}

/// The account's limit for instances of a fleet.
fn limit_reached(other: &Verdict) -> Option<Likely> {
    let Trouble::InstanceLimit { fleet, instance_type, locations, current, limit, .. } = &other.facts.trouble
    else {
        return None;
    };
    let cause = LikelyCause::InstanceLimit {
        fleet: fleet.clone(),
        instance_type: instance_type.clone(),
        locations: locations.clone(),
        current: *current,
        limit: *limit,
    };
    Some(strong(cause, Some(other.since)))
}

/// A fleet of the same queue that had no room before: its players look for room here.
fn spills_over(scene: &Scene<'_>, verdict: &Verdict, all: &[Verdict]) -> Option<Likely> {
    let queues =
        |verdict: &Verdict| verdict.fleet_id.as_ref().and_then(|id| scene.fleet(id)).map(|it| &it.queues);
    let own = queues(verdict)?;
    let had_no_room = |other: &&Verdict| {
        matches!(other.rule, Rule::Capped | Rule::InstanceLimit | Rule::ScalingSuspended)
            && other.fleet_id != verdict.fleet_id
            && other.since < verdict.since
            && queues(other).is_some_and(|theirs| theirs.iter().any(|queue| own.contains(queue)))
    };
    let first = all.iter().filter(had_no_room).min_by_key(|other| other.since)?;
    let name = scene.fleet_name(first.fleet_id.as_ref()?);
    Some(fair(LikelyCause::Elsewhere { rule: first.rule, name }, Some(first.since)))
}

/// Game sessions without players that hold the server processes a fleet lacks.
fn processes_held(other: &Verdict) -> Option<Likely> {
    let Trouble::SessionsStayEmpty { fleet, .. } = &other.facts.trouble else { return None };
    let cause = LikelyCause::Elsewhere { rule: other.rule, name: fleet.clone() };
    Some(strong(cause, Some(other.since)))
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

/// Whether an alias leads to the fleet since the change.
fn now_leads_to(change: &Change, fleet: &FleetId) -> bool {
    let after = match &change.what {
        What::Set { after: Some(after), .. } => after.fleet(),
        What::Touched => return change.fleets.contains(fleet),
        _ => return change.by_us.is_some() && change.fleets.last() == Some(fleet),
    };
    after == Some(fleet)
}

fn lowers_maximum(change: &Change) -> bool {
    match &change.what {
        What::Set { field, before: Some(Value::Count(before)), after: Some(Value::Count(after)), .. } => {
            field == "maximum" && after < before
        }
        _ => false,
    }
}

fn suspends(change: &Change) -> bool {
    match &change.what {
        What::Set { field, after: Some(after), .. } => {
            matches!(field.as_str(), "stopped_actions" | "scaling_suspended") && is_suspended(after)
        }
        What::Removed { part: Some(Part::Policy(_)) } => true,
        _ => false,
    }
}

/// A fleet's stopped actions, as a change of them would tell.
fn stopped(fleet: &liftdeck_store::reader::fleet::FleetSummary) -> Value {
    Value::List(fleet.fleet.stopped_actions.iter().map(ToString::to_string).collect())
}
