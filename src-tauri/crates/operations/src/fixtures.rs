//! Resources as AWS would show them, for the tests of this crate.

use liftdeck_model::action::{Action, Request, TerminateGameSession, TerminationMode};
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::{Ticket, TicketStatus};
use liftdeck_model::placement::{Placement, PlacementStatus};
use liftdeck_model::{AliasId, FleetId, GameSessionId, PlacementId, QueueName, Region, TicketId, Timestamp};

/// The ARN of [`session`].
pub(crate) const SESSION_ARN: &str = "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/gs-1";

/// A game session of fleet-1, created at timestamp 0.
pub(crate) fn session(status: GameSessionStatus) -> GameSession {
    GameSession {
        game_session_id: GameSessionId::from(SESSION_ARN),
        name: Some("one".to_owned()),
        fleet_id: FleetId::from("fleet-1"),
        location: None,
        status,
        status_reason: None,
        creation_time: Timestamp::from_ms(0),
        termination_time: None,
        current_player_session_count: 3,
        maximum_player_session_count: 8,
        player_session_creation_policy: Some("ACCEPT_ALL".to_owned()),
        creator_id: None,
        game_properties: Vec::new(),
        ip_address: Some("203.0.113.7".to_owned()),
        dns_name: None,
        port: Some(7_780),
        game_session_data: None,
        matchmaker_data: None,
        compute_name: None,
        player_gateway_status: None,
        protection_policy: None,
    }
}

/// A placement that started one second after timestamp 0 and ended four seconds later.
pub(crate) fn placement(status: PlacementStatus) -> Placement {
    Placement {
        placement_id: PlacementId::from("plc-1"),
        region: Region::from("eu-west-1"),
        queue: Some(QueueName::from("live")),
        status,
        start_time: Some(Timestamp::from_ms(1_000)),
        end_time: Some(Timestamp::from_ms(5_000)),
        maximum_player_session_count: Some(8),
        game_session_name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        game_session_id: Some("arn:aws:gamelift:eu-west-1::gamesession/fleet-1/plc-1".into()),
        game_session_region: Some(Region::from("eu-west-1")),
        ip_address: Some("203.0.113.7".to_owned()),
        dns_name: None,
        port: Some(7_780),
        player_latencies: Vec::new(),
        placed_player_sessions: Vec::new(),
        location_order: Vec::new(),
    }
}

/// A ticket without players.
pub(crate) fn ticket(status: TicketStatus) -> Ticket {
    Ticket {
        ticket_id: TicketId::from("t-1"),
        region: Region::from("eu-west-1"),
        configuration_name: None,
        status,
        status_reason: None,
        status_message: Some("Too few players.".to_owned()),
        start_time: None,
        end_time: None,
        estimated_wait_seconds: None,
        players: Vec::new(),
        connection: None,
    }
}

/// An alias to a fleet.
pub(crate) fn alias(fleet: &str) -> Alias {
    Alias {
        alias_id: AliasId::from("alias-1"),
        alias_arn: None,
        region: Region::from("eu-west-1"),
        name: "live".to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: FleetId::from(fleet) },
        creation_time: None,
        last_updated_time: None,
    }
}

/// An attempt to end [`session`] whose answer was lost, made at `at` and given up at `given_up`.
pub(crate) fn unanswered(at: Timestamp, given_up: Timestamp) -> Activity {
    let region = Region::from("eu-west-1");
    let request = Request::TerminateGameSession(TerminateGameSession {
        game_session_id: GameSessionId::from(SESSION_ARN),
        termination_mode: TerminationMode::TriggerOnProcessTerminate,
    });
    Activity {
        fleet_id: Some(FleetId::from("fleet-1")),
        outcome: ActivityOutcome::Unknown,
        ended_at: Some(given_up),
        aws_code: Some("InternalServiceException".to_owned()),
        ..Activity::sending(ActivityId::new("a-1"), at, Action { region, request })
    }
}
