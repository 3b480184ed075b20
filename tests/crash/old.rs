//! Kills the program while it migrates a database of an older version. All content must still be there afterwards.

use std::path::{Path, PathBuf};
use std::time::Duration;

use liftdeck_tests::program::{Group, eventually, socket_of};

pub(crate) use crate::made::EVENTS;
use crate::made::{TICKETS, make, migrations};
use crate::place::Place;
use crate::{Scene, Tally};

/// Returns an old database in this place, made once.
fn template(place: &Place) -> PathBuf {
    let path = place.home.path().join("of-schema-1.sqlite");
    if !path.exists() {
        make(&path);
    }
    path
}

/// Starts the program, which begins or continues the migration of a database.
fn opening(place: &Place, db: &Path) -> Group {
    place.start(&["collect", "--for", "10m"], db)
}

/// Returns a fresh copy of an old database, migrated without interruption.
pub(crate) fn migrated(place: &Place, name: &str) -> PathBuf {
    let db = place.home.path().join(name);
    std::fs::copy(template(place), &db).expect("a copy");
    finish(place, &db);
    db
}

fn finish(place: &Place, db: &Path) {
    let socket = socket_of(db);
    let _ = std::fs::remove_file(&socket);
    let mut last = opening(place, db);
    eventually(Duration::from_secs(240), "the database is open", || {
        assert!(last.runs(), "an old database cannot be opened");
        socket.exists().then_some(())
    });
    last.kill();
}

/// Kills the program while it migrates a database.
#[derive(Default)]
pub(crate) struct Migration {
    db: PathBuf,
    number: u32,
}

impl Scene for Migration {
    fn name(&self) -> &'static str {
        "a migration"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        self.number += 1;
        self.db = place.home.path().join(format!("old-{}.sqlite", self.number));
        std::fs::copy(template(place), &self.db).expect("a copy");
        opening(place, &self.db)
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        let known = migrations().len() as u64;
        for is_finished in [false, true] {
            if is_finished {
                finish(place, &self.db);
            }
            let looked = place.look(&self.db, tally).expect("a database");
            let version = looked.count("PRAGMA user_version");
            assert!((1..=known).contains(&version), "schema {version} of {known}");
            let lost = [("matchmaking_event", EVENTS), ("placement_event", EVENTS)].map(|(table, there)| {
                there.saturating_sub(looked.count(&format!("SELECT count(*) FROM {table}")))
            });
            Tally::add(&tally.lost, lost.iter().sum());
            assert_eq!(lost, [0, 0], "of an old database at schema {version}");
            if is_finished {
                assert_eq!(version, known, "it is brought up to date by the next start");
                assert_eq!(looked.count("SELECT count(*) FROM ticket"), TICKETS);
            }
        }
        for entry in std::fs::read_dir(place.home.path()).expect("a folder").flatten() {
            if entry.file_name().to_string_lossy().starts_with("old-") {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
