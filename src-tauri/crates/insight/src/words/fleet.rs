//! Settings of a fleet, as text.

use liftdeck_model::Timestamp;
use liftdeck_model::certificate::{CertificateState, CertificateTerm};
use liftdeck_model::fleet::CreatorLimit;
use liftdeck_model::time::DAY_MS;

use super::counted;
use crate::answer::fleet::ProcessBasis;

/// What the end of a certificate means and what to do; `None` while it is far.
pub fn certificate(term: &CertificateTerm, now: Timestamp) -> Option<String> {
    const WHAT_TO_DO: &str =
        "It cannot be renewed. Create a new fleet and repoint this fleet’s aliases and queues to it";
    let day = term.ends_at.in_utc();
    let day = day.split_whitespace().next().unwrap_or(&day);
    match term.state {
        CertificateState::Valid => None,
        CertificateState::Near => {
            let days = (term.ends_at.since_ms(now) / DAY_MS).unsigned_abs();
            let left = if days == 0 { "less than a day".to_owned() } else { counted(days, "day", "days") };
            Some(format!(
                "The TLS certificate ends in {left}, on {day}: 13 months after the fleet was created. From then on game \
                 clients that check it cannot connect. {WHAT_TO_DO} before that day."
            ))
        }
        CertificateState::Ended => Some(format!(
            "The TLS certificate ended on {day}: 13 months after the fleet was created. Game clients that check it cannot \
             connect. {WHAT_TO_DO}."
        )),
    }
}

/// Where the number of server processes on a compute comes from, and what GameLift does not tell.
pub fn process_basis(basis: ProcessBasis) -> String {
    match basis {
        ProcessBasis::RuntimeConfiguration { per_instance } => format!(
            "GameLift does not list server processes. By the runtime configuration each instance is to run {}, and each \
             hosts one game session at a time.",
            counted(per_instance.unsigned_abs(), "server process", "server processes")
        ),
        ProcessBasis::ContainerGroups { per_instance } => {
            let groups = per_instance.map(|groups| format!(", and each instance is to run {groups} of them"));
            format!(
                "Each compute is a game server container group{}. GameLift does not list the server processes in it.",
                groups.unwrap_or_default()
            )
        }
        ProcessBasis::OwnHardware => "Each compute is a host that you registered. You start its server processes \
                                      yourself, and GameLift does not tell how many there are, only which game sessions \
                                      they host."
            .to_owned(),
        ProcessBasis::Unknown => {
            "GameLift does not list server processes, and how many each instance is to run was not read yet.".to_owned()
        }
    }
}

/// `3 new game sessions in 15 min for each creator`.
pub fn creator_limit(limit: &CreatorLimit) -> Option<String> {
    let most = limit.new_game_sessions_per_creator?;
    let period = limit.policy_period_minutes.map(|minutes| format!(" in {minutes} min")).unwrap_or_default();
    Some(format!("{most} new game sessions{period} for each creator"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_certificate_is_told_with_its_day_and_what_to_do() {
        let now = Timestamp::from_ms(1_772_618_400_000);
        let term = |days: i64, state| CertificateTerm { ends_at: now.plus_ms(days * DAY_MS), state };
        assert_eq!(certificate(&term(200, CertificateState::Valid), now), None);
        let near = certificate(&term(24, CertificateState::Near), now).unwrap();
        assert!(near.starts_with("The TLS certificate ends in 24 days, on 2026-03-28: 13 months"), "{near}");
        let ended = certificate(&term(-1, CertificateState::Ended), now).unwrap();
        assert!(ended.starts_with("The TLS certificate ended on 2026-03-03: 13 months"), "{ended}");
    }
}
