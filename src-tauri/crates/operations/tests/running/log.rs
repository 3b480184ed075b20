//! Logs of ended game sessions.

use std::io::Read as _;
use std::time::Duration;

use liftdeck_model::GameSessionId;
use liftdeck_model::action::TerminationMode;
use liftdeck_operations::{Intent, OperationError};

use crate::bench::Bench;

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_an_ended_session_is_fetched_once_and_kept() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let session = bench.live(&fleet.fleet_id).await.remove(0);
    let id = &session.game_session_id;
    let folder = bench.folder.path().join("logs");
    let early = bench.guard.download_log(id, &folder).await;
    assert!(
        matches!(&early, Err(OperationError::Refused(why)) if why.contains("still running")),
        "{early:?}"
    );
    let end = bench.termination(&session.game_session_id, TerminationMode::ForceTerminate);
    bench.confirmed(Intent::Actions(vec![end])).await.unwrap();
    bench.advance(Duration::from_secs(60)).await;

    let kept = bench.guard.download_log(id, &folder).await.unwrap();
    assert!(kept.fetched && kept.bytes > 0);
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&kept.path).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_index(0).unwrap().read_to_string(&mut text).unwrap();
    assert!(text.contains(id.as_str()), "{text}");

    let asked = bench.calls("GetGameSessionLogUrl");
    let again = bench.guard.download_log(id, &folder).await.unwrap();
    assert_eq!((again.fetched, again.bytes, &again.path), (false, kept.bytes, &kept.path));
    assert_eq!(bench.calls("GetGameSessionLogUrl"), asked, "what is kept needs AWS no more");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_aws_does_not_have_is_refused_with_the_reason_and_leaves_no_file() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let forgotten = GameSessionId::new(format!("arn:aws:gamelift:eu-west-1::gamesession/{fleet}/long-ago"));
    let folder = bench.folder.path().join("logs");
    let late = bench.guard.download_log(&forgotten, &folder).await;
    assert!(matches!(&late, Err(OperationError::Refused(why)) if why.contains("14 days")), "{late:?}");
    assert!(!folder.exists(), "nothing half-fetched is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_fleet_has_no_logs_and_it_says_so() {
    let bench = Bench::frozen().await;
    let fleets = bench.fleets().await;
    let container = fleets.iter().find(|fleet| fleet.container.is_some()).expect("the world has one");
    let session = bench.live(&container.fleet_id).await.remove(0);
    let refused = bench.guard.download_log(&session.game_session_id, bench.folder.path()).await;
    assert!(matches!(&refused, Err(OperationError::Refused(why)) if why.contains("EC2")), "{refused:?}");
}
