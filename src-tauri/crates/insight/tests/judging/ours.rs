//! Changes made by this installation: reported once, and attributed.

use liftdeck_insight::{
    ByUs, Cause, Change, ChangeKind, Evidence, FleetState, Limit, What, Who, changes, export_scaling_steps,
    fleet_scaling, histories, queue_detail, resource_history,
};
use liftdeck_model::action::{
    Action, PutScalingPolicy, Request, ScalingRule, SetFleetActions, UpdateAlias, UpdateFleetCapacity,
};
use liftdeck_model::activity::{Activity, ActivityOutcome, FactChange, Proof};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::fleet::{Fleet, FleetCapacity, FleetEvent, ScalingPolicy};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::TrailRecord;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::export::{Format, Sink};
use liftdeck_store::reader::change::ChangeRow;
use liftdeck_store::{ActivityEnd, RunKind, RunRecord, RunState};

use crate::world::{NOW, World, ago, capacity, counted, fleet, policy, utilization};

const MINUTE: i64 = 60_000;

fn hour() -> TimeRange {
    TimeRange::new(NOW.plus_ms(-60 * MINUTE), NOW.plus_ms(1))
}

/// Sends a change that AWS accepts a moment later.
async fn did(world: &World, id: &str, at: Timestamp, request: Request, fact: (&str, &str, &str)) {
    ended(world, id, at, request, fact, Proof::Answered).await;
}

/// Sends a change whose outcome is known by this proof.
async fn ended(
    world: &World,
    id: &str,
    at: Timestamp,
    request: Request,
    fact: (&str, &str, &str),
    proof: Proof,
) {
    let about = request.resource();
    let activity = Activity {
        fleet_id: about.fleet_id,
        name: Some(if about.id.starts_with("alias") { "live" } else { "calm" }.to_owned()),
        facts: vec![FactChange {
            label: fact.0.to_owned(),
            before: Some(fact.1.to_owned()),
            after: Some(fact.2.to_owned()),
        }],
        ..Activity::sending(id.into(), at, Action { region: "eu-west-1".into(), request })
    };
    let request_id = Some(format!("request-{id}"));
    let end = ActivityEnd { proof, request_id, ..ActivityEnd::new(ActivityOutcome::Done, at.plus_ms(200)) };
    world.writer().begin_activity(activity).await.unwrap();
    world.writer().end_activity(&id.into(), end).await.unwrap();
}

fn desired(count: i32) -> Request {
    Request::UpdateFleetCapacity(UpdateFleetCapacity {
        fleet_id: "fleet-calm".into(),
        location: None,
        desired_instances: Some(count),
        min_size: None,
        max_size: None,
    })
}

fn by(id: &str) -> Option<ByUs> {
    Some(ByUs::Activity(id.into()))
}

async fn sees(world: &World, minutes_ago: i64, count: i32) {
    let seen = vec![
        Observation::FleetCapacity(capacity("calm", count, 4)),
        Observation::FleetUtilization(utilization("calm", 32, 8)),
    ];
    world.saw(ago(minutes_ago), seen).await;
}

async fn calm() -> World {
    let world = World::new().await;
    world.saw(ago(50), vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))]).await;
    for minutes in (36..=48).rev().step_by(4) {
        sees(&world, minutes, 4).await;
    }
    world
}

#[tokio::test]
async fn what_was_only_seen_after_no_answer_came_is_not_said_to_be_ours() {
    for (proof, by_us) in [(Proof::Answered, by("a-1")), (Proof::Own, by("a-1")), (Proof::Seen, None)] {
        let world = calm().await;
        ended(&world, "a-1", ago(34), desired(8), ("Desired instances", "4", "8"), proof).await;
        sees(&world, 33, 8).await;
        let told = changes(&world.reader(), None, hour(), 60).await.unwrap();
        let told: Vec<_> = told.iter().map(|line| (line.sentence(), line.by_us.clone())).collect();
        assert_eq!(told, [("calm scaled 4 → 8 in eu-west-1".to_owned(), by_us)], "{proof:?}");
    }
}

#[tokio::test]
async fn a_capacity_of_ours_is_one_line_before_and_after_the_poll_that_sees_it() {
    let world = calm().await;
    did(&world, "a-1", ago(34), desired(8), ("Desired instances", "4", "8")).await;
    let reader = world.reader();
    let before = changes(&reader, None, hour(), 60).await.unwrap();
    assert_eq!(before.len(), 1);
    assert_eq!((before[0].kind, &before[0].by_us), (ChangeKind::Capacity, &by("a-1")));
    assert_eq!(before[0].sentence(), "calm capacity set 4 → 8 in eu-west-1");
    sees(&world, 33, 8).await;
    let event = FleetEvent {
        event_id: "e-1".into(),
        fleet_id: "fleet-calm".into(),
        event_code: "FLEET_SCALING_EVENT".into(),
        message: Some("Desired instance count of location eu-west-1 changed from 4 to 8.".into()),
        event_time: ago(34),
        count: 1,
        has_log: false,
    };
    world.saw(ago(32), vec![Observation::FleetEvents("fleet-calm".into(), vec![event])]).await;
    // Twenty minutes later the policy scales further: that change is not ours.
    sees(&world, 12, 9).await;
    let after = changes(&reader, None, hour(), 60).await.unwrap();
    let told: Vec<_> = after.iter().map(|line| (line.sentence(), line.by_us.clone())).collect();
    assert_eq!(
        told,
        [
            ("calm scaled 8 → 9 in eu-west-1".to_owned(), None),
            ("calm scaled 4 → 8 in eu-west-1".to_owned(), by("a-1")),
        ]
    );
    let scaling = fleet_scaling(&reader, &"fleet-calm".into(), hour(), NOW).await.unwrap().unwrap();
    let steps: Vec<_> =
        scaling.steps.iter().map(|step| (step.to_desired, &step.cause, step.by_us.is_some())).collect();
    assert_eq!(steps[1], (8, &Cause::Manual, true));
    assert!(!steps[0].2, "{steps:?}");
    let marks: Vec<_> = scaling.marks.iter().map(|mark| mark.by_us.clone()).collect();
    assert_eq!(marks, [by("a-1"), None], "one mark a step");
    world.close().await;
}

#[tokio::test]
async fn another_value_a_minute_later_is_not_ours() {
    let world = calm().await;
    did(&world, "a-1", ago(34), desired(8), ("Desired instances", "4", "8")).await;
    sees(&world, 33, 7).await;
    let lines = changes(&world.reader(), None, hour(), 60).await.unwrap();
    let told: Vec<_> = lines.iter().map(|line| (line.words.after.as_deref(), line.by_us.is_some())).collect();
    assert_eq!(told, [(Some("7"), false), (Some("8"), true)]);
    world.close().await;
}

#[tokio::test]
async fn only_a_step_seen_after_a_capacity_was_sent_can_be_its_effect() {
    let world = calm().await;
    sees(&world, 35, 5).await;
    did(&world, "a-1", ago(34), desired(6), ("Desired instances", "5", "6")).await;
    sees(&world, 33, 7).await;
    let scaling = fleet_scaling(&world.reader(), &"fleet-calm".into(), hour(), NOW).await.unwrap().unwrap();
    let told: Vec<_> = scaling
        .steps
        .iter()
        .map(|step| (step.to_desired, step.evidence.contains(&Evidence::SentFromHere)))
        .collect();
    assert_eq!(told, [(7, true), (5, false)]);
    world.close().await;
}

/// Automatic scaling with a target, at its maximum of 20 with 15 % of the processes free.
async fn at_its_maximum() -> World {
    let world = calm().await;
    let policy = ScalingPolicy { fleet_id: "fleet-calm".into(), name: "buffer".to_owned(), ..policy() };
    let seen = Observation::ScalingPolicies("fleet-calm".into(), Listing::complete(vec![policy]));
    world.saw(ago(47), vec![seen]).await;
    grows(&world, 35, 20, 20).await;
    world
}

async fn grows(world: &World, minutes_ago: i64, count: i32, maximum: i32) {
    let seen = vec![
        Observation::FleetCapacity(FleetCapacity { maximum, ..capacity("calm", count, count) }),
        Observation::FleetUtilization(utilization("calm", 100, 85)),
    ];
    world.saw(ago(minutes_ago), seen).await;
}

async fn causes(world: &World) -> Vec<(i64, Cause)> {
    let scaling = fleet_scaling(&world.reader(), &"fleet-calm".into(), hour(), NOW).await.unwrap().unwrap();
    scaling.steps.into_iter().map(|step| (step.to_desired, step.cause)).collect()
}

#[tokio::test]
async fn a_policy_s_step_after_the_maximum_was_raised_is_not_called_a_hand_s() {
    let raise = Request::UpdateFleetCapacity(UpdateFleetCapacity {
        fleet_id: "fleet-calm".into(),
        location: None,
        desired_instances: None,
        min_size: None,
        max_size: Some(40),
    });
    let policy = Cause::TargetPolicy { target_percent: 20.0 };
    for polls in [&[(29, 20), (28, 22)][..], &[(28, 22)]] {
        let world = at_its_maximum().await;
        did(&world, "a-1", NOW.plus_ms(-29 * MINUTE - 30_000), raise.clone(), ("Maximum", "20", "40")).await;
        for (minutes, count) in polls {
            grows(&world, *minutes, *count, 40).await;
        }
        assert_eq!(causes(&world).await[0], (22, policy.clone()), "{polls:?}");
        world.close().await;
    }
}

#[tokio::test]
async fn a_maximum_of_ours_that_no_poll_has_seen_does_not_make_a_step_ours() {
    let world = at_its_maximum().await;
    let raise = Request::UpdateFleetCapacity(UpdateFleetCapacity {
        fleet_id: "fleet-calm".into(),
        location: None,
        desired_instances: None,
        min_size: None,
        max_size: Some(40),
    });
    did(&world, "a-1", NOW.plus_ms(-29 * MINUTE - 30_000), raise, ("Maximum", "20", "40")).await;
    grows(&world, 28, 22, 30).await;
    assert_eq!(causes(&world).await[0], (22, Cause::TargetPolicy { target_percent: 20.0 }));
    world.close().await;
}

#[tokio::test]
async fn a_step_s_cause_is_not_rewritten_by_a_maximum_raised_after_it() {
    let world = at_its_maximum().await;
    let before = causes(&world).await;
    assert_eq!(before[0], (20, Cause::LimitReached { limit: Limit::Maximum, instances: 20 }));
    grows(&world, 34, 20, 40).await;
    assert_eq!(causes(&world).await, before);
    world.close().await;
}

#[tokio::test]
async fn exported_steps_have_the_cause_and_the_time_that_the_screens_tell() {
    let world = at_its_maximum().await;
    let reader = world.reader();
    let mut out = Vec::new();
    let mut sink = Sink::new(Format::Json, &mut out);
    export_scaling_steps(&reader, hour(), NOW, &mut sink).await.unwrap();
    let written = sink.finish().unwrap();
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&out).unwrap();
    let told = fleet_scaling(&reader, &FleetId::from("fleet-calm"), hour(), NOW).await.unwrap().unwrap();
    assert_eq!((written, rows.len()), (told.steps.len() as u64, told.steps.len()));
    let (row, step) = (rows.last().unwrap(), &told.steps[0]);
    assert_eq!((&row["fleet_id"], &row["time"]), (&"fleet-calm".into(), &step.at.to_rfc3339().into()));
    assert_eq!(
        (&row["cause"], &row["cause_text"]),
        (&"limit_reached".into(), &step.cause_text.as_str().into())
    );
    assert_eq!((&row["to_desired"], row["to_active_ms"].as_i64()), (&20.into(), step.to_active_ms));
    world.close().await;
}

fn alias(leads_to: &str) -> Alias {
    Alias {
        alias_id: "alias-1".into(),
        alias_arn: None,
        region: "eu-west-1".into(),
        name: "live".into(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: leads_to.into() },
        creation_time: None,
        last_updated_time: None,
    }
}

async fn sees_alias(world: &World, minutes_ago: i64, leads_to: &str) {
    let listed = Observation::Aliases(Listing::complete(vec![alias(leads_to)]));
    world.saw(ago(minutes_ago), vec![listed]).await;
}

/// Points the alias from fleet-old to fleet-calm, half an hour ago.
async fn repoints(world: &World, id: &str) {
    sees_alias(world, 31, "fleet-old").await;
    let request = Request::UpdateAlias(UpdateAlias {
        alias_id: "alias-1".into(),
        name: None,
        description: None,
        routing: Some(RoutingStrategy::Simple { fleet_id: FleetId::from("fleet-calm") }),
    });
    did(world, id, ago(30), request, ("Routing", "fleet-old", "fleet-calm")).await;
}

#[tokio::test]
async fn a_repoint_marks_the_charts_of_the_fleet_it_leads_to() {
    let world = calm().await;
    repoints(&world, "a-2").await;
    sees_alias(&world, 29, "fleet-calm").await;
    let reader = world.reader();
    let everywhere = changes(&reader, None, hour(), 60).await.unwrap();
    let told: Vec<_> = everywhere.iter().map(|line| (line.sentence(), line.by_us.clone())).collect();
    assert_eq!(told, [("alias live repointed fleet-old → calm".to_owned(), by("a-2"))]);
    let here = fleet_scaling(&reader, &"fleet-calm".into(), hour(), NOW).await.unwrap().unwrap();
    assert_eq!(here.marks.iter().map(|mark| mark.by_us.clone()).collect::<Vec<_>>(), [by("a-2")]);
    let history = resource_history(&reader, "alias", "alias-1", 20).await.unwrap();
    assert_eq!(history[0].by_us, by("a-2"));
    let queue = GameSessionQueue {
        name: "arena".into(),
        region: "eu-west-1".into(),
        arn: None,
        timeout_seconds: None,
        destinations: vec!["arn:aws:gamelift:eu-west-1::alias/alias-1".into(), "arn:x::fleet/fleet-9".into()],
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: None,
    };
    world.saw(ago(28), vec![Observation::Queues(Listing::complete(vec![queue]))]).await;
    world.saw(NOW, counted("calm", NOW)).await;
    let detail = queue_detail(&reader, &"eu-west-1".into(), &"arena".into(), NOW).await.unwrap().unwrap();
    let stand: Vec<_> =
        detail.destinations.iter().map(|to| (to.name.as_deref(), to.state, to.game_sessions)).collect();
    assert_eq!(stand, [(Some("live"), FleetState::Good, 8), (None, FleetState::Off, 0)]);
    let (aliases, _) = reader.aliases(NOW).await.unwrap();
    let lists: Vec<&[ChangeRow]> =
        std::iter::once(&[][..]).chain(aliases.iter().map(|row| &*row.history)).collect();
    assert_eq!(histories(&reader, &lists).await.unwrap(), [vec![], history], "of many as of one");
    world.close().await;
}

#[tokio::test]
async fn a_repoint_by_somebody_else_is_told_on_both_fleets_by_their_names() {
    let world = calm().await;
    let fleets = vec![fleet("calm"), fleet("old"), fleet("old-2")];
    world.saw(ago(40), vec![Observation::Fleets(Listing::complete(fleets))]).await;
    sees_alias(&world, 31, "fleet-old").await;
    sees_alias(&world, 29, "fleet-calm").await;
    let reader = world.reader();
    for of in ["fleet-old", "fleet-calm"] {
        let here = changes(&reader, Some(&of.into()), hour(), 60).await.unwrap();
        let told: Vec<_> = here.iter().filter(|line| line.kind == ChangeKind::Alias).collect();
        assert_eq!(told.len(), 1, "{of}: {here:?}");
        assert_eq!((told[0].sentence().as_str(), &told[0].by_us), ("alias live repointed old → calm", &None));
    }
    let apart = changes(&reader, Some(&"fleet-old-2".into()), hour(), 60).await.unwrap();
    assert!(apart.iter().all(|line| line.kind != ChangeKind::Alias), "{apart:?}");
    let scaling = fleet_scaling(&reader, &"fleet-old".into(), hour(), NOW).await.unwrap().unwrap();
    assert!(scaling.marks.iter().any(|mark| mark.kind == ChangeKind::Alias), "{scaling:?}");
    world.close().await;
}

#[tokio::test]
async fn a_setting_of_ours_is_signed_when_a_slow_poll_sees_it_and_a_capacity_is_not() {
    let world = calm().await;
    repoints(&world, "a-1").await;
    did(&world, "a-2", ago(30), desired(8), ("Desired instances", "4", "8")).await;
    sees_alias(&world, 22, "fleet-calm").await;
    sees(&world, 22, 8).await;
    let reader = world.reader();
    let of_alias = resource_history(&reader, "alias", "alias-1", 20).await.unwrap();
    assert_eq!(of_alias[0].by_us, by("a-1"));
    let scaling = fleet_scaling(&reader, &"fleet-calm".into(), hour(), NOW).await.unwrap().unwrap();
    assert_eq!(scaling.steps[0].by_us, None, "a policy may have set the same number since");
    world.close().await;
}

#[tokio::test]
async fn suspended_scaling_a_policy_and_a_drain_are_marks_of_ours() {
    let world = calm().await;
    let suspend =
        Request::StopFleetActions(SetFleetActions { fleet_id: "fleet-calm".into(), location: None });
    did(&world, "a-3", ago(30), suspend, ("Scaling", "on", "suspended")).await;
    let policy = Request::PutScalingPolicy(PutScalingPolicy {
        fleet_id: "fleet-calm".into(),
        name: "buffer".into(),
        rule: ScalingRule::TargetBased { target_value: 20.0 },
    });
    did(&world, "a-4", ago(20), policy, ("Target", "10 %", "20 %")).await;
    let drain = RunRecord {
        id: "run-1".into(),
        kind: RunKind::Drain,
        state: RunState::Finished,
        title: "Drain calm".into(),
        region: Some("eu-west-1".into()),
        fleet_id: Some("fleet-calm".into()),
        created_at: ago(15),
        changed_at: ago(5),
        plan: "{}".into(),
        progress: "{}".into(),
    };
    world.writer().put_run(drain).await.unwrap();
    let suspended = Fleet { stopped_actions: vec!["AUTO_SCALING".into()], ..fleet("calm") };
    world.saw(ago(29), vec![Observation::Fleets(Listing::complete(vec![suspended]))]).await;
    let scaling = fleet_scaling(&world.reader(), &"fleet-calm".into(), hour(), NOW).await.unwrap().unwrap();
    let marks: Vec<_> = scaling.marks.iter().map(|mark| (mark.text.as_str(), mark.by_us.clone())).collect();
    let drained = Some(ByUs::Run("run-1".into()));
    assert_eq!(marks.len(), 4, "{marks:?}");
    assert!(marks[0].0.starts_with("calm stopped actions"), "{marks:?}");
    assert_eq!(marks[0].1, by("a-3"));
    assert_eq!(marks[1], ("calm policy buffer set 10 % → 20 %", by("a-4")));
    assert_eq!(marks[2..], [("calm drain started", drained.clone()), ("calm drain finished", drained)]);
    world.close().await;
}

/// That CloudTrail recorded a call of bob's that points the alias to fleet-calm half an hour ago.
fn recorded(request_id: &str) -> Observation {
    let record = serde_json::json!({
        "eventVersion": "1.11",
        "userIdentity": {"type": "IAMUser", "userName": "bob", "arn": "arn:aws:iam::111122223333:user/bob"},
        "eventTime": ago(30).to_rfc3339(),
        "eventSource": "gamelift.amazonaws.com",
        "eventName": "UpdateAlias",
        "awsRegion": "eu-west-1",
        "sourceIPAddress": "203.0.113.7",
        "userAgent": "aws-cli/2.31.0",
        "requestParameters": {
            "aliasId": "alias-1",
            "routingStrategy": {"type": "SIMPLE", "fleetId": "fleet-calm"},
        },
        "responseElements": {"alias": {"aliasId": "alias-1"}},
        "requestID": request_id,
        "eventID": format!("event-of-{request_id}"),
        "readOnly": false,
        "eventType": "AwsApiCall",
        "recipientAccountId": "111122223333",
    });
    Observation::TrailRecords(vec![TrailRecord::read(record.to_string()).unwrap()])
}

#[tokio::test]
async fn a_change_is_ours_by_the_request_id_that_cloudtrail_recorded_and_not_by_its_values() {
    for (recorded_as, by_us) in [("request-a-2", by("a-2")), ("somebody-else-s", None)] {
        let world = calm().await;
        repoints(&world, "a-2").await;
        sees_alias(&world, 29, "fleet-calm").await;
        let reader = world.reader();
        let told = changes(&reader, None, hour(), 60).await.unwrap();
        assert_eq!(told[0].by_us, by("a-2"), "by its values while CloudTrail has nothing");
        world.saw(ago(20), vec![recorded(recorded_as)]).await;
        let told = changes(&reader, None, hour(), 60).await.unwrap();
        // What was sent here and made no recorded change is a line of its own.
        let seen = |line: &&Change| line.kind == ChangeKind::Alias && matches!(line.what, What::Set { .. });
        let line = told.iter().find(seen).unwrap();
        assert_eq!(line.by_us, by_us, "{recorded_as}");
        let is_bob =
            |who: &Who| matches!(who, Who::Named { calls } if calls[0].caller.principal.label() == "bob");
        assert_eq!(line.who.as_ref().is_some_and(is_bob), by_us.is_none(), "{:?}", line.who);
        world.close().await;
    }
}
