//! Queues without a destination that could host a game session: told as soon as it is seen, not when placements fail.
//!
//! Only what became so lately is an alert. A queue that has been without for longer was meant to be, or placements that
//! fail tell of it.

use std::collections::BTreeMap;

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::feed::Adoption;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{FleetId, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::change::ChangeScope;
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};
use liftdeck_store::reader::queue::{AliasRow, QueueDestination, QueueRow};

use super::trouble::{LostDestination, Unusable};
use super::{Rule, Scene, Target, Trouble, Verdict};
use crate::change::{Change, ChangeKind, changes};

/// How far back the change that took the last destination is looked for, and placements that used it.
const BACK_MS: i64 = DAY_MS;
/// Most changes looked through.
const MOST_CHANGES: u32 = 1_000;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let mut found = Vec::new();
    let may_host = |row: &QueueRow, to: &QueueDestination| {
        let fleet = to.fleet_id.as_ref().and_then(|id| scene.fleet(id));
        fleet.is_some_and(|fleet| of_fleet(scene, fleet, &row.queue).is_none())
    };
    let is_lost = |row: &&QueueRow| !row.destinations.iter().any(|to| may_host(row, to));
    let mut known = None;
    for row in scene.queues.iter().filter(is_lost) {
        if scene.began(Rule::NoDestination, &subject(row)).is_none() && !was_changed(scene, row).await? {
            continue;
        }
        let known = match &known {
            Some(known) => known,
            None => known.insert(Known::read(scene).await?),
        };
        let lost: Option<Vec<_>> = row.destinations.iter().map(|to| known.lost(scene, row, to)).collect();
        if let Some(lost) = lost {
            found.push(known.verdict(scene, row, lost).await?);
        }
    }
    Ok(found)
}

fn subject(row: &QueueRow) -> String {
    format!("{}/{}", row.queue.region, row.queue.name)
}

/// Whether anything on which the destinations of a queue depend was changed lately.
async fn was_changed(scene: &Scene<'_>, row: &QueueRow) -> Result<bool, StoreError> {
    let fleets = row.destinations.iter().filter_map(|to| to.fleet_id.as_ref()).map(ChangeScope::Fleet);
    let aliases = row.destinations.iter().filter_map(|to| to.alias_id.as_ref());
    let aliases = aliases.map(|id| ChangeScope::Resource { kind: "alias", resource: id.as_str() });
    let own = ChangeScope::Resource { kind: "queue", resource: row.queue.name.as_str() };
    for scope in fleets.chain(aliases).chain([own]) {
        if !scene.reader.changes(scope, Some(lately(scene)), 1).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn lately(scene: &Scene<'_>) -> TimeRange {
    TimeRange::new(scene.now.plus_ms(-BACK_MS), scene.now.plus_ms(1))
}

/// Why a fleet cannot host a game session of a queue; `None` if it can, or if that is not known.
pub(super) fn of_fleet(
    scene: &Scene<'_>,
    fleet: &FleetSummary,
    queue: &GameSessionQueue,
) -> Option<Unusable> {
    if !fleet.fleet.can_host() {
        return Some(Unusable::Status { status: fleet.fleet.status.as_str().to_owned() });
    }
    if fleet.locations.is_empty() || scene.is_partly_unread(fleet) {
        return None;
    }
    let allowed = &queue.allowed_locations;
    let is_allowed = |here: &&LocationFigures| {
        allowed.is_empty() || allowed.iter().any(|one| one == here.location.as_str())
    };
    let here: Vec<&LocationFigures> = fleet.locations.iter().filter(is_allowed).collect();
    if here.is_empty() {
        let allowed = allowed.iter().map(|one| one.as_str().into()).collect();
        return Some(Unusable::NotAllowed { allowed });
    }
    // AWS: with SCALE_TO_AND_FROM_ZERO a location starts instances once game sessions are asked for.
    let is_empty = here.iter().all(|here| {
        here.capacity.as_ref().is_some_and(|it| {
            it.active == 0
                && it.desired == 0
                && it.zero_capacity_strategy.as_deref() != Some("SCALE_TO_AND_FROM_ZERO")
        })
    });
    is_empty.then_some(Unusable::NoInstances)
}

/// What tells why a destination leads nowhere.
struct Known {
    aliases: Vec<AliasRow>,
    fleets: BTreeMap<FleetId, String>,
    changes: Vec<Change>,
}

impl Known {
    async fn read(scene: &Scene<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            aliases: scene.reader.aliases(scene.now).await?.0,
            fleets: scene.reader.names_of_fleets().await?,
            changes: changes(scene.reader, None, lately(scene), MOST_CHANGES).await?,
        })
    }

    /// Why a destination cannot host a game session; `None` if it can, or if that is not known: it may be in a Region
    /// that is not watched.
    fn lost(&self, scene: &Scene<'_>, row: &QueueRow, to: &QueueDestination) -> Option<LostDestination> {
        let why = match &to.fleet_id {
            Some(id) => match scene.fleet(id) {
                Some(fleet) => of_fleet(scene, fleet, &row.queue)?,
                None if self.fleets.contains_key(id) => Unusable::Gone,
                None => return None,
            },
            None => {
                let is_terminal = |row: &&AliasRow| {
                    Some(&row.alias.alias_id) == to.alias_id.as_ref()
                        && matches!(row.alias.routing, RoutingStrategy::Terminal { .. })
                };
                self.aliases.iter().find(is_terminal).map(|_| Unusable::LeadsNowhere)?
            }
        };
        Some(LostDestination { name: to.label.clone(), why })
    }

    async fn verdict(
        &self,
        scene: &Scene<'_>,
        row: &QueueRow,
        lost: Vec<LostDestination>,
    ) -> Result<Verdict, StoreError> {
        let (region, queue) = (&row.queue.region, &row.queue.name);
        let subject = subject(row);
        let began = scene.began(Rule::NoDestination, &subject);
        let changed_at =
            self.changes.iter().filter(|change| takes(change, row)).map(|change| change.at).max();
        // What is in force stays so, however long ago it was changed.
        let known_at = changed_at.or(began);
        let placed = self.placed(scene, row, known_at).await?;
        let severity = match (known_at, placed) {
            (Some(_), None | Some(1..)) => Severity::Bad,
            _ => Severity::Info,
        };
        let since = began.or(changed_at).unwrap_or(scene.now);
        let since = changed_at.map_or(since, |at| since.min(at));
        let trouble = Trouble::NoDestination { queue: queue.clone(), lost, placed };
        let target = Target::Placements(Some(queue.clone()));
        let verdict = Verdict::new(Rule::NoDestination, subject, severity, since, trouble, target);
        Ok(Verdict { region: Some(region.clone()), ..verdict })
    }

    /// How many placements of the queue were fulfilled in the day before; `None` where nobody listened for so long.
    async fn placed(
        &self,
        scene: &Scene<'_>,
        row: &QueueRow,
        known_at: Option<Timestamp>,
    ) -> Result<Option<u64>, StoreError> {
        let to = known_at.unwrap_or(scene.now);
        let range = TimeRange::new(to.plus_ms(-BACK_MS), to);
        let listens = |it: &Adoption| it.region == row.queue.region && it.adopted_at <= range.from;
        if !scene.reader.adoptions().await?.iter().any(listens) {
            return Ok(None);
        }
        let minutes = scene.reader.placements_of_queue_by_minute(&row.queue.name, range).await?;
        let here = minutes.iter().filter(|minute| minute.region == row.queue.region);
        Ok(Some(here.map(|minute| minute.funnel.fulfilled).sum()))
    }
}

/// Whether a change may have taken a destination from a queue.
pub(super) fn takes(change: &Change, row: &QueueRow) -> bool {
    let leads_there = || {
        let mut fleets = row.destinations.iter().filter_map(|to| to.fleet_id.as_ref());
        fleets.any(|id| change.fleet_id.as_ref() == Some(id))
    };
    match change.kind {
        ChangeKind::Queue => change.resource == row.queue.name.as_str() && change.region == row.queue.region,
        ChangeKind::Alias => {
            let mut aliases = row.destinations.iter().filter_map(|to| to.alias_id.as_ref());
            aliases.any(|id| id.as_str() == change.resource)
        }
        ChangeKind::Fleet | ChangeKind::Capacity | ChangeKind::ScalingStep => leads_there(),
        _ => false,
    }
}
