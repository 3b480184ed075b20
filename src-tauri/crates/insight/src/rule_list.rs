//! Rules as people read them: the ready-made ones with what is set about each, and those of one's own. Also what an
//! adjustment would have done to the alerts of the past.

use liftdeck_model::alert::{AlertId, AlertRecord};
use liftdeck_model::alert_rule::{Adjustment, RuleScope, RuleSetting};
use liftdeck_model::custom_rule::{CustomRule, KeptRule, MetricSubject, QueryPer, Watched};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Severity, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::VariantArray as _;

use crate::alert::Alert;
use crate::custom::CLEAR_MS;
use crate::verdict::{Reach, Rule};
use crate::words;

/// A rule, ready-made or of one's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleListed {
    /// The rule, as settings and exports spell it.
    pub rule: String,
    /// Its name, as text.
    pub title: String,
    /// What it looks for, as text.
    pub looks_for: String,
    /// What one alert of it is about.
    pub reach: Reach,
    /// Milliseconds it must be seen before it fires, by itself.
    pub pending_ms: i64,
    /// Milliseconds it must not be seen before it is over.
    pub clear_ms: i64,
    /// The highest severity it has by itself; `Info` for one that only fires once a severity is set.
    pub severity: Severity,
    /// What is set about it, for everything first.
    pub adjustments: Vec<AdjustmentListed>,
    /// The rule itself, if it is one of one's own: such a rule is edited, not adjusted.
    pub custom: Option<KeptRule>,
}

/// What is set about a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AdjustmentListed {
    /// The adjustment.
    pub adjustment: Adjustment,
    /// What it holds for, as text.
    pub scope_text: String,
    /// What it sets, as text.
    pub text: String,
}

/// Every ready-made rule with what is set about it, then those of one's own by name.
///
/// # Errors
/// When the store cannot be read.
pub async fn rule_list(reader: &Reader, now: Timestamp) -> Result<Vec<RuleListed>, StoreError> {
    let adjustments = reader.adjustments().await?;
    let custom = reader.custom_rules().await?;
    // Fleets are asked for only to name them.
    let names_fleet = adjustments.iter().any(|one| one.setting.scope.fleet_id.is_some())
        || custom.iter().any(|kept| fleet_of(&kept.rule).is_some());
    let fleets = match names_fleet {
        true => reader.fleet_summaries(now).await?,
        false => Vec::new(),
    };
    let listed = |rule: Rule| {
        let name = <&str>::from(rule);
        let own = adjustments.iter().filter(|one| one.setting.rule == name);
        RuleListed {
            rule: name.to_owned(),
            title: words::incident::rule(rule).to_owned(),
            looks_for: words::rule::looks_for(rule).to_owned(),
            reach: rule.reach(),
            pending_ms: rule.pending_ms(),
            clear_ms: rule.clear_ms(),
            severity: rule.severity(),
            adjustments: own.map(|one| worded(one, &fleets)).collect(),
            custom: None,
        }
    };
    let ready = Rule::VARIANTS.iter().copied().map(listed);
    Ok(ready.chain(custom.into_iter().map(|kept| of_custom(kept, &fleets))).collect())
}

fn of_custom(kept: KeptRule, fleets: &[FleetSummary]) -> RuleListed {
    let rule = &kept.rule;
    let fleet = fleet_of(rule).map(|id| named(id, fleets));
    RuleListed {
        rule: rule.key(),
        title: rule.name.clone(),
        looks_for: words::custom::looks_for(rule, fleet.as_deref()),
        reach: match &rule.watched {
            Watched::Metric { of: MetricSubject::EachFleet | MetricSubject::Fleet { .. }, .. } => {
                Reach::Fleet
            }
            Watched::Metric { .. } => Reach::Region,
            Watched::Query { per: QueryPer::Fleet, .. } => Reach::Fleet,
            Watched::Query { .. } => Reach::Connection,
        },
        pending_ms: rule.pending_ms,
        clear_ms: CLEAR_MS,
        severity: rule.severity,
        adjustments: Vec::new(),
        custom: Some(kept),
    }
}

const fn fleet_of(rule: &CustomRule) -> Option<&FleetId> {
    match &rule.watched {
        Watched::Metric { of: MetricSubject::Fleet { fleet_id, .. }, .. } => Some(fleet_id),
        _ => None,
    }
}

fn named(id: &FleetId, fleets: &[FleetSummary]) -> String {
    let known = fleets.iter().find(|fleet| fleet.fleet.fleet_id == *id);
    known.map_or_else(|| id.to_string(), |fleet| fleet.fleet.display_name().to_owned())
}

fn worded(adjustment: &Adjustment, fleets: &[FleetSummary]) -> AdjustmentListed {
    AdjustmentListed {
        scope_text: scope_text(&adjustment.setting.scope, fleets),
        text: words::rule::setting(&adjustment.setting),
        adjustment: adjustment.clone(),
    }
}

fn scope_text(scope: &RuleScope, fleets: &[FleetSummary]) -> String {
    let fleet = scope.fleet_id.as_ref().map(|id| named(id, fleets));
    words::rule::scope(fleet.as_deref(), scope.region.as_ref())
}

/// An alert of the past that would have fired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TriedSpan {
    /// The alert.
    pub alert_id: AlertId,
    /// What was wrong, as text.
    pub title: String,
    /// When it would have fired.
    pub from: Timestamp,
    /// When it was over; `None` while it goes on.
    pub until: Option<Timestamp>,
    /// The severity it would have had.
    pub severity: Severity,
}

/// What a setting would have done to the alerts of the past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleTried {
    /// The time looked at.
    pub range: TimeRange,
    /// How many alerts of the rule fired there.
    pub fired: u32,
    /// Those that would have fired, newest first.
    pub would_fire: Vec<TriedSpan>,
    /// The longest of them, in milliseconds; `None` if there is none.
    pub longest_ms: Option<i64>,
    /// Whether more may have fired than the past can tell: what never fired is not kept.
    pub may_be_more: bool,
    /// All of this, as text.
    pub text: String,
}

/// Most alerts of the past looked at, of every rule.
const MOST: u32 = 5_000;

/// Tries a setting on the alerts that fired in a range.
///
/// # Errors
/// When the store cannot be read.
pub async fn rule_try(
    reader: &Reader,
    rule: Rule,
    setting: &RuleSetting,
    range: TimeRange,
) -> Result<RuleTried, StoreError> {
    Ok(tried(rule, setting, &reader.alerts(range, MOST).await?, range))
}

fn tried(rule: Rule, setting: &RuleSetting, alerts: &[AlertRecord], range: TimeRange) -> RuleTried {
    let name = <&str>::from(rule);
    let own = |alert: &&AlertRecord| {
        alert.rule == name && setting.scope.covers(alert.region.as_ref(), alert.fleet_id.as_ref())
    };
    let of_rule: Vec<&AlertRecord> = alerts.iter().filter(own).collect();
    let set = Adjustment { setting: setting.clone(), at: range.to, by: String::new() };
    let would = |alert: &&AlertRecord| {
        let (region, fleet) = (alert.region.as_ref(), alert.fleet_id.as_ref());
        let weight = rule.weigh(std::slice::from_ref(&set), region, fleet, alert.severity);
        let from = alert.since.plus_ms(weight.pending_ms);
        let is_long_enough = from <= alert.ended_at.unwrap_or(range.to);
        (weight.severity > Severity::Info && is_long_enough).then(|| TriedSpan {
            alert_id: alert.id.clone(),
            title: Alert::of((*alert).clone()).title,
            from,
            until: alert.ended_at,
            severity: weight.severity,
        })
    };
    let would_fire: Vec<TriedSpan> = of_rule.iter().filter_map(would).collect();
    let length = |span: &TriedSpan| span.until.unwrap_or(range.to).since_ms(span.from);
    // What is over before it fires leaves no trace, and neither does what was never more than worth knowing.
    let is_eager = setting.pending_ms.is_some_and(|ms| ms < rule.pending_ms());
    let is_raised = rule.severity() == Severity::Info && setting.severity.is_some();
    let mut tried = RuleTried {
        range,
        fired: u32::try_from(of_rule.len()).unwrap_or(u32::MAX),
        longest_ms: would_fire.iter().map(length).max(),
        may_be_more: !setting.is_off && (is_eager || is_raised),
        would_fire,
        text: String::new(),
    };
    tried.text = words::rule::tried(&tried);
    tried
}

#[cfg(test)]
mod tests {
    use liftdeck_model::alert::AlertState;
    use liftdeck_model::time::MINUTE_MS;

    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_ms(minutes * MINUTE_MS)
    }

    fn alert(id: &str, from: i64, until: Option<i64>) -> AlertRecord {
        AlertRecord {
            id: id.into(),
            rule: "scaling-suspended".to_owned(),
            subject: "fleet-1".to_owned(),
            region: Some("eu-west-1".into()),
            fleet_id: Some("fleet-1".into()),
            severity: Severity::Bad,
            state: if until.is_some() { AlertState::Resolved } else { AlertState::Firing },
            since: at(from),
            seen_at: at(from),
            fired_at: Some(at(from + 2)),
            clear_since: None,
            unknown_since: None,
            ended_at: until.map(at),
            acknowledged: None,
            document: String::new(),
        }
    }

    fn try_on(change: impl FnOnce(&mut RuleSetting)) -> RuleTried {
        let mut setting = RuleSetting {
            rule: "scaling-suspended".to_owned(),
            scope: RuleScope::default(),
            is_off: false,
            pending_ms: None,
            severity: None,
        };
        change(&mut setting);
        let other = AlertRecord { rule: "crashes".to_owned(), ..alert("other", 0, Some(500)) };
        let alerts =
            [alert("goes on", 960, None), alert("long", 100, Some(142)), alert("short", 10, Some(14)), other];
        tried(Rule::ScalingSuspended, &setting, &alerts, TimeRange { from: at(0), to: at(1_000) })
    }

    #[test]
    fn a_longer_wait_leaves_what_lasted_longer() {
        let tried = try_on(|it| it.pending_ms = Some(10 * MINUTE_MS));
        let ids: Vec<&str> = tried.would_fire.iter().map(|span| span.alert_id.as_str()).collect();
        assert_eq!((tried.fired, ids), (3, vec!["goes on", "long"]));
        assert_eq!(tried.would_fire[1].from, at(110));
        assert_eq!((tried.longest_ms, tried.may_be_more), (Some(32 * MINUTE_MS), false));
        assert_eq!(
            tried.text,
            "3 alerts fired in the last 16 h 40 min; 2 would have, the longest for 32 min 00 s."
        );
    }

    #[test]
    fn a_shorter_wait_says_that_the_past_does_not_tell_everything() {
        let tried = try_on(|it| it.pending_ms = Some(0));
        assert_eq!((tried.would_fire.len(), tried.may_be_more), (3, true));
        assert!(
            tried.text.ends_with("There may have been more: what never fired is not kept."),
            "{}",
            tried.text
        );
    }

    #[test]
    fn nothing_fires_of_a_rule_that_is_off_or_set_for_something_else() {
        assert_eq!(try_on(|it| it.is_off = true).would_fire, []);
        let elsewhere = try_on(|it| {
            it.scope.fleet_id = Some("fleet-2".into());
            it.severity = Some(Severity::Warning);
        });
        assert_eq!((elsewhere.fired, elsewhere.would_fire.len()), (0, 0));
        assert_eq!(elsewhere.text, "No alert of this rule fired in the last 16 h 40 min.");
    }
}
