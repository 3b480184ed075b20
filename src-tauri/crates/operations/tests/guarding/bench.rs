//! A frozen simulated world, a store that knows its fleets, and a guard between the two.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use liftdeck_gateway::{ConnectionSpec, CredentialSource, Gateway, Patience, RateTable, Reader};
use liftdeck_model::action::{Action, Request};
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, ActivitySource, EffectState};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::fleet::{ComputeKind, Fleet, FleetStatus};
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::matchmaking::TicketStatus;
use liftdeck_model::observation::{Batch, Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::{Environment, Region, Severity, Timestamp};
use liftdeck_operations::{Guard, GuardOptions, Intent, OperationError, Preview, Receipt};
use liftdeck_simulator::{Credentials, FaultKind, FaultPlan, FaultRule, Simulator, SimulatorOptions};
use liftdeck_store::{Access, Store, StoreOptions};

/// The connection's name, which must be typed on production.
pub(crate) const NAME: &str = "Arena live";

/// 2026-11-20, 19:30 UTC: an evening when people play, whatever the time of the test.
const BEGUN_MS: i64 = 1_795_203_000_000;

/// Long enough for anything that comes in time on a machine that is not busy.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// Ids of this process, each used once.
static IDS: AtomicU64 = AtomicU64::new(1);

/// Everything a test needs.
pub(crate) struct Bench {
    pub(crate) simulator: Arc<Simulator>,
    pub(crate) gateway: Gateway,
    pub(crate) store: Store,
    pub(crate) guard: Guard,
    pub(crate) region: Region,
    pub(crate) folder: tempfile::TempDir,
    environment: Environment,
    time: Time,
}

/// How far the clocks of this computer are ahead of the simulated time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Time {
    /// The wall clock, which can be set.
    wall_ms: Arc<AtomicI64>,
    /// The monotonic clock.
    passed_ms: Arc<AtomicI64>,
}

impl Bench {
    /// A read-only demo.
    pub(crate) async fn locked() -> Self {
        Self::of(Environment::Demo, Credentials::default()).await
    }

    /// An unlocked demo.
    pub(crate) async fn open() -> Self {
        let bench = Self::locked().await;
        bench.guard.unlock(60, None).await.unwrap();
        bench
    }

    /// An unlocked demo whose responses carry the real date, as those of AWS do.
    pub(crate) async fn dated() -> Self {
        let bench = Self::made(Environment::Demo, SimulatorOptions { dated: true, ..options() }).await;
        bench.guard.unlock(60, None).await.unwrap();
        bench
    }

    pub(crate) async fn of(environment: Environment, credentials: Credentials) -> Self {
        Self::made(environment, SimulatorOptions { credentials, ..options() }).await
    }

    async fn made(environment: Environment, options: SimulatorOptions) -> Self {
        let simulator = Arc::new(Simulator::start(options).await.unwrap());
        let gateway = connect(&simulator).await;
        let folder = tempfile::tempdir().unwrap();
        let time = Time::default();
        let store = store(folder.path(), &simulator).await;
        let guard = guard(environment, &simulator, &gateway, &store, &time).await;
        let region = Region::from("eu-west-1");
        let bench = Self { simulator, gateway, store, guard, region, folder, environment, time };
        bench.know_the_fleets().await;
        bench
    }

    /// Ends the program like a kill, as far as a test can: the guard's tasks are left with a writer that is gone, and
    /// a new guard opens the same database. It is locked.
    pub(crate) async fn killed_and_restarted(mut self) -> Self {
        self.store.close().await;
        self.store = store(self.folder.path(), &self.simulator).await;
        self.guard = guard(self.environment, &self.simulator, &self.gateway, &self.store, &self.time).await;
        self
    }

    /// The same, with a connection that has not yet heard from AWS.
    pub(crate) async fn killed_and_reconnected(mut self) -> Self {
        self.gateway = connect(&self.simulator).await;
        self.killed_and_restarted().await
    }

    /// Another unlocked guard on the same account, with records of its own. Its database is in the bench's folder and
    /// lives as long, because a store opens connections when it needs them.
    pub(crate) async fn somebody_else(&self) -> Guard {
        let folder = tempfile::tempdir_in(&self.folder).unwrap().keep();
        let store = store(&folder, &self.simulator).await;
        let other = guard(Environment::Demo, &self.simulator, &self.gateway, &store, &Time::default()).await;
        other.unlock(60, None).await.unwrap();
        other
    }

    pub(crate) fn reader(&self) -> Reader {
        self.gateway.reader(&self.region).unwrap()
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.simulator.now_ms())
    }

    /// Advances the simulated world, and with it the guard's clocks.
    pub(crate) async fn pass(&self, seconds: u64) {
        self.simulator.advance(Duration::from_secs(seconds)).await.unwrap();
    }

    /// Lets time pass for the guard only.
    pub(crate) fn wait(&self, seconds: i64) {
        self.time.passed_ms.fetch_add(seconds * 1_000, Ordering::SeqCst);
        self.set_clock(seconds);
    }

    /// Sets the wall clock forward or back. No time passes.
    pub(crate) fn set_clock(&self, by_seconds: i64) {
        self.time.wall_ms.fetch_add(by_seconds * 1_000, Ordering::SeqCst);
    }

    pub(crate) fn fault(&self, operation: &str, kind: FaultKind) {
        self.faults(FaultRule {
            operation: format!("gamelift:{operation}"),
            kind,
            status: 500,
            ..FaultRule::default()
        });
    }

    pub(crate) fn faults(&self, rule: FaultRule) {
        self.simulator.set_faults(FaultPlan { rules: vec![rule] }).unwrap();
    }

    pub(crate) fn heal(&self) {
        self.simulator.set_faults(FaultPlan::default()).unwrap();
    }

    /// How often an operation reached the simulator, in all Regions.
    pub(crate) fn calls(&self, operation: &str) -> u64 {
        let action = format!("gamelift:{operation}");
        let counts = self.simulator.calls();
        counts.values().filter_map(|actions| actions.get(&action)).map(|count| count.calls).sum()
    }

    /// Every operation that reached the simulator and is not a read.
    pub(crate) fn changes_called(&self) -> Vec<(String, u64)> {
        let reads = ["Describe", "List", "Get", "Search", "Receive"];
        let counts = self.simulator.calls();
        let all = counts.values().flat_map(|actions| actions.iter());
        all.filter(|(action, _)| {
            let operation = action.split(':').nth(1).unwrap();
            !reads.iter().any(|read| operation.starts_with(read))
        })
        .map(|(action, count)| (action.clone(), count.calls))
        .collect()
    }

    async fn know_the_fleets(&self) {
        let fleets = self.reader().fleets().await.items;
        let mut seen = vec![Observation::Fleets(Listing::complete(fleets.clone()))];
        for fleet in fleets.iter().filter(|fleet| fleet.status == FleetStatus::Active) {
            let filter = liftdeck_gateway::GameSessionFilter {
                location: None,
                status: Some(GameSessionStatus::Active),
            };
            seen.push(Observation::GameSessions(
                self.reader().game_sessions(&fleet.fleet_id, &filter).await.items,
            ));
            let resource = fleet.fleet_id.as_str().to_owned();
            seen.push(Observation::Poll(Poll {
                subject: PollSubject { kind: PollKind::GameSessions, resource },
                at: self.now(),
                took_ms: 1,
                failure: None,
            }));
        }
        let batch = Batch { region: self.region.clone(), observed_at: self.now(), observations: seen };
        self.store.writer().unwrap().apply(batch).await.unwrap();
    }

    pub(crate) async fn fleet(&self, name: &str) -> Fleet {
        let fleets = self.reader().fleets().await.items;
        let names: Vec<_> = fleets.iter().map(|fleet| fleet.display_name().to_owned()).collect();
        fleets.into_iter().find(|fleet| fleet.display_name() == name).unwrap_or_else(|| panic!("{names:?}"))
    }

    /// ACTIVE on-demand fleets with builds.
    pub(crate) async fn fleets(&self) -> Vec<Fleet> {
        let mut fleets = self.reader().fleets().await.items;
        fleets.retain(|fleet| {
            fleet.kind == ComputeKind::Ec2OnDemand
                && fleet.build_id.is_some()
                && fleet.status == FleetStatus::Active
        });
        fleets
    }

    /// ACTIVE game sessions of a fleet.
    pub(crate) async fn sessions(&self, fleet: &Fleet) -> Vec<GameSession> {
        let filter =
            liftdeck_gateway::GameSessionFilter { location: None, status: Some(GameSessionStatus::Active) };
        self.reader().game_sessions(&fleet.fleet_id, &filter).await.items
    }

    pub(crate) async fn alias(&self, name: &str) -> Alias {
        let aliases = self.reader().aliases().await.items;
        let names: Vec<_> = aliases.iter().map(|alias| alias.name.clone()).collect();
        aliases.into_iter().find(|alias| alias.name == name).unwrap_or_else(|| panic!("{names:?}"))
    }

    pub(crate) async fn routing(&self, alias: &Alias) -> RoutingStrategy {
        self.reader().alias(&alias.alias_id).await.unwrap().unwrap().routing
    }

    /// A configuration whose matches must be accepted by the players.
    pub(crate) async fn acceptance_required(&self) -> String {
        let configurations = self.reader().matchmaking_configurations().await.items;
        configurations.into_iter().find(|found| found.acceptance_required).unwrap().name
    }

    /// Advances the world until the match of a ticket waits for its players.
    pub(crate) async fn matched(&self, ticket: &str) {
        let mut status = TicketStatus::Queued;
        for _ in 0..60 {
            status = self.reader().tickets(&[ticket.into()]).await.items.remove(0).status;
            if status == TicketStatus::RequiresAcceptance {
                break;
            }
            self.pass(1).await;
        }
        assert_eq!(status, TicketStatus::RequiresAcceptance);
    }

    pub(crate) fn action(&self, request: Request) -> Action {
        Action { region: self.region.clone(), request }
    }

    pub(crate) fn intent(&self, request: Request) -> Intent {
        Intent::Actions(vec![self.action(request)])
    }

    pub(crate) async fn preview(&self, request: Request) -> Preview {
        Box::pin(self.guard.preview(self.intent(request))).await.unwrap()
    }

    pub(crate) async fn confirm(&self, preview: &Preview) -> Result<Receipt, OperationError> {
        Box::pin(self.guard.confirm(&preview.id, preview.must_type.as_deref())).await
    }

    /// Previews and confirms one change, typing whatever must be typed.
    pub(crate) async fn attempt(&self, request: Request) -> Activity {
        attempt(&self.guard, self.intent(request)).await
    }

    /// Makes a change that AWS accepts.
    pub(crate) async fn done(&self, request: Request) -> Activity {
        let activity = self.attempt(request).await;
        assert_eq!(activity.outcome, ActivityOutcome::Done, "{activity:?}");
        assert!(activity.request_id.is_some(), "{activity:?}");
        activity
    }

    pub(crate) async fn undo(&self, activity: &Activity) -> Activity {
        let activity = attempt(&self.guard, Intent::Undo(activity.id.clone())).await;
        assert_eq!(activity.outcome, ActivityOutcome::Done, "{activity:?}");
        activity
    }

    pub(crate) async fn recorded(&self, id: &ActivityId) -> Activity {
        self.store.reader().activity(id).await.unwrap().unwrap()
    }

    /// Returns the attempt once its effect is over. The world advances only after the first look, so that what is
    /// there for a minute only is seen.
    pub(crate) async fn followed(&self, activity: &Activity) -> Activity {
        let mut told = self.guard.follow(&activity.id).await.unwrap();
        let over = |known: &Activity| {
            known.effect.as_ref().is_none_or(|effect| effect.state != EffectState::Awaited)
        };
        let asked = self.all_calls();
        eventually("it is looked at", async || over(&told.borrow()) || self.all_calls() > asked).await;
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Ok(known) = tokio::time::timeout(Duration::from_millis(100), told.wait_for(over)).await {
                return known.expect("it is followed").clone();
            }
            self.pass(5).await;
        }
        panic!("never over: {:?}", told.borrow())
    }

    fn all_calls(&self) -> u64 {
        self.simulator.calls().values().flat_map(|actions| actions.values()).map(|count| count.calls).sum()
    }
}

/// Waits until something holds.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Previews and confirms one change through a guard.
pub(crate) async fn attempt(guard: &Guard, intent: Intent) -> Activity {
    let preview = Box::pin(guard.preview(intent)).await.unwrap();
    let receipt = Box::pin(guard.confirm(&preview.id, preview.must_type.as_deref())).await.unwrap();
    receipt.activities.into_iter().next().expect("a single change answers with its attempt")
}

/// Whether a preview says this text with at least this severity.
pub(crate) fn warns(preview: &Preview, severity: Severity, text: &str) -> bool {
    let refused = severity == Severity::Bad && preview.skipped().iter().any(|it| it.text.contains(text));
    refused
        || preview.warnings.iter().any(|warning| warning.severity >= severity && warning.text.contains(text))
}

fn options() -> SimulatorOptions {
    SimulatorOptions {
        speed: 0.0,
        throttle: false,
        start_ms: Some(BEGUN_MS),
        keep: true,
        ..SimulatorOptions::default()
    }
}

async fn connect(simulator: &Simulator) -> Gateway {
    // Slow calls are not given up: a call without an answer here has met a fault.
    let patience = Patience {
        connect: PATIENCE,
        read: PATIENCE,
        attempt: PATIENCE,
        call: 2 * PATIENCE,
        proof: PATIENCE,
        ..Patience::default()
    };
    Gateway::connect(ConnectionSpec {
        name: NAME.to_owned(),
        endpoint_url: Some(simulator.endpoint().to_owned()),
        regions: simulator.ready().regions.iter().map(Region::new).collect(),
        budget_share: 1.0,
        rates: RateTable::published(),
        credentials: CredentialSource::Keys {
            access_key_id: "AKIDTEST".to_owned(),
            secret_access_key: "secret".to_owned(),
        },
        patience,
        ..ConnectionSpec::default()
    })
    .await
    .unwrap()
}

async fn store(folder: &Path, simulator: &Simulator) -> Store {
    let path = folder.join("liftdeck.sqlite");
    let now = Timestamp::from_ms(simulator.now_ms());
    Store::open(StoreOptions { path, access: Access::ReadWrite, account: None, now }).await.unwrap()
}

async fn guard(
    environment: Environment,
    simulator: &Arc<Simulator>,
    gateway: &Gateway,
    store: &Store,
    time: &Time,
) -> Guard {
    let (world, wall) = (Arc::clone(simulator), Arc::clone(&time.wall_ms));
    let (same_world, passed) = (Arc::clone(simulator), Arc::clone(&time.passed_ms));
    let options = GuardOptions {
        connection_name: NAME.to_owned(),
        environment,
        objection: Arc::new(|| None),
        source: ActivitySource::Window,
        clock: Arc::new(move || Timestamp::from_ms(world.now_ms() + wall.load(Ordering::SeqCst))),
        steady: Arc::new(move || {
            let ms = same_world.now_ms() - BEGUN_MS + passed.load(Ordering::SeqCst);
            Duration::from_millis(ms.unsigned_abs())
        }),
        ids: Arc::new(|| format!("00000000-0000-4000-8000-{:012}", IDS.fetch_add(1, Ordering::Relaxed))),
    };
    Box::pin(Guard::open(gateway.clone(), store.writer().unwrap(), store.reader(), options)).await.unwrap()
}
