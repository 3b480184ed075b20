//! Files of the program itself on a failing disk: an export is whole or absent, and what may not be written is said.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use liftdeck_tests::program::{command, run};

use crate::Templates;
use crate::disk::{Disk, Fault};

fn words(db: &Path, out: &Path) -> [String; 8] {
    let (db, out) = (db.display().to_string(), out.display().to_string());
    ["export", "matchmaking-events", "--db", &db, "--format", "csv", "--out", &out].map(str::to_owned)
}

/// Exports while the disk fails, then again. Gives how many calls failed.
pub(crate) fn export(templates: &Templates, fault: Fault) -> u64 {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("disk");
    std::fs::create_dir(&folder).expect("a folder");
    let (db, out) = (home.path().join("exported.sqlite"), folder.join("events.csv"));
    std::fs::copy(templates.newest(), &db).expect("a copy");
    let disk = Disk::new(&templates.library, &folder, home.path().join("plan"));
    disk.fail(fault, 0, u64::MAX >> 1);
    let mut exporting = command(home.path());
    let output = disk.under(exporting.args(words(&db, &out))).output().expect("it starts");
    let (failed, _) = disk.counts();
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

/// A folder and a file without the right to write.
pub(crate) fn read_only(templates: &Templates) {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("disk");
    std::fs::create_dir(&folder).expect("a folder");
    let db = folder.join("kept.sqlite");
    std::fs::copy(templates.newest(), &db).expect("a copy");
    let before = std::fs::read(&db).expect("a database");
    let rights = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("rights");
    };
    rights(&db, 0o400);
    rights(&folder, 0o500);
    // The superuser may write everywhere: then there is nothing to see.
    let is_bound = std::fs::write(folder.join("probe"), "").is_err();
    if is_bound {
        let collect =
            ["collect", "--once", "--region", "eu-west-1", "--endpoint-url", "http://127.0.0.1:9", "--db"];
        let ended = run(home.path(), collect.into_iter().chain([&*db.to_string_lossy()]));
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        assert!(ended.stderr.contains("cannot be written"), "{}", ended.stderr);
    }
    rights(&folder, 0o700);
    assert!(std::fs::read(&db).expect("a database") == before, "it was written");
}
