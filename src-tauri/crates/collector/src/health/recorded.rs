//! The health of a connection that is not collected here, according to the poll ledger alone.

use std::collections::BTreeMap;

use liftdeck_model::{Region, Timestamp};
use liftdeck_store::LedgerLine;

use super::{Health, HealthState, RegionHealth};

impl Health {
    /// The age of the data in each Region, according to the poll ledger.
    pub fn recorded(ledger: Vec<LedgerLine>, now: Timestamp) -> Self {
        let mut by_region: BTreeMap<Region, Vec<LedgerLine>> = BTreeMap::new();
        for line in ledger {
            by_region.entry(line.region.clone()).or_default().push(line);
        }
        let regions: Vec<RegionHealth> =
            by_region.into_iter().map(|(region, lines)| of_region(region, &lines, now)).collect();
        Self {
            state: HealthState::Stopped,
            behind_ms: regions.iter().map(|region| region.behind_ms).max().unwrap_or(0),
            message: Some("Nothing is collected here: this only reads the database.".to_owned()),
            remedy: Some(
                "Open the connection in the window or run `liftdeck collect` for newer data.".to_owned(),
            ),
            regions,
            ..Self::starting(now)
        }
    }
}

/// When a Region was last read, and its latest failure.
fn of_region(region: Region, lines: &[LedgerLine], now: Timestamp) -> RegionHealth {
    let last = lines.iter().filter_map(|line| line.confirmed_at).max();
    let failing = lines.iter().filter(|line| line.failing_since.is_some());
    let failure = failing.max_by_key(|line| line.asked_at).and_then(|line| line.failure.clone());
    RegionHealth {
        region,
        state: HealthState::Stopped,
        behind_ms: last.map_or(0, |last| now.since_ms(last).max(0)),
        quota_share: 0.0,
        busiest_operation: None,
        throttles: 0,
        message: failure,
        remedy: None,
        last_success: last,
    }
}
