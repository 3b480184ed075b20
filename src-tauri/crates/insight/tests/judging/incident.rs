//! Incidents and offers over a real database file: who was in a session when it ended, and what would help.

use liftdeck_insight::difference::{SessionDifferenceQuery, session_differences, ticket_differences};
use liftdeck_insight::incident::{
    CauseStory, EvidenceFilter, EvidenceKind, FailedList, HitNoun, IncidentCompared, IncidentOf,
    IncidentScope, incident, incident_evidence, incident_players,
};
use liftdeck_insight::offer::{Help, Offered};
use liftdeck_insight::verdict::{InForce, Verdict, look};
use liftdeck_insight::{Rule, alert_list};
use liftdeck_model::alert::{AlertId, AlertRecord, AlertState, AlertStep, AlertStepKind};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::fleet::{Fleet, FleetCapacity, FleetEvent};
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::TicketPlayer;
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::query::Query;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::AlertChanges;
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::hit_player::HitBy;
use liftdeck_store::reader::span_note::SpanNote;
use liftdeck_store::reader::window::Page;

use crate::causes::{configuration, ticket_ended};
use crate::room::lacking;
use crate::world::{NOW, World, capacity, fleet, player, session, utilization};
use crate::{MINUTE, last_hours};

fn record(verdict: &Verdict) -> AlertRecord {
    AlertRecord {
        id: AlertId::new(format!("alert-{}", <&str>::from(verdict.rule))),
        rule: <&str>::from(verdict.rule).to_owned(),
        subject: verdict.subject.clone(),
        region: verdict.region.clone(),
        fleet_id: verdict.fleet_id.clone(),
        severity: verdict.severity,
        state: AlertState::Firing,
        since: verdict.since,
        seen_at: NOW,
        fired_at: Some(NOW),
        clear_since: None,
        unknown_since: None,
        ended_at: None,
        acknowledged: None,
        document: verdict.facts.to_document(),
    }
}

/// Looks, and lets what is wrong by this rule fire.
pub(crate) async fn fires(world: &World, rule: Rule) -> AlertRecord {
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    let verdict = seen.verdicts.iter().find(|it| it.rule == rule).expect("it is seen");
    let record = record(verdict);
    let put = vec![(record.clone(), vec![AlertStep::new(NOW, AlertStepKind::Firing)])];
    world.writer().change_alerts(AlertChanges { put, ..AlertChanges::default() }).await.unwrap();
    record
}

async fn offered(world: &World, id: &AlertId) -> Offered {
    let list = alert_list(&world.reader(), last_hours(1), NOW).await.unwrap();
    let alert = list.alerts.into_iter().find(|alert| alert.id == *id).expect("it is listed");
    alert.offered.expect("something is offered")
}

#[tokio::test]
async fn where_the_accounts_limit_is_reached_no_higher_maximum_is_offered_and_the_story_says_why() {
    let world = lacking(3, false, 4).await;
    // It is at its maximum as well: raising that would start nothing.
    let capped = fires(&world, Rule::Capped).await;
    let limited = fires(&world, Rule::InstanceLimit).await;
    for alert in [&capped, &limited] {
        let Offered::Look(advice) = offered(&world, &alert.id).await else { panic!("a change is offered") };
        assert!(advice.contains("Service Quotas"), "{}: {advice}", alert.rule);
    }
    let told = incident(&world.reader(), &IncidentOf::Alert { id: capped.id }, NOW).await.unwrap().unwrap();
    assert_eq!(told.causes[0].heading, "Instance limit of the account");
    assert_eq!(
        told.causes[0].text,
        "arena gets no more instances: the account has 4 of 4 c6i.large in eu-west-1"
    );
    world.close().await;
}

#[tokio::test]
async fn a_maximum_that_was_lowered_is_offered_back() {
    let world = World::new().await;
    for minutes in (0..=30).rev().step_by(2) {
        let maximum = if minutes > 20 { 40 } else { 20 };
        let sessions = if minutes <= 10 { 160 } else { 140 };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("arena")])),
            Observation::FleetCapacity(FleetCapacity { maximum, ..capacity("arena", 20, 20) }),
            Observation::FleetUtilization(utilization("arena", 160, sessions)),
        ];
        world.saw(NOW.plus_ms(-minutes * MINUTE), seen).await;
    }
    let alert = fires(&world, Rule::Capped).await;
    let Offered::Change(offer) = offered(&world, &alert.id).await else { panic!("no change is offered") };
    let Help::RaiseMaximum { places, is_former, .. } = &offer.help else { panic!("{:?}", offer.help) };
    assert!(is_former);
    assert_eq!(places.iter().map(|place| (place.from, place.to)).collect::<Vec<_>>(), [(20, 40)]);
    assert_eq!(offer.commands, ["liftdeck fleet capacity arena --location eu-west-1 --max 40"]);
    assert_eq!(offer.actions.len(), 1);
    // The page tells the same as the list.
    let of = IncidentOf::Alert { id: alert.id };
    let told = incident(&world.reader(), &of, NOW).await.unwrap().unwrap();
    assert_eq!(told.offered.and_then(|offered| offered.change().cloned()), Some(*offer));
    world.close().await;
}

/// A session of the calm fleet that crashed, with what told so.
pub(crate) fn crashed(number: u32, created: Timestamp, ended: Timestamp) -> (GameSession, FleetEvent) {
    let session = GameSession {
        status: GameSessionStatus::Terminated,
        termination_time: Some(ended),
        ip_address: Some("203.0.113.7".to_owned()),
        port: Some(7780),
        ..session(number, created)
    };
    let event = FleetEvent {
        event_id: format!("crash-{number}"),
        fleet_id: FleetId::from("fleet-calm"),
        event_code: "SERVER_PROCESS_CRASHED".into(),
        message: Some(format!("Server process of {} exited", session.game_session_id)),
        event_time: ended,
        count: 1,
        has_log: false,
    };
    (session, event)
}

#[tokio::test]
async fn those_are_cut_off_who_were_in_a_session_when_it_crashed() {
    let world = World::new().await;
    let begin = NOW.plus_ms(-20 * MINUTE);
    world.saw(begin, vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))]).await;
    let mut events = Vec::new();
    for number in 1..=8 {
        let ended = NOW.plus_ms(-i64::from(10 - number) * MINUTE);
        let (session, event) = crashed(number, begin, ended);
        events.push(event);
        let id = session.game_session_id.clone();
        // One had left a minute before; one stayed to the end, and is the same in every session.
        let players = vec![
            player(number, 100 + number, begin, Some(ended.plus_ms(-MINUTE))),
            player(number, 1, begin, Some(ended)),
            player(number, 200 + number, begin, Some(ended.plus_ms(300))),
        ];
        world
            .saw(
                NOW.plus_ms(-MINUTE),
                vec![
                    Observation::GameSessions(vec![session]),
                    Observation::PlayerSessions(id, Listing::complete(players)),
                ],
            )
            .await;
    }
    // Who was cut off last plays again.
    let live = session(50, NOW.plus_ms(-90_000));
    let again = vec![player(50, 208, NOW.plus_ms(-60_000), None)];
    world
        .saw(
            NOW,
            vec![
                Observation::FleetEvents("fleet-calm".into(), events),
                Observation::GameSessions(vec![live.clone()]),
                Observation::PlayerSessions(live.game_session_id, Listing::complete(again)),
            ],
        )
        .await;
    let alert = fires(&world, Rule::Crashes).await;
    let of = IncidentOf::Alert { id: alert.id };
    let told = incident(&world.reader(), &of, NOW).await.unwrap().unwrap();
    assert_eq!((told.who.count, told.who.players, told.who.times), (8, Some(9), 16));
    assert_eq!(told.who.unread, 0);
    let playing = told.who.playing.unwrap();
    assert_eq!((playing.elsewhere, playing.here_again, playing.offline), (0, 1, 8));
    assert_eq!(told.who.locations.len(), 1);
    let page = Page::first(2);
    let players = incident_players(&world.reader(), &of, page, NOW).await.unwrap().unwrap();
    assert_eq!((players.total, players.total_is_exact, players.rows.len()), (9, true, 2));
    let last = players.rows.iter().find(|row| row.player_id.as_str() == "player-1").expect("cut off last");
    let HitBy::GameSession { address, .. } = &last.by else { panic!("{last:?}") };
    assert_eq!((last.times, address.as_deref()), (8, Some("203.0.113.7:7780")));
    let all = incident_evidence(&world.reader(), &of, EvidenceFilter::All, Page::first(50), NOW).await;
    let all = all.unwrap().unwrap();
    let failures = all.rows.iter().filter(|line| line.kind == EvidenceKind::Failure).count();
    assert_eq!(failures, 2, "the first and the last: {:?}", all.rows);
    assert!(all.rows.is_sorted_by(|one, next| one.at >= next.at));
    world.close().await;
}

#[tokio::test]
async fn players_that_were_never_read_are_not_called_none() {
    let world = World::new().await;
    let begin = NOW.plus_ms(-20 * MINUTE);
    world.saw(begin, vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))]).await;
    let (sessions, events): (Vec<_>, Vec<_>) =
        (1..=6).map(|number| crashed(number, begin, NOW.plus_ms(-i64::from(number) * MINUTE))).unzip();
    let seen =
        vec![Observation::GameSessions(sessions), Observation::FleetEvents("fleet-calm".into(), events)];
    world.saw(NOW, seen).await;
    let range = TimeRange::new(begin, NOW.plus_ms(1));
    let of = IncidentOf::Span { scope: IncidentScope::Fleet { fleet_id: "fleet-calm".into() }, range };
    let told = incident(&world.reader(), &of, NOW).await.unwrap().unwrap();
    assert_eq!((told.who.count, told.who.players, told.who.unread), (6, None, 6));
    assert!(told.lanes.iter().all(|lane| lane.title != "Players cut off"));
    let failed = world
        .reader()
        .failed_sessions_without_players(&"fleet-calm".into(), begin.plus_ms(-1), 50)
        .await
        .unwrap();
    assert_eq!(failed.len(), 6, "they are asked for");
    world.close().await;
}

/// When the alias was moved.
const MOVED: Timestamp = NOW.plus_ms(-10 * MINUTE);

/// An alias that was moved to a fleet whose game sessions crash. Before, one a minute began on the former fleet, for so
/// many minutes.
async fn moved_to_a_bad_fleet(minutes: u32) -> World {
    let world = World::new().await;
    let moved = MOVED;
    let alias = |to: &str, updated: Timestamp| Alias {
        alias_id: "alias-1".into(),
        alias_arn: None,
        region: "eu-west-1".into(),
        name: "arena-live".to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: to.into() },
        creation_time: Some(NOW.plus_ms(-86_400_000)),
        last_updated_time: Some(updated),
    };
    let on = |name: &str, number: u32, created: Timestamp| {
        let id = format!("arn:aws:gamelift:eu-west-1::gamesession/fleet-{name}/eu-west-1/{name}-{number}");
        GameSession {
            game_session_id: id.into(),
            fleet_id: FleetId::new(format!("fleet-{name}")),
            ..session(number, created)
        }
    };
    // A session a minute: on the former fleet up to the update, on the new one since, where each crashes.
    let before =
        (0..minutes).map(|number| on("good", number, moved.plus_ms(-i64::from(number + 1) * MINUTE)));
    let mut sessions: Vec<GameSession> = before.collect();
    let mut events = Vec::new();
    for number in 0..9 {
        let created = moved.plus_ms(i64::from(number) * MINUTE + 1_000);
        let ended = created.plus_ms(30_000);
        let (status, termination_time) = (GameSessionStatus::Terminated, Some(ended));
        let session = GameSession { status, termination_time, ..on("green", number, created) };
        events.push(FleetEvent {
            event_id: format!("crash-{number}"),
            fleet_id: "fleet-green".into(),
            event_code: "SERVER_PROCESS_CRASHED".into(),
            message: Some(format!("Server process of {} exited", session.game_session_id)),
            event_time: ended,
            count: 1,
            has_log: false,
        });
        sessions.push(session);
    }
    world
        .saw(
            NOW,
            vec![
                Observation::Fleets(Listing::complete(vec![fleet("good"), fleet("green"), fleet("idle")])),
                Observation::FleetCapacity(capacity("good", 4, 4)),
                Observation::FleetUtilization(utilization("good", 32, 20)),
                Observation::FleetCapacity(capacity("green", 4, 4)),
                Observation::FleetUtilization(utilization("green", 32, 2)),
                Observation::Aliases(Listing::complete(vec![alias("fleet-green", moved)])),
                Observation::GameSessions(sessions),
                Observation::FleetEvents("fleet-green".into(), events),
            ],
        )
        .await;
    world
}

#[tokio::test]
async fn a_former_fleet_is_known_by_the_sessions_that_ceased_on_it() {
    let world = moved_to_a_bad_fleet(30).await;
    let alert = fires(&world, Rule::Crashes).await;
    let Offered::Change(offer) = offered(&world, &alert.id).await else { panic!("no change is offered") };
    let Help::RepointBack { to, is_inferred, .. } = &offer.help else { panic!("{:?}", offer.help) };
    assert_eq!((to.name.as_str(), *is_inferred), ("good", true));
    assert_eq!(offer.commands, ["liftdeck alias repoint arena-live --fleet good"]);
    let of = IncidentOf::Alert { id: alert.id };
    let told = incident(&world.reader(), &of, NOW).await.unwrap().unwrap();
    assert_eq!(told.fleets.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["green", "good"]);
    assert!(told.causes.first().is_some_and(|cause| !cause.proofs.is_empty()));
    assert!(told.marks.iter().any(|mark| mark.is_cause && mark.at == MOVED));
    world.close().await;
}

#[tokio::test]
async fn where_a_former_fleet_is_not_known_it_is_said_that_it_is_what_lacks() {
    let world = moved_to_a_bad_fleet(2).await;
    let alert = fires(&world, Rule::Crashes).await;
    let Offered::Look(advice) = offered(&world, &alert.id).await else { panic!("a change is offered") };
    assert!(advice.starts_with("Where arena-live led before is not known"), "{advice}");
    world.close().await;
}

#[tokio::test]
async fn an_alert_that_is_not_there_is_no_incident() {
    let world = World::new().await;
    let of = IncidentOf::Alert { id: "never-was".into() };
    assert!(incident(&world.reader(), &of, NOW).await.unwrap().is_none());
    assert!(incident_players(&world.reader(), &of, Page::first(5), NOW).await.unwrap().is_none());
    world.close().await;
}

#[tokio::test]
async fn those_whose_ticket_failed_are_listed_with_the_ticket_and_where_they_play_since() {
    let world = World::new().await;
    let calm = Observation::Fleets(Listing::complete(vec![fleet("calm")]));
    let configurations = Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()]));
    // Two players a ticket: one who tries again and again, and another.
    let events = (0..300).rev().map(|number| {
        let mut event = ticket_ended(number);
        event.tickets[0].players = [1, 100 + number]
            .map(|id| TicketPlayer { player_id: format!("player-{id}").into(), team: None, accepted: None })
            .to_vec();
        event
    });
    world.saw(NOW, vec![calm, configurations, Observation::MatchmakingEvents(events.collect())]).await;
    // Whose ticket failed five seconds ago plays since.
    let live = session(50, NOW.plus_ms(-MINUTE));
    let since = vec![player(50, 101, NOW.plus_ms(-2_000), None)];
    let players = Observation::PlayerSessions(live.game_session_id.clone(), Listing::complete(since));
    world.saw(NOW, vec![Observation::GameSessions(vec![live]), players]).await;
    let alert = fires(&world, Rule::Tickets).await;
    let of = IncidentOf::Alert { id: alert.id };
    let who = incident(&world.reader(), &of, NOW).await.unwrap().unwrap().who;
    assert_eq!((who.players, who.times), (Some(who.count + 1), 2 * who.count), "{who:?}");
    let players = incident_players(&world.reader(), &of, Page::first(3), NOW).await.unwrap().unwrap();
    assert_eq!((players.total, players.total_is_exact), (who.count + 1, true));
    let seen: Vec<_> = players.rows.iter().map(|row| (row.player_id.as_str(), row.times)).collect();
    assert_eq!(seen, [("player-1", who.count), ("player-100", 1), ("player-101", 1)]);
    assert_eq!(players.rows[1].by, HitBy::Ticket { ticket_id: "ticket-0".into() });
    let places: Vec<_> = players.rows.iter().map(|row| row.playing.is_some()).collect();
    assert_eq!(places, [false, false, true]);
    world.close().await;
}

fn span(scope: IncidentScope, from: Timestamp, to: Timestamp) -> IncidentOf {
    IncidentOf::Span { scope, range: TimeRange::new(from, to) }
}

fn on_fleet(name: &str) -> IncidentScope {
    IncidentScope::Fleet { fleet_id: FleetId::new(format!("fleet-{name}")) }
}

#[tokio::test]
async fn a_span_has_the_causes_of_the_alerts_that_were_open_in_it_each_said_once() {
    let world = moved_to_a_bad_fleet(30).await;
    let alert = fires(&world, Rule::Crashes).await;
    let reader = world.reader();
    let own = incident(&reader, &IncidentOf::Alert { id: alert.id.clone() }, NOW).await.unwrap().unwrap();
    assert!(!own.causes.is_empty() && own.causes.iter().all(|cause| cause.alerts.is_empty()));
    for scope in [on_fleet("green"), IncidentScope::All, IncidentScope::Alias { alias_id: "alias-1".into() }]
    {
        let of = span(scope.clone(), MOVED.plus_ms(-MINUTE), NOW);
        let told = incident(&reader, &of, NOW).await.unwrap().unwrap();
        let kept = |causes: &[CauseStory]| -> Vec<_> {
            causes.iter().map(|one| (one.text.clone(), one.strength, one.proofs.clone())).collect()
        };
        assert_eq!(kept(&told.causes), kept(&own.causes), "{scope:?}");
        assert_eq!(told.ruled_out, own.ruled_out);
        let from: Vec<_> = told.causes[0].alerts.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(from, [own.title.as_str()]);
        assert!(told.marks.iter().any(|mark| mark.is_cause && mark.at == MOVED), "{scope:?}");
    }
    // Another alert with the same cause, and one with a weaker cause of its own.
    let mut same = AlertRecord { id: "other".into(), subject: "other".to_owned(), ..alert.clone() };
    same.since = alert.since.plus_ms(MINUTE);
    let put = vec![(same, vec![AlertStep::new(NOW, AlertStepKind::Firing)])];
    world.writer().change_alerts(AlertChanges { put, ..AlertChanges::default() }).await.unwrap();
    let of = span(on_fleet("green"), MOVED.plus_ms(-MINUTE), NOW);
    let told = incident(&reader, &of, NOW).await.unwrap().unwrap();
    assert_eq!(told.causes.len(), own.causes.len(), "{:?}", told.causes);
    let from: Vec<_> = told.causes[0].alerts.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(from, [alert.id.as_str(), "other"]);
    world.close().await;
}

#[tokio::test]
async fn a_span_leaves_out_alerts_of_other_fleets_and_of_other_times() {
    let world = moved_to_a_bad_fleet(30).await;
    fires(&world, Rule::Crashes).await;
    let before = span(on_fleet("green"), MOVED.plus_ms(-60 * MINUTE), MOVED.plus_ms(-30 * MINUTE));
    for of in [span(on_fleet("idle"), MOVED, NOW), before] {
        let told = incident(&world.reader(), &of, NOW).await.unwrap().unwrap();
        assert_eq!(told.causes, []);
        assert_eq!(
            told.unexplained,
            "Not known. No alert was open here in this time, so nothing was judged."
        );
    }
    world.close().await;
}

#[tokio::test]
async fn a_span_without_an_alert_says_what_was_changed_before_the_first_failure() {
    let world = World::new().await;
    let begin = NOW.plus_ms(-20 * MINUTE);
    for (minutes, maximum) in [(20, 20), (15, 4), (1, 8)] {
        let capacity = FleetCapacity { maximum, ..capacity("calm", 2, 2) };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("calm")])),
            Observation::FleetCapacity(capacity),
        ];
        world.saw(NOW.plus_ms(-minutes * MINUTE), seen).await;
    }
    let (sessions, events): (Vec<_>, Vec<_>) =
        (2..=6).map(|number| crashed(number, begin, NOW.plus_ms(-i64::from(number) * MINUTE))).unzip();
    let seen =
        vec![Observation::GameSessions(sessions), Observation::FleetEvents("fleet-calm".into(), events)];
    world.saw(NOW, seen).await;
    let of = span(on_fleet("calm"), begin.plus_ms(MINUTE), NOW.plus_ms(1));
    let told = incident(&world.reader(), &of, NOW).await.unwrap().unwrap();
    let changed: Vec<_> = told.changed_before.iter().map(|line| line.at).collect();
    assert_eq!(changed, [NOW.plus_ms(-15 * MINUTE)], "the later change came after the first failure");
    // Nothing failed: nothing to explain.
    let of = span(on_fleet("calm"), begin.plus_ms(MINUTE), NOW.plus_ms(-10 * MINUTE));
    let told = incident(&world.reader(), &of, NOW).await.unwrap().unwrap();
    assert_eq!((told.who.count, told.changed_before.len()), (0, 0));
    world.close().await;
}

#[tokio::test]
async fn a_span_of_a_matchmaking_configuration_tells_of_its_tickets_as_the_alert_does() {
    let world = World::new().await;
    let calm = Observation::Fleets(Listing::complete(vec![fleet("calm")]));
    let configurations = Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()]));
    let events = (0..300).rev().map(|number| {
        let mut event = ticket_ended(number);
        let player = format!("player-{number}").into();
        event.tickets[0].players = vec![TicketPlayer { player_id: player, team: None, accepted: None }];
        event
    });
    world.saw(NOW, vec![calm, configurations, Observation::MatchmakingEvents(events.collect())]).await;
    let alert = fires(&world, Rule::Tickets).await;
    let reader = world.reader();
    let own = incident(&reader, &IncidentOf::Alert { id: alert.id }, NOW).await.unwrap().unwrap();
    let scope = IncidentScope::Matchmaking { name: "ranked".to_owned(), region: "eu-west-1".into() };
    let of = span(scope, own.since, NOW.plus_ms(1));
    let told = incident(&reader, &of, NOW).await.unwrap().unwrap();
    assert_eq!(told.title, "What happened: matchmaking ranked");
    assert_eq!((told.who.noun, told.who.count), (HitNoun::Tickets, own.who.count));
    assert_eq!(told.who.players, own.who.players);
    assert_eq!(told.regions, own.regions);
    let texts = |causes: &[CauseStory]| causes.iter().map(|one| one.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&told.causes), texts(&own.causes));
    let players = incident_players(&reader, &of, Page::first(3), NOW).await.unwrap().unwrap();
    assert_eq!(players.total, own.who.count);
    // What failed against the rest of the Region, and the span against the rest of the time.
    let Some(IncidentCompared::Tickets { scope, range, span: None }) = told.compared else {
        panic!("{:?}", told.compared)
    };
    assert_eq!((scope.configuration, range.to), (None, told.since.max(NOW.plus_ms(1))));
    let Some(IncidentCompared::Tickets { scope, range, span: Some(apart) }) = told.apart else {
        panic!("{:?}", told.apart)
    };
    let fresh = Freshness { as_of: Some(NOW), stale: false };
    let found = ticket_differences(&reader, &scope, range, Some(apart), fresh).await.unwrap();
    assert_eq!((found.whole.bad, found.whole.all), (told.who.of.unwrap(), 300));
    // Another configuration has none of it.
    let other = IncidentScope::Matchmaking { name: "casual".to_owned(), region: "eu-west-1".into() };
    let told = incident(&reader, &span(other, own.since, NOW.plus_ms(1)), NOW).await.unwrap().unwrap();
    assert_eq!((told.who.count, told.causes), (0, Vec::new()));
    world.close().await;
}

#[tokio::test]
async fn a_span_of_a_build_has_the_fleets_that_run_it() {
    let world = World::new().await;
    let on = |name: &str, build: &str| Fleet { build_id: Some(build.into()), ..fleet(name) };
    let fleets = vec![on("calm", "build-1"), on("green", "build-2"), on("blue", "build-1")];
    let (sessions, events): (Vec<_>, Vec<_>) = (1..=3)
        .map(|number| crashed(number, NOW.plus_ms(-20 * MINUTE), NOW.plus_ms(-i64::from(number) * MINUTE)))
        .unzip();
    let seen = vec![
        Observation::Fleets(Listing::complete(fleets)),
        Observation::GameSessions(sessions),
        Observation::FleetEvents("fleet-calm".into(), events),
    ];
    world.saw(NOW, seen).await;
    let told = async |build: &str| {
        let scope = IncidentScope::Build { id: build.to_owned() };
        let of = span(scope, NOW.plus_ms(-10 * MINUTE), NOW.plus_ms(1));
        incident(&world.reader(), &of, NOW).await.unwrap().unwrap()
    };
    let bad = told("build-1").await;
    let mut fleets: Vec<_> = bad.fleets.iter().map(|it| it.name.as_str()).collect();
    fleets.sort_unstable();
    assert_eq!((fleets, bad.who.count), (vec!["blue", "calm"], 3));
    assert!(
        matches!(&bad.failed, FailedList::Sessions { text, .. } if text.starts_with("build=\"build-1\" "))
    );
    assert_eq!(told("build-2").await.who.count, 0);
    world.close().await;
}

#[tokio::test]
async fn notes_about_a_span_stand_on_its_timeline_and_on_no_other() {
    let world = World::new().await;
    world.saw(NOW, vec![Observation::Fleets(Listing::complete(vec![fleet("calm")]))]).await;
    let range = TimeRange::new(NOW.plus_ms(-20 * MINUTE), NOW);
    let note = SpanNote { at: NOW, by: Some("mia".to_owned()), text: "the build was bad".to_owned() };
    world.writer().note_span(on_fleet("calm").key(), range, note).await.unwrap();
    let notes = async |scope: IncidentScope, range: TimeRange| {
        let of = IncidentOf::Span { scope, range };
        let filter = EvidenceFilter::Ours;
        let lines =
            incident_evidence(&world.reader(), &of, filter, Page::first(9), NOW).await.unwrap().unwrap();
        lines.rows.into_iter().map(|line| (line.kind, line.by, line.text)).collect::<Vec<_>>()
    };
    let told = notes(on_fleet("calm"), range).await;
    assert_eq!(told, [(EvidenceKind::Note, Some("mia".to_owned()), "the build was bad".to_owned())]);
    assert_eq!(notes(on_fleet("other"), range).await, []);
    assert_eq!(notes(on_fleet("calm"), TimeRange::new(range.from, NOW.plus_ms(-1))).await, []);
    world.close().await;
}

#[tokio::test]
async fn the_game_sessions_of_a_span_are_compared_with_those_of_the_rest_of_the_time() {
    let world = World::new().await;
    let on_map = |number: u32, created: Timestamp, map: &str| GameSession {
        game_properties: vec![GameProperty { key: "map".to_owned(), value: map.to_owned() }],
        ..session(number, created)
    };
    // One a minute for two hours; within the last twenty minutes all on a new map.
    let sessions = (1..=120).map(|minute| {
        on_map(minute, NOW.plus_ms(-i64::from(minute) * MINUTE), if minute <= 20 { "mine" } else { "dust" })
    });
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::GameSessions(sessions.collect()),
    ];
    world.saw(NOW, seen).await;
    let of = span(on_fleet("calm"), NOW.plus_ms(-20 * MINUTE), NOW.plus_ms(1));
    let told = incident(&world.reader(), &of, NOW).await.unwrap().unwrap();
    let Some(IncidentCompared::Sessions { text, range }) = told.apart else { panic!("{:?}", told.apart) };
    let asked =
        SessionDifferenceQuery { text: text.clone(), fleet_id: None, location: None, range: Some(range) };
    let fresh = Freshness { as_of: Some(NOW), stale: false };
    let query = Query::parse(&text).unwrap();
    let found = session_differences(&world.reader(), query, &asked, fresh, NOW).await.unwrap();
    assert_eq!((found.whole.bad, found.whole.all), (20, 120), "{text}");
    let first = &found.whole.groups[0].first;
    assert_eq!((first.label.as_str(), first.bad_in, first.all_in, first.lift), ("mine", 20, 20, None));
    assert_eq!(found.among, "fleet=\"fleet-calm\"");
    world.close().await;
}
