//! `liftdeck alerts rules` and `alerts rule set`, `reset`: what alerts come from, and what is set about it.

use clap::{Args, Subcommand};
use liftdeck_api::rule::RuleTrial;
use liftdeck_app::clock;
use liftdeck_app::rules::{checked, put_setting, reset_setting, try_setting};
use liftdeck_insight::{Rule, RuleListed, RuleTried};
use liftdeck_model::Severity;
use liftdeck_model::alert_rule::{RuleScope, RuleSetting};
use liftdeck_model::time::{in_words, parse_age_ms};
use serde_json::json;

use super::channel::open;
use super::custom_rule::{self, Add, Remove, Try};
use crate::cli::look::ReadConnection;
use crate::cli::operate::ConnectionOptions;
use crate::cli::show::{Column, Question, Shown, Table, Tone, cell, data, name, words};
use crate::cli::{Caller, Failure, Lines, Outcome, one_of};

const MANUAL: &str = "\
What is set for a fleet holds there before what is set for its Region, and that before what is set for everything. A rule \
that is off is still seen, but never fires. With --try nothing is saved: it says which alerts of the past would have fired.

Examples:
  liftdeck alerts rule set capped --pending 10m --try --connection Live
  liftdeck alerts rule set little-room --severity warning --fleet fleet-1234 --connection Live
  liftdeck alerts rule set interruptions --off --connection Live";

/// The subcommands of `liftdeck alerts rule`.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Command {
    /// Switch a rule off, or set how long it waits or how severe it is
    Set(Box<Set>),
    /// Forget what is set about a rule
    Reset(Reset),
    /// Add a rule of your own, or try one on the stored past
    Add(Box<Add>),
    /// Try a rule of your own on the stored past
    Try(Try),
    /// Delete a rule of your own
    Remove(Remove),
}

/// What to set about a rule.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true).args(["off", "pending_ms", "severity"]))]
pub(in crate::cli) struct Set {
    /// The rule
    #[arg(value_name = "RULE", value_parser = one_of::<Rule>())]
    rule: Rule,
    /// Never fire
    #[arg(long, conflicts_with_all = ["pending_ms", "severity"])]
    off: bool,
    /// Fire once it was seen for a time such as 0s, 90s or 10m
    #[arg(long = "pending", value_name = "TIME", value_parser = length)]
    pending_ms: Option<i64>,
    /// Fire with this severity
    #[arg(long, value_name = "SEVERITY", value_enum)]
    severity: Option<Severe>,
    #[command(flatten)]
    scope: Scope,
    /// Save nothing; say which alerts of the past would have fired
    #[arg(long = "try")]
    is_trial: bool,
    /// How many days of the past to try it on, 1 to 30
    #[arg(long, value_name = "N", default_value_t = 7, requires = "is_trial", value_parser = clap::value_parser!(u32).range(1..=30))]
    days: u32,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// What to forget.
#[derive(Debug, Args)]
pub(in crate::cli) struct Reset {
    /// The rule
    #[arg(value_name = "RULE", value_parser = one_of::<Rule>())]
    rule: Rule,
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// What it is set for; everything if nothing is given.
#[derive(Debug, Args)]
struct Scope {
    /// Only for this Region
    #[arg(long, value_name = "REGION", conflicts_with = "fleet")]
    only_region: Option<String>,
    /// Only for this fleet
    #[arg(long, value_name = "FLEET")]
    fleet: Option<String>,
}

impl Scope {
    fn read(&self) -> RuleScope {
        RuleScope {
            region: self.only_region.as_deref().map(Into::into),
            fleet_id: self.fleet.as_deref().map(Into::into),
        }
    }
}

/// The severity of what fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Severe {
    /// Worth a look
    Warning,
    /// Players notice
    Bad,
}

impl From<Severe> for Severity {
    fn from(severity: Severe) -> Self {
        match severity {
            Severe::Warning => Self::Warning,
            Severe::Bad => Self::Bad,
        }
    }
}

/// All rules.
#[derive(Debug, Args)]
pub(in crate::cli) struct List {}

const COLUMNS: &[Column<RuleListed>] = &[
    words("rule", "RULE").of(|it| cell(&it.rule)),
    words("fires_after", "FIRES AFTER").of(|it| cell(at_once_or(it.pending_ms))),
    words("over_after", "OVER AFTER").rank(3).of(|it| cell(at_once_or(it.clear_ms))),
    words("severity", "UP TO").rank(2).of(|it| name(it.severity)),
    words("set", "SET").least(16).of(|it| cell(set(it))),
    words("looks_for", "LOOKS FOR").least(30).rank(1).of(|it| cell(&it.looks_for)),
    data("pending_ms").of(|it| cell(it.pending_ms)),
    data("clear_ms").of(|it| cell(it.clear_ms)),
    data("own").of(|it| cell(it.custom.is_some())),
];

fn at_once_or(ms: i64) -> String {
    if ms == 0 { "at once".to_owned() } else { in_words(ms) }
}

fn set(rule: &RuleListed) -> String {
    if let Some(custom) = &rule.custom {
        return if custom.rule.is_off { "your own, off" } else { "your own" }.to_owned();
    }
    let each = rule.adjustments.iter().map(|one| format!("{}: {}", one.scope_text, one.text));
    each.collect::<Vec<_>>().join("; ")
}

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let rules: Vec<RuleListed> = look.ask("rule_list", json!({})).await?;
        let table = Table::toned(COLUMNS, &rules, |it| match it.adjustments.is_empty() {
            true => Tone::Plain,
            false => Tone::Warning,
        });
        Ok(Shown::whole(table, ("rule", "rules"), None))
    }
}

pub(in crate::cli) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Set(arguments) => Box::pin(put(caller, *arguments)).await,
        Command::Reset(arguments) => Box::pin(reset(caller, arguments)).await,
        Command::Add(arguments) => Box::pin(custom_rule::add(caller, *arguments)).await,
        Command::Try(arguments) => Box::pin(custom_rule::try_again(caller, arguments)).await,
        Command::Remove(arguments) => Box::pin(custom_rule::remove(caller, arguments)).await,
    }
}

async fn put(caller: &Caller, arguments: Set) -> Result<Outcome, Failure> {
    let setting = RuleSetting {
        rule: <&str>::from(arguments.rule).to_owned(),
        scope: arguments.scope.read(),
        is_off: arguments.off,
        pending_ms: arguments.pending_ms,
        severity: arguments.severity.map(Into::into),
    };
    // Before anything is opened.
    checked(&setting).map_err(|refused| Failure::usage(refused.message.to_string()))?;
    let connection = open(caller, &arguments.connection).await?;
    let now = clock::now();
    let done = async {
        if arguments.is_trial {
            let trial = RuleTrial { setting: setting.clone(), days: arguments.days };
            return Ok::<_, Failure>(Some(try_setting(&connection.reader, &trial, now).await?));
        }
        put_setting(connection.writer(), setting.clone(), now).await?;
        Ok(None)
    }
    .await;
    connection.close().await;
    let json = arguments.connection.json;
    match done? {
        Some(tried) => caller.terminal.answer_as(json, || json!(tried), || spans(&tried))?,
        None => {
            let done = format!("Set the rule {}. `liftdeck alerts rules` lists what is set.", setting.rule);
            caller.terminal.answer_as(json, || json!(setting), || Lines::one(done))?;
        }
    }
    Ok(Outcome::Done)
}

/// What a trial found: the sentence, then each alert that would have fired.
fn spans(tried: &RuleTried) -> Lines {
    let line = |span: &liftdeck_insight::TriedSpan| {
        let until = span.until.map_or_else(|| "now".to_owned(), |until| until.to_string());
        format!("{} to {until}: {}", span.from, span.title)
    };
    std::iter::once(tried.text.clone()).chain(tried.would_fire.iter().map(line)).collect()
}

async fn reset(caller: &Caller, arguments: Reset) -> Result<Outcome, Failure> {
    let connection = open(caller, &arguments.connection).await?;
    let rule = <&str>::from(arguments.rule);
    let scope = arguments.scope.read();
    let forgotten = reset_setting(&connection.reader, connection.writer(), rule, scope).await;
    connection.close().await;
    let forgotten = forgotten?;
    let done = format!("The rule {rule} is as it was made again.");
    caller.terminal.answer_as(arguments.connection.json, || json!(forgotten), || Lines::one(done))?;
    Ok(Outcome::Done)
}

pub(super) fn length(text: &str) -> Result<i64, String> {
    parse_age_ms(text).filter(|ms| *ms >= 0).ok_or_else(|| "a time looks like 0s, 90s or 10m".to_owned())
}
