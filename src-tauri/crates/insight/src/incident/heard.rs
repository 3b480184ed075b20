//! Of which placements and tickets events tell, and since when: without an event queue nothing is known of them.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::{Region, Timestamp};
use liftdeck_store::StoreError;

use super::failing::Failing;
use super::sphere::Sphere;

impl Sphere<'_> {
    /// Leaves out the placements and tickets that no event tells of.
    pub(super) async fn listen(&mut self) -> Result<(), StoreError> {
        let regions: BTreeSet<Region> = match &self.failing {
            Failing::Placements(queues) => queues.iter().map(|(region, _)| region.clone()).collect(),
            Failing::Tickets(region, _) => [region.clone()].into(),
            _ => return Ok(()),
        };
        let mut heard = BTreeMap::new();
        for region in regions {
            heard.extend(self.heard_in(&region).await?.map(|from| (region, from)));
        }
        self.heard_from = heard.values().copied().max().unwrap_or(self.heard_from);
        if let Failing::Placements(queues) = &mut self.failing {
            queues.retain(|(region, _)| heard.contains_key(region));
        }
        if heard.is_empty() {
            self.failing = Failing::Unheard;
        }
        Ok(())
    }

    /// Since when an event queue tells of a Region in the range shown; `None` if none does.
    async fn heard_in(&self, region: &Region) -> Result<Option<Timestamp>, StoreError> {
        let adopted = self.ground.adoptions.iter().filter(|one| one.region == *region);
        let adopted = adopted.map(|one| one.adopted_at).min().filter(|at| *at < self.shown.to);
        // A queue keeps what was sent before it was adopted, and one that was adopted once may have told of the past.
        let reader = self.ground.reader;
        let placements =
            reader.placements_by_minute(self.shown).await?.into_iter().map(|one| (one.region, one.at));
        let tickets = reader.tickets_by_minute(self.shown).await?.into_iter().map(|one| (one.region, one.at));
        let told = placements.chain(tickets).filter(|(here, _)| here == region).map(|(_, at)| at);
        Ok(told.chain(adopted).min())
    }
}
