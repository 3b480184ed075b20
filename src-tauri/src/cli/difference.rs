//! `liftdeck session difference`, `placement difference` and `matchmaking difference`: what the bad ones have in common
//! that the rest have not.

use clap::Args;
use liftdeck_insight::difference::{Comparison, Difference, Differences, SessionDifferenceQuery};
use liftdeck_model::{Location, Region};
use liftdeck_store::reader::matchmaking::TicketScope;
use liftdeck_store::reader::placement::PlacementScope;
use serde_json::json;

use super::fleet::{fleets, meant_fleet};
use super::look::ReadConnection;
use super::names::Noun;
use super::show::{Cell, Column, Question, Sheet, Shown, Span, Table, Tone, cell, data, words};
use super::{Failure, query_text};

const SESSIONS_MANUAL: &str = "\
Terms about where a session runs or what it is (fleet region location build script instance_type queue max compute \
prop.KEY) limit both sides; the others, such as ended or duration, tell the bad ones. A difference is a hint where to \
look, not a cause.

Example:
  liftdeck session difference --connection Live --since 3h --where 'ended:abnormal'";

const PLACEMENTS_MANUAL: &str = "\
Compares the placements that failed or timed out by queue, Region, what their queue leads to now (fleet, location, build, \
script, instance type), and, of matches within three days, by matchmaking configuration and players. A placement that \
failed has no game session, so nothing else is known of it unless it was asked for here.

Example:
  liftdeck placement difference --connection Live --since 3h";

const TICKETS_MANUAL: &str = "\
Compares the tickets that failed or timed out by matchmaking configuration, Region, players, rule set and queue. The \
tickets of one match count as one.

Example:
  liftdeck matchmaking difference --connection Live --since 3h";

/// The range in milliseconds if none is given: the last three hours.
const LAST_MS: i64 = 3 * 3_600_000;

/// Which game sessions to compare with the rest.
#[derive(Debug, Args)]
#[command(after_help = SESSIONS_MANUAL)]
pub(super) struct OfSessions {
    #[command(flatten)]
    span: Span,
    /// The bad ones
    #[arg(long = "where", value_name = "QUERY", default_value = "ended:abnormal", allow_hyphen_values = true, value_parser = query_text)]
    query: String,
    /// Only those of this fleet, by id or name
    #[arg(long, value_name = "FLEET", add = super::complete::of(Noun::Fleet))]
    fleet: Option<String>,
    /// Only those in this location
    #[arg(long, value_name = "LOCATION")]
    location: Option<String>,
}

/// Which placements to compare.
#[derive(Debug, Args)]
#[command(after_help = PLACEMENTS_MANUAL)]
pub(super) struct OfPlacements {
    #[command(flatten)]
    span: Span,
    /// Only those of this queue
    #[arg(long, value_name = "QUEUE")]
    queue: Option<String>,
    /// Only those of queues in this Region
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
}

/// Which tickets to compare.
#[derive(Debug, Args)]
#[command(after_help = TICKETS_MANUAL)]
pub(super) struct OfTickets {
    #[command(flatten)]
    span: Span,
    /// Only those of this matchmaking configuration
    #[arg(long, value_name = "CONFIGURATION")]
    configuration: Option<String>,
    /// Only those in this Region
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
}

/// A difference, and what repeats it.
struct Line {
    of: Difference,
    repeats: Option<String>,
}

const LINES: &[Column<Line>] = &[
    words("dimension", "WHAT").of(|it| cell(&it.of.name)),
    words("label", "VALUE").least(16).of(|it| cell(&it.of.label)),
    words("with", "BAD").of(|it| share(it.of.bad_in, it.of.all_in)),
    words("without", "WITHOUT IT").of(|it| share(it.of.bad_out, it.of.all_out)),
    words("times", "TIMES").of(|it| cell(times(&it.of))),
    words("note", "").rank(1).of(|it| cell(note(it))),
    data("value").of(|it| cell(&it.of.value)),
    data("term").of(|it| cell(&it.of.term)),
    data("bad_in").of(|it| cell(it.of.bad_in)),
    data("all_in").of(|it| cell(it.of.all_in)),
    data("bad_out").of(|it| cell(it.of.bad_out)),
    data("all_out").of(|it| cell(it.of.all_out)),
    data("lift").of(|it| cell(it.of.lift)),
    data("p").of(|it| cell(it.of.p)),
    data("is_significant").of(|it| cell(it.of.is_significant)),
];

fn share(bad: u64, all: u64) -> Cell {
    cell(format!("{bad} of {all}"))
}

fn times(of: &Difference) -> String {
    match of.lift {
        Some(lift) if lift >= 10.0 => format!("{lift:.0}×"),
        Some(lift) => format!("{lift:.1}×"),
        None => "only here".to_owned(),
    }
}

fn note(line: &Line) -> String {
    match &line.repeats {
        Some(first) => format!("the same as {first}"),
        None if line.of.is_significant => String::new(),
        None => "too few to tell".to_owned(),
    }
}

fn table(comparison: &Comparison) -> Table {
    let lines: Vec<Line> = comparison
        .groups
        .iter()
        .flat_map(|group| {
            let first = Line { of: group.first.clone(), repeats: None };
            let repeats = |of: &Difference| Line { of: of.clone(), repeats: Some(group.first.name.clone()) };
            let same = group.same.iter().map(repeats);
            std::iter::once(first).chain(same)
        })
        .collect();
    let tone = |line: &Line| if line.of.is_significant { Tone::Plain } else { Tone::Faint };
    Table::toned(LINES, &lines, tone)
}

fn shown(found: &Differences, noun: &str) -> Shown {
    let (mut sheet, whole) = (Sheet::default(), &found.whole);
    sheet.fact("compared", "Compared", format!("{} bad of {} {noun}", whole.bad, whole.all));
    sheet.fact("bad_query", "Bad", Some(&found.bad).filter(|text| !text.is_empty()));
    sheet.fact("among", "Among", Some(&found.among).filter(|text| !text.is_empty()));
    sheet.fact("bad", "", whole.bad);
    sheet.fact("all", "", whole.all);
    sheet.part("differences", "What is different", table(whole));
    if let Some((within, first)) = found.within.as_ref().zip(whole.groups.first()) {
        let first = &first.first;
        let title = format!("{} {}, {} bad of {}", first.name, first.label, within.bad, within.all);
        sheet.fact("within_first", "Within", title);
        sheet.part("within", "Within the first", table(within));
    }
    let mut shown = Shown::sheet(sheet, found.freshness);
    if whole.groups.is_empty() {
        shown.notes.push("Nothing is different about them.".to_owned());
    }
    if !whole.alike.is_empty() {
        shown.notes.push(format!("Also compared: {}.", whole.alike.join(", ")));
    }
    if !found.note.is_empty() {
        shown.notes.push(found.note.clone());
    }
    shown
}

impl Question for OfSessions {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let fleet_id = match &self.fleet {
            Some(fleet) => Some(meant_fleet(&fleets(look).await?, fleet, None)?.fleet_id.clone()),
            None => None,
        };
        let query = SessionDifferenceQuery {
            text: self.query.clone(),
            fleet_id,
            location: self.location.clone().map(Location::new),
            range: Some(self.span.or_last(LAST_MS, look.now())?),
        };
        let found: Differences = look.ask("session_difference", json!({ "query": query })).await?;
        Ok(shown(&found, "game sessions"))
    }
}

impl Question for OfPlacements {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let scope = PlacementScope {
            queue: self.queue.clone(),
            region: self.region.clone().map(Region::new),
            ..PlacementScope::default()
        };
        let range = self.span.or_last(LAST_MS, look.now())?;
        let asked = json!({ "scope": scope, "range": range, "span": null });
        let found: Differences = look.ask("placement_difference", asked).await?;
        let mut shown = shown(&found, "placements");
        if found.freshness.as_of.is_none() {
            shown.notes.push("No event queue was read: placements are not known without one.".to_owned());
        }
        Ok(shown)
    }
}

impl Question for OfTickets {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let scope = TicketScope {
            configuration: self.configuration.clone(),
            region: self.region.clone().map(Region::new),
        };
        let range = self.span.or_last(LAST_MS, look.now())?;
        let asked = json!({ "scope": scope, "range": range, "span": null });
        let found: Differences = look.ask("ticket_difference", asked).await?;
        let mut shown = shown(&found, "tickets");
        if found.freshness.as_of.is_none() {
            shown.notes.push("No event queue was read: tickets are not known without one.".to_owned());
        }
        Ok(shown)
    }
}
