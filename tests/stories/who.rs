//! Who made a change: CloudTrail's records reach "What changed", late, never, or not at all where it may not be asked.
//!
//! They are asked for, or come through the event queue by EventBridge. In this process, with the world's own time as the clock: an hour passes when the test says so.

use std::sync::Arc;
use std::time::{Duration, Instant};

use liftdeck_collector::adoption::{Peek, look};
use liftdeck_collector::{Clock, Collector, CollectorOptions, EndedGameSessions, MetricsPolicy};
use liftdeck_gateway::{ConnectionSpec, CredentialSource, EventQueue, Gateway, RateTable};
use liftdeck_insight::change::{Change, ChangeKind, What, Who, WhyUnknown, changes};
use liftdeck_model::feed::ForeignBodies;
use liftdeck_model::observation::{PollKind, PollSubject};
use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::Principal;
use liftdeck_model::{Region, Timestamp};
use liftdeck_simulator::{Credentials, Scenario, Simulator, SimulatorOptions, TrailOptions};
use liftdeck_store::{Access, Store, StoreOptions};
use serde_json::{Value, json};

/// 2026-11-20, 19:30 UTC.
const BEGUN_MS: i64 = 1_795_203_000_000;
const MINUTE_MS: i64 = 60_000;
const LONG: Duration = Duration::from_secs(180);
/// The key that the collection signs with, and that may not ask CloudTrail in one test.
const KEY: &str = "AKIDLIFTDECK";

/// A world whose time moves when told, and a store of one Region of it.
struct Watch {
    simulator: Arc<Simulator>,
    region: Region,
    folder: tempfile::TempDir,
    store: Store,
}

impl Watch {
    async fn of(scenario: Scenario, region: &str, trail: TrailOptions, credentials: Credentials) -> Self {
        let options = SimulatorOptions {
            scenario,
            speed: 0.0,
            throttle: false,
            start_ms: Some(BEGUN_MS),
            credentials,
            trail,
            keep: true,
            ..SimulatorOptions::default()
        };
        let simulator = Arc::new(Simulator::start(options).await.unwrap());
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder, &simulator).await;
        Self { simulator, region: region.into(), folder, store }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.simulator.now_ms())
    }

    /// Starts collecting. Nothing waits for the published rates, which another test holds it to.
    async fn collect(&self, metrics: bool) -> Collector {
        self.collect_from(metrics, false).await
    }

    /// The same, from the Region's event queue as well if `listens`.
    async fn collect_from(&self, metrics: bool, listens: bool) -> Collector {
        let published = RateTable::published();
        let rates = liftdeck_simulator::operations().iter().fold(published, |table, action| {
            table.with(action.split(':').nth(1).unwrap_or_default(), 5_000.0)
        });
        let spec = ConnectionSpec {
            endpoint_url: Some(self.simulator.endpoint().to_owned()),
            regions: vec![self.region.clone()],
            budget_share: 1.0,
            rates,
            credentials: CredentialSource::Keys {
                access_key_id: KEY.to_owned(),
                secret_access_key: "secret".to_owned(),
            },
            ..ConnectionSpec::default()
        };
        let gateway = Gateway::connect(spec).await.unwrap();
        let event_queues = if listens { vec![self.adopt(&gateway).await] } else { Vec::new() };
        let options = CollectorOptions {
            regions: vec![self.region.clone()],
            event_queues,
            ended_game_sessions: EndedGameSessions::Skip,
            metrics: MetricsPolicy { enabled: metrics, ..MetricsPolicy::default() },
            ..CollectorOptions::default()
        };
        let simulator = Arc::clone(&self.simulator);
        let clock: Clock = Arc::new(move || Timestamp::from_ms(simulator.now_ms()));
        let (writer, reader) = (self.store.writer().unwrap(), self.store.reader());
        Box::pin(Collector::start(options, &gateway, writer, reader, clock)).await.unwrap()
    }

    /// Adopts the event queue of the Region.
    async fn adopt(&self, gateway: &Gateway) -> EventQueue {
        let url = self.simulator.ready().event_queues[self.region.as_str()].clone();
        let queue = EventQueue { region: self.region.clone(), url };
        let account = gateway.prove().await.unwrap().account;
        let seen = Box::pin(look(gateway, &queue, &account, &[], Peek::Unharmful, self.now())).await.unwrap();
        let name = seen.name().to_owned();
        let adoption = seen.adopt(ForeignBodies::Leave, Some(&name), None, self.now()).unwrap();
        self.store.writer().unwrap().adopt_queue(adoption).await.unwrap();
        queue
    }

    async fn advance(&self, minutes: i64) {
        let by = Duration::from_secs(minutes.unsigned_abs() * 60);
        self.simulator.advance(by).await.unwrap();
    }

    /// What changed from three hours before the world began.
    async fn changes(&self) -> Vec<Change> {
        let from = Timestamp::from_ms(BEGUN_MS - 180 * MINUTE_MS);
        let range = TimeRange::new(from, self.now().plus_ms(1));
        Box::pin(changes(&self.store.reader(), None, range, 1_000)).await.unwrap()
    }

    /// Waits until the aliases have been read at this time of the world.
    async fn knows_aliases(&self) {
        let subject = PollSubject { kind: PollKind::Aliases, resource: String::new() };
        let begun = Instant::now();
        let is_read = || {
            let line = self.store.reader().poll(&self.region, &subject)?;
            line.confirmed_at.filter(|at| *at >= self.now())
        };
        while is_read().is_none() {
            assert!(begun.elapsed() < LONG, "the aliases are never read");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits for a line, while a virtual minute passes every now and then if `moves`.
    async fn line(&self, what: &str, moves: bool, is_it: impl Fn(&Change) -> bool) -> Change {
        let begun = Instant::now();
        loop {
            let lines = self.changes().await;
            if let Some(line) = lines.iter().find(|line| is_it(line)) {
                return line.clone();
            }
            let told: Vec<String> = lines
                .iter()
                .filter(|line| line.kind != ChangeKind::FleetEvent && line.kind != ChangeKind::ScalingStep)
                .map(|line| format!("{} {:?}", line.sentence(), line.words.by))
                .collect();
            assert!(begun.elapsed() < LONG, "never: {what}, but {told:#?}");
            if moves {
                self.advance(1).await;
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    async fn truth(&self) -> Value {
        self.control(&format!("truth?region={}", self.region)).await
    }

    async fn calls(&self) -> Value {
        self.control("calls").await
    }

    async fn control(&self, path: &str) -> Value {
        let url = format!("{}/_simulator/{path}", self.simulator.endpoint());
        let get = move || {
            ureq::get(&url).call().unwrap().body_mut().with_config().limit(1 << 30).read_json().unwrap()
        };
        tokio::task::spawn_blocking(get).await.unwrap()
    }

    /// Changes an alias the way another program would.
    async fn repoint(&self, key: &str, alias: &str, fleet: &str) {
        let scope = format!("{key}/20261120/{}/gamelift/aws4_request", self.region);
        let authorization = format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0");
        let body = json!({ "AliasId": alias, "RoutingStrategy": { "Type": "SIMPLE", "FleetId": fleet } });
        let endpoint = self.simulator.endpoint().to_owned();
        let send = move || {
            ureq::post(&endpoint)
                .header("authorization", authorization)
                .header("content-type", "application/x-amz-json-1.1")
                .header("x-amz-target", "GameLift.UpdateAlias")
                .send(body.to_string())
                .unwrap();
        };
        tokio::task::spawn_blocking(send).await.unwrap();
    }

    /// An alias that leads to a fleet, that fleet, and another one of the Region.
    async fn alias(&self) -> (String, String, String) {
        let truth = self.truth().await;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let aliases = truth["Aliases"].as_array().unwrap();
        let simple = aliases.iter().find(|alias| alias["RoutingStrategy"]["FleetId"].is_string()).unwrap();
        let fleet = text(&simple["RoutingStrategy"]["FleetId"]).unwrap();
        let fleets = truth["FleetIds"].as_array().unwrap().iter().filter_map(text);
        let other = fleets.into_iter().find(|id| *id != fleet && id.starts_with("fleet-")).unwrap();
        (text(&simple["AliasId"]).unwrap(), fleet, other)
    }

    async fn reopen(self) -> Self {
        self.store.close().await;
        let store = open(&self.folder, &self.simulator).await;
        Self { store, ..self }
    }
}

async fn open(folder: &tempfile::TempDir, simulator: &Simulator) -> Store {
    let path = folder.path().join("who.sqlite");
    let now = Timestamp::from_ms(simulator.now_ms());
    Store::open(StoreOptions { path, access: Access::ReadWrite, account: None, now }).await.unwrap()
}

fn trail(delay_min: u32) -> TrailOptions {
    TrailOptions { delay_s: Some(delay_min * 60), missing: Some(0.0), event_bridge: false }
}

/// Names and times of whoever is named.
fn named(line: &Change) -> Vec<(String, Timestamp)> {
    let Some(Who::Named { calls }) = &line.who else { return Vec::new() };
    let name = |principal: &Principal| match principal {
        Principal::User { name } => name.clone(),
        Principal::Role { session, .. } => session.clone().unwrap_or_default(),
        other => other.label().to_owned(),
    };
    calls.iter().map(|call| (name(&call.caller.principal), call.at)).collect()
}

/// The cause of the world's incident: who did it, and when, to the second.
async fn culprit(watch: &Watch) -> (String, Timestamp) {
    let truth = watch.truth().await;
    let incident =
        truth["Incidents"].as_array().unwrap().iter().find(|one| one["By"].is_string()).unwrap().clone();
    let at = Timestamp::from_secs_f64(incident["BeganTime"].as_f64().unwrap());
    (incident["By"].as_str().unwrap().to_owned(), at.floor_to_ms(1_000))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_changed_before_anybody_looked_is_named_with_its_exact_time() {
    for (scenario, region, is_it) in [
        (Scenario::WrongAlias, "eu-west-1", (|line| line.kind == ChangeKind::Alias) as fn(&Change) -> bool),
        (Scenario::LoweredMax, "us-east-1", |line| {
            line.kind == ChangeKind::Capacity
                && matches!(&line.what, What::Set { field, .. } if field == "maximum")
        }),
        (Scenario::BadRules, "eu-west-1", |line| line.kind == ChangeKind::MatchmakingConfiguration),
    ] {
        let watch = Watch::of(scenario, region, trail(5), Credentials::default()).await;
        let collector = watch.collect(scenario == Scenario::LoweredMax).await;
        let line =
            watch.line("the change is named", true, |line| is_it(line) && !named(line).is_empty()).await;
        let truth = culprit(&watch).await;
        assert_eq!(named(&line), std::slice::from_ref(&truth), "{scenario}: {line:?}");
        assert_eq!(line.at, truth.1, "{scenario}");
        assert!(line.sentence().contains(&format!(", by {}", line.words.by.as_deref().unwrap())), "{line:?}");
        let others = watch.changes().await;
        let mut names: Vec<String> = others.iter().flat_map(named).map(|(name, _)| name).collect();
        names.dedup();
        assert_eq!(names, [truth.0], "{scenario}: nobody else is named");
        collector.stop().await;
        watch.store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_pending_until_cloudtrail_tells_also_after_a_restart_between() {
    let watch = Watch::of(Scenario::Quiet, "eu-west-1", trail(10), Credentials::default()).await;
    let (alias, before, after) = watch.alias().await;
    let collector = watch.collect(false).await;
    watch.knows_aliases().await;
    watch.advance(3).await;
    watch.repoint("AKIDCAROL", &alias, &after).await;
    let made = watch.now();
    let is_repoint = |line: &Change| line.kind == ChangeKind::Alias && line.resource == alias;
    let line = watch.line("the change is seen", true, is_repoint).await;
    assert!(matches!(line.who, Some(Who::Pending { .. })), "{line:?}");
    assert_eq!(line.words.by.as_deref(), Some("not in CloudTrail yet"));
    assert_ne!(before, after);
    collector.stop().await;
    let watch = watch.reopen().await;
    watch.advance(12).await;
    let collector = watch.collect(false).await;
    let line = watch.line("it is named", true, |line| is_repoint(line) && !named(line).is_empty()).await;
    assert_eq!(named(&line), [("AKIDCAROL".to_owned(), made.floor_to_ms(1_000))]);
    assert_eq!(line.at, made.floor_to_ms(1_000), "the time of the call is the time of the change");
    collector.stop().await;
    watch.store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cloudtrail_never_tells_stays_unknown_after_150_minutes() {
    let lost = TrailOptions { delay_s: Some(0), missing: Some(1.0), event_bridge: false };
    let watch = Watch::of(Scenario::Quiet, "eu-west-1", lost, Credentials::default()).await;
    let (alias, _, after) = watch.alias().await;
    let collector = watch.collect(false).await;
    watch.knows_aliases().await;
    watch.repoint("AKIDCAROL", &alias, &after).await;
    let is_repoint = |line: &Change| line.kind == ChangeKind::Alias && line.resource == alias;
    let line = watch.line("the change is seen", true, is_repoint).await;
    assert!(matches!(line.who, Some(Who::Pending { .. })), "{line:?}");
    let not_told = Some(Who::Unknown { why: WhyUnknown::NotInTrail });
    for minutes in [5, 10, 45, 95] {
        watch.advance(minutes).await;
        tokio::time::sleep(Duration::from_millis(1_500)).await;
    }
    let line = watch.line("it is given up", true, |line| is_repoint(line) && line.who == not_told).await;
    assert_eq!(line.words.by.as_deref(), Some("not in CloudTrail"));
    collector.stop().await;
    watch.store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_cloudtrail_may_not_be_asked_the_change_says_so_and_collection_goes_on() {
    let denied = [(KEY.to_owned(), vec!["cloudtrail:*".to_owned()])].into();
    let credentials = Credentials { denied, ..Credentials::default() };
    let watch = Watch::of(Scenario::Quiet, "eu-west-1", trail(0), credentials).await;
    let (alias, _, after) = watch.alias().await;
    let collector = watch.collect(false).await;
    watch.knows_aliases().await;
    watch.repoint("AKIDCAROL", &alias, &after).await;
    let refused = Some(Who::Unknown { why: WhyUnknown::NotPermitted });
    let is_it = |line: &Change| line.resource == alias && line.who == refused;
    let line = watch.line("the refusal is told", true, is_it).await;
    assert_eq!(line.words.by.as_deref(), Some("CloudTrail not permitted"));
    let health = collector.health().borrow().clone();
    assert!(health.regions.iter().all(|region| region.message.is_none()), "{health:?}");
    let asked = |calls: &Value| calls["eu-west-1"]["cloudtrail:LookupEvents"]["calls"].as_u64().unwrap();
    assert_eq!(asked(&watch.calls().await), 1, "it is not asked again and again");
    collector.stop().await;
    watch.store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn records_that_come_through_the_event_queue_name_who_did_it_without_asking_cloudtrail() {
    let denied = [(KEY.to_owned(), vec!["cloudtrail:*".to_owned()])].into();
    let credentials = Credentials { denied, ..Credentials::default() };
    let bridged = TrailOptions { event_bridge: true, ..trail(1) };
    let watch = Watch::of(Scenario::Quiet, "eu-west-1", bridged, credentials).await;
    let (alias, _, after) = watch.alias().await;
    let collector = watch.collect_from(false, true).await;
    watch.knows_aliases().await;
    watch.repoint("AKIDCAROL", &alias, &after).await;
    let made = watch.now();
    let is_repoint = |line: &Change| line.kind == ChangeKind::Alias && line.resource == alias;
    // The record is in the queue by then. More time would only bring more events than a slow machine can follow.
    watch.advance(10).await;
    let line = watch.line("it is named", false, |line| is_repoint(line) && !named(line).is_empty()).await;
    assert_eq!(named(&line), [("AKIDCAROL".to_owned(), made.floor_to_ms(1_000))]);
    assert_eq!(line.at, made.floor_to_ms(1_000), "the time of the call is the time of the change");
    collector.stop().await;
    watch.store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_may_have_done_it_both_are_told_and_what_was_taken_back_is_seen() {
    let watch = Watch::of(Scenario::Quiet, "eu-west-1", trail(1), Credentials::default()).await;
    let (alias, before, after) = watch.alias().await;
    let collector = watch.collect(false).await;
    watch.knows_aliases().await;
    // Changed and back, between two looks: only LastUpdatedTime shows it.
    watch.repoint("AKIDCAROL", &alias, &after).await;
    watch.repoint("AKIDDAVE", &alias, &before).await;
    let is_it = |line: &Change| line.kind == ChangeKind::Alias && line.resource == alias;
    let touched = watch.line("the trace is seen", true, is_it).await;
    assert!(
        touched.fleets.iter().any(|fleet| fleet.as_str() == before),
        "it is on the fleet's page: {touched:?}"
    );
    watch.line("both are told", true, |line| is_it(line) && !named(line).is_empty()).await;
    let lines = watch.changes().await;
    let mut told: Vec<String> =
        lines.iter().filter(|line| is_it(line)).flat_map(named).map(|(name, _)| name).collect();
    told.sort();
    assert_eq!(told, ["AKIDCAROL", "AKIDDAVE"]);
    // Twice the same, between two looks: it was one of them.
    watch.advance(10).await;
    watch.knows_aliases().await;
    watch.repoint("AKIDCAROL", &alias, &after).await;
    watch.repoint("AKIDDAVE", &alias, &after).await;
    let line = watch.line("one of two", true, |line| is_it(line) && named(line).len() == 2).await;
    // CloudTrail tells the second, and both calls were made in the same one: neither is known to be the first.
    let by = line.words.by.unwrap_or_default();
    let either = ["one of AKIDCAROL by API, AKIDDAVE by API", "one of AKIDDAVE by API, AKIDCAROL by API"];
    assert!(either.contains(&by.as_str()), "{by}");
    collector.stop().await;
    watch.store.close().await;
}
