//! A simulator in this process, a gateway to it and a store in its own directory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use liftdeck_collector::adoption::{Peek, look};
use liftdeck_collector::{Clock, Collector, CollectorOptions, EndedGameSessions, MetricsPolicy, Summary};
use liftdeck_gateway::{ConnectionSpec, CredentialSource, EventQueue, Gateway, RateTable};
use liftdeck_model::feed::ForeignBodies;
use liftdeck_model::{GameSessionId, Region, Timestamp};
use liftdeck_simulator::{FaultRule, Simulator, SimulatorOptions};
use liftdeck_store::{Access, Store, StoreOptions};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// 2026-11-20, 19:30 UTC: an evening with players online, far from midnight, whenever the tests run.
const BEGUN_MS: i64 = 1_795_203_000_000;

/// Long enough even on a busy machine for anything that happens promptly on an idle one.
const PATIENCE: Duration = Duration::from_mins(4);

/// Everything a test needs.
pub(crate) struct Bench {
    pub(crate) simulator: Arc<Simulator>,
    /// When the world was created, and its own time then.
    pub(crate) begun: (Instant, Timestamp),
    pub(crate) store: Store,
    pub(crate) folder: tempfile::TempDir,
    /// Access key id the gateway signs with.
    pub(crate) key: String,
    pub(crate) budget_share: f64,
    pub(crate) rates: RateTable,
}

impl Bench {
    /// A frozen quiet world without throttling, and rates high enough that nothing waits.
    pub(crate) async fn frozen() -> Self {
        Self::over(SimulatorOptions { speed: 0.0, throttle: false, ..SimulatorOptions::default() }).await
    }

    pub(crate) async fn over(options: SimulatorOptions) -> Self {
        let options =
            SimulatorOptions { start_ms: options.start_ms.or(Some(BEGUN_MS)), keep: true, ..options };
        let simulator = Arc::new(Simulator::start(options).await.unwrap());
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::from_ms(simulator.now_ms());
        let store = open(&folder, now).await;
        let operations = [
            "DescribeFleetAttributes",
            "DescribeFleetCapacity",
            "DescribeFleetUtilization",
            "DescribeEC2InstanceLimits",
            "DescribeFleetEvents",
            "DescribeFleetLocationAttributes",
            "DescribeFleetLocationCapacity",
            "DescribeFleetLocationUtilization",
            "DescribeRuntimeConfiguration",
            "DescribeFleetPortSettings",
            "DescribeScalingPolicies",
            "ListContainerFleets",
            "ListFleetDeployments",
            "DescribeInstances",
            "ListCompute",
            "DescribeGameSessions",
            "DescribeGameSessionDetails",
            "DescribePlayerSessions",
            "DescribeGameSessionQueues",
            "ListAliases",
            "DescribeMatchmakingConfigurations",
            "DescribeMatchmakingRuleSets",
            "ListBuilds",
            "ListScripts",
            "GetMetricData",
            "ListMetrics",
            "LookupEvents",
        ];
        let rates =
            operations.into_iter().fold(RateTable::published(), |table, name| table.with(name, 5_000.0));
        let key = "AKIDTEST".to_owned();
        Self { simulator, begun: (Instant::now(), now), store, folder, key, budget_share: 1.0, rates }
    }

    pub(crate) fn regions(&self) -> Vec<Region> {
        self.simulator.ready().regions.iter().map(Region::new).collect()
    }

    pub(crate) fn queues(&self) -> Vec<EventQueue> {
        let queues = &self.simulator.ready().event_queues;
        queues
            .iter()
            .map(|(region, url)| EventQueue { region: Region::new(region), url: url.clone() })
            .collect()
    }

    /// Adopts queues for this connection, whatever is in them.
    pub(crate) async fn adopt(&self, queues: &[EventQueue], foreign: ForeignBodies) {
        let gateway = self.gateway().await;
        let now = (self.clock())();
        let account = gateway.prove().await.unwrap().account;
        for queue in queues {
            let look = Box::pin(look(&gateway, queue, &account, &[], Peek::Unharmful, now)).await.unwrap();
            let name = look.name().to_owned();
            let adoption = look.adopt(foreign, Some(&name), None, now).unwrap();
            self.store.writer().unwrap().adopt_queue(adoption).await.unwrap();
        }
    }

    /// The simulator's time.
    pub(crate) fn clock(&self) -> Clock {
        let simulator = Arc::clone(&self.simulator);
        Arc::new(move || Timestamp::from_ms(simulator.now_ms()))
    }

    /// The world's time at its creation plus the real time since. It also moves when the world is frozen, as a
    /// schedule needs.
    pub(crate) fn moving_clock(&self) -> Clock {
        let (begun, start) = self.begun;
        Arc::new(move || start.plus_ms(i64::try_from(begun.elapsed().as_millis()).unwrap()))
    }

    pub(crate) async fn gateway(&self) -> Gateway {
        let spec = ConnectionSpec {
            name: "bench".to_owned(),
            account: Some(self.simulator.ready().account.as_str().into()),
            endpoint_url: Some(self.simulator.endpoint().to_owned()),
            regions: self.regions(),
            budget_share: self.budget_share,
            rates: self.rates.clone(),
            credentials: CredentialSource::Keys {
                access_key_id: self.key.clone(),
                secret_access_key: "secret".to_owned(),
            },
            ..ConnectionSpec::default()
        };
        Gateway::connect(spec).await.unwrap()
    }

    /// Options for everything but history and feeds.
    pub(crate) fn options(&self) -> CollectorOptions {
        CollectorOptions {
            regions: self.regions(),
            ended_game_sessions: EndedGameSessions::Skip,
            metrics: MetricsPolicy { enabled: false, ..MetricsPolicy::default() },
            ..CollectorOptions::default()
        }
    }

    pub(crate) async fn once(&self, options: CollectorOptions) -> Summary {
        let gateway = self.gateway().await;
        let (writer, reader) = (self.store.writer().unwrap(), self.store.reader());
        let stop = CancellationToken::new();
        Box::pin(Collector::once(options, &gateway, writer, reader, self.clock(), stop)).await.unwrap()
    }

    /// Closes the store and opens it again, as after a restart of the program.
    pub(crate) async fn reopen(mut self) -> Self {
        let now = Timestamp::from_ms(self.simulator.now_ms());
        self.store.close().await;
        self.store = open(&self.folder, now).await;
        self
    }

    /// The world's own records of a Region.
    pub(crate) async fn truth(&self, region: &Region) -> Value {
        self.control("GET", &format!("truth?region={region}"), Value::Null).await
    }

    pub(crate) async fn calls(&self) -> Value {
        self.control("GET", "calls", Value::Null).await
    }

    pub(crate) async fn advance(&self, by: Duration) {
        self.simulator.advance(by).await.unwrap();
    }

    pub(crate) async fn faults(&self, rules: &[FaultRule]) {
        self.control("POST", "faults", json!({ "fault": rules })).await;
    }

    /// Puts a message into a queue.
    pub(crate) async fn send(&self, queue: &EventQueue, body: &str) {
        self.sqs(queue, "SendMessage", json!({ "MessageBody": body })).await;
    }

    /// Creates a queue in the account that is not an event queue.
    pub(crate) async fn make_queue(&self, region: &Region, name: &str, attributes: Value) -> EventQueue {
        let nowhere = EventQueue { region: region.clone(), url: String::new() };
        let made =
            self.sqs(&nowhere, "CreateQueue", json!({ "QueueName": name, "Attributes": attributes })).await;
        EventQueue { url: made["QueueUrl"].as_str().unwrap().to_owned(), ..nowhere }
    }

    /// Calls an SQS action on a queue, as any other program would.
    pub(crate) async fn sqs(&self, queue: &EventQueue, action: &'static str, mut body: Value) -> Value {
        let scope = format!("AKIDTEST/20260304/{}/sqs/aws4_request", queue.region);
        let authorization = format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0");
        if !queue.url.is_empty() {
            body["QueueUrl"] = json!(queue.url);
        }
        let endpoint = self.simulator.endpoint().to_owned();
        tokio::task::spawn_blocking(move || {
            let mut answer = ureq::post(&endpoint)
                .header("authorization", authorization)
                .header("content-type", "application/x-amz-json-1.0")
                .header("x-amz-target", format!("AmazonSQS.{action}"))
                .send(body.to_string())
                .unwrap();
            let text = answer.body_mut().read_to_string().unwrap();
            if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() }
        })
        .await
        .unwrap()
    }

    async fn control(&self, method: &'static str, path: &str, body: Value) -> Value {
        let url = format!("{}/_simulator/{path}", self.simulator.endpoint());
        tokio::task::spawn_blocking(move || {
            let answer = match method {
                "GET" => ureq::get(&url).call(),
                _ => ureq::post(&url).send_json(body),
            };
            answer.unwrap().body_mut().with_config().limit(200_000_000).read_json().unwrap()
        })
        .await
        .unwrap()
    }

    /// The live game sessions the store has in a Region, sorted.
    pub(crate) async fn live(&self, region: &Region) -> Vec<GameSessionId> {
        let reader = self.store.reader();
        let mut live = Vec::new();
        for fleet in reader.fleets(region).await.unwrap() {
            live.extend(reader.live_game_sessions(&fleet.fleet_id).await.unwrap());
        }
        live.sort();
        live
    }

    /// The live game sessions the world has in a Region, sorted.
    pub(crate) async fn true_live(&self, region: &Region) -> Vec<GameSessionId> {
        let truth = self.truth(region).await;
        let mut live: Vec<GameSessionId> = truth["GameSessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|session| GameSessionId::from(session["GameSessionId"].as_str().unwrap()))
            .collect();
        live.sort();
        live
    }

    /// How many records of a kind the world has in all Regions.
    pub(crate) async fn true_count(&self, kinds: &[&str]) -> u64 {
        let mut count = 0;
        for region in self.regions() {
            let truth = self.truth(&region).await;
            for kind in kinds {
                let records = &truth[*kind];
                count += records.as_array().unwrap_or_else(|| panic!("no {kind}")).len() as u64;
            }
        }
        count
    }
}

async fn open(folder: &tempfile::TempDir, now: Timestamp) -> Store {
    let path = folder.path().join("liftdeck.sqlite");
    Store::open(StoreOptions { path, access: Access::ReadWrite, account: None, now }).await.unwrap()
}

/// Waits until a condition holds.
pub(crate) async fn eventually<F, Fut>(what: &str, mut holds: F)
where
    F: FnMut() -> Fut,
    Fut: Future<Output = bool>,
{
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
