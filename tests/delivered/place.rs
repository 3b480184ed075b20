//! A database that collects one Region of the storm and tells three channels: an Alertmanager, a FIFO topic and a
//! standard one. Requests to SNS go to moto, everything else to the world.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::fork::{Fork, Way};
use liftdeck_tests::program::{Ended, Group, Simulation, command, run, socket_of, take_the_whole_budget};
use serde_json::Value;

use crate::alertmanager::Alertmanager;
use crate::outbox::Outbox;
use crate::topics::{Moto, REGION, Topic};

/// Name of the channel to the Alertmanager.
pub(crate) const ALERTMANAGER: &str = "alertmanager";
/// Name of the channel to the FIFO topic.
pub(crate) const FIFO: &str = "fifo";
/// Name of the channel to the standard topic.
pub(crate) const STANDARD: &str = "standard";
/// Every channel.
pub(crate) const CHANNELS: [&str; 3] = [ALERTMANAGER, FIFO, STANDARD];

/// Where one part of the step happens.
pub(crate) struct Place {
    home: tempfile::TempDir,
    db: PathBuf,
    endpoint: String,
    regions: Vec<String>,
    pub(crate) alertmanager: Alertmanager,
    pub(crate) fifo: Topic,
    pub(crate) standard: Topic,
}

impl Place {
    /// Sets everything up. Answers of receivers come up to `slowness` late; `is_lost` says of the head of a request
    /// whether it gets none at all.
    pub(crate) fn begin(
        name: &str,
        world: &Simulation,
        moto: &Moto,
        slowness: Duration,
        is_lost: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        take_the_whole_budget(home.path());
        let alertmanager = Alertmanager::start();
        let (fifo, standard) = (moto.topic(&format!("{name}.fifo")), moto.topic(name));
        let (simulated, topics) = (world.endpoint(), moto.address.clone());
        let aws = Fork::open(move |head| match head {
            lost if is_lost(lost) => Way::Nowhere,
            of_topics if of_topics.contains("/sns/aws4_request") => Way::Slowly(topics.clone(), slowness),
            _ => Way::To(simulated.clone()),
        });
        let to = alertmanager.address.clone();
        let slow = Fork::open(move |_| Way::Slowly(to.clone(), slowness));
        let place = Self {
            db: home.path().join("told.sqlite"),
            home,
            endpoint: aws.endpoint,
            regions: vec![REGION.to_owned()],
            alertmanager,
            fifo,
            standard,
        };
        for (name, kind, address) in [
            (ALERTMANAGER, "alertmanager", &slow.endpoint),
            (FIFO, "sns", &place.fifo.arn),
            (STANDARD, "sns", &place.standard.arn),
        ] {
            place.done(&["alerts", "channel", "add", name, kind, address]);
        }
        place
    }

    /// Collects another Region as well from now on.
    pub(crate) fn also(&mut self, region: &str) {
        self.regions.push(region.to_owned());
    }

    /// Collects every Region of the world from now on.
    pub(crate) fn also_all(&mut self, world: &Simulation) {
        let others = world.regions().into_iter().filter(|region| region != REGION);
        self.regions.extend(others);
    }

    /// Starts a collection.
    pub(crate) fn collect(&self) -> Group {
        // What a killed process left, so that the socket of the next one can be recognized.
        let _ = std::fs::remove_file(socket_of(&self.db));
        let mut command = command(self.home.path());
        command.args(self.words(&["collect"]));
        Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
    }

    /// Whether the collection has come so far that it delivers.
    pub(crate) fn delivers(&self) -> bool {
        socket_of(&self.db).exists()
    }

    /// Runs a command that must succeed.
    pub(crate) fn done(&self, words: &[&str]) {
        let ended = self.run(&self.words(words));
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
    }

    /// Runs a command that asks the program which has the database open, and must succeed.
    pub(crate) fn told(&self, words: &[&str]) {
        let db = self.db.to_string_lossy();
        let ended = run(self.home.path(), [words, &["--db", &db]].concat());
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
    }

    /// Returns the alerts that Liftdeck lists.
    pub(crate) fn alerts(&self) -> Vec<Value> {
        liftdeck_tests::program::rows(self.home.path(), &self.db, &["alerts"])
    }

    /// Returns the outbox of the database.
    pub(crate) fn outbox(&self) -> Outbox {
        Outbox::of(&self.db)
    }

    fn run(&self, words: &[String]) -> Ended {
        run(self.home.path(), words)
    }

    fn words(&self, words: &[&str]) -> Vec<String> {
        let db = self.db.to_string_lossy();
        let mut all: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        all.extend(["--db", &db, "--endpoint-url", &self.endpoint, "--region"].map(str::to_owned));
        let is_collected = words.first() == Some(&"collect");
        all.extend(self.regions.iter().take(if is_collected { usize::MAX } else { 1 }).cloned());
        all
    }
}
