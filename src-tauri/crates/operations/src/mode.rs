//! Whether a connection may be changed now: read-only unless a person unlocked it, and then only for a while.
//!
//! Owns the only grant. It ends by itself by the wall clock or by the monotonic clock, whichever comes first, so that
//! a computer that slept does not wake up unlocked. Deliberately decides nothing about single changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use liftdeck_gateway::{CallerIdentity, Grant};
use liftdeck_model::Timestamp;
use liftdeck_model::watch::Roll;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use specta::Type;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::error::OperationError;
use crate::options::Clock;

/// Whether the connection may be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Mode {
    /// Nothing can be sent.
    ReadOnly,
    /// A person unlocked it.
    Operator {
        /// When the unlocked time ends.
        until: Timestamp,
    },
}

/// The shortest time a connection can be unlocked for, in minutes.
pub const LEAST_MINUTES: u32 = 5;
/// The longest such time: a shift.
pub const MOST_MINUTES: u32 = 480;
/// How often the wall clock is checked while unlocked.
const LOOK: Duration = Duration::from_secs(1);

/// The lock of a connection.
pub(crate) struct Gate {
    clock: Clock,
    runtime: Handle,
    /// Cancelled when any guard of the connection closes it.
    closing: CancellationToken,
    roll: Roll,
    open: Mutex<Option<Open>>,
    /// How often it was locked by hand.
    locks: AtomicU64,
    mode: watch::Sender<Mode>,
}

/// A period in which the connection is unlocked.
struct Open {
    grant: Grant,
    until: Timestamp,
}

/// The count of locks when an unlock began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn(u64);

impl Gate {
    /// Creates a locked gate. It stays locked for good once `closing` is cancelled.
    pub(crate) fn new(clock: Clock, runtime: Handle, closing: CancellationToken, roll: Roll) -> Arc<Self> {
        let (mode, _) = watch::channel(Mode::ReadOnly);
        Arc::new(Self {
            clock,
            runtime,
            closing,
            roll,
            open: Mutex::new(None),
            locks: AtomicU64::new(0),
            mode,
        })
    }

    /// Returns a receiver of the mode and of each change of it.
    pub(crate) fn mode(&self) -> watch::Receiver<Mode> {
        self.mode.subscribe()
    }

    /// Begins to unlock. Pass the result to `unlock` once AWS has stated the caller.
    pub(crate) fn turn(&self) -> Turn {
        Turn(self.locks.load(Ordering::SeqCst))
    }

    /// Unlocks for some minutes from now, for this caller. An earlier grant ends.
    ///
    /// # Errors
    /// `ReadOnly` if somebody has locked the gate since `turn`: the lock wins.
    #[allow(clippy::disallowed_methods, reason = "this is the one place where leave is given")]
    pub(crate) fn unlock(
        self: &Arc<Self>,
        turn: Turn,
        minutes: u32,
        caller: CallerIdentity,
    ) -> Result<Mode, OperationError> {
        let length = Duration::from_secs(u64::from(minutes) * 60);
        let until = (self.clock)().plus_ms(i64::from(minutes) * 60_000);
        let grant = Grant::issue(length, caller);
        let mode = Mode::Operator { until };
        {
            let mut open = self.open.lock();
            if self.turn() != turn {
                return Err(OperationError::ReadOnly);
            }
            if let Some(earlier) = open.replace(Open { grant: grant.clone(), until }) {
                earlier.grant.revoke();
            }
            self.mode.send_replace(mode);
        }
        let gate = Arc::clone(self);
        self.runtime.spawn(async move {
            let task = "The timer that locks the connection";
            let stopped = || gate.closing.clone().cancelled_owned();
            gate.roll.carry(task, stopped, || gate.watch(grant.clone(), until)).await;
        });
        Ok(mode)
    }

    /// Locks now. A change being sent at this moment is still answered and recorded.
    pub(crate) fn lock(&self) {
        let mut open = self.open.lock();
        self.locks.fetch_add(1, Ordering::SeqCst);
        self.shut(&mut open);
    }

    fn shut(&self, open: &mut Option<Open>) {
        if let Some(open) = open.take() {
            open.grant.revoke();
        }
        self.mode.send_replace(Mode::ReadOnly);
    }

    /// Returns the permission to send, if there is one now.
    ///
    /// # Errors
    /// `ReadOnly` if nobody has unlocked the connection, the time is over, or the connection is being closed.
    pub(crate) fn grant(&self) -> Result<Grant, OperationError> {
        let mut held = self.open.lock();
        match held.as_ref() {
            Some(Open { grant, until })
                if grant.is_valid() && (self.clock)() < *until && !self.closing.is_cancelled() =>
            {
                Ok(grant.clone())
            }
            Some(_) => {
                self.shut(&mut held);
                Err(OperationError::ReadOnly)
            }
            None => Err(OperationError::ReadOnly),
        }
    }

    /// Locks at once if this very grant has ended, as it does when another identity would have used it.
    pub(crate) fn lock_if_ended(&self, grant: &Grant) {
        let mut open = self.open.lock();
        if !grant.is_valid() && open.as_ref().is_some_and(|open| open.grant.is(grant)) {
            self.shut(&mut open);
        }
    }

    /// Locks when the time of this very grant is over, or when the connection is closed.
    async fn watch(&self, grant: Grant, until: Timestamp) {
        loop {
            let left = u64::try_from(until.since_ms((self.clock)())).unwrap_or(0);
            if left == 0 || !grant.is_valid() || self.closing.is_cancelled() {
                break;
            }
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(left).min(LOOK)) => {}
                () = self.closing.cancelled() => {}
            }
        }
        let mut open = self.open.lock();
        // A later unlock has its own watch.
        if open.as_ref().is_some_and(|open| open.grant.is(&grant)) {
            self.shut(&mut open);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicI64;

    use super::*;

    fn roll() -> Roll {
        Roll::new(Arc::new(|| Timestamp::from_ms(0)), |pause| Box::pin(tokio::time::sleep(pause)))
    }

    fn caller() -> CallerIdentity {
        CallerIdentity { account: "111122223333".into(), arn: "arn:aws:iam::111122223333:user/a".to_owned() }
    }

    fn unlock(gate: &Arc<Gate>, minutes: u32) -> Mode {
        gate.unlock(gate.turn(), minutes, caller()).expect("nobody locks it meanwhile")
    }

    fn gate() -> (Arc<Gate>, Arc<AtomicI64>) {
        let present = Arc::new(AtomicI64::new(1_000_000));
        let told = Arc::clone(&present);
        let clock: Clock = Arc::new(move || Timestamp::from_ms(told.load(Ordering::SeqCst)));
        (Gate::new(clock, Handle::current(), CancellationToken::new(), roll()), present)
    }

    #[tokio::test(start_paused = true)]
    async fn an_unlocked_gate_locks_by_itself_and_says_so() {
        let (gate, present) = gate();
        let mut mode = gate.mode();
        assert!(matches!(gate.grant(), Err(OperationError::ReadOnly)));
        let unlocked = unlock(&gate, 5);
        assert_eq!(unlocked, Mode::Operator { until: Timestamp::from_ms(1_300_000) });
        let grant = gate.grant().expect("it is unlocked");
        mode.mark_unchanged();
        present.store(1_300_000, Ordering::SeqCst);
        mode.changed().await.expect("the gate lives");
        assert_eq!(*mode.borrow(), Mode::ReadOnly);
        assert!(!grant.is_valid(), "a grant given out before ends too");
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_stands_still_does_not_keep_it_unlocked() {
        let (gate, _) = gate();
        let mut mode = gate.mode();
        unlock(&gate, 5);
        mode.mark_unchanged();
        mode.changed().await.expect("the gate lives");
        assert_eq!(*mode.borrow(), Mode::ReadOnly);
        assert!(matches!(gate.grant(), Err(OperationError::ReadOnly)));
    }

    #[tokio::test(start_paused = true)]
    async fn it_stays_unlocked_for_as_long_as_was_said() {
        let (gate, present) = gate();
        unlock(&gate, 5);
        let grant = gate.grant().expect("it is unlocked");
        for _ in 0..299 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            present.fetch_add(1_000, Ordering::SeqCst);
        }
        assert!(grant.is_valid());
        assert!(gate.grant().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_computer_that_slept_until_the_time_wakes_up_locked() {
        let (gate, present) = gate();
        unlock(&gate, 5);
        present.store(1_299_999, Ordering::SeqCst);
        assert!(gate.grant().is_ok());
        present.store(1_300_000, Ordering::SeqCst);
        // No task has run since, so only the wall clock shows it.
        assert!(matches!(gate.grant(), Err(OperationError::ReadOnly)));
        assert_eq!(*gate.mode().borrow(), Mode::ReadOnly);
    }

    #[tokio::test(start_paused = true)]
    async fn locking_ends_what_was_given_out_and_unlocking_again_starts_anew() {
        let (gate, present) = gate();
        unlock(&gate, 5);
        let first = gate.grant().expect("it is unlocked");
        present.store(1_000_001, Ordering::SeqCst);
        unlock(&gate, 10);
        assert!(!first.is_valid(), "the earlier grant ends with the new one");
        let second = gate.grant().expect("it is unlocked");
        gate.lock();
        assert!(!second.is_valid());
        assert!(matches!(gate.grant(), Err(OperationError::ReadOnly)));
    }

    #[tokio::test(start_paused = true)]
    async fn who_locks_while_somebody_is_unlocking_is_right() {
        let (gate, _) = gate();
        let turn = gate.turn();
        gate.lock();
        assert!(matches!(gate.unlock(turn, 5, caller()), Err(OperationError::ReadOnly)));
        assert_eq!(*gate.mode().borrow(), Mode::ReadOnly);
    }

    #[tokio::test(start_paused = true)]
    async fn closing_the_connection_locks_it_for_good() {
        let closing = CancellationToken::new();
        let clock: Clock = Arc::new(|| Timestamp::from_ms(1_000_000));
        let gate = Gate::new(clock, Handle::current(), closing.clone(), roll());
        unlock(&gate, 5);
        let grant = gate.grant().expect("it is unlocked");
        let mut mode = gate.mode();
        mode.mark_unchanged();
        closing.cancel();
        assert!(matches!(gate.grant(), Err(OperationError::ReadOnly)));
        mode.changed().await.expect("the gate lives");
        assert!(!grant.is_valid(), "what was given out ends too");
    }
}
