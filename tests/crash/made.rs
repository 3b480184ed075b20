//! Makes a database as a program with the first schema left it, using an independent SQLite client.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use xxhash_rust::xxh3::Xxh3;

/// Returns the migration scripts, in order.
pub(crate) fn migrations() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/crates/store/migrations");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the migrations")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "sql"))
        .collect();
    files.sort();
    files.iter().map(|path| std::fs::read_to_string(path).expect("a script")).collect()
}

/// Computes the schema fingerprint that an older program stored: a hash of its scripts without comments.
fn fingerprint(scripts: &[String]) -> String {
    let mut hash = Xxh3::new();
    for line in scripts.iter().flat_map(|script| script.lines()) {
        let code = line.split_once("--").map_or(line, |(code, _)| code);
        for word in code.split_whitespace() {
            hash.update(word.as_bytes());
            hash.update(b" ");
        }
    }
    format!("{:016x}", hash.digest())
}

/// Events in an old database.
pub(crate) const EVENTS: u64 = 20_000;
/// Tickets that those events belong to.
pub(crate) const TICKETS: u64 = EVENTS / 4;
/// `LiFt`, the application id of Liftdeck's database files.
const APPLICATION_ID: u32 = 0x4c69_4674;

/// Four events for each ticket and as many placements, all from long ago.
const CONTENT: &str = "
    INSERT INTO region (region_key, name) VALUES (1, 'eu-west-1');
    WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ?1 - 1)
    INSERT INTO matchmaking_event (event_key, event_id, event_type, configuration, region_key, event_at, match_id, tickets)
    SELECT n + 1, 'e-' || n,
        CASE n % 4 WHEN 0 THEN 'MatchmakingSearching' WHEN 1 THEN 'PotentialMatchCreated'
            WHEN 2 THEN 'AcceptMatch' ELSE 'MatchmakingSucceeded' END,
        'ranked', 1, 1700000000000 + n * 100, 'm-' || (n / 4),
        json_array(json_object('ticket_id', 'tk-' || (n / 4), 'start_time', 1700000000000, 'players',
            json_array(json_object('player_id', 'p-' || (n / 4), 'team', 'red', 'accepted', NULL))))
    FROM number;
";
const PLACEMENTS: &str = "
    WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ?1 - 1)
    INSERT INTO placement_event (placement_id, event_type, queue, region_key, event_at, start_at, end_at, players)
    SELECT 'old-' || n, 50, 'arena', 1, 1700000000000 + n * 1000, 1699999999000 + n * 1000, 1700000000000 + n * 1000, 1
    FROM number;
";

/// Makes a database as a program with the first schema left it.
pub(crate) fn make(path: &Path) {
    let scripts = migrations();
    let connection = Connection::open(path).expect("a database");
    let (region, events) = CONTENT.split_once(';').expect("two statements");
    let stamp = format!(
        "PRAGMA user_version = 1; PRAGMA application_id = {APPLICATION_ID};
         INSERT INTO fact (name, value) VALUES ('schema', '{}');",
        fingerprint(&scripts[..1])
    );
    // Set as that program set them: these options stay for the life of the file.
    let file = "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; BEGIN";
    connection.execute_batch(file).expect("a transaction");
    connection.execute_batch(&scripts[0]).expect("the first schema");
    connection.execute_batch(region).expect("a Region");
    connection.execute(events, [EVENTS as i64]).expect("events");
    connection.execute(PLACEMENTS, [EVENTS as i64]).expect("placements");
    connection.execute_batch(&stamp).expect("the mark of its schema");
    connection.execute_batch("COMMIT").expect("a commit");
}
