//! Settings of a fleet's automatic scaling at an earlier time: its rule-based policies, and where it was suspended.
//!
//! Owns deriving these from the current records and their recorded changes. GameLift keeps no such history.

use std::collections::BTreeMap;

use liftdeck_model::fleet::{FleetLocation, PolicyType, ScalingPolicy};
use liftdeck_model::{FleetId, Location, Timestamp};

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// Earlier settings of a fleet's automatic scaling.
#[derive(Clone, Debug, Default)]
pub struct ScalingPast {
    rules: Vec<Rule>,
    suspended: BTreeMap<Location, Switch>,
}

/// A rule-based policy and when it existed.
#[derive(Clone, Debug)]
struct Rule {
    name: String,
    location: Option<Location>,
    there: Switch,
}

/// An on/off setting and its changes, oldest first.
#[derive(Clone, Debug, Default)]
struct Switch {
    /// Its current value.
    now: bool,
    moves: Vec<(Timestamp, bool)>,
}

impl Switch {
    fn at(&self, moment: Timestamp) -> bool {
        let later = self.moves.partition_point(|(at, _)| *at <= moment);
        match (later.checked_sub(1).and_then(|last| self.moves.get(last)), self.moves.first()) {
            (Some((_, was)), _) => *was,
            // Before its first recorded change it had the opposite value.
            (None, Some((_, became))) => !became,
            (None, None) => self.now,
        }
    }
}

impl ScalingPast {
    /// Names of the rule-based policies in force in a location at `moment`.
    pub fn rules_at(&self, location: &Location, moment: Timestamp) -> Vec<String> {
        let holds =
            |rule: &&Rule| rule.location.as_ref().is_none_or(|at| at == location) && rule.there.at(moment);
        self.rules.iter().filter(holds).map(|rule| rule.name.clone()).collect()
    }

    /// Whether automatic scaling was suspended in a location at `moment`.
    pub fn is_suspended_at(&self, location: &Location, moment: Timestamp) -> bool {
        self.suspended.get(location).is_some_and(|switch| switch.at(moment))
    }
}

/// The changes by which automatic scaling of a fleet, or of one of its locations, is suspended.
pub(super) const SUSPENDED: &str = "kind = 'fleet_location' AND field = 'scaling_suspended' AND after = 'true' \
     OR kind = 'fleet' AND field = 'stopped_actions' AND instr(after, 'AUTO_SCALING')";

impl Reader {
    /// When automatic scaling of a fleet, or of one of its locations, was last seen to be suspended; `None` if it
    /// always was, as far as is known.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn scaling_suspended_at(&self, fleet: &FleetId) -> Result<Option<Timestamp>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(None) };
        let at: Option<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "SELECT max(seen_at) FROM change WHERE fleet_key = ? AND ({SUSPENDED})"
        )))
        .bind(key)
        .fetch_one(self.pool())
        .await?;
        Ok(at.map(Timestamp::from_ms))
    }

    /// Settings of a fleet's automatic scaling over time.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn scaling_past(&self, fleet: &FleetId) -> Result<ScalingPast, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(fleet) else { return Ok(ScalingPast::default()) };
        let mut moves: BTreeMap<(String, String), Vec<(Timestamp, bool)>> = BTreeMap::new();
        let rows = sqlx::query(
            "SELECT kind, resource, seen_at, field, after FROM change WHERE fleet_key = ? \
             AND (kind = 'scaling_policy' AND field IN ('added', 'gone') \
             OR kind = 'fleet_location' AND field = 'scaling_suspended') ORDER BY seen_at, change_key",
        )
        .bind(key)
        .fetch_all(self.pool())
        .await?;
        for row in &rows {
            let is_on = match row.text("field")? {
                "added" => true,
                "gone" => false,
                _ => row.read::<Option<String>>("after")?.as_deref() == Some("true"),
            };
            let of = (row.text("kind")?.to_owned(), row.text("resource")?.to_owned());
            moves.entry(of).or_default().push((row.read("seen_at")?, is_on));
        }
        let mut switch = |kind: &str, id: &str, now: bool| Switch {
            now,
            moves: moves.remove(&(kind.to_owned(), id.to_owned())).unwrap_or_default(),
        };
        let policies = self.documents::<ScalingPolicy>("scaling_policy", Some(key)).await?;
        let rules = policies.into_iter().filter(|policy| policy.record.policy_type == PolicyType::RuleBased);
        let rules = rules.map(|policy| Rule {
            there: switch("scaling_policy", &policy.id, policy.gone_at.is_none()),
            name: policy.record.name,
            location: policy.record.location,
        });
        let rules = rules.collect();
        let locations = self.documents::<FleetLocation>("fleet_location", Some(key)).await?;
        let suspended = locations.into_iter().map(|location| {
            let now = location.gone_at.is_none() && location.record.scaling_suspended;
            (location.record.location, switch("fleet_location", &location.id, now))
        });
        Ok(ScalingPast { rules, suspended: suspended.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_told_as_it_was_at_the_moment() {
        let at = Timestamp::from_ms;
        let switch = Switch { now: true, moves: vec![(at(10), false), (at(20), true)] };
        let told: Vec<bool> = [5, 10, 15, 20, 99].into_iter().map(|ms| switch.at(at(ms))).collect();
        assert_eq!(told, [true, false, false, true, true]);
        assert!(Switch { now: true, moves: Vec::new() }.at(at(1)), "unchanged, it always was as it is");
    }
}
