//! `liftdeck changes`: what changed, as on the Overview and the fleet's screens.

use clap::Args;
use liftdeck_insight::change::fold;
use liftdeck_insight::{Change, ChangeKind, FleetScaling, Overview};
use liftdeck_model::Severity;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::freshness::Freshness;
use serde_json::json;

use super::Failure;
use super::fleet::{fleets, meant_fleet};
use super::look::ReadConnection;
use super::show::{Column, Question, Shown, Span, Table, Tone, Total, at, cell, data, name, number, words};

const MANUAL: &str = "\
Settings are dated by the call that changed them once CloudTrail tells of it, until then by the poll that first saw
them differ; fleet events by the fleet.

Example:
  liftdeck changes --connection Live --fleet arena-eu --since 3h";

/// The range in milliseconds if none is given: the last day.
const LAST_MS: i64 = 86_400_000;

/// Most changes that are read to list what people did.
const MOST_FOLDED: usize = 1_000;

/// Which changes to list.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Changes {
    #[command(flatten)]
    span: Span,
    /// Only those of this fleet, by id or name
    #[arg(long, value_name = "FLEET")]
    fleet: Option<String>,
    /// Only what people did and what happened: without the steps of scaling policies, and with events that follow each
    /// other as one line
    #[arg(long)]
    people: bool,
    /// At most this many, newest first
    #[arg(long, value_name = "COUNT", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
}

const COLUMNS: &[Column<Change>] = &[
    number("at", "WHEN").of(|it| at(it.at)),
    words("severity", "SEVERITY").rank(5).of(|it| name(it.severity)),
    words("subject", "WHAT").least(20).of(|it| cell(&it.words.subject)),
    words("text", "CHANGE").least(16).of(|it| cell(&it.words.text)),
    words("before", "BEFORE").least(10).rank(2).of(|it| cell(&it.words.before)),
    words("after", "AFTER").least(10).rank(1).of(|it| cell(&it.words.after)),
    words("by", "BY").least(10).rank(2).of(|it| cell(by(it))),
    words("location", "LOCATION").rank(3).of(|it| cell(&it.location)),
    words("region", "REGION").rank(4).of(|it| cell(&it.region)),
    data("kind").of(|it| cell(kind(it.kind))),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
];

impl Question for Changes {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let range = self.span.or_last(LAST_MS, look.now())?;
        let wanted = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let (mut lines, freshness) = match &self.fleet {
            Some(fleet) => of_fleet(look, fleet, range).await?,
            // Most lines of a busy account are steps of policies.
            None if self.people => of_all(look, range, MOST_FOLDED).await?,
            None => of_all(look, range, wanted).await?,
        };
        let mut has_more = lines.len() > wanted;
        if self.people {
            let folded = fold(&lines, wanted);
            (lines, has_more) = (folded.lines, folded.has_more);
        }
        lines.truncate(wanted);
        let table = table(&lines);
        let total = Total { noun: ("change", "changes"), all: table.count(), is_exact: !has_more };
        Ok(Shown::list(table, total, freshness))
    }
}

async fn of_fleet(
    look: &ReadConnection,
    fleet: &str,
    range: TimeRange,
) -> Result<(Vec<Change>, Freshness), Failure> {
    let fleet = meant_fleet(&fleets(look).await?, fleet, None)?.fleet_id.clone();
    let scaling: FleetScaling =
        look.ask("fleet_scaling", json!({ "fleetId": fleet, "range": range })).await?;
    Ok((scaling.changes, scaling.freshness))
}

/// Reads the changes of all fleets. The overview returns only the newest of a range, so older ones are requested with
/// a range that ends at the oldest one received.
async fn of_all(
    look: &ReadConnection,
    range: TimeRange,
    wanted: usize,
) -> Result<(Vec<Change>, Freshness), Failure> {
    let mut lines: Vec<Change> = Vec::new();
    let mut rest = range;
    loop {
        let overview: Overview = look.ask("overview_get", json!({ "range": rest })).await?;
        let before = lines.len();
        for line in overview.changes {
            if !lines.iter().any(|known| known.key == line.key) {
                lines.push(line);
            }
        }
        match lines.last() {
            // Changes of the same moment may be split between two answers, so the next range still includes that
            // moment.
            Some(oldest) if lines.len() > before && lines.len() <= wanted && oldest.at > rest.from => {
                rest = TimeRange::new(rest.from, oldest.at.plus_ms(1));
            }
            _ => return Ok((lines, overview.heat_freshness)),
        }
    }
}

/// Who made a change.
fn by(change: &Change) -> Option<String> {
    let ours = change.by_us.as_ref().map(|_| "this Liftdeck".to_owned());
    ours.or_else(|| change.words.by.clone())
}

/// A table of changes.
pub(super) fn table(lines: &[Change]) -> Table {
    Table::toned(COLUMNS, lines, |line| tone(line.severity))
}

/// The tone of something this severe.
pub(super) const fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Info => Tone::Plain,
        Severity::Warning => Tone::Warning,
        Severity::Bad => Tone::Bad,
    }
}

const fn kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::FleetEvent => "fleet_event",
        ChangeKind::ScalingStep => "scaling_step",
        ChangeKind::Capacity => "capacity",
        ChangeKind::ScalingPolicy => "scaling_policy",
        ChangeKind::Alias => "alias",
        ChangeKind::Queue => "queue",
        ChangeKind::MatchmakingConfiguration => "matchmaking_configuration",
        ChangeKind::RuntimeConfiguration => "runtime_configuration",
        ChangeKind::Script => "script",
        ChangeKind::Build => "build",
        ChangeKind::Fleet => "fleet",
        ChangeKind::Deployment => "deployment",
    }
}
