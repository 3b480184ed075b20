//! Kills the program while it writes an export or deletes expired rows. A file is complete or absent, and newer rows
//! stay.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use liftdeck_model::Timestamp;
use liftdeck_store::{Access, RetentionPolicy, Store, StoreOptions};
use liftdeck_tests::program::{Group, run};

use crate::old;
use crate::place::Place;
use crate::{Scene, Tally};

/// Exports many rows.
#[derive(Default)]
pub(crate) struct Export {
    /// The database, and an export of it that was not interrupted.
    made: Option<(PathBuf, Vec<u8>)>,
}

impl Export {
    fn words(db: &std::path::Path, out: &std::path::Path) -> Vec<String> {
        let (db, out) = (db.to_string_lossy(), out.to_string_lossy());
        let words = ["export", "matchmaking-events", "--db", &db, "--format", "csv", "--out", &out];
        words.map(str::to_owned).to_vec()
    }

    fn out(place: &Place) -> PathBuf {
        place.home.path().join("exports/events.csv")
    }
}

impl Scene for Export {
    fn name(&self) -> &'static str {
        "an export"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        let out = Self::out(place);
        let (db, _) = self.made.get_or_insert_with(|| {
            std::fs::create_dir_all(out.parent().expect("a folder")).expect("a folder");
            let db = old::migrated(place, "exported.sqlite");
            let ended = run(place.home.path(), Self::words(&db, &out));
            assert_eq!(ended.code, 0, "{}", ended.stderr);
            let whole = std::fs::read(&out).expect("an export");
            assert!(whole.iter().filter(|byte| **byte == b'\n').count() as u64 >= old::EVENTS);
            (db, whole)
        });
        let _ = std::fs::remove_file(&out);
        place.start_with(&Self::words(db, &out))
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        let (db, whole) = self.made.as_ref().expect("it was begun");
        if let Ok(written) = std::fs::read(Self::out(place)) {
            assert!(written == *whole, "a file of {} bytes instead of {}", written.len(), whole.len());
        }
        place.look(db, tally);
    }
}

/// Runs retention over events, half of which are too old.
#[derive(Default)]
pub(crate) struct Retention {
    template: Option<PathBuf>,
    number: u32,
    db: PathBuf,
}

/// Environment variable that names the database for the process that runs retention.
const DATABASE: &str = "LIFTDECK_TEST_RETAIN";
/// Time of the middle event of the old database, in milliseconds since the epoch.
const MIDDLE_MS: i64 = 1_700_000_000_000 + (old::EVENTS as i64 / 2) * 1_000;

/// Runs retention and returns the exit code, if this process was started for that. The program itself runs it two
/// minutes after its start and then once an hour, which is too seldom for a thousand kills.
pub(crate) fn retaining() -> Option<ExitCode> {
    let path = PathBuf::from(std::env::var_os(DATABASE)?);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let done = runtime.block_on(async {
        let day_ms = 86_400_000;
        let policy = RetentionPolicy { event_days: 1, ..RetentionPolicy::default() };
        let now = Timestamp::from_ms(MIDDLE_MS + day_ms);
        let options = StoreOptions { path, access: Access::ReadWrite, account: None, now };
        let store = Store::open(options).await?;
        let writer = store.writer()?;
        // Without a date from AWS, no row is known to be old.
        writer.listen_to(Arc::new(move || Some(now)));
        writer.retain(now, policy).await?;
        store.close().await;
        Ok::<_, liftdeck_store::StoreError>(())
    });
    Some(if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Scene for Retention {
    fn name(&self) -> &'static str {
        "retention"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        let template = self.template.get_or_insert_with(|| old::migrated(place, "retained.sqlite"));
        self.number += 1;
        self.db = place.home.path().join(format!("retained-{}.sqlite", self.number));
        for ending in ["", "-wal"] {
            let of = |path: &PathBuf| format!("{}{ending}", path.display());
            if std::fs::exists(of(template)).unwrap_or(false) {
                std::fs::copy(of(template), of(&self.db)).expect("a copy");
            }
        }
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.env(DATABASE, &self.db).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Group::spawn(&mut command)
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        let looked = place.look(&self.db, tally).expect("a database");
        let young =
            looked.count(&format!("SELECT count(*) FROM placement_event WHERE event_at >= {MIDDLE_MS}"));
        let lost = (old::EVENTS / 2).saturating_sub(young);
        Tally::add(&tally.lost, lost);
        assert_eq!(lost, 0, "placements that are not too old");
        for (table, of) in
            [("matchmaking_ticket", "matchmaking_event"), ("placement_player", "placement_event")]
        {
            let left =
                format!("SELECT count(*) FROM {table} WHERE event_key NOT IN (SELECT event_key FROM {of})");
            assert_eq!(looked.count(&left), 0, "rows of {table} that lead nowhere");
        }
        drop(looked);
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{ending}", self.db.display()));
        }
    }
}
