//! A Prometheus Alertmanager as Debian packages it, with a receiver of what it notifies.
//!
//! Two routes see every alert: one notifies of each alert by itself, so that a repeat is counted; one groups them as a
//! person would set it up.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::Duration;

use liftdeck_tests::program::{Group, eventually};
use liftdeck_tests::receiver::Receiver;
use serde_json::Value;

/// Where it notifies of each alert by itself.
const EACH: &str = "/each";
/// Where it notifies of alerts together.
const GROUPED: &str = "/grouped";
/// The longest it takes to start.
const STARTS: Duration = Duration::from_secs(60);

/// A running Alertmanager; dropping it ends it.
pub(crate) struct Alertmanager {
    /// Its address.
    pub(crate) address: String,
    notified: Receiver,
    _process: Group,
    _folder: tempfile::TempDir,
}

impl Alertmanager {
    /// Starts one on a free port.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let notified = Receiver::open(Duration::ZERO);
        let (config, log) = (folder.path().join("config.yml"), folder.path().join("log"));
        fs::write(&config, of_routes(&notified.address)).expect("a file");
        let mut process = Command::new("prometheus-alertmanager");
        process
            .arg(format!("--config.file={}", config.display()))
            .arg(format!("--storage.path={}", folder.path().join("data").display()))
            // Alone, on a port of its own choice.
            .args(["--web.listen-address=127.0.0.1:0", "--cluster.listen-address="])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log).expect("a file"));
        let process = Group::spawn(&mut process);
        let address = eventually(STARTS, "the Alertmanager listens", || {
            let said = fs::read_to_string(&log).ok()?;
            let line = said.lines().find(|line| line.contains("\"Listening on\""))?;
            line.split("address=").nth(1).map(|address| format!("http://{address}"))
        });
        Self { address, notified, _process: process, _folder: folder }
    }

    /// Returns the alerts that fire there.
    pub(crate) fn firing(&self) -> Vec<Value> {
        let url = format!("{}/api/v2/alerts", self.address);
        ureq::get(&url).call().expect(&url).body_mut().read_json().expect("a list of alerts")
    }

    /// Returns every single notification so far.
    pub(crate) fn notified(&self) -> Vec<Notified> {
        let messages = self.notified.at(EACH).into_iter();
        let alerts =
            messages.flat_map(|message| message.body["alerts"].as_array().cloned().unwrap_or_default());
        alerts.map(Notified).collect()
    }

    /// Returns the groups notified so far, each with its alerts.
    pub(crate) fn groups(&self) -> Vec<Vec<Notified>> {
        let messages = self.notified.at(GROUPED).into_iter();
        let groups = messages.filter_map(|message| message.body["alerts"].as_array().cloned());
        groups.map(|alerts| alerts.into_iter().map(Notified).collect()).collect()
    }
}

/// An alert as a notification names it.
pub(crate) struct Notified(Value);

impl Notified {
    pub(crate) fn text(&self, pointer: &str) -> &str {
        self.0.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn status(&self) -> &str {
        self.text("/status")
    }

    pub(crate) fn label(&self, name: &str) -> &str {
        self.text(&format!("/labels/{name}"))
    }

    /// What must never be notified twice: that this alert, since this moment, is in this state.
    pub(crate) fn once(&self) -> [String; 3] {
        ["/fingerprint", "/startsAt", "/status"].map(|pointer| self.text(pointer).to_owned())
    }
}

fn of_routes(receiver: &str) -> String {
    format!(
        "route:
  receiver: grouped
  group_by: [account, region, alertname]
  group_wait: 1s
  group_interval: 5s
  repeat_interval: 4h
  routes:
  - receiver: each
    group_by: ['...']
    group_wait: 0s
    group_interval: 1s
    repeat_interval: 4h
    continue: true
  - receiver: grouped
receivers:
- name: each
  webhook_configs:
  - url: {receiver}{EACH}
- name: grouped
  webhook_configs:
  - url: {receiver}{GROUPED}
"
    )
}
