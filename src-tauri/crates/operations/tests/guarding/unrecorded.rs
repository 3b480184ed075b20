//! Outcomes that the database refuses: known, reported, and written as soon as it accepts them.

use liftdeck_model::activity::{ActivityOutcome, Proof};
use rusqlite::Connection;

use crate::asked;
use crate::bench::{Bench, eventually};

/// Lets attempts be recorded, but not their outcomes, like a disk that fills up in between.
fn refuse_outcomes(bench: &Bench) -> Connection {
    let database = Connection::open(bench.folder.path().join("liftdeck.sqlite")).unwrap();
    let refuse = "CREATE TRIGGER full BEFORE UPDATE ON activity WHEN NEW.outcome <> OLD.outcome
                  BEGIN SELECT RAISE(ABORT, 'it is full'); END";
    database.execute_batch(refuse).unwrap();
    database
}

/// Counts how often an outcome is about to be written: the effect to follow is recorded just before.
fn count_tries(database: &Connection) -> impl Fn() -> u32 {
    let count = "CREATE TABLE tried (at INTEGER);
                 CREATE TRIGGER counted AFTER UPDATE ON activity WHEN NEW.outcome = OLD.outcome
                 BEGIN INSERT INTO tried VALUES (1); END";
    database.execute_batch(count).unwrap();
    || database.query_row("SELECT count(*) FROM tried", [], |row| row.get(0)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_that_cannot_be_recorded_is_told_and_recorded_as_soon_as_it_can() {
    let bench = Bench::open().await;
    let database = refuse_outcomes(&bench);
    let tries = count_tries(&database);
    let activity = bench.attempt(asked::queue_timeout("arena-eu", 120)).await;
    assert_eq!(activity.outcome, ActivityOutcome::Done);
    let message = activity.message.as_deref().unwrap();
    assert!(message.contains("could not be recorded") && message.contains("it is full"), "{message}");
    assert_eq!(bench.recorded(&activity.id).await.outcome, ActivityOutcome::Sending);
    let settled = bench.guard.settle(&activity.id).await.unwrap_err().to_string();
    assert!(settled.contains("its answer is being recorded"), "nobody looks for what is known: {settled}");

    // The third try begins only after the second was refused, so a repeated refusal does not end the tries.
    eventually("it is tried a third time", async || tries() >= 3).await;
    database.execute_batch("DROP TRIGGER full").unwrap();
    let recorded = async || bench.recorded(&activity.id).await.outcome == ActivityOutcome::Done;
    eventually("it is recorded", recorded).await;
    let known = bench.recorded(&activity.id).await;
    assert_eq!((known.proof, &known.request_id), (Proof::Answered, &activity.request_id));
    assert_eq!(bench.calls("UpdateGameSessionQueue"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_ends_waits_for_no_database_and_the_next_start_looks_into_it() {
    let bench = Bench::open().await;
    let database = refuse_outcomes(&bench);
    let activity = bench.attempt(asked::queue_timeout("arena-eu", 120)).await;
    bench.guard.clone().close().await;
    assert_eq!(bench.recorded(&activity.id).await.outcome, ActivityOutcome::Sending);

    database.execute_batch("DROP TRIGGER full").unwrap();
    let bench = bench.killed_and_restarted().await;
    let found = async || bench.recorded(&activity.id).await.outcome == ActivityOutcome::Done;
    eventually("it is found done", found).await;
    assert_eq!(bench.recorded(&activity.id).await.proof, Proof::Seen);
    assert_eq!(bench.calls("UpdateGameSessionQueue"), 1);
}
