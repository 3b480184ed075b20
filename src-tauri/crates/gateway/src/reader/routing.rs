//! How players are routed to fleets, and what fleets run: queues, aliases, builds, scripts, locations.

use liftdeck_model::alias::Alias;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{AliasId, Location, QueueName, ScriptId};

use super::Reader;
use crate::error::GatewayError;
use crate::mapping::{Lacks, content, routing};
use crate::page::Reading;

impl Reader {
    /// Every game session queue of the Region.
    pub async fn queues(&self) -> Reading<GameSessionQueue> {
        self.list(
            "DescribeGameSessionQueues",
            None,
            |token| self.gamelift().describe_game_session_queues().set_next_token(token).send(),
            |answer| (answer.game_session_queues, answer.next_token),
            |queue| routing::queue(queue, self.region()),
        )
        .await
    }

    /// One queue; `None` when no queue has this name.
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn queue(&self, name: &QueueName) -> Result<Option<GameSessionQueue>, GatewayError> {
        let request = self.gamelift().describe_game_session_queues().names(name.as_str());
        self.find(
            "DescribeGameSessionQueues",
            name.as_str(),
            || request.clone().send(),
            |answer| answer.game_session_queues.unwrap_or_default().into_iter().next(),
            |queue| routing::queue(queue, self.region()),
        )
        .await
    }

    /// One alias; `None` when no alias has this id.
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn alias(&self, id: &AliasId) -> Result<Option<Alias>, GatewayError> {
        let request = self.gamelift().describe_alias().alias_id(id.as_str());
        self.find(
            "DescribeAlias",
            id.as_str(),
            || request.clone().send(),
            |answer| answer.alias,
            |alias| routing::alias(alias, self.region()),
        )
        .await
    }

    /// One Realtime script; `None` when no script has this id.
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn script(&self, id: &ScriptId) -> Result<Option<Script>, GatewayError> {
        let request = self.gamelift().describe_script().script_id(id.as_str());
        self.find(
            "DescribeScript",
            id.as_str(),
            || request.clone().send(),
            |answer| answer.script,
            |script| content::script(script, self.region()),
        )
        .await
    }

    /// Every alias of the Region.
    pub async fn aliases(&self) -> Reading<Alias> {
        self.list(
            "ListAliases",
            None,
            |token| self.gamelift().list_aliases().set_next_token(token).send(),
            |answer| (answer.aliases, answer.next_token),
            |alias| routing::alias(alias, self.region()),
        )
        .await
    }

    /// Every build of the Region.
    pub async fn builds(&self) -> Reading<Build> {
        self.list(
            "ListBuilds",
            None,
            |token| self.gamelift().list_builds().set_next_token(token).send(),
            |answer| (answer.builds, answer.next_token),
            |build| content::build(build, self.region()),
        )
        .await
    }

    /// Every Realtime script of the Region.
    pub async fn scripts(&self) -> Reading<Script> {
        self.list(
            "ListScripts",
            None,
            |token| self.gamelift().list_scripts().set_next_token(token).send(),
            |answer| (answer.scripts, answer.next_token),
            |script| content::script(script, self.region()),
        )
        .await
    }

    /// Every location that fleets of this Region can have, AWS's and the operator's own.
    pub async fn locations(&self) -> Reading<Location> {
        self.list(
            "ListLocations",
            None,
            |token| self.gamelift().list_locations().set_next_token(token).send(),
            |answer| (answer.locations, answer.next_token),
            |location| location.location_name.map(Location::new).ok_or(Lacks("a location", "LocationName")),
        )
        .await
    }
}
