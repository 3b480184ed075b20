//! Form rules of queues.

use super::*;

#[test]
fn queues() {
    let update = || UpdateGameSessionQueue {
        name: "eu".into(),
        timeout_seconds: None,
        destinations: None,
        player_latency_policies: None,
    };
    let timeout = |seconds| UpdateGameSessionQueue { timeout_seconds: Some(seconds), ..update() };
    let to = |arns: &[&str]| UpdateGameSessionQueue {
        destinations: Some(arns.iter().map(|arn| (*arn).to_owned()).collect()),
        ..update()
    };
    let policy = |maximum_individual_player_latency_ms, policy_duration_seconds| UpdateGameSessionQueue {
        player_latency_policies: Some(vec![LatencyPolicy {
            maximum_individual_player_latency_ms,
            policy_duration_seconds,
        }]),
        ..update()
    };
    let fleet = "arn:aws:gamelift:eu-west-1::fleet/fleet-1";
    hold(
        [
            ("H7 queue timeout 10..600", timeout(10), &[][..]),
            ("H7 queue timeout 10..600", timeout(9), &["timeoutSeconds"]),
            ("H7 queue timeout 10..600", timeout(601), &["timeoutSeconds"]),
            ("H4 DestinationArn", to(&[fleet, "arn:aws:gamelift:eu-west-1::alias/alias-1"]), &[]),
            ("A7 Destinations: no minimum", to(&[]), &[]),
            ("H4 DestinationArn: always an ARN", to(&["fleet-1"]), &["destinations[0]"]),
            ("our own: a destination twice", to(&[fleet, fleet]), &["destinations[1]"]),
            ("A16 WholeNumber", policy(Some(0), None), &[]),
            ("A16 WholeNumber", policy(Some(-1), None), &["playerLatencyPolicies[0]"]),
            ("A16 WholeNumber", policy(None, Some(-1)), &["playerLatencyPolicies[0]"]),
            ("our own: nothing to change", update(), &["name"]),
            (
                "A16 GameSessionQueueName",
                UpdateGameSessionQueue { name: "arn:aws:x:gamesessionqueue/eu".into(), ..timeout(10) },
                &["name"],
            ),
        ],
        Request::UpdateGameSessionQueue,
    );
}
