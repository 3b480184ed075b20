//! What came of changes: why one failed, and how far a run is.

use liftdeck_model::activity::Activity;

use crate::send::run::view::Run;

/// Why an attempt failed, with code and request id unless the message contains them.
pub(crate) fn failure(activity: &Activity) -> String {
    let message = activity.message.clone().unwrap_or_else(|| "The change failed.".to_owned());
    let code = activity.aws_code.as_deref().filter(|code| !message.contains(*code));
    let request = activity.request_id.as_deref().filter(|id| !message.contains(*id));
    let facts: Vec<String> =
        code.map(str::to_owned).into_iter().chain(request.map(|id| format!("request {id}"))).collect();
    if facts.is_empty() { message } else { format!("{message} ({})", facts.join(", ")) }
}

/// How far a run is, in a sentence.
pub(crate) fn progress(run: &Run) -> String {
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
