//! Who changes what: the account and the caller are proven before anything is recorded or sent.

use std::collections::BTreeMap;

use liftdeck_gateway::ErrorKind;
use liftdeck_model::activity::Activity;
use liftdeck_operations::{Mode, OperationError};
use liftdeck_simulator::{Credentials, FaultKind, FaultRule};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;

use crate::asked;
use crate::bench::Bench;

const ANOTHER: &str = "999988887777";

/// Maps the bench's own key to this value.
fn key(of: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("AKIDTEST".to_owned(), of.to_owned())])
}

fn of_another_account() -> Credentials {
    Credentials { accounts: key(ANOTHER), ..Credentials::default() }
}

fn silent() -> FaultRule {
    FaultRule {
        operation: "sts:GetCallerIdentity".to_owned(),
        kind: FaultKind::Reset,
        ..FaultRule::default()
    }
}

async fn recorded(bench: &Bench) -> Vec<Activity> {
    let page = Page { offset: 0, limit: 10 };
    bench.store.reader().activities(&ActivityRequest::everything(page)).await.unwrap().rows
}

/// Checks that nothing was sent or recorded, for this reason.
async fn nothing_happened(bench: &Bench, refused: OperationError, kind: ErrorKind, says: &[&str]) {
    let OperationError::Gateway(error) = &refused else { panic!("{refused:?}") };
    assert_eq!(error.kind, kind, "{error}");
    for words in says {
        assert!(refused.to_string().contains(words), "{words}: {refused}");
    }
    assert_eq!(bench.changes_called(), []);
    assert_eq!(recorded(bench).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_of_another_account_unlock_nothing() {
    let bench = Bench::locked().await;
    bench.simulator.set_credentials(of_another_account());
    let refused = bench.guard.unlock(5, None).await.unwrap_err();
    let own = bench.simulator.ready().account.clone();
    nothing_happened(&bench, refused, ErrorKind::WrongAccount, &[ANOTHER, &own]).await;
    assert_eq!(*bench.guard.mode().borrow(), Mode::ReadOnly);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_aws_does_not_say_who_we_are_nothing_is_unlocked() {
    let bench = Bench::locked().await;
    bench.faults(silent());
    let refused = bench.guard.unlock(5, None).await.unwrap_err();
    nothing_happened(&bench, refused, ErrorKind::Unreachable, &["GetCallerIdentity"]).await;
    assert_eq!(*bench.guard.mode().borrow(), Mode::ReadOnly);
    bench.heal();
    bench.guard.unlock(5, None).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_caller_than_at_the_unlocking_sends_nothing_and_locks_it() {
    let bench = Bench::open().await;
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    bench.simulator.set_credentials(Credentials { users: key("mallory"), ..Credentials::default() });
    // The identity is checked again, as it is after half a minute or when the credentials are renewed.
    bench.gateway.prove().await.unwrap();
    let refused = bench.confirm(&preview).await.unwrap_err();
    let both = ["user/AKIDTEST", "user/mallory"];
    nothing_happened(&bench, refused, ErrorKind::WrongCaller, &both).await;
    assert_eq!(*bench.guard.mode().borrow(), Mode::ReadOnly);
    // The other identity may unlock it, and the record then names that identity.
    bench.guard.unlock(5, None).await.unwrap();
    let done = bench.done(asked::queue_timeout("arena-eu", 120)).await;
    assert!(done.caller_arn.as_ref().is_some_and(|arn| arn.ends_with("user/mallory")), "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_that_turn_out_to_be_of_another_account_send_nothing() {
    let bench = Bench::open().await;
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    bench.simulator.set_credentials(of_another_account());
    assert_eq!(bench.gateway.prove().await.unwrap_err().kind, ErrorKind::WrongAccount);
    let refused = bench.confirm(&preview).await.unwrap_err();
    nothing_happened(&bench, refused, ErrorKind::WrongAccount, &[ANOTHER]).await;
    bench.simulator.set_credentials(Credentials::default());
    bench.gateway.prove().await.unwrap();
}
