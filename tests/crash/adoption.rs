//! Kills the program while it adopts a queue. No message may be lost, and the adoption is on record completely or not
//! at all.

use std::path::PathBuf;

use liftdeck_model::feed::queue_name;
use liftdeck_tests::program::{Group, run};
use liftdeck_tests::sqs::{Queue, placement_event};

use crate::place::Place;
use crate::{Scene, Tally};

/// Events waiting in each queue: more than one receive returns.
const EVENTS: u64 = 30;

/// Queues that have not been adopted yet, a new one for each kill.
#[derive(Default)]
pub(crate) struct Adopting {
    queues: u64,
    queue: Option<Queue>,
}

impl Adopting {
    /// Uses a separate database, because the kill may also happen while the file is being created.
    fn db(place: &Place) -> PathBuf {
        place.home.path().join("adopting.sqlite")
    }

    fn words(queue: &Queue) -> [&str; 5] {
        // The name must be confirmed, because messages that a killed look left in flight look like those of another
        // reader.
        ["feed", "adopt", &queue.url, "--confirm", queue_name(&queue.url)]
    }

    /// Counts the records of this queue as adopted. No message may be missing from the queue.
    fn adopted(queue: &Queue, place: &Place, tally: &Tally) -> u64 {
        let gone = EVENTS.saturating_sub(queue.left());
        Tally::add(&tally.lost, gone);
        assert_eq!(gone, 0, "an adoption took messages out of the queue");
        let looked = place.look(&Self::db(place), tally);
        let whole = format!(
            "SELECT count(*) FROM feed_adoption WHERE queue_url = '{}' AND halted IS NULL AND queue_created_at > 0",
            queue.url
        );
        looked.map_or(0, |looked| looked.count(&whole))
    }
}

impl Scene for Adopting {
    fn name(&self) -> &'static str {
        "an adoption"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        self.queues += 1;
        let name = format!("crash-adopted-{}", self.queues);
        let queue = Queue::create(&place.simulation.endpoint(), &place.region, &name);
        queue.send((0..EVENTS).map(|number| placement_event(number, "adopted", &place.region)));
        let begun = place.start(&Self::words(&queue), &Self::db(place));
        self.queue = Some(queue);
        begun
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        let queue = self.queue.as_ref().expect("it was begun");
        assert!(Self::adopted(queue, place, tally) <= 1);
    }

    fn close(&mut self, place: &mut Place, tally: &Tally) {
        let Some(queue) = &self.queue else { return };
        let again = run(place.home.path(), place.words(&Self::words(queue), &Self::db(place)));
        assert_eq!(again.code, 0, "{}{}", again.stdout, again.stderr);
        assert_eq!(Self::adopted(queue, place, tally), 1, "adopted after the last kill");
    }
}
