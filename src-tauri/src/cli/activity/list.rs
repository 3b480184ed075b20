//! `liftdeck activity list` and `runs`: the attempts and runs on record.

use clap::Args;
use liftdeck_insight::answer::activity::{ActivityPage, ActivityRow};
use liftdeck_model::activity::ActivityOutcome;
use liftdeck_operations::Run;
use liftdeck_store::RunState;
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;
use serde_json::json;

use crate::cli::look::ReadConnection;
use crate::cli::show::{
    Column, Question, Shown, Span, Table, Tone, Total, at, cell, data, many, name, number, words,
};
use crate::cli::{Failure, one_of};

/// Which attempts to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    span: Span,
    /// Only those with this outcome
    #[arg(long, value_parser = one_of::<ActivityOutcome>(), value_name = "OUTCOME")]
    outcome: Vec<ActivityOutcome>,
    /// Only those that mention this: operation, resource, name, request id, player
    #[arg(long, value_name = "TEXT", default_value = "")]
    text: String,
    /// At most this many, newest first
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
}

/// Which runs to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct Runs {
    /// Only those that are under way or paused
    #[arg(long)]
    open: bool,
}

const ATTEMPTS: &[Column<ActivityRow>] = &[
    number("at", "WHEN").of(|it| at(it.at)),
    words("outcome", "OUTCOME").of(|it| name(it.outcome)),
    words("title", "WHAT").least(20).of(|it| cell(&it.title)),
    words("operation", "OPERATION").rank(4).of(|it| cell(&it.operation)),
    words("region", "REGION").rank(3).of(|it| cell(&it.region)),
    words("message", "MESSAGE").least(16).rank(2).of(|it| cell(&it.message)),
    words("request_id", "REQUEST").rank(5).of(|it| cell(&it.request_id)),
    words("id", "ID").rank(1).of(|it| cell(it.id.as_str())),
    data("ended_at").of(|it| at(it.ended_at)),
    data("run").of(|it| cell(it.run_id.as_ref().map(|run| run.as_str()))),
    data("resource").of(|it| cell(&it.resource_id)),
    data("name").of(|it| cell(&it.resource_name)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
    data("facts").of(|it| many(it.facts.iter().map(|fact| format!("{}: {fact}", fact.label)))),
    data("proof").of(|it| name(it.proof)),
    data("aws_code").of(|it| cell(&it.aws_code)),
    data("made").of(|it| cell(&it.made)),
    data("player_sessions").of(|it| many(it.made_player_sessions.iter().map(|slot| &slot.player_session_id))),
    data("effect_state").of(|it| cell(it.effect.as_ref().map(|effect| name(effect.state)))),
    data("effect").of(|it| cell(it.effect.as_ref().map(|effect| &effect.text))),
    data("source").of(|it| name(it.source)),
    data("caller_arn").of(|it| cell(&it.caller_arn)),
    data("can_undo").of(|it| cell(it.can_undo)),
    data("undo_of").of(|it| cell(it.undo_of.as_ref().map(|id| id.as_str()))),
    data("undone_by").of(|it| cell(it.undone_by.as_ref().map(|id| id.as_str()))),
];

const RUNS: &[Column<Run>] = &[
    number("created_at", "BEGUN").of(|it| at(it.created_at)),
    words("state", "STATE").of(|it| name(it.state)),
    words("title", "WHAT").least(20).of(|it| cell(&it.title)),
    number("total", "CHANGES").of(|it| cell(it.total)),
    number("done", "DONE").of(|it| cell(it.done)),
    number("failed", "FAILED").of(|it| cell(it.failed)),
    number("unknown", "UNKNOWN").of(|it| cell(it.unknown)),
    number("left", "LEFT").of(|it| cell(it.left)),
    words("message", "MESSAGE").least(16).rank(2).of(|it| cell(&it.message)),
    words("id", "ID").rank(1).of(|it| cell(it.id.as_str())),
    data("kind").of(|it| name(it.kind)),
    data("region").of(|it| cell(&it.region)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
    data("changed_at").of(|it| at(it.changed_at)),
    data("ended").of(|it| cell(it.ended)),
    data("skipped").of(|it| cell(it.skipped)),
];

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let query = ActivityRequest {
            text: self.text.clone(),
            outcomes: self.outcome.clone(),
            range: self.span.named(look.now())?,
            ..ActivityRequest::everything(Page::first(self.limit))
        };
        let page: ActivityPage = look.ask("activity_list", json!({ "query": query })).await?;
        let table = Table::toned(ATTEMPTS, &page.rows, |it| match it.outcome {
            ActivityOutcome::Done => Tone::Plain,
            ActivityOutcome::Sending | ActivityOutcome::Unknown => Tone::Warning,
            ActivityOutcome::Failed => Tone::Bad,
        });
        let total = Total { noun: ("attempt", "attempts"), all: page.total, is_exact: page.total_is_exact };
        let mut shown = Shown::list(table, total, None);
        if page.rows.iter().any(|it| it.outcome == ActivityOutcome::Unknown) {
            shown.notes.push("`liftdeck activity settle ID` asks AWS what became of one.".to_owned());
        }
        Ok(shown)
    }
}

impl Question for Runs {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let runs: Vec<Run> = look.ask("run_list", json!({ "openOnly": self.open })).await?;
        let table = Table::toned(RUNS, &runs, |it| match it.state {
            RunState::Running | RunState::Paused => Tone::Warning,
            RunState::Stopped | RunState::Finished => Tone::Plain,
        });
        Ok(Shown::whole(table, ("run", "runs"), None))
    }
}
