//! `liftdeck build list` and `script list`: what fleets run.

use clap::{Args, Subcommand};
use liftdeck_insight::answer::content::{BuildRow, ContentList, ScriptRow};
use serde_json::Value;

use super::Failure;
use super::look::ReadConnection;
use super::show::{Column, Question, ReadCommand, Shown, Table, Tone, at, cell, data, many, number, words};

/// The subcommands of `liftdeck build`.
#[derive(Debug, Subcommand)]
pub(super) enum Build {
    /// List builds and the fleets that run them
    List(ReadCommand<Builds>),
}

/// All builds.
#[derive(Debug, Args)]
pub(super) struct Builds;

/// All Realtime scripts.
#[derive(Debug, Args)]
pub(super) struct Scripts;

const BUILDS: &[Column<BuildRow>] = &[
    words("name", "NAME").of(|it| cell(&it.name)),
    words("version", "VERSION").of(|it| cell(&it.version)),
    words("region", "REGION").rank(1).of(|it| cell(&it.region)),
    words("status", "STATUS").rank(2).of(|it| cell(&it.status)),
    words("operating_system", "OS").rank(5).of(|it| cell(&it.operating_system)),
    words("server_sdk_version", "SDK").rank(6).of(|it| cell(&it.sdk_version)),
    number("size_on_disk", "BYTES").rank(4).of(|it| cell(it.size_bytes)),
    number("creation_time", "CREATED").rank(3).of(|it| at(it.creation_time)),
    words("fleets", "FLEETS").least(16).of(|it| many(it.fleets.iter().map(|fleet| &fleet.name))),
    words("build_id", "BUILD ID").rank(7).of(|it| cell(&it.build_id)),
    data("fleet_ids").of(|it| many(it.fleets.iter().map(|fleet| &fleet.fleet_id))),
];

const SCRIPTS: &[Column<ScriptRow>] = &[
    words("name", "NAME").of(|it| cell(&it.name)),
    words("version", "VERSION").of(|it| cell(&it.version)),
    words("region", "REGION").rank(1).of(|it| cell(&it.region)),
    number("size_on_disk", "BYTES").rank(4).of(|it| cell(it.size_bytes)),
    number("creation_time", "CREATED").rank(3).of(|it| at(it.creation_time)),
    number("change_seen", "CHANGE SEEN").rank(2).of(|it| at(it.updated_at)),
    words("fleets", "FLEETS").least(16).of(|it| many(it.fleets.iter().map(|fleet| &fleet.name))),
    words("script_id", "SCRIPT ID").rank(5).of(|it| cell(&it.script_id)),
    data("fleet_ids").of(|it| many(it.fleets.iter().map(|fleet| &fleet.fleet_id))),
];

async fn listed(look: &ReadConnection) -> Result<ContentList, Failure> {
    look.ask("content_list", Value::Null).await
}

impl Question for Builds {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let content = listed(look).await?;
        let tone = |it: &BuildRow| if it.status == "FAILED" { Tone::Bad } else { Tone::Plain };
        let table = Table::toned(BUILDS, &content.builds, tone);
        Ok(Shown::whole(table, ("build", "builds"), content.freshness))
    }
}

impl Question for Scripts {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let content = listed(look).await?;
        let table = Table::of(SCRIPTS, &content.scripts);
        Ok(Shown::whole(table, ("script", "scripts"), content.freshness))
    }
}
