//! What this installation asked AWS to change, and what became of it.
//!
//! Owns the record. Deliberately decides nothing: the guard writes it, the store keeps it.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::action::Action;
use crate::id::{FleetId, Region};
use crate::time::Timestamp;

crate::id::string_id! {
    /// An attempt: a UUID made before anything is sent.
    ActivityId,
    /// A series of attempts that belong together, such as a bulk change or the drain of a fleet: a UUID.
    RunId,
}

/// What became of an attempt.
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
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ActivityOutcome {
    /// Recorded before the call; the answer is not here yet.
    Sending,
    /// AWS said yes.
    Done,
    /// AWS said no, or the request surely never reached it.
    Failed,
    /// The request may have reached AWS and no answer came: nobody knows yet.
    Unknown,
}

/// How it is known what became of an attempt.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Proof {
    /// AWS answered.
    #[default]
    Answered,
    /// No answer came. AWS shows what only this attempt can have made: it carries an id this attempt gave it.
    Own,
    /// No answer came. AWS shows what was asked for, done by whomever; or no trace where none can come any more.
    Seen,
}

/// Whence an attempt came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ActivitySource {
    /// A person at the window.
    Window,
    /// The command line.
    CommandLine,
}

/// A fact before and after, as people read it: `Desired instances`, `4`, `8`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FactChange {
    /// What.
    pub label: String,
    /// Before; absent for what did not exist or was not known.
    pub before: Option<String>,
    /// After; absent for what no longer exists.
    pub after: Option<String>,
}

/// How the effect of a change that AWS accepted is coming along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EffectState {
    /// Being looked for.
    Awaited,
    /// Seen on AWS.
    Seen,
    /// Ended another way: the placement failed, the session would not end.
    Missed,
    /// No longer looked for; the record says until when it was.
    GivenUp,
}

/// The effect of a change, as last looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Effect {
    /// How it stands.
    pub state: EffectState,
    /// What is seen, in a sentence: `The game session is ACTIVE`.
    pub text: String,
    /// When it was looked at.
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
    /// What was asked.
    pub action: Action,
    /// Home Region; the action's.
    pub region: Region,
    /// The fleet concerned, where one is.
    pub fleet_id: Option<FleetId>,
    /// What the resource is called, for lists.
    pub name: Option<String>,
    /// What it changes, as previewed.
    pub facts: Vec<FactChange>,
    /// What undoing it takes, worked out from what was there before; empty when it cannot be undone.
    pub undo: Vec<Action>,
    /// The attempt this one undoes.
    pub undo_of: Option<ActivityId>,
    /// Window or command line.
    pub source: ActivitySource,
    /// Whom AWS took us for (ARN).
    pub caller_arn: Option<String>,
    /// What became of it.
    pub outcome: ActivityOutcome,
    /// How that is known.
    #[serde(default)]
    pub proof: Proof,
    /// When the answer came or was given up.
    pub ended_at: Option<Timestamp>,
    /// AWS's own time when it was given up or later, never earlier; from then on it can arrive for minutes still. Absent
    /// where AWS has not told its time, and for what was answered.
    #[serde(default)]
    pub given_up_aws_at: Option<Timestamp>,
    /// AWS request id.
    pub request_id: Option<String>,
    /// AWS error code.
    pub aws_code: Option<String>,
    /// What AWS or the program said, a sentence; of a failure with what to do.
    pub message: Option<String>,
    /// Id of what was made: a game session's ARN, an alias id, a ticket id.
    pub made: Option<String>,
    /// Player sessions made, as (player id, player session id).
    pub made_player_sessions: Vec<(String, String)>,
    /// Whether the effect was seen.
    pub effect: Option<Effect>,
}

impl Activity {
    /// The record of an attempt of the window as it is about to be sent: nothing is known of it yet.
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

    /// Whether it was carried out, and surely by this attempt: only that may be undone, or be said to be ours.
    pub fn is_surely_ours(&self) -> bool {
        self.outcome == ActivityOutcome::Done && self.proof != Proof::Seen
    }
}
