//! What the people at this computer are told of alerts: the desk of the open connection, passed on to the host.
//!
//! Deliberately does not know whether and how the host shows it.

use std::sync::Arc;

use liftdeck_alerts::Desk;
use liftdeck_model::notification::Message;
use tokio::sync::broadcast;

/// Messages kept for a host that is slow. One that falls further behind misses the oldest: its screens and the
/// channels tell of them all the same.
const KEPT: usize = 64;

/// What is told at this computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtDesk {
    /// Messages about alerts of a connection, all of one look.
    Told {
        /// Id of the connection.
        connection: String,
        /// Its name.
        name: String,
        /// The messages, grouped as on every channel.
        messages: Vec<Message>,
    },
    /// The connection was closed: nobody looks at its alerts any more.
    Closed {
        /// Id of the connection.
        connection: String,
    },
}

/// The sending side.
#[derive(Clone, Debug)]
pub(crate) struct DeskTeller(broadcast::Sender<AtDesk>);

impl DeskTeller {
    pub(crate) fn new() -> Self {
        Self(broadcast::channel(KEPT).0)
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<AtDesk> {
        self.0.subscribe()
    }

    /// The desk of a connection; `None` if no host listens.
    pub(crate) fn of(&self, connection: &str, name: &str) -> Option<Arc<Desk>> {
        if self.0.receiver_count() == 0 {
            return None;
        }
        let (told, connection, name) = (self.0.clone(), connection.to_owned(), name.to_owned());
        Some(Arc::new(Desk::new(move |messages| {
            // A host that ended meanwhile needs nothing.
            let _ = told.send(AtDesk::Told { connection: connection.clone(), name: name.clone(), messages });
        })))
    }

    pub(crate) fn closed(&self, connection: &str) {
        let _ = self.0.send(AtDesk::Closed { connection: connection.to_owned() });
    }
}
