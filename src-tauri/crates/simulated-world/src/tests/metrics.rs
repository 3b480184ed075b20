//! The world as CloudWatch shows it.

use super::*;

const DAY_MS: i64 = 24 * 3_600_000;

/// Metrics without a point in a minute in which there was nothing to measure.
const SPARSE: [&str; 3] = ["TimeToMatch", "TimeToTicketSuccess", "TimeToTicketCancel"];

#[test]
fn every_listed_metric_has_points_and_is_listed_once() {
    let world = quiet();
    let mut total = 0;
    for region in regions(world) {
        let list = world.metrics().list(&region);
        let unique: std::collections::BTreeSet<_> = list.iter().collect();
        assert_eq!(unique.len(), list.len());
        total += list.len();
        for metric in list {
            let dimensions: Vec<_> =
                metric.dimensions.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            let from_ms = START_MS - 60 * MINUTE_MS;
            let points = world.metrics().read(&region, &metric.name, &dimensions, from_ms, START_MS, 60);
            // A fleet without instances has no CPU to measure.
            let idle = dimensions.iter().any(|(_, id)| {
                world
                    .fleet(&region, id)
                    .is_some_and(|f| f.capacity(f.home()).is_some_and(|c| c.instance_counts.maximum == 4))
            });
            if !SPARSE.contains(&metric.name.as_str()) && !idle {
                assert!(points.len() >= 59, "{metric:?}: {}", points.len());
            }
        }
    }
    assert!(total > 800, "{total}");
}

#[test]
fn a_minute_that_still_runs_is_not_shown() {
    let world = quiet();
    let queue = world.queues("eu-west-1").next().unwrap();
    let dimensions = [("QueueName", queue.name.as_str())];
    let points = world.metrics().read(
        "eu-west-1",
        "QueueDepth",
        &dimensions,
        START_MS - 600_000,
        START_MS + 600_000,
        60,
    );
    assert_eq!(points.last().unwrap().start_ms, START_MS / MINUTE_MS * MINUTE_MS - MINUTE_MS);
}

#[test]
fn longer_periods_add_up_the_minutes() {
    let world = quiet();
    let fleet = world.fleets("eu-west-1").next().unwrap();
    let dimensions = [("FleetId", fleet.id())];
    let to_ms = START_MS / 300_000 * 300_000;
    let read = |period_s| {
        world.metrics().read("eu-west-1", "ActiveGameSessions", &dimensions, to_ms - 600_000, to_ms, period_s)
    };
    let (minutes, fives) = (read(60), read(300));
    assert_eq!((minutes.len(), fives.len()), (10, 2));
    assert_eq!(fives[0].sum, minutes[..5].iter().map(|point| point.sum).sum::<f64>());
    assert_eq!(fives[1].max, minutes[5..].iter().map(|point| point.max).fold(0.0, f64::max));
    assert_eq!(fives[0].count, 5.0);
}

#[test]
fn one_minute_points_are_kept_for_fifteen_days_and_hours_for_more_than_a_year() {
    let world = quiet();
    let fleet = world.fleets("ap-northeast-1").find(|fleet| fleet.script_id().is_some()).unwrap();
    let dimensions = [("FleetId", fleet.id())];
    let read = |age_days: i64, period_s: u32| {
        let from_ms = START_MS / 3_600_000 * 3_600_000 - age_days * DAY_MS;
        let metrics = world.metrics();
        metrics.read("ap-northeast-1", "ActiveGameSessions", &dimensions, from_ms, from_ms + DAY_MS, period_s)
    };
    assert_eq!(read(14, 60).len(), 1_440);
    assert_eq!(read(17, 60).len(), 0);
    assert_eq!(read(60, 300).len(), 288);
    assert_eq!(read(70, 300).len(), 0);
    assert_eq!(read(190, 3_600).len(), 24);
    assert_eq!(read(250, 3_600).len(), 0, "the fleet did not exist");
    let queue = [("QueueName", "arena-ap")];
    let from_ms = START_MS / 3_600_000 * 3_600_000 - 450 * DAY_MS;
    let old =
        world.metrics().read("ap-northeast-1", "PlacementsStarted", &queue, from_ms, from_ms + DAY_MS, 3_600);
    assert_eq!(old.len(), 24);
}

#[test]
fn the_modelled_past_continues_the_simulated_one() {
    let world = quiet();
    let fleet = world.fleets("ap-northeast-1").find(|fleet| fleet.script_id().is_some()).unwrap();
    let dimensions = [("FleetId", fleet.id())];
    let mean = |name: &str, from_ms: i64| {
        let points =
            world.metrics().read("ap-northeast-1", name, &dimensions, from_ms, from_ms + 7 * DAY_MS, 300);
        points.iter().map(|point| point.sum).sum::<f64>()
            / points.iter().map(|point| point.count).sum::<f64>()
    };
    for name in
        ["ActiveGameSessions", "CurrentPlayerSessions", "ActiveInstances", "ServerProcessTerminations"]
    {
        let (modelled, simulated) = (mean(name, START_MS - 45 * DAY_MS), mean(name, START_MS - 24 * DAY_MS));
        assert!((0.7..1.4).contains(&(modelled / simulated)), "{name}: {modelled} before, {simulated} after");
    }
}

#[test]
fn what_does_not_exist_has_no_points() {
    let world = quiet();
    let fleet = world.fleets("eu-west-1").next().unwrap();
    let read = |name: &str, dimensions: &[(&str, &str)]| {
        world.metrics().read("eu-west-1", name, dimensions, START_MS - 600_000, START_MS, 60).len()
    };
    assert_eq!(read("NoSuchMetric", &[("FleetId", fleet.id())]), 0);
    assert_eq!(read("ActiveInstances", &[("FleetId", "fleet-0")]), 0);
    assert_eq!(read("ActiveInstances", &[]), 0);
    assert_eq!(read("RecycledInstances", &[("FleetId", fleet.id())]), 0, "it is not a Spot fleet");
    assert!(read("ActiveInstances", &[("FleetId", fleet.id())]) > 0);
}

#[test]
fn a_metric_is_listed_within_a_quarter_of_an_hour_and_for_two_weeks_after_its_last_data() {
    let mut world = quiet().clone();
    let region = "eu-west-1";
    let settings = crate::QueueSettings::default();
    world.create_queue(region, "fresh", settings, std::collections::BTreeMap::new()).unwrap();
    let listed = |world: &World, since_ms: i64| {
        let all = world.metrics().list_since(region, since_ms).into_iter();
        all.filter(|metric| metric.dimensions == [("QueueName".to_owned(), "fresh".to_owned())]).count()
    };
    let (now_ms, mut counts) = (world.now_ms(), Vec::new());
    for minute in [0, 3, 9, 17] {
        world.advance_to(now_ms + minute * MINUTE_MS);
        counts.push(listed(&world, now_ms - DAY_MS));
    }
    assert_eq!(counts[0], 0, "nothing was measured yet");
    assert!(counts[1] < counts[3] && counts.is_sorted(), "each metric has a lag of its own: {counts:?}");

    world.delete_queue(region, "fresh").unwrap();
    let gone_ms = world.now_ms();
    assert_eq!(listed(&world, gone_ms - 3 * 60 * MINUTE_MS), counts[3], "RecentlyActive");
    world.advance_to(gone_ms + 200 * MINUTE_MS);
    assert_eq!(listed(&world, world.now_ms() - 3 * 60 * MINUTE_MS), 0, "not active for three hours");
    assert_eq!(listed(&world, world.now_ms() - 14 * DAY_MS), counts[3]);
    let dimensions = [("QueueName", "fresh")];
    let points = world.metrics().read(region, "QueueDepth", &dimensions, now_ms, gone_ms, 60);
    assert!(points.len() >= 14, "what was measured stays");
}
