//! Proves that every statement behind a screen uses an index: each statement that ran is explained, and none may scan
//! a large table from end to end.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use liftdeck_model::action::ResourceKind;
use liftdeck_model::activity::ActivityOutcome;
use liftdeck_model::feed::{Named, NamedKind};
use liftdeck_model::fleet::{ComputeKind, Fleet, FleetStatus};
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionEnding, GameSessionStatus};
use liftdeck_model::matchmaking::{EventTicket, MatchmakingConfiguration, MatchmakingEvent, TicketPlayer};
use liftdeck_model::metric::{MetricSample, MetricSeries};
use liftdeck_model::observation::{Batch, Listing, Observation, PollKind};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::query::Query;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetEventCode, FleetId, PlayerId, Region, Timestamp};
use parking_lot::Mutex;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, Row as _};
use tracing::field::{Field, Visit};

use super::Reader;
use super::activity::ActivityRequest;
use super::change::ChangeScope;
use super::classes::{Bad, Having};
use super::cut_off::{EndedScope, EndedSessions};
use super::matchmaking::{MatchmakingEventRequest, TicketRequest, TicketScope};
use super::placement::{Destination, PlacementRequest, PlacementScope, PlacementSplit};
use super::queue::LeadTarget;
use super::reservations::ReservationScope;
use super::series::{MetricsOf, MetricsRequest, SeriesName, SeriesRequest, SeriesScope};
use super::session::difference::Compared;
use super::session::{SessionColumn, SessionRequest};
use super::unmatched::UnmatchedScope;
use super::wait::Waiting;
use super::window::Page;
use crate::ledger::Ledger;
use crate::store::{Access, Store, StoreOptions};
use crate::writer::PresetKind;

const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

/// Tables that may be scanned, each with the reason why.
const SMALL: [(&str, &str); 31] = [
    ("mine", "the newest sessions of one player, at most 200"),
    ("recent", "the newest sessions, at most 50 000, chosen by an index"),
    ("made", "the matches proposed in a range, chosen by an index"),
    ("trail_mark", "a Region each"),
    ("instance_limit", "an instance type in a location each, a few hundred"),
    ("c", "a location of a fleet each"),
    ("d", "which series have samples on a day, found by the day"),
    ("region", "a Region each"),
    ("location", "a location each"),
    ("channel", "a channel each, a few"),
    ("custom_rule", "a rule of one's own each, at most 100"),
    ("alert_rule", "an adjusted rule each, a few"),
    ("t", "alerts that were told and are not over"),
    ("word", "a status or the like each"),
    ("fleet", "a fleet each, a few hundred"),
    ("fleet_capacity", "a location of a fleet each"),
    ("fleet_utilization", "a location of a fleet each"),
    ("metric_series", "a series each, a few thousand, and charts over all fleets need all of a name"),
    ("quarantined_message", "messages set aside, at most 10 000, read to count them"),
    ("feed_adoption", "adopted queues, one or two a Region"),
    ("arn_prefix", "a location of a fleet each"),
    ("known", "a state of tickets each"),
    ("v", "the players of one window, at most 1 000"),
    ("w", "the game sessions asked about, at most 500"),
    ("newest", "the newest sessions, a few hundred, chosen by an index"),
    ("p", "the properties of one session, at most 16"),
    ("y", "players, by a pattern no range of ids stands for"),
    ("m", "the sessions compared, chosen by an index"),
    ("every", "the properties of all sessions, walked only when more than a third of them are compared"),
    ("most", "the most frequent properties, at most 500"),
    ("g", "sessions, by a pattern or column no index is kept of: the price of a search by it"),
];

/// Prefix of the thread names of the connections watched here. Other tests' connections run in the same process.
const WATCHED: &str = "watched-by-plans-";

/// Texts of the statements that sqlx logs for the connections watched here.
#[derive(Clone, Default)]
struct Statements(Arc<Mutex<BTreeSet<String>>>);

impl Visit for Statements {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // sqlx logs a short summary and, for statements longer than that, also the whole text.
        if field.name() == "db.statement" || field.name() == "summary" {
            let text = format!("{value:?}").trim_matches('"').replace("\\n", "\n").replace("\\\"", "\"");
            self.0.lock().insert(text.trim().to_owned());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if matches!(field.name(), "db.statement" | "summary") && !value.trim().is_empty() {
            self.0.lock().insert(value.trim().to_owned());
        }
    }
}

impl tracing::Subscriber for Statements {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("sqlx::query")
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        // A connection's statements are logged from its own thread.
        if std::thread::current().name().is_some_and(|name| name.starts_with(WATCHED)) {
            event.record(&mut self.clone());
        }
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

fn fleet(number: u32, kind: ComputeKind) -> Fleet {
    Fleet {
        fleet_id: FleetId::new(format!("fleet-{number}")),
        fleet_arn: None,
        region: "eu-west-1".into(),
        kind,
        name: Some(format!("arena-{number}")),
        description: None,
        status: FleetStatus::Active,
        instance_type: None,
        creation_time: None,
        termination_time: None,
        build_id: None,
        script_id: None,
        operating_system: None,
        new_game_session_protection_policy: None,
        creator_limit: None,
        metric_groups: Vec::new(),
        stopped_actions: Vec::new(),
        instance_role_arn: None,
        certificate_type: None,
        anywhere_cost: None,
        player_gateway_mode: None,
        container: None,
    }
}

fn session(number: u32) -> GameSession {
    let fleet = number % 2;
    GameSession {
        game_session_id: format!(
            "arn:aws:gamelift:eu-west-1::gamesession/fleet-{fleet}/eu-west-1/s-{number}"
        )
        .into(),
        name: Some(format!("match {number}")),
        fleet_id: FleetId::new(format!("fleet-{fleet}")),
        location: Some("eu-west-1".into()),
        status: if number.is_multiple_of(3) {
            GameSessionStatus::Terminated
        } else {
            GameSessionStatus::Active
        },
        status_reason: None,
        creation_time: NOW.plus_ms(-i64::from(number) * 1_000),
        termination_time: number.is_multiple_of(3).then_some(NOW),
        current_player_session_count: 1,
        maximum_player_session_count: 8,
        player_session_creation_policy: None,
        creator_id: None,
        game_properties: vec![GameProperty { key: "mode".to_owned(), value: "x".to_owned() }],
        ip_address: None,
        dns_name: None,
        port: None,
        game_session_data: None,
        matchmaker_data: None,
        compute_name: None,
        player_gateway_status: None,
        protection_policy: None,
    }
}

fn configuration() -> MatchmakingConfiguration {
    MatchmakingConfiguration {
        name: "arena-2v2".to_owned(),
        region: "eu-west-1".into(),
        arn: None,
        description: None,
        queue_arns: Vec::new(),
        request_timeout_seconds: None,
        acceptance_timeout_seconds: None,
        acceptance_required: true,
        rule_set_name: None,
        notification_target: None,
        additional_player_count: None,
        backfill_mode: None,
        flex_match_mode: None,
        creation_time: None,
    }
}

fn placement() -> PlacementEvent {
    PlacementEvent {
        placement_id: "placement-1".into(),
        event_type: PlacementEventType::Fulfilled,
        event_id: None,
        queue: "arena".into(),
        region: "eu-west-1".into(),
        event_time: NOW,
        start_time: None,
        end_time: None,
        game_session_id: Some(session(1).game_session_id),
        game_session_location: None,
        game_session_region: None,
        ip_address: None,
        dns_name: None,
        port: None,
        compute_name: None,
        custom_event_data: None,
        placed_player_sessions: Vec::new(),
    }
}

fn matchmaking_event() -> MatchmakingEvent {
    MatchmakingEvent {
        event_id: "event-1".to_owned(),
        event_type: "MatchmakingSearching".to_owned(),
        configuration: "arena-2v2".to_owned(),
        region: "eu-west-1".into(),
        event_time: NOW.plus_ms(-1_000),
        match_id: None,
        reason: None,
        message: None,
        estimated_wait_seconds: None,
        game_session_id: None,
        tickets: vec![EventTicket { ticket_id: "tk-1".into(), start_time: None, players: Vec::new() }],
    }
}

fn timed_out() -> MatchmakingEvent {
    let players = vec![TicketPlayer { player_id: "player-1".into(), team: None, accepted: None }];
    MatchmakingEvent {
        event_id: "event-2".to_owned(),
        event_type: "MatchmakingTimedOut".to_owned(),
        tickets: vec![EventTicket { ticket_id: "tk-2".into(), start_time: None, players }],
        ..matchmaking_event()
    }
}

/// Runs every query a screen runs.
async fn ask_everything(reader: &Reader) {
    let fleet = FleetId::from("fleet-1");
    let range = TimeRange::new(NOW.plus_ms(-10_800_000), NOW);
    reader.fleet_summaries(NOW).await.unwrap();
    reader.fleet_detail(&fleet, NOW).await.unwrap();
    reader.computes(&fleet, NOW).await.unwrap();
    for scope in
        [ChangeScope::All, ChangeScope::Fleet(&fleet), ChangeScope::Resource { kind: "alias", resource: "a" }]
    {
        reader.changes(scope, Some(range), 50).await.unwrap();
        reader.trail_calls(range).await.unwrap();
        reader.trail_looks(range.from).await.unwrap();
        reader.trail_marks().await.unwrap();
        reader.policies_in_force().await.unwrap();
    }
    for one in [None, Some(&fleet)] {
        reader.fleet_events(one, Some(range), Page::first(50)).await.unwrap();
        reader.fleet_events(one, None, Page::first(50)).await.unwrap();
    }
    reader.instance_places(&"eu-west-1".into()).await.unwrap();
    reader.instance_limits().await.unwrap();
    reader.queues(NOW).await.unwrap();
    reader.aliases(NOW).await.unwrap();
    reader.terminal_aliases().await.unwrap();
    reader.aside_counts().await.unwrap();
    reader.open_alerts().await.unwrap();
    reader.ended_alerts(NOW).await.unwrap();
    reader.last_fired().await.unwrap();
    reader.sampled_locations(None, range).await.unwrap();
    reader.sampled_locations(Some(&fleet), range).await.unwrap();
    reader.alerts(range, 50).await.unwrap();
    reader.alert(&"alert".into()).await.unwrap();
    reader.alert_steps(&"alert".into()).await.unwrap();
    reader.span_notes("all", TimeRange::new(NOW, NOW)).await.unwrap();
    reader.channels().await.unwrap();
    reader.adjustments().await.unwrap();
    reader.custom_rules().await.unwrap();
    let counted = reader.sessions_of(range).await.unwrap();
    for share_of in [None, Some(Query::parse("ended:none").unwrap())] {
        let rule = Query::parse("status:active players:0 created:>30m").unwrap();
        reader.count_matching(&counted, &rule, share_of.as_ref(), range.to).await.unwrap();
    }
    reader.told().await.unwrap();
    reader.silences(NOW).await.unwrap();
    reader.past_silences(NOW).await.unwrap();
    reader.open_notifications().await.unwrap();
    reader.newest_notifications("on call", 10).await.unwrap();
    reader.notification(&"message".into()).await.unwrap();
    reader.sessions_ended_by_minute(range).await.unwrap();
    reader.activations_by_location(range).await.unwrap();
    reader.empty_since(std::slice::from_ref(&fleet), NOW).await.unwrap();
    reader.first_left(&fleet, NOW).await.unwrap();
    reader.stuck_since(std::slice::from_ref(&fleet), NOW).await.unwrap();
    reader.running_since(std::slice::from_ref(&fleet), NOW).await.unwrap();
    for is_empty in [false, true] {
        reader.running(&fleet, NOW, is_empty).await.unwrap();
    }
    for of in [Waiting::Placements, Waiting::Tickets] {
        reader.waited_longer(of, range, 30_000).await.unwrap();
        reader.waits(of, "arena", &"eu-west-1".into(), range).await.unwrap();
        reader.usual_wait(of, "arena", &"eu-west-1".into(), range).await.unwrap();
    }
    reader.lengths(&fleet, NOW).await.unwrap();
    reader.scaling_suspended_at(&fleet).await.unwrap();
    reader.held_down_since(&"eu-west-1".into(), range.from).await.unwrap();
    assert!(!reader.throttled(TimeRange::new(range.from, NOW.plus_ms(1))).await.unwrap().is_empty());
    reader.empty_before_end_ms(&fleet).await.unwrap();
    reader.activating_since(std::slice::from_ref(&fleet), NOW).await.unwrap();
    reader.starts(&fleet, range).await.unwrap();
    reader.hosted(&fleet, &"eu-west-1".into(), range).await.unwrap();
    reader.placements_by_minute(range).await.unwrap();
    reader.tickets_by_minute(range).await.unwrap();
    reader.placements_of_queue_by_minute(&"arena".into(), range).await.unwrap();
    reader.tickets_of_configuration_by_minute("arena", &"eu-west-1".into(), range).await.unwrap();
    reader.fleet_events_of(&[FleetEventCode::ServerProcessCrashed], range).await.unwrap();
    reader.fleet_event_counts(&[FleetEventCode::ServerProcessCrashed], range, 60_000).await.unwrap();
    reader.heard_of(&"eu-west-1".into(), std::slice::from_ref(&fleet), range).await.unwrap();
    reader.placement_ends(&"arena".into(), &"eu-west-1".into(), range).await.unwrap();
    reader.ticket_ends("arena", &"eu-west-1".into(), range).await.unwrap();
    reader.aside(None, 50, 200).await.unwrap();
    reader.adoptions().await.unwrap();
    reader.adoption("arn:aws:sqs:eu-west-1:111122223333:events").await.unwrap();
    let queue = Named { region: "eu-west-1".into(), kind: NamedKind::Queue, id: "arena".to_owned() };
    reader.known(&[queue]).await.unwrap();
    reader.vocabulary().await.unwrap();
    for text in ["match", "psess-1", "203.0.113.7:7777 15m", "ec2-1.example.com"] {
        reader.find(text, NOW).await.unwrap();
    }
    let player = PlayerId::from("player-1");
    reader.player_record(&player, NOW).await.unwrap();
    reader.without_latencies(&player, 5).await.unwrap();
    reader.failed_placements_unasked(&"eu-west-1".into(), NOW.plus_ms(-1), 5).await.unwrap();
    reader.unknown_game_sessions(&["arn:x/y".into()]).await.unwrap();
    reader.placement(&"match-1".into(), NOW).await.unwrap();
    reader.players("player", Page::first(20), NOW).await.unwrap();
    for fleets in [None, Some(vec![fleet.clone()])] {
        let endings = vec![GameSessionEnding::Normal];
        let scope = EndedScope { fleets, endings, range: TimeRange::new(range.from, NOW.plus_ms(1)) };
        assert!(!reader.ended_sessions(&scope).await.unwrap().rows.is_empty());
        let directory = reader.directory().await.unwrap();
        reader.count_cut_off(&scope, &directory, &mut EndedSessions::default()).await.unwrap();
        reader.cut_off_players(&scope, NOW, Page::first(20)).await.unwrap();
        reader.cut_off_playing(&scope, NOW).await.unwrap();
    }
    let scope = ReservationScope {
        fleet_id: fleet.clone(),
        range: TimeRange::new(range.from, NOW),
        game_sessions: 200,
    };
    reader.reservations(&scope).await.unwrap();
    reader.unused_reservations(&scope).await.unwrap();
    reader.unconnected_players(&scope, NOW, Page::first(20)).await.unwrap();
    let queues = vec![("eu-west-1".into(), "arena".into())];
    let unplaced = UnmatchedScope::Placements { queues, range };
    reader.unmatched(&unplaced).await.unwrap();
    reader.unmatched_players(&unplaced, NOW, Page::first(20)).await.unwrap();
    let scope = UnmatchedScope::Tickets {
        region: "eu-west-1".into(),
        configuration: "arena-2v2".to_owned(),
        range: TimeRange::new(range.from, NOW.plus_ms(1)),
    };
    reader.unmatched(&scope).await.unwrap();
    assert!(!reader.unmatched_players(&scope, NOW, Page::first(20)).await.unwrap().rows.is_empty());
    reader.failed_sessions_without_players(&fleet, range.from, 50).await.unwrap();
    reader.players_of_region(&"eu-west-1".into(), range).await.unwrap();
    reader.matchmaking_waits(range).await.unwrap();
    for configuration in [None, Some((&Region::from("eu-west-1"), "ranked"))] {
        reader.ticket_outcomes(configuration, range, 3_600_000).await.unwrap();
    }
    ask_about_matchmaking(reader, range).await;
    ask_about_changes_of_ours(reader, &fleet, range).await;
    reader.game_session(&session(1).game_session_id, NOW).await.unwrap();
    reader.player_data(&session(1).game_session_id).await.unwrap();
    let queries = [
        "",
        "status:active",
        "fleet:arena-1",
        "players>=8",
        "name:match",
        "id:s-1",
        "player:p",
        "prop.mode:x",
        "prop.mode:y",
        "prop.mode:x prop.mode:x* players>=1",
        "name:7 players>=1",
        "created:<2h",
        "ip:10.0.0.1",
        "address:10.0.0.1:7777",
        "dns:a.example port:7777",
        "data:season status:active",
        "matchmaker:red",
        "placement:p-1",
        "ticket:tk-1",
        "queue:eu",
        "instance:i-1",
        "ended:<1h",
        "region:eu-* -status:active",
        "match",
        "name:/m.+/",
    ];
    let sorts = [
        None,
        Some((SessionColumn::Created, true)),
        Some((SessionColumn::Players, true)),
        Some((SessionColumn::Name, false)),
        Some((SessionColumn::Ended, true)),
    ];
    for text in queries {
        for (fleet, range) in [(None, None), (Some(fleet.clone()), Some(range))] {
            let query = Query::parse(text).unwrap();
            let request =
                SessionRequest { query, fleet, location: None, range, sort: None, page: Page::first(50) };
            reader.game_sessions(&request, NOW).await.unwrap();
        }
    }
    for sort in sorts {
        let query = Query::everything();
        let request =
            SessionRequest { query, fleet: None, location: None, range: None, sort, page: Page::first(50) };
        reader.game_sessions(&request, NOW).await.unwrap();
    }
    for (column, text) in [
        (SessionColumn::Name, "prop.mode:x"),
        (SessionColumn::Players, "name:match"),
        (SessionColumn::Status, "prop.mode:x"),
        (SessionColumn::Name, "name:77"),
    ] {
        let (query, sort) = (Query::parse(text).unwrap(), Some((column, true)));
        let request =
            SessionRequest { query, fleet: None, location: None, range: None, sort, page: Page::first(50) };
        reader.game_sessions(&request, NOW).await.unwrap();
    }
    let weeks = TimeRange::new(NOW.plus_ms(-30 * 86_400_000 - 1), NOW.plus_ms(-1));
    for among in ["", "prop.mode=ranked", "queue=arena"] {
        let query = |text| Query::parse(text).unwrap();
        let compared = Compared {
            among: query(among),
            bad: query("ended:abnormal"),
            fleet: None,
            location: None,
            range: Some(weeks),
        };
        reader.session_counts(&compared, NOW).await.unwrap();
        reader.session_overlaps(&compared, &[query("prop.mode=ranked"), query("max=8")], NOW).await.unwrap();
    }
    let all = PlacementScope::default();
    reader.placement_rate(&all, TimeRange::new(NOW.floor_to_ms(3_600_000), NOW), 3_600_000).await.unwrap();
    for (queue, text) in [(None, ""), (Some("arena".to_owned()), "placement-1")] {
        let scope = PlacementScope { queue, ..PlacementScope::default() };
        let request = PlacementRequest {
            scope,
            event_types: Vec::new(),
            text: text.into(),
            range,
            page: Page::first(20),
        };
        reader.placements(&request).await.unwrap();
        reader.placement_statistics(&request.scope, range).await.unwrap();
        reader.placement_rate(&request.scope, range, 60_000).await.unwrap();
        reader.first_placement(&request.scope).await.unwrap();
    }
    let narrowed = PlacementScope {
        queue: Some("arena".into()),
        region: Some("eu-west-1".into()),
        destination: Some(Destination::Fleet(fleet.clone())),
        having: None,
    };
    let having = |text: &str| PlacementScope {
        having: Some(Having::from(text.to_owned())),
        ..PlacementScope::default()
    };
    let with =
        ["fleet=fleet-1", "queue=arena", "region=eu-west-1", "configuration=ranked", "players=4", "max=8"];
    for scope in [PlacementScope::default(), narrowed].into_iter().chain(with.map(having)) {
        for split in [PlacementSplit::Queue, PlacementSplit::Region, PlacementSplit::Destination] {
            reader.placement_split(&scope, weeks, split).await.unwrap();
        }
        reader.placement_statistics(&scope, weeks).await.unwrap();
        for bad in [Bad::Failed, Bad::Within(weeks)] {
            reader.placement_classes(&scope, weeks, bad).await.unwrap();
        }
    }
    let names = vec![
        SeriesName::ActiveInstances,
        SeriesName::PolicyTarget,
        SeriesName::PlacementsFulfilled,
        SeriesName::TimeToPlaceP95,
        SeriesName::MatchmakingWaitP95,
    ];
    for scope in [
        SeriesScope::All,
        SeriesScope::Fleet { fleet_id: fleet.clone(), location: None },
        SeriesScope::Queue { name: "arena".into(), region: "eu-west-1".into() },
        SeriesScope::Configuration { name: "ranked".into(), region: "eu-west-1".into() },
    ] {
        let request = SeriesRequest { scope, names: names.clone(), range, max_points: 500 };
        reader.series(&request).await.unwrap();
    }
    for of in [
        MetricsOf::Fleet { fleet_id: fleet.clone(), location: Some("eu-west-1".into()) },
        MetricsOf::Group { name: "arena".into(), region: "eu-west-1".into() },
    ] {
        reader.listed_metrics(&of).await.unwrap();
    }
    let request = MetricsRequest { keys: vec![1, 2], range, max_points: 500 };
    reader.listed_values(&request).await.unwrap();
    assert!(reader.polls(PollKind::Fleets).is_empty());
}

async fn ask_about_matchmaking(reader: &Reader, range: TimeRange) {
    for (configuration, range) in [(None, None), (Some("arena-2v2".to_owned()), Some(range))] {
        let page = Page::first(20);
        let request = MatchmakingEventRequest { configuration: configuration.clone(), range, page };
        reader.matchmaking_events(&request).await.unwrap();
        for (text, state) in [("", None), ("tk-1", Some("SEARCHING".to_owned()))] {
            let (text, configuration) = (text.to_owned(), configuration.clone());
            for having in [None, Some("players=4"), Some("region=eu-west-1"), Some("rule_set=fair")] {
                let having = having.map(|text| Having::from(text.to_owned()));
                let (text, configuration, state) = (text.clone(), configuration.clone(), state.clone());
                let request = TicketRequest { text, configuration, state, having, range, page };
                reader.tickets(&request).await.unwrap();
            }
        }
        for region in [None, Some("eu-west-1".into())] {
            let scope = TicketScope { configuration: configuration.clone(), region };
            let range = range.unwrap_or(TimeRange::new(NOW.plus_ms(-3_600_000), NOW));
            reader.ticket_classes(&scope, range, Bad::Failed).await.unwrap();
        }
    }
    assert!(reader.ticket(&"eu-west-1".into(), &"tk-1".into()).await.unwrap().is_some());
    assert_eq!(reader.region_of_ticket(&"tk-1".into()).await.unwrap(), Some("eu-west-1".into()));
    reader.tickets_by_state(range).await.unwrap();
    reader.matchmaking_configurations(range, NOW).await.unwrap();
    reader.rule_sets(NOW).await.unwrap();
}

async fn ask_about_changes_of_ours(reader: &Reader, fleet: &FleetId, range: TimeRange) {
    let everything = ActivityRequest::everything(Page::first(50));
    let requests = [
        everything.clone(),
        ActivityRequest { text: "arena".to_owned(), range: Some(range), ..everything.clone() },
        ActivityRequest { outcomes: vec![ActivityOutcome::Failed], ..everything.clone() },
        ActivityRequest { fleet_id: Some(fleet.clone()), ..everything.clone() },
        ActivityRequest { run_id: Some("run-1".into()), ..everything.clone() },
        ActivityRequest {
            resource_kind: Some(ResourceKind::Alias),
            resource_id: Some("alias-1".to_owned()),
            operations: vec!["UpdateAlias".to_owned()],
            ..everything
        },
    ];
    for request in requests {
        reader.activities(&request).await.unwrap();
    }
    reader.activity(&"a-1".into()).await.unwrap();
    reader.activities_of(ResourceKind::Fleet, fleet.as_str(), 20).await.unwrap();
    for one in [None, Some(fleet)] {
        reader.settings_changed_by_us(one, range).await.unwrap();
        reader.runs_begun(one, range).await.unwrap();
    }
    reader.unsettled().await.unwrap();
    reader.unsettled_count().await.unwrap();
    reader.awaited().await.unwrap();
    reader.undone_by(&"a-1".into()).await.unwrap();
    reader.runs(true).await.unwrap();
    reader.runs(false).await.unwrap();
    reader.runs_changed(NOW).await.unwrap();
    reader.run(&"run-1".into()).await.unwrap();
    reader.run_counts(&"run-1".into()).await.unwrap();
    reader.presets(PresetKind::NewSession).await.unwrap();
    for location in [None, Some("eu-west-1".into())] {
        reader.blast_of_fleet(fleet, location.as_ref()).await.unwrap();
    }
    reader.blast_of_sessions(&[session(1).game_session_id, session(2).game_session_id]).await.unwrap();
    reader.session_lengths(fleet, range.from, NOW).await.unwrap();
    reader.sessions_since(fleet, range.from).await.unwrap();
    reader.live_around(fleet, range.from).await.unwrap();
    reader.live_counts(std::slice::from_ref(fleet)).await.unwrap();
    reader.queues_leading_to(&LeadTarget::Fleet(fleet.clone())).await.unwrap();
    reader.aliases_leading_to(fleet).await.unwrap();
    reader.queue(&"eu-west-1".into(), &"arena".into(), NOW).await.unwrap();
    reader.placement(&"placement-1".into(), NOW).await.unwrap();
    reader.region_of_placement(&"placement-1".into()).await.unwrap();
    reader.builds(NOW).await.unwrap();
    reader.scripts(NOW).await.unwrap();
}

#[tokio::test]
async fn no_statement_behind_a_screen_walks_a_large_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plans.sqlite");
    let options = StoreOptions { path: path.clone(), access: Access::ReadWrite, account: None, now: NOW };
    let store = Store::open(options).await.unwrap();
    let observations = vec![
        Observation::Fleets(Listing::complete(vec![
            fleet(0, ComputeKind::Ec2OnDemand),
            fleet(1, ComputeKind::Container),
        ])),
        Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()])),
        Observation::PlacementEvents(vec![placement()]),
        Observation::MatchmakingEvents(vec![matchmaking_event(), timed_out()]),
        Observation::MetricSamples(
            MetricSeries::throttled("eu-west-1".into(), "ListFleets"),
            vec![MetricSample { at: NOW, value: 4.0 }],
        ),
        // More sessions than a lead may have keys.
        Observation::GameSessions((0..10_500).map(session).collect()),
    ];
    let batch = Batch { region: "eu-west-1".into(), observed_at: NOW, observations };
    store.writer().unwrap().apply(batch).await.unwrap();

    // Unlike the store's own connections, these keep sqlx's statement log at its default level.
    let logged = SqliteConnectOptions::new()
        .filename(&path)
        .read_only(true)
        .with_regexp()
        .thread_name(|number| format!("{WATCHED}{number}"));
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(logged).await.unwrap();
    let statements = Statements::default();
    // sqlx logs from its own threads, which use only the global subscriber.
    tracing::subscriber::set_global_default(statements.clone()).unwrap();
    let reader = Reader::new(pool, Arc::new(Ledger::default()));
    ask_everything(&reader).await;
    let known: Vec<String> =
        statements.0.lock().iter().filter(|text| !text.ends_with('…')).cloned().collect();
    assert!(known.len() > 60, "only {} statements were seen", known.len());

    let mut walks = Vec::new();
    for statement in &known {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
        for row in sqlx::query(explain).fetch_all(reader.pool()).await.expect(statement) {
            let step: String = row.try_get("detail").unwrap();
            // A search by Region alone finds nearly every row, and one by `live` alone finds every live session. The
            // latter is allowed only with a LIMIT or inside a covering index.
            let vague = |step: &&str| {
                step.ends_with("(region_key=?)")
                    || step.ends_with("(live=?)")
                        && !(statement.contains("LIMIT") || step.contains("COVERING"))
            };
            let by_little = step.strip_prefix("SEARCH ").filter(vague);
            let Some(walked) = step.strip_prefix("SCAN ").or(by_little) else { continue };
            let table = walked.split(' ').next().unwrap_or_default();
            let is_small = SMALL.iter().any(|(small, _)| *small == table);
            let is_made_here = matches!(table, "(subquery" | "CONSTANT")
                || walked.contains("VIRTUAL TABLE")
                || walked.ends_with("VALUES CLAUSE")
                || walked.ends_with("CONSTANT ROWS")
                || table.starts_with("(");
            // A covering index in the requested order, cut off by LIMIT, reads no more than it returns.
            let ends_early = statement.contains("LIMIT") && walked.contains("USING COVERING INDEX");
            // SQLite answers this from the entry counts of the index's pages (its opcode Count), not row by row.
            let counts_pages = statement == "SELECT count(*) FROM game_session_state";
            if !is_small && !is_made_here && !ends_early && !counts_pages {
                walks.push(format!("{step}\n  in {statement}"));
            }
        }
    }
    assert!(walks.is_empty(), "{} walks:\n{}", walks.len(), walks.join("\n"));
    store.close().await;
}
