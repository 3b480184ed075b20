//! Placements that failed: GameLift's event does not say who was to be placed, so each is asked about once.
//!
//! Owns how many are asked about in one poll. AWS means DescribeGameSessionPlacement for a single look, not for polling
//! a placement until it ends.

use liftdeck_gateway::Reader as Gateway;
use liftdeck_model::observation::Observation;
use liftdeck_model::time::DAY_MS;

use super::{Poller, Seen};
use crate::trouble::Trouble;

/// Asked about in one poll. In an incident more fail; the newest come first.
const A_POLL: i64 = 40;
/// Placements that failed earlier than this are not asked about: GameLift keeps them for 48 hours.
const SINCE_MS: i64 = 2 * DAY_MS;

impl Poller {
    /// Asks who was to be placed by the newest placements that failed.
    pub(super) async fn failed_placements(&self, aws: &Gateway) -> Result<Seen, Trouble> {
        let since = self.now().plus_ms(-SINCE_MS);
        let ids = self.store.failed_placements_unasked(&self.region, since, A_POLL).await?;
        if ids.is_empty() {
            return Ok(Seen::idle());
        }
        let mut seen = Seen::default();
        for id in ids {
            let told = aws.placement(&id).await;
            seen.add(told, |told| Observation::PlacementAsked(id, told));
            if seen.failure.is_some() {
                break;
            }
        }
        Ok(seen)
    }
}
