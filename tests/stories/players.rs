//! Any player of the world is found with everything GameLift still knows, whether Liftdeck watched or not; and who was
//! to be placed by a placement that failed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use liftdeck_tests::browser::{Browser, serve};
use liftdeck_tests::gamelift;
use liftdeck_tests::program::{Simulation, eventually, run, take_the_whole_budget};
use serde_json::{Value, json};

/// Time limit for any step on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);
/// How many players are looked up; another number with LIFTDECK_PLAYERS.
const PLAYERS: usize = 40;

/// What GameLift has of a player: player session ids with their status.
type Known = BTreeMap<String, String>;

fn known_to_gamelift(simulation: &Simulation, player: &str) -> Known {
    let asked = json!({ "PlayerId": player });
    let regions = simulation.regions();
    let all = regions.iter().flat_map(|region| {
        gamelift::list(&simulation.endpoint(), region, "DescribePlayerSessions", &asked, "PlayerSessions")
    });
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.map(|one| (text(&one["PlayerSessionId"]), text(&one["Status"]))).collect()
}

/// Players at even distances among those of all game sessions GameLift still has, live and ended.
fn some_players(simulation: &Simulation, wanted: usize) -> Vec<String> {
    let mut players = BTreeSet::new();
    for region in simulation.regions() {
        let ask = |operation: &str, body: Value, member: &str| {
            gamelift::list(&simulation.endpoint(), &region, operation, &body, member)
        };
        for fleet in ask("ListFleets", json!({}), "FleetIds") {
            let sessions =
                ask("DescribeGameSessions", json!({ "FleetId": fleet, "Limit": 100 }), "GameSessions");
            for session in sessions.iter().step_by((sessions.len() / wanted).max(1)) {
                let of = json!({ "GameSessionId": session["GameSessionId"] });
                let there = ask("DescribePlayerSessions", of, "PlayerSessions");
                players.extend(there.iter().filter_map(|one| one["PlayerId"].as_str()).map(str::to_owned));
            }
        }
    }
    let step = (players.len() / wanted).max(1);
    players.into_iter().step_by(step).take(wanted).collect()
}

fn found(dossier: &Value) -> (Known, usize) {
    let sessions = dossier["sessions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let known = sessions
        .iter()
        .map(|one| (text(&one["playerSession"]["playerSessionId"]), text(&one["playerSession"]["status"])));
    (known.collect(), sessions.iter().filter(|one| one["gameSession"].is_null()).count())
}

#[test]
fn any_player_of_the_world_is_found_with_everything_gamelift_still_knows() {
    let home = tempfile::tempdir().unwrap();
    let wanted = std::env::var("LIFTDECK_PLAYERS").ok().and_then(|text| text.parse().ok()).unwrap_or(PLAYERS);
    let arguments = ["--scenario", "bad-build", "--seed", "5", "--speed", "0"];
    let simulation = Simulation::start(home.path(), &arguments);
    simulation.declare(home.path(), &simulation.regions(), "Live");
    let players = some_players(&simulation, wanted);
    assert!(players.len() >= wanted.min(PLAYERS), "the world has only {} players", players.len());
    let known: Vec<Known> = players.iter().map(|player| known_to_gamelift(&simulation, player)).collect();
    // A person looks one player up at a time. Hundreds in a row would take long at a fifth of the rates.
    take_the_whole_budget(home.path());
    let (_program, link) = serve(home.path(), &["--connection", "Live"]);
    let browser = Browser::enter(&link).unwrap();
    eventually(PATIENCE, "the connection is open", || {
        let health = browser.ask("health_get", &json!({})).ok()?;
        (health["state"] == "live").then_some(())
    });

    let (mut took, mut sessions, before) = (Vec::new(), 0, throttled(&simulation));
    for (player, known) in players.iter().zip(&known) {
        let asked_at = Instant::now();
        let of = json!({ "playerId": player });
        let told = browser.ask("player_look_up", &of).unwrap();
        let dossier = browser.ask("player_get", &of).unwrap();
        took.push(asked_at.elapsed());
        let regions = told.as_array().unwrap();
        assert_eq!(regions.len(), simulation.regions().len(), "{told}");
        assert!(regions.iter().all(|one| one["failure"].is_null()), "{player}: {told}");
        let (found, without_game_session) = found(&dossier);
        assert_eq!(found, *known, "{player}");
        // Of a player with more than a hundred, the game sessions played longest ago are left unread, and that is said.
        let unread = regions.iter().filter_map(|one| one["unread"].as_u64()).sum::<u64>();
        assert_eq!(without_game_session as u64, unread, "{player}: {told}");
        assert!(unread <= (found.len() as u64).saturating_sub(100), "{player}: {told}");
        sessions += found.len();
        let hit = browser.ask("goto", &json!({ "text": player })).unwrap();
        assert!(hit.as_array().unwrap().iter().any(|hit| hit["playerId"] == player.as_str()), "{hit}");
    }
    took.sort();
    println!(
        "{} players with {sessions} player sessions; half within {:?}, all within {:?}",
        players.len(),
        took[took.len() / 2],
        took[took.len() - 1]
    );

    // A player session leads to its player, and what nobody ever was is said to be unknown.
    let one = known[0].keys().next().unwrap();
    let player = browser.ask("player_session_look_up", &json!({ "playerSessionId": one })).unwrap();
    assert_eq!(player, json!(players[0]));
    let nobody = browser.ask("player_session_look_up", &json!({ "playerSessionId": "psess-nobody" }));
    assert!(nobody.unwrap_err().contains("psess-nobody"));
    let nobody = json!({ "playerId": "nobody-at-all" });
    let told = browser.ask("player_look_up", &nobody).unwrap();
    assert!(told.as_array().unwrap().iter().all(|one| one["playerSessions"] == 0), "{told}");
    assert_eq!(browser.ask("player_get", &nobody).unwrap()["total"], 0);
    assert_eq!(throttled(&simulation), before, "the budget keeps below the service's rates");
}

/// How many requests were throttled so far.
fn throttled(simulation: &Simulation) -> u64 {
    let calls = simulation.get("/_simulator/calls");
    let regions = calls.as_object().into_iter().flat_map(|regions| regions.values());
    let counts = regions.flat_map(|of| of.as_object().into_iter().flat_map(|of| of.values()));
    counts.filter_map(|counted| counted["throttled"].as_u64()).sum()
}

#[test]
fn a_player_who_was_to_be_placed_by_a_placement_that_failed_is_found() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["--scenario", "capped-fleet", "--seed", "2", "--speed", "0"];
    let simulation = Simulation::start(home.path(), &arguments);
    let db = home.path().join("failed.sqlite");
    let region = simulation.regions().remove(0);
    let queue = simulation.event_queue(&region);
    let mut collect = liftdeck_tests::program::command(home.path());
    collect.args(["collect", "--for", "1h", "--region", &region, "--endpoint-url", &simulation.endpoint()]);
    collect.args(["--event-queue", &queue, "--adopt", "--db"]).arg(&db);
    collect.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let _collecting = liftdeck_tests::program::Group::spawn(&mut collect);

    let (id, players) = eventually(PATIENCE, "a failed placement is on record", || {
        failed(home.path(), &db).into_iter().find_map(|id| {
            let asked = json!({ "PlacementId": id });
            let told =
                gamelift::ask(&simulation.endpoint(), &region, "DescribeGameSessionPlacement", &asked)?;
            let latencies = told["GameSessionPlacement"]["PlayerLatencies"].as_array()?;
            let players: BTreeSet<String> =
                latencies.iter().filter_map(|one| one["PlayerId"].as_str()).map(str::to_owned).collect();
            (!players.is_empty()).then_some((id, players))
        })
    });
    for player in &players {
        let said = eventually(PATIENCE, "its player is found", || {
            let db = db.to_string_lossy();
            let shown = run(home.path(), ["player", "show", player, "--db", &db]);
            (shown.code == 0 && shown.stderr.contains(&id)).then_some(shown.stderr)
        });
        assert!(said.contains("The queue's timeout passed") || said.contains("could not place"), "{said}");
    }
}

/// Ids of placements on record that failed or timed out.
fn failed(home: &Path, db: &Path) -> Vec<String> {
    let listed = run(home, ["export", "placements", "--db", &db.to_string_lossy()]);
    if listed.code != 0 {
        return Vec::new();
    }
    let rows = listed.ndjson().into_iter();
    let lost = rows.filter(|row| {
        ["PlacementTimedOut", "PlacementFailed"].contains(&row["event_type"].as_str().unwrap_or_default())
    });
    lost.filter_map(|row| row["placement_id"].as_str().map(str::to_owned)).collect()
}
