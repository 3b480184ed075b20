//! What a collection did, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use liftdeck_collector::{Calls, FeedHealth, FeedState, Health, HealthState, Summary};
use liftdeck_gateway::Usage;
use liftdeck_model::time::in_words;
use liftdeck_model::watch::Down;
use serde::Serialize;
use serde_json::Value;

use crate::cli::{Failure, Lines, Outcome, Terminal};

/// What a continuous collection asked of AWS, and its state at the end.
#[derive(Debug, Serialize)]
struct Ran {
    state: &'static str,
    revision: u64,
    calls: BTreeMap<String, Calls>,
    throttles: u64,
    errors: u64,
    cloudwatch_metrics: u64,
    /// Tasks that were not running at the end.
    down: Vec<Down>,
    took_ms: u64,
    feeds: Vec<FeedHealth>,
}

/// Prints the summary of one complete pass and decides its outcome.
pub(super) fn of_pass(terminal: &Terminal, summary: &Summary, json: bool) -> Result<Outcome, Failure> {
    if json {
        terminal.answer_json_line(&in_snake_case(summary)?)?;
    } else {
        let mut text = Lines::default();
        counts(&mut text, "rows written", summary.rows.iter().map(|(kind, rows)| format!("{kind} {rows}")));
        calls(&mut text, &summary.calls, summary.throttles, summary.errors, summary.cloudwatch_metrics);
        text.push(format!("took {}", in_words(i64::try_from(summary.took_ms).unwrap_or(i64::MAX))));
        terminal.answer(&text)?;
    }
    judge(terminal, summary)
}

/// Renames the members of `feeds` and `down`, which are made for the screens, to snake_case. Other members are kept
/// as they are: their keys are names of operations and kinds.
fn in_snake_case(report: &impl Serialize) -> Result<Value, Failure> {
    let mut report = serde_json::to_value(report)
        .map_err(|error| Failure::new(format!("The report could not be written: {error}.")))?;
    for name in ["feeds", "down"] {
        if let Some(member) = report.get_mut(name) {
            rename(member);
        }
    }
    Ok(report)
}

fn rename(value: &mut Value) {
    match value {
        Value::Array(members) => members.iter_mut().for_each(rename),
        Value::Object(members) => {
            for (name, mut member) in std::mem::take(members) {
                rename(&mut member);
                let snake = name.chars().fold(String::new(), |name, letter| match letter.is_uppercase() {
                    true => name + "_" + &letter.to_lowercase().to_string(),
                    false => name + &letter.to_string(),
                });
                members.insert(snake, member);
            }
        }
        _ => {}
    }
}

/// Decides whether a pass is done, partly done, or failed. It failed if nothing was read at all, or if the database
/// could not store it.
fn judge(terminal: &Terminal, summary: &Summary) -> Result<Outcome, Failure> {
    // The message of a failed call begins with its operation; one that names no operation is a failure of our own
    // database.
    let is_call =
        |message: &str| summary.calls.keys().any(|operation| message.starts_with(operation.as_str()));
    let local = summary.failures.iter().find(|failure| !is_call(&failure.message));
    let sentence = |failure: &liftdeck_collector::Failure| match &failure.remedy {
        Some(remedy) => format!("{}. {remedy}", failure.message.trim_end_matches('.')),
        None => format!("{}.", failure.message.trim_end_matches('.')),
    };
    if let Some(failure) = local {
        return Err(Failure::new(sentence(failure)));
    }
    let is_left_alone = say_feeds(terminal, &summary.feeds);
    let Some(first) = summary.failures.first() else {
        return Ok(if is_left_alone { Outcome::Partly } else { Outcome::Done });
    };
    let succeeded: u64 = summary.calls.values().map(|calls| calls.calls.saturating_sub(calls.errors)).sum();
    if summary.rows.is_empty() && succeeded == 0 {
        return Err(Failure::new(sentence(first)));
    }
    for failure in &summary.failures {
        terminal.say(&sentence(failure));
    }
    Ok(Outcome::Partly)
}

/// Prints the notes on the event queues; returns true if one was named and is not received from.
fn say_feeds(terminal: &Terminal, feeds: &[FeedHealth]) -> bool {
    for note in feeds.iter().flat_map(FeedHealth::notes) {
        terminal.say(&note);
    }
    feeds.iter().any(|feed| matches!(feed.state, FeedState::NotAdopted | FeedState::Halted))
}

/// Prints what a continuous collection did, and decides its outcome from its state at the end.
pub(super) fn of_run(
    terminal: &Terminal,
    health: &Health,
    usage: &Usage,
    took_ms: u64,
    json: bool,
) -> Result<Outcome, Failure> {
    let mut ran = Ran {
        state: word(health.state),
        revision: health.revision,
        calls: BTreeMap::new(),
        throttles: 0,
        errors: 0,
        cloudwatch_metrics: usage.cloudwatch_metrics_requested,
        down: health.down.clone(),
        took_ms,
        feeds: health.feeds.clone(),
    };
    for operation in &usage.operations {
        let calls = ran.calls.entry(operation.operation.to_owned()).or_default();
        calls.calls += operation.calls;
        calls.retries += operation.retries;
        calls.throttles += operation.throttles;
        calls.errors += operation.errors;
        ran.throttles += operation.throttles;
        ran.errors += operation.errors;
    }
    if json {
        terminal.answer_json_line(&in_snake_case(&ran)?)?;
    } else {
        let mut text = Lines::default();
        calls(&mut text, &ran.calls, ran.throttles, ran.errors, ran.cloudwatch_metrics);
        let took = in_words(i64::try_from(took_ms).unwrap_or(i64::MAX));
        text.push(format!("state {}, revision {}, took {took}", ran.state, ran.revision));
        ran.down.iter().for_each(|down| text.push(down.to_string()));
        terminal.answer(&text)?;
    }
    for caution in &health.cautions {
        terminal.say(&caution.to_string());
    }
    say_feeds(terminal, &health.feeds);
    let Some(message) = &health.message else { return Ok(Outcome::Done) };
    let mut sentence = format!("{}.", message.trim_end_matches('.'));
    if let Some(remedy) = &health.remedy {
        let _ = write!(sentence, " {remedy}");
    }
    let ever_read = health.regions.iter().any(|region| region.last_success.is_some());
    match health.state {
        HealthState::StoreProblem => Err(Failure::new(sentence)),
        HealthState::Denied
        | HealthState::Unreachable
        | HealthState::CredentialsExpired
        | HealthState::WrongAccount
        | HealthState::Unproven => {
            if ever_read {
                terminal.say(&sentence);
                Ok(Outcome::Partly)
            } else {
                Err(Failure::new(sentence))
            }
        }
        _ => Ok(Outcome::Done),
    }
}

/// The progress of a pass, in a sentence.
pub(super) fn progress(calls: u64, passed_ms: i64) -> String {
    format!("Reading for {}: {calls} calls so far, within the request budget.", in_words(passed_ms))
}

const fn word(state: HealthState) -> &'static str {
    match state {
        HealthState::Live => "live",
        HealthState::Starting => "starting",
        HealthState::Behind => "behind",
        HealthState::Throttled => "throttled",
        HealthState::Denied => "denied",
        HealthState::Unreachable => "unreachable",
        HealthState::CredentialsExpired => "credentials_expired",
        HealthState::WrongAccount => "wrong_account",
        HealthState::Unproven => "unproven",
        HealthState::StoreProblem => "store_problem",
        HealthState::Stopped => "stopped",
    }
}

fn counts(text: &mut Lines, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    let items = if items.is_empty() { "none".to_owned() } else { items.join(", ") };
    text.push(format!("{title}: {items}"));
}

fn calls(
    text: &mut Lines,
    calls: &BTreeMap<String, Calls>,
    throttles: u64,
    errors: u64,
    cloudwatch_metrics: u64,
) {
    counts(text, "calls", calls.iter().map(|(operation, calls)| format!("{operation} {}", calls.calls)));
    text.push(format!("throttled {throttles}, failed {errors}, CloudWatch metrics {cloudwatch_metrics}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use liftdeck_model::Region;
    use liftdeck_model::observation::PollKind;

    fn summary(rows: u64, calls: Calls, message: &str) -> Summary {
        let mut summary = Summary::default();
        if rows > 0 {
            summary.rows.insert("fleets".to_owned(), rows);
        }
        summary.calls.insert("ListFleets".to_owned(), calls);
        summary.failures.push(liftdeck_collector::Failure {
            region: Region::from("eu-west-1"),
            kind: PollKind::Fleets,
            resources: 1,
            message: message.to_owned(),
            remedy: None,
        });
        summary
    }

    #[test]
    fn a_pass_is_partly_done_when_some_of_it_was_read() {
        let calls = Calls { calls: 3, errors: 1, ..Calls::default() };
        assert_eq!(
            judge(&Terminal::own(), &summary(1, calls, "ListFleets in eu-west-1 is not allowed")).unwrap(),
            Outcome::Partly
        );
    }

    #[test]
    fn a_pass_that_read_nothing_failed() {
        let calls = Calls { calls: 1, errors: 1, ..Calls::default() };
        assert!(
            judge(&Terminal::own(), &summary(0, calls, "ListFleets in eu-west-1 could not reach AWS"))
                .is_err()
        );
    }

    #[test]
    fn a_pass_the_database_could_not_take_failed_whatever_was_read() {
        let calls = Calls { calls: 9, ..Calls::default() };
        assert!(judge(&Terminal::own(), &summary(5, calls, "The disk of the database x is full.")).is_err());
    }
}
