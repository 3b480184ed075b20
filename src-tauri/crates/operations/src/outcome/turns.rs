//! How many looks for effects run at once.

use tokio::sync::Semaphore;

/// The most looks at once, for single changes and for runs separately. The request budget paces them further.
const LOOKS: usize = 4;

/// What all followers of a connection share.
pub(crate) struct Turns {
    pub(super) singles: Semaphore,
    /// Separate, so that hundreds of changes of a run do not hold up the single one that somebody waits for.
    pub(super) runs: Semaphore,
}

impl Default for Turns {
    fn default() -> Self {
        Self { singles: Semaphore::new(LOOKS), runs: Semaphore::new(LOOKS) }
    }
}
