//! Every read against the world's own records.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_gateway::{GameSessionFilter, MetricRequest, Reader, Reading};
use liftdeck_model::action::GameSessionTarget;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{ComputeKind, Fleet};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::metric::{MetricSeries, MetricSource};
use liftdeck_model::search::{FilterExpression, GameSessionSearch, SortExpression};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{GameSessionId, Location, Timestamp};

use crate::world::{World, column};

/// The items of a reading that must be complete.
fn all<T>(reading: Reading<T>) -> Vec<T> {
    assert!(reading.complete, "{:?}", reading.failure);
    reading.items
}

fn set<T>(items: &[T], text: impl Fn(&T) -> &str) -> BTreeSet<String> {
    items.iter().map(|item| text(item).to_owned()).collect()
}

async fn reader_of(world: &World) -> (Reader, Vec<Fleet>) {
    let reader = world.gateway.reader(&world.region).unwrap();
    let fleets = all(reader.fleets().await);
    (reader, fleets)
}

#[tokio::test]
async fn fleets_of_every_kind_are_the_worlds_fleets() {
    let world = World::frozen(1.0).await;
    let (reader, fleets) = reader_of(&world).await;
    let truth = world.truth().await;
    let ids: BTreeSet<_> =
        truth["FleetIds"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    assert_eq!(set(&fleets, |fleet| fleet.fleet_id.as_str()), ids);
    let containers: Vec<_> =
        fleets.iter().filter(|fleet| fleet.kind == ComputeKind::Container).cloned().collect();
    assert_eq!(
        set(&containers, |fleet| fleet.fleet_id.as_str()),
        column(&truth, "ContainerFleets", "FleetId")
    );

    let counts = |list: &str, count: &str| -> BTreeMap<(String, String), i64> {
        let records = truth[list].as_array().unwrap().iter();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        records
            .map(|record| {
                let number = record.pointer(count).unwrap().as_i64().unwrap();
                ((text(&record["FleetId"]), text(&record["Location"])), number)
            })
            .collect()
    };
    let mut desired = BTreeMap::new();
    let mut sessions = BTreeMap::new();
    for fleet in &fleets {
        for place in all(reader.fleet_locations(&fleet.fleet_id).await) {
            let key = (fleet.fleet_id.to_string(), place.location.to_string());
            if fleet.kind.has_capacity() {
                let capacity =
                    reader.fleet_location_capacity(&fleet.fleet_id, &place.location).await.unwrap();
                desired.insert(key.clone(), i64::from(capacity.desired));
            }
            if fleet.kind.has_utilization() {
                let load = reader.fleet_location_utilization(&fleet.fleet_id, &place.location).await.unwrap();
                sessions.insert(key, i64::from(load.active_game_session_count));
            }
        }
    }
    assert_eq!(desired, counts("FleetCapacity", "/InstanceCounts/DESIRED"));
    let truth_sessions = counts("FleetUtilization", "/ActiveGameSessionCount");
    for (key, count) in &sessions {
        assert_eq!(truth_sessions.get(key), Some(count), "{key:?}");
    }
    let home = all(reader.fleet_capacities().await);
    assert!(!home.is_empty());
    for capacity in home {
        let key = (capacity.fleet_id.to_string(), capacity.location.to_string());
        assert_eq!(desired.get(&key), Some(&i64::from(capacity.desired)), "{key:?}");
    }
    assert!(!all(reader.fleet_utilizations().await).is_empty());
}

#[tokio::test]
async fn computes_events_and_settings_of_a_fleet_are_the_worlds() {
    let world = World::frozen(1.0).await;
    let (reader, fleets) = reader_of(&world).await;
    let truth = world.truth().await;
    let mut instances = BTreeSet::new();
    let mut policies = BTreeSet::new();
    for fleet in &fleets {
        let id = &fleet.fleet_id;
        let places: Vec<Location> =
            all(reader.fleet_locations(id).await).into_iter().map(|place| place.location).collect();
        let computes = all(reader.computes(id, fleet.kind, &places).await);
        if fleet.kind.has_utilization() {
            instances.extend(computes.into_iter().filter_map(|compute| compute.instance_id));
            assert!(!reader.runtime_configuration(id).await.unwrap().server_processes.is_empty());
            reader.port_settings(id, None).await.unwrap();
        }
        if fleet.kind == ComputeKind::Container {
            assert!(!all(reader.fleet_deployments(id).await).is_empty());
        }
        if fleet.kind.has_capacity() {
            policies.extend(all(reader.scaling_policies(id).await).into_iter().map(|policy| policy.name));
        }
        let events = all(reader.fleet_events(id, None).await);
        assert!(!events.is_empty(), "{id} was created at least");
        let newest = events.iter().map(|event| event.event_time).max().unwrap();
        // Two milliseconds, because a moment may read one millisecond early.
        let later = all(reader.fleet_events(id, Some(newest.plus_ms(2))).await);
        assert!(later.iter().all(|event| event.event_time > newest));
    }
    let of_ec2: BTreeSet<_> = fleets
        .iter()
        .filter(|fleet| fleet.kind.has_utilization())
        .map(|fleet| fleet.fleet_id.to_string())
        .collect();
    let known = truth["Instances"].as_array().unwrap().iter();
    let known: BTreeSet<_> = known
        .filter(|record| of_ec2.contains(record["FleetId"].as_str().unwrap()))
        .map(|record| record["InstanceId"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(instances, known);
    assert_eq!(policies, column(&truth, "ScalingPolicies", "Name"));
}

#[tokio::test]
async fn live_game_sessions_and_their_players_are_the_worlds() {
    let world = World::frozen(1.0).await;
    let (reader, fleets) = reader_of(&world).await;
    let truth = world.truth().await;
    let mut sessions = Vec::new();
    for fleet in &fleets {
        for status in
            [GameSessionStatus::Active, GameSessionStatus::Activating, GameSessionStatus::Terminating]
        {
            let filter = GameSessionFilter { status: Some(status), location: None };
            sessions.extend(all(reader.game_sessions(&fleet.fleet_id, &filter).await));
        }
    }
    assert_eq!(
        set(&sessions, |session| session.game_session_id.as_str()),
        column(&truth, "GameSessions", "GameSessionId")
    );

    let players = truth["PlayerSessions"].as_array().unwrap();
    for session in sessions.iter().filter(|session| session.current_player_session_count > 0).take(20) {
        let found = all(reader.player_sessions(&session.game_session_id).await);
        let of_session =
            |record: &&serde_json::Value| record["GameSessionId"] == session.game_session_id.as_str();
        assert_eq!(found.len(), players.iter().filter(of_session).count());
        let live = found.iter().filter(|player| player.status.is_live()).count();
        assert_eq!(live, usize::try_from(session.current_player_session_count).unwrap());
    }
    let one = &sessions[0];
    let detail = reader.game_session(&one.game_session_id).await.unwrap().unwrap();
    assert!(detail.protection_policy.is_some());
    assert_eq!(detail.creation_time, one.creation_time);
    let plain = reader.game_session_without_protection(&one.game_session_id).await.unwrap().unwrap();
    assert_eq!(GameSession { protection_policy: None, ..detail }, plain);
    let filter = GameSessionFilter { status: Some(GameSessionStatus::Active), location: None };
    let page = reader.game_session_details_page(&one.fleet_id, &filter, None).await.unwrap();
    assert!(page.items.iter().all(|session| session.protection_policy.is_some()));
    let gone = one.game_session_id.as_str().replace(one.game_session_id.short(), "never-was");
    let gone = GameSessionId::from(gone);
    assert_eq!(reader.game_session(&gone).await, Ok(None));
    assert_eq!(reader.game_session_without_protection(&gone).await, Ok(None));
}

#[tokio::test]
async fn a_search_finds_active_sessions_of_a_fleet_or_through_an_alias() {
    let world = World::frozen(1.0).await;
    let reader = world.gateway.reader(&world.region).unwrap();
    let truth = world.truth().await;
    let active: Vec<&serde_json::Value> = truth["GameSessions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|session| session["Status"] == "ACTIVE")
        .collect();
    let aliases = all(reader.aliases().await);
    let (alias, fleet) = aliases
        .iter()
        .find_map(|alias| match &alias.routing {
            RoutingStrategy::Simple { fleet_id } => Some((alias.alias_id.clone(), fleet_id.clone())),
            RoutingStrategy::Terminal { .. } => None,
        })
        .unwrap();
    let with_players = |session: &&&serde_json::Value| {
        session["FleetId"] == fleet.as_str() && session["CurrentPlayerSessionCount"].as_i64() > Some(2)
    };
    let wanted: BTreeSet<_> = active
        .iter()
        .filter(with_players)
        .map(|session| session["GameSessionId"].as_str().unwrap().to_owned())
        .collect();
    assert!(wanted.len() > 20, "more than a page: {}", wanted.len());
    for target in [GameSessionTarget::Fleet(fleet), GameSessionTarget::Alias(alias)] {
        let search = GameSessionSearch {
            target,
            location: None,
            filter: FilterExpression::parse("playerSessionCount > 2").unwrap(),
            sort: SortExpression::parse("creationTimeMillis DESC").unwrap(),
        };
        let mut found = Vec::new();
        let mut pages = reader.search_game_sessions(&search);
        while let Some(page) = pages.next().await.unwrap() {
            assert!(page.len() <= 20);
            found.extend(page);
        }
        assert!(!pages.has_more() && !pages.is_cut() && pages.failure().is_none());
        assert_eq!(set(&found, |session| session.game_session_id.as_str()), wanted);
        assert!(found.is_sorted_by(|a, b| a.creation_time >= b.creation_time));
    }
}

#[tokio::test]
async fn queues_aliases_matchmaking_and_content_are_the_worlds() {
    let world = World::frozen(1.0).await;
    let reader = world.gateway.reader(&world.region).unwrap();
    let truth = world.truth().await;
    let queues = all(reader.queues().await);
    assert_eq!(set(&queues, |queue| queue.name.as_str()), column(&truth, "GameSessionQueues", "Name"));
    assert!(queues.iter().any(|queue| !queue.destinations.is_empty()));
    let aliases = all(reader.aliases().await);
    assert_eq!(set(&aliases, |alias| alias.alias_id.as_str()), column(&truth, "Aliases", "AliasId"));
    let configurations = all(reader.matchmaking_configurations().await);
    assert_eq!(
        set(&configurations, |found| &found.name),
        column(&truth, "MatchmakingConfigurations", "Name")
    );
    let builds = all(reader.builds().await);
    assert_eq!(set(&builds, |build| build.build_id.as_str()), column(&truth, "Builds", "BuildId"));
    let scripts = all(reader.scripts().await);
    assert_eq!(set(&scripts, |script| script.script_id.as_str()), column(&truth, "Scripts", "ScriptId"));
    let locations = all(reader.locations().await);
    assert_eq!(set(&locations, Location::as_str), column(&truth, "Locations", "LocationName"));
}

#[tokio::test]
async fn metrics_of_the_last_hour_come_in_one_call_for_hundreds_of_series() {
    let world = World::frozen(1.0).await;
    let reader = world.gateway.reader(&world.region).unwrap();
    let metrics = all(reader.list_metrics(false).await);
    assert!(metrics.len() > 20, "{} metrics", metrics.len());
    let now = Timestamp::from_ms(world.simulator.now_ms()).floor_to_ms(60_000);
    let requests: Vec<_> = metrics
        .iter()
        .take(500)
        .map(|metric| MetricRequest {
            series: MetricSeries {
                region: world.region.clone(),
                source: MetricSource::CloudWatch,
                name: metric.name.clone(),
                dimensions: metric.dimensions.clone(),
                statistic: "Average".to_owned(),
            },
            period_seconds: 60,
            range: TimeRange::new(now.plus_ms(-3_600_000), now),
        })
        .collect();
    let reading = reader.metric_data(&requests).await;
    assert!(reading.failure.is_none(), "{:?}", reading.failure);
    assert!(reading.series.iter().all(|series| series.complete));
    assert_eq!(reading.metrics_requested, requests.len() as u64);
    assert!(reading.series.iter().any(|series| series.samples.len() == 60));
    let usage = world.gateway.usage();
    let calls = usage.operations.iter().find(|usage| usage.operation == "GetMetricData").unwrap();
    assert_eq!(calls.calls, 1);
}
