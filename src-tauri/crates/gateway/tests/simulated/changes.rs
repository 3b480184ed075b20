//! Every change against the simulator: what a success makes, and what error a refusal gives.

#![allow(clippy::disallowed_methods, reason = "the subject of these tests")]

mod alias;
mod fleet;
mod game_session;
mod matchmaking;
mod placement;
mod refusal;
mod script;

use std::time::Duration;

use liftdeck_gateway::{GatewayError, Grant, Made, Operator, Reader};
use liftdeck_model::action::*;
use liftdeck_model::fleet::{ComputeKind, Fleet, FleetStatus};
use liftdeck_model::game_session::{GameProperty, GameSession};

use crate::world::World;

const NO_FLEET: &str = "fleet-00000000-0000-0000-0000-000000000000";
const HOUR: Duration = Duration::from_secs(3_600);

/// A frozen world with an operator that may change it.
struct Bench {
    world: World,
    operator: Operator,
    reader: Reader,
}

impl Bench {
    async fn open() -> Self {
        Self::of(World::frozen(1.0).await).await
    }

    async fn of(world: World) -> Self {
        let grant = Grant::issue(HOUR, world.gateway.prove().await.unwrap());
        let operator = world.gateway.operator(&world.region, &grant).await.unwrap();
        let reader = world.gateway.reader(&world.region).unwrap();
        Self { world, operator, reader }
    }

    async fn made(&self, request: Request) -> Made {
        assert_eq!(request.check(), [], "{request:?}");
        let sent = self.operator.send(&request, None).await.unwrap();
        assert!(!sent.request_id.is_empty(), "{request:?}");
        sent.made
    }

    /// Sends a request that must be refused with this code and a request id, and must not have happened. Returns the
    /// error.
    async fn refused(&self, request: Request, code: &str) -> GatewayError {
        let error = self.operator.send(&request, None).await.unwrap_err();
        assert_eq!(error.code.as_deref(), Some(code), "{error}");
        assert!(error.request_id.is_some() && !error.may_have_happened(), "{error}");
        error
    }

    /// An ACTIVE managed EC2 fleet with a free process.
    async fn fleet(&self) -> Fleet {
        for fleet in self.reader.fleets().await.items {
            let on_ec2 = fleet.kind == ComputeKind::Ec2OnDemand && fleet.script_id.is_none();
            if on_ec2 && fleet.status == FleetStatus::Active {
                let home = self.world.region.as_str().into();
                let load = self.reader.fleet_location_utilization(&fleet.fleet_id, &home).await.unwrap();
                if load.active_game_session_count < load.active_server_process_count {
                    return fleet;
                }
            }
        }
        panic!("the world has an ACTIVE fleet with room");
    }

    async fn pass(&self, seconds: u64) {
        self.world.simulator.advance(Duration::from_secs(seconds)).await.unwrap();
    }

    /// How often an action reached the service.
    fn calls(&self, action: &str) -> u64 {
        let calls = self.world.simulator.calls();
        calls
            .get(self.world.region.as_str())
            .and_then(|actions| actions.get(action))
            .map_or(0, |count| count.calls)
    }
}

fn create(target: GameSessionTarget, token: &str) -> Request {
    Request::CreateGameSession(CreateGameSession {
        target,
        location: None,
        maximum_player_session_count: 4,
        name: Some("by hand".to_owned()),
        game_properties: vec![GameProperty { key: "mode".to_owned(), value: "ranked".to_owned() }],
        game_session_data: Some("{}".to_owned()),
        idempotency_token: token.to_owned(),
        creator_id: None,
    })
}

fn session(made: Made) -> GameSession {
    match made {
        Made::GameSession(session) => *session,
        other => panic!("{other:?}"),
    }
}
