//! Answers kept in memory for some minutes.
//!
//! Owns how long an answer is good for and how many are kept. Deliberately knows nothing of what they are.

use std::sync::{Arc, Mutex, PoisonError};

use liftdeck_model::Timestamp;

/// How long what was read is good for. Past hours change only while CloudWatch's history is still being fetched.
const GOOD_FOR_MS: i64 = 10 * 60_000;
/// The same while too little is known: history is being fetched, and there is little to read.
const LEARNING_MS: i64 = 60_000;
/// How many answers are kept: a few screens, each with its scope and range.
const MOST_KEPT: usize = 16;

/// Answers, the newest last.
#[derive(Debug)]
pub(super) struct Kept<K, V>(Mutex<Vec<One<K, V>>>);

#[derive(Debug)]
struct One<K, V> {
    key: K,
    read_at: Timestamp,
    good_for_ms: i64,
    value: Arc<V>,
}

impl<K, V> One<K, V> {
    /// A clock that was set back makes nothing good for longer.
    const fn is_good(&self, now: Timestamp) -> bool {
        now.since_ms(self.read_at).unsigned_abs() < self.good_for_ms.unsigned_abs()
    }
}

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<K: PartialEq, V> Kept<K, V> {
    /// What was read for `key`, while it is good.
    pub(super) fn get(&self, key: &K, now: Timestamp) -> Option<Arc<V>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|one| one.key == *key && one.is_good(now)).map(|one| Arc::clone(&one.value))
    }

    /// Keeps what was read at `now`; `is_known` tells whether it is enough to say what is usual.
    pub(super) fn keep(&self, key: K, now: Timestamp, value: V, is_known: bool) -> Arc<V> {
        let value = Arc::new(value);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|one| one.key != key && one.is_good(now));
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        let good_for_ms = if is_known { GOOD_FOR_MS } else { LEARNING_MS };
        kept.push(One { key, read_at: now, good_for_ms, value: Arc::clone(&value) });
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Timestamp = Timestamp::from_ms(1_772_409_600_000);

    #[test]
    fn what_was_read_is_good_for_ten_minutes_and_few_answers_are_kept() {
        let kept: Kept<usize, usize> = Kept::default();
        for key in 0..MOST_KEPT + 3 {
            kept.keep(key, READ, key, true);
        }
        assert_eq!((kept.get(&2, READ), kept.get(&5, READ).as_deref()), (None, Some(&5)));
        assert_eq!(kept.get(&5, READ.plus_ms(GOOD_FOR_MS)), None);
        kept.keep(5, READ.plus_ms(GOOD_FOR_MS), 50, false);
        assert_eq!(kept.0.lock().unwrap().len(), 1, "what is old goes");
        let soon = READ.plus_ms(GOOD_FOR_MS + LEARNING_MS);
        assert_eq!(kept.get(&5, soon), None, "while learning it is read again after a minute");
    }
}
