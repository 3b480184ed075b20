//! Settings of a fleet, as text.

use liftdeck_model::fleet::CreatorLimit;

/// `3 new game sessions in 15 min for each creator`.
pub fn creator_limit(limit: &CreatorLimit) -> Option<String> {
    let most = limit.new_game_sessions_per_creator?;
    let period = limit.policy_period_minutes.map(|minutes| format!(" in {minutes} min")).unwrap_or_default();
    Some(format!("{most} new game sessions{period} for each creator"))
}
