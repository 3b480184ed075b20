//! The sentences about how a game session ended.

use liftdeck_model::Severity;
use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::time::in_words;

/// How bad an ending is.
pub(crate) const fn ending_severity(ending: GameSessionEnding) -> Severity {
    match ending {
        GameSessionEnding::Normal => Severity::Info,
        GameSessionEnding::Unseen
        | GameSessionEnding::TerminatedByRequest
        | GameSessionEnding::ForceTerminated => Severity::Warning,
        _ => Severity::Bad,
    }
}

/// How a game session ended, and after how long.
pub(crate) fn ended(ending: GameSessionEnding, lasted_ms: i64) -> String {
    let after = in_words(lasted_ms);
    match ending {
        GameSessionEnding::Unseen => "no longer known to GameLift; its end was not seen".to_owned(),
        GameSessionEnding::Normal => format!("ended after {after}"),
        GameSessionEnding::HostLost => format!("ended after {after}: its instance was replaced as unhealthy"),
        GameSessionEnding::Crashed => format!("crashed after {after}"),
        GameSessionEnding::TerminatedUnhealthy => {
            format!("ended after {after}: its server process was unhealthy")
        }
        GameSessionEnding::ActivationTimedOut => format!("not activated in time, ended after {after}"),
        GameSessionEnding::Error => format!("ended after {after} with the status ERROR"),
        GameSessionEnding::Interrupted => format!("ended after {after}: EC2 Spot took the instance"),
        GameSessionEnding::TerminatedByRequest => format!("ended after {after}: asked to terminate"),
        GameSessionEnding::ForceTerminated => format!("ended by force after {after}"),
    }
}
