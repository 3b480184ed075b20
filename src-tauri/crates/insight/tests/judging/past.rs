//! The past is judged and shown as it was: steps by the automatic scaling settings of their time, fleets and the
//! Overview with the figures and alerts of the moment.

use liftdeck_insight::answer::fleet::{fleet_detail, fleet_list};
use liftdeck_insight::usual::past::Memory;
use liftdeck_insight::{
    Cause, Evidence, FleetState, KpiKey, Overview, Unwatched, alert_list, fleet_scaling, overview,
};
use liftdeck_model::alert::{AlertId, AlertRecord, AlertState};
use liftdeck_model::fleet::{
    Fleet, FleetCapacity, FleetEvent, FleetLocation, FleetStatus, PolicyType, ScalingPolicy,
};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Severity, Timestamp};
use liftdeck_store::AlertChanges;

use crate::world::{NOW, World, ago, capacity, counted, fleet, utilization};

fn rule() -> ScalingPolicy {
    ScalingPolicy {
        fleet_id: "fleet-calm".into(),
        name: "grow".to_owned(),
        location: None,
        status: Some("ACTIVE".to_owned()),
        policy_type: PolicyType::RuleBased,
        metric_name: "IdleInstances".to_owned(),
        target_value: None,
        comparison_operator: Some("LessThanThreshold".to_owned()),
        threshold: Some(2.0),
        evaluation_periods: Some(1),
        scaling_adjustment_type: Some("ChangeInCapacity".to_owned()),
        scaling_adjustment: Some(2),
        update_status: None,
    }
}

fn here(scaling_suspended: bool) -> FleetLocation {
    FleetLocation {
        location: "eu-west-1".into(),
        status: FleetStatus::Active,
        scaling_suspended,
        update_pending: false,
        player_gateway_status: None,
    }
}

/// Polls every four minutes: the desired instances, whether the rule exists, whether scaling is suspended.
async fn lives(world: &World, polls: &[(i64, i32, bool, bool)]) {
    let fleet_id = FleetId::from("fleet-calm");
    for (minutes, desired, is_ruled, is_suspended) in polls {
        let rules = if *is_ruled { vec![rule()] } else { Vec::new() };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetLocations(fleet_id.clone(), Listing::complete(vec![here(*is_suspended)])),
            Observation::ScalingPolicies(fleet_id.clone(), Listing::complete(rules)),
            Observation::FleetCapacity(capacity("calm", *desired, 4)),
            Observation::FleetUtilization(utilization("calm", 32, 8)),
        ];
        world.saw(ago(*minutes), seen).await;
    }
}

#[tokio::test]
async fn a_step_is_judged_by_the_policies_and_the_suspension_of_its_time() {
    let world = World::new().await;
    lives(
        &world,
        &[
            (56, 4, true, false),
            (52, 4, true, false),
            (48, 6, true, false),
            (44, 6, false, false),
            (34, 6, false, true),
            (30, 8, false, true),
            (20, 8, false, false),
            (10, 9, false, false),
        ],
    )
    .await;
    let hour = TimeRange::new(ago(60), NOW.plus_ms(1));
    let scaling = fleet_scaling(&world.reader(), &"fleet-calm".into(), hour, NOW).await.unwrap().unwrap();
    let told: Vec<_> = scaling.steps.iter().rev().map(|step| (step.to_desired, &step.cause)).collect();
    let ruled = Cause::RulePolicy { policies: vec!["grow".to_owned()] };
    assert_eq!(told, [(6, &ruled), (8, &Cause::Manual), (9, &Cause::Manual)]);
    let evidence = |index: usize| &scaling.steps[index].evidence;
    assert!(evidence(1).contains(&Evidence::Suspended), "suspended then: {:?}", evidence(1));
    assert!(!evidence(0).contains(&Evidence::Suspended), "resumed since: {:?}", evidence(0));
    world.close().await;
}

#[tokio::test]
async fn a_list_of_a_range_that_is_over_has_the_figures_of_its_end() {
    let world = World::new().await;
    for (minutes, desired, sessions) in [(120, 4, 8), (90, 4, 30), (5, 9, 16), (0, 9, 16)] {
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetCapacity(capacity("calm", desired, desired)),
            Observation::FleetUtilization(utilization("calm", 32, sessions)),
        ];
        world.saw(ago(minutes), seen).await;
    }
    world.saw(NOW, counted("calm", NOW)).await;
    let list = async |from, to| {
        let range = TimeRange::new(ago(from), ago(to));
        let list = fleet_list(&world.reader(), range, NOW).await.unwrap();
        let row = &list.rows[0];
        (list.figures_at, [row.desired, row.active, row.max, row.game_sessions], row.state)
    };
    let (now, then) = ([Some(9), Some(9), Some(20), Some(16)], [Some(4), Some(4), Some(20), Some(30)]);
    assert_eq!(list(60, 0).await, (None, now, FleetState::Good));
    assert_eq!(list(120, 88).await, (Some(ago(88)), then, FleetState::Warning));
    // Nobody looked at the fleet then: its figures are not known, and not 0.
    assert_eq!(list(300, 240).await, (Some(ago(240)), [None; 4], FleetState::Unknown));
    assert_eq!(list(80, 70).await, (Some(ago(70)), [None; 4], FleetState::Unknown), "nor long after");
    world.close().await;
}

/// A fleet that was made `minutes` ago.
fn made(name: &str, minutes: i64) -> Fleet {
    Fleet { creation_time: Some(ago(minutes)), ..fleet(name) }
}

/// Everything that was read of a fleet at a moment.
fn read(name: &str, at: Timestamp) -> Vec<Observation> {
    let events = PollSubject { kind: PollKind::FleetEvents, resource: format!("fleet-{name}") };
    let poll = Observation::Poll(Poll { subject: events, at, took_ms: 30, failure: None });
    counted(name, at).into_iter().chain([poll]).collect()
}

fn crash(minutes: i64) -> Observation {
    let event = FleetEvent {
        event_id: format!("event-{minutes}"),
        fleet_id: "fleet-calm".into(),
        event_code: "SERVER_PROCESS_CRASHED".into(),
        message: None,
        event_time: ago(minutes),
        count: 1,
        has_log: false,
    };
    Observation::FleetEvents("fleet-calm".into(), vec![event])
}

async fn shown(world: &World, from: i64, to: i64) -> Overview {
    let range = TimeRange::new(ago(from), ago(to));
    overview(&world.reader(), &Memory::default(), range, NOW).await.unwrap()
}

fn kpi(overview: &Overview, key: KpiKey) -> (Option<f64>, u32) {
    let kpi = overview.kpis.iter().find(|kpi| kpi.key == key).unwrap();
    (kpi.value, kpi.unknown_fleets)
}

#[tokio::test]
async fn the_overview_of_a_range_that_is_over_is_of_its_end() {
    let world = World::new().await;
    for (minutes, desired, sessions) in [(120, 4, 8), (90, 4, 30), (5, 9, 16), (0, 9, 16)] {
        let at = ago(minutes);
        let mut seen = vec![
            Observation::Fleets(Listing::complete(vec![made("calm", 600), made("new", 60)])),
            Observation::FleetCapacity(capacity("calm", desired, desired)),
            Observation::FleetUtilization(utilization("calm", 32, sessions)),
            crash(95),
        ];
        seen.extend(read("calm", at));
        world.saw(at, seen).await;
    }
    let then = shown(&world, 120, 88).await;
    assert_eq!(then.figures_at, Some(ago(88)));
    assert_eq!(kpi(&then, KpiKey::Instances), (Some(4.0), 0));
    assert_eq!(kpi(&then, KpiKey::ActiveSessions), (Some(30.0), 0));
    assert_eq!(kpi(&then, KpiKey::PlayersOnline), (Some(150.0), 0));
    assert_eq!(kpi(&then, KpiKey::FreeProcesses), (Some(2.0), 0));
    assert_eq!(kpi(&then, KpiKey::Crashes), (Some(1.0), 0), "in the quarter of an hour before");
    assert_eq!(then.kpis[3].of, Some(20.0));
    assert_eq!((then.fleets, then.heat.len()), (1, 1), "the other was not yet there");
    assert_eq!((then.heat[0].state, then.heat[0].game_sessions), (FleetState::Warning, Some(30)));
    assert_eq!(then.heat[0].cells[0].utilization, Some(30.0 / 32.0));

    let now = shown(&world, 60, 0).await;
    assert_eq!((now.figures_at, now.fleets), (None, 2));
    assert_eq!(kpi(&now, KpiKey::Instances), (Some(9.0), 1), "the new one was never read");
    assert_eq!(kpi(&now, KpiKey::Crashes), (Some(0.0), 0));
    let new = now.heat.iter().find(|row| row.name == "new").unwrap();
    assert_eq!((new.game_sessions, new.player_sessions, new.cells.len()), (None, None, 0));
    world.close().await;
}

#[tokio::test]
async fn the_overview_of_a_time_in_which_nobody_looked_knows_nothing() {
    let world = World::new().await;
    let at = ago(120);
    let mut seen = vec![
        Observation::Fleets(Listing::complete(vec![made("calm", 600)])),
        Observation::FleetCapacity(capacity("calm", 4, 4)),
        Observation::FleetUtilization(utilization("calm", 32, 8)),
    ];
    seen.extend(read("calm", at));
    world.saw(at, seen).await;
    let then = shown(&world, 60, 30).await;
    for key in [KpiKey::Instances, KpiKey::ActiveSessions, KpiKey::PlayersOnline, KpiKey::FreeProcesses] {
        assert_eq!(kpi(&then, key), (None, 1), "{key:?}");
    }
    assert_eq!(kpi(&then, KpiKey::Crashes), (None, 1), "events were not read that far");
    assert_eq!(kpi(&then, KpiKey::PlacementsPerMinute).0, None);
    assert_eq!(then.heat[0].state, FleetState::Unknown);
    let cell = &then.heat[0].cells[0];
    assert_eq!((cell.utilization, cell.game_sessions, cell.processes), (None, None, None));
    assert_eq!((cell.active_instances, cell.desired_instances, cell.max_instances), (None, None, None));
    let range = TimeRange::new(ago(60), ago(30));
    assert_eq!(then.unwatched, [Unwatched { region: "eu-west-1".into(), range }]);

    // Alerts and events of more than a year ago are deleted, whatever else is known of then.
    let year = 366 * 24 * 60;
    let old = shown(&world, year + 60, year).await;
    assert_eq!((old.fleets, old.unwatched.len()), (0, 1));
    assert_eq!(kpi(&old, KpiKey::Instances), (None, 0), "fleets of then may be forgotten");

    let partly = shown(&world, 130, 100).await;
    let times: Vec<_> = partly.unwatched.iter().map(|it| (it.range.from, it.range.to)).collect();
    assert_eq!(times.first(), Some(&(ago(130), ago(120))), "before the first look");
    assert_eq!(times.len(), 2, "and after the last: {times:?}");
    assert!(times[1].0 > ago(120) && times[1].1 == ago(100), "{times:?}");
    world.close().await;
}

#[tokio::test]
async fn alerts_of_a_range_that_is_over_are_those_that_were_open_in_it() {
    let world = World::new().await;
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![made("calm", 600)])),
        Observation::FleetCapacity(capacity("calm", 4, 4)),
        Observation::FleetUtilization(utilization("calm", 32, 8)),
    ];
    world.saw(ago(90), seen).await;
    let record = |id: &str, since: i64, ended: Option<i64>| AlertRecord {
        id: AlertId::new(id),
        rule: "crashes".to_owned(),
        subject: id.to_owned(),
        region: Some("eu-west-1".into()),
        fleet_id: Some("fleet-calm".into()),
        severity: Severity::Bad,
        state: if ended.is_some() { AlertState::Resolved } else { AlertState::Firing },
        since: ago(since),
        seen_at: ago(ended.unwrap_or(0)),
        fired_at: Some(ago(since - 1)),
        clear_since: ended.map(ago),
        unknown_since: None,
        ended_at: ended.map(ago),
        acknowledged: None,
        document: String::new(),
    };
    let records = [record("early", 300, Some(200)), record("then", 110, Some(70)), record("now", 20, None)];
    let put = records.into_iter().map(|record| (record, Vec::new())).collect();
    world.writer().change_alerts(AlertChanges { put, ..AlertChanges::default() }).await.unwrap();
    let ids = async |from, to| {
        let shown = shown(&world, from, to).await;
        let ids: Vec<String> = shown.alerts.iter().map(|alert| alert.id.to_string()).collect();
        (ids, shown.heat[0].state)
    };
    assert_eq!(ids(120, 88).await, (vec!["then".to_owned()], FleetState::Bad), "it was open at its end");
    assert_eq!(ids(100, 60).await.0, ["then"]);
    assert_eq!(ids(60, 30).await.0, [""; 0]);
    assert_eq!(ids(60, 0).await.0, ["now"]);
    // The list of alerts tells of now beside the range, however old that is.
    let range = TimeRange::new(ago(120), ago(88));
    let list = alert_list(&world.reader(), range, NOW).await.unwrap();
    let listed: Vec<&str> = list.alerts.iter().map(|alert| alert.id.as_str()).collect();
    assert_eq!(listed, ["now", "then"]);
    world.close().await;
}

#[tokio::test]
async fn a_figure_that_is_unknown_of_one_location_is_unknown_of_the_fleet() {
    let world = World::new().await;
    let elsewhere = FleetLocation { location: "eu-north-1".into(), ..here(false) };
    let fleet_id = FleetId::from("fleet-calm");
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![made("calm", 600)])),
        Observation::FleetLocations(
            fleet_id.clone(),
            Listing::complete(vec![here(false), elsewhere.clone()]),
        ),
        Observation::FleetCapacity(capacity("calm", 4, 4)),
        Observation::FleetUtilization(utilization("calm", 32, 8)),
    ];
    world.saw(ago(90), seen).await;
    // A location that was added since is not missed.
    let later = FleetLocation { location: "us-east-1".into(), ..here(false) };
    let all = vec![here(false), elsewhere, later];
    world.saw(ago(50), vec![Observation::FleetLocations(fleet_id, Listing::complete(all))]).await;
    for (from, to) in [(120, 88), (60, 0)] {
        let list = fleet_list(&world.reader(), TimeRange::new(ago(from), ago(to)), NOW).await.unwrap();
        let row = &list.rows[0];
        assert_eq!(
            (row.desired, row.active, row.game_sessions, row.player_sessions),
            (None, None, None, None)
        );
    }
    let cells = async |from, to| shown(&world, from, to).await.heat.remove(0).cells;
    let then = cells(120, 88).await;
    let told: Vec<_> = then.iter().map(|cell| (cell.location.as_str(), cell.active_instances)).collect();
    assert_eq!(told, [("eu-west-1", Some(4)), ("eu-north-1", None)]);
    assert_eq!(cells(60, 0).await.len(), 3);
    world.close().await;
}

#[tokio::test]
async fn a_figure_of_a_location_that_was_never_read_is_unknown_and_not_0() {
    let world = World::new().await;
    let fleet_id = FleetId::from("fleet-calm");
    let elsewhere = FleetLocation { location: "eu-north-1".into(), ..here(true) };
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::FleetCapacity(capacity("calm", 4, 4)),
        Observation::FleetUtilization(utilization("calm", 32, 8)),
        Observation::FleetLocations(fleet_id.clone(), Listing::partial(vec![elsewhere])),
    ];
    world.saw(ago(1), seen).await;
    let detail = fleet_detail(&world.reader(), &fleet_id, NOW).await.unwrap().unwrap();
    let [home, elsewhere] = &detail.locations[..] else { panic!("two locations") };
    assert_eq!((home.desired, home.min, home.max, home.idle), (Some(4), Some(0), Some(20), Some(0)));
    assert_eq!((home.processes, home.game_sessions, home.player_sessions), (Some(32), Some(8), Some(40)));
    assert_eq!((home.status.as_str(), home.scaling_suspended), ("", None));
    assert_eq!((elsewhere.desired, elsewhere.min, elsewhere.max, elsewhere.idle), (None, None, None, None));
    assert_eq!((elsewhere.processes, elsewhere.game_sessions, elsewhere.player_sessions), (None, None, None));
    assert_eq!((elsewhere.status.as_str(), elsewhere.scaling_suspended), ("ACTIVE", Some(true)));
    world.close().await;
}

#[tokio::test]
async fn steps_are_the_same_at_every_zoom() {
    let world = World::new().await;
    let seconds_ago = |seconds: i64| NOW.plus_ms(-seconds * 1_000);
    // A poll every 20 s for an hour and a half: three steps within a minute and a half, each active 3 min later.
    for poll in (0..270).rev() {
        let at = poll * 20;
        let stepped = |since: i64| i32::from(at <= since);
        let desired = 4 + stepped(2_400) + stepped(2_360) + stepped(2_320);
        let active = 4 + stepped(2_220) + stepped(2_180) + stepped(2_140);
        // At its maximum with nothing free for ten minutes.
        let sessions = if (600..=1_200).contains(&at) { 56 } else { 40 };
        let maximum = if at <= 2_320 { 7 } else { 20 };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetCapacity(FleetCapacity { maximum, ..capacity("calm", desired, active) }),
            Observation::FleetUtilization(utilization("calm", 56, sessions)),
        ];
        world.saw(seconds_ago(at), seen).await;
    }
    let reader = world.reader();
    let mut told = Vec::new();
    let soon = NOW.plus_ms(1);
    let always = (Timestamp::from_ms(0), Timestamp::from_ms(4_000_000_000_000));
    let since = |from| (from, soon);
    let zooms = [seconds_ago(3_000), ago(3 * 60), ago(24 * 60), ago(30 * 24 * 60)].map(since);
    for (from, to) in zooms.into_iter().chain([always]) {
        let range = TimeRange::new(from, to);
        let scaling = fleet_scaling(&reader, &"fleet-calm".into(), range, NOW).await.unwrap().unwrap();
        told.push((scaling.steps, scaling.capped_ranges));
    }
    let (steps, capped) = &told[1];
    let moves: Vec<_> = steps.iter().rev().map(|step| (step.from_desired, step.to_desired)).collect();
    assert_eq!(moves, [(4, 5), (5, 6), (6, 7)]);
    assert_eq!(steps[0].to_active_ms, Some(180_000));
    assert_eq!(capped.len(), 1);
    for other in &told {
        assert_eq!(other, &told[1]);
    }
    // A range that ends before the instances were active does not make them late.
    let early = TimeRange::new(ago(3 * 60), seconds_ago(2_300));
    let scaling = fleet_scaling(&reader, &"fleet-calm".into(), early, NOW).await.unwrap().unwrap();
    assert_eq!(&scaling.steps, steps);
    world.close().await;
}
