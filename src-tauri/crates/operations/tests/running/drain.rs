//! Drains: step by step, through a restart, to an empty fleet.

use std::time::Duration;

use liftdeck_gateway::GameSessionFilter;
use liftdeck_model::QueueName;
use liftdeck_model::action::{
    Action, CreateGameSession, GameSessionTarget, Request, UpdateAlias, UpdateGameSessionQueue,
};
use liftdeck_model::activity::{Activity, ActivityOutcome, EffectState, RunId};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{Fleet, ProtectionPolicy};
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_operations::{DrainPlan, DrainStepKey, DrainStepState, Intent, OperationError, Preview, Run};
use liftdeck_simulator::{FaultKind, FaultRule};
use liftdeck_store::RunState;
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;

use crate::bench::{Bench, eventually};

/// Spot fleets do not protect their sessions by default, and the queue of the casual arena places there in addition
/// to its alias.
async fn spot_plan(bench: &Bench, fleet: &Fleet) -> DrainPlan {
    let name = QueueName::from("arena-eu");
    let queue = bench.gateway.reader(&bench.region).unwrap().queue(&name).await.unwrap().unwrap();
    let mut destinations = queue.destinations;
    destinations.retain(|arn| !arn.ends_with(fleet.fleet_id.as_str()));
    let route = bench.action(Request::UpdateGameSessionQueue(UpdateGameSessionQueue {
        name,
        timeout_seconds: None,
        destinations: Some(destinations),
        player_latency_policies: None,
        notification_target: None,
    }));
    DrainPlan { routes: vec![route], ..plan(bench, fleet, Vec::new()) }
}

fn plan(bench: &Bench, fleet: &Fleet, routes: Vec<Action>) -> DrainPlan {
    DrainPlan {
        region: bench.region.clone(),
        fleet_id: fleet.fleet_id.clone(),
        routes,
        protect: true,
        suspend_scaling: true,
        scale_to_zero: true,
    }
}

/// Closes the alias of the main fleet.
async fn alias_plan(bench: &Bench, fleet: &Fleet) -> DrainPlan {
    let alias = bench.alias_to(&fleet.fleet_id).await;
    let elsewhere = RoutingStrategy::Terminal { message: "The arena is closed for a while.".to_owned() };
    let route = bench.action(Request::UpdateAlias(UpdateAlias {
        alias_id: alias.alias_id,
        name: None,
        description: None,
        routing: Some(elsewhere),
    }));
    plan(bench, fleet, vec![route])
}

fn state(run: &Run, key: DrainStepKey) -> DrainStepState {
    let drain = run.drain.as_ref().expect("it is a drain");
    drain.steps.iter().find(|step| step.key == key).expect("every drain has every step").state
}

async fn rows(bench: &Bench, run: &RunId) -> Vec<Activity> {
    let page = Page { offset: 0, limit: 1_000 };
    let request = ActivityRequest { run_id: Some(run.clone()), ..ActivityRequest::everything(page) };
    bench.store.reader().activities(&request).await.unwrap().rows
}

/// Protects the first few game sessions at once, and the others so slowly that the step is under way for a while.
fn slow_to_protect(bench: &Bench) {
    bench.faults(&[FaultRule {
        operation: "gamelift:UpdateGameSession".to_owned(),
        kind: FaultKind::Latency,
        skip: 5,
        latency_ms: 2_000,
        ..FaultRule::default()
    }]);
}

/// How many changes reached the simulator.
fn changes(bench: &Bench) -> u64 {
    let operations = [
        "UpdateAlias",
        "UpdateGameSessionQueue",
        "UpdateFleetAttributes",
        "UpdateGameSession",
        "StopFleetActions",
        "UpdateFleetCapacity",
    ];
    operations.into_iter().map(|operation| bench.calls(operation)).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drain_that_is_killed_goes_on_where_it_stood_and_ends_with_an_empty_fleet() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-spot-eu").await;
    let live = bench.live(&fleet.fleet_id).await;
    assert!(live.len() > 8, "{} live", live.len());
    let plan = spot_plan(&bench, &fleet).await;
    // It is killed while it protects the sessions.
    slow_to_protect(&bench);
    let id = bench.confirmed(Intent::Drain(plan)).await.unwrap().run.expect("a drain is a run");
    bench
        .run_until(&id, |run| state(run, DrainStepKey::Protect) == DrainStepState::Running && run.done > 3)
        .await;

    let bench = bench.killed_and_restarted().await;
    let paused = Run::get(&bench.store.reader(), &id).await.unwrap();
    assert_eq!(paused.state, RunState::Paused);
    assert!(paused.message.as_ref().unwrap().contains("The program ended"), "{paused:?}");
    assert!(matches!(bench.resumed(&id).await, Err(OperationError::ReadOnly)));
    // What was in transit when it was killed still arrives.
    let reader = bench.gateway.reader(&bench.region).unwrap();
    let active = GameSessionFilter { location: None, status: Some(GameSessionStatus::Active) };
    let full = Some(ProtectionPolicy::FullProtection);
    eventually("what was asked for is protected", async || {
        let page = reader.game_session_details_page(&fleet.fleet_id, &active, None).await.unwrap();
        let protected = page.items.iter().filter(|session| session.protection_policy == full).count();
        protected as u64 == bench.calls("UpdateGameSession")
    })
    .await;
    bench.faults(&[]);
    bench.guard.unlock(60, None).await.unwrap();
    bench.resumed(&id).await.unwrap();
    let waiting = bench.run_until(&id, |run| state(run, DrainStepKey::Wait) == DrainStepState::Running).await;
    assert_eq!(state(&waiting, DrainStepKey::Route), DrainStepState::Done);
    assert_eq!(state(&waiting, DrainStepKey::Suspend), DrainStepState::Done);
    let drain = bench
        .run_until(&id, |run| run.drain.as_ref().is_some_and(|drain| !drain.estimate_text.is_empty()))
        .await
        .drain
        .unwrap();
    assert_eq!(drain.game_sessions, live.len() as u64);
    // No past of this fleet was collected, and the drain says so instead of guessing.
    assert!(drain.estimate_ms.is_none() && drain.estimate_text.contains("No estimate"), "{drain:?}");

    let page = reader.game_session_details_page(&fleet.fleet_id, &active, None).await.unwrap();
    assert!(page.items.iter().all(|session| session.protection_policy == full), "all of them are protected");
    let locations = reader.fleet_locations(&fleet.fleet_id).await.items;
    assert!(locations.iter().all(|place| place.scaling_suspended), "{locations:?}");

    // The lock does not end the wait, but what comes after it needs permission.
    bench.guard.lock();
    let told = |run: &Run| run.message.as_ref().is_some_and(|told| told.contains("read-only"));
    bench.run_until(&id, |run| run.state == RunState::Running && told(run)).await;
    let run = bench.emptied(&id, &fleet.fleet_id).await;
    assert_eq!(run.state, RunState::Paused, "{run:?}");
    assert_eq!(state(&run, DrainStepKey::Wait), DrainStepState::Done);
    bench.guard.unlock(60, None).await.unwrap();
    bench.resumed(&id).await.unwrap();
    let ended = bench.at_rest(&id).await;
    assert_eq!(
        (ended.state, ended.left, ended.failed, ended.unknown),
        (RunState::Finished, 0, 0, 0),
        "{ended:?}"
    );
    // AWS: capacity takes up to a minute to show.
    bench.advance(Duration::from_secs(90)).await;
    for place in &locations {
        let capacity = reader.capacity(&fleet.fleet_id, Some(&place.location)).await.unwrap().unwrap();
        assert_eq!((capacity.desired, capacity.minimum, capacity.maximum), (0, 0, 0), "{capacity:?}");
    }
    let rows = rows(&bench, &id).await;
    let done = rows.iter().filter(|row| row.outcome == ActivityOutcome::Done).count();
    assert_eq!(done, ended.done as usize);
    assert!(rows.iter().all(|row| !row.undo.is_empty()), "every change of it can be undone");
    // Changes that were unknown after the kill were looked into, not sent again.
    assert_eq!(changes(&bench), u64::from(ended.total), "nothing was sent twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_before_it_is_protected_is_no_failure_of_the_drain() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-spot-eu").await;
    let live = bench.live(&fleet.fleet_id).await;
    let plan = spot_plan(&bench, &fleet).await;
    slow_to_protect(&bench);
    let id = bench.confirmed(Intent::Drain(plan)).await.unwrap().run.unwrap();
    let protects = |run: &Run| state(run, DrainStepKey::Protect) == DrainStepState::Running;
    bench.run_until(&id, |run| protects(run) && run.done > 3).await;
    bench.advance(Duration::from_mins(40)).await;
    bench.faults(&[]);
    let waiting = bench.run_until(&id, |run| state(run, DrainStepKey::Wait) == DrainStepState::Running).await;
    assert_eq!((waiting.failed, waiting.unknown, waiting.message.as_deref()), (0, 0, None), "{waiting:?}");
    assert_eq!(state(&waiting, DrainStepKey::Protect), DrainStepState::Done);
    assert!(waiting.ended > 0, "of {} sessions none ended before it was protected", live.len());
    let refused = |row: &Activity| row.aws_code.as_deref() == Some("InvalidGameSessionStatusException");
    let rows = rows(&bench, &id).await;
    assert!(
        rows.iter().all(|row| refused(row) == (row.outcome == ActivityOutcome::Failed)),
        "what was refused is recorded as refused"
    );
    // Only changes in transit when their session ended were refused. For the others nothing is sent.
    assert!(rows.iter().filter(|row| refused(row)).count() <= 4, "{waiting:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_fails_pauses_the_drain_and_is_made_again_on_resume() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let plan = DrainPlan { protect: false, ..alias_plan(&bench, &fleet).await };
    let refusal = FaultRule {
        operation: "gamelift:StopFleetActions".to_owned(),
        kind: FaultKind::Status,
        status: 403,
        count: Some(1),
        ..FaultRule::default()
    };
    bench.faults(&[refusal]);
    let id = bench.confirmed(Intent::Drain(plan)).await.unwrap().run.unwrap();
    let paused = bench.at_rest(&id).await;
    assert_eq!((paused.state, paused.failed), (RunState::Paused, 1), "{paused:?}");
    assert_eq!(state(&paused, DrainStepKey::Suspend), DrainStepState::Failed);
    assert_eq!(state(&paused, DrainStepKey::Protect), DrainStepState::Skipped);
    assert!(paused.message.as_ref().unwrap().starts_with("Suspend scaling"), "{paused:?}");
    bench.resumed(&id).await.unwrap();
    let waiting = bench.run_until(&id, |run| state(run, DrainStepKey::Wait) == DrainStepState::Running).await;
    assert_eq!((waiting.failed, bench.calls("UpdateAlias")), (0, 1), "{waiting:?}");
    let stopped = bench.guard.run_stop(&id).await.unwrap();
    assert_eq!(stopped.state, RunState::Stopped);
    assert_eq!(bench.calls("UpdateFleetCapacity"), 0, "a drain that is stopped scales nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_is_done_only_when_each_of_its_changes_is() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-spot-eu").await;
    let plan = spot_plan(&bench, &fleet).await;
    let once = |kind, status| FaultRule {
        operation: "gamelift:UpdateGameSession".to_owned(),
        kind,
        status,
        count: Some(1),
        ..FaultRule::default()
    };
    bench.faults(&[once(FaultKind::Status, 403)]);
    let id = bench.confirmed(Intent::Drain(plan)).await.unwrap().run.unwrap();
    let paused = bench.at_rest(&id).await;
    assert_eq!((paused.state, paused.failed), (RunState::Paused, 1), "{paused:?}");
    assert_eq!(state(&paused, DrainStepKey::Protect), DrainStepState::Failed, "one is not protected");

    bench.faults(&[once(FaultKind::Reset, 500)]);
    bench.resumed(&id).await.unwrap();
    let paused = bench.at_rest(&id).await;
    assert_eq!((paused.state, paused.unknown), (RunState::Paused, 1), "{paused:?}");
    let sent = bench.calls("UpdateGameSession");
    bench.resumed(&id).await.unwrap();
    let still = bench.at_rest(&id).await;
    assert_eq!((still.state, still.unknown), (RunState::Paused, 1), "{still:?}");
    assert_eq!(state(&still, DrainStepKey::Protect), DrainStepState::Failed);
    assert_eq!(bench.calls("UpdateGameSession"), sent, "what is uncertain is not sent again");

    // Now it can no longer arrive, so a resume makes it once more.
    bench.advance(Duration::from_secs(690)).await;
    bench.resumed(&id).await.unwrap();
    let waiting = bench.run_until(&id, |run| state(run, DrainStepKey::Wait) == DrainStepState::Running).await;
    assert_eq!((waiting.failed, waiting.unknown), (0, 0), "{waiting:?}");
    assert_eq!(state(&waiting, DrainStepKey::Protect), DrainStepState::Done);
    // If the game session has ended by then, it needs no protection any more.
    assert_eq!(bench.calls("UpdateGameSession"), sent + 1 - u64::from(waiting.ended));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_route_that_leads_back_to_the_fleet_is_refused_before_anything_is_sent() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let mut plan = alias_plan(&bench, &fleet).await;
    for route in &mut plan.routes {
        if let Request::UpdateAlias(it) = &mut route.request {
            it.routing = Some(RoutingStrategy::Simple { fleet_id: fleet.fleet_id.clone() });
        }
    }
    let refused = bench.confirmed(Intent::Drain(plan)).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(why)) if why.contains("still point to the fleet")),
        "{refused:?}"
    );
    assert_eq!(changes(&bench), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_route_that_leads_nowhere_else_is_refused() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let mut plan = alias_plan(&bench, &fleet).await;
    for route in &mut plan.routes {
        if let Request::UpdateAlias(it) = &mut route.request {
            (it.routing, it.name) = (None, Some("renamed".to_owned()));
        }
    }
    let refused = bench.guard.preview(Intent::Drain(plan)).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(why)) if why.contains("changes where the alias")),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_preview_of_a_drain_says_what_still_leads_there_and_for_whom_it_waits() {
    let bench = Bench::frozen().await;
    let spot = bench.fleet("arena-spot-eu").await;
    let preview = bench.guard.preview(Intent::Drain(plan(&bench, &spot, Vec::new()))).await.unwrap();
    let told = |preview: &Preview, text: &str| preview.warnings.iter().any(|it| it.text.contains(text));
    assert!(told(&preview, "queue arena-eu still places"), "{:?}", preview.warnings);
    assert!(!told(&preview, "will override"), "scaling is suspended before: {:?}", preview.warnings);
    let live = preview.blast.game_sessions;
    assert!(live > 8 && preview.blast.player_sessions > 0, "{:?}", preview.blast);
    assert!(preview.blast.sentence.starts_with("Waits for"), "{:?}", preview.blast);
    let routed = bench.guard.preview(Intent::Drain(spot_plan(&bench, &spot).await)).await.unwrap();
    assert!(!told(&routed, "drain will not finish"), "{:?}", routed.warnings);

    let main = bench.fleet("arena-prod-eu").await;
    let preview = bench.guard.preview(Intent::Drain(plan(&bench, &main, Vec::new()))).await.unwrap();
    assert!(told(&preview, "alias arena-live-eu still sends"), "{:?}", preview.warnings);
    let routed = bench.guard.preview(Intent::Drain(alias_plan(&bench, &main).await)).await.unwrap();
    assert!(
        !told(&routed, "drain will not finish"),
        "a queue that places through the alias moves with it: {routed:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fleet_is_drained_once_at_a_time() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-spot-eu").await;
    let plan = DrainPlan { protect: false, ..spot_plan(&bench, &fleet).await };
    let id = bench.confirmed(Intent::Drain(plan.clone())).await.unwrap().run.unwrap();
    let second = bench.confirmed(Intent::Drain(plan.clone())).await;
    assert!(matches!(&second, Err(OperationError::Refused(why)) if why.contains(id.as_str())), "{second:?}");
    bench.guard.run_pause(&id).await.unwrap();
    let beside_paused = bench.confirmed(Intent::Drain(plan.clone())).await;
    assert!(
        matches!(&beside_paused, Err(OperationError::Refused(why)) if why.contains("resume it, or stop it")),
        "{beside_paused:?}"
    );
    let bench = bench.killed_and_restarted().await;
    let restarted = bench.confirmed(Intent::Drain(plan.clone())).await;
    assert!(matches!(&restarted, Err(OperationError::Refused(_))), "{restarted:?}");
    bench.guard.run_stop(&id).await.unwrap();
    bench.guard.preview(Intent::Drain(plan)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_drains_of_a_fleet_confirmed_at_once_one_is_begun_and_the_other_names_it() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-spot-eu").await;
    let plan = DrainPlan { protect: false, ..spot_plan(&bench, &fleet).await };
    // One from the window, the other from a command beside it. Both saw the fleet without a drain.
    let beside = bench.guard.beside(bench.guard.options().clone());
    beside.unlock(5, None).await.unwrap();
    let first = bench.guard.preview(Intent::Drain(plan.clone())).await.unwrap();
    let second = beside.preview(Intent::Drain(plan)).await.unwrap();
    let (first, second) = tokio::join!(
        bench.guard.confirm(&first.id, first.must_type.as_deref()),
        beside.confirm(&second.id, second.must_type.as_deref())
    );
    let (begun, refused) = if first.is_ok() { (first, second) } else { (second, first) };
    let id = begun.unwrap().run.unwrap();
    assert!(
        matches!(&refused, Err(OperationError::Refused(why)) if why.contains(id.as_str())),
        "{refused:?}"
    );
    assert_eq!(Run::list(&bench.store.reader(), true).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_begins_between_two_counts_of_nobody_is_waited_for() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-spot-eu").await;
    let plan = DrainPlan { protect: false, ..spot_plan(&bench, &fleet).await };
    let id = bench.confirmed(Intent::Drain(plan)).await.unwrap().run.unwrap();
    bench.run_until(&id, |run| state(run, DrainStepKey::Wait) == DrainStepState::Running).await;
    bench.guard.unlock(480, None).await.unwrap();
    bench.run_empty(&fleet.fleet_id).await;
    let counted_once = |run: &Run| {
        let drain = run.drain.as_ref().unwrap();
        let wait = drain.steps.iter().find(|step| step.key == DrainStepKey::Wait).unwrap();
        wait.detail.as_ref().is_some_and(|detail| detail.contains("counted once more"))
    };
    bench.run_until(&id, counted_once).await;
    made(&bench, &fleet).await;
    let waiting =
        bench.run_until(&id, |run| run.drain.as_ref().is_some_and(|drain| drain.game_sessions == 1)).await;
    assert_eq!(state(&waiting, DrainStepKey::Wait), DrainStepState::Running, "{waiting:?}");
    assert_eq!(bench.calls("UpdateFleetCapacity"), 0, "somebody came");
    bench.emptied(&id, &fleet.fleet_id).await;
    assert_eq!(Run::get(&bench.store.reader(), &id).await.unwrap().state, RunState::Finished);
    assert_eq!(bench.calls("UpdateFleetCapacity"), 2, "once a location");
    // AWS: capacity takes up to a minute to show. It is followed until it does.
    for row in rows(&bench, &id).await {
        if matches!(row.action.request, Request::UpdateFleetCapacity(_)) {
            let seen = bench.followed(&row, Duration::from_secs(5)).await;
            assert_eq!(seen.effect.unwrap().state, EffectState::Seen);
        }
    }
}

/// Lets somebody make a game session on the fleet in spite of the drain.
async fn made(bench: &Bench, fleet: &Fleet) {
    let made = bench
        .done(Request::CreateGameSession(CreateGameSession {
            target: GameSessionTarget::Fleet(fleet.fleet_id.clone()),
            location: None,
            maximum_player_session_count: 4,
            name: None,
            game_properties: Vec::new(),
            game_session_data: None,
            idempotency_token: "late".to_owned(),
            creator_id: None,
        }))
        .await;
    assert_eq!(made.outcome, ActivityOutcome::Done, "{made:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drain_resumed_at_its_last_step_ends_no_session_that_began_meanwhile() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-spot-eu").await;
    let plan = DrainPlan { protect: false, ..spot_plan(&bench, &fleet).await };
    let id = bench.confirmed(Intent::Drain(plan)).await.unwrap().run.unwrap();
    bench.run_until(&id, |run| state(run, DrainStepKey::Wait) == DrainStepState::Running).await;
    bench.guard.lock();
    bench.emptied(&id, &fleet.fleet_id).await;
    assert_eq!(
        state(&Run::get(&bench.store.reader(), &id).await.unwrap(), DrainStepKey::Wait),
        DrainStepState::Done
    );

    bench.guard.unlock(480, None).await.unwrap();
    made(&bench, &fleet).await;
    bench.resumed(&id).await.unwrap();
    let waiting =
        bench.run_until(&id, |run| run.drain.as_ref().is_some_and(|drain| drain.game_sessions == 1)).await;
    assert_eq!(state(&waiting, DrainStepKey::Wait), DrainStepState::Running, "{waiting:?}");
    assert_eq!(bench.calls("UpdateFleetCapacity"), 0, "a session lives there again");
    bench.emptied(&id, &fleet.fleet_id).await;
    assert_eq!(Run::get(&bench.store.reader(), &id).await.unwrap().state, RunState::Finished);
    assert_eq!(bench.calls("UpdateFleetCapacity"), 2, "once a location");
}
