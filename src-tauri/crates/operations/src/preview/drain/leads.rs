//! What still sends new game sessions to a fleet that is being drained.
//!
//! Owns finding the aliases and queues that no route of the plan redirects. Deliberately changes no plan: a person
//! may want exactly this, and is warned.

use std::collections::HashSet;

use liftdeck_model::AliasId;
use liftdeck_model::action::Request;
use liftdeck_model::alias::RoutingStrategy;

use crate::error::OperationError;
use crate::fact::Warning;
use crate::intent::DrainPlan;
use crate::preview::present::Present;
use crate::words::WarningFact;

/// Returns a warning for each alias and queue that still leads to the fleet once the plan is carried out.
///
/// # Errors
/// `Gateway` if AWS cannot be asked.
pub(super) async fn still(
    present: &mut Present<'_>,
    plan: &DrainPlan,
) -> Result<Vec<Warning>, OperationError> {
    let rerouted: HashSet<&AliasId> = plan
        .routes
        .iter()
        .filter_map(|route| match &route.request {
            Request::UpdateAlias(it) => Some(&it.alias_id),
            _ => None,
        })
        .collect();
    let here = RoutingStrategy::Simple { fleet_id: plan.fleet_id.clone() };
    let aliases = present.all_aliases(&plan.region).await?;
    let leading: Vec<_> =
        aliases.iter().filter(|alias| alias.routing == here && !rerouted.contains(&alias.alias_id)).collect();
    let mut warnings: Vec<Warning> = leading
        .iter()
        .map(|alias| Warning::bad(WarningFact::AliasStillLeads { alias: alias.name.clone() }))
        .collect();
    let to_fleet = format!("/{}", plan.fleet_id);
    for region in present.connection().gateway.spec().regions.clone() {
        for queue in present.all_queues(&region).await? {
            let changed = plan.routes.iter().find_map(|route| match &route.request {
                Request::UpdateGameSessionQueue(it) if it.name == queue.name && route.region == region => {
                    it.destinations.as_ref()
                }
                _ => None,
            });
            let places = changed.unwrap_or(&queue.destinations);
            let through_alias =
                |arn: &String| leading.iter().any(|alias| arn.ends_with(&format!("/{}", alias.alias_id)));
            if places.iter().any(|arn| arn.ends_with(&to_fleet) || through_alias(arn)) {
                warnings.push(Warning::bad(WarningFact::QueueStillPlaces { queue: queue.name.to_string() }));
            }
        }
    }
    Ok(warnings)
}
