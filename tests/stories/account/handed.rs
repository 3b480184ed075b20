//! A command whose database is open in another program acts there as its own caller, or not at all.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, command, eventually, run, socket_of};

use super::{FOREIGN, OURS, Site, THEIRS, assert_refused};

const DENIED: &str = "AKIDDENIED";

/// Starts a collection as `AKIDEXAMPLE`, which keeps the database open.
fn held() -> (Site, Group) {
    let site = Site::new(&["--deny", &format!("{DENIED}=gamelift:Update*")]);
    let mut collect = command(site.home.path());
    collect.args(["collect", "--for", "1h", "--region", &site.region, "--db"]).arg(&site.db);
    collect.args(["--endpoint-url", &site.simulation.endpoint()]);
    let holder = Group::spawn(collect.stdout(Stdio::null()).stderr(Stdio::null()));
    let socket = socket_of(&site.db);
    eventually(Duration::from_secs(90), "it takes commands", || socket.exists().then_some(()));
    (site, holder)
}

fn updates(site: &Site) -> u64 {
    let calls = site.calls().into_iter().filter(|(operation, _)| operation == "gamelift:UpdateFleetCapacity");
    calls.map(|(_, calls)| calls).sum()
}

#[test]
fn a_command_handed_over_acts_as_its_own_caller_or_is_refused() {
    let (site, mut holder) = held();
    let own = format!("arn:aws:iam::{OURS}:user/AKIDEXAMPLE");
    let no_keys = [("AWS_ACCESS_KEY_ID", None), ("AWS_SECRET_ACCESS_KEY", None)];
    let denied = [("AWS_ACCESS_KEY_ID", Some(DENIED))];
    let foreign = [("AWS_ACCESS_KEY_ID", Some(FOREIGN))];
    let profile = [no_keys[0], no_keys[1], ("AWS_PROFILE", Some("ours"))];
    // Refuses a key that AWS denies, a key of another account, and a profile of another user in the same account.
    for (variables, whom) in [
        (&denied[..], format!("user/{DENIED}")),
        (&foreign, format!("{THEIRS}:user/{FOREIGN}")),
        (&profile, "user/AKIDOURS".to_owned()),
    ] {
        let refused = site.change(&site.db, &[], variables);
        assert_refused(&refused, &["Nothing was sent", &own, &whom]);
    }
    // Refuses a caller whose identity AWS does not confirm.
    site.profile("broken", "");
    let refused = site.change(&site.db, &[], &[no_keys[0], no_keys[1], ("AWS_PROFILE", Some("broken"))]);
    assert_refused(&refused, &["Nothing was sent", "--profile"]);
    site.faults("reset");
    assert_refused(&site.change(&site.db, &[], &[]), &["Nothing was sent"]);
    site.simulation.post("/_simulator/faults", &serde_json::json!({ "fault": [] }));
    assert_eq!(updates(&site), 0);

    // Commands that do not call AWS need no identity.
    let db = site.db.to_string_lossy();
    for words in [&["activity", "list", "--db", &db][..], &["export", "fleets", "--db", &db]] {
        let read = site.with(&denied, words);
        assert_eq!(read.code, 0, "{words:?}: {}", read.stderr);
    }
    let made = site.change(&site.db, &[], &[]);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    assert_eq!(updates(&site), 1);
    let record = run(site.home.path(), ["export", "activity", "--db", &db]).ndjson();
    let callers: BTreeSet<_> = record.iter().filter_map(|row| row["caller_arn"].as_str()).collect();
    assert_eq!(callers, BTreeSet::from([own.as_str()]));
    assert!(holder.runs());
}
