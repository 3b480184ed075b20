//! The outcome of changes, on the terminal, as JSON and as an exit code.

use liftdeck_model::activity::{Activity, ActivityOutcome};
use liftdeck_operations::{Conclusion, JoinedGameSession, Run, Skipped, had_ended};
use serde_json::{Value, json};

use super::super::{Caller, Failure, Lines, Outcome};
use super::preview::skipped_text;

/// The outcome of a command's changes.
pub(in crate::cli) struct ChangeResults<'a> {
    pub(in crate::cli) activities: &'a [Activity],
    pub(in crate::cli) run: Option<&'a Run>,
    pub(in crate::cli) joined: Option<&'a JoinedGameSession>,
    /// The one change, when it had nothing left to do by the time it was confirmed.
    pub(in crate::cli) skipped: &'a [Skipped],
}

impl ChangeResults<'_> {
    /// The outcome as text, for people: one line per attempt, then what was created.
    pub(in crate::cli) fn text(&self) -> Lines {
        self.lines(line_of)
    }

    /// The same, but without the reason if the command ends by reporting why its one change failed.
    pub(in crate::cli) fn text_before_the_verdict(&self) -> Lines {
        match self.activities {
            [only] if self.run.is_none() && ends_in_failure(only) => self.lines(short_line_of),
            _ => self.text(),
        }
    }

    fn lines(&self, line_of: impl Fn(&Activity) -> String) -> Lines {
        let mut out = Lines::default();
        for activity in self.activities {
            out.push(line_of(activity));
            for (player, slot) in &activity.made_player_sessions {
                out.push(format!("         player {player}  {slot}"));
            }
        }
        if let Some(JoinedGameSession { game_session_id, status, address }) = self.joined {
            let address = address.as_deref().unwrap_or("no address yet");
            out.push(format!("         {game_session_id}  {status}  {address}"));
        }
        for one in self.skipped {
            let words = ["ended  ", one.operation.as_str(), one.region.as_str(), &one.resource, &one.text];
            out.push(words.join("  "));
        }
        if let Some(run) = self.run {
            out.append(skipped_text(&run.left_out));
            out.push(run_line(run));
        }
        out
    }

    /// Writes the outcome to stdout, for people or for programs.
    pub(in crate::cli) fn answer(&self, caller: &Caller, json: bool) -> Result<(), Failure> {
        caller.terminal.answer_as(json, || json!({ "result": self.json() }), || self.text())
    }

    /// The outcome as JSON, for programs.
    pub(in crate::cli) fn json(&self) -> Value {
        json!({
            "run": self.run.map(run_json),
            "activities": self.activities.iter().map(activity_json).collect::<Vec<_>>(),
            "skipped": self.skipped,
            "game_sessions": self.joined.as_slice(),
        })
    }

    /// The outcome for the exit code. The lines already printed say what failed and what is unknown.
    pub(in crate::cli) fn outcome(&self, caller: &Caller, waited: bool) -> Result<Outcome, Failure> {
        let conclusion = match (self.run, self.activities) {
            (Some(run), _) => Conclusion::of_run(run),
            (None, [only]) => Conclusion::of(only, waited),
            (None, _) => Conclusion::Done,
        };
        concluded(caller, conclusion)
    }
}

/// Turns what came of changes into the command's outcome.
pub(super) fn concluded(caller: &Caller, conclusion: Conclusion) -> Result<Outcome, Failure> {
    match conclusion {
        Conclusion::Done => Ok(Outcome::Done),
        Conclusion::Partly(said) => {
            said.iter().for_each(|said| caller.terminal.say(said));
            Ok(Outcome::Partly)
        }
        Conclusion::Refused(why) => Err(Failure::refused(why)),
        Conclusion::Failed(why) => Err(Failure::new(why)),
        Conclusion::Unknown { id, why } => Err(Failure::new(format!(
            "{why} Its outcome is unknown. Ask AWS with `liftdeck activity settle {id}`."
        ))),
    }
}

/// Whether a command with only this change ends by reporting its message.
fn ends_in_failure(activity: &Activity) -> bool {
    activity.outcome != ActivityOutcome::Done && !had_ended(activity)
}

fn words_of(activity: &Activity) -> Vec<String> {
    let resource = activity.action.request.resource();
    vec![
        format!("{:<7}", if had_ended(activity) { "ended" } else { activity.outcome.into() }),
        activity.action.request.operation().to_owned(),
        activity.region.to_string(),
        activity.made.clone().unwrap_or(resource.id),
    ]
}

/// One attempt on one line, without the reason.
fn short_line_of(activity: &Activity) -> String {
    words_of(activity).join("  ")
}

/// One attempt on one line.
fn line_of(activity: &Activity) -> String {
    let mut words = words_of(activity);
    // A message from AWS already contains both.
    let said = activity.message.as_deref().unwrap_or_default();
    let unsaid = |fact: &&String| !said.contains(fact.as_str());
    words.extend(activity.request_id.as_ref().filter(unsaid).map(|id| format!("request {id}")));
    words.extend(activity.aws_code.as_ref().filter(unsaid).cloned());
    words.extend(activity.message.clone());
    words.extend(activity.effect.as_ref().map(|effect| effect.text.clone()));
    words.retain(|word| !word.is_empty());
    words.join("  ")
}

/// An attempt as JSON.
fn activity_json(activity: &Activity) -> Value {
    let resource = activity.action.request.resource();
    json!({
        "id": activity.id,
        "run": activity.run,
        "at": activity.at.to_string(),
        "ended_at": activity.ended_at.map(|at| at.to_string()),
        "region": activity.region,
        "operation": activity.action.request.operation(),
        "resource": resource.id,
        "name": activity.name,
        "facts": activity.facts,
        "outcome": activity.outcome,
        "proof": activity.proof,
        "request_id": activity.request_id,
        "aws_code": activity.aws_code,
        "message": activity.message,
        "made": activity.made,
        "player_sessions": activity.made_player_sessions.iter()
            .map(|(player, slot)| json!({ "player_id": player, "player_session_id": slot }))
            .collect::<Vec<_>>(),
        "effect": activity.effect.as_ref().map(|effect| json!({
            "state": effect.state,
            "text": effect.text,
            "at": effect.at.to_string(),
        })),
        "caller_arn": activity.caller_arn,
        "undo_of": activity.undo_of,
    })
}

fn run_json(run: &Run) -> Value {
    json!({
        "id": run.id,
        "kind": run.kind,
        "state": run.state,
        "title": run.title,
        "total": run.total,
        "done": run.done,
        "failed": run.failed,
        "unknown": run.unknown,
        "ended": run.ended,
        "skipped": run.skipped,
        "left": run.left,
        "left_out": run.left_out,
        "message": run.message,
    })
}

/// A run on one line.
fn run_line(run: &Run) -> String {
    let mut words = vec![<&str>::from(run.state).to_owned(), run.id.to_string(), run.progress_text()];
    words.extend(run.message.clone());
    words.join("  ")
}
