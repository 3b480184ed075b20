//! Counts placements by what they have in common: how many there are of each queue, Region and possible fleet, and how
//! many of them failed.
//!
//! A placement that failed has no game session, so nothing else of it is known. Its fleets are those its queue leads to
//! now.

use std::collections::{BTreeMap, HashMap};

use liftdeck_model::time::TimeRange;
use sqlx::QueryBuilder;

use super::{Funnel, PlacementScope};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::session::difference::{Counts, Dimension, Tally};

impl Reader {
    /// Counts the placements of a range by queue, Region of the queue, and the fleets the queue leads to; those that
    /// timed out or failed are the bad ones.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_counts(
        &self,
        scope: &PlacementScope,
        range: TimeRange,
    ) -> Result<Counts, StoreError> {
        let directory = self.directory().await?;
        let mut leads: HashMap<(String, String), Vec<(String, String)>> = HashMap::new();
        for row in self.queue_rows().await? {
            let mut fleets: Vec<(String, String)> = row
                .destinations
                .into_iter()
                .filter_map(|destination| {
                    let id = destination.fleet_id?;
                    let name = directory.fleet_key(&id).map(|key| directory.fleet_name(key));
                    let id = id.into_string();
                    Some((id.clone(), name.unwrap_or(id)))
                })
                .collect();
            // A fleet may be a destination twice, by itself and through an alias.
            fleets.sort();
            fleets.dedup();
            leads.insert((row.queue.name.into_string(), row.queue.region.into_string()), fleets);
        }
        let mut sql = QueryBuilder::new(
            "SELECT e.queue, e.region_key, e.event_type, count(*) AS placements FROM placement_event e WHERE ",
        );
        scope.keys(&directory).push_events(&mut sql, range);
        sql.push(" GROUP BY 1, 2, 3");
        let mut by_queue: BTreeMap<(String, String), Funnel> = BTreeMap::new();
        for row in sql.build().fetch_all(self.pool()).await? {
            let region = directory.region(row.read("region_key")?).into_string();
            let funnel = by_queue.entry((row.read("queue")?, region)).or_default();
            funnel.add(row.read("event_type")?, row.read("placements")?);
        }
        let mut counts = Counts::default();
        let mut tally = Tally::default();
        for (queue, funnel) in by_queue {
            let (bad, all) = (funnel.timed_out + funnel.failed, funnel.total());
            counts.bad += bad;
            counts.all += all;
            let mut add = |dimension, value| tally.add(dimension, value, bad, all);
            for fleet in leads.get(&queue).into_iter().flatten() {
                add(Dimension::Fleet, fleet.clone());
            }
            add(Dimension::Queue, (queue.0.clone(), queue.0));
            add(Dimension::Region, (queue.1.clone(), queue.1));
        }
        // Placements have no query language.
        counts.dimensions = tally.dimensions(|_, _| None);
        Ok(counts)
    }
}
