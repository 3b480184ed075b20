//! Permission to change things; without it there is no `Operator`.
//!
//! Owns the value and how it ends. Deliberately decides nothing: only the guard issues grants, which a list of
//! disallowed methods and a test enforce. The guard asks for the typed words, shows the time left and keeps
//! wall-clock time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::identity::CallerIdentity;

/// Permission for one caller to change things on AWS for a limited time. Revoking one clone revokes all of them.
#[derive(Clone, Debug)]
pub struct Grant {
    caller: Arc<CallerIdentity>,
    until: Instant,
    revoked: Arc<AtomicBool>,
}

impl Grant {
    /// Issues a grant to this caller, as named by AWS; it expires after `valid_for`. Time while the computer sleeps
    /// does not count, so code that has promised an end by the wall clock must revoke it.
    pub fn issue(valid_for: Duration, caller: CallerIdentity) -> Self {
        Self { caller: Arc::new(caller), until: Instant::now() + valid_for, revoked: Arc::default() }
    }

    /// The caller it was issued to. A change that a different principal would send ends it.
    pub fn caller(&self) -> &CallerIdentity {
        &self.caller
    }

    /// Whether both are the same grant, or clones of it.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.revoked, &other.revoked)
    }

    /// Ends it now, for every clone.
    pub fn revoke(&self) {
        self.revoked.store(true, Ordering::SeqCst);
    }

    /// Whether it has neither expired nor been revoked.
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
