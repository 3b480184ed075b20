//! The single place that a run holds while it is under way, and what a person orders meanwhile.

use std::collections::HashMap;
use std::sync::Arc;

use liftdeck_model::activity::RunId;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// What a person orders for a run that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Go,
    Pause,
    Stop,
}

/// A run under way.
struct Underway {
    orders: watch::Sender<Order>,
    ended: CancellationToken,
}

/// The runs of this process that are under way.
#[derive(Default)]
pub(crate) struct Runs {
    underway: Mutex<HashMap<RunId, Underway>>,
}

/// The single place that a run holds while it is under way. Dropping it frees the place.
pub(crate) struct RunSlot {
    runs: Arc<Runs>,
    id: RunId,
    pub(super) orders: watch::Receiver<Order>,
}

impl Runs {
    /// Whether a run is under way.
    pub(crate) fn has(&self, id: &RunId) -> bool {
        self.underway.lock().contains_key(id)
    }

    /// Gives an order, and returns a token that is cancelled when the run has come to rest.
    pub(super) fn order(&self, id: &RunId, order: Order) -> Option<CancellationToken> {
        let underway = self.underway.lock();
        let run = underway.get(id)?;
        run.orders.send_replace(order);
        Some(run.ended.clone())
    }
}

impl RunSlot {
    /// Takes the place of a run; `None` while it is taken.
    pub(super) fn take(runs: &Arc<Runs>, id: &RunId) -> Option<Self> {
        let mut underway = runs.underway.lock();
        if underway.contains_key(id) {
            return None;
        }
        let (orders_to, orders) = watch::channel(Order::Go);
        underway.insert(id.clone(), Underway { orders: orders_to, ended: CancellationToken::new() });
        Some(Self { runs: Arc::clone(runs), id: id.clone(), orders })
    }
}

impl Drop for RunSlot {
    fn drop(&mut self) {
        if let Some(run) = self.runs.underway.lock().remove(&self.id) {
            run.ended.cancel();
        }
    }
}
