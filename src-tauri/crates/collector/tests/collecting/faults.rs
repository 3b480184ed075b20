//! Damaged responses, refused calls and silent Regions: what they cost, and what they must never do.

use std::time::Duration;

use liftdeck_gateway::RateTable;
use liftdeck_model::GameSessionId;
use liftdeck_model::game_session::GameSession;
use liftdeck_model::observation::{Batch, Observation, PollKind};
use liftdeck_simulator::{Credentials, FaultKind, FaultRule, Scenario, SimulatorOptions};

use crate::harness::Bench;

fn rule(operation: &str, kind: FaultKind) -> FaultRule {
    FaultRule { operation: operation.to_owned(), kind, ..FaultRule::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_cut_by_a_repeated_token_never_marks_game_sessions_gone() {
    let options = SimulatorOptions {
        speed: 0.0,
        throttle: false,
        scenario: Scenario::LaunchDay,
        ..SimulatorOptions::default()
    };
    let bench = Bench::over(options).await;
    bench.advance(Duration::from_secs(1_800)).await;
    let first = bench.once(bench.options()).await;
    let statuses = 3 * bench.true_count(&["FleetIds"]).await;
    assert!(
        first.calls["DescribeGameSessions"].calls > statuses,
        "a listing must have a second page to be cut"
    );
    bench.faults(&[rule("gamelift:DescribeGameSessions", FaultKind::RepeatToken)]).await;
    let summary = bench.once(bench.options()).await;
    assert!(summary.failures.iter().any(|failure| failure.kind == PollKind::GameSessions));
    assert_eq!(summary.rows, std::collections::BTreeMap::new());
    for region in bench.regions() {
        assert_eq!(bench.live(&region).await, bench.true_live(&region).await, "{region}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_cut_by_an_error_never_marks_anything_gone() {
    let bench = Bench::frozen().await;
    bench.once(bench.options()).await;
    bench.faults(&[FaultRule { status: 500, ..rule("gamelift:Describe*", FaultKind::Status) }]).await;
    let summary = bench.once(bench.options()).await;
    assert!(summary.failures.iter().any(|failure| failure.kind == PollKind::GameSessions));
    assert_eq!(summary.rows, std::collections::BTreeMap::new());
    for region in bench.regions() {
        assert_eq!(bench.live(&region).await, bench.true_live(&region).await, "{region}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_that_ended_meanwhile_are_asked_once_for_their_final_state() {
    let bench = Bench::frozen().await;
    bench.once(bench.options()).await;
    bench.advance(Duration::from_secs(900)).await;
    let summary = bench.once(bench.options()).await;
    assert!(summary.is_complete(), "{:?}", summary.failures);
    for region in bench.regions() {
        assert_eq!(bench.live(&region).await, bench.true_live(&region).await, "{region}");
    }
    let asked = summary.calls["DescribeGameSessionDetails"].calls;
    assert!(asked > 0);
    let third = bench.once(bench.options()).await;
    assert!(!third.calls.contains_key("DescribeGameSessionDetails"), "asked once, not again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_gives_up_on_players_that_nobody_tells_before_it_asked_for_each_game_session() {
    let bench = Bench::frozen().await;
    bench.faults(&[rule("gamelift:DescribePlayerSessions", FaultKind::Status)]).await;
    let summary = bench.once(bench.options()).await;
    let mut live = 0;
    for region in bench.regions() {
        let failed = summary.failures.iter().find(|failure| failure.region == region);
        assert!(failed.is_some_and(|failure| failure.message.contains("DescribePlayerSessions")), "{region}");
        live += bench.live(&region).await.len() as u64;
    }
    // Three rounds in each Region, each with as many calls as are made at once.
    let most = 3 * 8 * bench.regions().len() as u64;
    assert!(live > most, "too few game sessions to be told from all of them");
    let failed = summary.calls["DescribePlayerSessions"].errors;
    assert!((1..=most).contains(&failed), "{failed} of {live} game sessions were asked for");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_action_costs_only_what_needs_it_and_is_named() {
    let credentials = Credentials {
        denied: [("AKIDTEST".to_owned(), vec!["gamelift:ListScripts".to_owned()])].into(),
        ..Credentials::default()
    };
    let options =
        SimulatorOptions { speed: 0.0, throttle: false, credentials, ..SimulatorOptions::default() };
    let bench = Bench::over(options).await;
    let summary = bench.once(bench.options()).await;
    assert_eq!(summary.failures.len(), bench.regions().len());
    for failure in &summary.failures {
        assert_eq!(failure.kind, PollKind::Scripts);
        assert!(failure.remedy.as_ref().unwrap().contains("gamelift:ListScripts"), "{failure:?}");
    }
    assert_eq!(summary.rows["player_sessions"], bench.true_count(&["PlayerSessions"]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_credentials_end_a_pass_at_once_with_a_remedy() {
    let credentials = Credentials { expired: ["AKIDTEST".to_owned()].into(), ..Credentials::default() };
    let options =
        SimulatorOptions { speed: 0.0, throttle: false, credentials, ..SimulatorOptions::default() };
    let bench = Bench::over(options).await;
    let summary = bench.once(bench.options()).await;
    assert!(summary.failures.iter().all(|failure| failure.remedy.is_some()), "{:?}", summary.failures);
    let fleets = summary.failures.iter().filter(|failure| failure.kind == PollKind::Fleets).count();
    assert_eq!(fleets, bench.regions().len());
    let calls: u64 = summary.calls.values().map(|calls| calls.calls).sum();
    assert!(calls <= 4 * bench.regions().len() as u64, "{calls} calls with credentials known to be expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_that_cannot_be_reached_does_not_stop_the_others() {
    let bench = Bench::frozen().await;
    let regions = bench.regions();
    bench
        .faults(&[FaultRule { region: regions[0].as_str().to_owned(), ..rule("*", FaultKind::Reset) }])
        .await;
    let summary = bench.once(bench.options()).await;
    assert!(summary.failures.iter().all(|failure| failure.region == regions[0]), "{:?}", summary.failures);
    assert!(bench.live(&regions[0]).await.is_empty());
    for region in &regions[1..] {
        assert_eq!(bench.live(region).await, bench.true_live(region).await, "{region}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_at_published_rates_stays_inside_its_share_and_is_not_throttled() {
    let options = SimulatorOptions { speed: 0.0, throttle: true, ..SimulatorOptions::default() };
    let bench = Bench { budget_share: 0.2, rates: RateTable::published(), ..Bench::over(options).await };
    let summary = bench.once(bench.options()).await;
    println!("{} ms, {:?}", summary.took_ms, summary.calls);
    assert!(summary.is_complete(), "{:?}", summary.failures);
    assert_eq!(summary.throttles, 0);
    let seconds = summary.took_ms as f64 / 1_000.0 + 1.0;
    let calls = bench.calls().await;
    for (region, operations) in calls.as_object().unwrap() {
        for (action, count) in operations.as_object().unwrap() {
            let (service, operation) = action.split_once(':').unwrap();
            if service == "sts" {
                assert_eq!(count["calls"], 1, "whose account it is, is asked once for all Regions");
                continue;
            }
            let allowed = RateTable::published().per_second(operation).unwrap() * 0.2 * seconds;
            let sent = count["calls"].as_u64().unwrap();
            assert!(sent as f64 <= allowed, "{operation} in {region}: {sent} calls, {allowed} allowed");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn throttling_slows_a_pass_down_and_loses_nothing() {
    let bench = Bench::frozen().await;
    bench.faults(&[FaultRule { probability: 0.1, ..rule("gamelift:Describe*", FaultKind::Throttle) }]).await;
    let summary = bench.once(bench.options()).await;
    assert!(summary.throttles > 0);
    // What was given up is reported, never skipped silently; another pass without faults completes it.
    bench.faults(&[]).await;
    assert!(bench.once(bench.options()).await.is_complete());
    for region in bench.regions() {
        assert_eq!(bench.live(&region).await, bench.true_live(&region).await, "{region}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_missing_game_sessions_than_a_poll_looks_up_are_marked_and_come_first_in_the_next() {
    let bench = Bench::frozen().await;
    bench.once(bench.options()).await;
    let region = bench.regions().remove(0);
    let live = bench.live(&region).await;
    let of = bench.gateway().await.reader(&region).unwrap().game_session(&live[0]).await.unwrap().unwrap();
    // What the store holds as live although GameLift does not know it, as after a night in which nobody looked.
    let unknown = (0..250).map(|number| GameSession {
        game_session_id: GameSessionId::new(format!("{}-{number:03}", of.game_session_id)),
        current_player_session_count: 0,
        ..of.clone()
    });
    let batch = Batch {
        region: region.clone(),
        observed_at: of.creation_time,
        observations: vec![Observation::GameSessions(unknown.collect())],
    };
    bench.store.writer().unwrap().apply(batch).await.unwrap();
    let reader = bench.store.reader();
    let fleet = [of.fleet_id.clone()];
    let now = (bench.clock())();
    let empty = async || -> u64 {
        let those = reader.empty_since(&fleet, now.plus_ms(1)).await.unwrap();
        those.iter().map(|here| here.game_sessions).sum()
    };
    let before = empty().await;
    // To ask for their players would tell, too.
    bench.faults(&[rule("gamelift:DescribePlayerSessions", FaultKind::Status)]).await;
    let first = bench.once(bench.options()).await;
    let left = bench.live(&region).await.len() - live.len();
    assert_eq!(left, 50, "200 are looked up");
    assert_eq!(empty().await, before - 250, "what was not listed is not known to be empty");
    bench.once(bench.options()).await;
    assert_eq!(bench.live(&region).await, live);
    let listing = bench.once(bench.options()).await.calls["DescribeGameSessions"].calls;
    let by_details = first.calls["DescribeGameSessionDetails"].calls;
    let by_listing = first.calls["DescribeGameSessions"].calls - listing;
    assert_eq!(by_details + by_listing, 200, "each is asked for once");
    assert!(by_details > 0 && by_listing > 0, "{by_details} and {by_listing} by the rates of two operations");
    bench.store.close().await;
}
