//! The alerts that were open in a span of time and concern what it covers: why it went wrong is kept with them.

use liftdeck_store::StoreError;

use super::IncidentScope;
use super::failing::Failing;
use super::sphere::Sphere;
use crate::alert::Alert;
use crate::change::ChangeKind;
use crate::verdict::LikelyCause;

/// Most alerts of a span looked through.
const ALERTS: u32 = 500;

impl Sphere<'_> {
    /// The alerts that were open in the span and concern it, oldest first.
    pub(super) async fn open_in_span(&self) -> Result<Vec<Alert>, StoreError> {
        let Some(scope) = &self.scope else { return Ok(Vec::new()) };
        let records = self.ground.reader.alerts(self.span, ALERTS).await?;
        let all = records.into_iter().map(Alert::of);
        let mut alerts: Vec<Alert> = all.filter(|alert| self.covers(scope, alert)).collect();
        alerts.sort_by_key(|alert| alert.since);
        Ok(alerts)
    }

    fn covers(&self, scope: &IncidentScope, alert: &Alert) -> bool {
        let is_of_fleet = alert.fleet_id.as_ref().is_some_and(|id| self.bad.contains(id));
        match scope {
            IncidentScope::All => true,
            IncidentScope::Region { region } => is_of_fleet || alert.region.as_ref() == Some(region),
            IncidentScope::Fleet { .. } | IncidentScope::Build { .. } => is_of_fleet,
            IncidentScope::Queue { name, region } => {
                let own = (region.clone(), name.clone());
                is_of_fleet
                    || matches!(self.failing_of(alert), Failing::Placements(queues) if queues.contains(&own))
            }
            IncidentScope::Matchmaking { name, region } => {
                self.failing_of(alert) == Failing::Tickets(region.clone(), name.clone())
            }
            IncidentScope::Alias { .. } => is_of_fleet || self.names_alias(alert),
        }
    }

    /// Whether a likely cause of an alert is an alias of this incident.
    fn names_alias(&self, alert: &Alert) -> bool {
        alert.facts.iter().flat_map(|facts| &facts.causes).any(|likely| match &likely.cause {
            LikelyCause::Changed { change } => {
                change.kind == ChangeKind::Alias && self.aliases.contains(&change.resource)
            }
            LikelyCause::AliasUpdated { alias, .. } | LikelyCause::DestinationTerminal { alias } => {
                let named = self.ground.aliases.iter().find(|row| row.alias.name == *alias);
                named.is_some_and(|row| self.aliases.contains(row.alias.alias_id.as_str()))
            }
            _ => false,
        })
    }
}
