//! `liftdeck queue list` and `queue show`: game session queues as the screens show them.

use clap::Args;
use liftdeck_insight::answer::queue::{DestinationKind, QueueDestinationDetail, QueueDetail, QueueRow};
use liftdeck_insight::{FleetState, latency_policy_text};
use serde_json::{Value, json};

use crate::cli::look::ReadConnection;
use crate::cli::names::{Noun, collected};
use crate::cli::show::{
    Column, InRegion, Question, Sheet, Shown, Table, Tone, cell, data, many, number, words,
};
use crate::cli::{Failure, changes};

/// Which queues to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    at: InRegion,
}

/// A queue to look at.
#[derive(Debug, Args)]
pub(in crate::cli) struct Show {
    /// Name
    #[arg(value_name = "QUEUE", add = crate::cli::complete::of(Noun::Queue))]
    queue: String,
    /// Its Region, if several have this name
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
}

const QUEUES: &[Column<QueueRow>] = &[
    words("name", "NAME").of(|it| cell(&it.name)),
    words("region", "REGION").of(|it| cell(&it.region)),
    number("timeout_in_seconds", "TIMEOUT S").of(|it| cell(it.timeout_seconds)),
    words("destinations", "DESTINATIONS")
        .least(20)
        .rank(1)
        .of(|it| many(it.destinations.iter().map(|to| &to.label))),
    words("player_latency_policies", "LATENCY").least(20).rank(3).of(|it| cell(&it.latency_policies)),
    words("notification_target", "NOTIFIES").least(24).rank(4).of(|it| cell(&it.notification_target)),
    data("priority_order").of(|it| cell(&it.priority)),
    data("destination_arns").of(|it| many(it.destinations.iter().map(|to| &to.arn))),
    data("game_session_queue_arn").of(|it| cell(&it.arn)),
];

const DESTINATIONS: &[Column<QueueDestinationDetail>] = &[
    words("name", "DESTINATION").of(|it| cell(it.name.as_ref().unwrap_or(&it.id))),
    words("kind", "KIND").of(|it| cell(kind(it.kind))),
    words("state", "STATE").of(|it| cell(standing(it).1)),
    number("game_sessions", "SESSIONS").of(|it| cell(it.game_sessions)),
    words("id", "ID").rank(1).of(|it| cell(&it.id)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
    data("arn").of(|it| cell(&it.arn)),
];

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let queues: Vec<QueueRow> = look.ask("queue_list", Value::Null).await?;
        let rows = queues.iter().filter(|row| self.at.takes(&row.region));
        let freshness = queues.first().map(|row| row.freshness);
        Ok(Shown::whole(Table::of(QUEUES, rows), ("queue", "queues"), freshness))
    }
}

impl Question for Show {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let queues: Vec<QueueRow> = look.ask("queue_list", Value::Null).await?;
        let meant = collected(
            Noun::Queue,
            &queues,
            |it| [it.name.as_str(), it.name.as_str(), it.region.as_str()],
            &self.queue,
            self.region.as_deref(),
        )?;
        let question = json!({ "name": meant.name, "region": meant.region });
        let it: QueueDetail = look.ask("queue_get", question).await?;
        let mut sheet = Sheet::default();
        sheet.fact("name", "Name", &it.name);
        sheet.fact("region", "Region", &it.region);
        sheet.fact("game_session_queue_arn", "", &it.arn);
        sheet.fact("timeout_in_seconds", "Timeout in s", it.timeout_seconds);
        sheet.fact(
            "player_latency_policies",
            "Latency",
            many(it.latency_policies.iter().map(latency_policy_text)),
        );
        sheet.fact("priority_order", "Priority", &it.priority_order);
        sheet.fact("location_order", "Location order", &it.location_order);
        sheet.fact("allowed_locations", "Allowed locations", &it.allowed_locations);
        sheet.fact("notification_target", "Notifies", &it.notification_target);
        sheet.fact("custom_event_data", "Custom event data", &it.custom_event_data);
        let destinations = Table::toned(DESTINATIONS, &it.destinations, |it| standing(it).0);
        sheet.part("destinations", "Destinations", destinations);
        sheet.part("history", "What changed", changes::table(&it.history));
        Ok(Shown::sheet(sheet, it.freshness))
    }
}

const fn kind(kind: DestinationKind) -> &'static str {
    match kind {
        DestinationKind::Fleet => "fleet",
        DestinationKind::Alias => "alias",
    }
}

/// The state of a destination, in a word.
fn standing(it: &QueueDestinationDetail) -> (Tone, &'static str) {
    match (&it.fleet_id, it.state) {
        // A terminal alias has no fleet that could have a state.
        (None, FleetState::Off) => (Tone::Faint, "no fleet"),
        _ => crate::cli::fleet::state(it.state),
    }
}
