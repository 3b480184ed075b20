//! `liftdeck alerts channels` and `alerts channel …`: who is told of alerts, and whether it arrives.

use std::convert::Infallible;

use clap::{Args, Subcommand};
use liftdeck_api::delivery::ChannelState;
use liftdeck_app::delivery::{find_channel, put_channel};
use liftdeck_delivery::Delivery;
use liftdeck_model::Severity;
use liftdeck_model::channel::{Channel, ChannelKind, Place};
use liftdeck_model::notification::NotificationState;
use serde_json::json;

use crate::cli::look::ReadConnection;
use crate::cli::operate::{ConnectionOptions, GuardedConnection};
use crate::cli::show::{Column, Question, Shown, Table, Tone, at, cell, data, name, number, words};
use crate::cli::{Caller, Failure, Lines, Outcome, one_of};
use liftdeck_app::clock;

const MANUAL: &str = "\
A secret address is never kept in the database. Name where it is found by the program that collects: env:NAME for an \
environment variable, file:/path for a file that only its owner may read. The address is a URL for webhook, slack and \
alertmanager, a routing key for pagerduty and the ARN of a topic for sns; the last is no secret and stands as it is, as \
does the URL of an Alertmanager without a password in it.

Examples:
  liftdeck alerts channel add on-call pagerduty env:PAGERDUTY_KEY --least bad --connection Live
  liftdeck alerts channel add ops sns arn:aws:sns:eu-west-1:123456789012:alerts --connection Live
  liftdeck alerts channel add hook webhook file:/etc/liftdeck/hook --sign-with env:HOOK_KEY --db prod.sqlite";

/// The subcommands of `liftdeck alerts channel`.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Command {
    /// Add a channel, or replace the one of this name
    Add(Box<Add>),
    /// Remove a channel with what waits for it
    Remove(One),
    /// Send a test message to a channel, and say whether it arrived
    Test(One),
}

/// A channel.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(in crate::cli) struct Add {
    /// Name of the channel
    #[arg(value_name = "NAME")]
    name: String,
    /// What it speaks
    #[arg(value_name = "KIND", value_parser = one_of::<ChannelKind>())]
    kind: ChannelKind,
    /// Where the address is found: env:NAME, file:PATH, or the address itself if it is no secret
    #[arg(value_name = "ADDRESS", value_parser = place)]
    address: Place,
    /// Where the key is found that signs what is sent to a webhook: env:NAME or file:PATH
    #[arg(long, value_name = "PLACE", value_parser = place)]
    sign_with: Option<Place>,
    /// Another address of PagerDuty's Events API than https://events.pagerduty.com/v2/enqueue
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// Only alerts of this severity or above
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = Least::Warning)]
    least: Least,
    /// Only these rules
    #[arg(long = "rule", value_name = "RULE", num_args = 1..)]
    rules: Vec<String>,
    /// Only alerts of these Regions
    #[arg(long = "only-region", value_name = "REGION", num_args = 1..)]
    regions: Vec<String>,
    /// Keep it, but tell nothing there
    #[arg(long)]
    off: bool,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// The least severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Least {
    /// Worth a look
    Warning,
    /// Players notice
    Bad,
}

/// One channel.
#[derive(Debug, Args)]
pub(in crate::cli) struct One {
    /// Name of the channel
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// All channels.
#[derive(Debug, Args)]
pub(in crate::cli) struct List {}

const COLUMNS: &[Column<ChannelState>] = &[
    words("name", "CHANNEL").of(|it| cell(&it.channel.name)),
    words("kind", "KIND").of(|it| name(it.channel.kind)),
    words("address", "ADDRESS").least(16).rank(2).of(|it| cell(it.channel.address.to_string())),
    words("least_severity", "FROM").rank(4).of(|it| name(it.channel.least_severity)),
    words("on", "ON").of(|it| cell(if it.channel.is_on { "yes" } else { "no" })),
    number("waiting", "WAITING").rank(3).of(|it| cell(u64::from(it.waiting))),
    number("last_at", "LAST").of(|it| at(last(it).and_then(|one| one.ended_at))),
    words("last_state", "STATE").of(|it| cell(last(it).map(|one| <&str>::from(one.state)))),
    words("detail", "WHY NOT").least(20).rank(1).of(|it| cell(last(it).and_then(|one| one.detail.as_ref()))),
    data("rules").of(|it| cell(it.channel.rules.join(" "))),
    data("regions").of(|it| {
        let regions: Vec<&str> = it.channel.regions.iter().map(|region| region.as_str()).collect();
        cell(regions.join(" "))
    }),
];

fn last(state: &ChannelState) -> Option<&liftdeck_model::notification::Notification> {
    state.newest.iter().find(|one| one.state != NotificationState::Superseded)
}

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let channels: Vec<ChannelState> = look.ask("channel_list", json!({})).await?;
        let table = Table::toned(COLUMNS, &channels, |it| match last(it).map(|one| one.detail.is_some()) {
            Some(true) => Tone::Bad,
            _ => Tone::Plain,
        });
        Ok(Shown::whole(table, ("channel", "channels"), None))
    }
}

pub(in crate::cli) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Add(arguments) => Box::pin(add(caller, *arguments)).await,
        Command::Remove(arguments) => Box::pin(remove(caller, arguments)).await,
        Command::Test(arguments) => Box::pin(test(caller, arguments)).await,
    }
}

async fn add(caller: &Caller, arguments: Add) -> Result<Outcome, Failure> {
    let channel = Channel {
        name: arguments.name,
        kind: arguments.kind,
        address: arguments.address,
        signing_key: arguments.sign_with,
        endpoint: arguments.endpoint,
        least_severity: match arguments.least {
            Least::Warning => Severity::Warning,
            Least::Bad => Severity::Bad,
        },
        rules: arguments.rules,
        regions: arguments.regions.iter().map(|region| region.as_str().into()).collect(),
        is_on: !arguments.off,
    };
    // Before anything is opened: an address that must not be kept goes no further than this.
    channel.check().map_err(Failure::usage)?;
    let connection = open(caller, &arguments.connection).await?;
    let put = put_channel(connection.writer(), channel.clone()).await;
    connection.close().await;
    put?;
    let done = format!(
        "Saved the channel {}. Send a message there with `liftdeck alerts channel test`.",
        channel.name
    );
    caller.terminal.answer_as(arguments.connection.json, || json!(channel), || Lines::one(done))?;
    Ok(Outcome::Done)
}

async fn remove(caller: &Caller, arguments: One) -> Result<Outcome, Failure> {
    let connection = open(caller, &arguments.connection).await?;
    let removed = async {
        let channel = find_channel(&connection.reader, &arguments.name).await?;
        connection.writer().remove_channel(&channel.name).await?;
        Ok::<_, Failure>(channel)
    }
    .await;
    connection.close().await;
    let channel = removed?;
    let done = format!("Removed the channel {}.", channel.name);
    caller.terminal.answer_as(arguments.connection.json, || json!(channel), || Lines::one(done))?;
    Ok(Outcome::Done)
}

async fn test(caller: &Caller, arguments: One) -> Result<Outcome, Failure> {
    let connection = open(caller, &arguments.connection).await?;
    let tested = async {
        let channel = find_channel(&connection.reader, &arguments.name).await?;
        let account = connection.identity().await?.account.to_string();
        let delivery = Delivery {
            reader: connection.reader.clone(),
            writer: connection.writer().clone(),
            gateway: connection.gateway().clone(),
            account,
            connection: connection.guard.options().connection_name.clone(),
            clock: clock::wall(),
        };
        Ok::<_, Failure>(Box::pin(delivery.test(&channel)).await?)
    }
    .await;
    connection.close().await;
    let tested = tested?;
    if let Some(why) = tested.detail {
        return Err(Failure::new(format!("The test did not reach the channel {}: {why}.", arguments.name)));
    }
    let done = format!("The channel {} accepted the test.", arguments.name);
    caller.terminal.answer_as(
        arguments.connection.json,
        || json!({ "channel": arguments.name, "is_delivered": true }),
        || Lines::one(done),
    )?;
    Ok(Outcome::Done)
}

/// Opens the connection that the options name.
pub(super) async fn open(caller: &Caller, options: &ConnectionOptions) -> Result<GuardedConnection, Failure> {
    let chosen = options.find(caller)?;
    let regions = chosen.regions();
    chosen.open(&caller.terminal, regions).await
}

fn place(text: &str) -> Result<Place, Infallible> {
    text.parse()
}
