//! Compares the store with its floor: ingest, second poll, bytes per row and per sample, the length of the
//! write-ahead log, and every screen's query.
//!
//! Floor and product run in alternating pairs in one process, and the medians count. Prints a table; `--json FILE`
//! writes the same figures. `--pairs N`, `--sessions N` and `--only writing`, `log` or `reading` make it shorter.
//! Exits with 1 when a goal is missed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    reason = "a bench"
)]

mod floor;
mod operated;
mod product;
mod query;
mod sample;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

const MIB: f64 = 1_048_576.0;
/// How often every session is rewritten while queries run without a pause.
const LOG_ROUNDS: u64 = 4;

struct Options {
    pairs: usize,
    sessions: usize,
    json: Option<PathBuf>,
    /// The only part to run, one of [`PARTS`]; all of them when `None`.
    only: Option<String>,
}

const PARTS: [&str; 3] = ["writing", "log", "reading"];

impl Options {
    fn read() -> Self {
        let mut options = Self { pairs: 3, sessions: 100_000, json: None, only: None };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--pairs" => {
                    options.pairs = arguments.next().and_then(|text| text.parse().ok()).expect("--pairs N")
                }
                "--sessions" => {
                    options.sessions =
                        arguments.next().and_then(|text| text.parse().ok()).expect("--sessions N")
                }
                "--json" => options.json = Some(arguments.next().expect("--json FILE").into()),
                "--only" => {
                    let part = arguments.next().filter(|part| PARTS.contains(&part.as_str()));
                    options.only = Some(part.expect("--only writing, log or reading"));
                }
                // cargo passes --bench.
                _ => {}
            }
        }
        options
    }

    fn wants(&self, part: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == part)
    }
}

/// A figure with its goal.
struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    /// The goal, and whether more is better.
    goal: Option<(f64, bool)>,
}

impl Figure {
    fn met(&self) -> Option<bool> {
        self.goal.map(|(goal, more)| if more { self.value >= goal } else { self.value <= goal })
    }
}

#[derive(Default)]
struct Rounds {
    floor: [Vec<f64>; 4],
    product: [Vec<f64>; 4],
    session_bytes: f64,
    player_bytes: f64,
}

const STEPS: [&str; 4] = [
    "sessions: first ingest",
    "sessions: second poll, 5 % changed",
    "players: first ingest",
    "players: second poll, 5 % changed",
];

#[tokio::main(flavor = "multi_thread", worker_threads = 4)]
async fn main() -> ExitCode {
    let options = Options::read();
    let folder = tempfile::tempdir().unwrap();
    let mut figures = Vec::new();
    if options.wants("writing") {
        figures.extend(writing(folder.path(), &options).await);
    }
    if options.wants("log") {
        let longest = longest_log(folder.path(), options.sessions).await;
        figures.push(bound("longest log under permanent readers", longest, "MiB", 64.0));
    }
    if options.wants("reading") {
        figures.extend(reading(folder.path(), &options).await);
    }
    report(&figures, &options)
}

fn bound(name: &str, value: f64, unit: &'static str, goal: f64) -> Figure {
    Figure { name: name.to_owned(), value, unit, goal: Some((goal, false)) }
}

async fn writing(folder: &Path, options: &Options) -> Vec<Figure> {
    let mut rounds = Rounds::default();
    for pair in 0..options.pairs {
        run_pair(folder, pair, options.sessions, &mut rounds).await;
    }
    let mut figures = Vec::new();
    for (index, step) in STEPS.iter().enumerate() {
        let (floor, product) = (median(&rounds.floor[index]), median(&rounds.product[index]));
        figures.push(Figure { name: format!("{step}, floor"), value: floor, unit: "rows/s", goal: None });
        let goal = (index % 2 == 1).then_some((150_000.0, true));
        figures.push(Figure { name: (*step).to_owned(), value: product, unit: "rows/s", goal });
        let ratios: Vec<f64> = rounds.product[index]
            .iter()
            .zip(&rounds.floor[index])
            .map(|(product, floor)| product / floor)
            .collect();
        let goal = (index % 2 == 0).then_some((0.7, true));
        figures.push(Figure {
            name: format!("{step}, share of floor"),
            value: median(&ratios),
            unit: "x",
            goal,
        });
    }
    figures.push(bound("a game session on the disk", rounds.session_bytes, "B", 1_200.0));
    figures.push(bound("a player session on the disk", rounds.player_bytes, "B", 110.0));
    let sample_bytes = product::metric_bytes(folder, 10, 28).await;
    figures.push(bound("a metric sample on the disk", sample_bytes, "B", 2.4));
    figures
}

async fn reading(folder: &Path, options: &Options) -> Vec<Figure> {
    let (world, store) = history(folder, options.sessions).await;
    let mut figures = Vec::new();
    for timing in query::all(&store.reader(), &world, 100).await {
        figures.push(Figure {
            name: format!("{}, p50", timing.name),
            value: timing.p50_ms,
            unit: "ms",
            goal: None,
        });
        figures.push(bound(&format!("{}, p99", timing.name), timing.p99_ms, "ms", 16.0));
    }
    store.close().await;
    figures
}

async fn run_pair(folder: &Path, pair: usize, sessions: usize, rounds: &mut Rounds) {
    let mut world = sample::world(sessions, pair as u64);
    let rate = |rows: usize, took: std::time::Duration| rows as f64 / took.as_secs_f64();
    let players = world.players.iter().map(Vec::len).sum::<usize>();
    let path = folder.join(format!("product-{pair}.sqlite"));
    product::open(&path).await.close().await;
    let empty = product::bytes(&path);
    let store = product::open(&path).await;
    let mut floor = floor::Floor::open(&folder.join(format!("floor-{pair}.sqlite")));

    rounds.floor[0].push(rate(sessions, floor.sessions(&world)));
    let (took, written) = product::feed(&store, sample::session_batches(&world, sample::NOW)).await;
    assert_eq!(written, sessions as u64);
    rounds.product[0].push(rate(sessions, took));
    store.close().await;
    let with_sessions = product::bytes(&path);
    rounds.session_bytes = (with_sessions - empty) as f64 / sessions as f64;

    let store = product::open(&path).await;
    rounds.floor[2].push(rate(players, floor.players(&world)));
    let (took, written) = product::feed(&store, sample::player_batches(&world, sample::NOW)).await;
    assert_eq!(written, players as u64);
    rounds.product[2].push(rate(players, took));
    store.close().await;
    rounds.player_bytes = (product::bytes(&path) - with_sessions) as f64 / players as f64;

    // The running program remembers its previous poll: one unchanged pass fills that memory as a poll would.
    let store = product::open(&path).await;
    let before = sample::NOW.plus_ms(30_000);
    let (_, again) = product::feed(&store, sample::session_batches(&world, before)).await;
    let (_, again_players) = product::feed(&store, sample::player_batches(&world, before)).await;
    assert_eq!((again, again_players), (0, 0), "an unchanged poll wrote rows");
    sample::change(&mut world, pair as u64 + 1_000);
    let later = sample::NOW.plus_ms(60_000);
    let (session_batches, player_batches) =
        (sample::session_batches(&world, later), sample::player_batches(&world, later));
    rounds.floor[1].push(rate(sessions, floor.sessions_again(&world)));
    rounds.product[1].push(rate(sessions, product::feed(&store, session_batches).await.0));
    rounds.floor[3].push(rate(players, floor.players(&world)));
    rounds.product[3].push(rate(players, product::feed(&store, player_batches).await.0));

    store.close().await;
    clear(folder);
}

fn clear(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
}

/// The greatest length of the log, in MiB, while every session is rewritten repeatedly and queries never pause.
async fn longest_log(folder: &Path, sessions: usize) -> f64 {
    let mut world = sample::world(sessions, 1_999);
    let path = folder.join("log.sqlite");
    let store = product::open(&path).await;
    product::feed(&store, sample::session_batches(&world, sample::NOW)).await;
    let readers = product::Readers::start(&store, &path);
    for round in 0..LOG_ROUNDS {
        sample::change(&mut world, round + 2_000);
        world.sessions.iter_mut().for_each(|session| session.port = session.port.map(|port| port ^ 1));
        let at = sample::NOW.plus_ms(120_000 + round.cast_signed());
        product::feed(&store, sample::session_batches(&world, at)).await;
    }
    let longest = readers.stop().await as f64 / MIB;
    store.close().await;
    clear(folder);
    longest
}

/// A database with 30 days of everything.
async fn history(folder: &Path, sessions: usize) -> (sample::World, liftdeck_store::Store) {
    let world = sample::world(sessions, 99);
    let store = product::open(&folder.join("history.sqlite")).await;
    product::feed(&store, sample::session_batches(&world, sample::NOW)).await;
    product::feed(&store, sample::player_batches(&world, sample::NOW)).await;
    product::feed(&store, sample::surroundings(&world, sessions, 5)).await;
    product::feed(&store, vec![operated::standing()]).await;
    product::feed(&store, operated::matchmaking(&world, sessions / 4)).await;
    operated::record(&store, &world).await;
    product::feed_metrics(&store, sample::FLEETS, 30).await;
    (world, store)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn report(figures: &[Figure], options: &Options) -> ExitCode {
    println!("{:<58} {:>12} {:<7} {:>12}  ", "figure", "value", "unit", "goal");
    for figure in figures {
        let goal = figure
            .goal
            .map_or(String::new(), |(goal, more)| format!("{} {goal}", if more { ">=" } else { "<=" }));
        let verdict = figure.met().map_or("", |met| if met { "met" } else { "MISSED" });
        let value = if figure.value >= 1_000.0 {
            format!("{:.0}", figure.value)
        } else {
            format!("{:.2}", figure.value)
        };
        println!("{:<58} {value:>12} {:<7} {goal:>12}  {verdict}", figure.name, figure.unit);
    }
    let missed = figures.iter().filter(|figure| figure.met() == Some(false)).count();
    println!("{missed} of {} goals missed", figures.iter().filter(|figure| figure.goal.is_some()).count());
    if let Some(path) = &options.json {
        let list: Vec<_> = figures
            .iter()
            .map(|figure| {
                let goal = figure.goal.map(|(goal, _)| goal);
                json!({ "name": figure.name, "value": figure.value, "unit": figure.unit, "goal": goal, "met": figure.met() })
            })
            .collect();
        let text = serde_json::to_string_pretty(&json!({
            "bench": "store", "pairs": options.pairs, "sessions": options.sessions, "figures": list,
        }));
        std::fs::write(path, text.unwrap()).unwrap();
    }
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
