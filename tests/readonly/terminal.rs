//! Runs every command of the command line without consent and with nobody to answer a prompt.

use std::collections::BTreeSet;

use liftdeck_tests::program::run;
use liftdeck_tests::trial::Trial;

use crate::Place;

/// What a command does.
#[derive(Clone, Copy, PartialEq)]
enum Is {
    /// Would change something on AWS: the guard refuses it, and `--dry-run` shows it.
    Change,
    /// Changes nothing on AWS.
    Look,
    /// Changes nothing on AWS and takes no connection arguments.
    Apart,
}

/// Commands with plausible arguments. `{name}` stands for something that exists in the world.
const VERBS: &[(&str, Is, &str)] = &[
    ("activity list", Is::Apart, "--db {db}"),
    ("activity resume", Is::Look, "never-was"),
    ("activity runs", Is::Apart, "--db {db}"),
    ("activity settle", Is::Look, "never-was"),
    ("activity stop", Is::Look, "never-was"),
    ("activity undo", Is::Change, "{activity}"),
    ("alerts", Is::Apart, "--db {db}"),
    ("alerts channel add", Is::Look, "forged sns arn:aws:sns:eu-west-1:111122223333:forged"),
    ("alerts channel remove", Is::Look, "forged"),
    ("alerts channel test", Is::Look, "forged"),
    ("alerts channels", Is::Apart, "--db {db}"),
    ("alerts rule add", Is::Look, "forged --metric active-instances --below 4"),
    ("alerts rule remove", Is::Look, "forged"),
    ("alerts rule reset", Is::Look, "capped"),
    ("alerts rule set", Is::Look, "capped --off"),
    ("alerts rule try", Is::Look, "forged"),
    ("alerts rules", Is::Apart, "--db {db}"),
    ("alerts silence", Is::Look, "--all --for 1h --reason forged"),
    ("alerts silences", Is::Apart, "--db {db}"),
    ("alerts unsilence", Is::Look, "never-was"),
    ("alias create", Is::Change, "forged --fleet {fleet}"),
    ("alias delete", Is::Change, "{alias}"),
    ("alias edit", Is::Change, "{alias} --name forged"),
    ("alias list", Is::Apart, "--db {db}"),
    ("alias repoint", Is::Change, "{alias} --fleet {other}"),
    ("alias show", Is::Apart, "{alias} --db {db}"),
    ("alias undo", Is::Change, "{made}"),
    ("build list", Is::Apart, "--db {db}"),
    ("changes", Is::Apart, "--db {db}"),
    ("chart", Is::Apart, "sessions --db {db} --out {folder}/chart.svg"),
    ("collect", Is::Look, "--once"),
    ("ask", Is::Apart, "preset_list --db {db}"),
    ("completion", Is::Apart, "bash"),
    // A connection to nowhere: the check only reads, and the saved connection is Liftdeck's own data.
    (
        "connection add",
        Is::Apart,
        "forged --environment development --region eu-west-1 --endpoint-url http://127.0.0.1:9 --anyway",
    ),
    ("connection check", Is::Apart, "forged"),
    ("connection edit", Is::Apart, "forged --environment staging --anyway"),
    ("connection list", Is::Apart, ""),
    ("connection remove", Is::Apart, "forged --yes"),
    // Opens a window, for which there is no display here; the window test covers this command.
    ("demo", Is::Apart, ""),
    ("export", Is::Apart, "activity --db {db}"),
    // No such SQS queue exists; what is recorded about one is Liftdeck's own data.
    ("feed adopt", Is::Look, "http://127.0.0.1:9/111122223333/forged --yes"),
    ("feed aside clear", Is::Look, "--yes"),
    ("feed aside export", Is::Look, ""),
    ("feed aside list", Is::Apart, "--db {db}"),
    ("feed list", Is::Apart, "--db {db}"),
    ("feed release", Is::Look, "http://127.0.0.1:9/111122223333/forged"),
    ("fleet capacity", Is::Change, "{fleet} --max 77"),
    ("fleet drain", Is::Change, "{fleet}"),
    ("fleet instances", Is::Apart, "{fleet} --db {db}"),
    ("fleet list", Is::Apart, "--db {db}"),
    ("fleet policy delete", Is::Change, "{fleet} {policy}"),
    ("fleet policy put", Is::Change, "{fleet} forged --target 20"),
    ("fleet protect", Is::Change, "{fleet}"),
    ("fleet scaling resume", Is::Change, "{fleet}"),
    ("fleet scaling suspend", Is::Change, "{fleet}"),
    ("fleet show", Is::Apart, "{fleet} --db {db}"),
    ("incident export", Is::Apart, "--since 1h --format json --out {folder}/incident.json --db {db}"),
    ("incident list", Is::Apart, "--db {db}"),
    ("incident show", Is::Apart, "--since 1h --db {db}"),
    ("man", Is::Apart, "{folder}/pages"),
    ("matchmaking accept", Is::Change, "forged --player ada"),
    (
        "matchmaking backfill",
        Is::Change,
        "{configuration} {session} --ticket forged --player ada --attribute skill=1000",
    ),
    ("matchmaking difference", Is::Apart, "--db {db}"),
    ("matchmaking show", Is::Look, "forged"),
    ("matchmaking start", Is::Change, "{configuration} --ticket forged --player ada --attribute skill=1000"),
    ("matchmaking stop", Is::Change, "forged"),
    // A link to a connection that is not there: with one it opens a window, as above.
    ("open", Is::Apart, "liftdeck://forged/fleets"),
    ("placement difference", Is::Apart, "--db {db}"),
    ("placement list", Is::Apart, "--db {db}"),
    ("placement show", Is::Look, "forged"),
    ("placement start", Is::Change, "{queue} --max-players 4 --id forged"),
    ("placement stop", Is::Change, "forged"),
    ("player look-up", Is::Look, "forged"),
    ("player show", Is::Apart, "forged --db {db}"),
    ("queue create", Is::Change, "forged --timeout 77"),
    ("queue list", Is::Apart, "--db {db}"),
    ("queue show", Is::Apart, "{queue} --db {db}"),
    ("queue update", Is::Change, "{queue} --timeout 77"),
    ("script list", Is::Apart, "--db {db}"),
    ("script upload", Is::Change, "{script} {zip} --version forged"),
    // With a free port it would serve for ever; the world already listens on this one.
    ("serve", Is::Apart, "--listen {taken}"),
    ("session create", Is::Change, "--fleet {fleet} --max-players 4 --name forged"),
    ("session difference", Is::Apart, "--db {db}"),
    ("session list", Is::Apart, "--db {db}"),
    ("session log", Is::Look, "{session}"),
    ("session reserve", Is::Change, "{session} --player ada"),
    ("session search", Is::Look, "--fleet {fleet}"),
    ("session show", Is::Apart, "{session} --db {db}"),
    ("session terminate", Is::Change, "{session} --force"),
    ("session update", Is::Change, "{session} --name forged"),
    ("simulate", Is::Apart, "--list-operations"),
    ("status", Is::Apart, "--db {db}"),
];

/// Reads the program's commands from its help. A new one must be added to the table by hand.
fn verbs(place: &Place) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![Vec::<String>::new()];
    while let Some(words) = waiting.pop() {
        let help = run(place.home.path(), [&words[..], &["--help".to_owned()]].concat()).stdout;
        let commands =
            help.split("\nCommands:\n").nth(1).map(|rest| rest.split("\n\n").next().unwrap_or_default());
        let below = commands.unwrap_or_default().lines().filter_map(|line| {
            // Continuation lines are indented further.
            let name = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?.split(' ').next()?;
            (name != "help").then(|| [&words[..], &[name.to_owned()]].concat())
        });
        let below: Vec<Vec<String>> = below.collect();
        // A command may do something by itself and have others below it.
        let stands_alone = help.contains(&format!("Usage: liftdeck {} [OPTIONS]", words.join(" ")));
        if below.is_empty() || stands_alone {
            found.insert(words.join(" "));
        }
        waiting.extend(below);
    }
    found
}

/// Fills in the names used in the table.
fn filled(place: &Place, arguments: &str) -> Vec<String> {
    let [fleet, other] = place.fleets();
    let aliases = place.truth("Aliases");
    let named = |name: &str| {
        let found = aliases.iter().find(|alias| (alias["Name"] == "undoable") == (name == "made"));
        found.expect("an alias")["AliasId"].as_str().unwrap_or_default().to_owned()
    };
    let folder = place.home.path().to_string_lossy().into_owned();
    let zip = place.home.path().join("script.zip");
    std::fs::write(&zip, include_bytes!("../../src-tauri/crates/gateway/tests/simulated/script.zip"))
        .expect("a zip");
    let word = |word: &str| match word {
        "{activity}" => activity(place),
        "{alias}" => named("alias"),
        "{configuration}" => place.first("MatchmakingConfigurations", "Name"),
        "{db}" => place.db.to_string_lossy().into_owned(),
        "{fleet}" => fleet.clone(),
        "{made}" => named("made"),
        "{other}" => other.clone(),
        "{policy}" => place.first("ScalingPolicies", "Name"),
        "{queue}" => place.first("GameSessionQueues", "Name"),
        "{script}" => place.first("Scripts", "ScriptId"),
        "{session}" => place.sessions().remove(0),
        "{taken}" => place.simulation.endpoint().trim_start_matches("http://").to_owned(),
        "{zip}" => zip.to_string_lossy().into_owned(),
        word => word.replace("{folder}", &folder),
    };
    arguments.split_whitespace().map(word).collect()
}

/// Returns the id of the one recorded change.
fn activity(place: &Place) -> String {
    let db = place.db.to_string_lossy();
    let record = run(place.home.path(), ["export", "activity", "--db", &db]).ndjson();
    record[0]["activity_id"].as_str().expect("an id").to_owned()
}

/// Runs every command and returns how many there are.
pub(crate) fn ask_everything(trial: &Trial, place: &Place) -> usize {
    let verbs = verbs(place);
    let known: BTreeSet<String> = VERBS.iter().map(|(verb, ..)| (*verb).to_owned()).collect();
    for verb in verbs.symmetric_difference(&known) {
        trial.broke(format!("`liftdeck {verb}` is in the program's help or in this table, and not in both"));
    }
    for (number, (verb, is, arguments)) in VERBS.iter().enumerate() {
        trial.part(&format!("liftdeck {verb}"), || {
            let words: Vec<String> =
                verb.split(' ').map(str::to_owned).chain(filled(place, arguments)).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            // The change to undo is recorded in one database; every other command gets its own.
            let own = place.home.path().join(format!("verb-{number}.sqlite"));
            let db = if verb.ends_with(" undo") { &place.db } else { &own };
            let typed = |more: &[&str]| {
                let words = [&words[..], more].concat();
                match is {
                    Is::Apart => run(place.home.path(), words),
                    _ => run(place.home.path(), place.words(&words, db)),
                }
            };
            let ended = typed(&[]);
            assert_ne!(ended.code, 2, "its arguments are not understood: {}", ended.stderr);
            if *is == Is::Change {
                // 1 if AWS knows no such resource: then there was nothing to refuse.
                assert!([1, 3].contains(&ended.code), "{}{}", ended.stdout, ended.stderr);
                let shown = typed(&["--dry-run"]);
                assert_ne!(shown.code, 2, "its arguments are not understood: {}", shown.stderr);
                // Consent from somebody who does not know that this is production.
                let meant = typed(&["--yes", "--no-wait"]);
                assert!([1, 3].contains(&meant.code), "{}{}", meant.stdout, meant.stderr);
            }
        });
    }
    verbs.len()
}
