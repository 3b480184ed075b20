//! Worlds as they are at their start, kept for the next simulator of this process that starts with the same.
//!
//! Knows nothing of what becomes of a copy.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use liftdeck_simulated_world::{World, WorldOptions};

/// By what a world follows from: seed, scenario, start and account.
type Kept = BTreeMap<(u64, &'static str, i64, String), Arc<OnceLock<World>>>;

static KEPT: Mutex<Kept> = Mutex::new(Kept::new());

/// A copy of the world of the options, which is made when nobody has asked for it before. Who asks while it is made waits.
pub(crate) fn copy(options: &WorldOptions) -> World {
    let key = (options.seed, options.scenario.name(), options.start_ms, options.account.clone());
    let place = Arc::clone(KEPT.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
    place.get_or_init(|| World::new(options)).clone()
}
