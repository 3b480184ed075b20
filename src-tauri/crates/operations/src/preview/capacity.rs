//! Instances of a fleet in a location.

use liftdeck_model::Region;
use liftdeck_model::action::{Action, Request, UpdateFleetCapacity};
use liftdeck_model::fleet::{FleetCapacity, FleetStatus};

use super::crowd;
use super::draft::{Draft, Hit, How};
use super::present::Present;
use crate::error::OperationError;
use crate::fact::UndoOffer;
use crate::words::{self, SkipFact, WarningFact};

/// UpdateFleetCapacity.
pub(super) async fn update(
    present: &mut Present<'_>,
    action: &Action,
    it: &UpdateFleetCapacity,
) -> Result<Draft, OperationError> {
    let region = &action.region;
    let place = words::location_name(action, it.location.as_ref());
    let fleet = present.fleet(region, &it.fleet_id).await?;
    let called = fleet.as_ref().map_or(it.fleet_id.as_str(), |fleet| fleet.display_name()).to_owned();
    let mut draft = Draft::new(action, format!("Set capacity of {called} in {place}"));
    draft.name = fleet.as_ref().map(|fleet| fleet.display_name().to_owned());
    let now = present.capacity(region, &it.fleet_id, it.location.as_ref()).await?;
    let Some(now) = now else {
        let missing = match &fleet {
            None => words::missing("fleet", it.fleet_id.as_str(), action),
            Some(fleet) if !fleet.kind.has_capacity() => SkipFact::AnywhereHasNoCapacity,
            Some(_) => words::missing("location", &place, action),
        };
        draft.refuse(missing);
        for (label, value) in sizes(it) {
            draft.fact(label, None, value.map(|value| value.to_string()));
        }
        return Ok(draft);
    };
    let before = [now.desired, now.minimum, now.maximum];
    for ((label, value), before) in sizes(it).into_iter().zip(before) {
        match value {
            Some(value) => draft.fact(label, Some(before.to_string()), Some(value.to_string())),
            // A value that scaling changes by itself is no reason to ask again, unless it is the one being set.
            None if label == DESIRED => {}
            None => draft.rests_on(label, Some(before.to_string())),
        }
    }
    limits(&mut draft, it, &now);
    let locations = present.locations(region, &it.fleet_id).await?;
    let location = locations.iter().find(|location| location.location.as_str() == place);
    if let Some(location) = location
        && location.status != FleetStatus::Active
    {
        draft.refuse(SkipFact::LocationNotActive {
            fleet: called,
            location: place.clone(),
            status: location.status.clone(),
        });
    }
    let suspended = location.is_some_and(|location| location.scaling_suspended)
        || present.is_to_suspend(&it.fleet_id, &place);
    overridden(present, &mut draft, it, &now, suspended).await?;
    draft.hit = hit(present, region, it, &now).await?;
    if draft.holds() {
        draft.info(WarningFact::NumbersAlready);
        return Ok(draft);
    }
    let former = UpdateFleetCapacity {
        fleet_id: it.fleet_id.clone(),
        location: it.location.clone(),
        desired_instances: it.desired_instances.map(|_| now.desired),
        min_size: it.min_size.map(|_| now.minimum),
        max_size: it.max_size.map(|_| now.maximum),
    };
    let offer = if draft.hit.how == How::MayEnd {
        UndoOffer::Partly(
            "The numbers come back; game sessions that end with their instances do not.".to_owned(),
        )
    } else {
        UndoOffer::Exact
    };
    draft.undone_by(vec![Request::UpdateFleetCapacity(former)], offer);
    Ok(draft)
}

const DESIRED: &str = "Desired instances";

const fn sizes(it: &UpdateFleetCapacity) -> [(&'static str, Option<i32>); 3] {
    [(DESIRED, it.desired_instances), ("Minimum instances", it.min_size), ("Maximum instances", it.max_size)]
}

/// Notes what AWS refuses, or may refuse, given the current values.
fn limits(draft: &mut Draft, it: &UpdateFleetCapacity, now: &FleetCapacity) {
    let desired = it.desired_instances.unwrap_or(now.desired);
    let minimum = it.min_size.unwrap_or(now.minimum);
    let maximum = it.max_size.unwrap_or(now.maximum);
    if minimum > maximum {
        draft.refuse(SkipFact::MinimumAboveMaximum { minimum, maximum });
    } else if it.desired_instances.is_some() && !(minimum..=maximum).contains(&desired) {
        draft.refuse(SkipFact::DesiredOutsideLimits { desired, minimum, maximum });
    } else if !(minimum..=maximum).contains(&desired) {
        draft.caution(WarningFact::DesiredOutsideNewLimits { desired, minimum, maximum });
    }
}

/// Warns of what a scaling policy will do to a number set by hand.
async fn overridden(
    present: &mut Present<'_>,
    draft: &mut Draft,
    it: &UpdateFleetCapacity,
    now: &FleetCapacity,
    suspended: bool,
) -> Result<(), OperationError> {
    let Some(desired) = it.desired_instances else { return Ok(()) };
    if suspended {
        draft.info(WarningFact::ScalingSuspendedHere);
        return Ok(());
    }
    if now.zero_capacity_strategy.as_deref() == Some("SCALE_TO_AND_FROM_ZERO") {
        draft.caution(WarningFact::ScalesToZero);
    }
    let place = words::location_name(&draft.action, it.location.as_ref());
    let policies = present.policies(&draft.action.region, &it.fleet_id).await?;
    let here = policies.iter().filter(|policy| {
        policy.location.as_ref().is_none_or(|location| location.as_str() == place)
            && policy.status.as_deref() == Some("ACTIVE")
    });
    let (targets, rules): (Vec<_>, Vec<_>) = here.partition(|policy| policy.target_value.is_some());
    if let Some(target) = targets.first() {
        draft.bad(WarningFact::TargetPolicyOverrides { policy: target.name.clone(), desired });
    } else if let Some(rule) = rules.first() {
        draft.caution(WarningFact::PolicyMovesAgain { policy: rule.name.clone() });
    }
    Ok(())
}

/// Who scale-in may affect: GameLift ends instances, idle ones first as far as there are any, and none that hosts a
/// protected session.
async fn hit(
    present: &Present<'_>,
    region: &Region,
    it: &UpdateFleetCapacity,
    now: &FleetCapacity,
) -> Result<Hit, OperationError> {
    let most = it.max_size.unwrap_or(now.maximum);
    let after = it.desired_instances.unwrap_or(now.desired).min(most).max(0);
    let leaving = u64::try_from(now.active - after).unwrap_or(0);
    if leaving == 0 {
        return Ok(Hit::nobody("No game session is affected."));
    }
    let crowd = crowd::on_fleet(present, region, &it.fleet_id, Some(&now.location)).await?;
    let busy = u64::try_from(now.active - now.idle).unwrap_or(0).max(1);
    let busy_leaving = if after == 0 {
        busy
    } else {
        leaving.saturating_sub(u64::try_from(now.idle).unwrap_or(0)).min(busy)
    };
    let unprotected = crowd.game_sessions.saturating_sub(crowd.protected_game_sessions);
    let part = |whole: u64| (whole * busy_leaving).div_ceil(busy);
    let game_sessions = part(crowd.game_sessions).min(unprotected);
    let leave = words::count(leaving, "instance leaves", "instances leave");
    if game_sessions == 0 && !crowd.may_be_more {
        return Ok(Hit::nobody(format!("{leave}; there is no unprotected game session on them.")));
    }
    let note = if crowd.may_be_more {
        format!(
            "{leave}, those without a protected game session. How many game sessions are on them could not be \
             counted in full."
        )
    } else {
        format!("{leave}, those without a protected game session.")
    };
    Ok(Hit {
        how: How::MayEnd,
        game_sessions,
        player_sessions: (crowd.player_sessions * game_sessions).div_ceil(crowd.game_sessions.max(1)),
        protected_game_sessions: crowd.protected_game_sessions,
        from_store: crowd.from_store,
        note: Some(note),
    })
}
