//! What is usual, learnt from a real database file.

use liftdeck_insight::usual::past::Memory;
use liftdeck_insight::usual::{Season, Standing};
use liftdeck_insight::{KpiKey, Overview, overview};
use liftdeck_model::metric::{MetricSample, MetricSeries, MetricSource};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::time::TimeRange;

use crate::world::{NOW, World, capacity, fleet, placement, utilization};

const MINUTE: i64 = 60_000;
const DAY_MINUTES: i64 = 24 * 60;

/// CloudWatch's game sessions of the past `days`, a value every five minutes: 40 with a swing of 4 over the hour.
fn sessions(days: i64) -> Observation {
    let series = MetricSeries {
        region: "eu-west-1".into(),
        source: MetricSource::CloudWatch,
        name: "ActiveGameSessions".into(),
        dimensions: vec![("FleetId".into(), "fleet-calm".into()), ("Location".into(), "eu-west-1".into())],
        statistic: "Average".into(),
    };
    let sample = |minute: i64| MetricSample {
        at: NOW.plus_ms(-minute * MINUTE),
        value: 38.0 + (minute / 5 % 12) as f64 / 3.0,
    };
    let minutes = (10..days * DAY_MINUTES).rev().filter(|minute| minute % 5 == 0);
    Observation::MetricSamples(series, minutes.map(sample).collect())
}

/// Placements of the past twelve days, twenty an hour around now, one of them failed.
fn placements() -> Vec<PlacementEvent> {
    let event = |day: i64, minute: i64| {
        let number = u32::try_from(day * 1_000 + minute).unwrap();
        let failed = minute % 60 == 0;
        let event_type = if failed { PlacementEventType::TimedOut } else { PlacementEventType::Fulfilled };
        let at = NOW.plus_ms(-(day * DAY_MINUTES + minute - 120) * MINUTE);
        PlacementEvent { event_time: at, end_time: Some(at), ..placement(number, event_type) }
    };
    (1..=12).flat_map(|day| (0..240).step_by(3).map(move |minute| event(day, minute))).collect()
}

async fn seen(world: &World, memory: &Memory, now_sessions: i32) -> Overview {
    world.saw(NOW, vec![Observation::FleetUtilization(utilization("calm", 100, now_sessions))]).await;
    let range = TimeRange::new(NOW.plus_ms(-180 * MINUTE), NOW.plus_ms(1));
    overview(&world.reader(), memory, range, NOW).await.unwrap()
}

#[tokio::test]
async fn a_figure_is_judged_by_its_own_past_and_never_by_one_day() {
    let world = World::new().await;
    world
        .saw(
            NOW,
            vec![
                Observation::Fleets(Listing::complete(vec![fleet("calm")])),
                Observation::FleetCapacity(capacity("calm", 6, 5)),
                sessions(30),
            ],
        )
        .await;
    let memory = Memory::default();
    for (value, standing) in [(40, Standing::Within), (4, Standing::Below), (80, Standing::Above)] {
        let glance = seen(&world, &memory, value).await;
        let kpi = glance.kpis.iter().find(|kpi| kpi.key == KpiKey::ActiveSessions).unwrap();
        assert_eq!((kpi.value, kpi.standing), (Some(f64::from(value)), standing));
        let usual = kpi.usual.unwrap();
        assert_eq!((usual.season, usual.learnt_from), (Season::HourOfWeek, 4));
        assert!(usual.low > 30.0 && usual.high < 50.0, "{usual:?}");
        assert_eq!((kpi.spark_low.len(), kpi.spark_high.len()), (kpi.spark.len(), kpi.spark.len()));
        assert!(kpi.spark_low.iter().all(Option::is_some), "{:?}", kpi.spark_low);
        let players = glance.kpis.iter().find(|kpi| kpi.key == KpiKey::PlayersOnline).unwrap();
        assert_eq!(players.usual, None, "of players nothing was ever seen before");
    }
    world.close().await;
}

#[tokio::test]
async fn placements_have_a_usual_rate_and_a_usual_share_of_failures() {
    let world = World::new().await;
    world.saw(NOW, vec![Observation::PlacementEvents(placements())]).await;
    let last = |number: u32| {
        let outcome = if number < 5 { PlacementEventType::TimedOut } else { PlacementEventType::Fulfilled };
        placement(900_000 + number, outcome)
    };
    let recent = (0..5).map(|number| {
        let at = NOW.plus_ms(-i64::from(number) * 3 * MINUTE);
        PlacementEvent { event_time: at, end_time: Some(at), ..last(number) }
    });
    world.saw(NOW, vec![Observation::PlacementEvents(recent.collect())]).await;
    let glance = seen(&world, &Memory::default(), 0).await;
    let kpi = glance.kpis.iter().find(|kpi| kpi.key == KpiKey::PlacementsPerMinute).unwrap();
    let usual = kpi.usual.unwrap();
    assert!((usual.median - 1.0 / 3.0).abs() < 0.05, "{usual:?}");
    assert_eq!((kpi.standing, usual.season), (Standing::Within, Season::HourOfDay));
    let share = kpi.usual_failed_share.unwrap();
    assert!(share.low == 0.0 && share.high < 1.0, "five of five failed: {share:?}");
    assert_eq!(kpi.failed_share, Some(1.0));
    world.close().await;
}
