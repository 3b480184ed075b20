//! Fleets without room: at their maximum, held back by the account's limit, or with automatic scaling suspended.

use liftdeck_insight::verdict::InForce;
use liftdeck_insight::{ChangeKind, LikelyCause, Rule, Strength, Trouble};
use liftdeck_model::Severity;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{
    Fleet, FleetCapacity, FleetEvent, InstanceLimit, RuntimeConfiguration, ServerProcess,
};
use liftdeck_model::game_session::GameSession;
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};

use super::MINUTE;
use super::world::{
    NOW, World, alias_updated, capacity, fleet, placement, policy, queue, session, utilization,
};

fn eight_processes() -> RuntimeConfiguration {
    RuntimeConfiguration {
        server_processes: vec![ServerProcess {
            launch_path: "/local/game/server".to_owned(),
            parameters: None,
            concurrent_executions: 8,
        }],
        max_concurrent_game_session_activations: None,
        game_session_activation_timeout_seconds: None,
    }
}

/// A fleet of 10 instances with 80 processes, whose scaling was suspended some hours ago.
async fn suspended(world: &World, sessions: i32, hours: i64) {
    let scales = vec![Observation::Fleets(Listing::complete(vec![fleet("arena")]))];
    world.saw(NOW.plus_ms(-(hours + 1) * 60 * MINUTE), scales).await;
    let still = Fleet { stopped_actions: vec!["AUTO_SCALING".to_owned()], ..fleet("arena") };
    world
        .saw(
            NOW.plus_ms(-hours * 60 * MINUTE),
            vec![Observation::Fleets(Listing::complete(vec![still.clone()]))],
        )
        .await;
    let still = Fleet { stopped_actions: vec!["AUTO_SCALING".to_owned()], ..fleet("arena") };
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![still])),
        Observation::FleetCapacity(capacity("arena", 10, 10)),
        Observation::FleetUtilization(utilization("arena", 80, sessions)),
        Observation::RuntimeConfiguration("fleet-arena".into(), eight_processes()),
        Observation::ScalingPolicies("fleet-arena".into(), Listing::complete(vec![policy()])),
    ];
    world.saw(NOW, seen).await;
}

#[tokio::test]
async fn suspended_scaling_is_a_trouble_once_the_policy_would_ask_for_more_instances() {
    for (sessions, is_short) in [(64, false), (65, true), (80, true)] {
        let world = World::new().await;
        suspended(&world, sessions, 5).await;
        let verdict = world.found(Rule::ScalingSuspended, &InForce::new()).await;
        assert_eq!(verdict.is_some(), is_short, "{sessions} sessions: {verdict:?}");
        world.close().await;
    }
}

#[tokio::test]
async fn suspended_scaling_is_dated_by_the_game_session_that_would_have_asked_for_an_instance() {
    // A poll saw the suspension five hours ago.
    for (created_ms, since_ms) in [(-7 * MINUTE, -7 * MINUTE), (-6 * 60 * MINUTE, -(5 * 60 + 1) * MINUTE)] {
        let world = World::new().await;
        suspended(&world, 65, 5).await;
        let hosted = (0..65).map(|number| GameSession {
            game_session_id: format!("arn:aws:gamelift:eu-west-1::gamesession/fleet-arena/s-{number}").into(),
            fleet_id: "fleet-arena".into(),
            ..session(number, NOW.plus_ms(if number < 64 { -6 * 60 * MINUTE } else { created_ms }))
        });
        world.saw(NOW, vec![Observation::GameSessions(hosted.collect())]).await;
        let verdict = world.found(Rule::ScalingSuspended, &InForce::new()).await.expect("it is short");
        assert_eq!(verdict.since, NOW.plus_ms(since_ms));
        world.close().await;
    }
}

#[tokio::test]
async fn a_fleet_whose_processes_are_restarting_does_not_lack_instances() {
    let world = World::new().await;
    suspended(&world, 64, 5).await;
    world.saw(NOW, vec![Observation::FleetUtilization(utilization("arena", 72, 64))]).await;
    assert_eq!(world.found(Rule::ScalingSuspended, &InForce::new()).await, None);
    world.close().await;
}

#[tokio::test]
async fn a_fleet_that_needs_no_more_after_some_seconds_is_not_told_to_lack_instances() {
    for (seconds, lasts) in [(15, false), (120, true)] {
        let world = World::new().await;
        suspended(&world, 64, 5).await;
        let began = NOW.plus_ms(-seconds * 1_000);
        let known = InForce::from([((Rule::ScalingSuspended, "fleet-arena".to_owned()), began)]);
        let verdict = world.found(Rule::ScalingSuspended, &known).await;
        assert_eq!(verdict.is_some(), lasts, "short {seconds} s ago: {verdict:?}");
        world.close().await;
    }
}

#[tokio::test]
async fn scaling_that_was_suspended_long_ago_is_meant_to_be() {
    for (hours, severity) in [(5, Severity::Bad), (30, Severity::Info)] {
        let world = World::new().await;
        suspended(&world, 80, hours).await;
        let in_force = InForce::from([((Rule::ScalingSuspended, "fleet-arena".to_owned()), NOW)]);
        for known in [InForce::new(), in_force] {
            let verdict = world.found(Rule::ScalingSuspended, &known).await.expect("it is short");
            assert_eq!(verdict.severity, severity, "{hours} hours ago");
        }
        world.close().await;
    }
}

/// A fleet that has had 4 of 7 desired instances for `minutes`, which is its maximum, and 3 more on their way if
/// `starting`, while the account has 4 of `limit` instances of its type.
pub(crate) async fn lacking(minutes: i64, starting: bool, limit: i32) -> World {
    let world = World::new().await;
    let known = vec![Observation::Fleets(Listing::complete(vec![fleet("arena")]))];
    world.saw(NOW.plus_ms(-20 * MINUTE), known).await;
    for minute in (0..=10).rev() {
        let desired = if minute <= minutes { 7 } else { 4 };
        let pending = if starting { desired - 4 } else { 0 };
        let seen = vec![
            Observation::FleetCapacity(FleetCapacity {
                pending,
                maximum: 7,
                ..capacity("arena", desired, 4)
            }),
            Observation::FleetUtilization(utilization("arena", 32, 32)),
            Observation::InstanceLimits(
                "eu-west-1".into(),
                vec![InstanceLimit {
                    instance_type: "c6i.large".to_owned(),
                    location: "eu-west-1".into(),
                    current: 4,
                    limit,
                }],
            ),
        ];
        world.saw(NOW.plus_ms(-minute * MINUTE), seen).await;
    }
    world
}

#[tokio::test]
async fn a_fleet_that_the_accounts_limit_holds_back_is_found_since_it_lacks_instances() {
    let world = lacking(3, false, 4).await;
    let verdict = world.found(Rule::InstanceLimit, &InForce::new()).await.expect("the limit is reached");
    assert_eq!((verdict.severity, verdict.since), (Severity::Bad, NOW.plus_ms(-3 * MINUTE)));
    let Trouble::InstanceLimit { instance_type, locations, current, limit, missing, .. } =
        verdict.facts.trouble
    else {
        panic!("{:?}", verdict.facts)
    };
    assert_eq!((instance_type.as_str(), locations.len()), ("c6i.large", 1));
    assert_eq!((current, limit, missing), (4, 4, 3));
    world.close().await;
}

#[tokio::test]
async fn lacking_instances_are_dated_by_the_event_that_tells_when_they_were_asked_for() {
    let world = lacking(3, false, 4).await;
    let asked = |number: i64, seconds: i64, from: i64, location: &str| FleetEvent {
        event_id: format!("step-{number}"),
        fleet_id: "fleet-arena".into(),
        event_code: "FLEET_SCALING_EVENT".into(),
        message: Some(format!("Desired instance count of location {location} changed from {from} to 7.")),
        event_time: NOW.plus_ms(-3 * MINUTE - seconds * 1_000),
        count: 1,
        has_log: false,
    };
    let events = vec![
        asked(1, 400, 3, "eu-west-1"),
        asked(2, 70, 4, "eu-west-1"),
        asked(3, 50, 8, "eu-west-1"),
        asked(4, 30, 4, "eu-north-1"),
    ];
    world.saw(NOW, vec![Observation::FleetEvents("fleet-arena".into(), events)]).await;
    let verdict = world.found(Rule::InstanceLimit, &InForce::new()).await.expect("the limit is reached");
    assert_eq!(verdict.since, NOW.plus_ms(-3 * MINUTE - 70_000));
    world.close().await;
}

#[tokio::test]
async fn instances_that_lack_for_another_reason_or_for_a_moment_are_not_laid_on_the_limit() {
    for (minutes, starting, limit) in [(3, false, 5), (3, true, 4), (0, false, 4)] {
        let world = lacking(minutes, starting, limit).await;
        let verdict = world.found(Rule::InstanceLimit, &InForce::new()).await;
        assert_eq!(verdict, None, "for {minutes} min, starting: {starting}, limit {limit}");
        world.close().await;
    }
}

#[tokio::test]
async fn a_limit_that_is_raised_replaces_the_one_that_was_kept() {
    let world = lacking(3, false, 4).await;
    let raised = InstanceLimit {
        instance_type: "c6i.large".to_owned(),
        location: "eu-west-1".into(),
        current: 4,
        limit: 10,
    };
    world.saw(NOW, vec![Observation::InstanceLimits("eu-west-1".into(), vec![raised])]).await;
    assert_eq!(world.found(Rule::InstanceLimit, &InForce::new()).await, None);
    world.close().await;
}

#[tokio::test]
async fn placements_that_fail_where_the_limit_is_reached_are_explained_by_it_before_all_else() {
    let world = lacking(5, false, 4).await;
    let queue = queue(vec!["arn:aws:gamelift:eu-west-1::fleet/fleet-arena".to_owned()]);
    let well = (200..400).map(|number| PlacementEvent {
        event_time: NOW.plus_ms(-30 * MINUTE - i64::from(number) * 1_000),
        ..placement(number, PlacementEventType::Fulfilled)
    });
    let failed = (0..60).map(|number| placement(number, PlacementEventType::TimedOut));
    let seen = vec![
        Observation::Queues(Listing::complete(vec![queue])),
        Observation::PlacementEvents(well.chain(failed).collect()),
    ];
    world.saw(NOW, seen).await;
    let verdict = world.found(Rule::Placements, &InForce::new()).await.expect("placements fail");
    let causes = &verdict.facts.causes;
    assert!(matches!(causes[0].cause, LikelyCause::InstanceLimit { .. }), "{causes:?}");
    assert_eq!(causes[0].strength, Strength::Strong);
    world.close().await;
}

/// A small full fleet at its maximum beside a large one with `free` processes, perhaps in one queue with it.
async fn beside(free: i32, queued: bool) -> World {
    let world = World::new().await;
    let mut seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("full"), fleet("other")])),
        Observation::FleetCapacity(FleetCapacity { maximum: 2, ..capacity("full", 2, 2) }),
        Observation::FleetUtilization(utilization("full", 16, 16)),
        Observation::FleetCapacity(capacity("other", 60, 60)),
        Observation::FleetUtilization(utilization("other", 480, 480 - free)),
    ];
    if queued {
        let destinations =
            ["full", "other"].map(|name| format!("arn:aws:gamelift:eu-west-1::fleet/fleet-{name}"));
        seen.push(Observation::Queues(Listing::complete(vec![queue(destinations.to_vec())])));
    }
    for minutes in (0..=6).rev() {
        world.saw(NOW.plus_ms(-minutes * MINUTE), seen.clone()).await;
    }
    world
}

#[tokio::test]
async fn a_fleet_that_is_full_for_a_few_minutes_without_a_cause_is_no_alert_yet() {
    for (full_for, severity) in [(0, Severity::Info), (3, Severity::Info), (6, Severity::Bad)] {
        let world = World::new().await;
        for minutes in (0..=8).rev() {
            let in_use = if minutes > full_for { 15 } else { 16 };
            let seen = vec![
                Observation::Fleets(Listing::complete(vec![fleet("full")])),
                Observation::FleetCapacity(FleetCapacity { maximum: 2, ..capacity("full", 2, 2) }),
                Observation::FleetUtilization(utilization("full", 16, in_use)),
            ];
            world.saw(NOW.plus_ms(-minutes * MINUTE), seen).await;
        }
        let verdict = world.found(Rule::Capped, &InForce::new()).await.expect("at its maximum");
        assert_eq!(verdict.severity, severity, "full for {full_for} min");
        world.close().await;
    }
}

#[tokio::test]
async fn a_full_fleet_is_no_alert_while_its_queue_finds_room_beside_it_or_while_it_is_a_canary() {
    for (free, queued, severity) in
        [(100, true, Severity::Info), (3, true, Severity::Bad), (3, false, Severity::Info)]
    {
        let world = beside(free, queued).await;
        let verdict = world.found(Rule::Capped, &InForce::new()).await.expect("at its maximum");
        assert_eq!(verdict.severity, severity, "{free} free beside it, queued: {queued}");
        world.close().await;
    }
}

#[tokio::test]
async fn a_canary_that_was_full_lacks_room_since_an_alias_led_a_queue_there_and_because_of_it() {
    let world = World::new().await;
    let to_alias = vec!["arn:aws:gamelift:eu-west-1::alias/alias-live".to_owned()];
    let leads_to = |name: &str| RoutingStrategy::Simple { fleet_id: format!("fleet-{name}").into() };
    let led = NOW.plus_ms(-MINUTE - 20_000);
    for minutes in (0..=8).rev() {
        let alias = if minutes > 1 {
            alias_updated(leads_to("other"), Some(NOW.plus_ms(-86_400_000)))
        } else {
            alias_updated(leads_to("canary"), Some(led))
        };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("canary"), fleet("other")])),
            Observation::FleetCapacity(FleetCapacity { maximum: 1, ..capacity("canary", 1, 1) }),
            Observation::FleetUtilization(utilization("canary", 3, if minutes > 6 { 2 } else { 3 })),
            Observation::FleetCapacity(capacity("other", 60, 60)),
            Observation::FleetUtilization(utilization("other", 480, 200)),
            Observation::Queues(Listing::complete(vec![queue(to_alias.clone())])),
            alias,
        ];
        world.saw(NOW.plus_ms(-minutes * MINUTE), seen).await;
    }
    // It was known that the canary is full, which alone is no alert.
    let known = [((Rule::Capped, "fleet-canary".to_owned()), NOW.plus_ms(-6 * MINUTE))].into();
    let verdict = world.found(Rule::Capped, &known).await.expect("at its maximum");
    assert_eq!((verdict.severity, verdict.since), (Severity::Bad, led));
    let first = &verdict.facts.causes[0].cause;
    assert!(
        matches!(first, LikelyCause::Changed { change } if change.kind == ChangeKind::Alias),
        "{first:?}"
    );
    world.close().await;
}

#[tokio::test]
async fn a_fleet_that_fills_up_while_twice_as_many_play_is_explained_by_them() {
    let world = World::new().await;
    // One placement every ten seconds for an hour, then every five.
    let calm = (0..360).map(|number| PlacementEvent {
        event_time: NOW.plus_ms(-5 * MINUTE - i64::from(number) * 10_000),
        ..placement(number, PlacementEventType::Fulfilled)
    });
    let rush = (360..460).map(|number| PlacementEvent {
        event_time: NOW.plus_ms(-i64::from(number - 360) * 3_000),
        ..placement(number, PlacementEventType::Fulfilled)
    });
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("arena")])),
        Observation::FleetCapacity(FleetCapacity { maximum: 10, ..capacity("arena", 10, 10) }),
        Observation::FleetUtilization(utilization("arena", 80, 80)),
        Observation::PlacementEvents(calm.chain(rush).collect()),
    ];
    world.saw(NOW, seen).await;
    let verdict = world.found(Rule::Capped, &InForce::new()).await.expect("at its maximum");
    let causes: Vec<_> = verdict.facts.causes.iter().map(|likely| &likely.cause).collect();
    let [LikelyCause::MoreDemand { per_min, before_per_min, .. }] = causes[..] else { panic!("{causes:?}") };
    assert!((5.0..7.0).contains(before_per_min) && *per_min > 15.0, "{before_per_min} then {per_min}");
    world.close().await;
}
