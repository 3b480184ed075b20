//! Account checks: with another account, or while AWS does not confirm the account, nothing is asked, received or
//! written.

use std::collections::BTreeMap;

use liftdeck_collector::{Collector, CollectorOptions, HealthState};
use liftdeck_simulator::{Credentials, FaultKind, FaultRule};

use crate::harness::{Bench, eventually};

const ANOTHER: &str = "999988887777";

/// Counts the calls of every action that reached the simulator, except for GetCallerIdentity.
async fn asked(bench: &Bench) -> BTreeMap<String, u64> {
    let mut asked = BTreeMap::new();
    for actions in bench.calls().await.as_object().unwrap().values() {
        for (action, count) in actions.as_object().unwrap() {
            if action != "sts:GetCallerIdentity" {
                *asked.entry(action.clone()).or_default() += count["calls"].as_u64().unwrap();
            }
        }
    }
    asked
}

/// Options for everything, including the feeds.
fn everything(bench: &Bench) -> CollectorOptions {
    CollectorOptions { event_queues: bench.queues(), ..bench.options() }
}

fn of_another_account() -> Credentials {
    let accounts = BTreeMap::from([("AKIDTEST".to_owned(), ANOTHER.to_owned())]);
    Credentials { accounts, ..Credentials::default() }
}

fn silent() -> FaultRule {
    FaultRule {
        operation: "sts:GetCallerIdentity".to_owned(),
        kind: FaultKind::Reset,
        ..FaultRule::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_over_another_account_asks_writes_and_marks_nothing() {
    let bench = Bench::frozen().await;
    assert!(bench.once(everything(&bench)).await.is_complete());
    let (before, revision) = (asked(&bench).await, bench.store.revision().await);
    bench.simulator.set_credentials(of_another_account());
    let summary = bench.once(everything(&bench)).await;
    let own = bench.simulator.ready().account.clone();
    assert!(!summary.is_complete());
    for failure in &summary.failures {
        let named = [ANOTHER, own.as_str()].iter().all(|account| failure.message.contains(account));
        assert!(named && failure.remedy.is_some(), "{failure:?}");
    }
    assert_eq!((summary.rows, asked(&bench).await), (BTreeMap::new(), before));
    assert_eq!(bench.store.revision().await, revision, "what was collected stays as it was");
    for region in bench.regions() {
        assert_eq!(bench.live(&region).await, bench.true_live(&region).await, "{region}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_while_aws_does_not_say_whose_account_it_is_asks_and_writes_nothing() {
    let bench = Bench::frozen().await;
    assert!(bench.once(everything(&bench)).await.is_complete());
    let (before, revision) = (asked(&bench).await, bench.store.revision().await);
    bench.faults(&[silent()]).await;
    let summary = bench.once(everything(&bench)).await;
    assert!(summary.failures.iter().all(|failure| failure.message.contains("GetCallerIdentity")));
    assert!(!summary.is_complete());
    assert_eq!((summary.rows, asked(&bench).await), (BTreeMap::new(), before));
    assert_eq!(bench.store.revision().await, revision);
    bench.faults(&[]).await;
    assert!(bench.once(everything(&bench)).await.is_complete());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_waits_for_the_proof_says_so_and_goes_on_by_itself() {
    let bench = Bench::frozen().await;
    bench.faults(&[silent()]).await;
    let (writer, reader) = (bench.store.writer().unwrap(), bench.store.reader());
    let gateway = bench.gateway().await;
    let started = Collector::start(everything(&bench), &gateway, writer, reader, bench.moving_clock()).await;
    let collector = started.unwrap();
    let state = || collector.health().borrow().state;
    eventually("it says that nothing is proven", || async { state() == HealthState::Unproven }).await;
    let health = collector.health().borrow().clone();
    assert!(health.message.unwrap().contains("GetCallerIdentity") && health.remedy.is_some());
    assert_eq!(asked(&bench).await, BTreeMap::new());
    bench.faults(&[]).await;
    eventually("it collects", || async {
        let region = &bench.regions()[0];
        bench.live(region).await == bench.true_live(region).await
    })
    .await;
    collector.stop().await;
}
