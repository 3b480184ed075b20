//! Aliases that lead nowhere any more although game sessions were created through them.
//!
//! Those that a queue leads to are told by the queue. What asks an alias directly, as CreateGameSession does, is refused
//! (AWS: TerminalRoutingStrategyException), and no event tells of it.

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::time::{DAY_MS, HOUR_MS, TimeRange};
use liftdeck_model::{AliasId, FleetId, Severity};
use liftdeck_store::StoreError;
use liftdeck_store::reader::queue::{AliasRow, QueueDestination};

use super::{Rule, Scene, Target, Trouble, Verdict};
use crate::change::{Change, What, resource_history};

/// How far back the change is looked for. An alias that has led nowhere for longer was meant to.
const BACK_MS: i64 = DAY_MS;
/// Most changes of an alias looked through.
const MOST_CHANGES: u32 = 100;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let (aliases, _) = scene.reader.aliases(scene.now).await?;
    let is_own = |row: &&AliasRow| {
        matches!(row.alias.routing, RoutingStrategy::Terminal { .. })
            && !is_destination(scene, |to| to.alias_id.as_ref() == Some(&row.alias.alias_id))
    };
    let mut found = Vec::new();
    for row in aliases.iter().filter(is_own) {
        found.extend(of_alias(scene, row).await?);
    }
    Ok(found)
}

fn is_destination(scene: &Scene<'_>, is_it: impl Fn(&QueueDestination) -> bool) -> bool {
    scene.queues.iter().any(|queue| queue.destinations.iter().any(&is_it))
}

async fn of_alias(scene: &Scene<'_>, row: &AliasRow) -> Result<Option<Verdict>, StoreError> {
    let alias = &row.alias;
    let Some((change, former)) = last_left(scene, &alias.alias_id).await? else { return Ok(None) };
    let began = scene.began(Rule::TerminalAlias, alias.alias_id.as_str());
    if began.is_none() && scene.now.since_ms(change.at) > BACK_MS {
        return Ok(None);
    }
    let hour = TimeRange::new(change.at.plus_ms(-HOUR_MS), change.at);
    let created = scene.reader.starts(&former, hour).await?.len() as u64;
    // What a queue places on the fleet directly was not created through the alias.
    let is_placed = is_destination(scene, |to| to.fleet_id.as_ref() == Some(&former));
    let severity = if created > 0 && !is_placed { Severity::Warning } else { Severity::Info };
    let trouble =
        Trouble::AliasLeadsNowhere { alias: alias.name.clone(), fleet: scene.fleet_name(&former), created };
    let target = Target::Alias(alias.alias_id.clone());
    let subject = alias.alias_id.to_string();
    let since = began.unwrap_or(change.at);
    let verdict = Verdict::new(Rule::TerminalAlias, subject, severity, since, trouble, target);
    Ok(Some(Verdict { region: Some(alias.region.clone()), ..verdict }))
}

/// The last change that took an alias from a fleet, and that fleet.
async fn last_left(scene: &Scene<'_>, id: &AliasId) -> Result<Option<(Change, FleetId)>, StoreError> {
    let changes = resource_history(scene.reader, "alias", id.as_str(), MOST_CHANGES).await?;
    let left = |change: Change| {
        let What::Set { before: Some(before), .. } = &change.what else { return None };
        let fleet = before.fleet().cloned()?;
        Some((change, fleet))
    };
    Ok(changes.into_iter().filter_map(left).max_by_key(|(change, _)| change.at))
}
