//! `liftdeck alerts silence`, `silences` and `unsilence`: what is shown, but not told for a while.

use clap::Args;
use liftdeck_api::delivery::{SilenceDraft, SilenceList};
use liftdeck_app::delivery::{add_silence, silence_of};
use liftdeck_app::{clock, user};
use liftdeck_model::silence::{Matchers, Silence};
use liftdeck_model::time::parse_age_ms;
use liftdeck_model::{Timestamp, alert::AlertId};
use serde_json::json;

use super::channel::open;
use crate::cli::look::ReadConnection;
use crate::cli::operate::ConnectionOptions;
use crate::cli::show::{Column, Question, Shown, Table, at, cell, data, number, words};
use crate::cli::{Caller, Failure, Lines, Outcome};

/// What to silence, for how long, and why.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true).args(["alert", "rules", "only_region", "fleet", "subject", "all"]))]
#[command(group = clap::ArgGroup::new("end").required(true).args(["duration_ms", "until"]))]
pub(in crate::cli) struct Add {
    /// The alert with this id: its rule and what it is about
    #[arg(value_name = "ALERT", conflicts_with_all = ["rules", "only_region", "fleet", "subject", "all"])]
    alert: Option<String>,
    /// Alerts of these rules
    #[arg(long = "rule", value_name = "RULE", num_args = 1..)]
    rules: Vec<String>,
    /// Alerts of this Region
    #[arg(long, value_name = "REGION")]
    only_region: Option<String>,
    /// Alerts of this fleet
    #[arg(long, value_name = "FLEET")]
    fleet: Option<String>,
    /// Alerts about exactly this
    #[arg(long, value_name = "SUBJECT")]
    subject: Option<String>,
    /// Every alert
    #[arg(long, conflicts_with_all = ["rules", "only_region", "fleet", "subject"])]
    all: bool,
    /// For a time such as 30m or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = length)]
    duration_ms: Option<i64>,
    /// Until this moment, RFC 3339
    #[arg(long, value_name = "T", value_parser = moment)]
    until: Option<Timestamp>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// Which silence to end.
#[derive(Debug, Args)]
pub(in crate::cli) struct End {
    /// Id of the silence
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// Which silences to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct List {
    /// Also those that are over, at most 50
    #[arg(long)]
    over: bool,
}

const COLUMNS: &[Column<Silence>] = &[
    number("from", "FROM").rank(2).of(|it| at(it.from)),
    number("until", "UNTIL").of(|it| at(it.ended_at.or(it.until))),
    words("what", "WHAT").least(20).of(|it| cell(what(&it.matchers))),
    words("reason", "REASON").least(20).of(|it| cell(&it.reason)),
    words("author", "BY").rank(1).of(|it| cell(&it.author)),
    words("ended_by", "ENDED BY").rank(3).of(|it| cell(&it.ended_by)),
    words("id", "ID").rank(1).of(|it| cell(it.id.as_str())),
    data("rules").of(|it| cell(it.matchers.rules.join(" "))),
    data("region").of(|it| cell(&it.matchers.region)),
    data("fleet_id").of(|it| cell(&it.matchers.fleet_id)),
    data("subject").of(|it| cell(&it.matchers.subject)),
];

/// What a silence covers, in words.
fn what(matchers: &Matchers) -> String {
    let mut parts = Vec::new();
    if !matchers.rules.is_empty() {
        parts.push(matchers.rules.join(", "));
    }
    parts.extend(matchers.region.as_ref().map(ToString::to_string));
    parts.extend(matchers.fleet_id.as_ref().map(ToString::to_string));
    parts.extend(matchers.subject.clone());
    if parts.is_empty() { "every alert".to_owned() } else { parts.join(" · ") }
}

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let list: SilenceList = look.ask("silence_list", json!({})).await?;
        let mut silences = list.open;
        silences.extend(list.over.into_iter().filter(|_| self.over));
        Ok(Shown::whole(Table::of(COLUMNS, &silences), ("silence", "silences"), None))
    }
}

pub(in crate::cli) async fn add(caller: &Caller, arguments: Add) -> Result<Outcome, Failure> {
    let connection = open(caller, &arguments.connection).await?;
    let added = async {
        let now = clock::now();
        let matchers = match &arguments.alert {
            Some(id) => {
                let alert = connection.reader.alert(&AlertId::new(id)).await?;
                let alert =
                    alert.ok_or_else(|| Failure::new(format!("There is no alert {id} in this database.")))?;
                Matchers { rules: vec![alert.rule], subject: Some(alert.subject), ..Matchers::default() }
            }
            None => Matchers {
                rules: arguments.rules.clone(),
                region: arguments.only_region.as_deref().map(Into::into),
                fleet_id: arguments.fleet.as_deref().map(Into::into),
                subject: arguments.subject.clone(),
            },
        };
        let until = arguments.until.unwrap_or_else(|| now.plus_ms(arguments.duration_ms.unwrap_or(0)));
        let draft = SilenceDraft { matchers, from: None, until, reason: arguments.reason.clone() };
        let silence =
            silence_of(draft, now).map_err(|refused| Failure::usage(refused.message.to_string()))?;
        add_silence(connection.writer(), silence.clone()).await?;
        Ok::<_, Failure>(silence)
    }
    .await;
    connection.close().await;
    let silence = added?;
    let until = silence.until.unwrap_or(silence.from);
    let done = format!("Silenced {} until {until}. Id: {}", what(&silence.matchers), silence.id);
    caller.terminal.answer_as(arguments.connection.json, || json!(silence), || Lines::one(done))?;
    Ok(Outcome::Done)
}

pub(in crate::cli) async fn end(caller: &Caller, arguments: End) -> Result<Outcome, Failure> {
    let connection = open(caller, &arguments.connection).await?;
    let ended = async {
        let now = clock::now();
        let open = connection.reader.silences(now).await?;
        let silence = open.into_iter().find(|silence| silence.id.as_str() == arguments.id);
        let silence = silence.ok_or_else(|| {
            Failure::new(format!(
                "There is no silence {} in force that a person began. `liftdeck alerts silences` lists them.",
                arguments.id
            ))
        })?;
        connection.writer().end_silence(&silence.id, now, &user::name().unwrap_or_default()).await?;
        Ok::<_, Failure>(silence)
    }
    .await;
    connection.close().await;
    let silence = ended?;
    let done = format!("Ended the silence of {}. What still fires is told now.", what(&silence.matchers));
    caller.terminal.answer_as(arguments.connection.json, || json!(silence), || Lines::one(done))?;
    Ok(Outcome::Done)
}

fn length(text: &str) -> Result<i64, String> {
    parse_age_ms(text).filter(|ms| *ms > 0).ok_or_else(|| "a time looks like 30m, 2h or 1d".to_owned())
}

fn moment(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text, clock::now()).map_err(|_| "a moment looks like 2026-03-04T09:00:00Z".to_owned())
}
