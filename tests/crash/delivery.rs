//! Kills the program while it delivers what waits in the outbox. Every message arrives, and none twice for a receiver
//! that goes by the id.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, command, eventually, run};
use liftdeck_tests::receiver::Receiver;
use rusqlite::Connection;

use crate::place::Place;
use crate::{Scene, Tally};

/// Messages handed over before each start.
const MESSAGES: u64 = 3;
/// The longest a receiver takes, so that kills meet attempts under way.
const SLOWNESS: Duration = Duration::from_millis(150);
/// The longest time until everything has arrived after the last kill.
const PATIENCE: Duration = Duration::from_secs(180);

/// A channel, and how many messages were handed over for it.
pub(crate) struct Delivering {
    receiver: Receiver,
    db: PathBuf,
    queued: u64,
}

impl Delivering {
    pub(crate) fn of(place: &Place) -> Self {
        let receiver = Receiver::open(SLOWNESS);
        let address = place.home.path().join("hook");
        fs::write(&address, format!("{}/hook", receiver.address)).expect("a file");
        fs::set_permissions(&address, fs::Permissions::from_mode(0o600)).expect("a file of one's own");
        let db = place.home.path().join("delivering.sqlite");
        let address = format!("file:{}", address.display());
        let words = place.words(&["alerts", "channel", "add", "hook", "webhook", &address], &db);
        let added = run(place.home.path(), words);
        assert_eq!(added.code, 0, "{}{}", added.stdout, added.stderr);
        Self { receiver, db, queued: 0 }
    }

    /// Hands messages over as the watch for alerts does, in one transaction.
    fn hand_over(&mut self) {
        let mut database = Connection::open(&self.db).expect("a database");
        let transaction = database.transaction().expect("a transaction");
        for _ in 0..MESSAGES {
            self.queued += 1;
            transaction
                .execute(
                    "INSERT INTO notification (id, channel_key, topic, state, queued_at, due_at, attempts, \
                     may_be_repeat, document) SELECT ?1, channel_key, 'crashes', 'waiting', \
                     unixepoch() * 1000, ?2, 0, 0, ?3 FROM channel",
                    (
                        format!("message-{}", self.queued),
                        i64::try_from(self.queued).expect("a number"),
                        MESSAGE,
                    ),
                )
                .expect("a message");
        }
        transaction.commit().expect("it is durable");
    }

    /// Returns how often each message arrived.
    fn arrived(&self) -> HashMap<String, u64> {
        let mut arrived = HashMap::new();
        for received in self.receiver.at("/hook") {
            let id = received.header("idempotency-key").expect("an id").to_owned();
            assert_eq!(received.body["id"], id.as_str(), "header and body name the same message");
            *arrived.entry(id).or_default() += 1;
        }
        arrived
    }
}

/// What an alert that fired would say.
const MESSAGE: &str = r#"{"alerts":[{"id":"alert-1","telling":"fired","severity":"bad","rule":"crashes","subject":"fleet-1",
"region":null,"fleetId":null,"since":0,"firedAt":0,"endedAt":null,"acknowledgedBy":null,"title":"A title","detail":"",
"cause":null}]}"#;

impl Scene for Delivering {
    fn name(&self) -> &'static str {
        "a delivery"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        self.hand_over();
        place.start(&["collect"], &self.db)
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        let looked = place.look(&self.db, tally).expect("a database");
        let said = looked.count("SELECT count(*) FROM notification WHERE state = 'delivered'");
        let failed = looked.count("SELECT count(*) FROM notification WHERE state = 'failed'");
        let arrived = self.arrived();
        let heard = u64::try_from(arrived.len()).expect("a number");
        assert_eq!(failed, 0, "a kill is no reason to give up");
        assert!(said <= heard, "{said} are on record as delivered, {heard} arrived");
    }

    fn close(&mut self, place: &mut Place, tally: &Tally) {
        let words = place.words(&["collect"], &self.db);
        let mut last = command(place.home.path());
        let mut last = Group::spawn(last.args(words).stdout(Stdio::null()).stderr(Stdio::null()));
        let all = usize::try_from(self.queued).expect("a number");
        eventually(PATIENCE, "every message arrives", || (self.arrived().len() == all).then_some(()));
        // What arrived is on record before the end is asked for.
        let looked = || place.look(&self.db, tally).expect("a database");
        eventually(PATIENCE, "every message is on record as delivered", || {
            let open = "SELECT count(*) FROM notification WHERE state <> 'delivered'";
            (looked().count(open) == 0).then_some(())
        });
        last.signal("-TERM");
        last.wait(PATIENCE);
        let arrived = self.arrived();
        let repeats: u64 = arrived.values().map(|times| times - 1).sum();
        Tally::add(&tally.delivered, self.queued);
        Tally::add(&tally.repeated, repeats);
        let unsure =
            looked().count("SELECT count(*) FROM notification WHERE may_be_repeat = 0 AND attempts > 1");
        assert_eq!(unsure, 0, "whatever was sent twice is known to be a repeat");
        assert_eq!(arrived.len(), all, "nothing arrived that was not handed over");
    }
}
