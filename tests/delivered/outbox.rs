//! The outbox of a database, read by an SQLite client that is not ours, and messages put into it as the watch for
//! alerts does. What a kill leaves of the file itself is the step `crash`'s matter.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::{Value, json};

/// A message to one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) channel: String,
    pub(crate) state: String,
    pub(crate) attempts: u32,
    pub(crate) may_be_repeat: bool,
}

/// The database file.
pub(crate) struct Outbox {
    db: PathBuf,
}

impl Outbox {
    pub(crate) fn of(db: &Path) -> Self {
        Self { db: db.to_owned() }
    }

    /// Returns every message, the oldest first. Works beside a running program: it only reads.
    pub(crate) fn messages(&self) -> Vec<Message> {
        let connection = Connection::open(&self.db).expect("a database");
        connection.busy_timeout(Duration::from_secs(20)).expect("patience");
        let mut statement = connection
            .prepare(
                "SELECT notification.id, channel.name, state, attempts, may_be_repeat FROM notification \
                 JOIN channel USING (channel_key) ORDER BY queued_at, due_at",
            )
            .expect("an outbox");
        let messages = statement.query_map([], |row| {
            Ok(Message {
                id: row.get(0)?,
                channel: row.get(1)?,
                state: row.get(2)?,
                attempts: row.get(3)?,
                may_be_repeat: row.get(4)?,
            })
        });
        messages.and_then(Iterator::collect).expect("messages")
    }

    /// Whether nothing waits or is being sent.
    pub(crate) fn is_empty(&self) -> bool {
        self.messages().iter().all(|one| !matches!(one.state.as_str(), "waiting" | "sending"))
    }

    /// Makes every poll on record this much older, as if nobody had collected since. Only while no program has the
    /// database open.
    pub(crate) fn age(&self, ms: i64) {
        let database = Connection::open(&self.db).expect("a database");
        let aged = "UPDATE poll SET asked_at = asked_at - ?1, confirmed_at = confirmed_at - ?1";
        assert!(database.execute(aged, [ms]).expect("a poll") > 0);
    }

    /// Hands a message to every channel over, to be sent at `due_ms`. Only while no program has the database open.
    pub(crate) fn hand_over(&self, id: &str, due_ms: i64, alerts: &[Value]) {
        let mut database = Connection::open(&self.db).expect("a database");
        let transaction = database.transaction().expect("a transaction");
        let message = json!({ "alerts": alerts }).to_string();
        // As the watch does, in one transaction for all channels.
        let handed = transaction.execute(
            "INSERT INTO notification (id, channel_key, topic, state, queued_at, due_at, attempts, may_be_repeat, \
             document) SELECT ?1 || '-' || name, channel_key, 'handed/eu-west-1', 'waiting', ?2, ?2, 0, 0, ?3 \
             FROM channel",
            (id, due_ms, message),
        );
        handed.expect("a message");
        transaction.commit().expect("it is durable");
    }
}

/// An alert as a message tells it; over if it has ended. Those handed over have a rule of their own, which the watch
/// leaves alone.
pub(crate) fn alert(name: &str, since_ms: i64, ended_ms: Option<i64>) -> Value {
    let telling = if ended_ms.is_some() { "resolved" } else { "fired" };
    json!({
        "id": name, "telling": telling, "severity": "bad", "rule": "handed", "subject": name,
        "region": "eu-west-1", "fleetId": null, "since": since_ms, "firedAt": since_ms, "endedAt": ended_ms,
        "acknowledgedBy": null, "title": format!("Trouble {name}"), "detail": "Figures", "cause": null,
    })
}

/// The present moment in epoch milliseconds.
pub(crate) fn now_ms() -> i64 {
    Timestamp::now().as_millisecond()
}
