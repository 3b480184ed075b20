//! The outcome of changes, on the terminal, as JSON and as an exit code.

use liftdeck_model::GameSessionId;
use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, ActivityOutcome, EffectState};
use liftdeck_model::game_session::address;
use liftdeck_operations::{Run, Skipped, had_ended};
use liftdeck_store::RunState;
use serde_json::{Value, json};

use super::super::{Caller, Failure, Lines, Outcome};
use super::guarded::GuardedConnection;
use super::preview::skipped_text;

/// The outcome of a command's changes.
pub(in crate::cli) struct ChangeResults<'a> {
    pub(in crate::cli) activities: &'a [Activity],
    pub(in crate::cli) run: Option<&'a Run>,
    pub(in crate::cli) connections: &'a [Connection],
    /// The one change, when it had nothing left to do by the time it was confirmed.
    pub(in crate::cli) skipped: &'a [Skipped],
}

/// How players reach a game session that was created or joined.
pub(in crate::cli) struct Connection {
    id: GameSessionId,
    status: String,
    address: Option<String>,
}

/// Asks AWS how players reach the game session that a single change created or joined. Returns nothing for a run.
pub(super) async fn connections(connection: &GuardedConnection, activities: &[Activity]) -> Vec<Connection> {
    let [activity] = activities else { return Vec::new() };
    if activity.outcome != ActivityOutcome::Done {
        return Vec::new();
    }
    let Ok(aws) = connection.aws(&activity.region) else { return Vec::new() };
    let id = match &activity.action.request {
        Request::CreateGameSession(_) => activity.made.as_deref().map(GameSessionId::from),
        Request::CreatePlayerSessions(it) => Some(it.game_session_id.clone()),
        Request::StartGameSessionPlacement(it) => aws
            .placement(&it.placement_id)
            .await
            .ok()
            .flatten()
            .and_then(|placement| placement.game_session_id),
        _ => None,
    };
    let Some(id) = id else { return Vec::new() };
    // If this read fails the address is left out: the change itself is done.
    let Ok(Some(session)) = aws.game_session(&id).await else { return Vec::new() };
    let address = address(&session.dns_name, &session.ip_address, session.port);
    vec![Connection { id, status: session.status.to_string(), address }]
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
        for connection in self.connections {
            let address = connection.address.as_deref().unwrap_or("no address yet");
            out.push(format!("         {}  {}  {address}", connection.id, connection.status));
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
            "game_sessions": self.connections.iter().map(|connection| json!({
                "game_session_id": connection.id,
                "status": connection.status,
                "address": connection.address,
            })).collect::<Vec<_>>(),
        })
    }

    /// The outcome for the exit code. The lines already printed say what failed and what is unknown.
    pub(in crate::cli) fn outcome(&self, caller: &Caller, waited: bool) -> Result<Outcome, Failure> {
        if let Some(run) = self.run {
            return match (run.done + run.ended, run.failed + run.unknown, run.skipped, run.state) {
                (_, 0, 0, RunState::Finished) => Ok(Outcome::Done),
                (0, 0, _, RunState::Finished) => {
                    Err(Failure::refused("Nothing was sent: all of it has changed since it was looked at."))
                }
                (0, _, _, RunState::Finished) => Err(Failure::new("None of the changes was made.")),
                _ => Ok(Outcome::Partly),
            };
        }
        let [activity] = self.activities else { return Ok(Outcome::Done) };
        match activity.outcome {
            ActivityOutcome::Done => {}
            ActivityOutcome::Failed if had_ended(activity) => return Ok(Outcome::Done),
            ActivityOutcome::Failed => {
                return Err(Failure::new(failure(activity)));
            }
            ActivityOutcome::Unknown | ActivityOutcome::Sending => {
                return Err(Failure::new(format!(
                    "{} Its outcome is unknown. Ask AWS with `liftdeck activity settle {}`.",
                    failure(activity),
                    activity.id
                )));
            }
        }
        match activity.effect.as_ref() {
            Some(effect) if waited && effect.state == EffectState::Missed => {
                caller.terminal.say(&effect.text);
                Ok(Outcome::Partly)
            }
            Some(effect) if waited && effect.state != EffectState::Seen => Ok(Outcome::Partly),
            _ => Ok(Outcome::Done),
        }
    }
}

/// Why an attempt failed, with code and request id.
fn failure(activity: &Activity) -> String {
    let message = activity.message.clone().unwrap_or_else(|| "The change failed.".to_owned());
    let code = activity.aws_code.as_deref().filter(|code| !message.contains(*code));
    let request = activity.request_id.as_deref().filter(|id| !message.contains(*id));
    let facts: Vec<String> =
        code.map(str::to_owned).into_iter().chain(request.map(|id| format!("request {id}"))).collect();
    if facts.is_empty() { message } else { format!("{message} ({})", facts.join(", ")) }
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
    let mut words = vec![<&str>::from(run.state).to_owned(), run.id.to_string(), progress(run)];
    words.extend(run.message.clone());
    words.join("  ")
}

/// The progress of a run, in a sentence.
pub(super) fn progress(run: &Run) -> String {
    let mut text = format!("{}: {} of {} done", run.title, run.done, run.total);
    if run.ended > 0 {
        text.push_str(&format!(", {} already ended", run.ended));
    }
    if run.skipped > 0 {
        text.push_str(&format!(", {} left out", run.skipped));
    }
    text.push_str(&format!(", {} failed, {} unknown, {} left", run.failed, run.unknown, run.left));
    if let Some(drain) = &run.drain {
        let players = drain.player_sessions.map(|players| format!(" with {players} players"));
        let (live, players) = (drain.game_sessions, players.unwrap_or_default());
        text.push_str(&format!("; {live} game sessions{players} left. {}", drain.estimate_text));
    }
    text
}
