//! What a collection did, as text and as JSON.

use std::collections::BTreeMap;

use liftdeck_collector::{Calls, Collected, End, Health, Summary, Verdict};
use liftdeck_model::time::in_words;
use serde::Serialize;
use serde_json::Value;

use crate::cli::{Failure, Lines, Outcome, Terminal};

/// Prints the summary of one complete pass and decides its outcome.
pub(super) fn of_pass(terminal: &Terminal, summary: &Summary, json: bool) -> Result<Outcome, Failure> {
    if json {
        terminal.answer_json_line(&in_snake_case(summary)?)?;
    } else {
        let mut text = Lines::default();
        counts(&mut text, "rows written", summary.rows.iter().map(|(kind, rows)| format!("{kind} {rows}")));
        calls(&mut text, &summary.calls, summary.throttles, summary.errors, summary.cloudwatch_metrics);
        text.push(format!("took {}", took(summary.took_ms)));
        terminal.answer(&text)?;
    }
    concluded(terminal, summary.verdict())
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

/// Says what there is to know, and turns how a collection ended into the command's outcome.
fn concluded(terminal: &Terminal, verdict: Verdict) -> Result<Outcome, Failure> {
    verdict.notes.iter().for_each(|note| terminal.say(note));
    match verdict.end {
        End::Done => Ok(Outcome::Done),
        End::Partly => Ok(Outcome::Partly),
        End::Failed(why) => Err(Failure::new(why)),
    }
}

/// Prints what a continuous collection did, and decides its outcome from its state at the end.
pub(super) fn of_run(
    terminal: &Terminal,
    health: &Health,
    ran: &Collected,
    json: bool,
) -> Result<Outcome, Failure> {
    if json {
        terminal.answer_json_line(&in_snake_case(ran)?)?;
    } else {
        let mut text = Lines::default();
        calls(&mut text, &ran.calls, ran.throttles, ran.errors, ran.cloudwatch_metrics);
        text.push(format!("state {}, revision {}, took {}", ran.state, ran.revision, took(ran.took_ms)));
        ran.down.iter().for_each(|down| text.push(down.to_string()));
        terminal.answer(&text)?;
    }
    concluded(terminal, health.verdict())
}

fn took(ms: u64) -> String {
    in_words(i64::try_from(ms).unwrap_or(i64::MAX))
}

/// The progress of a pass, in a sentence.
pub(super) fn progress(calls: u64, passed_ms: i64) -> String {
    format!("Reading for {}: {calls} calls so far, within the request budget.", in_words(passed_ms))
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
