//! A connection whose credentials lead elsewhere, or of which AWS says nothing: shown, and nothing else.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use liftdeck_model::Environment;
use liftdeck_simulator::{
    Credentials, FaultKind, FaultPlan, FaultRule, Scenario, Simulator, SimulatorOptions,
};

use super::*;
use crate::home::Home;
use crate::wire::health::HealthState;

const OURS: &str = "111122223333";
const THEIRS: &str = "999988887777";
/// The key this program invents for a simulator.
const KEY: &str = "LIFTDECKSIMULATOR";
/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

struct Site {
    simulator: Simulator,
    folder: TempDir,
}

impl Site {
    async fn new() -> Self {
        let options =
            SimulatorOptions { scenario: Scenario::Quiet, speed: 0.0, ..SimulatorOptions::default() };
        let simulator = Simulator::start(options).await.unwrap();
        Self { simulator, folder: tempfile::tempdir().unwrap() }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("arena.sqlite")
    }

    async fn open(&self) -> Result<Arc<Flight>, AppError> {
        let ready = self.simulator.ready();
        let connection = ConnectionSummary {
            id: "arena".to_owned(),
            name: "Arena".to_owned(),
            environment: Environment::Development,
            profile: None,
            endpoint_url: Some(ready.endpoint.clone()),
            account: None,
            regions: vec![ready.regions[0].clone()],
            event_queues: Vec::new(),
            last_opened_ms: None,
        };
        let clock = crate::clock::wall();
        let marks = Marks::new(Home::under(self.folder.path()), Arc::clone(&clock));
        Box::pin(Flight::open(connection, self.database(), None, Settings::default(), marks, clock)).await
    }

    /// A database with something in it.
    async fn collected(&self) {
        let flight = self.open().await.unwrap();
        until(|| async { flight.reader.revision().await.unwrap() > 0 }).await;
        flight.close().await;
    }

    fn silence(&self) {
        let rule =
            FaultRule { operation: "sts:*".to_owned(), kind: FaultKind::Reset, ..FaultRule::default() };
        self.simulator.set_faults(FaultPlan { rules: vec![rule] }).unwrap();
    }
}

/// Waits until it is so.
async fn until<Fut: Future<Output = bool>>(is_so: impl Fn() -> Fut) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("it is so in time");
}

async fn in_trouble(flight: &Flight) -> Health {
    until(|| async { flight.health().message.is_some() }).await;
    flight.health()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_collected_stays_on_screen_while_aws_does_not_say_whose_credentials_these_are() {
    let site = Site::new().await;
    site.collected().await;
    site.silence();
    let flight = site.open().await.expect("what was collected is shown");
    let revision = flight.reader.revision().await.unwrap();
    let health = in_trouble(&flight).await;
    assert_eq!(health.state, HealthState::Unreachable, "{health:?}");
    let refused = flight.guard().unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Refused, "{refused:?}");
    assert!(refused.message.contains("GetCallerIdentity"), "{refused:?}");
    assert_eq!(flight.reader.revision().await.unwrap(), revision, "nothing was written");
    assert!(flight.reader.account().await.unwrap().is_some());

    site.simulator.set_faults(FaultPlan::default()).unwrap();
    flight.retry_now();
    until(|| async { flight.guard().is_ok() && flight.health().message.is_none() }).await;
    flight.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_of_another_account_show_what_is_there_and_do_nothing() {
    let site = Site::new().await;
    site.collected().await;
    let key = std::env::var("AWS_ACCESS_KEY_ID").unwrap_or_else(|_| KEY.to_owned());
    let accounts = BTreeMap::from([(key, THEIRS.to_owned())]);
    site.simulator.set_credentials(Credentials { accounts, ..Credentials::default() });
    let flight = site.open().await.expect("what was collected is shown");
    assert_eq!(flight.connection.account.as_deref(), Some(OURS), "whose it is, the database says");
    let revision = flight.reader.revision().await.unwrap();
    let health = in_trouble(&flight).await;
    assert_eq!(health.state, HealthState::WrongAccount, "{health:?}");
    let message = health.message.unwrap();
    assert!(message.contains(OURS) && message.contains(THEIRS), "{message}");
    let refused = flight.guard().unwrap_err();
    assert!(refused.message.contains(OURS) && refused.message.contains(THEIRS), "{refused:?}");
    assert_eq!(flight.reader.revision().await.unwrap(), revision, "nothing was written");

    site.simulator.set_credentials(Credentials::default());
    flight.retry_now();
    until(|| async { flight.guard().is_ok() }).await;
    flight.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_an_account_takes_the_proven_one_and_none_is_made_before() {
    let site = Site::new().await;
    site.silence();
    assert!(site.open().await.is_err());
    assert!(!site.database().exists());
    site.simulator.set_faults(FaultPlan::default()).unwrap();
    let flight = site.open().await.unwrap();
    assert_eq!(flight.reader.account().await.unwrap(), Some(AccountId::from(OURS)));
    flight.close().await;
}
