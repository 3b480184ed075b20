//! `liftdeck player`: players and the game sessions they were seen in.

use clap::{Args, Subcommand};
use liftdeck_store::reader::player::{PlayerHit, PlayerSessionRow};
use liftdeck_store::reader::window::{Listed, Page};
use serde_json::json;

use super::look::ReadConnection;
use super::show::{Column, Question, ReadCommand, Shown, Table, Tone, Total, at, cell, data, number, words};
use super::{Caller, Failure, Outcome};

/// The subcommands of `liftdeck player`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show the player sessions of a player, newest first
    Show(ReadCommand<Show>),
}

/// A player to look at.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// Player id
    #[arg(value_name = "PLAYER")]
    player: String,
}

const SESSIONS: &[Column<PlayerSessionRow>] = &[
    words("status", "STATUS").of(|it| cell(&it.status)),
    words("fleet_name", "FLEET").rank(1).of(|it| cell(&it.fleet_name)),
    words("region", "REGION").rank(2).of(|it| cell(&it.region)),
    number("creation_time", "JOINED").of(|it| at(it.creation_time)),
    number("termination_time", "LEFT").of(|it| at(it.termination_time)),
    words("short_id", "SESSION").of(|it| cell(it.game_session_id.short())),
    words("player_session_id", "PLAYER SESSION").rank(3).of(|it| cell(&it.player_session_id)),
    data("player_id").of(|it| cell(&it.player_id)),
    data("game_session_id").of(|it| cell(&it.game_session_id)),
    data("fleet_id").of(|it| cell(&it.fleet_id)),
    data("end_unseen").of(|it| cell(it.end_unseen)),
    data("has_player_data").of(|it| cell(it.has_player_data)),
];

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let Command::Show(it) = command;
    it.show(caller).await
}

impl Question for Show {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        // The search matches the beginning of ids and puts the exact id first.
        let page = Page { offset: 0, limit: 200 };
        let found: Listed<PlayerHit> =
            look.ask("player_search", json!({ "text": self.player, "page": page })).await?;
        let Some(hit) = found.rows.iter().find(|hit| hit.player_id.as_str() == self.player) else {
            return Err(self.unknown(&found));
        };
        let tone =
            |it: &PlayerSessionRow| if it.termination_time.is_some() { Tone::Faint } else { Tone::Plain };
        let table = Table::toned(SESSIONS, &hit.player_sessions, tone);
        let total = Total { noun: ("player session", "player sessions"), all: hit.total, is_exact: true };
        Ok(Shown::list(table, total, found.freshness))
    }
}

impl Show {
    fn unknown(&self, found: &Listed<PlayerHit>) -> Failure {
        let begin: Vec<&str> = found.rows.iter().take(5).map(|hit| hit.player_id.as_str()).collect();
        let begin = if begin.is_empty() {
            String::new()
        } else {
            format!(" Players that begin like this: {}.", begin.join(", "))
        };
        Failure::new(format!(
            "There is no player {} in the collected data.{begin} Players of game sessions that were never collected are \
             not in the database.",
            self.player
        ))
    }
}
