//! `liftdeck alerts rule add`, `try` and `remove`: rules of one's own.

use clap::{Args, ValueEnum};
use liftdeck_api::rule::{CustomRuleDraft, CustomRuleTrial};
use liftdeck_app::clock;
use liftdeck_app::custom_rules::{checked_rule, find_rule, put_rule, remove_rule, try_rule, with_fleet_id};
use liftdeck_insight::custom::{CustomSpan, CustomTried};
use liftdeck_model::custom_rule::{Compare, CustomRule, MetricSubject, QueryPer, RelativeTo, Watched};
use liftdeck_model::series_name::SeriesName;
use serde_json::json;

use super::channel::open;
use super::rule::{Severe, length};
use crate::cli::operate::ConnectionOptions;
use crate::cli::{Caller, Failure, Lines, Outcome, one_of, query_text};

const MANUAL: &str = "\
A rule looks at a figure (--metric) or counts the game sessions that a query selects (--query) among those that are live \
or ended in the last 24 hours. It fires once the value has been beyond its threshold for --pending, and is over once the \
value is back at --clear; between the two it stays what it was. Without data it does neither. With --try nothing is \
saved: it says when the rule would have fired.

In channels and silences such a rule is named own:NAME. Without a subject a figure of fleets is looked at for each fleet. A figure of a queue needs --queue, one of matchmaking \
--configuration, each with the Region of it.

Examples:
  liftdeck alerts rule add 'Few instances' --metric active-instances --below 4 --clear 6 --pending 5m --try --connection Live
  liftdeck alerts rule add 'Half gone' --metric active-instances --relative desired --below 50 --connection Live
  liftdeck alerts rule add 'Storm' --metric instance-spot-interruptions --over 15 --above 3 --connection Live
  liftdeck alerts rule add 'Empty' --query 'status:active players:0 created:>30m' --per fleet --share-of '' --above 30 \
    --clear 20 --connection Live";

/// A rule of one's own.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["metric", "query"]))]
#[command(group = clap::ArgGroup::new("threshold").required(true).args(["above", "below"]))]
#[command(group = clap::ArgGroup::new("subject").args(["fleet", "queue", "configuration"]))]
pub(in crate::cli) struct Add {
    /// Its name, at most 64 characters
    #[arg(value_name = "NAME")]
    name: String,
    /// The figure to look at
    #[arg(long, value_name = "FIGURE", value_parser = one_of::<SeriesName>())]
    metric: Option<SeriesName>,
    /// The game sessions to count
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true, value_parser = query_text)]
    query: Option<String>,
    /// Only this fleet, by id or name
    #[arg(long, value_name = "FLEET", requires = "metric")]
    fleet: Option<String>,
    /// Only this location of the fleet
    #[arg(long, value_name = "LOCATION", requires = "fleet")]
    location: Option<String>,
    /// This queue
    #[arg(long, value_name = "QUEUE", requires_all = ["metric", "in_region"])]
    queue: Option<String>,
    /// This matchmaking configuration
    #[arg(long, value_name = "NAME", requires_all = ["metric", "in_region"])]
    configuration: Option<String>,
    /// The Region of the queue or matchmaking configuration
    #[arg(long, value_name = "REGION")]
    in_region: Option<String>,
    /// As a percentage of the fleet's maximum or of its desired instances
    #[arg(long, value_name = "SIZE", value_parser = one_of::<RelativeTo>(), requires = "metric")]
    relative: Option<RelativeTo>,
    /// Over how many minutes the figure is taken: the sum of what adds up, the mean of everything else
    #[arg(long, value_name = "MINUTES", default_value_t = 1, requires = "metric", value_parser = clap::value_parser!(u32).range(1..=60))]
    over: u32,
    /// Count each fleet or location apart
    #[arg(long, value_enum, value_name = "PART", requires = "query")]
    per: Option<Per>,
    /// As a percentage of the game sessions that this query selects; of the live ones if it is empty
    #[arg(long, value_name = "QUERY", requires = "query", allow_hyphen_values = true, value_parser = query_text)]
    share_of: Option<String>,
    /// Fire above this
    #[arg(long, value_name = "VALUE")]
    above: Option<f64>,
    /// Fire below this
    #[arg(long, value_name = "VALUE")]
    below: Option<f64>,
    /// Over once the value is back at this; the threshold itself if not given
    #[arg(long, value_name = "VALUE")]
    clear: Option<f64>,
    /// Fire once it was wrong for a time such as 0s, 90s or 10m
    #[arg(long = "pending", value_name = "TIME", value_parser = length, default_value = "0s")]
    pending_ms: i64,
    /// Fire with this severity
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = Severe::Warning)]
    severity: Severe,
    /// Keep it, but do not look for it
    #[arg(long)]
    off: bool,
    /// Take the place of the rule of this name
    #[arg(long, value_name = "NAME")]
    replace: Option<String>,
    /// Save nothing; say when it would have fired
    #[arg(long = "try", conflicts_with = "replace")]
    is_trial: bool,
    /// How many days of the past to try it on, 1 to 30
    #[arg(long, value_name = "N", default_value_t = 7, requires = "is_trial", value_parser = clap::value_parser!(u32).range(1..=30))]
    days: u32,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// A rule to try again.
#[derive(Debug, Args)]
pub(in crate::cli) struct Try {
    /// The rule
    #[arg(value_name = "NAME")]
    name: String,
    /// How many days of the past to try it on, 1 to 30
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=30))]
    days: u32,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// A rule to delete.
#[derive(Debug, Args)]
pub(in crate::cli) struct Remove {
    /// The rule
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// What is counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Per {
    /// Each fleet
    Fleet,
    /// Each location
    Location,
}

impl Add {
    fn read(&self) -> CustomRule {
        let region = || self.in_region.as_deref().unwrap_or_default().into();
        let watched = match (self.metric, &self.query) {
            (Some(figure), _) => {
                let of = match (&self.fleet, &self.queue, &self.configuration) {
                    (Some(fleet), ..) => MetricSubject::Fleet {
                        fleet_id: fleet.as_str().into(),
                        location: self.location.as_deref().map(Into::into),
                    },
                    (None, Some(queue), _) => {
                        MetricSubject::Queue { name: queue.as_str().into(), region: region() }
                    }
                    (None, None, Some(name)) => {
                        MetricSubject::Configuration { name: name.clone(), region: region() }
                    }
                    (None, None, None) => MetricSubject::EachFleet,
                };
                Watched::Metric { figure, of, relative: self.relative, over_minutes: self.over }
            }
            (None, query) => Watched::Query {
                query: query.clone().unwrap_or_default(),
                per: match self.per {
                    None => QueryPer::All,
                    Some(Per::Fleet) => QueryPer::Fleet,
                    Some(Per::Location) => QueryPer::Location,
                },
                share_of: self.share_of.clone(),
            },
        };
        let (compare, raise) = match (self.above, self.below) {
            (Some(above), _) => (Compare::Above, above),
            (None, below) => (Compare::Below, below.unwrap_or_default()),
        };
        CustomRule {
            name: self.name.clone(),
            watched,
            compare,
            raise,
            clear: self.clear.unwrap_or(raise),
            pending_ms: self.pending_ms,
            severity: self.severity.into(),
            is_off: self.off,
        }
    }
}

pub(super) async fn add(caller: &Caller, arguments: Add) -> Result<Outcome, Failure> {
    let rule = arguments.read();
    // Before anything is opened.
    checked_rule(&rule).map_err(|refused| Failure::usage(refused.message.to_string()))?;
    let connection = open(caller, &arguments.connection).await?;
    let now = clock::now();
    let done = async {
        let rule = with_fleet_id(&connection.reader, rule.clone(), now).await?;
        if arguments.is_trial {
            let trial = CustomRuleTrial { rule, days: arguments.days };
            return Ok::<_, Failure>((None, Some(try_rule(&connection.reader, &trial, now).await?)));
        }
        let draft = CustomRuleDraft { rule: rule.clone(), replaces: arguments.replace };
        put_rule(&connection.reader, connection.writer(), draft, now).await?;
        Ok((Some(rule), None))
    }
    .await;
    connection.close().await;
    let json = arguments.connection.json;
    let (saved, tried) = done?;
    match tried {
        Some(tried) => caller.terminal.answer_as(json, || json!(tried), || spans(&tried))?,
        None => {
            let done = format!("Saved the rule {}. `liftdeck alerts rules` lists it.", rule.name);
            caller.terminal.answer_as(json, || json!(saved), || Lines::one(done))?;
        }
    }
    Ok(Outcome::Done)
}

pub(super) async fn try_again(caller: &Caller, arguments: Try) -> Result<Outcome, Failure> {
    let connection = open(caller, &arguments.connection).await?;
    let tried = async {
        let rule = find_rule(&connection.reader, &arguments.name).await?.rule;
        let trial = CustomRuleTrial { rule, days: arguments.days };
        try_rule(&connection.reader, &trial, clock::now()).await
    }
    .await;
    connection.close().await;
    let tried = tried?;
    caller.terminal.answer_as(arguments.connection.json, || json!(tried), || spans(&tried))?;
    Ok(Outcome::Done)
}

/// What a trial found: the sentence, then each alert that there would have been.
fn spans(tried: &CustomTried) -> Lines {
    let line = |span: &CustomSpan| {
        let until = span.until.map_or_else(|| "now".to_owned(), |until| until.to_string());
        format!("{} to {until}: {}", span.from, span.title)
    };
    std::iter::once(tried.text.clone()).chain(tried.spans.iter().map(line)).collect()
}

pub(super) async fn remove(caller: &Caller, arguments: Remove) -> Result<Outcome, Failure> {
    let connection = open(caller, &arguments.connection).await?;
    let removed = remove_rule(&connection.reader, connection.writer(), &arguments.name).await;
    connection.close().await;
    let removed = removed?;
    let done = format!("Deleted the rule {}. Its alerts end.", removed.rule.name);
    caller.terminal.answer_as(arguments.connection.json, || json!(removed), || Lines::one(done))?;
    Ok(Outcome::Done)
}
