//! Liftdeck's own files on a failing disk. An export is complete or absent, and a failed write is reported.

use std::path::Path;

use liftdeck_tests::program::{Ended, command, run};

use crate::Templates;
use crate::disk::{Disk, Fault};

fn words(db: &Path, out: &Path) -> [String; 8] {
    let (db, out) = (db.display().to_string(), out.display().to_string());
    ["export", "matchmaking-events", "--db", &db, "--format", "csv", "--out", &out].map(str::to_owned)
}

/// Exports while the disk fails, then again. Returns how many calls failed.
pub(crate) fn export(templates: &Templates, fault: Fault) -> u64 {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("disk");
    std::fs::create_dir(&folder).expect("a folder");
    let (db, out) = (home.path().join("exported.sqlite"), folder.join("events.csv"));
    std::fs::copy(templates.newest(), &db).expect("a copy");
    let disk = Disk::new(&templates.library, &folder, home.path().join("plan"));
    disk.fail_on(fault);
    let mut exporting = command(home.path());
    let output = disk.under(exporting.args(words(&db, &out))).output().expect("it starts");
    let failed = disk.failed();
    if output.status.success() {
        assert_eq!(failed, 0, "a call failed, and it says that all is well");
    } else {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("events.csv"), "not said what failed: {said}");
        assert!(!out.exists(), "half an export has the name of a whole one");
    }
    let again = run(home.path(), words(&db, &out));
    assert_eq!(again.code, 0, "{}", again.stderr);
    let lines = std::fs::read(&out).expect("an export").iter().filter(|byte| **byte == b'\n').count();
    assert!(lines as u64 > crate::made::EVENTS, "{lines} lines");
    failed
}

/// Starts a collection on a disk that is read-only from the start. It reports the problem, touches nothing, and works
/// once the disk is writable. Returns how many calls failed.
pub(crate) fn read_only(templates: &Templates, fault: Fault) -> u64 {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("disk");
    std::fs::create_dir(&folder).expect("a folder");
    let db = folder.join("kept.sqlite");
    std::fs::copy(templates.newest(), &db).expect("a copy");
    let before = std::fs::read(&db).expect("a database");
    let disk = Disk::new(&templates.library, &folder, home.path().join("plan"));
    let collect = || {
        let mut collecting = command(home.path());
        // Nothing listens there; the error message shows how far it got.
        collecting.args([
            "collect",
            "--once",
            "--region",
            "eu-west-1",
            "--endpoint-url",
            "http://127.0.0.1:9",
            "--db",
        ]);
        Ended::from(disk.under(collecting.arg(&db)).output().expect("it starts"))
    };
    disk.fail_on(fault);
    let refused = collect();
    let failed = disk.failed();
    assert!(failed > 0, "nothing was written, so nothing was refused");
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    let is_plain = refused.stderr.contains("cannot be written") && refused.stderr.contains("kept.sqlite");
    assert!(is_plain, "not said what is wrong: {}", refused.stderr);
    assert!(std::fs::read(&db).expect("a database") == before, "it was written");
    let beside = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(beside, 1, "something was left beside it");
    disk.repair();
    let taken = collect();
    assert!(
        taken.stderr.contains("could not reach http://127.0.0.1:9"),
        "it does not go on: {}",
        taken.stderr
    );
    failed
}
