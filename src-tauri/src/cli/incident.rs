//! `liftdeck incident`: an alert, or any span of time, as one story: on the terminal, or as a file.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use liftdeck_api::{Answer, Call};
use liftdeck_app::home;
use liftdeck_insight::answer::matchmaking::MatchmakingOverview;
use liftdeck_insight::incident::{
    CauseStory, EvidenceFilter, EvidenceLine, Incident, IncidentOf, IncidentScope,
};
use liftdeck_insight::offer::Offered;
use liftdeck_model::Region;
use liftdeck_model::alert::AlertId;
use liftdeck_model::time::TimeRange;
use liftdeck_report::ReportFormat;
use liftdeck_store::reader::window::{Listed, Page};
use serde_json::json;

use super::alerts::Alerts;
use super::changes::tone;
use super::fleet::{fleets, meant_fleet};
use super::look::{ReadConnection, ReadOptions};
use super::show::{Column, Question, ReadCommand, Sheet, Shown, Span, Table, at, cell, name, number, words};
use super::{Caller, Failure, Outcome, is_stdout, one_of};

const MANUAL: &str = "\
An incident is an alert, by its id from `liftdeck alerts`, or any span of time: then --since and --until say when, and \
--fleet, --build, --matchmaking or --region limits what is looked at.

Examples:
  liftdeck incident show 5c2f… --connection Live
  liftdeck incident export 5c2f… --format markdown --out ticket.md
  liftdeck incident export --fleet arena-prod-eu --since 3h --out last-night.html";

/// The range in milliseconds of a span without a beginning: the last hour.
const LAST_MS: i64 = 3_600_000;
/// Lines of the timeline shown.
const LINES: u32 = 200;

/// The subcommands of `liftdeck incident`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List alerts, each of which is an incident
    List(ReadCommand<Alerts>),
    /// Show an incident: why, who was hit, what is offered, and what happened
    Show(ReadCommand<Show>),
    /// Write an incident as one file: HTML, Markdown or JSON
    Export(Export),
}

/// Which incident.
#[derive(Debug, Args)]
struct Meant {
    /// Id of the alert; without it, a span of time
    #[arg(value_name = "ALERT")]
    id: Option<String>,
    #[command(flatten)]
    span: Span,
    /// Only this fleet, by name or id
    #[arg(long, value_name = "FLEET", conflicts_with = "id", add = super::complete::of(super::names::Noun::Fleet))]
    fleet: Option<String>,
    /// Only the fleets of this Region, or with --matchmaking the configuration there
    #[arg(long, value_name = "REGION", conflicts_with_all = ["id", "fleet", "build"])]
    region: Option<String>,
    /// Only this matchmaking configuration, by name
    #[arg(long, value_name = "CONFIGURATION", conflicts_with_all = ["id", "fleet", "build"])]
    matchmaking: Option<String>,
    /// Only the fleets that run this build or script, by id
    #[arg(long, value_name = "BUILD", conflicts_with_all = ["id", "fleet"])]
    build: Option<String>,
}

/// An incident on the terminal.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Show {
    #[command(flatten)]
    meant: Meant,
}

/// An incident as a file.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Export {
    #[command(flatten)]
    meant: Meant,
    #[command(flatten)]
    options: ReadOptions,
    /// Form of the file
    #[arg(long, value_parser = one_of::<ReportFormat>(), default_value = "html", value_name = "FORMAT")]
    format: ReportFormat,
    /// The file to write; - for stdout
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::List(it) => it.show(caller).await,
        Command::Show(it) => it.show(caller).await,
        Command::Export(it) => it.run(caller).await,
    }
}

impl Meant {
    async fn of(&self, look: &ReadConnection) -> Result<IncidentOf, Failure> {
        if let Some(id) = &self.id {
            return Ok(IncidentOf::Alert { id: AlertId::new(id.clone()) });
        }
        let scope = if let Some(text) = &self.fleet {
            let all = fleets(look).await?;
            IncidentScope::Fleet { fleet_id: meant_fleet(&all, text, None)?.fleet_id.clone() }
        } else if let Some(name) = &self.matchmaking {
            meant_configuration(look, name, self.region.as_deref()).await?
        } else if let Some(id) = &self.build {
            IncidentScope::Build { id: id.clone() }
        } else if let Some(region) = &self.region {
            IncidentScope::Region { region: Region::new(region.clone()) }
        } else {
            IncidentScope::All
        };
        Ok(IncidentOf::Span { scope, range: self.span.or_last(LAST_MS, look.now())? })
    }
}

/// The matchmaking configuration of a name, in a Region if one is given.
async fn meant_configuration(
    look: &ReadConnection,
    name: &str,
    region: Option<&str>,
) -> Result<IncidentScope, Failure> {
    let range = TimeRange::new(look.now().plus_ms(-LAST_MS), look.now());
    let known: MatchmakingOverview = look.ask("matchmaking_get", json!({ "range": range })).await?;
    let is_meant = |here: &str| region.is_none_or(|region| region == here);
    let named = known.configurations.iter().filter(|one| one.name == name);
    let own: Vec<_> = named.filter(|one| is_meant(&one.region)).collect();
    match own.as_slice() {
        [one] => {
            Ok(IncidentScope::Matchmaking { name: name.to_owned(), region: Region::new(one.region.clone()) })
        }
        [] => Err(Failure::new(format!("There is no matchmaking configuration {name}."))),
        _ => Err(Failure::new(format!(
            "There are matchmaking configurations {name} in several Regions: give one with --region."
        ))),
    }
}

impl Export {
    async fn run(self, caller: &Caller) -> Result<Outcome, Failure> {
        let look = ReadConnection::open(caller, &self.options).await?;
        let answer = match self.meant.of(&look).await {
            Ok(of) => {
                let arguments = json!({ "of": of, "format": self.format });
                look.answer(Call { name: "incident_save".to_owned(), arguments }).await
            }
            Err(failure) => Err(failure),
        };
        look.close().await;
        let Answer::File { contents, .. } = answer? else {
            return Err(Failure::new("The answer is not a file."));
        };
        if is_stdout(&self.out) {
            caller.terminal.pass_on_bytes(&contents)?;
            return Ok(Outcome::Done);
        }
        let out = caller.path(&self.out);
        home::write_whole(&out, &contents)
            .map_err(|error| Failure::new(format!("{} could not be written: {error}.", out.display())))?;
        Ok(Outcome::Done)
    }
}

const CAUSES: &[Column<CauseStory>] = &[
    words("cause", "LIKELY CAUSE").least(24).of(|it| cell(&it.text)),
    words("strength", "STRENGTH").of(|it| name(it.strength)),
    number("at", "AT").rank(1).of(|it| at(it.at)),
    words("facts", "FACTS")
        .least(20)
        .rank(2)
        .of(|it| cell(it.proofs.iter().map(|fact| fact.text.as_str()).collect::<Vec<_>>().join("; "))),
    words("alerts", "ALERT")
        .rank(3)
        .of(|it| cell(it.alerts.iter().map(|alert| alert.title.as_str()).collect::<Vec<_>>().join("; "))),
];

const LINE: &[Column<EvidenceLine>] = &[
    number("at", "AT").of(|it| at(Some(it.at))),
    words("kind", "KIND").rank(2).of(|it| name(it.kind)),
    words("text", "WHAT").least(24).of(|it| cell(&it.text)),
    words("by", "WHO").rank(1).of(|it| cell(it.by.as_ref())),
];

impl Question for Show {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let of = self.meant.of(look).await?;
        let told: Incident = look.ask("incident_get", json!({ "of": of })).await?;
        let page = Page::first(LINES);
        let asked = json!({ "of": of, "filter": EvidenceFilter::All, "page": page });
        let lines: Listed<EvidenceLine> = look.ask("incident_evidence", asked).await?;
        let mut sheet = Sheet::default();
        sheet.fact("title", "Incident", cell(&told.title));
        sheet.fact("since", "Since", at(Some(told.since)));
        sheet.fact("until", "Until", at(told.until));
        if let Some(alert) = &told.alert {
            sheet.fact("state", "State", name(alert.state));
            sheet.fact("severity", "Severity", name(alert.severity));
            sheet.fact("id", "Alert", cell(alert.id.as_str()));
        }
        sheet.fact("failed", "Failed", cell(told.who.count));
        sheet.fact("of", "Of", cell(told.who.of));
        sheet.fact("players", "Players hit", cell(told.who.players));
        match &told.offered {
            Some(Offered::Change(offer)) => {
                sheet.fact("offered", "Offered", cell(&offer.title));
                sheet.fact("command", "Command", cell(offer.commands.join("; ")));
            }
            Some(Offered::Look(text)) => sheet.fact("look", "Look at", cell(text)),
            None => {}
        }
        if told.causes.is_empty() {
            sheet.fact("unexplained", "Why", cell(&told.unexplained));
        }
        sheet.part("causes", "Likely causes", Table::of(CAUSES, &told.causes));
        if !told.changed_before.is_empty() {
            let lines = Table::of(LINE, &told.changed_before);
            sheet.part("changed_before", "Changed before the first failure", lines);
        }
        sheet.part(
            "timeline",
            "Timeline, newest first",
            Table::toned(LINE, &lines.rows, |it| tone(it.severity)),
        );
        Ok(Shown::sheet(sheet, told.freshness))
    }
}
