//! `liftdeck placement list`: placements as known from their events.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use liftdeck_insight::answer::placement::PlacementPage;
use liftdeck_model::Region;
use liftdeck_model::placement::PlacementEventType;
use liftdeck_store::reader::placement::PlacementRow;
use liftdeck_store::reader::placement::{PlacementRequest, PlacementScope};
use liftdeck_store::reader::window::Page;
use serde_json::json;

use crate::cli::Failure;
use crate::cli::look::ReadConnection;
use crate::cli::show::{
    Column, Question, Shown, Span, Table, Tone, Total, at, cell, data, length, number, words,
};

const MANUAL: &str = "\
Placements are known from the events of an adopted event queue alone: GameLift lists none.

Example:
  liftdeck placement list --connection Live --outcome failed --outcome timed-out --since 1h";

/// The range in milliseconds if none is given: the last day.
const LAST_MS: i64 = 86_400_000;

/// Which placements to list.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    span: Span,
    /// Only those of this queue
    #[arg(long, value_name = "QUEUE")]
    queue: Option<String>,
    /// Only those of queues in this Region
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
    /// Only those with these outcomes
    #[arg(long, value_parser = outcome(), value_name = "OUTCOME")]
    outcome: Vec<PlacementEventType>,
    /// Only those whose placement or game session id contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    text: String,
    /// At most this many, newest first
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
}

/// Parses an outcome, named by the status that it leads to.
fn outcome() -> impl TypedValueParser<Value = PlacementEventType> {
    PossibleValuesParser::new(["fulfilled", "cancelled", "timed-out", "failed"])
        .map(|word| PlacementEventType::of_status(&word.replace('-', "_").to_uppercase()))
}

const PLACEMENTS: &[Column<PlacementRow>] = &[
    words("placement_id", "PLACEMENT").of(|it| cell(&it.placement_id)),
    words("status", "STATUS").of(|it| cell(it.event_type.status())),
    words("game_session_queue_name", "QUEUE").rank(1).of(|it| cell(&it.queue)),
    words("region", "REGION").rank(4).of(|it| cell(&it.region)),
    number("end_time", "ENDED").of(|it| at(it.end_time)),
    number("duration_ms", "TOOK").of(|it| length(it.duration_ms)),
    number("players", "PLAYERS").rank(3).of(|it| cell(it.players)),
    words("location", "LOCATION").rank(2).of(|it| cell(&it.location)),
    data("start_time").of(|it| at(it.start_time)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
    data("game_session_id").of(|it| cell(&it.game_session_id)),
];

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let question = PlacementRequest {
            scope: PlacementScope {
                queue: self.queue.clone(),
                region: self.region.clone().map(Region::new),
                ..PlacementScope::default()
            },
            event_types: self.outcome.clone(),
            text: self.text.clone(),
            range: self.span.or_last(LAST_MS, look.now())?,
            page: Page::first(self.limit),
        };
        let page: PlacementPage = look.ask("placement_list", json!({ "query": question })).await?;
        let table = Table::toned(PLACEMENTS, &page.rows, tone);
        let total =
            Total { noun: ("placement", "placements"), all: page.total, is_exact: page.total_is_exact };
        let mut shown = Shown::list(table, total, page.freshness);
        if page.freshness.as_of.is_none() {
            shown.notes.push("No event queue was read: placements are not known without one.".to_owned());
        }
        Ok(shown)
    }
}

const fn tone(it: &PlacementRow) -> Tone {
    match it.event_type {
        PlacementEventType::Fulfilled => Tone::Plain,
        PlacementEventType::Cancelled => Tone::Faint,
        PlacementEventType::TimedOut => Tone::Warning,
        PlacementEventType::Failed | PlacementEventType::Other(_) => Tone::Bad,
    }
}
