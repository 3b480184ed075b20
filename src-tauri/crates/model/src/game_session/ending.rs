//! How a game session ended, told from all evidence: AWS's status reason, and the fleet events that are about it.
//!
//! Owns the endings, which of them are abnormal, and what a fleet event's code and message say of a session. AWS gives
//! `StatusReason` only for Spot interruptions and terminations, so a crash is told by a fleet event alone.
//! Deliberately does not match events with sessions: the store does.

use std::sync::OnceLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use strum::{EnumIter, IntoEnumIterator as _, IntoStaticStr};

use super::{GameSessionStatus, GameSessionStatusReason};
use crate::event_code::FleetEventCode;
use crate::id::GameSessionId;

/// How a game session ended. When several are known, the greatest holds.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumIter,
    IntoStaticStr,
    Serialize,
    Deserialize,
    specta::Type,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum GameSessionEnding {
    /// GameLift no longer knew it before its end was seen.
    Unseen,
    /// By itself; nothing says otherwise.
    Normal,
    /// Its instance was replaced as unhealthy (INSTANCE_REPLACED_UNHEALTHY).
    HostLost,
    /// Its server process exited without ProcessEnding(), or its container group crashed.
    Crashed,
    /// Its server process or container group did not report healthy and was terminated.
    TerminatedUnhealthy,
    /// It was not activated in time (GAME_SESSION_ACTIVATION_TIMEOUT).
    ActivationTimedOut,
    /// GameLift gave it the status ERROR.
    Error,
    /// EC2 reclaimed its Spot instance (INTERRUPTED).
    Interrupted,
    /// TerminateGameSession asked its server process to end (TRIGGERED_ON_PROCESS_TERMINATE).
    TerminatedByRequest,
    /// TerminateGameSession ended its server process at once, or the process did not end when asked to.
    ForceTerminated,
}

impl GameSessionEnding {
    /// Its name in a query, an export and an answer, such as `activation_timed_out`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Every ending, from the weakest evidence to the strongest.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter()
    }

    /// Whether nobody wanted it. A termination is what somebody asked for, and an end nobody saw says nothing.
    pub const fn is_abnormal(self) -> bool {
        match self {
            Self::Unseen | Self::Normal | Self::TerminatedByRequest | Self::ForceTerminated => false,
            Self::HostLost
            | Self::Crashed
            | Self::TerminatedUnhealthy
            | Self::ActivationTimedOut
            | Self::Error
            | Self::Interrupted => true,
        }
    }

    /// What status and status reason say of an ended session. [`Self::Normal`] when there is no reason, or one that
    /// this program does not know.
    pub const fn of_status(status: &GameSessionStatus, reason: Option<&GameSessionStatusReason>) -> Self {
        match (reason, status) {
            (Some(GameSessionStatusReason::Interrupted), _) => Self::Interrupted,
            (Some(GameSessionStatusReason::TriggeredOnProcessTerminate), _) => Self::TerminatedByRequest,
            (Some(GameSessionStatusReason::ForceTerminated), _) => Self::ForceTerminated,
            (_, GameSessionStatus::Error) => Self::Error,
            _ => Self::Normal,
        }
    }

    /// What a fleet event with this code says of the session it is about; `None` when it says nothing of sessions.
    ///
    /// INSTANCE_INTERRUPTED is EC2's notice two minutes ahead: sessions may still end by themselves, and those that
    /// do not get the status reason INTERRUPTED.
    pub const fn of_event(code: &FleetEventCode) -> Option<Self> {
        match code {
            FleetEventCode::ServerProcessCrashed | FleetEventCode::GameServerContainerGroupCrashed => {
                Some(Self::Crashed)
            }
            FleetEventCode::ServerProcessTerminatedUnhealthy
            | FleetEventCode::GameServerContainerGroupReplacedUnhealthy => Some(Self::TerminatedUnhealthy),
            FleetEventCode::GameSessionActivationTimeout => Some(Self::ActivationTimedOut),
            FleetEventCode::ServerProcessForceTerminated => Some(Self::ForceTerminated),
            FleetEventCode::InstanceReplacedUnhealthy => Some(Self::HostLost),
            _ => None,
        }
    }
}

/// The game session a fleet event's message names, by its ARN.
pub fn session_in(message: &str) -> Option<GameSessionId> {
    let start = message
        .find("arn:")
        .filter(|at| message.get(*at..).is_some_and(|rest| rest.contains("gamesession/")))?;
    let rest = message.get(start..)?;
    let end = rest.find(|letter: char| {
        !letter.is_ascii_alphanumeric() && !matches!(letter, ':' | '/' | '-' | '_' | '.')
    });
    let arn = rest.get(..end.unwrap_or(rest.len()))?.trim_end_matches(['.', ':']);
    GameSessionId::from_arn(arn).filter(|id| !id.short().is_empty())
}

/// The compute a fleet event's message names. GameLift writes `compute(i-…)`, `instanceId(i-…)` or `ComputeName: i-…`;
/// an instance id is also found alone.
pub fn compute_in(message: &str) -> Option<&str> {
    static NAMED: OnceLock<Option<Regex>> = OnceLock::new();
    let named = NAMED.get_or_init(|| {
        Regex::new(r"(?:compute|instanceId)\(([^()\s]+)\)|ComputeName: ([^\s,]+)|\b(i-[0-9a-f]{8,17})\b").ok()
    });
    let found = named.as_ref()?.captures(message)?;
    let name = found.iter().skip(1).flatten().next()?.as_str();
    (name != "null" && name != "none").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARN: &str = "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/eu-north-1/gsess-11112222";

    #[test]
    fn a_message_names_its_session_whatever_stands_around_the_arn() {
        for message in [
            ARN.to_owned(),
            format!("Server process of {ARN} on i-1 exited with code 139."),
            format!("exited without calling ProcessEnding(), gameSessionId({ARN})"),
            format!("The session was {ARN}."),
        ] {
            assert_eq!(session_in(&message), Some(GameSessionId::from(ARN)), "{message}");
        }
        for other in [
            "",
            "arn:aws:gamelift:eu-west-1::fleet/fleet-1",
            "no gamesession/ here",
            "arn: gamesession/fleet-1/",
        ] {
            assert_eq!(session_in(other), None, "{other}");
        }
    }

    #[test]
    fn a_message_names_its_compute_in_any_form_gamelift_has_used() {
        for (message, compute) in [
            (
                "exited without calling ProcessEnding(), compute(i-0151adf51f66392ba), location(us-east-1)",
                Some("i-0151adf51f66392ba"),
            ),
            (
                "within 5 minutes, launchPath(/local/game/Server), arguments(null), instanceId(i-0758a58563c9fc6df)",
                Some("i-0758a58563c9fc6df"),
            ),
            (
                "not called in time. ComputeName: i-0151adf51f66392ba and Location: us-east-1",
                Some("i-0151adf51f66392ba"),
            ),
            ("exited, compute(rack-7), location(custom-home)", Some("rack-7")),
            ("Instance i-0abc1234def567890 was replaced.", Some("i-0abc1234def567890")),
            ("exited, compute(null)", None),
            ("The launch path was not found.", None),
        ] {
            assert_eq!(compute_in(message), compute, "{message}");
        }
    }

    #[test]
    fn what_an_operator_asked_for_is_not_abnormal() {
        let abnormal: Vec<&str> =
            GameSessionEnding::all().filter(|one| one.is_abnormal()).map(GameSessionEnding::as_str).collect();
        assert_eq!(
            abnormal,
            ["host_lost", "crashed", "terminated_unhealthy", "activation_timed_out", "error", "interrupted"]
        );
    }

    #[test]
    fn a_status_reason_outweighs_what_an_event_says_and_an_event_outweighs_silence() {
        let asked = GameSessionEnding::of_status(
            &GameSessionStatus::Terminated,
            Some(&GameSessionStatusReason::TriggeredOnProcessTerminate),
        );
        let crashed = GameSessionEnding::of_event(&FleetEventCode::ServerProcessCrashed).unwrap();
        let silent = GameSessionEnding::of_status(&GameSessionStatus::Terminated, None);
        assert_eq!(asked.max(crashed), GameSessionEnding::TerminatedByRequest);
        assert_eq!(silent.max(crashed), GameSessionEnding::Crashed);
    }

    #[test]
    fn an_ending_is_spelled_alike_in_json_and_in_a_query() {
        for ending in GameSessionEnding::all() {
            assert_eq!(serde_json::to_value(ending).unwrap(), ending.as_str());
        }
    }
}
