//! The feed takes only its own messages; those of another program stay in their queue.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use liftdeck_tests::program::{self, Ended, Group, Simulation, eventually, run, take_the_whole_budget};
use liftdeck_tests::sqs::Queue;
use serde_json::{Value, json};

/// Messages of a shop in a queue that does not belong to Liftdeck.
const MESSAGES: u64 = 200;

fn shop(simulation: &Simulation, region: &str) -> Queue {
    let queue = Queue::create(&simulation.endpoint(), region, "shop-orders");
    queue.send((0..MESSAGES).map(|number| json!({ "order": number }).to_string()));
    queue
}

fn arguments<'a>(db: &'a str, region: &'a str, endpoint: &'a str) -> Vec<&'a str> {
    vec!["--db", db, "--region", region, "--endpoint-url", endpoint]
}

/// Returns how often messages were received, as the next reader sees it. This receive counts too.
fn deliveries(queue: &Queue) -> u64 {
    let ask = json!({"QueueUrl": queue.url, "AttributeNames": ["All"], "VisibilityTimeout": 0});
    let got = queue.ask("ReceiveMessage", &ask);
    let told = got["Messages"][0]["Attributes"]["ApproximateReceiveCount"].as_str();
    told.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("no message: {got}"))
}

fn export_aside(home: &Path, db: &str) -> Vec<Value> {
    let ended = run(home, ["feed", "aside", "export", "--db", db]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    ended.ndjson()
}

#[test]
fn messages_of_another_program_stay_in_its_queue_until_somebody_decides_about_them() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    take_the_whole_budget(home);
    let db = home.join("feed.sqlite").to_string_lossy().into_owned();
    let simulation = Simulation::start(home, &["--scenario", "quiet", "--seed", "5", "--speed", "0"]);
    // The Region with the fewest resources: the published rates decide how long a pass takes.
    let (region, endpoint) = ("ap-northeast-1".to_owned(), simulation.endpoint());
    let queue = shop(&simulation, &region);
    let place = arguments(&db, &region, &endpoint);

    // Collects for an hour beside it: a queue that is not adopted is not touched.
    let mut command = program::command(home);
    command.args(["collect", "--for", "1h", "--event-queue", &queue.url]).args(&place);
    let mut beside = Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
    let calls = || simulation.get("/_simulator/calls").to_string();
    for _ in 0..6 {
        let asked = calls();
        simulation.post("/_simulator/advance", &json!({ "seconds": 600 }));
        eventually(Duration::from_secs(300), "it goes on collecting", || (calls() != asked).then_some(()));
    }
    assert!(calls().contains("GetQueueAttributes"), "it did look at the queue: {}", calls());
    assert!(!calls().contains("ReceiveMessage"), "{}", calls());
    beside.signal("-TERM");
    beside.wait(Duration::from_secs(120));
    assert_eq!(queue.left(), MESSAGES);
    assert_eq!(deliveries(&queue), 1, "the first receive is this test's own");

    // When told to collect from it anyway, the program says that it does not, even with `--adopt`.
    let once: Vec<&str> =
        ["collect", "--once", "--event-queue", &queue.url].into_iter().chain(place.iter().copied()).collect();
    let told = run(home, &once);
    assert_eq!(told.code, 4, "{}", told.stderr);
    assert!(told.stderr.contains("is not adopted: its messages are left alone"), "{}", told.stderr);
    let forced = run(home, once.iter().copied().chain(["--adopt"]));
    assert_eq!(forced.code, 3, "{}", forced.stderr);
    assert!(forced.stderr.contains("shop-orders"), "{}", forced.stderr);

    // A look shows whose messages they are. Consent alone is not enough: the name must be typed.
    let adopt = |more: &[&str]| {
        let words: Vec<&str> =
            ["feed", "adopt", &queue.url].iter().chain(&place).chain(more).copied().collect();
        run(home, words)
    };
    let look = adopt(&["--dry-run"]);
    assert_eq!(look.code, 0, "{}", look.stderr);
    assert!(look.stdout.contains("50 that are not GameLift events"), "{}", look.stdout);
    assert_eq!(adopt(&["--yes"]).code, 3);
    assert_eq!(adopt(&["--confirm", "shop"]).code, 3);
    assert_eq!(queue.left(), MESSAGES);

    // Adopted with `leave`: all messages are still there after collecting.
    let adopted = adopt(&["--confirm", "shop-orders"]);
    assert_eq!(adopted.code, 0, "{}", adopted.stderr);
    for _ in 0..2 {
        let ended = run(home, &once);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        assert_eq!(queue.left(), MESSAGES);
    }

    // Adopted with `set-aside`: messages are stored durably here before they are deleted there.
    let released = run(home, ["feed", "release", &queue.url].into_iter().chain(place.iter().copied()));
    assert_eq!(released.code, 0, "{}", released.stderr);
    let adopted = adopt(&["--foreign", "set-aside", "--confirm", "shop-orders"]);
    assert_eq!(adopted.code, 0, "{}", adopted.stderr);
    let ended = run(home, &once);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert_eq!(queue.left(), 0);
    let mut orders: Vec<u64> = export_aside(home, &db)
        .iter()
        .map(|row| {
            serde_json::from_str::<Value>(row["body"].as_str().unwrap()).unwrap()["order"].as_u64().unwrap()
        })
        .collect();
    orders.sort_unstable();
    assert_eq!(orders, (0..MESSAGES).collect::<Vec<_>>());
    for (limit, is_all) in [(MESSAGES - 1, false), (MESSAGES, true)] {
        let ended =
            run(home, ["feed", "aside", "list", "--db", &db, "--limit", &limit.to_string(), "--json"]);
        let listed: Value = serde_json::from_str(&ended.stdout).expect(&ended.stderr);
        assert_eq!(
            (&listed["total"], &listed["total_is_exact"]),
            (&limit.into(), &is_all.into()),
            "{listed}"
        );
    }
    a_file_of_what_was_set_aside_is_whole_and_private(home, &db);
}

fn a_file_of_what_was_set_aside_is_whole_and_private(home: &Path, db: &str) {
    let out = home.join("aside.ndjson");
    let words = ["feed", "aside", "export", "--db", db, "--out", &*out.to_string_lossy()].map(str::to_owned);
    let ended = run(home, &words);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let whole = std::fs::read_to_string(&out).unwrap();
    assert_eq!(whole, run(home, &words[..5]).stdout);
    assert_eq!(std::fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);

    // Limits files to 36 KiB, like a disk that fills up: the previous content stays.
    assert!(whole.len() > 40_000, "{} bytes", whole.len());
    let mut small = Command::new("sh");
    small.args(["-c", "trap '' XFSZ; ulimit -f 72; exec \"$0\" \"$@\""]).arg(program::path()).args(&words);
    let refused = Ended::from(small.env("LIFTDECK_HOME", home).output().unwrap());
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("aside.ndjson"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), whole);
}
