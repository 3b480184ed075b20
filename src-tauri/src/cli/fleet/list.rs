//! `liftdeck fleet list` and `fleet show`: fleets as the screens show them.

use clap::Args;
use liftdeck_insight::FleetState;
use liftdeck_insight::answer::fleet::{FleetDetail, FleetList, FleetLocationRow, FleetRow, ScalingPolicyRow};
use liftdeck_model::time::TimeRange;
use serde_json::json;

use crate::cli::Failure;
use crate::cli::look::ReadConnection;
use crate::cli::names::{Noun, collected};
use crate::cli::show::{
    Column, InRegion, Question, Sheet, Shown, Table, Tone, at, cell, data, many, name, number, words,
};

/// Which fleets to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    at: InRegion,
}

/// A fleet to look at.
#[derive(Debug, Args)]
pub(in crate::cli) struct Show {
    /// Id or name
    #[arg(value_name = "FLEET", add = crate::cli::complete::of(Noun::Fleet))]
    fleet: String,
    /// Its home Region, if several have this name
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
}

const FLEETS: &[Column<FleetRow>] = &[
    words("name", "NAME").least(16).of(|it| cell(&it.name)),
    words("state", "STATE").of(|it| cell(state(it.state).1)),
    words("status", "STATUS").rank(6).of(|it| cell(&it.status)),
    words("region", "REGION").rank(2).of(|it| cell(&it.region)),
    words("compute_kind", "KIND").rank(7).of(|it| name(it.kind)),
    words("instance_type", "TYPE").rank(8).of(|it| cell(&it.instance_type)),
    number("desired_instances", "DESIRED").rank(5).of(|it| cell(it.desired)),
    number("active_instances", "ACTIVE").of(|it| cell(it.active)),
    number("max_size", "MAX").rank(4).of(|it| cell(it.max)),
    number("game_sessions", "SESSIONS").of(|it| cell(it.game_sessions)),
    number("player_sessions", "PLAYERS").of(|it| cell(it.player_sessions)),
    number("percent_available_game_sessions", "FREE %").rank(3).of(|it| cell(it.free_percent)),
    words("aliases", "ALIASES").least(12).rank(9).of(|it| cell(&it.aliases)),
    words("fleet_id", "FLEET ID").rank(10).of(|it| cell(&it.fleet_id)),
    data("fleet_arn").of(|it| cell(&it.arn)),
    data("locations").of(|it| many(&it.locations)),
    data("queues").of(|it| cell(&it.queues)),
    data("build_or_script").of(|it| cell(&it.build_or_script)),
    data("build_or_script_id").of(|it| cell(&it.build_or_script_id)),
    data("as_of").of(|it| at(it.freshness.as_of)),
];

const LOCATIONS: &[Column<FleetLocationRow>] = &[
    words("location", "LOCATION").of(|it| cell(&it.location)),
    words("status", "STATUS").rank(4).of(|it| cell(&it.status)),
    number("desired_instances", "DESIRED").of(|it| cell(it.desired)),
    number("min_size", "MIN").rank(2).of(|it| cell(it.min)),
    number("max_size", "MAX").of(|it| cell(it.max)),
    number("pending_instances", "PENDING").rank(3).of(|it| cell(it.pending)),
    number("active_instances", "ACTIVE").of(|it| cell(it.active)),
    number("idle_instances", "IDLE").rank(3).of(|it| cell(it.idle)),
    number("terminating_instances", "TERMINATING").rank(5).of(|it| cell(it.terminating)),
    number("game_sessions", "SESSIONS").of(|it| cell(it.game_sessions)),
    number("player_sessions", "PLAYERS").of(|it| cell(it.player_sessions)),
    number("processes", "PROCESSES").rank(1).of(|it| cell(it.processes)),
    words("scaling_suspended", "SCALING SUSPENDED").rank(6).of(|it| cell(it.scaling_suspended)),
];

const POLICIES: &[Column<ScalingPolicyRow>] = &[
    words("name", "NAME").of(|it| cell(&it.name)),
    words("status", "STATUS").of(|it| cell(&it.status)),
    words("location", "LOCATION").rank(2).of(|it| cell(&it.location)),
    words("metric_name", "METRIC").of(|it| cell(&it.metric)),
    number("target_value", "TARGET").of(|it| cell(it.target_value)),
    words("rule", "RULE").rank(1).of(|it| cell(&it.rule)),
];

/// Reads all fleets.
///
/// # Errors
/// When they cannot be read.
pub(in crate::cli) async fn fleets(look: &ReadConnection) -> Result<FleetList, Failure> {
    let now = look.now();
    look.ask("fleet_list", json!({ "range": TimeRange::new(now, now) })).await
}

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let fleets = fleets(look).await?;
        let rows = fleets.rows.iter().filter(|row| self.at.takes(&row.region));
        let table = Table::toned(FLEETS, rows, |it| state(it.state).0);
        Ok(Shown::whole(table, ("fleet", "fleets"), fleets.freshness))
    }
}

impl Question for Show {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let fleets = fleets(look).await?;
        let id = meant_fleet(&fleets, &self.fleet, self.region.as_deref())?.fleet_id.clone();
        let fleet: FleetDetail = look.ask("fleet_get", json!({ "fleetId": id })).await?;
        Ok(sheet(&fleet))
    }
}

/// Finds a fleet by id or name.
///
/// # Errors
/// When there is none, or several have this name.
pub(in crate::cli) fn meant_fleet<'a>(
    fleets: &'a FleetList,
    text: &str,
    region: Option<&str>,
) -> Result<&'a FleetRow, Failure> {
    collected(
        Noun::Fleet,
        &fleets.rows,
        |it| [it.fleet_id.as_str(), &it.name, it.region.as_str()],
        text,
        region,
    )
}

/// A fleet's state in a word.
pub(in crate::cli) const fn state(state: FleetState) -> (Tone, &'static str) {
    match state {
        FleetState::Good => (Tone::Plain, "good"),
        FleetState::Warning => (Tone::Warning, "warning"),
        FleetState::Bad => (Tone::Bad, "bad"),
        FleetState::Pending => (Tone::Plain, "pending"),
        FleetState::Off => (Tone::Faint, "off"),
        FleetState::Unknown => (Tone::Faint, "unknown"),
    }
}

fn sheet(fleet: &FleetDetail) -> Shown {
    let mut sheet = Sheet::default();
    let head = &fleet.row;
    sheet.fact("name", "Name", &head.name);
    sheet.fact("fleet_id", "Fleet id", &head.fleet_id);
    sheet.fact("fleet_arn", "", &head.arn);
    sheet.fact("region", "Region", &head.region);
    sheet.fact("state", "State", state(head.state).1);
    sheet.fact("status", "Status", &head.status);
    sheet.fact("description", "Description", &fleet.description);
    sheet.fact("compute_kind", "Kind", name(head.kind));
    sheet.fact("instance_type", "Instance type", &head.instance_type);
    sheet.fact("build_or_script", if head.is_realtime { "Script" } else { "Build" }, &head.build_or_script);
    sheet.fact("build_or_script_id", "", &head.build_or_script_id);
    sheet.fact("operating_system", "Operating system", &fleet.operating_system);
    sheet.fact("desired_instances", "Desired instances", head.desired);
    sheet.fact("active_instances", "Active instances", head.active);
    sheet.fact("max_size", "Maximum", head.max);
    sheet.fact("at_maximum_since", "At its maximum since", at(fleet.capped_since));
    sheet.fact("game_sessions", "Game sessions", head.game_sessions);
    sheet.fact("player_sessions", "Players", head.player_sessions);
    sheet.fact("percent_available_game_sessions", "Free %", head.free_percent);
    sheet.fact("new_game_session_protection_policy", "Protection", &fleet.protection);
    sheet.fact("aliases", "Aliases", &head.aliases);
    sheet.fact("queues", "Queues", &head.queues);
    sheet.fact("creation_time", "Created", at(fleet.creation_time));
    sheet.fact("certificate_type", "Certificate", &fleet.certificate);
    sheet.fact("certificate_ends", "Certificate ends", at(fleet.certificate_term.map(|term| term.ends_at)));
    sheet.fact("certificate_note", "", &fleet.certificate_note);
    sheet.fact("termination_time", "", at(fleet.termination_time));
    let held = |it: &FleetLocationRow| match it.scaling_suspended {
        Some(true) => Tone::Warning,
        _ => Tone::Plain,
    };
    sheet.part("locations", "Locations", Table::toned(LOCATIONS, &fleet.locations, held));
    sheet.part("scaling_policies", "Scaling policies", Table::of(POLICIES, &fleet.policies));
    Shown::sheet(sheet, head.freshness)
}
