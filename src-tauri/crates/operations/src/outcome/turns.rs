//! How many look for effects at once.

use tokio::sync::Semaphore;

/// Looks under way at once, for single changes and for those of runs each; the request budget paces them further.
const LOOKS: usize = 4;

/// What all followers of a connection share.
pub(crate) struct Turns {
    pub(super) singles: Semaphore,
    /// Apart, so that hundreds of changes of a run do not hold up the one somebody waits for.
    pub(super) runs: Semaphore,
}

impl Default for Turns {
    fn default() -> Self {
        Self { singles: Semaphore::new(LOOKS), runs: Semaphore::new(LOOKS) }
    }
}
