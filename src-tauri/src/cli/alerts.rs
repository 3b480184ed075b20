//! `liftdeck alerts`: what is wrong or was, since when, and why.

mod channel;
mod custom_rule;
mod rule;
mod silence;

use clap::{Args, Subcommand};
use liftdeck_insight::{Alert, AlertList};
use liftdeck_model::Timestamp;
use liftdeck_store::reader::freshness::Freshness;
use serde_json::json;

use super::changes::tone;
use super::look::ReadConnection;
use super::show::ReadCommand;
use super::show::{Column, Question, Shown, Span, Table, Total, at, cell, data, name, number, words};
use super::status::calm;
use super::{Caller, Failure, Outcome};

const MANUAL: &str = "\
Alerts that fire now come with those that fired in the range. An alert that says UNKNOWN SINCE can neither go on nor end: \
there is no data that could tell.

Example:
  liftdeck alerts --connection Live --since 24h";

/// The range in milliseconds if none is given: the last day.
const LAST_MS: i64 = 86_400_000;

/// Alerts, who is told of them, and what is not told for a while.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Command {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    list: ReadCommand<Alerts>,
}

/// The subcommands of `liftdeck alerts`.
#[derive(Debug, Subcommand)]
enum Verb {
    /// Silence alerts for a while: they are shown, but told to nobody
    Silence(Box<silence::Add>),
    /// List silences
    Silences(ReadCommand<silence::List>),
    /// End a silence early
    Unsilence(silence::End),
    /// List the rules that alerts come from, and what is set about each
    Rules(ReadCommand<rule::List>),
    /// Add, try and remove rules of your own; switch ready-made ones off, set how long they wait and how severe they are
    #[command(subcommand)]
    Rule(rule::Command),
    /// List the channels that alerts are told on, and whether it arrives
    Channels(ReadCommand<channel::List>),
    /// Add, remove and test channels
    #[command(subcommand)]
    Channel(channel::Command),
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command.verb {
        None => command.list.show(caller).await,
        Some(Verb::Silence(arguments)) => Box::pin(silence::add(caller, *arguments)).await,
        Some(Verb::Silences(it)) => it.show(caller).await,
        Some(Verb::Unsilence(arguments)) => Box::pin(silence::end(caller, arguments)).await,
        Some(Verb::Rules(it)) => it.show(caller).await,
        Some(Verb::Rule(command)) => Box::pin(rule::run(caller, command)).await,
        Some(Verb::Channels(it)) => it.show(caller).await,
        Some(Verb::Channel(command)) => Box::pin(channel::run(caller, command)).await,
    }
}

/// Which alerts to list.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Alerts {
    #[command(flatten)]
    span: Span,
}

const COLUMNS: &[Column<Alert>] = &[
    number("since", "SINCE").of(|it| at(Some(it.since))),
    words("state", "STATE").of(|it| name(it.state)),
    words("severity", "SEVERITY").rank(4).of(|it| name(it.severity)),
    words("title", "WHAT").least(24).of(|it| cell(&it.title)),
    words("cause", "LIKELY CAUSE")
        .least(24)
        .rank(1)
        .of(|it| cell(it.causes.first().map(|cause| &cause.text))),
    words("detail", "DETAIL").least(20).rank(2).of(|it| cell(&it.detail)),
    number("ended_at", "ENDED").rank(3).of(|it| at(it.ended_at)),
    number("unknown_since", "UNKNOWN SINCE").rank(3).of(|it| at(it.unknown_since)),
    data("rule").of(|it| cell(&it.rule)),
    data("subject").of(|it| cell(&it.subject)),
    data("region").of(|it| cell(&it.region)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
    data("fired_at").of(|it| at(it.fired_at)),
    number("silenced_until", "SILENCED UNTIL")
        .rank(3)
        .of(|it| at(it.silenced.as_ref().and_then(|it| it.until))),
    data("silenced_reason").of(|it| cell(it.silenced.as_ref().map(|silence| &silence.reason))),
    data("silenced_by").of(|it| cell(it.silenced.as_ref().map(|silence| &silence.author))),
    data("acknowledged_at").of(|it| at(it.acknowledged.as_ref().map(|ack| ack.at))),
    data("acknowledged_by").of(|it| cell(it.acknowledged.as_ref().map(|ack| &ack.by))),
    words("id", "ID").rank(5).of(|it| cell(it.id.as_str())),
];

/// Alerts as a table.
pub(super) fn table(alerts: &[Alert]) -> Table {
    Table::toned(COLUMNS, alerts, |it| tone(it.severity))
}

impl Question for Alerts {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let range = self.span.or_last(LAST_MS, look.now())?;
        let list: AlertList = look.ask("alert_list", json!({ "range": range })).await?;
        let table = table(&list.alerts);
        let total = Total { noun: ("alert", "alerts"), all: table.count(), is_exact: true };
        let judged: Option<Timestamp> = list.knowledge.judged_at;
        let freshness = Freshness { as_of: judged, stale: !list.knowledge.is_complete };
        let is_calm = list.alerts.iter().all(|alert| alert.ended_at.is_some());
        let mut shown = Shown::list(table, total, freshness);
        if is_calm && !list.knowledge.is_complete {
            shown.notes.push(format!("Alerts now: {}.", calm(&list.knowledge, &list.seen)));
        }
        Ok(shown)
    }
}
