//! The account's instance limits: rarely while every location has the instances it desires, else each minute.

use liftdeck_gateway::Reader as Gateway;
use liftdeck_model::Timestamp;
use liftdeck_model::observation::Observation;

use super::{Poller, Seen};
use crate::trouble::Trouble;

/// How old limits may be while no location lacks instances, in milliseconds. A poll comes up to a tenth early.
const SLOW_MS: i64 = 5 * 60_000 - 30_000;

impl Poller {
    /// Asks once for each location in which fleets of the Region have capacity: all instance types come in one answer.
    pub(super) async fn instance_limits(&self, aws: &Gateway) -> Result<Seen, Trouble> {
        let places = self.store.instance_places(&self.region).await?;
        let now = self.now();
        let is_due = is_due(*self.limits_asked.lock(), places.iter().any(|place| place.lacks), now);
        if places.is_empty() || !is_due {
            return Ok(Seen::idle());
        }
        let mut seen = Seen::default();
        for place in places {
            let answer = aws.instance_limits(&place.location).await;
            seen.add(answer, |limits| Observation::InstanceLimits(place.location, limits));
        }
        if seen.failure.is_none() {
            *self.limits_asked.lock() = Some(now);
        }
        Ok(seen)
    }
}

fn is_due(asked: Option<Timestamp>, lacks: bool, now: Timestamp) -> bool {
    // A clock that was set back must not silence it.
    asked.is_none_or(|asked| lacks || asked > now || now.since_ms(asked) >= SLOW_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_asked_for_every_fifth_minute_and_each_time_while_instances_lack() {
        let at = |minute: i64| Timestamp::from_ms(minute * 60_000);
        assert!(is_due(None, false, at(0)));
        assert!(!is_due(Some(at(0)), false, at(4)));
        assert!(is_due(Some(at(0)), false, at(5)));
        assert!(is_due(Some(at(0)), true, at(1)));
        assert!(is_due(Some(at(9)), false, at(1)), "the clock was set back");
    }
}
