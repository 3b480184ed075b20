//! What a person has set about a ready-made rule: off, more or less patient, or of another severity; for everything,
//! or for one Region or fleet.
//!
//! Owns the record, which of several holds, and what is wrong with one. Deliberately does not know the rules: their
//! names are texts here.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{FleetId, Region, Severity, Timestamp};

/// The longest time a rule can be made to wait, in milliseconds: a day.
pub const LONGEST_PENDING_MS: i64 = 86_400_000;

/// What an adjustment holds for: everything, one Region, or one fleet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleScope {
    /// The Region; `None` unless it is for one.
    pub region: Option<Region>,
    /// The fleet; `None` unless it is for one.
    pub fleet_id: Option<FleetId>,
}

impl RuleScope {
    /// Whether something of this Region and fleet is within it.
    pub fn covers(&self, region: Option<&Region>, fleet_id: Option<&FleetId>) -> bool {
        self.region.as_ref().is_none_or(|own| region == Some(own))
            && self.fleet_id.as_ref().is_none_or(|own| fleet_id == Some(own))
    }

    /// How narrow it is: a fleet is narrower than a Region, a Region than everything.
    const fn narrowness(&self) -> u8 {
        match (&self.fleet_id, &self.region) {
            (Some(_), _) => 2,
            (None, Some(_)) => 1,
            (None, None) => 0,
        }
    }
}

/// What is set about a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleSetting {
    /// The rule, as settings and exports spell it.
    pub rule: String,
    /// What it holds for.
    pub scope: RuleScope,
    /// Switched off: it is still seen, but never fires.
    pub is_off: bool,
    /// Milliseconds it must be seen before it fires, 0 to a day; `None` for the rule's own.
    pub pending_ms: Option<i64>,
    /// The severity of what fires, `Warning` or `Bad`; `None` for the rule's own. What is only worth knowing stays
    /// that, whatever is set.
    pub severity: Option<Severity>,
}

impl RuleSetting {
    /// What keeps it from being used, in a sentence for people.
    ///
    /// # Errors
    /// When it is for a Region and a fleet at once, changes nothing, or asks for a time or a severity that no rule has.
    pub fn check(&self) -> Result<(), String> {
        let Self { scope, is_off, pending_ms, severity, .. } = self;
        if scope.region.is_some() && scope.fleet_id.is_some() {
            return Err("A rule is adjusted for everything, for one Region or for one fleet.".to_owned());
        }
        if !is_off && pending_ms.is_none() && severity.is_none() {
            return Err(
                "This changes nothing: switch the rule off, or set its time or its severity.".to_owned()
            );
        }
        if pending_ms.is_some_and(|ms| !(0..=LONGEST_PENDING_MS).contains(&ms)) {
            return Err("A rule waits 0 seconds to 1 day before it fires.".to_owned());
        }
        if *severity == Some(Severity::Info) {
            return Err("What is only worth knowing never fires: switch the rule off instead.".to_owned());
        }
        Ok(())
    }
}

/// A setting with whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Adjustment {
    /// What is set.
    pub setting: RuleSetting,
    /// When it was set.
    pub at: Timestamp,
    /// The name of the computer's user; empty if the system gave none.
    pub by: String,
}

impl Adjustment {
    /// The adjustment that holds for a rule and what it is about: the narrowest, and that one alone.
    pub fn of<'a>(
        adjustments: &'a [Self],
        rule: &str,
        region: Option<&Region>,
        fleet_id: Option<&FleetId>,
    ) -> Option<&'a Self> {
        adjustments
            .iter()
            .filter(|one| one.setting.rule == rule && one.setting.scope.covers(region, fleet_id))
            .max_by_key(|one| one.setting.scope.narrowness())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(region: Option<&str>, fleet_id: Option<&str>) -> RuleSetting {
        let scope = RuleScope { region: region.map(Into::into), fleet_id: fleet_id.map(Into::into) };
        RuleSetting { rule: "capped".to_owned(), scope, is_off: true, pending_ms: None, severity: None }
    }

    fn set(region: Option<&str>, fleet_id: Option<&str>) -> Adjustment {
        Adjustment { setting: setting(region, fleet_id), at: Timestamp::from_ms(0), by: String::new() }
    }

    #[test]
    fn the_narrowest_adjustment_holds() {
        let all = [set(None, Some("fleet-1")), set(None, None), set(Some("eu-west-1"), None)];
        let of = |rule: &str, region: Option<&str>, fleet: Option<&str>| {
            let (region, fleet) = (region.map(Region::from), fleet.map(FleetId::from));
            Adjustment::of(&all, rule, region.as_ref(), fleet.as_ref()).map(|one| one.setting.scope.clone())
        };
        assert_eq!(of("capped", Some("eu-west-1"), Some("fleet-1")), Some(all[0].setting.scope.clone()));
        assert_eq!(of("capped", Some("eu-west-1"), Some("fleet-2")), Some(all[2].setting.scope.clone()));
        assert_eq!(of("capped", Some("us-east-1"), None), Some(all[1].setting.scope.clone()));
        assert_eq!(of("capped", None, None), Some(all[1].setting.scope.clone()));
        assert_eq!(of("crashes", Some("eu-west-1"), Some("fleet-1")), None);
    }

    #[test]
    fn a_setting_that_no_rule_can_have_is_refused() {
        assert_eq!(setting(None, None).check(), Ok(()));
        let on = || RuleSetting { is_off: false, ..setting(None, None) };
        assert_eq!(RuleSetting { pending_ms: Some(0), ..on() }.check(), Ok(()));
        let wrong = [
            setting(Some("eu-west-1"), Some("fleet-1")),
            on(),
            RuleSetting { pending_ms: Some(-1), ..on() },
            RuleSetting { pending_ms: Some(LONGEST_PENDING_MS + 1), ..on() },
            RuleSetting { severity: Some(Severity::Info), ..on() },
        ];
        for setting in wrong {
            assert!(setting.check().is_err(), "{setting:?}");
        }
    }
}
