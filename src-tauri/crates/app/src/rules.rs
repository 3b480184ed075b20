//! Rules as every host adjusts and tries them: what is refused, and in which words.

use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::rule::RuleTrial;
use liftdeck_insight::verdict::Reach;
use liftdeck_insight::{Rule, RuleTried};
use liftdeck_model::Timestamp;
use liftdeck_model::alert_rule::{Adjustment, RuleScope, RuleSetting};
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_store::{Reader, Writer};

/// Most days that a setting is tried on.
pub(crate) const MOST_DAYS: u32 = 30;

/// The rule that a setting is about.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] when there is no such rule, when no alert of it could ever be meant, and for what
/// [`RuleSetting::check`] refuses.
pub fn checked(setting: &RuleSetting) -> Result<Rule, AppError> {
    let refuse = |why: String| AppError::new(ErrorKind::InvalidInput, why);
    let rule: Rule = setting.rule.parse().map_err(|_| {
        refuse(format!("There is no rule {}. There is {}.", setting.rule, Rule::names().join(", ")))
    })?;
    let scope = &setting.scope;
    match rule.reach() {
        Reach::Connection if scope.region.is_some() || scope.fleet_id.is_some() => {
            return Err(refuse(format!("The rule {} is about everything at once.", setting.rule)));
        }
        Reach::Region if scope.fleet_id.is_some() => {
            return Err(refuse(format!("The rule {} is not about single fleets.", setting.rule)));
        }
        _ => {}
    }
    setting.check().map_err(refuse)?;
    Ok(rule)
}

/// Records a setting as this computer's user's.
///
/// # Errors
/// As [`checked`], and when it could not be written.
pub async fn put_setting(writer: &Writer, setting: RuleSetting, now: Timestamp) -> Result<(), AppError> {
    checked(&setting)?;
    let by = crate::user::name().unwrap_or_default();
    Ok(writer.put_adjustment(Adjustment { setting, at: now, by }).await?)
}

/// Forgets a setting, and says what it was.
///
/// # Errors
/// [`ErrorKind::NotFound`] when nothing is set there.
pub async fn reset_setting(
    reader: &Reader,
    writer: &Writer,
    rule: &str,
    scope: RuleScope,
) -> Result<Adjustment, AppError> {
    let mut all = reader.adjustments().await?.into_iter();
    let found = all.find(|one| one.setting.rule == rule && one.setting.scope == scope);
    let message = format!("Nothing is set about the rule {rule} there.");
    let found = found.ok_or_else(|| AppError::new(ErrorKind::NotFound, message))?;
    writer.remove_adjustment(rule, scope).await?;
    Ok(found)
}

/// Tries a setting on the alerts of the past.
///
/// # Errors
/// As [`checked`], and for a number of days that is not 1 to 30.
pub async fn try_setting(reader: &Reader, trial: &RuleTrial, now: Timestamp) -> Result<RuleTried, AppError> {
    let rule = checked(&trial.setting)?;
    if !(1..=MOST_DAYS).contains(&trial.days) {
        let message = format!("A rule is tried on the last 1 to {MOST_DAYS} days.");
        return Err(AppError::new(ErrorKind::InvalidInput, message));
    }
    let range = TimeRange { from: now.plus_ms(-i64::from(trial.days) * DAY_MS), to: now };
    Ok(liftdeck_insight::rule_try(reader, rule, &trial.setting, range).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(rule: &str, region: Option<&str>, fleet_id: Option<&str>) -> RuleSetting {
        let scope = RuleScope { region: region.map(Into::into), fleet_id: fleet_id.map(Into::into) };
        RuleSetting { rule: rule.to_owned(), scope, is_off: true, pending_ms: None, severity: None }
    }

    #[test]
    fn a_rule_is_adjusted_only_for_what_its_alerts_are_about() {
        assert_eq!(checked(&setting("capped", None, Some("fleet-1"))).unwrap(), Rule::Capped);
        assert_eq!(checked(&setting("placements", Some("eu-west-1"), None)).unwrap(), Rule::Placements);
        for (rule, region, fleet_id) in [
            ("never-was", None, None),
            ("placements", None, Some("fleet-1")),
            ("blind", Some("eu-west-1"), None),
        ] {
            let refused = checked(&setting(rule, region, fleet_id)).unwrap_err();
            assert_eq!(refused.kind, ErrorKind::InvalidInput, "{rule}");
        }
    }
}
