//! Changes this installation asked AWS to make, and their outcomes.
//!
//! Owns the record. Deliberately decides nothing: the guard writes it, the store keeps it.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::action::Action;
use crate::id::{FleetId, Region};
use crate::time::Timestamp;

crate::id::string_id! {
    /// Id of an attempt: a UUID made before anything is sent.
    ActivityId,
    /// Id of a series of related attempts, such as a bulk change or the drain of a fleet: a UUID.
    RunId,
}

/// The outcome of an attempt.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    specta::Type,
    EnumString,
    IntoStaticStr,
    VariantNames,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ActivityOutcome {
    /// Recorded before the call; no response has come yet.
    Sending,
    /// AWS accepted the request.
    Done,
    /// AWS refused the request, or it certainly never reached AWS.
    Failed,
    /// The request may have reached AWS, but no response came; the outcome is not known yet.
    Unknown,
}

/// How the outcome of an attempt is known.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Proof {
    /// AWS answered.
    #[default]
    Answered,
    /// No response came. AWS shows something that only this attempt can have made: it carries an id this attempt gave
    /// it.
    Own,
    /// No response came. AWS shows what was asked for, whoever did it; or it shows no trace, and none can appear any
    /// more.
    Seen,
}

/// Where an attempt came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ActivitySource {
    /// A person using the window.
    Window,
    /// The command line.
    CommandLine,
}

/// A fact before and after, as shown to people: `Desired instances`, `4`, `8`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FactChange {
    /// Name of the fact.
    pub label: String,
    /// Value before; absent if it did not exist or was not known.
    pub before: Option<String>,
    /// Value after; absent if it no longer exists.
    pub after: Option<String>,
}

/// Formats the change for people: `4 → 8`, `8 (unchanged)`, `4 → none`.
impl fmt::Display for FactChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if before == after => write!(out, "{after} (unchanged)"),
            (Some(before), Some(after)) => write!(out, "{before} → {after}"),
            (None, Some(after)) => out.write_str(after),
            (Some(before), None) => write!(out, "{before} → none"),
            (None, None) => out.write_str("absent"),
        }
    }
}

/// Progress of the effect of a change that AWS accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EffectState {
    /// Not seen yet, and still being checked for.
    Awaited,
    /// Seen on AWS.
    Seen,
    /// Turned out differently: the placement failed, the session would not end.
    Missed,
    /// No longer checked for; the record says until when it was.
    GivenUp,
}

/// The effect of a change, as last checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Effect {
    /// State of the effect.
    pub state: EffectState,
    /// What is seen, in a sentence: `The game session is ACTIVE`.
    pub text: String,
    /// When it was checked.
    pub at: Timestamp,
}

/// An attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Activity {
    /// Id.
    pub id: ActivityId,
    /// The run it belongs to.
    pub run: Option<RunId>,
    /// Its place in the run, from 0.
    pub item: Option<u32>,
    /// When it was recorded, just before it was sent.
    pub at: Timestamp,
    /// What was requested.
    pub action: Action,
    /// Home Region, taken from the action.
    pub region: Region,
    /// The fleet concerned, if any.
    pub fleet_id: Option<FleetId>,
    /// Name of the resource, for lists.
    pub name: Option<String>,
    /// What it changes, as previewed.
    pub facts: Vec<FactChange>,
    /// Actions that undo it, derived from the state before; empty when it cannot be undone.
    pub undo: Vec<Action>,
    /// The attempt this one undoes.
    pub undo_of: Option<ActivityId>,
    /// Window or command line.
    pub source: ActivitySource,
    /// ARN of the identity that AWS saw.
    pub caller_arn: Option<String>,
    /// The outcome.
    pub outcome: ActivityOutcome,
    /// How the outcome is known.
    #[serde(default)]
    pub proof: Proof,
    /// When the response came, or waiting for it was given up.
    pub ended_at: Option<Timestamp>,
    /// AWS's own time when waiting was given up, or later, but never earlier. The request can still arrive for
    /// minutes after it. Absent if AWS has not told its time, or if a response came.
    #[serde(default)]
    pub given_up_aws_at: Option<Timestamp>,
    /// AWS request id.
    pub request_id: Option<String>,
    /// AWS error code.
    pub aws_code: Option<String>,
    /// Message from AWS or the program, as a sentence; for a failure it includes what to do.
    pub message: Option<String>,
    /// Id of the resource created: a game session's ARN, an alias id, a ticket id.
    pub made: Option<String>,
    /// Player sessions created, as (player id, player session id).
    pub made_player_sessions: Vec<(String, String)>,
    /// Whether the effect was seen.
    pub effect: Option<Effect>,
}

impl Activity {
    /// Creates the record of an attempt from the window that is about to be sent; its outcome is not known yet.
    pub fn sending(id: ActivityId, at: Timestamp, action: Action) -> Self {
        Self {
            id,
            run: None,
            item: None,
            at,
            region: action.region.clone(),
            action,
            fleet_id: None,
            name: None,
            facts: Vec::new(),
            undo: Vec::new(),
            undo_of: None,
            source: ActivitySource::Window,
            caller_arn: None,
            outcome: ActivityOutcome::Sending,
            proof: Proof::Answered,
            ended_at: None,
            given_up_aws_at: None,
            request_id: None,
            aws_code: None,
            message: None,
            made: None,
            made_player_sessions: Vec::new(),
            effect: None,
        }
    }

    /// Whether its effect is still being checked for.
    pub fn awaits_effect(&self) -> bool {
        self.effect.as_ref().is_some_and(|effect| effect.state == EffectState::Awaited)
    }

    /// Whether it was carried out, and certainly by this attempt. Only such a change may be undone or called ours.
    pub fn is_surely_ours(&self) -> bool {
        self.outcome == ActivityOutcome::Done && self.proof != Proof::Seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_reads_as_what_was_and_what_will_be() {
        let fact = |before: Option<&str>, after: Option<&str>| {
            let [before, after] = [before, after].map(|text| text.map(str::to_owned));
            FactChange { label: "Name".to_owned(), before, after }.to_string()
        };
        assert_eq!(fact(Some("a"), Some("b")), "a → b");
        assert_eq!(fact(None, Some("b")), "b");
        assert_eq!(fact(Some("a"), None), "a → none");
        assert_eq!(fact(Some("a"), Some("a")), "a (unchanged)");
    }
}
