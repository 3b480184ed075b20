//! Invalid input gets a clear message: what is wrong, with which resource, and what to do. Exit codes are as
//! documented.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use liftdeck_tests::program::{self, Ended, Group, Simulation, eventually, run};

fn collect_once(home: &Path, db: &Path, more: &[&str]) -> Ended {
    let mut arguments = vec!["collect", "--once", "--db"];
    let db = db.to_string_lossy();
    arguments.push(&db);
    arguments.extend(more);
    run(home, arguments)
}

fn quiet(home: &Path) -> Simulation {
    Simulation::start(home, &["--scenario", "quiet", "--speed", "0"])
}

/// Asserts that a run failed with a message that names each of these.
fn assert_refused(ended: &Ended, code: i32, named: &[&str]) {
    assert_eq!(ended.code, code, "exit code; stderr: {}", ended.stderr);
    for word in named {
        assert!(ended.stderr.contains(word), "`{word}` is not named in: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
}

#[test]
fn an_unreachable_endpoint_is_named() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("x.sqlite");
    let ended =
        collect_once(home.path(), &db, &["--region", "eu-west-1", "--endpoint-url", "http://127.0.0.1:9"]);
    assert_refused(&ended, 1, &["127.0.0.1:9", "eu-west-1"]);
}

#[test]
fn a_region_that_does_not_exist_is_named() {
    let home = tempfile::tempdir().unwrap();
    let simulation = quiet(home.path());
    let db = home.path().join("x.sqlite");
    let ended =
        collect_once(home.path(), &db, &["--region", "eu-moon-1", "--endpoint-url", &simulation.endpoint()]);
    assert_refused(&ended, 1, &["eu-moon-1"]);
}

#[test]
fn a_region_that_cannot_be_a_region_is_a_usage_error() {
    let home = tempfile::tempdir().unwrap();
    let ended = collect_once(home.path(), &home.path().join("x.sqlite"), &["--region", "Europe, please"]);
    assert_refused(&ended, 2, &["Europe, please"]);
}

#[test]
fn an_absent_profile_is_named_with_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("x.sqlite");
    let ended = collect_once(home.path(), &db, &["--region", "eu-west-1", "--profile", "no-such-profile"]);
    assert_refused(&ended, 1, &["no-such-profile", "aws configure"]);
}

#[test]
fn an_expired_token_says_how_to_renew_it() {
    let home = tempfile::tempdir().unwrap();
    let credentials = home.path().join("credentials.toml");
    std::fs::write(&credentials, "expired = [\"AKIDEXAMPLE\"]").unwrap();
    let arguments = ["--scenario", "quiet", "--speed", "0", "--credentials", &credentials.to_string_lossy()];
    let simulation = Simulation::start(home.path(), &arguments);
    let db = home.path().join("x.sqlite");
    let ended =
        collect_once(home.path(), &db, &["--region", "eu-west-1", "--endpoint-url", &simulation.endpoint()]);
    assert_refused(&ended, 1, &["ExpiredToken", "aws sso login"]);
}

#[test]
fn a_database_from_a_newer_version_is_left_untouched() {
    let home = tempfile::tempdir().unwrap();
    let simulation = quiet(home.path());
    let db = home.path().join("x.sqlite");
    let region = ["--region", "eu-west-1", "--endpoint-url", &simulation.endpoint()];
    assert_eq!(simulation.collect_some(home.path(), &db, "eu-west-1").code, 0);
    let mut file = OpenOptions::new().write(true).open(&db).unwrap();
    // SQLite's file format: the user version is the big-endian integer at byte 60 of the header.
    file.seek(SeekFrom::Start(60)).unwrap();
    file.write_all(&9_999_u32.to_be_bytes()).unwrap();
    drop(file);
    let before = std::fs::read(&db).unwrap();
    let ended = collect_once(home.path(), &db, &region);
    assert_refused(&ended, 1, &["Update Liftdeck", "x.sqlite"]);
    assert_eq!(std::fs::read(&db).unwrap(), before, "the file was touched");
}

#[test]
fn a_file_that_is_no_database_is_left_untouched() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("notes.sqlite");
    std::fs::write(&db, "my shopping list, not a database ".repeat(200)).unwrap();
    let before = std::fs::read(&db).unwrap();
    let ended =
        collect_once(home.path(), &db, &["--region", "eu-west-1", "--endpoint-url", "http://127.0.0.1:9"]);
    assert_refused(&ended, 1, &["notes.sqlite"]);
    assert_eq!(std::fs::read(&db).unwrap(), before, "the file was touched");
}

#[test]
fn a_damaged_database_is_kept_aside_and_both_files_are_named() {
    let home = tempfile::tempdir().unwrap();
    let simulation = quiet(home.path());
    let db = home.path().join("x.sqlite");
    assert_eq!(simulation.collect_some(home.path(), &db, "eu-west-1").code, 0);
    let mut damaged = std::fs::read(&db).unwrap();
    for page in damaged.chunks_mut(8_192).skip(2).step_by(3) {
        page.fill(0xff);
    }
    std::fs::write(&db, &damaged).unwrap();
    // Game sessions on record already show that what AWS still has is collected again.
    let ended = simulation.collect_some(home.path(), &db, "eu-west-1");
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let kept = std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path());
    let kept = kept.into_iter().find(|path| path.to_string_lossy().contains("x.sqlite.damaged-"));
    let kept = kept.expect("it is kept aside");
    assert!(std::fs::read(&kept).unwrap() == damaged, "it is kept as it was");
    for named in [&db, &kept] {
        assert!(ended.stderr.contains(&*named.to_string_lossy()), "{}", ended.stderr);
    }
}

#[test]
fn a_second_copy_on_the_same_database_is_refused_and_the_first_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let simulation = quiet(home.path());
    let db = home.path().join("x.sqlite");
    let mut first = program::command(home.path());
    first.args(["collect", "--for", "10m", "--region", "eu-west-1", "--db"]).arg(&db);
    first.args(["--endpoint-url", &simulation.endpoint()]);
    let mut first = Group::spawn(first.stdout(Stdio::null()).stderr(Stdio::null()));
    eventually(Duration::from_secs(180), "the first copy collects", || {
        let exported = run(home.path(), ["export", "fleets", "--db", &db.to_string_lossy()]);
        (exported.code == 0 && !exported.stdout.is_empty()).then_some(())
    });
    let second =
        collect_once(home.path(), &db, &["--region", "eu-west-1", "--endpoint-url", &simulation.endpoint()]);
    assert_refused(&second, 1, &["x.sqlite", "another"]);
    assert!(first.runs(), "the first copy went down");
}

#[test]
fn usage_errors_end_with_two() {
    let home = tempfile::tempdir().unwrap();
    for arguments in [
        vec!["collect"],
        vec!["export", "dragons", "--db", "x.sqlite"],
        vec!["export", "fleets", "--db", "x.sqlite", "--since", "yesterday"],
        vec!["export", "game-sessions", "--db", "x.sqlite", "--where", "status:"],
        vec!["simulate", "--scenario", "armageddon"],
        vec!["no-such-command"],
    ] {
        let ended = run(home.path(), &arguments);
        assert_refused(&ended, 2, &[]);
        assert!(!ended.stderr.is_empty(), "{arguments:?} says nothing");
    }
}

#[test]
fn an_export_from_a_database_that_is_not_there_creates_none() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("absent.sqlite");
    let ended = run(home.path(), ["export", "fleets", "--db", &db.to_string_lossy()]);
    assert_refused(&ended, 1, &["absent.sqlite"]);
    assert!(!db.exists());
}

/// Runs `collect --once` with the database on a separate file system, prepared by a shell line that knows its folder
/// as `$DISK`. A new mount namespace needs no privileges on the machine.
fn on_a_disk(home: &Path, prepare: &str, simulation: &Simulation, region: &str) -> Ended {
    let disk = home.join("disk");
    std::fs::create_dir_all(&disk).unwrap();
    let collect = program::command(home);
    let mut shell = Command::new("unshare");
    shell.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
    shell.arg(format!(
        "set -e; {prepare}\nexec \"$LIFTDECK\" collect --once --db \"$DISK/x.sqlite\" --region {region} --endpoint-url {}",
        simulation.endpoint()
    ));
    for (name, value) in collect.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let output = shell.env("DISK", &disk).env("LIFTDECK", program::path()).stdin(Stdio::null()).output();
    output.expect("unshare starts").into()
}

#[test]
fn a_full_disk_is_told_as_such() {
    let home = tempfile::tempdir().unwrap();
    let simulation = quiet(home.path());
    let prepare = "mount -t tmpfs -o size=600k none \"$DISK\"";
    let ended = on_a_disk(home.path(), prepare, &simulation, "eu-west-1");
    assert_refused(&ended, 1, &["full"]);
}

#[test]
fn a_read_only_disk_is_told_as_such() {
    let home = tempfile::tempdir().unwrap();
    let simulation = quiet(home.path());
    let prepare = "mount -t tmpfs -o size=64m none \"$DISK\"; mount -o remount,ro \"$DISK\"";
    let ended = on_a_disk(home.path(), prepare, &simulation, "eu-west-1");
    assert_refused(&ended, 1, &["read-only"]);
}
