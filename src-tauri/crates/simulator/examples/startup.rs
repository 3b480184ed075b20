//! What a world costs: the time to live through its past, a virtual hour, a page of sessions and a day of metrics.
//!
//! `cargo run --release -p liftdeck-simulator --example startup [scenario] [seed]`
#![expect(clippy::print_stdout, reason = "the figures are the output")]

use std::time::Instant;

use liftdeck_simulator::scenario::Scenario;
use liftdeck_simulator::world::{SessionFilter, World, WorldOptions};

/// 2026-11-20T20:00:00Z, an evening in Europe.
const START_MS: i64 = 1_795_204_800_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let scenario = arguments.next().map_or(Ok(Scenario::Quiet), |name| name.parse())?;
    let seed = arguments.next().map_or(Ok(1), |seed| seed.parse())?;

    let begun = Instant::now();
    let options = WorldOptions { seed, scenario, start_ms: START_MS, ..WorldOptions::default() };
    let mut world = World::new(&options);
    println!("{scenario}, seed {seed}");
    println!("past lived through      {:>9.1?}", begun.elapsed());

    let begun = Instant::now();
    world.advance_to(START_MS + 3_600_000);
    println!("one virtual hour        {:>9.1?}", begun.elapsed());

    let (mut sessions, mut bytes, begun) = (0, 0, Instant::now());
    for region in world.regions() {
        for fleet in world.fleets(region) {
            for session in world.game_sessions(region, fleet.id(), SessionFilter::default(), None) {
                sessions += 1;
                bytes += session.record().game_session_id.len();
            }
        }
    }
    let each = begun.elapsed() / sessions.max(1);
    println!("session records         {sessions:>9} at {each:.1?} each ({bytes} bytes of ARN)");

    let (mut points, begun) = (0, Instant::now());
    for region in world.regions() {
        for metric in world.metrics().list(region) {
            let dimensions: Vec<_> =
                metric.dimensions.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            let from_ms = world.now_ms() - 24 * 3_600_000;
            points +=
                world.metrics().read(region, &metric.name, &dimensions, from_ms, world.now_ms(), 60).len();
        }
    }
    let taken = begun.elapsed();
    println!("metric points of a day  {points:>9} in {taken:.1?}");
    Ok(())
}
