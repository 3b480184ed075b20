//! A preview on the terminal and as JSON.

use liftdeck_model::Location;
use liftdeck_model::Severity;
use liftdeck_model::action::Request;
use liftdeck_model::activity::FactChange;
use liftdeck_operations::{Preview, SkipReason, Skipped, UndoOffer};
use serde_json::{Value, json};

use crate::cli::Lines;

/// Changes shown one by one; the rest are counted.
const SHOWN: usize = 20;

/// The preview as text, for people.
pub(super) fn text(preview: &Preview) -> Lines {
    let mut out = Lines::one(&preview.title);
    for item in preview.items.iter().take(SHOWN) {
        let resource = item.action.request.resource();
        let name = item.resource_name.as_deref().filter(|name| *name != resource.id);
        let words = [item.action.request.operation(), item.action.region.as_str(), &resource.id];
        let words = words.into_iter().chain(name).filter(|word| !word.is_empty());
        let location = location(&item.action.request).map(|location| format!("  in {location}"));
        out.push(format!("  {}{}", words.collect::<Vec<_>>().join("  "), location.unwrap_or_default()));
        let width = item.facts.iter().map(|fact| fact.label.chars().count()).max().unwrap_or(0);
        for fact in &item.facts {
            out.push(format!("    {:width$}  {}", fact.label, fact_text(fact)));
        }
    }
    if let Some(more) = preview.items.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        out.push(format!("  … and {more} more"));
    }
    if let Some(left_out) = &preview.left_out {
        out.push(format!("Left out: {}", left_out.sentence));
        out.append(skipped_text(&left_out.rows));
    }
    out.push(format!("Hits: {}", preview.blast.sentence));
    for warning in &preview.warnings {
        out.push(format!("{}: {}", severity(warning.severity), warning.text));
    }
    out.push(format!("Undo: {}", undo(&preview.undo).1));
    if let Some(typed) = &preview.must_type {
        out.push(format!("To confirm, type: {typed}"));
    }
    for command in preview.commands.iter().take(SHOWN) {
        out.push(format!("$ {command}"));
    }
    out
}

/// The location that a change names, if any: one fleet may have a line per location.
fn location(request: &Request) -> Option<&Location> {
    match request {
        Request::UpdateFleetCapacity(it) => it.location.as_ref(),
        Request::StopFleetActions(it) | Request::StartFleetActions(it) => it.location.as_ref(),
        Request::CreateGameSession(it) => it.location.as_ref(),
        _ => None,
    }
}

/// Lists what is left out, one per line. What has already ended is only counted.
pub(super) fn skipped_text(skipped: &[Skipped]) -> Lines {
    let told: Vec<&Skipped> = skipped.iter().filter(|one| one.reason != SkipReason::Ended).collect();
    let mut out = Lines::default();
    for one in told.iter().take(SHOWN) {
        let name = one.name.as_deref().filter(|name| *name != one.resource);
        let words = [one.operation.as_str(), one.region.as_str(), &one.resource];
        let words = words.into_iter().chain(name).chain([one.text.as_str()]);
        out.push(format!("  {}", words.collect::<Vec<_>>().join("  ")));
    }
    if let Some(more) = told.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        out.push(format!("  … and {more} more"));
    }
    out
}

/// The preview as JSON, for programs.
pub(super) fn json(preview: &Preview) -> Value {
    let items = preview.items.iter().map(|item| {
        let resource = item.action.request.resource();
        json!({
            "operation": item.action.request.operation(),
            "region": item.action.region.as_str(),
            "resource": resource.id,
            "name": item.resource_name,
            "location": location(&item.action.request),
            "facts": item.facts,
        })
    });
    let (kind, text) = undo(&preview.undo);
    json!({
        "title": preview.title,
        "items": items.collect::<Vec<_>>(),
        "skipped": preview.skipped(),
        "hits": {
            "game_sessions": preview.blast.game_sessions,
            "player_sessions": preview.blast.player_sessions,
            "protected_game_sessions": preview.blast.protected_game_sessions,
            "share_of_region": preview.blast.share_of_region,
            "sentence": preview.blast.sentence,
            "as_of": preview.blast.as_of.map(|at| at.to_string()),
        },
        "warnings": preview.warnings.iter()
            .map(|warning| json!({ "severity": severity(warning.severity), "text": warning.text }))
            .collect::<Vec<_>>(),
        "undo": { "kind": kind, "text": text },
        "must_type": preview.must_type,
        "commands": preview.commands,
    })
}

/// A fact before and after.
pub(in crate::cli) fn fact_text(fact: &FactChange) -> String {
    match (&fact.before, &fact.after) {
        (Some(before), Some(after)) if before == after => format!("{after} (unchanged)"),
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (None, Some(after)) => after.clone(),
        (Some(before), None) => format!("{before} → none"),
        (None, None) => "absent".to_owned(),
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Bad => "bad",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn undo(offer: &UndoOffer) -> (&'static str, &str) {
    match offer {
        UndoOffer::Exact => ("exact", "everything is restored."),
        UndoOffer::Partly(text) => ("partly", text),
        UndoOffer::None(text) => ("none", text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_reads_as_what_was_and_what_will_be() {
        let fact = |before: Option<&str>, after: Option<&str>| FactChange {
            label: "Name".to_owned(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        };
        assert_eq!(fact_text(&fact(Some("a"), Some("b"))), "a → b");
        assert_eq!(fact_text(&fact(None, Some("b"))), "b");
        assert_eq!(fact_text(&fact(Some("a"), None)), "a → none");
        assert_eq!(fact_text(&fact(Some("a"), Some("a"))), "a (unchanged)");
    }
}
