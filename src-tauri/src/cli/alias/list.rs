//! `liftdeck alias list` and `alias show`: aliases and where they point.

use clap::Args;
use liftdeck_insight::answer::alias::{AliasRouting, AliasRow};
use serde_json::Value;

use crate::cli::look::ReadConnection;
use crate::cli::names::{Noun, collected};
use crate::cli::show::{
    Column, InRegion, Question, Sheet, Shown, Table, Tone, at, cell, data, number, words,
};
use crate::cli::{Failure, changes};

/// Which aliases to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    at: InRegion,
}

/// An alias to look at.
#[derive(Debug, Args)]
pub(in crate::cli) struct Show {
    /// Id or name
    #[arg(value_name = "ALIAS", add = crate::cli::complete::of(Noun::Alias))]
    alias: String,
    /// Its Region, if several have this name
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
}

const ALIASES: &[Column<AliasRow>] = &[
    words("name", "NAME").of(|it| cell(&it.name)),
    words("region", "REGION").rank(1).of(|it| cell(&it.region)),
    words("type", "ROUTING").rank(3).of(|it| cell(routing(it.routing))),
    words("leads_to", "POINTS TO").least(20).of(|it| cell(leads_to(it))),
    number("game_sessions", "SESSIONS").rank(2).of(|it| cell(it.game_sessions)),
    number("last_updated_time", "UPDATED").of(|it| at(it.updated_at)),
    words("alias_id", "ALIAS ID").rank(4).of(|it| cell(&it.alias_id)),
    data("description").of(|it| cell(&it.description)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
    data("message").of(|it| cell(&it.message)),
];

const fn routing(routing: AliasRouting) -> &'static str {
    match routing {
        AliasRouting::Simple => "SIMPLE",
        AliasRouting::Terminal => "TERMINAL",
    }
}

/// The fleet an alias points to, or the message callers get.
fn leads_to(it: &AliasRow) -> String {
    let fleet = it.fleet_name.clone().or_else(|| it.fleet_id.as_ref().map(ToString::to_string));
    fleet.or_else(|| it.message.as_ref().map(|message| format!("message “{message}”"))).unwrap_or_default()
}

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let aliases: Vec<AliasRow> = look.ask("alias_list", Value::Null).await?;
        let rows = aliases.iter().filter(|row| self.at.takes(&row.region));
        let tone = |it: &AliasRow| match it.routing {
            AliasRouting::Simple => Tone::Plain,
            AliasRouting::Terminal => Tone::Faint,
        };
        let freshness = aliases.first().map(|row| row.freshness);
        Ok(Shown::whole(Table::toned(ALIASES, rows, tone), ("alias", "aliases"), freshness))
    }
}

impl Question for Show {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let aliases: Vec<AliasRow> = look.ask("alias_list", Value::Null).await?;
        let it = collected(
            Noun::Alias,
            &aliases,
            |it| [it.alias_id.as_str(), &it.name, it.region.as_str()],
            &self.alias,
            self.region.as_deref(),
        )?;
        let mut sheet = Sheet::default();
        sheet.fact("name", "Name", &it.name);
        sheet.fact("alias_id", "Alias id", &it.alias_id);
        sheet.fact("region", "Region", &it.region);
        sheet.fact("description", "Description", &it.description);
        sheet.fact("type", "Routing", routing(it.routing));
        sheet.fact("fleet_name", "Fleet", &it.fleet_name);
        sheet.fact("fleet_id", "Fleet id", &it.fleet_id);
        sheet.fact("message", "Message", &it.message);
        sheet.fact("game_sessions", "Game sessions there", it.game_sessions);
        sheet.fact("last_updated_time", "Updated", at(it.updated_at));
        sheet.part("history", "What changed", changes::table(&it.history));
        Ok(Shown::sheet(sheet, it.freshness))
    }
}
