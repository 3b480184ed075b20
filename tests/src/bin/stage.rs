//! Provides what the screens tests look at: `liftdeck serve`, reachable from a browser, over a frozen simulated
//! world.
//!
//! Owns the worlds and databases that tests start with. Each scenario's world is collected completely once. Each
//! opened one is a copy of it with a copy of the database, so that a test may change anything. Listens on one port,
//! whose address it prints: `POST /open` with the wanted properties returns `{"id", "link", "endpoint", "region", …}`,
//! `POST /close/{id}` ends it, and `GET /ready` reports that it is up. Deliberately knows nothing about the tests.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{self, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use clap::Parser;
use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions};
use liftdeck_tests::browser::{self, Browser};
use liftdeck_tests::program::Group;
use liftdeck_tests::sqs::Queue;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Mutex, OnceCell};

/// The time at which every world begins and is frozen: a busy evening.
const MOMENT: &str = "2026-03-10T18:00:00Z";
/// How long the first complete pass may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);
/// How many times slower the program's clock runs while a world is collected, so that what is stored is as old on a
/// slow machine as on a fast one.
const SLOWED_WHILE_COLLECTING: u32 = 100;

#[derive(Parser)]
struct Arguments {
    /// Port to answer on; 0 for any that is free.
    #[arg(long)]
    port: u16,
}

/// What a test wants to open.
#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Wanted {
    scenario: String,
    /// The connection's environment: `production` requires its name to be typed.
    environment: String,
    name: String,
    /// Whether the browser may change anything.
    operate: bool,
    /// Whether there is a connection, and whether data was collected before.
    connected: bool,
    collected: bool,
    /// Whether the event queues are adopted.
    adopted: bool,
    /// Virtual seconds per real second.
    speed: f64,
    /// Seconds by which the program's clock is ahead of what was collected.
    later: i64,
    /// Faults of the world from before the program starts, as a plan has them.
    faults: Value,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            scenario: "quiet".to_owned(),
            environment: "production".to_owned(),
            name: "arena-prod".to_owned(),
            operate: true,
            connected: true,
            collected: true,
            adopted: true,
            speed: 0.0,
            later: 0,
            faults: json!([]),
        }
    }
}

/// Something open; dropping this ends it.
struct Open {
    simulator: Simulator,
    program: Group,
    _home: TempDir,
}

/// A database with everything in a world, and the names that its event queues have there.
struct Collected {
    folder: TempDir,
    queues: Value,
    /// Regions whose event queue was emptied into the database.
    emptied: Vec<String>,
}

/// Where a collected world is kept once it is ready.
type Place = Arc<OnceCell<Arc<Collected>>>;

#[derive(Default)]
struct Stage {
    collected: Mutex<HashMap<(String, bool), Place>>,
    open: Mutex<HashMap<u64, Open>>,
    next: AtomicU64,
}

#[tokio::main]
async fn main() {
    let Arguments { port } = Arguments::parse();
    let stage = Arc::new(Stage::default());
    let routes = Router::new()
        .route("/ready", get(|| async { "ready" }))
        .route("/open", post(open))
        .route("/close/{id}", post(close))
        .with_state(stage);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
    println!("{}", listener.local_addr().expect("the address of a listener"));
    axum::serve(listener, routes).await.expect("it serves");
}

async fn open(
    State(stage): State<Arc<Stage>>,
    Json(wanted): Json<Wanted>,
) -> Result<Json<Value>, (StatusCode, String)> {
    let begun = Box::pin(stage.begin(&wanted)).await;
    begun.map(Json).map_err(|why| (StatusCode::INTERNAL_SERVER_ERROR, why))
}

async fn close(State(stage): State<Arc<Stage>>, extract::Path(id): extract::Path<u64>) -> StatusCode {
    let Some(Open { simulator, program, .. }) = stage.open.lock().await.remove(&id) else {
        return StatusCode::NOT_FOUND;
    };
    drop(program);
    simulator.shutdown().await;
    StatusCode::OK
}

impl Stage {
    async fn begin(&self, wanted: &Wanted) -> Result<Value, String> {
        let simulator = world(wanted).await?;
        let home = tempfile::tempdir().map_err(said)?;
        let mut queues = json!(simulator.ready().event_queues);
        if wanted.connected && wanted.collected {
            let collected = self.collected(wanted).await?;
            collected.copy_to(home.path()).map_err(said)?;
            // SQS uses only the path of a URL; the database keeps the queue's original name.
            queues = collected.queues.clone();
            let (endpoint, urls) = (simulator.ready().endpoint.clone(), queues.clone());
            // What is already in the database would otherwise arrive a second time.
            let empty = move || collected.empty(&endpoint, &urls);
            tokio::task::spawn_blocking(empty).await.map_err(said)?;
        }
        if wanted.connected {
            connect(home.path(), wanted, &simulator, &queues).map_err(said)?;
        }
        let plan = json!({ "fault": wanted.faults }).to_string();
        let control = format!("{}/_simulator/faults", simulator.endpoint());
        let planned = tokio::task::spawn_blocking(move || ureq::post(&control).send(plan));
        planned.await.map_err(said)?.map_err(said)?;
        let (program, link) = serve(home.path(), wanted, 1).await?;
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let ready = simulator.ready();
        let answer = json!({
            "id": id, "link": link, "endpoint": ready.endpoint, "regions": ready.regions, "account": ready.account,
            "queues": queues,
        });
        self.open.lock().await.insert(id, Open { simulator, program, _home: home });
        Ok(answer)
    }

    /// Returns the database of a scenario, creating it on the first request. Concurrent requests wait for it.
    async fn collected(&self, wanted: &Wanted) -> Result<Arc<Collected>, String> {
        let key = (wanted.scenario.clone(), wanted.adopted);
        let place = Arc::clone(self.collected.lock().await.entry(key).or_default());
        let made = async { Box::pin(collect(wanted)).await.map(Arc::new) };
        place.get_or_try_init(|| made).await.map(Arc::clone)
    }
}

async fn world(wanted: &Wanted) -> Result<Simulator, String> {
    let moment: jiff::Timestamp = MOMENT.parse().map_err(said)?;
    let options = SimulatorOptions {
        scenario: wanted.scenario.parse::<Scenario>().map_err(said)?,
        speed: wanted.speed,
        start_ms: Some(moment.as_millisecond()),
        throttle: false,
        keep: true,
        ..SimulatorOptions::default()
    };
    Simulator::start(options).await.map_err(said)
}

/// Saves a connection to the world, and settings that use the full rates AWS allows.
fn connect(home: &Path, wanted: &Wanted, simulator: &Simulator, queues: &Value) -> std::io::Result<()> {
    let config = home.join("config");
    std::fs::create_dir_all(&config)?;
    let ready = simulator.ready();
    let queues: Vec<Value> = queues
        .as_object()
        .into_iter()
        .flatten()
        .map(|(region, url)| json!({ "region": region, "url": url }))
        .collect();
    let connections = json!({ "version": 1, "connections": [{
        "id": "arena", "name": wanted.name, "environment": wanted.environment, "profile": null,
        "endpointUrl": ready.endpoint, "account": ready.account, "regions": ready.regions,
        "eventQueues": queues, "lastOpenedMs": 1,
    }] });
    std::fs::write(config.join("connections.json"), connections.to_string())?;
    std::fs::write(config.join("settings.json"), json!({ "budgetShare": 1.0 }).to_string())
}

/// Starts the program with a clock that runs `slowed_by` times slower than real time, and returns the link it prints.
async fn serve(home: &Path, wanted: &Wanted, slowed_by: u32) -> Result<(Group, String), String> {
    let (home, operate) = (home.to_owned(), wanted.operate);
    let slowed_by = slowed_by.to_string();
    let moment: jiff::Timestamp = MOMENT.parse().map_err(said)?;
    let clock = (moment + jiff::SignedDuration::from_secs(wanted.later)).to_string();
    let started = tokio::task::spawn_blocking(move || {
        let mut arguments = vec!["--clock", clock.as_str(), "--clock-slowed-by", slowed_by.as_str()];
        if operate {
            arguments.push("--operate");
        }
        browser::serve(&home, &arguments)
    });
    let (program, link) = started.await.map_err(said)?;
    if link.is_empty() { Err("liftdeck serve printed no link".to_owned()) } else { Ok((program, link)) }
}

/// Collects a world completely.
async fn collect(wanted: &Wanted) -> Result<Collected, String> {
    // A database that was once production stays so; a copy of this one takes the environment of its connection.
    let environment = "development".to_owned();
    let easy = Wanted { environment, operate: true, later: 0, speed: 0.0, ..wanted.clone() };
    let simulator = world(&easy).await?;
    let folder = tempfile::tempdir().map_err(said)?;
    let queues = json!(simulator.ready().event_queues);
    connect(folder.path(), &easy, &simulator, &queues).map_err(said)?;
    let (mut program, link) = serve(folder.path(), &easy, SLOWED_WHILE_COLLECTING).await?;
    let event_queues = simulator.ready().event_queues.clone();
    let endpoint = simulator.ready().endpoint.clone();
    let adopted = wanted.adopted;
    let collected = tokio::task::spawn_blocking(move || {
        let browser = Browser::enter(&link)?;
        let state = browser.ask("app_state", &json!({}))?;
        if state["current"].is_null() {
            return Err(format!("the connection does not open: {}", state["openError"]));
        }
        until_all_is_collected(&browser)?;
        for url in event_queues.values().filter(|_| adopted) {
            browser.ask("feed_look", &json!({ "url": url, "anyway": true }))?;
            browser.ask("feed_adopt", &json!({ "url": url, "setAside": false, "typed": null }))?;
        }
        until_all_is_collected(&browser)?;
        let mut emptied = Vec::new();
        for (region, url) in event_queues.iter().filter(|_| adopted) {
            let queue = Queue::at(&endpoint, region, url);
            if until_all_is_received(&browser, &queue)? == 0 {
                emptied.push(region.clone());
            }
        }
        program.signal("-TERM");
        program.wait(Duration::from_secs(120));
        Ok::<_, String>(emptied)
    });
    let emptied = collected.await.map_err(said)??;
    simulator.shutdown().await;
    Ok(Collected { folder, queues, emptied })
}

impl Collected {
    /// Empties the event queues of a copied world where those of the collected one were emptied.
    fn empty(&self, endpoint: &str, urls: &Value) {
        for region in &self.emptied {
            if let Some(url) = urls[region].as_str() {
                Queue::at(endpoint, region, url).ask("PurgeQueue", &json!({ "QueueUrl": url }));
            }
        }
    }

    /// Copies the database to where a program with this home looks for it.
    fn copy_to(&self, home: &Path) -> std::io::Result<()> {
        let databases = PathBuf::from("data/databases");
        let to = home.join(&databases);
        std::fs::create_dir_all(&to)?;
        for file in std::fs::read_dir(self.folder.path().join(&databases))? {
            let file = file?;
            if file.file_type()?.is_file() {
                std::fs::copy(file.path(), to.join(file.file_name()))?;
            }
        }
        Ok(())
    }
}

/// Waits until an event queue holds only what the program leaves there, and returns how many messages that is.
fn until_all_is_received(browser: &Browser, queue: &Queue) -> Result<u64, String> {
    until(browser, "every event is received", |health| {
        let feeds = health["feeds"].as_array().into_iter().flatten();
        let feed = feeds.into_iter().find(|feed| feed["queueUrl"] == queue.url);
        let stays = feed.and_then(|feed| feed["left"].as_u64()).unwrap_or_default();
        Some(queue.left()).filter(|left| *left <= stays)
    })
}

/// Waits until every Region has been read and the history is stored.
fn until_all_is_collected(browser: &Browser) -> Result<(), String> {
    until(browser, "all is collected", |health| {
        (health["state"] == "live" && health["backfill"].is_null()).then_some(())
    })
}

/// Polls the collection's health until the condition holds.
fn until<T>(browser: &Browser, what: &str, mut so: impl FnMut(&Value) -> Option<T>) -> Result<T, String> {
    let deadline = std::time::Instant::now() + PATIENCE;
    loop {
        let health = browser.ask("health_get", &json!({}))?;
        if let Some(found) = so(&health) {
            return Ok(found);
        }
        if std::time::Instant::now() > deadline {
            return Err(format!("waited in vain: {what}: {health:#}"));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}
