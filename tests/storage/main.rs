//! A disk that is full, fails, or turns read-only under everything that writes. Acknowledged data stays, nothing is
//! damaged, callers get an error, and the work continues by itself once the disk recovers.
//!
//! Owns what must hold for every cell. The disk is `fault.c`, preloaded into the process that does the work, so this
//! needs LD_PRELOAD.

mod cell;
mod disk;
mod feed;
mod files;
#[path = "../crash/made.rs"]
mod made;
mod work;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use liftdeck_tests::trial::Trial;
use rusqlite::{Connection, OpenFlags};

use cell::Calls;
use disk::{Disk, FAULTS, Fault};
use work::Work;

/// Cells run at once: they spend most of their time waiting for the disk.
const AT_ONCE: usize = 4;

/// Files that are made once and copied.
struct Templates {
    library: PathBuf,
    folder: tempfile::TempDir,
}

impl Templates {
    fn make() -> Self {
        let templates = Self { library: Disk::library(), folder: tempfile::tempdir().expect("a folder") };
        made::make(&templates.old());
        std::fs::copy(templates.old(), templates.newest()).expect("a copy");
        let folder = templates.folder.path();
        let disk = Disk::new(&templates.library, folder, folder.join("plan"));
        let said = do_work(Work::Migration, &templates.newest(), &disk);
        assert!(said.ended, "an old database is not brought up to date: {said:?}");
        templates
    }

    /// Returns a database of the first schema.
    fn old(&self) -> PathBuf {
        self.folder.path().join("old.sqlite")
    }

    /// Returns the same database, migrated.
    fn newest(&self) -> PathBuf {
        self.folder.path().join("new.sqlite")
    }

    /// Makes a folder on a disk that may fail, with the files a work starts from.
    fn place(&self, work: Work) -> (tempfile::TempDir, PathBuf, Disk) {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("disk");
        std::fs::create_dir(&folder).expect("a folder");
        let db = folder.join("cell.sqlite");
        match work {
            Work::Migration => drop(std::fs::copy(self.old(), &db).expect("a copy")),
            Work::Retention => drop(std::fs::copy(self.newest(), &db).expect("a copy")),
            _ => {}
        }
        let disk = Disk::new(&self.library, &folder, home.path().join("plan"));
        (home, db, disk)
    }
}

/// Output of a process that did a work.
#[derive(Debug, Default)]
struct Said {
    acknowledged: BTreeSet<String>,
    refused: Vec<String>,
    recovered: bool,
    ended: bool,
}

fn do_work(work: Work, db: &Path, disk: &Disk) -> Said {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env(work::DATABASE, db).env(work::WORK, work.name()).stdin(Stdio::null());
    let output = disk.under(&mut command).output().expect("it starts");
    let mut said = Said { ended: output.status.success(), ..Said::default() };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(piece) = line.strip_prefix("ack ") {
            said.acknowledged.insert(piece.to_owned());
        } else if let Some(refused) = line.strip_prefix("refused ") {
            said.refused.push(refused.to_owned());
        } else if line.starts_with("recovered ") {
            said.recovered = true;
        }
    }
    assert!(said.ended, "{} never ends: {}", work.name(), String::from_utf8_lossy(&output.stderr));
    said
}

/// Opens the database that a cell left, with an independent SQLite client, and checks it.
fn look(db: &Path) -> Connection {
    let looked = Connection::open_with_flags(db, OpenFlags::SQLITE_OPEN_READ_WRITE).expect("a database");
    let verdict: String =
        looked.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict");
    assert_eq!(verdict, "ok", "{} is damaged", db.display());
    looked
}

fn count(looked: &Connection, question: &str) -> u64 {
    let count: i64 = looked.query_row(question, [], |row| row.get(0)).expect(question);
    count.unsigned_abs()
}

/// Returns how many calls a work makes if nothing fails.
fn calls(templates: &Templates, work: Work) -> Calls {
    let (_home, db, disk) = templates.place(work);
    let said = do_work(work, &db, &disk);
    hold(work, &db, &said);
    assert!(said.refused.is_empty(), "refused on a disk that works: {:?}", said.refused);
    FAULTS.map(|fault| disk.calls(fault))
}

/// Does a work while the disk fails somewhere in it. Returns how many calls failed.
fn worked(templates: &Templates, work: Work, fault: Fault, well: u64, failing: u64) -> u64 {
    let (home, db, disk) = templates.place(work);
    disk.fail(fault, well, failing);
    let said = do_work(work, &db, &disk);
    hold(work, &db, &said);
    assert!(!said.recovered, "an intact database was taken for damaged");
    for refused in &said.refused {
        let is_plain = fault.is_told_by(refused) && refused.contains("cell.sqlite");
        assert!(is_plain, "not said what failed and where: {refused}");
    }
    let left: Vec<_> = std::fs::read_dir(home.path().join("disk"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .filter(|name| {
            [".new", ".copy-part", ".before-migration", ".damage"].iter().any(|part| name.contains(part))
        })
        .collect();
    assert!(left.is_empty(), "left behind: {left:?}");
    assert!(disk.failed() > 0, "no call met the fault");
    disk.failed()
}

/// Checks a database against what was acknowledged.
fn hold(work: Work, db: &Path, said: &Said) {
    let looked = look(db);
    let pieces = said.acknowledged.len() as u64;
    match work {
        Work::Polls => {
            assert_eq!(pieces, work::PIECES);
            let samples = "SELECT count(*) FROM metric_hot JOIN metric_series USING (series_key) WHERE name = 'DesiredInstances'";
            assert_eq!(count(&looked, samples), pieces, "samples of acknowledged polls");
            assert_eq!(count(&looked, "SELECT desired FROM fleet_capacity"), pieces);
        }
        Work::Events | Work::Opening => {
            let all = if work == Work::Events { work::PIECES } else { work::PIECES / 10 };
            assert_eq!(pieces, all);
            let events = count(&looked, "SELECT count(*) FROM placement_event");
            assert_eq!(events, pieces * 3, "events of acknowledged batches");
        }
        Work::Changes => {
            assert_eq!(pieces, 2 * work::PIECES);
            let done = "SELECT count(*) FROM activity JOIN activity_document USING (activity_key) WHERE outcome = 'done'";
            assert_eq!(count(&looked, done), work::PIECES);
        }
        Work::Migration => {
            for table in ["matchmaking_event", "placement_event"] {
                assert_eq!(count(&looked, &format!("SELECT count(*) FROM {table}")), made::EVENTS, "{table}");
            }
            assert_eq!(count(&looked, "SELECT count(*) FROM ticket"), made::TICKETS);
        }
        Work::Retention => {
            let middle = work::NOW.as_ms() - 86_400_000;
            let young = format!("SELECT count(*) FROM placement_event WHERE event_at >= {middle}");
            assert_eq!(count(&looked, &young), made::EVENTS / 2, "placements that are not too old");
            assert_eq!(count(&looked, "SELECT count(*) FROM placement_event"), made::EVENTS / 2);
        }
    }
}

fn main() -> ExitCode {
    if let Some(ended) = work::doing() {
        return ended;
    }
    let trial = Trial::begin("storage");
    if !cfg!(target_os = "linux") {
        return trial.end("not run: no disk can be made to fail here without LD_PRELOAD");
    }
    let rounds = trial.size(1);
    let Some(templates) = trial.part("the templates", Templates::make) else {
        return trial.end("0 cells hold");
    };
    let works = Work::ALL.map(|work| (format!("{} on a disk that works", work.name()), work));
    let mut works = trial.parts(AT_ONCE, works, |work| (work, calls(&templates, work)));
    // Sorted, so that a seed always makes the same choices.
    works.sort_by_key(|(work, _)| work.name());
    let cells = cell::all(&mut trial.chance(0), rounds, works);
    let count = cells.len();
    let whole = trial.broken();
    let failed: u64 = trial.parts(AT_ONCE, cells, |cell| cell.run(&templates)).into_iter().sum();
    let held = count.saturating_sub(trial.broken() - whole);
    trial.end(&format!("{held} of {count} cells hold, {failed} calls of the disk failed"))
}
