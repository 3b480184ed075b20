//! SIGKILL at random moments.

use std::collections::BTreeMap;
use std::time::Instant;

use liftdeck_tests::post::Post;

use super::Desk;

/// Attempts, each with its own game session.
const TRIES: u32 = 20;

#[test]
fn a_change_killed_at_any_moment_is_sent_once_or_never_and_the_record_says_which() {
    // The world stands still, so no game session ends by itself before it is checked.
    let mut desk = Desk::at(&["--scenario", "quiet", "--seed", "5", "--speed", "0", "--no-throttle"]);
    let post = Post::before(&desk.endpoint);
    desk.endpoint.clone_from(&post.endpoint);
    let sessions = desk.sessions(TRIES as usize + 1);
    let takes = Instant::now();
    desk.made(&["session", "update", &sessions[0], "--name", "try-0"]);
    let takes = takes.elapsed();

    let tries: BTreeMap<String, &String> =
        (1..=TRIES).map(|number| (format!("try-{number}"), &sessions[number as usize])).collect();
    let (mut whole, mut known) = (takes, 1);
    for (at, (name, session)) in tries.iter().enumerate() {
        let mut begun = desk.begin(&["session", "update", session, "--name", name]);
        // From the start to past the end of an undisturbed change, mostly where it is sent.
        let share = 0.3 + 0.9 * at as f64 / f64::from(TRIES);
        std::thread::sleep(whole.mul_f64(share));
        begun.kill();
        let rows = desk.attempts("UpdateGameSession");
        let sent = desk.calls("UpdateGameSession");
        // The duration depends on the load of the machine. A late kill before anything was recorded shows that it is
        // slower.
        if share > 0.9 && rows.len() == known {
            whole = whole.mul_f64(1.5);
        }
        known = rows.len();
        assert!(rows.len() as u64 >= sent, "{sent} reached the world, {} are on record", rows.len());
    }
    desk.settle_for_good(&post);

    let rows = desk.attempts("UpdateGameSession");
    let changed = |name: &str| desk.found("GameSessions", "Name", name).is_some();
    let mut done = 1;
    for (name, session) in &tries {
        let of_try: Vec<_> = rows.iter().filter(|row| row["resource"] == ***session).collect();
        assert!(of_try.len() <= 1, "{name} is on record {} times", of_try.len());
        let outcome = of_try.first().map(|row| row["outcome"].as_str().unwrap());
        done += u64::from(changed(name));
        match outcome {
            Some("done") => assert!(changed(name), "{name} is not done: {of_try:?}"),
            Some("failed") | None => assert!(!changed(name), "{name} is done: {of_try:?}"),
            Some(other) => panic!("{name} is still {other}: {of_try:?}"),
        }
    }
    assert_eq!(desk.calls("UpdateGameSession"), done, "nothing is sent twice");
    assert!(done > 1, "no try came far enough");
}
