//! Connections whose credentials belong to another account, or whose account AWS does not confirm: data is shown and
//! nothing else happens.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use liftdeck_model::Environment;
use liftdeck_simulator::{
    Credentials, FaultKind, FaultPlan, FaultRule, Scenario, Simulator, SimulatorOptions,
};

use tempfile::TempDir;

use super::*;
use crate::home::Home;
use crate::marks::Marks;
use crate::settings;
use liftdeck_collector::HealthState;
use liftdeck_operations::Mode;

const OURS: &str = "111122223333";
const THEIRS: &str = "999988887777";
/// The access key this program makes up for a simulator.
const KEY: &str = "LIFTDECKSIMULATOR";
/// The longest that any step may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(5);

pub(super) struct Site {
    pub(super) simulator: Simulator,
    pub(super) folder: TempDir,
}

impl Site {
    pub(super) async fn new() -> Self {
        let options =
            SimulatorOptions { scenario: Scenario::Quiet, speed: 0.0, ..SimulatorOptions::default() };
        let simulator = Simulator::start(options).await.unwrap();
        Self { simulator, folder: tempfile::tempdir().unwrap() }
    }

    pub(super) fn database(&self) -> PathBuf {
        self.folder.path().join("arena.sqlite")
    }

    pub(super) async fn open(&self) -> Result<Arc<OpenConnection>, AppError> {
        let ready = self.simulator.ready();
        let connection = ConnectionSummary {
            id: "arena".to_owned(),
            name: "Arena".to_owned(),
            environment: Environment::Development,
            profile: None,
            endpoint_url: Some(ready.endpoint.clone()),
            account: None,
            regions: vec![ready.regions[0].as_str().into()],
            event_queues: Vec::new(),
            last_opened: None,
        };
        let clock = crate::clock::wall();
        let opening = Opening {
            connection,
            database: self.database(),
            stage: None,
            settings: settings::default(),
            marks: Marks::new(Home::under(self.folder.path()), Arc::clone(&clock)),
            opener: Arc::new(|_| None),
            clock,
            desk: None,
        };
        Box::pin(opening.open()).await
    }

    /// Creates a database with fleets in it.
    async fn collected(&self) {
        let open = self.open().await.unwrap();
        fleets_are_there(&open).await;
        open.close().await;
    }

    fn silence(&self) {
        let rule =
            FaultRule { operation: "sts:*".to_owned(), kind: FaultKind::Reset, ..FaultRule::default() };
        self.simulator.set_faults(FaultPlan { rules: vec![rule] }).unwrap();
    }
}

/// Waits until the condition holds.
pub(super) async fn until<Fut: Future<Output = bool>>(is_so: impl Fn() -> Fut) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("it is so in time");
}

/// Waits for the fleets, because the collector's first writes do not include them.
pub(super) async fn fleets_are_there(open: &OpenConnection) {
    until(|| async { !open.reader.fleet_summaries(crate::clock::now()).await.unwrap().is_empty() }).await;
}

async fn in_trouble(open: &OpenConnection) -> Health {
    until(|| async { open.health().message.is_some() }).await;
    open.health()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_collected_stays_on_screen_while_aws_does_not_say_whose_credentials_these_are() {
    let site = Site::new().await;
    site.collected().await;
    site.silence();
    let open = site.open().await.expect("what was collected is shown");
    let revision = open.reader.revision().await.unwrap();
    let health = in_trouble(&open).await;
    assert_eq!(health.state, HealthState::Unreachable, "{health:?}");
    let refused = open.guard().unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Refused, "{refused:?}");
    assert!(refused.message.contains("GetCallerIdentity"), "{refused:?}");
    assert_eq!(open.reader.revision().await.unwrap(), revision, "nothing was written");
    assert!(open.reader.account().await.unwrap().is_some());

    site.simulator.set_faults(FaultPlan::default()).unwrap();
    open.retry_now();
    until(|| async { open.guard().is_ok() && open.health().message.is_none() }).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_of_another_account_show_what_is_there_and_do_nothing() {
    let site = Site::new().await;
    site.collected().await;
    let key = std::env::var("AWS_ACCESS_KEY_ID").unwrap_or_else(|_| KEY.to_owned());
    let accounts = BTreeMap::from([(key, THEIRS.to_owned())]);
    site.simulator.set_credentials(Credentials { accounts, ..Credentials::default() });
    let open = site.open().await.expect("what was collected is shown");
    assert_eq!(open.connection.account, Some(AccountId::from(OURS)), "whose it is, the database says");
    let revision = open.reader.revision().await.unwrap();
    let health = in_trouble(&open).await;
    assert_eq!(health.state, HealthState::WrongAccount, "{health:?}");
    let message = health.message.unwrap();
    assert!(message.contains(OURS) && message.contains(THEIRS), "{message}");
    let refused = open.guard().unwrap_err();
    assert!(refused.message.contains(OURS) && refused.message.contains(THEIRS), "{refused:?}");
    assert_eq!(open.reader.revision().await.unwrap(), revision, "nothing was written");

    site.simulator.set_credentials(Credentials::default());
    open.retry_now();
    until(|| async { open.guard().is_ok() }).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_an_account_takes_the_proven_one_and_none_is_made_before() {
    let site = Site::new().await;
    site.silence();
    assert!(site.open().await.is_err());
    assert!(!site.database().exists());
    site.simulator.set_faults(FaultPlan::default()).unwrap();
    let open = site.open().await.unwrap();
    assert_eq!(open.reader.account().await.unwrap(), Some(AccountId::from(OURS)));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_change_of_the_mode_is_noticed_also_as_the_guard_comes_and_goes() {
    let site = Site::new().await;
    let open = site.open().await.unwrap();
    let mut mode = open.mode();
    let mut noticed = async |is_read_only: bool| {
        let noticed = async {
            while (open.mode_now() == Mode::ReadOnly) != is_read_only || open.guard().is_ok() == is_read_only
            {
                mode.changed().await;
            }
        };
        tokio::time::timeout(PATIENCE, noticed).await.expect("it is noticed");
    };
    let unlocked = async {
        until(|| async { open.guard().is_ok() }).await;
        open.guard().unwrap().unlock(5, None).await.unwrap();
    };
    tokio::join!(noticed(false), unlocked);
    tokio::join!(noticed(true), open.close());
}
