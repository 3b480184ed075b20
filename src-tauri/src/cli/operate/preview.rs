//! A preview on the terminal and as JSON.

use liftdeck_model::Severity;
use liftdeck_operations::{Preview, SkipReason, Skipped};
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
        let location = item.action.request.location().map(|location| format!("  in {location}"));
        out.push(format!("  {}{}", words.collect::<Vec<_>>().join("  "), location.unwrap_or_default()));
        let width = item.facts.iter().map(|fact| fact.label.chars().count()).max().unwrap_or(0);
        for fact in &item.facts {
            out.push(format!("    {:width$}  {}", fact.label, fact));
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
    out.push(format!("Undo: {}", preview.undo.text()));
    if let Some(typed) = &preview.must_type {
        out.push(format!("To confirm, type: {typed}"));
    }
    for command in preview.commands.iter().take(SHOWN) {
        out.push(format!("$ {command}"));
    }
    out
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
            "location": item.action.request.location(),
            "facts": item.facts,
        })
    });
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
        "undo": { "kind": <&str>::from(&preview.undo), "text": preview.undo.text() },
        "must_type": preview.must_type,
        "commands": preview.commands,
    })
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Bad => "bad",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
