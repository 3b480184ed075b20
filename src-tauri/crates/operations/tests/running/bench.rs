//! A simulated world, a store that knows it, and a guard between the two.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use liftdeck_gateway::{ConnectionSpec, CredentialSource, GameSessionFilter, Gateway, Patience, RateTable};
use liftdeck_model::action::{
    Action, CreateGameSession, CreatePlayerSessions, GameSessionTarget, NewPlayerSession, Request,
    TerminateGameSession, TerminationMode,
};
use liftdeck_model::activity::{Activity, ActivityOutcome, ActivitySource, EffectState, RunId};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::fleet::Fleet;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::observation::{Batch, Listing, Observation};
use liftdeck_model::{Environment, FleetId, GameSessionId, PlayerId, Region, Timestamp};
use liftdeck_operations::{Guard, GuardOptions, Intent, OperationError, Receipt, Run};
use liftdeck_simulator::{FaultPlan, FaultRule, Simulator, SimulatorOptions};
use liftdeck_store::{Access, RunState, Store, StoreOptions};

/// Everything a test needs.
pub(crate) struct Bench {
    pub(crate) simulator: Arc<Simulator>,
    pub(crate) gateway: Gateway,
    pub(crate) store: Store,
    pub(crate) guard: Guard,
    pub(crate) region: Region,
    pub(crate) folder: tempfile::TempDir,
    /// Added to the simulated time to give the guard's current time.
    pub(crate) ahead_ms: Arc<AtomicI64>,
}

/// 2026-11-20, 19:30 UTC: an evening when people play, whatever the time of the test.
const BEGUN_MS: i64 = 1_795_203_000_000;

/// Long enough for anything that comes in time on a machine that is not busy.
const PATIENCE: Duration = Duration::from_mins(3);

/// Waits until something holds.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Ids of this process, each used once.
static IDS: AtomicU64 = AtomicU64::new(1);

impl Bench {
    /// An unlocked guard in a frozen world without throttling, at rates so high that nothing waits.
    pub(crate) async fn frozen() -> Self {
        let options = SimulatorOptions { speed: 0.0, throttle: false, ..SimulatorOptions::default() };
        Self::over(options, 1.0, fast()).await
    }

    pub(crate) async fn over(options: SimulatorOptions, budget_share: f64, rates: RateTable) -> Self {
        let options = SimulatorOptions { start_ms: Some(BEGUN_MS), keep: true, ..options };
        let simulator = Arc::new(Simulator::start(options).await.unwrap());
        let regions: Vec<Region> = simulator.ready().regions.iter().map(Region::new).collect();
        let gateway = connected(&simulator, "AKIDTEST", budget_share, rates).await;
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder, &simulator).await;
        let ahead_ms = Arc::new(AtomicI64::new(0));
        let guard = guard(&simulator, &gateway, &store, &ahead_ms).await;
        guard.unlock(60, None).await.unwrap();
        let region = Region::from("eu-west-1");
        assert!(regions.contains(&region));
        Self { simulator, gateway, store, guard, region, folder, ahead_ms }
    }

    /// Ends the program like a kill, as far as a test can: the guard's tasks are left with a writer that is gone, and
    /// a new guard opens the same database.
    pub(crate) async fn killed_and_restarted(mut self) -> Self {
        self.store.close().await;
        self.store = open(&self.folder, &self.simulator).await;
        self.guard = guard(&self.simulator, &self.gateway, &self.store, &self.ahead_ms).await;
        self
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.simulator.now_ms())
    }

    pub(crate) async fn advance(&self, by: Duration) {
        self.simulator.advance(by).await.unwrap();
    }

    /// Advances the guard's clock only.
    pub(crate) fn wait(&self, seconds: i64) {
        self.ahead_ms.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }

    pub(crate) fn faults(&self, rules: &[FaultRule]) {
        self.simulator.set_faults(FaultPlan { rules: rules.to_vec() }).unwrap();
    }

    /// How often an operation reached the simulator, in all Regions.
    pub(crate) fn calls(&self, operation: &str) -> u64 {
        let action = format!("gamelift:{operation}");
        self.simulator
            .calls()
            .values()
            .filter_map(|actions| actions.get(&action))
            .map(|count| count.calls)
            .sum()
    }

    /// Reads the fleets of the bench's Region, and writes them to the store too.
    pub(crate) async fn fleets(&self) -> Vec<Fleet> {
        let fleets = self.gateway.reader(&self.region).unwrap().fleets().await;
        self.write(Observation::Fleets(Listing::complete(fleets.items.clone()))).await;
        fleets.items
    }

    pub(crate) async fn fleet(&self, name: &str) -> Fleet {
        let fleets = self.fleets().await;
        let names: Vec<_> = fleets.iter().map(|fleet| fleet.display_name().to_owned()).collect();
        fleets.into_iter().find(|fleet| fleet.display_name() == name).unwrap_or_else(|| panic!("{names:?}"))
    }

    /// Reads the live game sessions of a fleet from AWS, and writes them to the store too.
    pub(crate) async fn live(&self, fleet: &FleetId) -> Vec<GameSession> {
        let all = self.live_now(fleet).await;
        self.write(Observation::GameSessions(all.clone())).await;
        all
    }

    async fn live_now(&self, fleet: &FleetId) -> Vec<GameSession> {
        let reader = self.gateway.reader(&self.region).unwrap();
        let mut all = Vec::new();
        for status in
            [GameSessionStatus::Activating, GameSessionStatus::Active, GameSessionStatus::Terminating]
        {
            let filter = GameSessionFilter { location: None, status: Some(status) };
            let reading = reader.game_sessions(fleet, &filter).await;
            assert!(reading.complete, "{:?}", reading.failure);
            all.extend(reading.items);
        }
        all
    }

    /// ACTIVE game sessions of all fleets of the Region.
    pub(crate) async fn active(&self) -> Vec<GameSession> {
        let mut all = Vec::new();
        for fleet in self.fleets().await {
            all.extend(self.live(&fleet.fleet_id).await);
        }
        all.retain(|session| session.status == GameSessionStatus::Active);
        all
    }

    pub(crate) async fn alias_to(&self, fleet: &FleetId) -> Alias {
        let aliases = self.gateway.reader(&self.region).unwrap().aliases().await.items;
        self.write(Observation::Aliases(Listing::complete(aliases.clone()))).await;
        let leads = RoutingStrategy::Simple { fleet_id: fleet.clone() };
        aliases.into_iter().find(|alias| alias.routing == leads).expect("an alias leads there")
    }

    async fn write(&self, seen: Observation) {
        let batch = Batch { region: self.region.clone(), observed_at: self.now(), observations: vec![seen] };
        self.store.writer().unwrap().apply(batch).await.unwrap();
    }

    pub(crate) fn action(&self, request: Request) -> Action {
        Action { region: self.region.clone(), request }
    }

    pub(crate) fn termination(&self, session: &GameSessionId, mode: TerminationMode) -> Action {
        self.action(Request::TerminateGameSession(TerminateGameSession {
            game_session_id: session.clone(),
            termination_mode: mode,
        }))
    }

    /// Previews and confirms, typing whatever must be typed.
    pub(crate) async fn confirmed(&self, intent: Intent) -> Result<Receipt, OperationError> {
        let preview = Box::pin(self.guard.preview(intent)).await?;
        Box::pin(self.guard.confirm(&preview.id, preview.must_type.as_deref())).await
    }

    /// Resumes a run, which is previewed and confirmed like any change.
    pub(crate) async fn resumed(&self, id: &RunId) -> Result<Receipt, OperationError> {
        self.confirmed(Intent::Resume(id.clone())).await
    }

    /// Makes this many ACTIVE game sessions without players.
    pub(crate) async fn made_empty(&self, fleet: &FleetId, many: usize) -> Vec<GameSessionId> {
        let mut made = Vec::new();
        for at in 0..many {
            let activity = self
                .done(Request::CreateGameSession(CreateGameSession {
                    target: GameSessionTarget::Fleet(fleet.clone()),
                    location: None,
                    maximum_player_session_count: 4,
                    name: None,
                    game_properties: Vec::new(),
                    game_session_data: None,
                    idempotency_token: format!("empty-{at}"),
                    creator_id: None,
                }))
                .await;
            made.push(GameSessionId::new(activity.made.expect("the session that was made")));
        }
        self.advance(Duration::from_secs(30)).await;
        let live = self.live(fleet).await;
        for id in &made {
            let session = live.iter().find(|session| session.game_session_id == *id).expect("it lives");
            let seen = (session.status.clone(), session.current_player_session_count);
            assert_eq!(seen, (GameSessionStatus::Active, 0), "{session:?}");
        }
        made
    }

    /// Lets somebody join a game session.
    pub(crate) async fn join(&self, id: &GameSessionId) {
        let player = NewPlayerSession { player_id: PlayerId::from("late"), player_data: None };
        let request = CreatePlayerSessions { game_session_id: id.clone(), players: vec![player] };
        let activity = self.done(Request::CreatePlayerSessions(request)).await;
        assert_eq!(activity.outcome, ActivityOutcome::Done, "{activity:?}");
    }

    /// Makes one change, confirmed and answered.
    pub(crate) async fn done(&self, request: Request) -> Activity {
        let receipt = self.confirmed(Intent::Actions(vec![self.action(request)])).await.unwrap();
        receipt.activities.into_iter().next().expect("a single change answers with its attempt")
    }

    /// Returns the attempt once its effect is over, advancing the simulated time by `step` between looks.
    pub(crate) async fn followed(&self, activity: &Activity, step: Duration) -> Activity {
        let mut told = self.guard.follow(&activity.id).await.unwrap();
        let over = |known: &Activity| {
            known.effect.as_ref().is_none_or(|effect| effect.state != EffectState::Awaited)
        };
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Ok(known) = tokio::time::timeout(Duration::from_millis(100), told.wait_for(over)).await {
                return known.expect("it is followed").clone();
            }
            self.advance(step).await;
        }
        panic!("never over: {:?}", told.borrow().effect)
    }

    /// Waits until something holds.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn() -> bool) {
        eventually(what, async || holds()).await;
    }

    /// Returns the run once `holds`. Gives up if the run has not changed for long.
    pub(crate) async fn run_until(&self, id: &RunId, holds: impl Fn(&Run) -> bool) -> Run {
        let mut last = Run::get(&self.store.reader(), id).await.unwrap();
        let mut moved = Instant::now();
        while !holds(&last) {
            assert!(moved.elapsed() < PATIENCE, "never: {last:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
            let run = Run::get(&self.store.reader(), id).await.unwrap();
            if run != last {
                (last, moved) = (run, Instant::now());
            }
        }
        last
    }

    /// Advances the simulated time until the game sessions of the fleet have ended.
    pub(crate) async fn run_empty(&self, fleet: &FleetId) {
        for _ in 0..120 {
            self.advance(Duration::from_secs(300)).await;
            if self.live_now(fleet).await.is_empty() {
                return;
            }
        }
        panic!("game sessions do not end")
    }

    /// Returns the run once it rests, after the game sessions of the fleet have ended.
    pub(crate) async fn emptied(&self, id: &RunId, fleet: &FleetId) -> Run {
        self.run_empty(fleet).await;
        self.at_rest(id).await
    }

    pub(crate) async fn at_rest(&self, id: &RunId) -> Run {
        self.run_until(id, |run| run.state != RunState::Running).await
    }
}

/// Rates so high that nothing waits for them.
pub(crate) fn fast() -> RateTable {
    let operations = [
        "DescribeFleetAttributes",
        "DescribeFleetLocationAttributes",
        "DescribeFleetLocationCapacity",
        "DescribeFleetLocationUtilization",
        "DescribeRuntimeConfiguration",
        "DescribeFleetPortSettings",
        "DescribeScalingPolicies",
        "ListContainerFleets",
        "DescribeGameSessions",
        "DescribeGameSessionDetails",
        "DescribePlayerSessions",
        "DescribeGameSessionPlacement",
        "DescribeGameSessionQueues",
        "DescribeMatchmaking",
        "ListAliases",
        "DescribeAlias",
        "GetGameSessionLogUrl",
        "CreateGameSession",
        "CreatePlayerSessions",
        "TerminateGameSession",
        "UpdateGameSession",
        "UpdateAlias",
        "UpdateGameSessionQueue",
        "UpdateFleetCapacity",
        "StopFleetActions",
        "StartFleetActions",
        "UpdateFleetAttributes",
    ];
    operations.into_iter().fold(RateTable::published(), |table, name| table.with(name, 400.0))
}

/// Connects a gateway to the simulator with this key.
pub(crate) async fn connected(
    simulator: &Simulator,
    key: &str,
    budget_share: f64,
    rates: RateTable,
) -> Gateway {
    // Slow calls are not given up: a call without an answer here has met a fault, and is not sent a second time.
    let patience = Patience {
        connect: PATIENCE,
        read: 2 * PATIENCE,
        attempt: 2 * PATIENCE,
        call: 4 * PATIENCE,
        proof: PATIENCE,
        ..Patience::default()
    };
    Gateway::connect(ConnectionSpec {
        name: "bench".to_owned(),
        endpoint_url: Some(simulator.endpoint().to_owned()),
        regions: simulator.ready().regions.iter().map(Region::new).collect(),
        budget_share,
        rates,
        credentials: CredentialSource::Keys {
            access_key_id: key.to_owned(),
            secret_access_key: "secret".to_owned(),
        },
        patience,
        ..ConnectionSpec::default()
    })
    .await
    .unwrap()
}

async fn open(folder: &tempfile::TempDir, simulator: &Simulator) -> Store {
    let path = folder.path().join("liftdeck.sqlite");
    let now = Timestamp::from_ms(simulator.now_ms());
    Store::open(StoreOptions { path, access: Access::ReadWrite, account: None, now }).await.unwrap()
}

async fn guard(
    simulator: &Arc<Simulator>,
    gateway: &Gateway,
    store: &Store,
    ahead_ms: &Arc<AtomicI64>,
) -> Guard {
    let (world, time, ahead) = (Arc::clone(simulator), Arc::clone(simulator), Arc::clone(ahead_ms));
    let options = GuardOptions {
        connection_name: "bench".to_owned(),
        environment: Environment::Demo,
        objection: Arc::new(|| None),
        source: ActivitySource::CommandLine,
        clock: Arc::new(move || Timestamp::from_ms(world.now_ms() + ahead.load(Ordering::SeqCst))),
        steady: Arc::new(move || Duration::from_millis((time.now_ms() - BEGUN_MS).unsigned_abs())),
        ids: Arc::new(|| format!("00000000-0000-4000-8000-{:012}", IDS.fetch_add(1, Ordering::Relaxed))),
    };
    Box::pin(Guard::open(gateway.clone(), store.writer().unwrap(), store.reader(), options)).await.unwrap()
}
