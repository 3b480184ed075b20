//! Initial worlds, kept for the next simulator of this process that starts with the same options.
//!
//! Does not track what happens to a copy.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use liftdeck_simulated_world::{World, WorldOptions};

/// Keyed by what determines a world: seed, scenario, start and account.
type Kept = BTreeMap<(u64, &'static str, i64, String), Arc<OnceLock<World>>>;

static KEPT: Mutex<Kept> = Mutex::new(Kept::new());

/// Returns a copy of the world for the options, creating it on first use. Concurrent callers wait until it is
/// created.
pub(crate) fn copy(options: &WorldOptions) -> World {
    let key = (options.seed, options.scenario.name(), options.start_ms, options.account.clone());
    let place = Arc::clone(KEPT.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
    place.get_or_init(|| World::new(options)).clone()
}
