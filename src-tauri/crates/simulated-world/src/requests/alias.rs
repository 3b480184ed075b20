//! Aliases that callers create, repoint and delete. A new target shows at once, but placements may follow the old one
//! for up to two more minutes (H6).

use std::collections::BTreeMap;

use super::super::World;
use super::super::draw::Draw;
use super::super::names::Kind;
use super::super::records::{Alias, RoutingStrategy};
use super::super::refusal::{Refusal, RefusalKind};

/// Maximum number of aliases in a region (G2).
const MOST_ALIASES: usize = 100;

/// Shortest and longest time in milliseconds until a new target is in effect everywhere (H6: up to two minutes).
const LAG_MS: (i64, i64) = (15_000, 120_000);

/// The numbers of callers' aliases begin after those of the catalogue.
const FIRST_NUMBER: u32 = 1 << 16;

/// A change of an alias's target that is not in effect everywhere yet.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    until_ms: i64,
    before: RoutingStrategy,
}

impl World {
    /// Creates an alias and returns its id.
    ///
    /// # Errors
    /// When the region already has the maximum number of aliases.
    pub fn create_alias(
        &mut self,
        region: &str,
        name: String,
        description: Option<String>,
        routing_strategy: RoutingStrategy,
        tags: BTreeMap<String, String>,
    ) -> Result<String, Refusal> {
        let region = self.region_index(region).ok_or_else(|| Refusal::not_found("Region", region))?;
        if self.regions[region].aliases.len() >= MOST_ALIASES {
            let message =
                format!("The account has {MOST_ALIASES} aliases in this Region, as many as it can.");
            return Err(Refusal::new(RefusalKind::Limit, message));
        }
        let number = FIRST_NUMBER + self.ledger.aliases;
        self.ledger.aliases += 1;
        let (names, now_ms) = (self.names, self.now_ms);
        let home = &mut self.regions[region];
        let alias_id = format!("alias-{}", names.uuid(Kind::Alias, number, region as u16));
        let alias_arn = format!("arn:aws:gamelift:{}::alias/{alias_id}", home.name);
        home.tags.insert(alias_arn.clone(), tags);
        home.aliases.push(Alias {
            alias_id: alias_id.clone(),
            name,
            alias_arn,
            description,
            routing_strategy,
            creation_time_ms: now_ms,
            last_updated_time_ms: now_ms,
        });
        Ok(alias_id)
    }

    /// Changes the given settings of the alias with that id.
    ///
    /// # Errors
    /// When there is no such alias.
    pub fn update_alias(
        &mut self,
        region: &str,
        alias_id: &str,
        name: Option<String>,
        description: Option<String>,
        routing_strategy: Option<RoutingStrategy>,
    ) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Alias", alias_id);
        let region = self.region_index(region).ok_or_else(unknown)?;
        let now_ms = self.now_ms;
        let mut draw = self.request_draw();
        let mut aliases = self.regions[region].aliases.iter_mut();
        let alias = aliases.find(|alias| alias.alias_id == alias_id).ok_or_else(unknown)?;
        if let Some(name) = name {
            alias.name = name;
        }
        alias.description = description.or(alias.description.take());
        alias.last_updated_time_ms = now_ms;
        if let Some(routing) = routing_strategy {
            self.repoint(region, alias_id, routing, &mut draw);
        }
        Ok(())
    }

    /// Points an alias to another target, which shows at once and takes effect a while later.
    pub(crate) fn repoint(
        &mut self,
        region: usize,
        alias_id: &str,
        routing: RoutingStrategy,
        draw: &mut Draw,
    ) {
        let until_ms = self.now_ms + draw.span_ms(LAG_MS.0, LAG_MS.1);
        match self.current_route(region, alias_id).filter(|current| **current != routing).cloned() {
            Some(before) => self.ledger.turns.insert(alias_id.to_owned(), Turn { until_ms, before }),
            None => self.ledger.turns.remove(alias_id),
        };
        let mut aliases = self.regions[region].aliases.iter_mut();
        if let Some(alias) = aliases.find(|alias| alias.alias_id == alias_id) {
            alias.routing_strategy = routing;
            alias.last_updated_time_ms = self.now_ms;
        }
    }

    /// Deletes the alias with that id and everything recorded about it.
    ///
    /// # Errors
    /// When there is no such alias.
    pub fn delete_alias(&mut self, region: &str, alias_id: &str) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Alias", alias_id);
        let region = self.region_index(region).ok_or_else(unknown)?;
        let home = &mut self.regions[region];
        let at = home.aliases.iter().position(|alias| alias.alias_id == alias_id).ok_or_else(unknown)?;
        let alias = home.aliases.remove(at);
        home.tags.remove(&alias.alias_arn);
        self.ledger.turns.remove(alias_id);
        Ok(())
    }

    /// Returns the target for new sessions that are requested through an alias now.
    pub fn route(&self, region: &str, alias_id: &str) -> Option<&RoutingStrategy> {
        self.current_route(self.region_index(region)?, alias_id)
    }

    pub(crate) fn current_route(&self, region: usize, alias_id: &str) -> Option<&RoutingStrategy> {
        let alias = self.regions[region].aliases.iter().find(|alias| alias.alias_id == alias_id)?;
        let turn = self.ledger.turns.get(alias_id).filter(|turn| self.now_ms < turn.until_ms);
        Some(turn.map_or(&alias.routing_strategy, |turn| &turn.before))
    }
}
