//! Metric series as columns.

use liftdeck_model::fleet::{Fleet, FleetCapacity, FleetUtilization};
use liftdeck_model::metric::{MetricSample, MetricSeries, MetricSource};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::time::TimeRange;
use liftdeck_store::Store;
use liftdeck_store::reader::series::{MetricsOf, MetricsRequest, SeriesName, SeriesRequest, SeriesScope};

use crate::fixture::{FLEET, NOW, Place, apply, capacity, fleet, placement, policy, region, utilization};

const MINUTE: i64 = 60_000;

fn cloud_watch(name: &str, values: impl IntoIterator<Item = (i64, f64)>) -> Observation {
    let series = MetricSeries {
        region: region(),
        source: MetricSource::CloudWatch,
        name: name.into(),
        dimensions: vec![("FleetId".into(), FLEET.into()), ("Location".into(), "eu-north-1".into())],
        statistic: "Average".into(),
    };
    let sample = |(minute, value)| MetricSample { at: NOW.plus_ms(minute * MINUTE), value };
    Observation::MetricSamples(series, values.into_iter().map(sample).collect())
}

/// A poll of the fleet's first location: the same each time.
fn here() -> Observation {
    Observation::FleetUtilization(utilization(30))
}

/// A poll of a second location.
fn elsewhere(sessions: i32) -> Observation {
    let load = FleetUtilization { location: "eu-west-1".into(), ..utilization(sessions) };
    Observation::FleetUtilization(load)
}

async fn read(store: &Store, names: &[SeriesName], minutes: (i64, i64), points: u32) -> Vec<Vec<f64>> {
    let request = SeriesRequest {
        scope: SeriesScope::Fleet { fleet_id: FLEET.into(), location: None },
        names: names.to_vec(),
        range: TimeRange::new(NOW.plus_ms(minutes.0 * MINUTE), NOW.plus_ms(minutes.1 * MINUTE)),
        max_points: points,
    };
    let table = store.reader().series(&request).await.unwrap();
    assert!(table.times.len() <= points as usize);
    assert!(table.columns.iter().all(|column| column.len() == table.times.len()));
    let banded = store.reader().series_with_bands(&request).await.unwrap();
    assert!(banded.table.times == table.times && banded.bands.len() == names.len());
    for ((column, same), band) in table.columns.iter().zip(&banded.table.columns).zip(&banded.bands) {
        assert!(
            column.iter().zip(same).all(|(one, two)| one.total_cmp(two).is_eq()),
            "a band changes no column"
        );
        assert!(band.is_none() || banded.table.bucket_ms > MINUTE, "figures come at a minute");
        let Some(band) = band else { continue };
        for ((value, low), high) in column.iter().zip(&band.low).zip(&band.high) {
            assert!(value.is_nan() == low.is_nan() && (value.is_nan() || (low <= value && value <= high)));
        }
    }
    table.columns
}

#[tokio::test]
async fn what_was_polled_counts_before_cloudwatch_and_neither_is_a_gap() {
    let place = Place::new();
    let store = place.open().await;
    apply(
        &store,
        NOW,
        vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            cloud_watch("ActiveInstances", [(-30, 3.0), (-29, 3.0), (0, 99.0)]),
        ],
    )
    .await;
    apply(&store, NOW, vec![Observation::FleetCapacity(capacity(6, 5))]).await;
    let columns =
        read(&store, &[SeriesName::ActiveInstances, SeriesName::DesiredInstances], (-30, 10), 40).await;
    let [active, desired] = columns.as_slice() else { panic!() };
    assert_eq!(&active[..2], [3.0, 3.0], "CloudWatch where nobody polled");
    assert!(active[10].is_nan(), "a gap where neither looked");
    assert_eq!(active[30], 5.0, "what was polled counts");
    assert!(desired[29].is_nan() && desired[30] == 6.0);
    assert_eq!(active[35], 5.0, "held for the heartbeat");
    assert!(active[38].is_nan(), "and not longer");
    store.close().await;
}

#[tokio::test]
async fn locations_add_up_and_the_percentage_is_made_of_the_sums() {
    let place = Place::new();
    let store = place.open().await;
    let second = FleetCapacity { location: "eu-west-1".into(), ..capacity(2, 2) };
    apply(
        &store,
        NOW,
        vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            Observation::FleetCapacity(capacity(6, 5)),
            Observation::FleetCapacity(second),
            here(),
            elsewhere(10),
        ],
    )
    .await;
    let names = [
        SeriesName::DesiredInstances,
        SeriesName::ActiveGameSessions,
        SeriesName::CurrentPlayerSessions,
        SeriesName::PercentAvailableGameSessions,
        SeriesName::AvailableGameSessions,
    ];
    let first: Vec<f64> = read(&store, &names, (0, 2), 10).await.iter().map(|column| column[0]).collect();
    assert_eq!(first, [8.0, 40.0, 240.0, 50.0, 40.0]);
    let before = read(&store, &names, (-60, -30), 10).await;
    assert!(
        before.iter().flatten().all(|value| value.is_nan()),
        "nothing is known of the time before: {before:?}"
    );
    let by_fleet = store
        .reader()
        .series_by_fleet(
            SeriesName::PercentAvailableGameSessions,
            TimeRange::new(NOW, NOW.plus_ms(MINUTE)),
            4,
        )
        .await
        .unwrap();
    assert_eq!(by_fleet[&FLEET.into()][0], 50.0);
    store.close().await;
}

#[tokio::test]
async fn when_looking_ends_no_sum_falls_to_the_part_that_changed_last() {
    let place = Place::new();
    let store = place.open().await;
    let fleets = Observation::Fleets(Listing::complete(vec![fleet()]));
    apply(&store, NOW, vec![fleets, here(), elsewhere(10)]).await;
    // Only one location changes, and after that nothing is polled for an hour; twice.
    apply(&store, NOW.plus_ms(4 * MINUTE), vec![here(), elsewhere(12)]).await;
    apply(&store, NOW.plus_ms(60 * MINUTE), vec![here(), elsewhere(10)]).await;
    apply(&store, NOW.plus_ms(64 * MINUTE), vec![here(), elsewhere(12)]).await;
    let names = [SeriesName::ActiveGameSessions, SeriesName::PercentAvailableGameSessions];
    let columns = read(&store, &names, (0, 120), 120).await;
    for begin in [0, 60] {
        assert_eq!(&columns[0][begin..begin + 6], [40.0, 40.0, 40.0, 40.0, 42.0, 42.0]);
        assert_eq!(columns[1][begin], 50.0);
        for column in &columns {
            let silence = &column[begin + 7..begin + 60];
            assert!(silence.iter().all(|value| value.is_nan()), "{silence:?}");
        }
    }
    store.close().await;
}

#[tokio::test]
async fn a_value_that_changed_long_ago_holds_while_others_are_still_looked_at() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()]))]).await;
    for minute in 0..12 {
        let at = NOW.plus_ms(minute * MINUTE);
        let changing = i32::try_from(10 + minute).unwrap();
        apply(&store, at, vec![here(), elsewhere(changing)]).await;
    }
    let columns = read(&store, &[SeriesName::ActiveGameSessions], (0, 12), 12).await;
    let wanted: Vec<f64> = (0..12).map(|minute| 40.0 + f64::from(minute)).collect();
    assert_eq!(columns[0], wanted);
    store.close().await;
}

#[tokio::test]
async fn the_percentage_of_all_fleets_weighs_each_by_its_processes() {
    let place = Place::new();
    let store = place.open().await;
    let other = Fleet { fleet_id: "fleet-other".into(), ..fleet() };
    let of = |fleet_id: &str, name: &str, value: f64| {
        let series = MetricSeries {
            region: region(),
            source: MetricSource::CloudWatch,
            name: name.into(),
            dimensions: vec![("FleetId".into(), fleet_id.into())],
            statistic: "Average".into(),
        };
        Observation::MetricSamples(series, vec![MetricSample { at: NOW, value }])
    };
    let mut seen = vec![Observation::Fleets(Listing::complete(vec![fleet(), other]))];
    for (fleet_id, processes, free) in [(FLEET, 10.0, 10.0), ("fleet-other", 90.0, 0.0)] {
        seen.push(of(fleet_id, "ActiveServerProcesses", processes));
        seen.push(of(fleet_id, "AvailableGameSessions", free));
        seen.push(of(fleet_id, "PercentAvailableGameSessions", free / processes * 100.0));
    }
    apply(&store, NOW, seen).await;
    let request = SeriesRequest {
        scope: SeriesScope::All,
        names: vec![SeriesName::PercentAvailableGameSessions],
        range: TimeRange::new(NOW, NOW.plus_ms(MINUTE)),
        max_points: 1,
    };
    let table = store.reader().series(&request).await.unwrap();
    assert_eq!(table.columns[0], [10.0]);
    let own = read(&store, &[SeriesName::PercentAvailableGameSessions], (0, 1), 1).await;
    assert_eq!(own[0], [100.0]);
    store.close().await;
}

#[tokio::test]
async fn placements_are_a_gap_once_nobody_receives_events_and_a_bucket_under_way_counts_for_what_has_passed()
{
    let place = Place::new();
    let store = place.open().await;
    let events = (0..40).map(|number| {
        let mut event = placement(number);
        event.event_time = NOW.plus_ms(i64::from(number) * 10_000);
        event
    });
    let received_ms = 6 * MINUTE + MINUTE / 2;
    let feed = Poll {
        subject: PollSubject { kind: PollKind::EventFeed, resource: "queue".to_owned() },
        at: NOW.plus_ms(received_ms),
        took_ms: 0,
        failure: None,
    };
    apply(&store, NOW, vec![Observation::PlacementEvents(events.collect()), Observation::Poll(feed)]).await;
    let request = SeriesRequest {
        scope: SeriesScope::All,
        names: vec![SeriesName::PlacementsFulfilled],
        range: TimeRange::new(NOW, NOW.plus_ms(12 * MINUTE)),
        max_points: 3,
    };
    let column = store.reader().series(&request).await.unwrap().columns.remove(0);
    assert_eq!(column.len(), 3, "buckets of five minutes: {column:?}");
    assert_eq!(column[0], 6.0);
    // Ten events in the minute and a half of the second bucket for which events were received.
    assert!((column[1] - 10.0 / 1.5).abs() < 1e-9, "{column:?}");
    assert!(column[2].is_nan(), "nobody received events: {column:?}");
    store.close().await;
}

#[tokio::test]
async fn packed_days_and_the_recent_tail_read_as_one() {
    let place = Place::new();
    let store = place.open().await;
    let days = 3 * 24 * 60;
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()]))]).await;
    let minutes = |from: i64, to: i64| (from..to).map(|minute| (minute, minute as f64));
    apply(&store, NOW, vec![cloud_watch("ActiveGameSessions", minutes(-days, 0))]).await;
    crate::fixture::retain(&store).await;
    apply(&store, NOW, vec![cloud_watch("ActiveGameSessions", minutes(0, 5))]).await;
    let packed = place.number("SELECT count(*) FROM metric_chunk").await;
    assert!(packed >= 2, "{packed} days are packed");
    let columns = read(&store, &[SeriesName::ActiveGameSessions], (-days, 5), 5_000).await;
    let wanted: Vec<f64> = minutes(-days, 5).map(|(_, value)| value).collect();
    assert_eq!(columns[0].iter().copied().filter(|value| !value.is_nan()).collect::<Vec<_>>(), wanted);
    let coarse = read(&store, &[SeriesName::ActiveGameSessions], (-days, 0), 72).await;
    assert!(
        (coarse[0][0] - (-days as f64 + 29.5)).abs() < 1e-6,
        "the mean of its first hour: {:?}",
        coarse[0][0]
    );
    store.close().await;
}

#[tokio::test]
async fn a_month_in_hours_still_tells_the_minute_in_which_nothing_was_free() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()]))]).await;
    // All processes are taken for one minute ten days ago; only CloudWatch saw it.
    let month = 30 * 24 * 60;
    let full = 20 * 24 * 60 + 17;
    let free = (0..month).map(|minute| (minute - month, if minute == full { 0.0 } else { 40.0 }));
    apply(&store, NOW, vec![cloud_watch("PercentAvailableGameSessions", free)]).await;
    let request = SeriesRequest {
        scope: SeriesScope::Fleet { fleet_id: FLEET.into(), location: None },
        names: vec![
            SeriesName::PercentAvailableGameSessions,
            SeriesName::PolicyTarget,
            SeriesName::PlacementsFailed,
        ],
        range: TimeRange::new(NOW.plus_ms(-month * MINUTE), NOW),
        max_points: 1_400,
    };
    let answer = store.reader().series_with_bands(&request).await.unwrap();
    assert_eq!(answer.table.bucket_ms, 60 * MINUTE);
    let [Some(band), None, None] = answer.bands.as_slice() else { panic!("{:?}", answer.bands) };
    let touched: Vec<usize> = (0..band.low.len()).filter(|index| band.low[*index] == 0.0).collect();
    assert_eq!(touched, [20 * 24], "the hour it happened in, and no other");
    assert!(answer.table.columns[0][touched[0]] > 39.0, "which its mean does not tell");
    let rows = answer.table.times.len();
    assert_eq!(answer.to_le_bytes().len(), (2 + 3 + rows * (1 + 3 + 2)) * 8);
    let hour = SeriesRequest { range: TimeRange::new(NOW.plus_ms(-60 * MINUTE), NOW), ..request };
    let narrow = store.reader().series_with_bands(&hour).await.unwrap();
    assert_eq!(narrow.bands, [None, None, None]);
    assert_eq!(narrow.to_le_bytes().len(), (2 + 3 + narrow.table.times.len() * 4) * 8);
    store.close().await;
}

#[tokio::test]
async fn what_happened_is_added_up_over_each_bucket_and_has_no_band() {
    let place = Place::new();
    let store = place.open().await;
    let Observation::MetricSamples(series, samples) = cloud_watch(
        "ServerProcessAbnormalTerminations",
        (0..20).map(|minute| (minute, f64::from(minute == 7) * 3.0)),
    ) else {
        panic!("samples are samples")
    };
    let counted = Observation::MetricSamples(MetricSeries { statistic: "Sum".into(), ..series }, samples);
    let healthy = cloud_watch("HealthyServerProcesses", (0..20).map(|minute| (minute, 40.0)));
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()])), counted, healthy]).await;
    let names = [SeriesName::ServerProcessAbnormalTerminations, SeriesName::HealthyServerProcesses];
    let minutes = read(&store, &names, (0, 20), 20).await;
    assert_eq!((minutes[0][6], minutes[0][7], minutes[0].iter().sum::<f64>()), (0.0, 3.0, 3.0));
    let tens = read(&store, &names, (0, 20), 2).await;
    assert_eq!(tens, [[3.0, 0.0], [40.0, 40.0]]);
    let range = TimeRange::new(NOW, NOW.plus_ms(20 * MINUTE));
    let scope = SeriesScope::Fleet { fleet_id: FLEET.into(), location: None };
    let request = SeriesRequest { scope, names: names.to_vec(), range, max_points: 2 };
    let bands = store.reader().series_with_bands(&request).await.unwrap().bands;
    assert_eq!((bands[0].is_some(), bands[1].is_some()), (false, true));
    store.close().await;
}

#[tokio::test]
async fn a_policy_target_is_a_step_where_it_was_edited() {
    let place = Place::new();
    let store = place.open().await;
    let listed = |target| Observation::ScalingPolicies(FLEET.into(), Listing::complete(vec![policy(target)]));
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()])), listed(20.0)]).await;
    apply(&store, NOW.plus_ms(5 * MINUTE), vec![listed(25.0)]).await;
    let columns = read(&store, &[SeriesName::PolicyTarget], (0, 10), 10).await;
    assert_eq!(columns[0], [20.0, 20.0, 20.0, 20.0, 20.0, 25.0, 25.0, 25.0, 25.0, 25.0]);
    store.close().await;
}

#[tokio::test]
async fn placements_are_counted_a_minute_from_the_first_event_on() {
    let place = Place::new();
    let store = place.open().await;
    let events = (0..30).map(|number| {
        let mut event = placement(number);
        event.event_time = NOW.plus_ms(i64::from(number) * 10_000);
        event
    });
    apply(&store, NOW, vec![Observation::PlacementEvents(events.collect())]).await;
    let request = SeriesRequest {
        scope: SeriesScope::Queue { name: "arena".into(), region: region() },
        names: vec![SeriesName::PlacementsFulfilled, SeriesName::PlacementsFailed],
        range: TimeRange::new(NOW.plus_ms(-2 * MINUTE), NOW.plus_ms(5 * MINUTE)),
        max_points: 7,
    };
    let table = store.reader().series(&request).await.unwrap();
    assert!(table.columns[0][0].is_nan(), "before the first event nothing is known");
    assert_eq!(&table.columns[0][2..], [6.0; 5]);
    assert_eq!(&table.columns[1][2..], [0.0; 5]);
    store.close().await;
}

#[tokio::test]
async fn placements_have_a_share_of_failures_and_times_in_each_bucket_whether_summed_or_not() {
    let place = Place::new();
    let store = place.open().await;
    const HOUR: i64 = 60 * MINUTE;
    // In the first hour all take 2 s; in the second all take 8 s, and a quarter fail.
    let events = (0..80_u32).map(|number| {
        let at = NOW.plus_ms(i64::from(number) * 90_000);
        let took_ms = if number < 40 { 2_000 } else { 8_000 };
        let event_type = match number {
            40.. if number % 4 == 0 => PlacementEventType::TimedOut,
            _ => PlacementEventType::Fulfilled,
        };
        let start_time = Some(at.plus_ms(-took_ms));
        PlacementEvent { event_type, event_time: at, start_time, end_time: Some(at), ..placement(number) }
    });
    apply(&store, NOW, vec![Observation::PlacementEvents(events.collect())]).await;
    for max_points in [2, 4] {
        let request = SeriesRequest {
            scope: SeriesScope::All,
            names: vec![
                SeriesName::PlacementFailedPercent,
                SeriesName::TimeToPlaceP50,
                SeriesName::TimeToPlaceP95,
                SeriesName::PlacementsCancelled,
                SeriesName::TicketsCompleted,
            ],
            range: TimeRange::new(NOW, NOW.plus_ms(2 * HOUR)),
            max_points,
        };
        let table = store.reader().series(&request).await.unwrap();
        let row = |index: usize| table.columns[..4].iter().map(|column| column[index]).collect::<Vec<_>>();
        let near = |value: f64, exact: f64| (value - exact).abs() <= exact * 0.05;
        let (first, last) = (row(0), row(table.times.len() - 1));
        assert!(first[0] == 0.0 && near(first[1], 2_000.0) && near(first[2], 2_000.0), "{first:?}");
        assert!(last[0] >= 20.0 && near(last[1], 8_000.0) && near(last[2], 8_000.0), "{last:?}");
        assert_eq!((first[3], last[3]), (0.0, 0.0));
        assert!(table.columns[4].iter().all(|value| value.is_nan()), "no ticket was ever heard of");
    }
    store.close().await;
}

#[tokio::test]
async fn what_cloudwatch_has_of_a_fleet_is_listed_and_read_as_it_is() {
    let place = Place::new();
    let store = place.open().await;
    let of = |name: &str, statistic: &str, dimensions: &[(&str, &str)]| MetricSeries {
        region: region(),
        source: MetricSource::CloudWatch,
        name: name.into(),
        dimensions: dimensions.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        statistic: statistic.into(),
    };
    let samples = |values: &[f64]| {
        let at = |minute: usize| NOW.plus_ms(minute as i64 * MINUTE - 10 * MINUTE);
        values
            .iter()
            .enumerate()
            .map(|(minute, value)| MetricSample { at: at(minute), value: *value })
            .collect()
    };
    let whole = [("FleetId", FLEET)];
    let seen = vec![
        Observation::MetricSamples(of("NetworkOut", "Sum", &whole), samples(&[100.0; 10])),
        Observation::MetricSamples(
            of("CPUUtilization", "Average", &whole),
            samples(&[10.0, 30.0, 20.0, 40.0]),
        ),
        Observation::MetricSamples(of("DiskReadOps", "Sum", &whole), Vec::new()),
        Observation::MetricSamples(
            of("CPUUtilization", "Average", &[("FleetId", FLEET), ("Location", "eu-north-1")]),
            samples(&[50.0]),
        ),
        Observation::MetricSamples(
            of("ActiveInstances", "Average", &[("MetricGroups", "arena")]),
            samples(&[3.0]),
        ),
        here(),
    ];
    apply(&store, NOW, seen).await;
    let reader = store.reader();
    let listed =
        reader.listed_metrics(&MetricsOf::Fleet { fleet_id: FLEET.into(), location: None }).await.unwrap();
    let names: Vec<&str> = listed.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(
        names,
        ["CPUUtilization", "DiskReadOps", "NetworkOut"],
        "also one without any value, and none polled"
    );
    let range = TimeRange::new(NOW.plus_ms(-10 * MINUTE), NOW);
    let request = MetricsRequest { keys: listed.iter().map(|it| it.key).collect(), range, max_points: 2 };
    let values = reader.listed_values(&request).await.unwrap();
    assert_eq!(values.table.columns[0][0], 25.0, "the average of what has a level");
    assert!(values.table.columns[1].iter().all(|value| value.is_nan()), "no data is no zero");
    assert_eq!(values.table.columns[2], [500.0, 500.0], "the sum of what happens");
    let band = values.bands[0].as_ref().expect("what a mean hides");
    assert_eq!((band.low[0], band.high[0]), (10.0, 40.0));

    let there = MetricsOf::Fleet { fleet_id: FLEET.into(), location: Some("eu-north-1".into()) };
    assert_eq!(reader.listed_metrics(&there).await.unwrap().len(), 1);
    let group = MetricsOf::Group { name: "arena".into(), region: region() };
    assert_eq!(reader.listed_metrics(&group).await.unwrap()[0].name, "ActiveInstances");
    let elsewhere = MetricsOf::Group { name: "arena".into(), region: "us-east-1".into() };
    assert_eq!(reader.listed_metrics(&elsewhere).await.unwrap(), []);
}
