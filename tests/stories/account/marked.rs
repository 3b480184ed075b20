//! Production is recognized by any name, and whatever happened to the file that marks it.

use std::path::Path;

use serde_json::{Value, json};

use super::{OURS, Site, assert_refused};

/// A production account that was changed once under its name, as its operators do.
fn production() -> Site {
    let site = Site::new(&[]);
    site.connections(&[("Arena", "production", Some(OURS))]);
    let fleet = site.fleet();
    let change = ["fleet", "capacity", &fleet, "--max", "41", "--no-wait", "--connection", "Arena"];
    let made = site.with(&[], &[&change[..], &["--yes", "--confirm", "Arena"]].concat());
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    site
}

fn updates(site: &Site) -> u64 {
    let calls = site.calls().into_iter().filter(|(operation, _)| operation == "gamelift:UpdateFleetCapacity");
    calls.map(|(_, calls)| calls).sum()
}

#[test]
fn no_other_spelling_of_a_production_account_or_database_is_changed_without_its_name() {
    let site = production();
    let home = site.home.path();
    let live = home.join("data/databases/arena.sqlite");
    std::os::unix::fs::symlink(&live, home.join("link.sqlite")).unwrap();
    std::fs::hard_link(&live, home.join("hard.sqlite")).unwrap();
    std::os::unix::fs::symlink(home.join("data"), home.join("d")).unwrap();
    let port = site.simulation.endpoint().rsplit(':').next().unwrap().to_owned();
    let at = |endpoint: String| vec!["--endpoint-url".to_owned(), endpoint];
    let none = Vec::new;
    let spellings: [(&str, Vec<String>); 10] = [
        ("data/databases/arena.sqlite", none()),
        ("./data/../data/databases/arena.sqlite", none()),
        ("d/databases/arena.sqlite", none()),
        ("link.sqlite", none()),
        ("hard.sqlite", none()),
        ("fresh.sqlite", none()),
        ("fresh.sqlite", at(format!("http://127.0.0.1:{port}/"))),
        ("fresh.sqlite", at(format!("http://localhost:{port}"))),
        ("fresh.sqlite", at(format!("http://LOCALHOST:{port}/"))),
        ("fresh.sqlite", vec!["--profile".to_owned(), "ours".to_owned()]),
    ];
    for (db, more) in &spellings {
        // Two endpoints would be refused, so the one in a spelling replaces the usual one.
        let fleet = site.fleet();
        let mut words = vec!["fleet", "capacity", &fleet, "--max", "40", "--yes", "--no-wait", "--db", db];
        words.extend(["--region", &site.region]);
        let endpoint = site.simulation.endpoint();
        if !more.iter().any(|word| word == "--endpoint-url") {
            words.extend(["--endpoint-url", &endpoint]);
        }
        words.extend(more.iter().map(String::as_str));
        let refused = site.with(&[], &words);
        assert_eq!(refused.code, 3, "{db} {more:?}: {}{}", refused.stdout, refused.stderr);
        assert!(refused.stderr.contains("'Arena'"), "{db} {more:?}: {}", refused.stderr);
    }
    assert_eq!(updates(&site), 1);
    let made = site.change(Path::new("link.sqlite"), &["--confirm", "Arena"], &[]);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    assert!(!home.join("link.sqlite.lock").exists(), "one file has one lock, whatever link leads there");
    assert_eq!(updates(&site), 2);
}

#[test]
fn a_copied_database_and_one_whose_connection_is_lost_stay_production() {
    let site = production();
    let live = site.home.path().join("data/databases/arena.sqlite");
    std::fs::copy(&live, site.home.path().join("copy.sqlite")).unwrap();
    std::fs::remove_file(site.home.path().join("config/connections.json")).unwrap();
    for (db, name) in [(live.as_path(), "'arena'"), (Path::new("copy.sqlite"), "'copy'")] {
        let refused = site.change(db, &[], &[]);
        assert_eq!(refused.code, 3, "{}{}", refused.stdout, refused.stderr);
        assert!(refused.stderr.contains(name), "{}", refused.stderr);
    }
    assert_eq!(updates(&site), 1);
}

#[test]
fn nothing_is_changed_while_the_connections_file_cannot_be_relied_on() {
    let site = Site::new(&[]);
    let file = site.connections(&[("Sandbox", "development", Some(OURS))]);
    let whole = std::fs::read_to_string(&file).unwrap();
    let made = site.change(&site.db, &[], &[]);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    let path = file.to_string_lossy().into_owned();
    let mut newer: Value = serde_json::from_str(&whole).unwrap();
    newer["version"] = json!(2);
    let mut unknown: Value = serde_json::from_str(&whole).unwrap();
    unknown["connections"][0]["environment"] = json!("canary");
    for (text, says) in [
        (whole[..whole.len() / 2].to_owned(), "damaged or incomplete"),
        (newer.to_string(), "newer Liftdeck"),
        (unknown.to_string(), "Sandbox"),
    ] {
        std::fs::write(&file, &text).unwrap();
        for confirm in [&[][..], &["--confirm", "ops"], &["--confirm", "Sandbox"]] {
            assert_refused(&site.change(&site.db, confirm, &[]), &[&path, says]);
        }
        // Commands that change nothing still work.
        let list = site.with(&[], &["activity", "list", "--db", &site.db.to_string_lossy()]);
        assert_eq!(list.code, 0, "{}", list.stderr);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "the file is left for a person to mend");
    }
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_refused(&site.change(&site.db, &["--confirm", "ops"], &[]), &[&path]);
    assert_eq!(updates(&site), 1);

    std::fs::remove_dir(&file).unwrap();
    std::fs::write(&file, &whole).unwrap();
    let made = site.change(&site.db, &[], &[]);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    assert_eq!(updates(&site), 2);
}
