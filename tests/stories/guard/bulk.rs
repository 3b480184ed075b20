//! SIGKILL in the middle of a bulk change, again and again.

use std::time::Duration;

use liftdeck_tests::post::Post;
use liftdeck_tests::program::{self, eventually};
use serde_json::Value;

use super::Desk;

/// Returns the id and state of the only run on record.
fn only_run(desk: &Desk) -> (String, String) {
    let run = program::only_run(desk.home.path(), &desk.db);
    (run["id"].as_str().unwrap().to_owned(), run["state"].as_str().unwrap().to_owned())
}

#[test]
fn a_bulk_change_killed_again_and_again_sends_nothing_twice_and_forgets_nothing() {
    const MANY: usize = 40;
    let mut desk = Desk::at(&["--scenario", "quiet", "--seed", "5", "--speed", "0", "--no-throttle"]);
    let post = Post::before(&desk.endpoint);
    desk.endpoint.clone_from(&post.endpoint);
    let sessions: Vec<String> = desk.sessions(MANY).into_iter().take(MANY).collect();
    assert_eq!(sessions.len(), MANY);
    let mut words = vec!["session", "update", "--name", "renamed"];
    words.extend(sessions.iter().map(String::as_str));
    let mut begun = desk.begin(&words);
    for (at, jitter_ms) in [(8, 30), (16, 170), (24, 90)] {
        eventually(Duration::from_secs(120), "more changes are sent", || {
            (desk.calls("UpdateGameSession") >= at).then_some(())
        });
        std::thread::sleep(Duration::from_millis(jitter_ms));
        begun.kill();
        let (sent, known) = (desk.calls("UpdateGameSession"), desk.attempts("UpdateGameSession").len());
        assert!(known as u64 >= sent, "{sent} reached the world, {known} are on record");
        let (id, _) = only_run(&desk);
        begun = desk.begin_resuming(&id);
    }
    begun.wait(Duration::from_secs(180));
    let (id, state) = only_run(&desk);
    assert_eq!(state, "finished");
    desk.settle_for_good(&post);

    let rows = desk.attempts("UpdateGameSession");
    assert!(rows.iter().all(|row| row["run_id"] == *id), "every attempt belongs to the run");
    let renamed = |id: &str| desk.found("GameSessions", "GameSessionId", id).unwrap()["Name"] == "renamed";
    let mut done = 0;
    for session in &sessions {
        let of_session: Vec<&Value> = rows.iter().filter(|row| row["resource"] == **session).collect();
        let outcome = of_session.last().unwrap()["outcome"].as_str().unwrap();
        assert_eq!(outcome == "done", renamed(session), "{of_session:?}");
        assert!(outcome == "done" || outcome == "failed", "{of_session:?}");
        done += u64::from(outcome == "done");
    }
    assert_eq!(desk.calls("UpdateGameSession"), done, "each that reached the world did so once");
    assert!(done >= MANY as u64 - 12, "only what was under way at a kill is left undone: {done}");
}
