//! The values the query language can suggest.

use std::collections::BTreeSet;

use liftdeck_model::content::{Build, Script};
use liftdeck_model::fleet::Fleet;
use liftdeck_model::query::Vocabulary;

use super::Reader;
use super::fleet::present;
use crate::error::StoreError;

impl Reader {
    /// The values the query language can suggest at present.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn vocabulary(&self) -> Result<Vocabulary, StoreError> {
        /// Number of game sessions whose properties are suggested: live ones first, then the newest.
        const LOOKED_AT: i64 = 200;
        let directory = self.directory().await?;
        let mut fleets: Vec<String> =
            directory.fleets.values().filter(|fleet| !fleet.gone).map(|fleet| fleet.name.clone()).collect();
        fleets.sort();
        fleets.dedup();
        let builds = present(self.documents::<Build>("build", None).await?)
            .map(|build| build.name.unwrap_or_else(|| build.build_id.into_string()));
        let scripts = present(self.documents::<Script>("script", None).await?)
            .map(|script| script.name.unwrap_or_else(|| script.script_id.into_string()));
        let queues = self.queue_rows().await?.into_iter().map(|row| row.queue.name.into_string());
        let fleet_types = present(self.documents::<Fleet>("fleet", None).await?);
        let instance_types: BTreeSet<String> = fleet_types.filter_map(|fleet| fleet.instance_type).collect();
        let pairs: Vec<(String, String)> = sqlx::query_as(
            "SELECT DISTINCT json_extract(p.value, '$[0]'), json_extract(p.value, '$[1]') FROM \
             (SELECT session_key FROM game_session_state WHERE live IN (0, 1) ORDER BY live DESC, created_at DESC LIMIT ?) newest \
             JOIN game_session_text t ON t.session_key = newest.session_key, json_each(t.game_properties) p \
             WHERE t.game_properties IS NOT NULL ORDER BY 1, 2",
        )
        .bind(LOOKED_AT)
        .fetch_all(self.pool())
        .await?;
        let mut properties: Vec<(String, Vec<String>)> = Vec::new();
        for (key, value) in pairs {
            match properties.last_mut() {
                Some((last, values)) if *last == key => values.push(value),
                _ => properties.push((key, vec![value])),
            }
        }
        Ok(Vocabulary {
            fleets,
            regions: directory.regions.values().map(|region| region.as_str().to_owned()).collect(),
            locations: directory.locations.values().map(|location| location.as_str().to_owned()).collect(),
            builds: builds.collect(),
            scripts: scripts.collect(),
            queues: queues.collect::<BTreeSet<_>>().into_iter().collect(),
            instance_types: instance_types.into_iter().collect(),
            properties,
        })
    }
}
