//! Aliases that lead nowhere any more although game sessions were created through them.
//!
//! Those that a queue leads to are told by the queue. What asks an alias directly, as CreateGameSession does, is refused
//! (AWS: TerminalRoutingStrategyException), and no event tells of it.

use liftdeck_model::alias::Alias;
use liftdeck_model::time::{DAY_MS, HOUR_MS, TimeRange};
use liftdeck_model::{AliasId, FleetId, Severity};
use liftdeck_store::StoreError;
use liftdeck_store::reader::change::ChangeScope;
use liftdeck_store::reader::queue::QueueDestination;

use super::{Rule, Scene, Target, Trouble, Verdict};
use crate::change::{Change, What, resource_history};

/// How far back the change is looked for. An alias that has led nowhere for longer was meant to.
const BACK_MS: i64 = DAY_MS;
/// Most changes of an alias looked through.
const MOST_CHANGES: u32 = 100;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let is_own = |alias: &Alias| !is_destination(scene, |to| to.alias_id.as_ref() == Some(&alias.alias_id));
    let mut found = Vec::new();
    for alias in scene.reader.terminal_aliases().await?.into_iter().filter(is_own) {
        if scene.began(Rule::TerminalAlias, alias.alias_id.as_str()).is_some()
            || was_changed(scene, &alias.alias_id).await?
        {
            found.extend(of_alias(scene, &alias).await?);
        }
    }
    Ok(found)
}

fn is_destination(scene: &Scene<'_>, is_it: impl Fn(&QueueDestination) -> bool) -> bool {
    scene.queues.iter().any(|queue| queue.destinations.iter().any(&is_it))
}

/// Whether an alias was changed lately: most of those that lead nowhere have done so for long.
async fn was_changed(scene: &Scene<'_>, id: &AliasId) -> Result<bool, StoreError> {
    let scope = ChangeScope::Resource { kind: "alias", resource: id.as_str() };
    let lately = TimeRange::new(scene.now.plus_ms(-BACK_MS), scene.now.plus_ms(1));
    Ok(!scene.reader.changes(scope, Some(lately), 1).await?.is_empty())
}

async fn of_alias(scene: &Scene<'_>, alias: &Alias) -> Result<Option<Verdict>, StoreError> {
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
