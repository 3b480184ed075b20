//! The demo, on the built-in simulator.

use futures::future::BoxFuture;
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::settings::DemoScenario;
use liftdeck_api::{AppError, ErrorKind};
use liftdeck_gateway::EventQueue;
use liftdeck_model::{Environment, Region};
use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions, UnknownScenario};

use super::{DEMO, Stage};

/// The scenarios that a demo can use.
pub(crate) fn scenarios() -> Vec<DemoScenario> {
    let scenario = |scenario: &Scenario| DemoScenario {
        name: scenario.name().to_owned(),
        description: scenario.description().to_owned(),
    };
    Scenario::ALL.iter().map(scenario).collect()
}

/// Starts the demo's world, with the default scenario if none is named, and describes it as a connection.
pub(crate) async fn stage(
    scenario: Option<&str>,
    seed: u64,
    start_ms: i64,
) -> Result<(ConnectionSummary, Stage), AppError> {
    let scenario: Scenario = match scenario {
        Some(name) => name
            .parse()
            .map_err(|error: UnknownScenario| AppError::new(ErrorKind::InvalidInput, format!("{error}.")))?,
        None => Scenario::default(),
    };
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        AppError::new(ErrorKind::Internal, format!("{what}: {error}."))
    };
    let options = SimulatorOptions {
        scenario,
        seed,
        start_ms: Some(start_ms),
        dated: true,
        ..SimulatorOptions::default()
    };
    let simulator = Simulator::start(options).await;
    let simulator = simulator.map_err(|error| failed("The simulated world could not be started", &error))?;
    let folder = tempfile::Builder::new().prefix("liftdeck-demo-").tempdir();
    let folder =
        folder.map_err(|error| failed("No folder could be created for the demo's database", &error))?;
    let ready = simulator.ready();
    let queue = |(region, url): (&String, &String)| EventQueue {
        region: Region::from(region.as_str()),
        url: url.clone(),
    };
    let connection = ConnectionSummary {
        id: DEMO.to_owned(),
        name: format!("Demo · {scenario}"),
        environment: Environment::Demo,
        profile: None,
        endpoint_url: Some(ready.endpoint.clone()),
        account: Some(ready.account.as_str().into()),
        regions: ready.regions.iter().map(Region::new).collect(),
        event_queues: ready.event_queues.iter().map(queue).collect(),
        last_opened: None,
    };
    let end = Box::new(move || -> BoxFuture<'static, ()> { Box::pin(simulator.shutdown()) });
    Ok((connection, Stage { end, folder }))
}
