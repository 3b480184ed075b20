//! `liftdeck fleet instances`: a fleet's computes with their game sessions, and the server processes of each location.

use clap::Args;
use liftdeck_insight::answer::fleet::{InstanceList, InstanceRow, LocationProcesses};
use serde_json::json;

use super::list::{fleets, meant_fleet};
use crate::cli::Failure;
use crate::cli::look::ReadConnection;
use crate::cli::names::Noun;
use crate::cli::show::{Column, Question, Sheet, Shown, Table, Tone, at, cell, data, number, words};

/// A fleet whose computes to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct Instances {
    /// Id or name
    #[arg(value_name = "FLEET", add = crate::cli::complete::of(Noun::Fleet))]
    fleet: String,
    /// Its home Region, if several have this name
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
}

const LOCATIONS: &[Column<LocationProcesses>] = &[
    words("location", "LOCATION").of(|it| cell(&it.location)),
    number("active_computes", "ACTIVE COMPUTES").of(|it| cell(it.computes)),
    number("configured_server_processes", "PROCESSES CONFIGURED").of(|it| cell(it.configured)),
    number("active_server_processes", "RUNNING").of(|it| cell(it.running)),
    number("game_sessions", "SESSIONS").of(|it| cell(it.game_sessions)),
];

const COMPUTES: &[Column<InstanceRow>] = &[
    words("instance_id", "INSTANCE").of(|it| cell(&it.instance_id)),
    words("compute_name", "COMPUTE").rank(5).of(|it| cell(&it.compute_name)),
    words("status", "STATUS").of(|it| cell(&it.status)),
    words("location", "LOCATION").rank(1).of(|it| cell(&it.location)),
    number("configured_server_processes", "PROCESSES").of(|it| cell(it.processes)),
    number("game_sessions", "SESSIONS").of(|it| cell(it.game_sessions)),
    number("player_sessions", "PLAYERS").of(|it| cell(it.player_sessions)),
    words("ip_address", "IP ADDRESS").rank(2).of(|it| cell(&it.ip_address)),
    words("instance_type", "TYPE").rank(4).of(|it| cell(&it.instance_type)),
    number("creation_time", "STARTED").rank(3).of(|it| at(it.creation_time)),
    data("dns_name").of(|it| cell(&it.dns_name)),
];

impl Question for Instances {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let fleets = fleets(look).await?;
        let fleet = meant_fleet(&fleets, &self.fleet, self.region.as_deref())?;
        let found: InstanceList = look.ask("fleet_instances", json!({ "fleetId": fleet.fleet_id })).await?;
        let mut sheet = Sheet::default();
        sheet.fact("name", "Name", &fleet.name);
        sheet.fact("fleet_id", "Fleet id", &fleet.fleet_id);
        sheet.fact("note", "Server processes", found.note.as_str());
        sheet.part("locations", "Locations", Table::of(LOCATIONS, &found.locations));
        let tone = |it: &InstanceRow| if it.status == "ACTIVE" { Tone::Plain } else { Tone::Faint };
        sheet.part("computes", "Computes", Table::toned(COMPUTES, &found.rows, tone));
        Ok(Shown::sheet(sheet, found.freshness))
    }
}
