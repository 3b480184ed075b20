//! A complete pass: what it collects, and that a second one over a frozen world writes nothing.

use liftdeck_collector::{CollectorOptions, EndedGameSessions, MetricsPolicy};
use liftdeck_model::feed::ForeignBodies;
use liftdeck_model::{Location, Region};

use crate::harness::Bench;

fn rows(summary: &liftdeck_collector::Summary, kind: &str) -> u64 {
    summary.rows.get(kind).copied().unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_pass_collects_what_the_world_has() {
    let bench = Bench::frozen().await;
    let summary = bench.once(bench.options()).await;
    assert!(summary.is_complete(), "{:?}", summary.failures);
    for region in bench.regions() {
        assert_eq!(bench.live(&region).await, bench.true_live(&region).await, "{region}");
    }
    assert_eq!(rows(&summary, "game_sessions"), bench.true_count(&["GameSessions"]).await);
    assert_eq!(rows(&summary, "player_sessions"), bench.true_count(&["PlayerSessions"]).await);
    assert_eq!(rows(&summary, "fleets"), bench.true_count(&["FleetIds"]).await);
    assert_eq!(rows(&summary, "queues"), bench.true_count(&["GameSessionQueues"]).await);
    assert_eq!(rows(&summary, "aliases"), bench.true_count(&["Aliases"]).await);
    assert_eq!(rows(&summary, "builds"), bench.true_count(&["Builds"]).await);
    assert_eq!(rows(&summary, "scripts"), bench.true_count(&["Scripts"]).await);
    let rule_sets = bench.true_count(&["MatchmakingRuleSets"]).await;
    assert!(rule_sets > 0);
    assert_eq!(rows(&summary, "matchmaking_rule_sets"), rule_sets);
    assert_eq!(bench.store.reader().rule_sets((bench.clock())()).await.unwrap().0.len() as u64, rule_sets);
    assert_eq!(rows(&summary, "fleet_capacity"), bench.true_count(&["FleetCapacity"]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_instance_limits_of_every_location_with_capacity_are_read_and_count_its_instances() {
    let bench = Bench::frozen().await;
    bench.once(bench.options()).await;
    let reader = bench.store.reader();
    let fleets = reader.fleet_summaries((bench.clock())()).await.unwrap();
    let limits = reader.instance_limits().await.unwrap();
    for region in bench.regions() {
        let places = reader.instance_places(&region).await.unwrap();
        assert!(!places.is_empty(), "{region} has fleets with capacity");
        for place in places {
            let is_here = |of: &Region, at: &Location| *of == region && *at == place.location;
            let here = limits.iter().filter(|(of, limit)| is_here(of, &limit.location));
            assert!(here.clone().count() > 0, "{region}, {}", place.location);
            for (_, limit) in here {
                let of_type = fleets.iter().filter(|it| {
                    it.fleet.region == region && it.fleet.instance_type.as_ref() == Some(&limit.instance_type)
                });
                let counted: i32 = of_type
                    .flat_map(|it| &it.locations)
                    .filter(|it| it.location == place.location)
                    .filter_map(|it| it.capacity.as_ref())
                    .map(|it| it.active + it.pending)
                    .sum();
                assert_eq!(limit.current, counted, "{region}: {limit:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_pass_over_a_frozen_world_writes_no_rows() {
    let bench = Bench::frozen().await;
    bench.once(bench.options()).await;
    let bench = bench.reopen().await;
    let revision = bench.store.revision().await;
    let second = bench.once(bench.options()).await;
    assert!(second.is_complete());
    assert_eq!(second.rows, std::collections::BTreeMap::new());
    assert_eq!(bench.store.revision().await, revision);
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_game_sessions_and_metric_history_are_read_when_asked_for() {
    let bench = Bench::frozen().await;
    bench.adopt(&bench.queues(), ForeignBodies::Leave).await;
    let options = CollectorOptions {
        ended_game_sessions: EndedGameSessions::Pages(2),
        metrics: MetricsPolicy { backfill_days: 1, ..MetricsPolicy::default() },
        event_queues: bench.queues(),
        ..bench.options()
    };
    let summary = bench.once(options).await;
    assert!(summary.is_complete());
    assert!(rows(&summary, "game_sessions") > bench.true_count(&["GameSessions"]).await);
    assert!(rows(&summary, "metric_samples") > 100_000);
    assert!(summary.cloudwatch_metrics > 0);
    let used = bench.store.reader().usage_of_day((bench.clock())()).await.unwrap();
    assert_eq!(used, summary.cloudwatch_metrics, "what was requested is on record");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_daily_cap_is_never_passed_and_survives_a_restart() {
    let bench = Bench::frozen().await;
    let options = CollectorOptions {
        metrics: MetricsPolicy { daily_cap_usd: 0.003, backfill_days: 15, enabled: true },
        ..bench.options()
    };
    let first = bench.once(options.clone()).await;
    assert_eq!(first.cloudwatch_metrics, 300);
    let bench = bench.reopen().await;
    let second = bench.once(options).await;
    assert_eq!(second.cloudwatch_metrics, 0);
}
