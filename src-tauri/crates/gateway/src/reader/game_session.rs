//! Game sessions, player sessions and placements.

use liftdeck_model::action::GameSessionTarget;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::placement::Placement;
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::search::GameSessionSearch;
use liftdeck_model::{FleetId, GameSessionId, Location, PlacementId, PlayerId, PlayerSessionId};

use super::Reader;
use crate::error::GatewayError;
use crate::mapping::{game_session, placement};
use crate::page::{PageOf, PageToken, Reading, read_all};

/// Items requested per page of game sessions. The service's own maximum is not published.
const SESSIONS_A_PAGE: i32 = 100;
/// Maximum number of items on a page of a search, whatever limit is requested (AWS: SearchGameSessions).
const FOUND_A_PAGE: i32 = 20;
/// Maximum number of player slots of a game session (AWS quota), so that one page holds all its players.
const PLAYERS_A_PAGE: i32 = 200;

/// Selects game sessions of a fleet. Always by fleet, never by alias: an alias may be repointed between pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSessionFilter {
    /// Only this location; `None` for all locations.
    pub location: Option<Location>,
    /// Only this status; `None` also returns sessions that ended up to 30 days ago. AWS: not `ERROR`.
    pub status: Option<GameSessionStatus>,
}

impl Reader {
    /// A page of a fleet's game sessions (DescribeGameSessions, which has the lowest rate of the session listings).
    ///
    /// # Errors
    /// Any kind; the pages read before stay valid.
    pub async fn game_sessions_page(
        &self,
        fleet: &FleetId,
        filter: &GameSessionFilter,
        from: Option<PageToken>,
    ) -> Result<PageOf<GameSession>, GatewayError> {
        let request = self
            .gamelift()
            .describe_game_sessions()
            .fleet_id(fleet.as_str())
            .set_location(filter.location.as_ref().map(|location| location.as_str().to_owned()))
            .set_status_filter(filter.status.as_ref().map(|status| status.as_str().to_owned()))
            .limit(SESSIONS_A_PAGE);
        self.page(
            "DescribeGameSessions",
            Some(fleet.as_str()),
            from,
            &|token| request.clone().set_next_token(token).send(),
            &|answer| (answer.game_sessions, answer.next_token),
            &game_session::game_session,
        )
        .await
    }

    /// All game sessions of a fleet that match the filter, in memory at once.
    pub async fn game_sessions(&self, fleet: &FleetId, filter: &GameSessionFilter) -> Reading<GameSession> {
        read_all(|from| self.game_sessions_page(fleet, filter, from)).await
    }

    /// A page of a fleet's game sessions with the protection in force (DescribeGameSessionDetails).
    ///
    /// # Errors
    /// Any kind; the pages read before stay valid.
    pub async fn game_session_details_page(
        &self,
        fleet: &FleetId,
        filter: &GameSessionFilter,
        from: Option<PageToken>,
    ) -> Result<PageOf<GameSession>, GatewayError> {
        let request = self
            .gamelift()
            .describe_game_session_details()
            .fleet_id(fleet.as_str())
            .set_location(filter.location.as_ref().map(|location| location.as_str().to_owned()))
            .set_status_filter(filter.status.as_ref().map(|status| status.as_str().to_owned()))
            .limit(SESSIONS_A_PAGE);
        self.page(
            "DescribeGameSessionDetails",
            Some(fleet.as_str()),
            from,
            &|token| request.clone().set_next_token(token).send(),
            &|answer| (answer.game_session_details, answer.next_token),
            &game_session::game_session_detail,
        )
        .await
    }

    /// One game session with the protection in force; `None` when GameLift does not know it (any more).
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn game_session(&self, id: &GameSessionId) -> Result<Option<GameSession>, GatewayError> {
        let request = self.gamelift().describe_game_session_details().game_session_id(id.as_str());
        self.find(
            "DescribeGameSessionDetails",
            id.as_str(),
            || request.clone().send(),
            |answer| answer.game_session_details.unwrap_or_default().into_iter().next(),
            game_session::game_session_detail,
        )
        .await
    }

    /// The same without the protection in force (DescribeGameSessions): another rate, for when there are many to look
    /// up.
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn game_session_without_protection(
        &self,
        id: &GameSessionId,
    ) -> Result<Option<GameSession>, GatewayError> {
        let request = self.gamelift().describe_game_sessions().game_session_id(id.as_str());
        self.find(
            "DescribeGameSessions",
            id.as_str(),
            || request.clone().send(),
            |answer| answer.game_sessions.unwrap_or_default().into_iter().next(),
            game_session::game_session,
        )
        .await
    }

    /// A URL for the log of an ended session, valid for 15 minutes; `None` when GameLift does not know the session.
    /// AWS: managed EC2 fleets only, for 14 days, logs up to 200 MB.
    ///
    /// # Errors
    /// Any kind but `NotFound`; `Invalid` while the session runs and for other fleets.
    pub async fn game_session_log_url(&self, id: &GameSessionId) -> Result<Option<String>, GatewayError> {
        let request = self.gamelift().get_game_session_log_url().game_session_id(id.as_str());
        self.find(
            "GetGameSessionLogUrl",
            id.as_str(),
            || request.clone().send(),
            |answer| answer.pre_signed_url.filter(|url| !url.is_empty()),
            Ok,
        )
        .await
    }

    /// One placement; `None` when GameLift does not know it (any more).
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn placement(&self, id: &PlacementId) -> Result<Option<Placement>, GatewayError> {
        let request = self.gamelift().describe_game_session_placement().placement_id(id.as_str());
        self.find(
            "DescribeGameSessionPlacement",
            id.as_str(),
            || request.clone().send(),
            |answer| answer.game_session_placement,
            |found| placement::placement(found, self.region()),
        )
        .await
    }

    /// A page of the ACTIVE game sessions found by GameLift's own search.
    ///
    /// # Errors
    /// Any kind. `Invalid` for an expression the service cannot read, and for an
    /// alias that is terminal.
    pub(super) async fn search_game_sessions_page(
        &self,
        search: &GameSessionSearch,
        from: Option<PageToken>,
    ) -> Result<PageOf<GameSession>, GatewayError> {
        let request = self
            .gamelift()
            .search_game_sessions()
            .set_location(search.location.as_ref().map(|location| location.as_str().to_owned()))
            .set_filter_expression(search.filter.as_ref().map(|filter| filter.as_str().to_owned()))
            .set_sort_expression(search.sort.as_ref().map(|sort| sort.as_str().to_owned()))
            .limit(FOUND_A_PAGE);
        let (request, target) = match &search.target {
            GameSessionTarget::Fleet(fleet) => (request.fleet_id(fleet.as_str()), fleet.as_str()),
            GameSessionTarget::Alias(alias) => (request.alias_id(alias.as_str()), alias.as_str()),
        };
        self.page(
            "SearchGameSessions",
            Some(target),
            from,
            &|token| request.clone().set_next_token(token).send(),
            &|answer| (answer.game_sessions, answer.next_token),
            &game_session::game_session,
        )
        .await
    }

    /// Every player session of a game session, ended ones included.
    pub async fn player_sessions(&self, id: &GameSessionId) -> Reading<PlayerSession> {
        let request =
            self.gamelift().describe_player_sessions().game_session_id(id.as_str()).limit(PLAYERS_A_PAGE);
        self.list(
            "DescribePlayerSessions",
            Some(id.as_str()),
            |token| request.clone().set_next_token(token).send(),
            |answer| (answer.player_sessions, answer.next_token),
            |session| game_session::player_session(session, id),
        )
        .await
    }

    /// One player session; `None` when GameLift does not know it (any more).
    ///
    /// # Errors
    /// Any kind but `NotFound`.
    pub async fn player_session(&self, id: &PlayerSessionId) -> Result<Option<PlayerSession>, GatewayError> {
        let request = self.gamelift().describe_player_sessions().player_session_id(id.as_str());
        self.find(
            "DescribePlayerSessions",
            id.as_str(),
            || request.clone().send(),
            |answer| answer.player_sessions.unwrap_or_default().into_iter().next(),
            game_session::player_session_of_player,
        )
        .await
    }

    /// A page of a player's sessions in this Region's fleets. AWS keeps them until 30 days after their game session
    /// ended.
    ///
    /// # Errors
    /// Any kind; the pages read before stay valid.
    pub async fn player_sessions_of_page(
        &self,
        player: &PlayerId,
        from: Option<PageToken>,
    ) -> Result<PageOf<PlayerSession>, GatewayError> {
        let request =
            self.gamelift().describe_player_sessions().player_id(player.as_str()).limit(PLAYERS_A_PAGE);
        // The player is not named as the resource: errors are logged, and player ids stay out of logs.
        self.page(
            "DescribePlayerSessions",
            None,
            from,
            &|token| request.clone().set_next_token(token).send(),
            &|answer| (answer.player_sessions, answer.next_token),
            &game_session::player_session_of_player,
        )
        .await
    }
}
