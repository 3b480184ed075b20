//! Scaling policies, suspended scaling, and the protection of new game sessions.

use liftdeck_model::Location;
use liftdeck_model::action::{
    Action, DeleteScalingPolicy, Protection, PutScalingPolicy, Request, ScalingRule, SetFleetActions,
    UpdateFleetAttributes,
};
use liftdeck_model::fleet::{Fleet, ProtectionPolicy};

use super::draft::{Draft, Hit};
use super::present::Present;
use crate::error::OperationError;
use crate::fact::UndoOffer;
use crate::words::{self, SkipFact, WarningFact};

const UNTOUCHED: &str = "This alone affects no game session.";

async fn of_fleet(
    present: &mut Present<'_>,
    action: &Action,
    id: &liftdeck_model::FleetId,
    title: impl Fn(&str) -> String,
) -> Result<(Draft, Option<Fleet>), OperationError> {
    let fleet = present.fleet(&action.region, id).await?;
    let called = fleet.as_ref().map_or(id.as_str(), |fleet| fleet.display_name());
    let mut draft = Draft::new(action, title(called));
    draft.name = fleet.as_ref().map(|fleet| fleet.display_name().to_owned());
    draft.hit = Hit::nobody(UNTOUCHED);
    if fleet.is_none() {
        draft.refuse(words::missing("fleet", id.as_str(), action));
    }
    Ok((draft, fleet))
}

/// Puts a policy into words; `None` is one whose definition is incomplete.
fn in_words(rule: Option<&ScalingRule>) -> String {
    rule.map_or_else(|| "a rule that AWS does not show in full".to_owned(), ToString::to_string)
}

/// PutScalingPolicy: adds a policy, or changes its definition.
pub(super) async fn put(
    present: &mut Present<'_>,
    action: &Action,
    it: &PutScalingPolicy,
) -> Result<Draft, OperationError> {
    let policies = present.policies(&action.region, &it.fleet_id).await?;
    let former = policies.iter().find(|policy| policy.name == it.name && !policy.is_leaving());
    let verb = if former.is_some() { "Change" } else { "Add" };
    let (mut draft, fleet) = of_fleet(present, action, &it.fleet_id, |called| {
        format!("{verb} scaling policy {} of {called}", it.name)
    })
    .await?;
    let before = former.map(|policy| in_words(ScalingRule::of(policy).as_ref()));
    draft.fact(&format!("Policy {}", it.name), before, Some(it.rule.to_string()));
    let others = policies.iter().filter(|policy| policy.name != it.name && !policy.is_leaving());
    if matches!(it.rule, ScalingRule::TargetBased { .. })
        && let Some(other) = others.clone().find(|policy| policy.target_value.is_some())
    {
        draft.refuse(SkipFact::SecondTargetPolicy { policy: other.name.clone() });
    }
    if fleet.is_some() {
        draft.info(WarningFact::PolicyEverywhere);
        suspended(present, &mut draft, &it.fleet_id).await?;
    }
    if draft.holds() {
        draft.info(WarningFact::PolicyAlready);
        return Ok(draft);
    }
    let (fleet_id, name) = (it.fleet_id.clone(), it.name.clone());
    match former.map(ScalingRule::of) {
        None => draft.undone_by(
            vec![Request::DeleteScalingPolicy(DeleteScalingPolicy { fleet_id, name })],
            UndoOffer::Exact,
        ),
        Some(Some(rule)) => draft.undone_by(
            vec![Request::PutScalingPolicy(PutScalingPolicy { fleet_id, name, rule })],
            UndoOffer::Exact,
        ),
        Some(None) => {
            draft.offer = UndoOffer::None("AWS does not show the whole former definition.".to_owned());
        }
    }
    Ok(draft)
}

async fn suspended(
    present: &mut Present<'_>,
    draft: &mut Draft,
    fleet: &liftdeck_model::FleetId,
) -> Result<(), OperationError> {
    let locations = present.locations(&draft.action.region, fleet).await?;
    let off: Vec<Location> = locations
        .iter()
        .filter(|location| location.scaling_suspended)
        .map(|location| location.location.clone())
        .collect();
    if !off.is_empty() {
        draft.caution(WarningFact::PolicySuspended { locations: off });
    }
    Ok(())
}

/// DeleteScalingPolicy.
pub(super) async fn delete(
    present: &mut Present<'_>,
    action: &Action,
    it: &DeleteScalingPolicy,
) -> Result<Draft, OperationError> {
    let (mut draft, fleet) = of_fleet(present, action, &it.fleet_id, |called| {
        format!("Delete scaling policy {} of {called}", it.name)
    })
    .await?;
    let policies = present.policies(&action.region, &it.fleet_id).await?;
    let former = policies.iter().find(|policy| policy.name == it.name && !policy.is_leaving());
    let rule = former.and_then(ScalingRule::of);
    let before = former.map(|_| in_words(rule.as_ref()));
    draft.fact(&format!("Policy {}", it.name), before, None);
    match (former, rule) {
        (None, _) => {
            if fleet.is_some() {
                draft.refuse(words::missing("scaling policy", &it.name, action));
            }
        }
        (Some(_), Some(rule)) => {
            let (fleet_id, name) = (it.fleet_id.clone(), it.name.clone());
            draft.undone_by(
                vec![Request::PutScalingPolicy(PutScalingPolicy { fleet_id, name, rule })],
                UndoOffer::Exact,
            );
        }
        (Some(_), None) => {
            draft.offer = UndoOffer::None("AWS does not show the whole former definition.".to_owned());
        }
    }
    let left = policies.iter().any(|policy| policy.name != it.name && !policy.is_leaving());
    if former.is_some() && !left {
        draft.caution(WarningFact::LastPolicy);
    }
    Ok(draft)
}

/// StopFleetActions and StartFleetActions.
pub(super) async fn switch(
    present: &mut Present<'_>,
    action: &Action,
    it: &SetFleetActions,
    suspend: bool,
) -> Result<Draft, OperationError> {
    let place = words::location_name(action, it.location.as_ref());
    let verb = if suspend { "Suspend" } else { "Resume" };
    let (mut draft, fleet) =
        of_fleet(present, action, &it.fleet_id, |called| format!("{verb} scaling of {called} in {place}"))
            .await?;
    if suspend {
        present.will_suspend(&it.fleet_id, &place);
    }
    let locations = present.locations(&action.region, &it.fleet_id).await?;
    let location = locations.iter().find(|location| location.location.as_str() == place);
    let state = |suspended: bool| Some(if suspended { "suspended" } else { "active" }.to_owned());
    let before = location.map(|location| location.scaling_suspended);
    draft.fact("Scaling", before.and_then(state), state(suspend));
    if fleet.is_some() && location.is_none() {
        draft.refuse(words::missing("location", &place, action));
    }
    let policies = present.policies(&action.region, &it.fleet_id).await?;
    let active = policies.iter().any(|policy| !policy.is_leaving());
    match (before, suspend) {
        (Some(before), _) if before == suspend => {
            draft.info(WarningFact::SoAlready);
            return Ok(draft);
        }
        (_, true) => draft.caution(WarningFact::NoDemand),
        (_, false) if active => draft.caution(WarningFact::PoliciesTakeOver),
        (_, false) => {
            draft.info(WarningFact::NoPolicy);
        }
    }
    if location.is_some_and(|location| location.update_pending) {
        draft.caution(WarningFact::EarlierSwitchUnderWay);
    }
    if before.is_some() {
        let reverse = it.clone();
        let undo =
            if suspend { Request::StartFleetActions(reverse) } else { Request::StopFleetActions(reverse) };
        draft.undone_by(vec![undo], UndoOffer::Exact);
    }
    Ok(draft)
}

/// UpdateFleetAttributes: protection of game sessions that are created from then on.
pub(super) async fn protect(
    present: &mut Present<'_>,
    action: &Action,
    it: &UpdateFleetAttributes,
) -> Result<Draft, OperationError> {
    let after = it.new_game_session_protection_policy;
    let (mut draft, fleet) = of_fleet(present, action, &it.fleet_id, |called| match after {
        Protection::FullProtection => format!("Protect new game sessions of {called}"),
        Protection::NoProtection => format!("Stop protecting new game sessions of {called}"),
    })
    .await?;
    let before = fleet.as_ref().and_then(|fleet| fleet.new_game_session_protection_policy.clone());
    draft.fact(
        "Protection of new game sessions",
        before.as_ref().map(ToString::to_string),
        Some(after.as_str().to_owned()),
    );
    draft.hit =
        Hit::nobody("Running game sessions keep the protection they have; only new ones are affected.");
    if draft.holds() {
        draft.info(WarningFact::SoAlready);
        return Ok(draft);
    }
    match before.as_ref().and_then(protection) {
        Some(former) => draft.undone_by(
            vec![Request::UpdateFleetAttributes(UpdateFleetAttributes {
                fleet_id: it.fleet_id.clone(),
                new_game_session_protection_policy: former,
            })],
            UndoOffer::Exact,
        ),
        None => draft.offer = UndoOffer::None("AWS does not show the former setting.".to_owned()),
    }
    if after == Protection::NoProtection {
        draft.caution(WarningFact::NewSessionsUnprotected);
    }
    Ok(draft)
}

/// Converts a protection to one that can be set; `None` for one that this program does not know.
pub(super) fn protection(policy: &ProtectionPolicy) -> Option<Protection> {
    match policy {
        ProtectionPolicy::NoProtection => Some(Protection::NoProtection),
        ProtectionPolicy::FullProtection => Some(Protection::FullProtection),
        ProtectionPolicy::Other(_) => None,
    }
}
