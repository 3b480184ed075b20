//! Leave to change things: who has none has no `Operator`.
//!
//! Owns the value and how it ends. Deliberately decides nothing: the guard alone issues grants, which a list of
//! disallowed methods and a test hold; it asks for the typed words, shows the time left and keeps wall-clock time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::identity::CallerIdentity;

/// Leave for one caller to change things on AWS for a limited time. Clones share their end: revoking one revokes all.
#[derive(Clone, Debug)]
pub struct Grant {
    caller: Arc<CallerIdentity>,
    until: Instant,
    revoked: Arc<AtomicBool>,
}

impl Grant {
    /// A grant for this caller, as AWS named it, that ends by itself. The time is that of a running computer: sleep does
    /// not count, so whoever promised an hour of the day has to revoke it.
    pub fn issue(valid_for: Duration, caller: CallerIdentity) -> Self {
        Self { caller: Arc::new(caller), until: Instant::now() + valid_for, revoked: Arc::default() }
    }

    /// Whom it was given to; a change that another principal would send ends it.
    pub fn caller(&self) -> &CallerIdentity {
        &self.caller
    }

    /// Whether both are one grant, or clones of one.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.revoked, &other.revoked)
    }

    /// Ends it now, for every clone.
    pub fn revoke(&self) {
        self.revoked.store(true, Ordering::SeqCst);
    }

    /// Whether it has neither ended nor been revoked.
    pub fn is_valid(&self) -> bool {
        !self.revoked.load(Ordering::SeqCst) && Instant::now() < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::tests::caller;

    #[tokio::test(start_paused = true)]
    #[allow(clippy::disallowed_methods, reason = "the subject of the test")]
    async fn a_grant_ends_by_itself_and_by_any_of_its_clones() {
        let grant = Grant::issue(Duration::from_secs(60), caller());
        assert!(grant.is_valid());
        assert!(grant.is(&grant.clone()) && !grant.is(&Grant::issue(Duration::from_secs(60), caller())));
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(!grant.is_valid());
        let grant = Grant::issue(Duration::from_secs(60), caller());
        grant.clone().revoke();
        assert!(!grant.is_valid());
    }
}
