//! `liftdeck status`: the state at a glance, in the words of the Overview screen.

use clap::Args;
use liftdeck_collector::{Health, RegionHealth};
use liftdeck_insight::usual::Standing;
use liftdeck_insight::{Alert, Knowledge, Kpi, KpiKey, Overview, Trouble};
use liftdeck_model::time::TimeRange;
use serde_json::{Value, json};

use super::look::ReadConnection;
use super::show::{Cell, Column, Question, Sheet, Shown, Table, Tone, at, cell, data, number, words};
use super::{Failure, alerts};

const MANUAL: &str = "\
Key figures with what is usual at this hour, what needs attention, and when each Region last answered.

Example:
  liftdeck status --connection Live --watch";

/// The history that the figures are based on, in milliseconds: three hours, as on the Overview screen.
const LAST_MS: i64 = 3 * 3_600_000;

/// The state at a glance.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Status;

const FIGURES: &[Column<Kpi>] = &[
    words("figure", "FIGURE").of(|it| cell(figure(it.key).0)),
    number("value", "NOW").of(|it| amount(it.value)),
    number("of", "OF").rank(2).of(|it| amount(it.of)),
    data("unknown_fleets").of(|it| cell(it.unknown_fleets)),
    data("usual_low").of(|it| amount(it.usual.map(|usual| usual.low))),
    data("usual_high").of(|it| amount(it.usual.map(|usual| usual.high))),
    words("standing", "USUAL").rank(3).of(|it| cell(standing(it))),
    words("unit", "").rank(1).of(|it| cell(figure(it.key).1)),
    data("as_of").of(|it| at(it.freshness.as_of)),
];

const REGIONS: &[Column<RegionHealth>] = &[
    words("region", "REGION").of(|it| cell(&it.region)),
    number("last_read", "LAST ANSWER").of(|it| at(it.last_success)),
    words("failure", "FAILURE").least(20).of(|it| cell(&it.message)),
];

impl Question for Status {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let now = look.now();
        let range = TimeRange::new(now.plus_ms(-LAST_MS), now);
        let overview: Overview = look.ask("overview_get", json!({ "range": range })).await?;
        let health: Health = look.ask("health_get", Value::Null).await?;
        let mut sheet = Sheet::default();
        let connection = look.connection();
        sheet.fact("connection", "Connection", connection.map(|it| &it.name));
        sheet.fact("account", "Account", connection.and_then(|it| it.account.as_ref()));
        sheet.fact(
            "environment",
            "Environment",
            connection.map(|it| format!("{:?}", it.environment).to_lowercase()),
        );
        // Before the first answer their number is not known, and not zero.
        let fleets = (!overview.knowledge.is_never_read()).then_some(overview.fleets);
        sheet.fact("fleets", "Fleets", fleets);
        let dated = |it: &Kpi| if it.freshness.stale { Tone::Faint } else { Tone::Plain };
        sheet.part("figures", "Now", Table::toned(FIGURES, &overview.kpis, dated));
        let alerts = alerts::table(&overview.alerts);
        if alerts.is_empty() {
            sheet.fact("", "Alerts", calm(&overview.knowledge, &overview.seen));
        }
        sheet.part("alerts", "Alerts", alerts);
        sheet.part("seen", "Seen, no alert", alerts::table(&overview.seen));
        let failing = |it: &RegionHealth| if it.message.is_some() { Tone::Warning } else { Tone::Plain };
        sheet.part("regions", "Regions", Table::toned(REGIONS, &health.regions, failing));
        let mut shown = Shown::sheet(sheet, overview.heat_freshness).dating("capacity and utilization");
        shown.notes.extend(parts(&overview.kpis));
        shown.notes.extend(health.cautions);
        Ok(shown)
    }
}

/// What figures leave out.
fn parts(kpis: &[Kpi]) -> impl Iterator<Item = String> {
    let part = kpis.iter().filter(|kpi| kpi.value.is_some() && kpi.unknown_fleets > 0);
    part.map(|kpi| {
        let fleets =
            if kpi.unknown_fleets == 1 { "fleet whose figure is" } else { "fleets whose figures are" };
        format!("{} without {} {fleets} not known.", figure(kpi.key).0, kpi.unknown_fleets)
    })
}

/// Said as long as AWS has answered nothing.
const NEVER_READ: &str = "not known: nothing was ever read from AWS";

/// What no alert means: without fresh data, nothing good; nor while fleets have little room, which is no alert because
/// automatic scaling lives on it.
pub(super) fn calm(known: &Knowledge, seen: &[Alert]) -> String {
    let is_tight = |one: &&Alert| {
        one.facts.as_ref().is_some_and(|facts| matches!(facts.trouble, Trouble::LittleRoom { .. }))
    };
    match (known.is_complete, known.blind_since) {
        _ if known.is_never_read() => NEVER_READ.to_owned(),
        (true, _) => match seen.iter().filter(is_tight).count() {
            0 => "nothing needs attention".to_owned(),
            1 => "none fires, but 1 fleet has little room".to_owned(),
            fleets => format!("none fires, but {fleets} fleets have little room"),
        },
        (false, Some(since)) => format!("no data since {}; last known: no alert", since.to_rfc3339()),
        (false, None) => "none known, but not everything was read and judged".to_owned(),
    }
}

/// The name of a figure and its unit.
const fn figure(key: KpiKey) -> (&'static str, &'static str) {
    match key {
        KpiKey::Crashes => ("crashes of server processes in 15 min", ""),
        KpiKey::PlayersOnline => ("players online", ""),
        KpiKey::ActiveSessions => ("active game sessions", ""),
        KpiKey::Instances => ("active instances", ""),
        KpiKey::FreeProcesses => ("free server processes", ""),
        KpiKey::PlacementsPerMinute => ("placements", "a minute"),
        KpiKey::MatchmakingWaitP95 => ("matchmaking wait, 95th percentile", "s"),
    }
}

fn amount(value: Option<f64>) -> Cell {
    match value {
        Some(value) if value.fract() == 0.0 => Cell::Count(value as i64),
        Some(value) => Cell::Real(value),
        None => Cell::Nothing,
    }
}

/// `usual 240 – 275`, and on which side of it the value lies.
fn standing(kpi: &Kpi) -> Option<String> {
    let usual = kpi.usual.map(|usual| match kpi.key {
        KpiKey::PlacementsPerMinute | KpiKey::MatchmakingWaitP95 if usual.high < 10.0 => {
            format!("{:.1} – {:.1}", usual.low, usual.high)
        }
        _ => format!("{:.0} – {:.0}", usual.low, usual.high),
    });
    match (kpi.standing, usual) {
        (Standing::Below, Some(usual)) => Some(format!("below {usual}")),
        (Standing::Above, Some(usual)) => Some(format!("above {usual}")),
        (Standing::Learning(learning), _) => {
            Some(format!("learning: {} of {} days", learning.days, learning.of_days))
        }
        (_, usual) => usual,
    }
}
