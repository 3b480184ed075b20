//! What survives kills, and how long the write-ahead log may get.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use liftdeck_model::observation::Observation;
use liftdeck_store::{Access, Store, StoreOptions};

use crate::fixture::{FLEET, NOW, Place, batch, placement, session};

/// Environment variable that names the database to a child process of the kill test.
const CHILD: &str = "LIFTDECK_TEST_APPEND_TO";
const KILLS: u32 = 20;

/// Appends placement events for ever and prints those that were acknowledged.
async fn append(path: PathBuf) {
    let store =
        Store::open(StoreOptions { path, access: Access::ReadWrite, account: None, now: NOW }).await.unwrap();
    let writer = store.writer().unwrap();
    let present: i64 = store.reader().revision().await.unwrap().cast_signed();
    let mut number = u32::try_from(present).unwrap() * 1_000_000;
    loop {
        let events = (number..number + 3).map(placement).collect();
        writer.apply(batch(NOW, vec![Observation::PlacementEvents(events)])).await.unwrap();
        let mut out = std::io::stdout().lock();
        for acknowledged in number..number + 3 {
            writeln!(out, "ack placement-{acknowledged}").unwrap();
        }
        out.flush().unwrap();
        number += 3;
    }
}

#[tokio::test]
async fn a_killed_writer_loses_nothing_it_acknowledged() {
    if let Some(path) = std::env::var_os(CHILD) {
        return append(path.into()).await;
    }
    let place = Place::new();
    let mut acknowledged: HashSet<String> = HashSet::new();
    for kill in 0..KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "durability::a_killed_writer_loses_nothing_it_acknowledged", "--nocapture"])
            .env(CHILD, place.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Each kill comes after a different number of acknowledgements, whatever the writer is doing then.
        for _ in 0..3 + kill * 7 {
            let line = lines.next().unwrap().unwrap();
            acknowledged.extend(line.strip_prefix("ack ").map(str::to_owned));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(lines.map_while(Result::ok).filter_map(|line| {
            // The last line may be cut by the kill; a whole one ends in a number that was acknowledged.
            line.strip_prefix("ack ").filter(|id| id.starts_with("placement-")).map(str::to_owned)
        }));
    }
    let store = place.open().await;
    let present: HashSet<String> = sqlx::query_scalar("SELECT placement_id FROM placement_event")
        .fetch_all(&mut place.look().await)
        .await
        .unwrap()
        .into_iter()
        .collect();
    let lost: Vec<_> = acknowledged.iter().filter(|id| !present.contains(*id)).collect();
    assert!(acknowledged.len() > 500, "only {} were acknowledged", acknowledged.len());
    assert!(lost.is_empty(), "{lost:?}");
    let verdict: String =
        sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut place.look().await).await.unwrap();
    assert_eq!(verdict, "ok");
    store.close().await;
}

#[tokio::test]
async fn rows_that_fail_half_way_leave_nothing_and_are_written_once_they_can_be() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    // Written by another program: a row with the key that the third of the new sessions would get.
    sqlx::raw_sql(
        "PRAGMA foreign_keys = OFF; INSERT INTO game_session (session_key, id, prefix_key, fleet_key, first_seen_at) \
         VALUES (3, 'in the way', 1, 1, 0)",
    )
    .execute(&mut place.look().await)
    .await
    .unwrap();
    let sessions = || batch(NOW, vec![Observation::GameSessions((1..=5).map(session).collect())]);
    assert!(writer.apply(sessions()).await.is_err(), "a key is taken");
    assert_eq!(place.number("SELECT count(*) FROM game_session").await, 1);
    assert_eq!(place.number("SELECT count(*) FROM game_session_state").await, 0);
    sqlx::raw_sql("DELETE FROM game_session").execute(&mut place.look().await).await.unwrap();
    writer.apply(sessions()).await.unwrap();
    assert_eq!(
        place.number("SELECT count(*) FROM game_session JOIN game_session_state USING (session_key)").await,
        5
    );
    assert_eq!(place.number("SELECT count(*) FROM pragma_foreign_key_check").await, 0);
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_log_stays_bounded_while_somebody_always_reads() {
    const BOUND_BYTES: u64 = 64 * 1024 * 1024;
    let place = Place::new();
    let store = place.open().await;
    let stop = Arc::new(AtomicBool::new(false));
    let queries = Arc::new(AtomicU64::new(0));
    let mut readers = tokio::task::JoinSet::new();
    for _ in 0..3 {
        let (reader, stop, queries) = (store.reader(), Arc::clone(&stop), Arc::clone(&queries));
        // Overlapping, so that there is no moment without a running query.
        readers.spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                reader.live_game_sessions(&FLEET.into()).await.unwrap();
                queries.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    let log = place.folder.path().join("account.sqlite-wal");
    let (mut longest, mut total) = (0, 0);
    let writer = store.writer().unwrap();
    // Hardly compressible, and different for each session in each round: a round writes more than a megabyte.
    let text = |number: u32| {
        (0..60).map(|part| crate::fixture::uuid(number * 61 + part, number ^ part)).collect::<String>()
    };
    let texts: Vec<String> = (0..600).map(text).collect();
    // On a busy machine few queries come to a round.
    let is_enough = |round: u32| round >= 60 && queries.load(Ordering::Relaxed) > 100;
    for round in (0..600_u32).take_while(|round| !is_enough(*round)) {
        let sessions = (0..600_u32).map(|number| {
            let mut session = session(number);
            session.matchmaker_data = texts.get(((number + round) % 600) as usize).cloned();
            session
        });
        writer
            .apply(batch(NOW.plus_ms(i64::from(round)), vec![Observation::GameSessions(sessions.collect())]))
            .await
            .unwrap();
        let bytes = std::fs::metadata(&log).map(|file| file.len()).unwrap_or(0);
        longest = longest.max(bytes);
        total += 1;
    }
    stop.store(true, Ordering::Relaxed);
    readers.join_all().await;
    let queries = queries.load(Ordering::Relaxed);
    assert!(longest <= BOUND_BYTES, "the log reached {longest} bytes in {total} rounds");
    assert!(longest > 4 * 1024 * 1024, "too little was written to prove anything: {longest} bytes");
    assert!(queries > 100, "nobody read: {queries}");
    tokio::time::timeout(Duration::from_mins(3), store.close()).await.expect("closing hangs");
}
