//! Checks what the logs contain when everything is logged that the filter lets through.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Write;
use std::sync::{Arc, Mutex};

use liftdeck_gateway::{ConnectionSpec, CredentialSource, GameSessionFilter, Gateway, SDK_LOG_FILTER};
use liftdeck_model::Region;
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_simulator::{Simulator, SimulatorOptions};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Everything logged, in memory.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

async fn read_everything(key: &str, secret: &str) -> Vec<String> {
    // 2026-11-20, 19:30 UTC: an evening when people play, whenever this runs.
    let start_ms = Some(1_795_203_000_000);
    let options = SimulatorOptions { speed: 0.0, start_ms, ..SimulatorOptions::default() };
    let simulator = Simulator::start(options).await.unwrap();
    let region = Region::new(simulator.ready().regions.first().unwrap().clone());
    let spec = ConnectionSpec {
        endpoint_url: Some(simulator.endpoint().to_owned()),
        regions: vec![region.clone()],
        budget_share: 1.0,
        credentials: CredentialSource::Keys {
            access_key_id: key.to_owned(),
            secret_access_key: secret.to_owned(),
        },
        ..ConnectionSpec::default()
    };
    let reader = Gateway::connect(spec).await.unwrap().reader(&region).unwrap();
    let filter = GameSessionFilter { status: Some(GameSessionStatus::Active), location: None };
    let mut players = Vec::new();
    for fleet in reader.fleets().await.items.into_iter().take(3) {
        let sessions = reader.game_sessions(&fleet.fleet_id, &filter).await.items;
        for session in sessions.iter().take(3) {
            let found = reader.player_sessions(&session.game_session_id).await.items;
            players.extend(found.into_iter().map(|player| player.player_id.into_string()));
        }
    }
    assert!(!players.is_empty());
    players
}

#[tokio::test]
async fn the_filter_keeps_keys_and_players_out_of_the_finest_log() {
    let sink = Sink::default();
    let (writer, filter) = (sink.clone(), format!("trace,{SDK_LOG_FILTER}").parse::<Targets>().unwrap());
    let layer = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
    tracing_subscriber::registry().with(layer.with_filter(filter)).init();
    tracing::trace!("The log is on.");
    let players = read_everything("AKIDCANARY", "secret-canary").await;
    let log = String::from_utf8_lossy(&sink.0.lock().unwrap()).into_owned();
    assert!(log.contains("The log is on."));
    for secret in
        ["AKIDCANARY", "secret-canary", "Signature="].into_iter().chain(players.iter().map(String::as_str))
    {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(
            line.is_none(),
            "{secret}: {}",
            line.unwrap_or_default().chars().take(300).collect::<String>()
        );
    }
}
