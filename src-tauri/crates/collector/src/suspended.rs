//! Fleets whose automatic scaling was suspended lately: nothing adds instances there when players come, so they are read
//! more often. Longer ago it was meant to be.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::time::HOUR_MS;
use liftdeck_model::{FleetId, Timestamp};

/// For how long a fleet is read more often.
const LATELY_MS: i64 = HOUR_MS;

/// When each suspended fleet was first seen so.
#[derive(Debug, Default)]
pub(crate) struct Suspended {
    /// `None` for those that were suspended when they were first seen, and before anything was.
    since: Option<BTreeMap<FleetId, Option<Timestamp>>>,
}

impl Suspended {
    /// Takes in which fleets are suspended `now`. Returns the ids of those that have been so only lately.
    pub(crate) fn lately<'a>(
        &mut self,
        suspended: impl IntoIterator<Item = &'a FleetId>,
        now: Timestamp,
    ) -> BTreeSet<String> {
        let before = self.since.take();
        let seen = |id: &FleetId| match &before {
            None => None,
            Some(before) => before.get(id).copied().unwrap_or(Some(now)),
        };
        let since: BTreeMap<_, _> = suspended.into_iter().map(|id| (id.clone(), seen(id))).collect();
        let is_recent = |at: &Option<Timestamp>| at.is_some_and(|at| now.since_ms(at) < LATELY_MS);
        let lately = since.iter().filter(|(_, at)| is_recent(at)).map(|(id, _)| id.to_string()).collect();
        self.since = Some(since);
        lately
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

    fn lately(suspended: &mut Suspended, ids: &[&str], minutes: i64) -> Vec<String> {
        let ids: Vec<FleetId> = ids.iter().map(|&id| FleetId::from(id)).collect();
        suspended.lately(&ids, NOW.plus_ms(minutes * 60_000)).into_iter().collect()
    }

    #[test]
    fn a_fleet_counts_for_an_hour_from_when_it_was_seen_to_be_suspended() {
        let mut suspended = Suspended::default();
        assert!(lately(&mut suspended, &["old"], 0).is_empty(), "it may have been so for years");
        assert_eq!(lately(&mut suspended, &["old", "new"], 1), ["new"]);
        assert_eq!(lately(&mut suspended, &["old", "new"], 60), ["new"]);
        assert!(lately(&mut suspended, &["old", "new"], 61).is_empty());
    }

    #[test]
    fn a_fleet_that_was_resumed_and_suspended_again_counts_anew() {
        let mut suspended = Suspended::default();
        assert!(lately(&mut suspended, &["fleet"], 0).is_empty());
        assert!(lately(&mut suspended, &[], 1).is_empty());
        assert_eq!(lately(&mut suspended, &["fleet"], 200), ["fleet"]);
    }
}
