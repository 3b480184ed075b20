//! Finds what a text could refer to: resources, game sessions, players, placements and tickets by part of a name or id,
//! and game sessions by their address at a time.

use liftdeck_model::alias::Alias;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::endpoint::Endpoint;
use liftdeck_model::fleet::Compute;
use liftdeck_model::query::{Field, Node, Query, Span, Term, Test, TextTest};
use liftdeck_model::time::DAY_MS;
use liftdeck_model::{
    AliasId, BuildId, FleetId, GameSessionId, PlacementId, PlayerId, PlayerSessionId, QueueName, Region,
    ScriptId, TicketId, Timestamp,
};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::QueryBuilder;

use super::Reader;
use super::directory::Directory;
use super::fleet::present;
use super::player::push_ids;
use super::session::{GameSessionRow, SessionRequest};
use super::session_id;
use super::window::Page;
use crate::code::Code;
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
        /// When it was created.
        creation_time: Timestamp,
        /// When it ended.
        termination_time: Option<Timestamp>,
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
    /// A matchmaking ticket by the beginning of its id.
    Ticket {
        /// Id.
        ticket_id: TicketId,
        /// Configuration.
        configuration: String,
        /// Region.
        region: Region,
        /// State, as the API spells it.
        state: String,
    },
    /// A player session by its whole id.
    PlayerSession {
        /// Id.
        player_session_id: PlayerSessionId,
        /// Player.
        player_id: PlayerId,
        /// Game session.
        game_session_id: GameSessionId,
    },
    /// A compute by part of its name, its EC2 instance id, its address or its DNS name.
    Compute {
        /// Name.
        compute_name: String,
        /// Fleet.
        fleet_id: FleetId,
        /// The fleet's name.
        fleet_name: String,
        /// Location.
        location: String,
    },
    /// A build by name or id.
    Build {
        /// Id.
        build_id: BuildId,
        /// Name and version, or id.
        name: String,
        /// Region.
        region: Region,
    },
    /// A Realtime script by name or id.
    Script {
        /// Id.
        script_id: ScriptId,
        /// Name and version, or id.
        name: String,
        /// Region.
        region: Region,
    },
}

/// Maximum number of hits of each kind.
const EACH: u32 = 6;
/// A game session that was created longer before a time than this is not looked at: AWS replaces instances of managed
/// fleets, and hardly any match lasts a week.
const LONGEST_MS: i64 = 7 * DAY_MS;
/// The newest game sessions in which a player session is looked for by its id.
const TRIED: i64 = 50_000;

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
        match Endpoint::parse(text, now).filter(|endpoint| endpoint.at.is_some() || !endpoint.is_ip()) {
            Some(endpoint) => found.extend(self.find_listening(&endpoint).await?),
            None => found.extend(self.find_sessions(text, now).await?),
        }
        found.extend(self.find_players(text).await?);
        found.extend(self.find_player_session(text).await?);
        found.extend(self.find_placements(text).await?);
        found.extend(self.find_tickets(text, &directory).await?);
        found.extend(self.find_computes(text, &directory).await?);
        let builds = present(self.documents::<Build>("build", None).await?);
        let builds =
            builds.filter(|build| build.name.as_deref().is_some_and(hit) || hit(build.build_id.as_str()));
        found.extend(builds.take(each).map(|build| Found::Build {
            name: called(build.name.as_deref(), build.version.as_deref(), build.build_id.as_str()),
            build_id: build.build_id,
            region: build.region,
        }));
        let scripts = present(self.documents::<Script>("script", None).await?);
        let scripts = scripts
            .filter(|script| script.name.as_deref().is_some_and(hit) || hit(script.script_id.as_str()));
        found.extend(scripts.take(each).map(|script| Found::Script {
            name: called(script.name.as_deref(), script.version.as_deref(), script.script_id.as_str()),
            script_id: script.script_id,
            region: script.region,
        }));
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
        Ok(window.rows.into_iter().map(Found::of_session).collect())
    }

    /// The game sessions that listened there, at the time given if there is one; the newest first.
    async fn find_listening(&self, endpoint: &Endpoint) -> Result<Vec<Found>, StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT g.session_key FROM game_session_state s CROSS JOIN game_session g USING (session_key) WHERE ",
        );
        if let Some(at) = endpoint.at {
            sql.push("s.created_at BETWEEN ").push_bind(at.plus_ms(-LONGEST_MS).as_ms());
            sql.push(" AND ").push_bind(at.as_ms());
            sql.push(" AND coalesce(s.ended_at, s.gone_at, 9223372036854775807) >= ").push_bind(at.as_ms());
            sql.push(" AND ");
        }
        sql.push(if endpoint.is_ip() { "g.ip_address = " } else { "g.dns_name = " });
        sql.push_bind(endpoint.host.clone());
        if let Some(port) = endpoint.port {
            sql.push(" AND g.port = ").push_bind(i64::from(port));
        }
        sql.push(" ORDER BY s.created_at DESC LIMIT ").push_bind(i64::from(EACH));
        let keys: Vec<i64> = sql.build_query_scalar().fetch_all(self.pool()).await?;
        let directory = self.directory().await?;
        let rows = self.session_rows(&keys, &directory).await?;
        Ok(rows.into_iter().map(Found::of_session).collect())
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

    async fn find_player_session(&self, text: &str) -> Result<Vec<Found>, StoreError> {
        if !text.starts_with("psess-") {
            return Ok(Vec::new());
        }
        // A player session lies with its game session, and an index by its id would be larger than the rows: the
        // newest game sessions are tried one after the other.
        let rows = sqlx::query(
            "SELECT ps.player_key, y.id AS player_id, ps.id, a.prefix, g.id AS session_id FROM \
             (SELECT session_key FROM game_session_state ORDER BY created_at DESC LIMIT ?1) recent \
             CROSS JOIN player_session ps ON ps.session_key = recent.session_key AND ps.id = ?2 \
             JOIN player y ON y.player_key = ps.player_key JOIN game_session g ON g.session_key = ps.session_key \
             JOIN arn_prefix a ON a.prefix_key = g.prefix_key UNION \
             SELECT n.player_key, y.id, n.id, a.prefix, n.session_id FROM player_session_alone n \
             JOIN player y ON y.player_key = n.player_key JOIN arn_prefix a ON a.prefix_key = n.prefix_key \
             WHERE n.id = ?2 LIMIT 1",
        )
        .bind(TRIED)
        .bind(Code::encode(text))
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Found::PlayerSession {
                    player_session_id: row.read("id")?,
                    player_id: row.read("player_id")?,
                    game_session_id: session_id(row.text("prefix")?, &row.read("session_id")?),
                })
            })
            .collect()
    }

    async fn find_tickets(&self, text: &str, directory: &Directory) -> Result<Vec<Found>, StoreError> {
        let rows = sqlx::query(
            "SELECT ticket_id, configuration, region_key, state FROM ticket WHERE ticket_id >= ? AND ticket_id < ? \
             ORDER BY ticket_id LIMIT ?",
        )
        .bind(text)
        .bind(format!("{text}\u{10ffff}"))
        .bind(i64::from(EACH))
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Found::Ticket {
                    ticket_id: row.read("ticket_id")?,
                    configuration: row.read("configuration")?,
                    region: directory.region(row.read("region_key")?),
                    state: row.read("state")?,
                })
            })
            .collect()
    }

    async fn find_computes(&self, text: &str, directory: &Directory) -> Result<Vec<Found>, StoreError> {
        let host = Endpoint::parse(text, Timestamp::from_ms(0)).map_or(text.to_owned(), |found| found.host);
        let rows = sqlx::query(
            "SELECT owner_key, document FROM resource WHERE kind = 'compute' AND gone_at IS NULL \
             AND instr(document, ?) > 0 ORDER BY id LIMIT ?",
        )
        .bind(host.as_str())
        .bind(i64::from(EACH) * 4)
        .fetch_all(self.pool())
        .await?;
        let mut found = Vec::new();
        for row in &rows {
            let compute: Compute = row.json("document")?;
            let names = [Some(&compute.compute_name), compute.instance_id.as_ref()];
            let places = [compute.ip_address.as_ref(), compute.dns_name.as_ref()];
            let is_named = names.into_iter().flatten().any(|name| name.contains(&host));
            if is_named || places.into_iter().flatten().any(|place| **place == host) {
                let fleet_name = directory.fleet_name(row.read("owner_key")?);
                let Compute { compute_name, fleet_id, location, .. } = compute;
                found.push(Found::Compute {
                    compute_name,
                    fleet_id,
                    fleet_name,
                    location: location.into_string(),
                });
            }
        }
        found.truncate(EACH as usize);
        Ok(found)
    }
}

impl Found {
    fn of_session(row: GameSessionRow) -> Self {
        Self::GameSession {
            game_session_id: row.game_session_id,
            name: row.name,
            fleet_name: row.fleet_name,
            status: row.status.as_str().to_owned(),
            creation_time: row.creation_time,
            termination_time: row.termination_time,
        }
    }
}

/// A name with its version; the id if there is none.
fn called(name: Option<&str>, version: Option<&str>, id: &str) -> String {
    match (name, version) {
        (Some(name), Some(version)) => format!("{name} {version}"),
        (Some(name), None) => name.to_owned(),
        (None, _) => id.to_owned(),
    }
}
