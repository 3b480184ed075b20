//! Finds resources, players and placements by part of a name or id, and the values the query language can suggest.

use liftdeck_model::alias::Alias;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::query::{Field, Node, Query, Span, Term, Test, TextTest, Vocabulary};
use liftdeck_model::{AliasId, FleetId, GameSessionId, PlacementId, PlayerId, QueueName, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::QueryBuilder;

use super::Reader;
use super::fleet::present;
use super::player::push_ids;
use super::session::SessionRequest;
use super::window::Page;
use crate::column::Columns as _;
use crate::error::StoreError;

/// A search hit with the details that identify it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Found {
    /// A fleet by name or id.
    Fleet {
        /// Id.
        fleet_id: FleetId,
        /// Name, or id.
        name: String,
        /// Home Region.
        region: Region,
    },
    /// An alias by name or id.
    Alias {
        /// Id.
        alias_id: AliasId,
        /// Name.
        name: String,
        /// Region.
        region: Region,
    },
    /// A queue by name.
    Queue {
        /// Name.
        name: QueueName,
        /// Region.
        region: Region,
    },
    /// A game session by id, name, or address and port.
    GameSession {
        /// Full ARN.
        game_session_id: GameSessionId,
        /// Name.
        name: Option<String>,
        /// Name of its fleet.
        fleet_name: String,
        /// Status.
        status: String,
    },
    /// A player by the beginning of the id.
    Player {
        /// Id.
        player_id: PlayerId,
    },
    /// A placement by the beginning of its id.
    Placement {
        /// Id.
        placement_id: PlacementId,
        /// Queue.
        queue: QueueName,
        /// When its event was sent.
        event_time: Timestamp,
    },
}

/// Maximum number of hits of each kind.
const EACH: u32 = 6;

impl Reader {
    /// Finds what `text` could refer to: at most six hits of each kind.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn find(&self, text: &str, now: Timestamp) -> Result<Vec<Found>, StoreError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let each = usize::try_from(EACH).unwrap_or(6);
        let lower = text.to_lowercase();
        let hit = |name: &str| name.to_lowercase().contains(&lower);
        let directory = self.directory().await?;
        let mut found: Vec<Found> = directory
            .fleets
            .values()
            .filter(|fleet| !fleet.gone && (hit(&fleet.name) || hit(fleet.fleet_id.as_str())))
            .take(each)
            .map(|fleet| Found::Fleet {
                fleet_id: fleet.fleet_id.clone(),
                name: fleet.name.clone(),
                region: fleet.region.clone(),
            })
            .collect();
        let aliases = present(self.documents::<Alias>("alias", None).await?);
        found.extend(
            aliases.filter(|alias| hit(&alias.name) || hit(alias.alias_id.as_str())).take(each).map(
                |alias| Found::Alias { alias_id: alias.alias_id, name: alias.name, region: alias.region },
            ),
        );
        let queues = self.queue_rows().await?.into_iter().map(|row| row.queue);
        found.extend(
            queues
                .filter(|queue| hit(queue.name.as_str()))
                .take(each)
                .map(|queue| Found::Queue { name: queue.name, region: queue.region }),
        );
        found.extend(self.find_sessions(text, now).await?);
        found.extend(self.find_players(text).await?);
        found.extend(self.find_placements(text).await?);
        Ok(found)
    }

    async fn find_sessions(&self, text: &str, now: Timestamp) -> Result<Vec<Found>, StoreError> {
        let span = Span { start: 0, end: text.len() };
        let test = Test::Text(TextTest::Contains(text.to_owned()));
        let request = SessionRequest {
            query: Query { root: Some(Node::Term(Term { field: Field::Text, test, span })) },
            fleet: None,
            location: None,
            range: None,
            sort: None,
            page: Page::first(EACH),
        };
        let (window, _) = self.game_sessions(&request, now).await?;
        Ok(window
            .rows
            .into_iter()
            .map(|row| Found::GameSession {
                game_session_id: row.game_session_id,
                name: row.name,
                fleet_name: row.fleet_name,
                status: row.status.as_str().to_owned(),
            })
            .collect())
    }

    async fn find_players(&self, text: &str) -> Result<Vec<Found>, StoreError> {
        let mut sql = QueryBuilder::new("");
        push_ids(&mut sql, text, i64::from(EACH));
        sql.push(" ORDER BY 1 LIMIT ").push_bind(i64::from(EACH));
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| Ok(Found::Player { player_id: row.read("id")? })).collect()
    }

    async fn find_placements(&self, text: &str) -> Result<Vec<Found>, StoreError> {
        let rows = sqlx::query(
            "SELECT placement_id, queue, event_at FROM placement_event WHERE placement_id >= ? AND placement_id < ? \
             ORDER BY placement_id LIMIT ?",
        )
        .bind(text)
        .bind(format!("{text}\u{10ffff}"))
        .bind(i64::from(EACH))
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Found::Placement {
                    placement_id: row.read("placement_id")?,
                    queue: row.read("queue")?,
                    event_time: row.read("event_at")?,
                })
            })
            .collect()
    }

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
            properties,
        })
    }
}
