//! Kills the program while it empties an event queue. Every event deleted from the queue is in the database.

use std::time::Duration;

use liftdeck_tests::program::{Group, collecting, eventually, socket_of};
use liftdeck_tests::sqs::{Queue, placement_event};
use serde_json::json;

use crate::place::Place;
use crate::{Scene, Tally};

/// Events sent before each kill: more than one receive returns, so that some are always in flight.
const EVENTS: u64 = 30;
/// How long to wait for events that must arrive; generous, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(400);

/// A queue of test events, and the collector that empties it.
pub(crate) struct Feed {
    queue: Queue,
    sent: u64,
}

impl Feed {
    pub(crate) fn of(place: &Place) -> Self {
        let queue = Queue::create(&place.simulation.endpoint(), &place.region, "crash-events");
        Self { queue, sent: 0 }
    }

    fn start(&self, place: &Place) -> Group {
        place.start(&["collect", "--for", "10m", "--adopt", "--event-queue", &self.queue.url], &place.db)
    }

    /// Counts the test events in the database, including those quarantined until their queue is known.
    fn kept(place: &Place, tally: &Tally) -> u64 {
        let looked = place.look(&place.db, tally);
        looked.map_or(0, |looked| {
            let counted =
                looked.count("SELECT count(*) FROM placement_event WHERE placement_id GLOB 'crash-*'");
            counted + looked.count("SELECT count(*) FROM quarantined_message WHERE event IS NOT NULL")
        })
    }

    fn missed(&self, kept: u64, left: u64, tally: &Tally) {
        let lost = self.sent.saturating_sub(left).saturating_sub(kept);
        Tally::add(&tally.lost, lost);
        assert_eq!(
            lost, 0,
            "{} events were sent, {left} are in the queue, {kept} in the database",
            self.sent
        );
    }
}

impl Scene for Feed {
    fn name(&self) -> &'static str {
        "the event feed"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        let region = &place.region;
        let events = (self.sent..self.sent + EVENTS)
            .map(|number| placement_event(number, &format!("crash-{number}"), region));
        self.queue.send(events);
        self.sent += EVENTS;
        self.start(place)
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        self.missed(Self::kept(place, tally), self.queue.left(), tally);
    }

    fn close(&mut self, place: &mut Place, tally: &Tally) {
        if self.sent == 0 {
            return;
        }
        let socket = socket_of(&place.db);
        // Messages that a killed process received become visible again after their visibility timeout of a minute.
        place.simulation.post("/_simulator/advance", &json!({ "seconds": 60 }));
        let mut last = collecting(&place.db, || self.start(place));
        eventually(PATIENCE, "everything is acknowledged", || (self.queue.left() == 0).then_some(()));
        last.signal("-TERM");
        assert_eq!(last.wait(Duration::from_secs(120)), 0, "the last collection ends in good order");
        let kept = Self::kept(place, tally);
        self.missed(kept, 0, tally);
        assert_eq!(kept, self.sent, "an event that came twice is kept once");
        assert!(!socket.exists(), "what ends in good order leaves no socket behind");
    }
}
