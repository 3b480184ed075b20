//! Tests every form rule against the line of the reference it comes from: a value just inside is accepted, one just
//! outside is refused with the field named. `A14` stands for the rules the service states, `A16` for the constraints
//! of its model, `G2` for its quotas.

mod alias;
mod fleet;
mod game_session;
mod matchmaking;
mod placement;
mod queue;
mod script;

use super::*;
use crate::alias::RoutingStrategy;
use crate::game_session::GameProperty;

const ARN: &str = "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/eu-north-1/s-1";

/// The fields found wrong.
fn wrong(request: &Request) -> Vec<String> {
    let errors = request.check();
    assert!(errors.iter().all(|error| error.message.ends_with('.')), "{errors:?}");
    errors.into_iter().map(|error| error.field).collect()
}

/// Checks rows of (line of the reference, request, fields that are wrong).
fn hold<T>(
    rows: impl IntoIterator<Item = (&'static str, T, &'static [&'static str])>,
    wrap: fn(T) -> Request,
) {
    for (line, value, fields) in rows {
        let request = wrap(value);
        assert_eq!(wrong(&request), fields, "{line}: {request:?}");
    }
}

fn text(length: usize) -> String {
    "x".repeat(length)
}

fn property(key: usize, value: usize) -> Vec<GameProperty> {
    vec![GameProperty { key: text(key), value: text(value) }]
}

#[test]
fn an_action_reads_back_as_it_was_written() {
    let action = Action {
        region: "eu-west-1".into(),
        request: Request::PutScalingPolicy(PutScalingPolicy {
            fleet_id: "fleet-1".into(),
            name: "keep".to_owned(),
            rule: ScalingRule::TargetBased { target_value: 20.0 },
        }),
    };
    let json = serde_json::to_value(&action).unwrap();
    assert_eq!(json["request"]["operation"], "PutScalingPolicy");
    assert_eq!(json["request"]["rule"]["targetBased"]["targetValue"], 20.0);
    assert_eq!(serde_json::from_value::<Action>(json).unwrap(), action);
}
