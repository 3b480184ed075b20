//! Measures the scenario `huge`: how long it takes to start, how much memory it uses, and how many pages of
//! DescribeGameSessions one core answers, in both protocols. The floor for comparison is the same HTTP server
//! answering ready-made bytes of the same size.
//!
//! Server and load are separate processes, each bound to one core where `taskset` is available. Pages per second by
//! the clock suffer when the machine has other work, so goals are judged by pages per second of the server's own
//! processor time where the system reports it. Prints a table; `--json FILE` also writes the figures. The options
//! `--seconds N` and `--rounds N` make the run shorter, `--cores S,L` chooses the cores. Exits with 1 when a goal is
//! missed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a bench")]

mod load;
mod process;
mod server;

use std::path::PathBuf;
use std::process::ExitCode;

use liftdeck_simulator::Scenario;
use serde_json::json;

use self::load::{Asked, Protocol};
use self::process::Server;

/// The options of a run.
struct Options {
    seconds: f64,
    rounds: usize,
    cores: [usize; 2],
    scenario: Scenario,
    json: Option<PathBuf>,
}

impl Options {
    fn read() -> Options {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cores = [cores - 1, cores.saturating_sub(2)];
        let scenario = Scenario::Huge;
        let mut options = Options { seconds: 2.0, rounds: 3, cores, scenario, json: None };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("the option needs a value");
            match argument.as_str() {
                "--seconds" => options.seconds = value().parse().expect("--seconds N"),
                "--rounds" => options.rounds = value().parse().expect("--rounds N"),
                "--scenario" => options.scenario = value().parse().expect("--scenario NAME"),
                "--cores" => {
                    let text = value();
                    let (server, load) = text.split_once(',').expect("--cores S,L");
                    options.cores = [server, load].map(|core| core.parse().expect("--cores S,L"));
                }
                "--json" => options.json = Some(value().into()),
                // cargo passes --bench.
                _ => {}
            }
        }
        options
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
    fn plain(name: impl Into<String>, value: f64, unit: &'static str) -> Figure {
        Figure { name: name.into(), value, unit, goal: None }
    }

    fn at_most(self, goal: f64) -> Figure {
        Figure { goal: Some((goal, false)), ..self }
    }

    fn at_least(self, goal: f64) -> Figure {
        Figure { goal: Some((goal, true)), ..self }
    }

    fn met(&self) -> Option<bool> {
        self.goal.map(|(goal, more)| if more { self.value >= goal } else { self.value <= goal })
    }
}

const MIB: f64 = 1_048_576.0;
const PAGES_A_SECOND: f64 = 2_000.0;

fn main() -> ExitCode {
    // The processes that this one starts run this program again.
    if let Some(outcome) = process::play_role() {
        return outcome;
    }
    let options = Options::read();
    report(&measure(&options), &options)
}

fn measure(options: &Options) -> Vec<Figure> {
    let mut simulator = Server::simulator(options);
    let mut figures = vec![Figure::plain("start, until it answers", simulator.started_s, "s").at_most(5.0)];
    if let Some(bytes) = simulator.memory_bytes() {
        figures.push(Figure::plain("memory after the start", bytes / MIB, "MiB"));
    }
    for protocol in [Protocol::Cbor, Protocol::Json] {
        for asked in [Asked::Walk, Asked::Full] {
            let name = format!("{}, {}", protocol.name(), asked.name());
            // The first load makes everything that is made only once, before anything is measured.
            let size = simulator.load(options, protocol, asked, options.seconds).mean_bytes;
            let mut floor = Server::floor(options, size as usize);
            floor.load(options, protocol, Asked::Fixed, 0.2);
            let (mut rates, mut floors, mut shares, mut clocks) = (vec![], vec![], vec![], vec![]);
            for _ in 0..options.rounds {
                let ready = floor.load(options, protocol, Asked::Fixed, options.seconds);
                let made = simulator.load(options, protocol, asked, options.seconds);
                floors.push(ready.pages_a_core_second());
                rates.push(made.pages_a_core_second());
                shares.push(made.pages_a_core_second() / ready.pages_a_core_second());
                clocks.push(made.pages_a_second());
            }
            figures.push(Figure::plain(format!("{name}: size of a page"), size / 1024.0, "KiB"));
            figures.push(Figure::plain(format!("{name}: floor"), median(&floors), "pages/s"));
            figures.push(
                Figure::plain(format!("{name}: one core"), median(&rates), "pages/s")
                    .at_least(PAGES_A_SECOND),
            );
            figures.push(Figure::plain(format!("{name}: by the clock"), median(&clocks), "pages/s"));
            figures.push(Figure::plain(format!("{name}: share of the floor"), median(&shares), "x"));
        }
    }
    if let Some(bytes) = simulator.memory_bytes() {
        let figure = Figure::plain("memory after everything was read", bytes / MIB, "MiB");
        figures.push(figure.at_most(1024.0));
    }
    figures
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn report(figures: &[Figure], options: &Options) -> ExitCode {
    println!("{:<52} {:>10} {:<8} {:>10}", "figure", "value", "unit", "goal");
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
        println!("{:<52} {value:>10} {:<8} {goal:>10}  {verdict}", figure.name, figure.unit);
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
            "bench": "simulator", "scenario": options.scenario.name(), "rounds": options.rounds, "figures": list,
        }));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(path, text.unwrap()).unwrap();
    }
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
