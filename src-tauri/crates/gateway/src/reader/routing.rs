//! What leads players to fleets, and what fleets run: queues, aliases, matchmaking, builds, scripts, locations.

use liftdeck_model::Location;
use liftdeck_model::alias::Alias;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::matchmaking::MatchmakingConfiguration;
use liftdeck_model::queue::GameSessionQueue;

use super::Reader;
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

    /// Every matchmaking configuration of the Region.
    pub async fn matchmaking_configurations(&self) -> Reading<MatchmakingConfiguration> {
        self.list(
            "DescribeMatchmakingConfigurations",
            None,
            |token| self.gamelift().describe_matchmaking_configurations().set_next_token(token).send(),
            |answer| (answer.configurations, answer.next_token),
            |configuration| routing::matchmaking_configuration(configuration, self.region()),
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

    /// Every location fleets of this Region can have, AWS's and the operator's own.
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
