//! Tests this installation's attempts: finding, undoing and exporting them; and what a change would affect.

use liftdeck_model::action::{Request, ResourceKind, UpdateScript, ZipFile};
use liftdeck_model::activity::{Activity, ActivityOutcome};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::content::Script;
use liftdeck_model::fleet::{Fleet, ProtectionPolicy};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Store;
use liftdeck_store::export::{ExportRequest, Format, Kind, export, export_activities};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::blast::LiveCount;
use liftdeck_store::reader::content::ScriptRow;
use liftdeck_store::reader::queue::LeadTarget;
use liftdeck_store::reader::window::Page;

use crate::fixture::{
    FLEET, NOW, Place, answer, apply, attempt, fleet, placement, region, repoint, session, session_id,
    set_desired,
};

async fn send(store: &Store, activity: Activity, outcome: ActivityOutcome) -> Activity {
    let writer = store.writer().unwrap();
    writer.begin_activity(activity.clone()).await.unwrap();
    writer.end_activity(&activity.id, answer(&activity, outcome)).await.unwrap();
    store.reader().activity(&activity.id).await.unwrap().unwrap()
}

fn everything() -> ActivityRequest {
    ActivityRequest::everything(Page::first(10))
}

#[tokio::test]
async fn attempts_are_found_by_every_condition() {
    let place = Place::new();
    let store = place.open().await;
    let capacity = send(&store, attempt(1, set_desired(8)), ActivityOutcome::Done).await;
    let moved = send(&store, attempt(2, repoint("fleet-new")), ActivityOutcome::Failed).await;
    let mut undoing = attempt(3, set_desired(4));
    undoing.undo_of = Some(capacity.id.clone());
    let undoing = send(&store, undoing, ActivityOutcome::Done).await;
    let reader = store.reader();
    // Each is recorded as many milliseconds after `NOW` as its number.
    let found = async |request: ActivityRequest| -> Vec<i64> {
        let rows = reader.activities(&request).await.unwrap().rows;
        rows.into_iter().map(|row| row.at.since_ms(NOW)).collect()
    };
    let (one, two, three) = (capacity.id.clone(), moved.id.clone(), undoing.id.clone());
    assert_eq!(found(everything()).await, [3, 2, 1]);
    let failed = ActivityRequest { outcomes: vec![ActivityOutcome::Failed], ..everything() };
    assert_eq!(found(failed).await, [2]);
    let operation = ActivityRequest { operations: vec!["UpdateAlias".into()], ..everything() };
    assert_eq!(found(operation).await, [2]);
    let of_fleet = ActivityRequest { fleet_id: Some(FLEET.into()), ..everything() };
    assert_eq!(found(of_fleet).await, [3, 1]);
    let stranger = ActivityRequest { fleet_id: Some("fleet-nobody".into()), ..everything() };
    assert!(found(stranger).await.is_empty());
    let words =
        ActivityRequest { text: "REQUEST-00000009-0000-4000-8000-000000000002".into(), ..everything() };
    assert_eq!(found(words).await, [2]);
    let early = TimeRange::new(NOW, NOW.plus_ms(2));
    assert_eq!(found(ActivityRequest { range: Some(early), ..everything() }).await, [1]);
    let of_alias = reader.activities_of(ResourceKind::Alias, "alias-1", 5).await.unwrap();
    assert_eq!(of_alias, [moved]);
    assert_eq!(reader.undone_by(&one).await.unwrap(), Some(three));
    assert_eq!(reader.undone_by(&two).await.unwrap(), None);
    let by_us = reader.settings_changed_by_us(None, TimeRange::new(NOW, NOW.plus_ms(100))).await.unwrap();
    assert_eq!(by_us, [capacity, undoing], "oldest first, and only what was done");
    store.close().await;
}

#[tokio::test]
async fn attempts_of_a_run_are_read_by_change_and_in_the_order_they_were_made() {
    let place = Place::new();
    let store = place.open().await;
    // The second change is tried again within the same millisecond, after the third.
    for (number, item) in [(1, 1), (2, 0), (3, 2), (4, 1)] {
        let mut made = attempt(number, set_desired(8));
        (made.run, made.item, made.at) = (Some("run-1".into()), Some(item), NOW);
        send(&store, made, ActivityOutcome::Done).await;
    }
    send(&store, attempt(5, set_desired(8)), ActivityOutcome::Done).await;
    let read = store.reader().activities_of_run(&"run-1".into()).await.unwrap();
    let read: Vec<_> = read.iter().map(|one| (one.item.unwrap(), one.id.clone())).collect();
    let made = |item, number| (item, attempt(number, set_desired(8)).id);
    assert_eq!(read, [made(0, 2), made(1, 1), made(1, 4), made(2, 3)]);
    store.close().await;
}

#[tokio::test]
async fn the_whole_record_is_written_out() {
    let place = Place::new();
    let store = place.open().await;
    for number in 1..=1_200 {
        send(&store, attempt(number, set_desired(8)), ActivityOutcome::Done).await;
    }
    let everything_there_is = ExportRequest {
        kind: Kind::Activity,
        format: Format::Ndjson,
        query: liftdeck_model::query::Query::everything(),
        since: None,
        until: None,
        now: NOW,
    };
    let mut out = Vec::new();
    assert_eq!(export(&store.reader(), &everything_there_is, &mut out).await.unwrap(), 1_200);
    let first: serde_json::Value =
        serde_json::from_str(std::str::from_utf8(&out).unwrap().lines().next().unwrap()).unwrap();
    assert_eq!(first["operation"], "UpdateFleetCapacity");
    assert_eq!((&first["resource"], &first["resource_kind"]), (&FLEET.into(), &"fleet".into()));
    assert_eq!((&first["outcome"], &first["changes"][0]["after"]), (&"done".into(), &"8".into()));
    assert_eq!(first["request"]["desiredInstances"], 8);
    let mut out = Vec::new();
    let failed = ActivityRequest { outcomes: vec![ActivityOutcome::Failed], ..everything() };
    assert_eq!(export_activities(&store.reader(), &failed, Format::Csv, &mut out).await.unwrap(), 0);
    assert!(out.starts_with(b"activity_id,run_id"));
    store.close().await;
}

/// Four live sessions of two players each on the fleet, one of them protected; one on another fleet in the Region;
/// and ended ones.
async fn inhabited(place: &Place) -> Store {
    let store = place.open().await;
    let mut sessions: Vec<_> = (1..=5).map(session).collect();
    sessions[0].protection_policy = Some(ProtectionPolicy::FullProtection);
    sessions[1].protection_policy = Some(ProtectionPolicy::NoProtection);
    sessions[3].location = Some("eu-west-1".into());
    for ended in 0..20_u32 {
        let mut over = session(100 + ended);
        over.status = GameSessionStatus::Terminated;
        over.creation_time = NOW.plus_ms(-3_600_000);
        over.termination_time = Some(over.creation_time.plus_ms(60_000 * i64::from(ended + 1)));
        sessions.push(over);
    }
    sessions[4].game_session_id = "arn:aws:gamelift:eu-west-1::gamesession/fleet-other/x-1".into();
    sessions[4].fleet_id = "fleet-other".into();
    let other = Fleet { fleet_id: "fleet-other".into(), ..fleet() };
    let subject = PollSubject { kind: PollKind::GameSessions, resource: FLEET.to_owned() };
    apply(
        &store,
        NOW,
        vec![
            Observation::Fleets(Listing::complete(vec![fleet(), other])),
            Observation::GameSessions(sessions),
            Observation::Poll(Poll { subject, at: NOW, took_ms: 1, failure: None }),
        ],
    )
    .await;
    store
}

#[tokio::test]
async fn a_blast_counts_who_is_live_who_is_protected_and_what_share_that_is() {
    let place = Place::new();
    let store = inhabited(&place).await;
    let reader = store.reader();
    let all = reader.blast_of_fleet(&FLEET.into(), None).await.unwrap();
    assert_eq!((all.live_game_sessions, all.live_player_sessions), (4, 8));
    assert_eq!((all.protected_game_sessions, all.unasked_protection), (1, 2));
    assert_eq!((all.region_game_sessions, all.region_player_sessions), (5, 10));
    assert_eq!(all.as_of, Some(NOW));
    let north = reader.blast_of_fleet(&FLEET.into(), Some(&"eu-north-1".into())).await.unwrap();
    assert_eq!(north.live_game_sessions, 3);
    let chosen = [session_id(1), session_id(2), session_id(100), session_id(999)];
    let some = reader.blast_of_sessions(&chosen).await.unwrap();
    assert_eq!((some.live_game_sessions, some.protected_game_sessions), (2, 1), "ended ones are not hit");
    assert_eq!((some.region_game_sessions, some.as_of), (5, Some(NOW)));
    let many: Vec<_> = (0..1_100).map(session_id).collect();
    assert_eq!(reader.blast_of_sessions(&many).await.unwrap().live_game_sessions, 4);
    assert_eq!(reader.blast_of_sessions(&[]).await.unwrap().live_game_sessions, 0);
    let counts = reader.live_counts(&[FLEET.into(), "fleet-nobody".into()]).await.unwrap();
    assert_eq!(counts[&FleetId::from(FLEET)], LiveCount { game_sessions: 4, player_sessions: 8 });
    assert_eq!(counts[&FleetId::from("fleet-nobody")], LiveCount::default());
    store.close().await;
}

#[tokio::test]
async fn lengths_of_ended_sessions_and_ages_of_live_ones_are_the_ground_of_an_estimate() {
    let place = Place::new();
    let store = inhabited(&place).await;
    let reader = store.reader();
    let lengths = reader.session_lengths(&FLEET.into(), NOW.plus_ms(-86_400_000), NOW).await.unwrap();
    assert_eq!((lengths.ended, lengths.lengths_ms.len()), (20, 20));
    assert_eq!(
        (lengths.p50_ms, lengths.p90_ms, lengths.p99_ms),
        (Some(600_000), Some(1_080_000), Some(1_200_000))
    );
    assert_eq!(lengths.live_ages, [60_000; 4]);
    assert_eq!(reader.sessions_since(&FLEET.into(), NOW.plus_ms(-60_000)).await.unwrap(), 4);
    assert_eq!(reader.live_around(&FLEET.into(), NOW).await.unwrap(), (4, 0));
    let hour = TimeRange::new(NOW.plus_ms(-3_600_000), NOW.plus_ms(-60_000));
    assert_eq!(reader.sessions_created(&FLEET.into(), hour).await.unwrap(), 20);
    let nobody = reader.session_lengths(&"fleet-nobody".into(), NOW, NOW).await.unwrap();
    assert_eq!((nobody.p50_ms, nobody.ended), (None, 0));
    store.close().await;
}

fn alias(id: &str, fleet_id: &str) -> Alias {
    Alias {
        alias_id: id.into(),
        alias_arn: None,
        region: region(),
        name: id.to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: fleet_id.into() },
        creation_time: None,
        last_updated_time: None,
    }
}

fn queue(name: &str, destinations: &[&str]) -> GameSessionQueue {
    let arn = |to: &&str| {
        let kind = if to.starts_with("alias") { "alias" } else { "fleet" };
        format!("arn:aws:gamelift:eu-west-1:111122223333:{kind}/{to}")
    };
    GameSessionQueue {
        name: name.into(),
        region: region(),
        arn: None,
        timeout_seconds: Some(60),
        destinations: destinations.iter().map(arn).collect(),
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: None,
    }
}

#[tokio::test]
async fn queues_and_aliases_say_whether_they_lead_somewhere() {
    let place = Place::new();
    let store = place.open().await;
    apply(
        &store,
        NOW,
        vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            Observation::Aliases(Listing::complete(vec![
                alias("alias-1", FLEET),
                alias("alias-2", "fleet-2"),
            ])),
            Observation::Queues(Listing::complete(vec![
                queue("both", &[FLEET, "alias-1"]),
                queue("through", &["alias-2", "alias-1"]),
                queue("neither", &["alias-2"]),
            ])),
        ],
    )
    .await;
    let reader = store.reader();
    let leading = reader.queues_leading_to(&LeadTarget::Fleet(FLEET.into())).await.unwrap();
    let told: Vec<_> =
        leading.iter().map(|lead| (lead.queue.name.as_str(), lead.direct, lead.through.len())).collect();
    assert_eq!(told, [("both", true, 1), ("through", false, 1)]);
    let using = reader.queues_leading_to(&LeadTarget::Alias("alias-2".into())).await.unwrap();
    let names: Vec<_> = using.iter().map(|lead| lead.queue.name.as_str()).collect();
    assert_eq!(names, ["neither", "through"]);
    let aliases = reader.aliases_leading_to(&FLEET.into()).await.unwrap();
    assert_eq!(aliases.len(), 1);
    let (one, _) = reader.queue(&region(), &"through".into(), NOW).await.unwrap().unwrap();
    assert_eq!(one.destinations[1].fleet_id, Some(FLEET.into()));
    assert!(reader.queue(&"us-east-1".into(), &"through".into(), NOW).await.unwrap().is_none());
    store.close().await;
}

#[tokio::test]
async fn a_placement_is_told_with_its_players_and_its_session() {
    let place = Place::new();
    let store = place.open().await;
    let seen =
        vec![Observation::GameSessions(vec![session(1)]), Observation::PlacementEvents(vec![placement(1)])];
    apply(&store, NOW, seen).await;
    let story = store.reader().placement(&"placement-1".into(), NOW).await.unwrap().unwrap();
    assert_eq!(story.events, [placement(1)]);
    assert_eq!(story.game_session_name.as_deref(), Some("match-1"));
    assert_eq!(store.reader().placement(&"placement-2".into(), NOW).await.unwrap(), None);
    store.close().await;
}

fn script(version: &str, size: i64) -> Script {
    Script {
        script_id: "script-1".into(),
        region: region(),
        arn: None,
        name: Some("lobby".to_owned()),
        version: Some(version.to_owned()),
        size_on_disk_bytes: Some(size),
        node_js_version: None,
        creation_time: None,
    }
}

/// Live game sessions with older files, with the newest files, and of which neither is known.
fn split(row: &ScriptRow) -> (u64, u64, u64) {
    (row.live_before, row.live_after, row.live_unknown)
}

#[tokio::test]
async fn an_update_that_nobody_saw_splits_the_sessions_by_the_scripts_own_time() {
    let place = Place::new();
    let store = place.open().await;
    let runs_it = Fleet { build_id: None, script_id: Some("script-1".into()), ..fleet() };
    let made = |number: u32, minutes: i64| GameSession {
        creation_time: NOW.plus_ms(minutes * 60_000),
        ..session(number)
    };
    let at = |minutes: i64| Script { creation_time: Some(NOW.plus_ms(minutes * 60_000)), ..script("1", 10) };
    let seen = |script: Script, sessions: Vec<GameSession>| {
        vec![
            Observation::Fleets(Listing::complete(vec![runs_it.clone()])),
            Observation::Scripts(Listing::complete(vec![script])),
            Observation::GameSessions(sessions),
        ]
    };
    let reader = store.reader();
    apply(&store, NOW, seen(at(-90), vec![made(1, -10), made(2, -2)])).await;
    assert_eq!(split(&reader.scripts(NOW).await.unwrap().0[0]), (0, 0, 2));
    // The same script, as a store tells it that begins after the update.
    let place = Place::new();
    let late = place.open().await;
    apply(&late, NOW, seen(at(-5), vec![made(1, -10), made(2, -2)])).await;
    assert_eq!(split(&late.reader().scripts(NOW).await.unwrap().0[0]), (1, 1, 0));
    late.close().await;
    // The time of the script itself is nearer than that of the poll that saw it move.
    apply(&store, NOW.plus_ms(300_000), seen(at(1), vec![made(3, 2)])).await;
    let (scripts, _) = reader.scripts(NOW).await.unwrap();
    assert_eq!((scripts[0].updated_at, split(&scripts[0])), (Some(NOW.plus_ms(60_000)), (2, 1, 0)));
    store.close().await;
}

#[tokio::test]
async fn a_script_tells_which_live_sessions_have_its_newest_version() {
    let place = Place::new();
    let store = place.open().await;
    let runs_it = Fleet { build_id: None, script_id: Some("script-1".into()), ..fleet() };
    let first = vec![
        Observation::Fleets(Listing::complete(vec![runs_it])),
        Observation::Scripts(Listing::complete(vec![script("1", 10)])),
        Observation::GameSessions(vec![session(1), session(2)]),
    ];
    apply(&store, NOW, first).await;
    let reader = store.reader();
    let (scripts, _) = reader.scripts(NOW).await.unwrap();
    assert_eq!((scripts[0].updated_at, split(&scripts[0])), (None, (0, 0, 2)), "nothing tells their version");
    let mut sent = attempt(
        1,
        Request::UpdateScript(UpdateScript {
            script_id: "script-1".into(),
            name: None,
            version: Some("2".to_owned()),
            zip_file: Some(ZipFile { path: "lobby.zip".into(), size_bytes: 20, sha256: String::new() }),
        }),
    );
    sent.at = NOW.plus_ms(60_000);
    send(&store, sent.clone(), ActivityOutcome::Done).await;
    let mut newer = session(3);
    newer.creation_time = NOW.plus_ms(90_000);
    let later = vec![
        Observation::Scripts(Listing::complete(vec![script("2", 20)])),
        Observation::GameSessions(vec![newer]),
    ];
    apply(&store, NOW.plus_ms(120_000), later).await;
    let (scripts, _) = reader.scripts(NOW).await.unwrap();
    let row = &scripts[0];
    let sent_at: Timestamp = sent.at.plus_ms(200);
    assert_eq!(row.updated_at, Some(sent_at), "the sending, not the poll that saw it");
    assert_eq!(split(row), (2, 1, 0));
    assert_eq!(row.fleets[0].name, "eu-prod");
    assert_eq!(row.history.len(), 2, "version and size");
    let (builds, _) = reader.builds(NOW).await.unwrap();
    assert!(builds.is_empty());
    store.close().await;
}
