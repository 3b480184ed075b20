//! A rule of one's own judged live, minute by minute, and tried on the same past afterwards: the alerts are the same.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use liftdeck_alerts::{judge_now, try_rule};
use liftdeck_insight::custom::CustomTried;
use liftdeck_model::alert::AlertStepKind;
use liftdeck_model::custom_rule::{
    Compare, CustomRule, KeptRule, MetricSubject, QueryPer, RelativeTo, Watched,
};
use liftdeck_model::fleet::{ComputeKind, Fleet, FleetCapacity, FleetStatus};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Batch, Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::series_name::SeriesName;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{GameSessionId, Severity, Timestamp};
use liftdeck_store::{Access, Reader, Store, StoreOptions, Writer};

/// 2026-03-04T10:00:00Z.
const START: Timestamp = Timestamp::from_ms(1_772_618_400_000);
const MINUTE: i64 = 60_000;

fn at(minute: i64) -> Timestamp {
    START.plus_ms(minute * MINUTE)
}

struct World {
    store: Store,
    /// Deleted with its content when the test ends.
    _folder: tempfile::TempDir,
}

/// What the figure was from minute 0 on: desired and active instances, and how many game sessions are live. `None`
/// while nobody looks.
type Minute = Option<(i32, i32, u32)>;

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world.sqlite");
        let options = StoreOptions { path, access: Access::ReadWrite, account: None, now: START };
        Self { store: Store::open(options).await.unwrap(), _folder: folder }
    }

    fn reader(&self) -> Reader {
        self.store.reader()
    }

    fn writer(&self) -> Writer {
        self.store.writer().unwrap()
    }

    /// A poll of everything at the beginning of a minute.
    async fn saw(&self, minute: i64, (desired, active, sessions): (i32, i32, u32)) {
        let now = at(minute);
        let poll = |kind, resource: &str| {
            let subject = PollSubject { kind, resource: resource.to_owned() };
            Observation::Poll(Poll { subject, at: now, took_ms: 10, failure: None })
        };
        let seen: Vec<GameSession> = (0..40).map(|number| session(number, number < sessions, now)).collect();
        let observations = vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            Observation::FleetCapacity(capacity(desired, active)),
            Observation::GameSessions(seen),
            poll(PollKind::Fleets, ""),
            poll(PollKind::FleetCapacity, "fleet-arena"),
            poll(PollKind::GameSessions, "fleet-arena"),
        ];
        let batch = Batch { region: "eu-west-1".into(), observed_at: now, observations };
        self.writer().apply(batch).await.unwrap();
    }

    /// Lets these minutes pass, judging at the end of each as the watch does, and returns what fired: since when, when
    /// it fired, and when it was over, in minutes.
    async fn live(&self, rule: &CustomRule, minutes: &[Minute]) -> Vec<(i64, i64, Option<i64>)> {
        let kept = KeptRule { rule: rule.clone(), at: START, by: "mia".to_owned() };
        self.writer().put_custom_rule(kept, None).await.unwrap();
        for (minute, seen) in (0_i64..).zip(minutes) {
            if let Some(seen) = seen {
                self.saw(minute, *seen).await;
            }
            judge_now(&self.reader(), &self.writer(), at(minute + 1)).await.unwrap();
        }
        let range = TimeRange::new(START, at(i64::try_from(minutes.len()).unwrap() + 1));
        let mut alerts = self.reader().alerts(range, 100).await.unwrap();
        alerts.retain(|alert| alert.rule == rule.key());
        alerts.sort_by_key(|alert| alert.fired_at);
        let told = alerts
            .iter()
            .map(|it| (minute_of(it.since), minute_of(it.fired_at.unwrap()), it.ended_at.map(minute_of)));
        told.collect()
    }

    async fn tried(&self, rule: &CustomRule, minutes: usize) -> CustomTried {
        let end = at(i64::try_from(minutes).unwrap());
        try_rule(&self.reader(), rule, TimeRange::new(START, end), end).await.unwrap()
    }
}

fn minute_of(at: Timestamp) -> i64 {
    at.since_ms(START) / MINUTE
}

fn spans(tried: &CustomTried) -> Vec<(i64, i64, Option<i64>)> {
    let mut spans: Vec<_> = tried
        .spans
        .iter()
        .map(|span| (minute_of(span.since), minute_of(span.from), span.until.map(minute_of)))
        .collect();
    spans.sort_by_key(|(_, from, _)| *from);
    spans
}

fn fleet() -> Fleet {
    Fleet {
        fleet_id: "fleet-arena".into(),
        fleet_arn: None,
        region: "eu-west-1".into(),
        kind: ComputeKind::Ec2Spot,
        name: Some("arena".to_owned()),
        description: None,
        status: FleetStatus::Active,
        instance_type: Some("c6i.large".to_owned()),
        creation_time: Some(START.plus_ms(-86_400_000)),
        termination_time: None,
        build_id: None,
        script_id: None,
        operating_system: None,
        new_game_session_protection_policy: None,
        creator_limit: None,
        metric_groups: Vec::new(),
        stopped_actions: Vec::new(),
        instance_role_arn: None,
        certificate_type: None,
        anywhere_cost: None,
        player_gateway_mode: None,
        container: None,
    }
}

fn capacity(desired: i32, active: i32) -> FleetCapacity {
    FleetCapacity {
        fleet_id: "fleet-arena".into(),
        location: "eu-west-1".into(),
        desired,
        minimum: 0,
        maximum: 20,
        pending: 0,
        active,
        idle: 0,
        terminating: 0,
        zero_capacity_strategy: None,
        container_groups: None,
    }
}

fn session(number: u32, is_live: bool, now: Timestamp) -> GameSession {
    let id = format!("arn:aws:gamelift:eu-west-1::gamesession/fleet-arena/eu-west-1/s-{number}");
    GameSession {
        game_session_id: GameSessionId::new(id),
        name: None,
        fleet_id: "fleet-arena".into(),
        location: Some("eu-west-1".into()),
        status: if is_live { GameSessionStatus::Active } else { GameSessionStatus::Activating },
        status_reason: None,
        creation_time: START.plus_ms(-MINUTE),
        termination_time: None,
        current_player_session_count: i32::from(now == START),
        maximum_player_session_count: 8,
        player_session_creation_policy: None,
        creator_id: None,
        game_properties: Vec::new(),
        ip_address: None,
        dns_name: None,
        port: None,
        game_session_data: None,
        matchmaker_data: None,
        compute_name: None,
        player_gateway_status: None,
        protection_policy: None,
    }
}

fn rule(watched: Watched, raise: f64, clear: f64, pending: i64) -> CustomRule {
    let compare = if clear < raise { Compare::Above } else { Compare::Below };
    CustomRule {
        name: "Mine".to_owned(),
        watched,
        compare,
        raise,
        clear,
        pending_ms: pending * MINUTE,
        severity: Severity::Warning,
        is_off: false,
    }
}

fn active(relative: Option<RelativeTo>) -> Watched {
    let of = MetricSubject::EachFleet;
    Watched::Metric { figure: SeriesName::ActiveInstances, of, relative, over_minutes: 1 }
}

/// Active instances a minute, of 10 desired; a negative number while nobody looks.
fn instances(active: &[i32]) -> Vec<Minute> {
    active.iter().map(|active| (*active >= 0).then_some((10, *active, 0))).collect()
}

/// So long that what comes afterwards is another alert.
const FOR_LONG: [i32; 30] = [8; 30];

#[tokio::test]
async fn what_comes_back_soon_is_one_alert_live_and_in_a_trial() {
    let world = World::new().await;
    let rule = rule(active(None), 4.0, 6.0, 0);
    // Over after three minutes, and back three minutes later, again and again.
    let minutes = instances(&[&[8; 4][..], &[3, 3, 8, 8, 8, 8, 8, 8].repeat(5), &FOR_LONG].concat());
    let live = world.live(&rule, &minutes).await;
    assert_eq!(live, [(4, 5, Some(39))]);
    let tried = world.tried(&rule, minutes.len()).await;
    assert_eq!(spans(&tried), live);
    let alerts = world.reader().ended_alerts(START).await.unwrap();
    let steps = world.reader().alert_steps(&alerts[0].id).await.unwrap();
    let over = steps.iter().filter(|step| step.kind == AlertStepKind::Resolved).count();
    assert_eq!(over, 2, "the first return is the last that is told: {steps:?}");
    world.store.close().await;
}

#[tokio::test]
async fn a_trial_finds_the_alerts_that_were_judged_live() {
    let world = World::new().await;
    let rule = rule(active(None), 4.0, 6.0, 2);
    let calm = [8; 6];
    let minutes = instances(
        &[
            &calm[..],
            // Too short to fire.
            &[3, 8, 8, 8, 8, 8],
            // Fires, stays between its thresholds, sinks again, and is over for longer than a blip.
            &[3, 3, 3, 5, 5, 3, 6, 6, 6, 6, 6],
            &FOR_LONG,
            // A blip neither ends it nor dates it anew.
            &[2, 2, 2, 7, 2, 2, 7, 7, 7, 7, 7],
            &FOR_LONG,
            // It still goes on.
            &[1, 1, 1, 1],
        ]
        .concat(),
    );
    let live = world.live(&rule, &minutes).await;
    assert_eq!(live, [(12, 14, Some(19)), (53, 55, Some(60)), (94, 96, None)]);
    let tried = world.tried(&rule, minutes.len()).await;
    assert_eq!(spans(&tried), live);
    assert_eq!((tried.fired, tried.subjects, tried.silent), (3, 1, 0));
    assert!(tried.known_share > 0.99 && tried.is_whole, "{tried:?}");
    assert!(tried.text.starts_with("It would have fired 3 times in the last 1 h 38 min"), "{}", tried.text);
    assert_eq!(tried.spans[0].title, "Mine: ActiveInstances of arena is 1");
    world.store.close().await;
}

#[tokio::test]
async fn while_nobody_looks_it_neither_ends_nor_begins_and_the_trial_says_how_much_is_known() {
    let world = World::new().await;
    let rule = rule(active(None), 4.0, 6.0, 0);
    let gap = [-1; 20];
    let minutes = instances(&[&[8, 8, 3, 3][..], &gap, &[3, 3, 8, 8, 8, 8, 8], &gap].concat());
    let live = world.live(&rule, &minutes).await;
    assert_eq!(live, [(2, 3, Some(27))]);
    let tried = world.tried(&rule, minutes.len()).await;
    assert_eq!(spans(&tried), live);
    assert!((0.3..0.6).contains(&tried.known_share), "{}", tried.known_share);
    world.store.close().await;
}

#[tokio::test]
async fn a_share_follows_the_size_of_the_fleet() {
    let world = World::new().await;
    let rule = rule(active(Some(RelativeTo::Desired)), 50.0, 80.0, 0);
    let few: Minute = Some((4, 4, 0));
    let lacking: Minute = Some((20, 4, 0));
    let nothing: Minute = Some((0, 0, 0));
    let minutes = [&[few; 4][..], &[lacking; 4], &[few; 36], &[nothing; 4], &[lacking; 4]].concat();
    let live = world.live(&rule, &minutes).await;
    assert_eq!(live, [(4, 5, Some(9)), (48, 49, None)]);
    let tried = world.tried(&rule, minutes.len()).await;
    assert_eq!(spans(&tried), live);
    assert!(tried.spans[1].title.contains("is 20 % of its desired instances"), "{:?}", tried.spans);
    world.store.close().await;
}

#[tokio::test]
async fn what_a_query_counted_is_counted_again_as_it_was() {
    let world = World::new().await;
    let query = "status:active players:0".to_owned();
    let watched = Watched::Query { query, per: QueryPer::Fleet, share_of: Some(String::new()) };
    let rule = rule(watched, 50.0, 30.0, 0);
    let live_ones =
        |counts: &[u32]| counts.iter().map(|count| Some((10, 10, *count))).collect::<Vec<Minute>>();
    let minutes = live_ones(&[&[0, 4, 4, 24, 24, 16, 16, 24][..], &[8; 35], &[30]].concat());
    let live = world.live(&rule, &minutes).await;
    assert_eq!(live, [(3, 4, Some(9)), (43, 44, None)]);
    let tried = world.tried(&rule, minutes.len()).await;
    assert_eq!(spans(&tried), live);
    assert_eq!(tried.spans[1].title, "Mine: 60 % of game sessions on arena");
    world.store.close().await;
}

#[tokio::test]
async fn what_was_wrong_before_the_rule_was_made_is_dated_by_the_store() {
    let world = World::new().await;
    let seen = instances(&[&[8, 8, 3, 3, 5, 3][..], &[3; 20]].concat());
    for (minute, seen) in (0_i64..).zip(&seen) {
        world.saw(minute, seen.unwrap()).await;
    }
    let rule = rule(active(None), 4.0, 6.0, 5);
    let kept = KeptRule { rule: rule.clone(), at: START, by: String::new() };
    world.writer().put_custom_rule(kept, None).await.unwrap();
    judge_now(&world.reader(), &world.writer(), at(26)).await.unwrap();
    let open = world.reader().open_alerts().await.unwrap();
    let alert = open.iter().find(|alert| alert.rule == rule.key()).unwrap();
    assert_eq!((minute_of(alert.since), alert.fired_at), (2, Some(at(26))));

    // A rule that is deleted ends its alert at once.
    world.writer().remove_custom_rule("Mine").await.unwrap();
    judge_now(&world.reader(), &world.writer(), at(26)).await.unwrap();
    let ended = world.reader().alert(&alert.id).await.unwrap().unwrap();
    assert_eq!(ended.ended_at, Some(at(26)));
    world.store.close().await;
}
