//! The target of a fleet's target-based policy over time, from its present value and its recorded changes.

use liftdeck_model::fleet::{PolicyType, ScalingPolicy};
use liftdeck_model::{FleetId, Location, Timestamp};

use super::SeriesScope;
use super::bucket::Buckets;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::directory::Directory;

/// A stretch of time with one target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyTarget {
    /// When it came into force; `None` if that was before the first poll.
    pub from: Option<Timestamp>,
    /// The target in percent (0 to 100); `None` while there was no policy.
    pub target_value: Option<f64>,
}

impl Reader {
    /// The targets of a fleet's target-based policy, oldest first; the last one holds now. Empty when the fleet has
    /// none and none was ever recorded. With several locations the given one counts, else the first by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn policy_targets(
        &self,
        fleet: &FleetId,
        location: Option<&Location>,
    ) -> Result<Vec<PolicyTarget>, StoreError> {
        let directory = self.directory().await?;
        self.targets(fleet, location, &directory).await
    }

    async fn targets(
        &self,
        fleet: &FleetId,
        location: Option<&Location>,
        directory: &Directory,
    ) -> Result<Vec<PolicyTarget>, StoreError> {
        let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
        let policies = self.documents::<ScalingPolicy>("scaling_policy", Some(key)).await?;
        let policy =
            policies.into_iter().rev().filter(|policy| policy.record.policy_type == PolicyType::TargetBased);
        let mut candidates: Vec<_> = policy
            .filter(|policy| {
                location.is_none_or(|here| policy.record.location.as_ref().is_none_or(|at| at == here))
            })
            .collect();
        // An existing policy takes precedence over a deleted one.
        candidates.sort_by_key(|policy| (policy.gone_at.is_some(), policy.id.clone()));
        let Some(policy) = candidates.into_iter().next() else { return Ok(Vec::new()) };
        let rows = sqlx::query(
            "SELECT seen_at, field, before, after FROM change \
             WHERE kind = 'scaling_policy' AND resource = ? AND fleet_key = ? \
             AND field IN ('target_value', 'added', 'gone') ORDER BY seen_at, change_key",
        )
        .bind(&policy.id)
        .bind(key)
        .fetch_all(self.pool())
        .await?;
        let now = if policy.gone_at.is_some() { None } else { policy.record.target_value };
        let mut targets = Vec::new();
        let number = |text: Option<String>| text.and_then(|text| text.parse::<f64>().ok());
        for (index, row) in rows.iter().enumerate() {
            let (before, after) = (number(row.read("before")?), number(row.read("after")?));
            let (before, after) = match row.text("field")? {
                "added" => (None, Some(policy.record.target_value)),
                "gone" => (policy.record.target_value, Some(None)),
                _ => (before, Some(after)),
            };
            if index == 0 {
                targets.push(PolicyTarget { from: None, target_value: before });
            }
            targets.push(PolicyTarget { from: Some(row.read("seen_at")?), target_value: after.flatten() });
        }
        match targets.last_mut() {
            // The present record is more reliable for the current value than the last change.
            Some(last) => last.target_value = now,
            None => targets.push(PolicyTarget { from: None, target_value: now }),
        }
        Ok(targets)
    }

    pub(super) async fn policy_target(
        &self,
        scope: &SeriesScope,
        buckets: Buckets,
        directory: &Directory,
    ) -> Result<Vec<f64>, StoreError> {
        let SeriesScope::Fleet { fleet_id, location } = scope else { return Ok(buckets.gap()) };
        let targets = self.targets(fleet_id, location.as_ref(), directory).await?;
        let column = buckets.times().into_iter().map(|time| {
            let held = targets.iter().rev().find(|target| target.from.is_none_or(|from| from <= time));
            held.and_then(|target| target.target_value).unwrap_or(f64::NAN)
        });
        Ok(column.collect())
    }
}
