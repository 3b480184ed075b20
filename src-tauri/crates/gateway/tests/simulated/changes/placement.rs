//! Placements and their queues.

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::placement::PlacementStatus;

use super::*;

#[tokio::test]
async fn a_placement_is_started_followed_and_stopped_and_its_queue_changed() {
    let bench = Bench::open().await;
    let queue = bench.reader.queues().await.items.remove(0);
    let latency = RegionLatency { region: bench.world.region.to_string(), latency_ms: 20 };
    let start = |id: &str| {
        Request::StartGameSessionPlacement(StartGameSessionPlacement {
            placement_id: id.into(),
            game_session_queue_name: queue.name.clone(),
            maximum_player_session_count: 4,
            game_session_name: Some("by hand".to_owned()),
            game_properties: Vec::new(),
            game_session_data: None,
            players: vec![PlacementPlayer {
                player_id: "ada".into(),
                player_data: None,
                latencies: vec![latency.clone()],
            }],
            priority_override: None,
        })
    };
    let Made::Placement(placement) = bench.made(start("plc-1")).await else { panic!("a placement") };
    assert_eq!((placement.status, placement.queue), (PlacementStatus::Pending, Some(queue.name.clone())));
    assert!((placement.player_latencies[0].latency_ms - 20.0).abs() < 1e-6);
    bench.pass(90).await;
    let placed = bench.reader.placement(&"plc-1".into()).await.unwrap().unwrap();
    assert_eq!(placed.status, PlacementStatus::Fulfilled);
    assert_eq!(placed.placed_player_sessions.len(), 1);
    assert!(placed.game_session_id.is_some_and(|id| id.fleet_id().is_some()));
    bench.refused(start("plc-1"), "InvalidRequestException").await;
    let stop =
        |id: &str| Request::StopGameSessionPlacement(StopGameSessionPlacement { placement_id: id.into() });
    bench.refused(stop("plc-1"), "InvalidRequestException").await;
    assert_eq!(bench.reader.placement(&"never-was".into()).await, Ok(None));

    let policy =
        LatencyPolicy { maximum_individual_player_latency_ms: Some(80), policy_duration_seconds: Some(30) };
    let update = UpdateGameSessionQueue {
        name: queue.name.clone(),
        timeout_seconds: Some(120),
        destinations: Some(queue.destinations.iter().rev().cloned().collect()),
        player_latency_policies: Some(vec![policy]),
        notification_target: None,
    };
    let Made::Queue(changed) = bench.made(Request::UpdateGameSessionQueue(update.clone())).await else {
        panic!("a queue")
    };
    assert_eq!(changed.timeout_seconds, Some(120));
    assert!(changed.destinations.iter().eq(queue.destinations.iter().rev()));
    assert_eq!(bench.reader.queue(&queue.name).await.unwrap(), Some(*changed));
    // A queue without a usable destination keeps its placements waiting.
    let nowhere = CreateAlias {
        name: "nowhere".to_owned(),
        description: None,
        routing: RoutingStrategy::Terminal { message: "closed".to_owned() },
    };
    let Made::Alias(nowhere) = bench.made(Request::CreateAlias(nowhere)).await else { panic!("an alias") };
    let lead =
        UpdateGameSessionQueue { destinations: nowhere.alias_arn.map(|arn| vec![arn]), ..update.clone() };
    bench.made(Request::UpdateGameSessionQueue(lead)).await;
    bench.made(start("plc-2")).await;
    let Made::Placement(stopped) = bench.made(stop("plc-2")).await else { panic!("a placement") };
    assert_eq!(stopped.status, PlacementStatus::Cancelled);
    let nowhere = UpdateGameSessionQueue { name: "never-was".into(), ..update };
    bench.refused(Request::UpdateGameSessionQueue(nowhere), "NotFoundException").await;
    assert_eq!(bench.reader.queue(&"never-was".into()).await, Ok(None));
}
