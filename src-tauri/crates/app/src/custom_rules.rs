//! Rules of one's own as every host tries and saves them: what is refused, and in which words.

use liftdeck_api::error::{AppError, ErrorKind, ItemError};
use liftdeck_api::rule::{CustomRuleDraft, CustomRuleTrial};
use liftdeck_insight::Rule;
use liftdeck_insight::custom::{CustomTried, watched_fleets};
use liftdeck_model::Timestamp;
use liftdeck_model::action::FieldError;
use liftdeck_model::custom_rule::{CustomRule, KeptRule, MOST_RULES, MetricSubject, Watched};
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_store::{Reader, Writer};

use crate::rules::MOST_DAYS;

/// What is wrong with a rule by itself.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] with every field that [`CustomRule::check`] refuses, and for the name of a ready-made
/// rule.
pub fn checked_rule(rule: &CustomRule) -> Result<(), AppError> {
    let mut found = rule.check().err().unwrap_or_default();
    if rule.name.parse::<Rule>().is_ok() {
        found.push(field("name", format!("There is a ready-made rule {}.", rule.name)));
    }
    refuse(found)
}

fn field(name: &str, message: String) -> FieldError {
    FieldError { field: name.to_owned(), message, is_missing: false }
}

fn refuse(found: Vec<FieldError>) -> Result<(), AppError> {
    if found.is_empty() {
        return Ok(());
    }
    let message = found.iter().map(|error| error.message.as_str()).collect::<Vec<_>>().join("\n");
    let of_field = |error: FieldError| ItemError { item: 0, field: error.field, message: error.message };
    let fields = found.into_iter().map(of_field).collect();
    Err(AppError { fields, ..AppError::new(ErrorKind::InvalidInput, message) })
}

/// Puts the id of a fleet in the place of its name, if a rule is about one that is named.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] when several fleets have that name.
pub async fn with_fleet_id(
    reader: &Reader,
    mut rule: CustomRule,
    now: Timestamp,
) -> Result<CustomRule, AppError> {
    let Watched::Metric { of: MetricSubject::Fleet { fleet_id, .. }, .. } = &mut rule.watched else {
        return Ok(rule);
    };
    let fleets = watched_fleets(reader, now).await?;
    if fleets.iter().any(|fleet| fleet.fleet.fleet_id == *fleet_id) {
        return Ok(rule);
    }
    let named: Vec<_> =
        fleets.iter().filter(|fleet| fleet.fleet.display_name() == fleet_id.as_str()).collect();
    match named.as_slice() {
        [one] => *fleet_id = one.fleet.fleet_id.clone(),
        // The check of what it is about says that there is none.
        [] => {}
        several => {
            let ids: Vec<&str> = several.iter().map(|fleet| fleet.fleet.fleet_id.as_str()).collect();
            let message = format!("Several fleets are named {fleet_id}: {}.", ids.join(", "));
            return Err(AppError::new(ErrorKind::InvalidInput, message));
        }
    }
    Ok(rule)
}

/// Refuses a rule about a fleet, queue or configuration that there is not.
async fn check_subject(reader: &Reader, rule: &CustomRule, now: Timestamp) -> Result<(), AppError> {
    let Watched::Metric { of, .. } = &rule.watched else { return Ok(()) };
    let missing = match of {
        MetricSubject::EachFleet => None,
        MetricSubject::Fleet { fleet_id, location } => {
            let fleets = watched_fleets(reader, now).await?;
            match fleets.iter().find(|fleet| fleet.fleet.fleet_id == *fleet_id) {
                None => Some(format!("There is no fleet {fleet_id} in the collected data.")),
                Some(fleet) => location
                    .as_ref()
                    .filter(|wanted| fleet.locations.iter().all(|here| here.location != **wanted))
                    .map(|wanted| format!("The fleet {fleet_id} is not in {wanted}.")),
            }
        }
        MetricSubject::Queue { name, region } => {
            let (queues, _) = reader.queues(now).await?;
            let is_there = queues.iter().any(|row| row.queue.name == *name && row.queue.region == *region);
            (!is_there).then(|| format!("There is no queue {name} in {region}."))
        }
        MetricSubject::Configuration { name, region } => {
            let all = reader.configurations().await?;
            let is_there = all.iter().any(|row| row.name == *name && row.region == *region);
            (!is_there).then(|| format!("There is no matchmaking configuration {name} in {region}."))
        }
    };
    refuse(missing.map(|message| field("of", message)).into_iter().collect())
}

/// Tries a rule on the stored past.
///
/// # Errors
/// As [`checked_rule`], for a subject that there is not, and for a number of days that is not 1 to 30.
pub async fn try_rule(
    reader: &Reader,
    trial: &CustomRuleTrial,
    now: Timestamp,
) -> Result<CustomTried, AppError> {
    checked_rule(&trial.rule)?;
    check_subject(reader, &trial.rule, now).await?;
    if !(1..=MOST_DAYS).contains(&trial.days) {
        let message = format!("A rule is tried on the last 1 to {MOST_DAYS} days.");
        return Err(AppError::new(ErrorKind::InvalidInput, message));
    }
    let range = TimeRange::new(now.plus_ms(-i64::from(trial.days) * DAY_MS), now);
    Ok(liftdeck_alerts::try_rule(reader, &trial.rule, range, now).await?)
}

/// Saves a rule as this computer's user's.
///
/// # Errors
/// As [`checked_rule`], for a subject that there is not, for a name that another rule has, for a rule to replace that
/// there is not, for too many rules, and when it could not be written.
pub async fn put_rule(
    reader: &Reader,
    writer: &Writer,
    draft: CustomRuleDraft,
    now: Timestamp,
) -> Result<(), AppError> {
    let CustomRuleDraft { rule, replaces } = draft;
    checked_rule(&rule)?;
    check_subject(reader, &rule, now).await?;
    let kept = reader.custom_rules().await?;
    check_place(&kept, &rule.name, replaces.as_deref())?;
    let by = crate::user::name().unwrap_or_default();
    Ok(writer.put_custom_rule(KeptRule { rule, at: now, by }, replaces).await?)
}

fn check_place(kept: &[KeptRule], name: &str, replaces: Option<&str>) -> Result<(), AppError> {
    let others = || kept.iter().filter(|one| Some(one.rule.name.as_str()) != replaces);
    if let Some(replaces) = replaces
        && others().count() == kept.len()
    {
        return Err(unknown(replaces));
    }
    if let Some(same) = others().find(|one| CustomRule::is_same_name(&one.rule.name, name)) {
        return refuse(vec![field("name", format!("There is a rule {} already.", same.rule.name))]);
    }
    if replaces.is_none() && kept.len() >= MOST_RULES {
        let message = format!("There are {MOST_RULES} rules already: delete one first.");
        return Err(AppError::new(ErrorKind::Refused, message));
    }
    Ok(())
}

fn unknown(name: &str) -> AppError {
    AppError::new(ErrorKind::NotFound, format!("There is no rule of your own named {name}."))
}

/// The rule of one's own of that name.
///
/// # Errors
/// [`ErrorKind::NotFound`] when there is none.
pub async fn find_rule(reader: &Reader, name: &str) -> Result<KeptRule, AppError> {
    let name = CustomRule::name_of(name).unwrap_or(name);
    let mut kept = reader.custom_rules().await?.into_iter();
    kept.find(|one| CustomRule::is_same_name(&one.rule.name, name)).ok_or_else(|| unknown(name))
}

/// Deletes a rule, and says what it was.
///
/// # Errors
/// As [`find_rule`], and when it could not be written.
pub async fn remove_rule(reader: &Reader, writer: &Writer, name: &str) -> Result<KeptRule, AppError> {
    let found = find_rule(reader, name).await?;
    writer.remove_custom_rule(&found.rule.name).await?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Severity;
    use liftdeck_model::custom_rule::{Compare, QueryPer};

    use super::*;

    fn rule(name: &str) -> CustomRule {
        CustomRule {
            name: name.to_owned(),
            watched: Watched::Query { query: "players:0".to_owned(), per: QueryPer::All, share_of: None },
            compare: Compare::Above,
            raise: 10.0,
            clear: 5.0,
            pending_ms: 0,
            severity: Severity::Warning,
            is_off: false,
        }
    }

    fn kept(names: &[&str]) -> Vec<KeptRule> {
        let one = |name: &&str| KeptRule { rule: rule(name), at: Timestamp::from_ms(0), by: String::new() };
        names.iter().map(one).collect()
    }

    #[test]
    fn every_field_that_is_wrong_is_named_at_once() {
        let wrong = CustomRule { clear: 11.0, pending_ms: -1, ..rule("capped") };
        let refused = checked_rule(&wrong).unwrap_err();
        let fields: Vec<&str> = refused.fields.iter().map(|one| one.field.as_str()).collect();
        assert_eq!((refused.kind, fields), (ErrorKind::InvalidInput, vec!["clear", "pendingMs", "name"]));
        assert!(checked_rule(&rule("Empty ones")).is_ok());
    }

    #[test]
    fn a_name_is_taken_once_whatever_its_case() {
        let kept = kept(&["Empty ones", "Full ones"]);
        let refused = check_place(&kept, "empty ONES", None).unwrap_err();
        assert_eq!(refused.fields[0].field, "name");
        assert!(check_place(&kept, "empty ONES", Some("Empty ones")).is_ok());
        assert!(check_place(&kept, "Full ones", Some("Empty ones")).is_err());
        assert_eq!(check_place(&kept, "New", Some("Gone")).unwrap_err().kind, ErrorKind::NotFound);
    }

    #[test]
    fn there_are_at_most_a_hundred() {
        let names: Vec<String> = (0..MOST_RULES).map(|number| format!("rule {number}")).collect();
        let kept = kept(&names.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(check_place(&kept, "one more", None).unwrap_err().kind, ErrorKind::Refused);
        assert!(check_place(&kept, "rule 1", Some("rule 1")).is_ok());
    }
}
