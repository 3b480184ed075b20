//! `liftdeck player`: players and the game sessions they were seen in.

mod look_up;

use clap::{Args, Subcommand};
use liftdeck_insight::answer::player::{DossierSession, PlayerDossier};
use liftdeck_model::game_session::{GameSessionEnding, address};
use liftdeck_store::reader::player::PlayerHit;
use liftdeck_store::reader::window::{Listed, Page};
use serde_json::json;

use super::look::ReadConnection;
use super::player_data::with_data;
use super::show::{Column, Question, ReadCommand, Shown, Table, Tone, Total, at, cell, data, number, words};
use super::{Caller, Failure, Outcome};

/// The subcommands of `liftdeck player`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show the player sessions of a player, newest first
    Show(ReadCommand<Show>),
    /// Ask GameLift for all sessions of a player, also those that were never collected
    LookUp(look_up::LookUp),
}

/// A player to look at.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// Player id
    #[arg(value_name = "PLAYER")]
    player: String,
}

/// A player session with its data.
type WithData = (DossierSession, Option<String>);

const SESSIONS: &[Column<WithData>] = &[
    words("status", "STATUS").of(|(it, _)| cell(&it.player_session.status)),
    words("fleet_name", "FLEET").rank(1).of(|(it, _)| cell(&it.player_session.fleet_name)),
    words("region", "REGION").rank(4).of(|(it, _)| cell(&it.player_session.region)),
    number("creation_time", "JOINED").of(|(it, _)| at(it.player_session.creation_time)),
    number("termination_time", "LEFT").of(|(it, _)| at(it.player_session.termination_time)),
    words("short_id", "SESSION").of(|(it, _)| cell(it.player_session.game_session_id.short())),
    words("ending", "SESSION ENDED").rank(2).of(|(it, _)| {
        let ending = it.game_session.as_ref().and_then(|session| session.ending);
        cell(ending.map(GameSessionEnding::as_str))
    }),
    words("address", "ADDRESS").rank(3).of(|(it, _)| {
        let session = it.game_session.as_ref();
        cell(session.and_then(|session| address(&session.dns_name, &session.ip_address, session.port)))
    }),
    words("player_session_id", "PLAYER SESSION")
        .rank(5)
        .of(|(it, _)| cell(&it.player_session.player_session_id)),
    words("player_data", "DATA").least(12).rank(6).of(|(_, data)| cell(data)),
    data("player_id").of(|(it, _)| cell(&it.player_session.player_id)),
    data("game_session_id").of(|(it, _)| cell(&it.player_session.game_session_id)),
    data("fleet_id").of(|(it, _)| cell(&it.player_session.fleet_id)),
    data("end_unseen").of(|(it, _)| cell(it.player_session.end_unseen)),
    data("has_player_data").of(|(it, _)| cell(it.player_session.has_player_data)),
    data("cut_off").of(|(it, _)| cell(it.cut_off.is_some())),
];

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Show(it) => it.show(caller).await,
        Command::LookUp(it) => look_up::run(caller, it).await,
    }
}

impl Question for Show {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let dossier: PlayerDossier = look.ask("player_get", json!({ "playerId": self.player })).await?;
        if dossier.is_empty() {
            return Err(self.unknown(look).await?);
        }
        let of_player = dossier.sessions.iter().map(|it| it.player_session.clone()).collect();
        let data = with_data(look, of_player).await?.into_iter().map(|with| with.data);
        let rows: Vec<WithData> = dossier.sessions.iter().cloned().zip(data).collect();
        let tone = |(it, _): &WithData| match it.player_session.termination_time {
            _ if it.cut_off.is_some() => Tone::Bad,
            Some(_) => Tone::Faint,
            None => Tone::Plain,
        };
        let table = Table::toned(SESSIONS, &rows, tone);
        let total = Total { noun: ("player session", "player sessions"), all: dossier.total, is_exact: true };
        let mut shown = Shown::list(table, total, dossier.freshness);
        shown.notes = notes(&dossier);
        Ok(shown)
    }
}

/// What else is known of the player: what failed, and where the rest is shown.
fn notes(dossier: &PlayerDossier) -> Vec<String> {
    let mut notes = Vec::new();
    for placement in dossier.placements.iter().take(5) {
        if let Some(why) = &placement.why {
            let row = &placement.row;
            notes.push(format!(
                "Placement {} in {} ended {}: {why}.",
                row.placement_id,
                row.queue,
                row.end_time.in_utc()
            ));
        }
    }
    for ticket in dossier.tickets.iter().filter(|ticket| ticket.is_lost()).take(5) {
        let why = ticket.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
        notes.push(format!(
            "Ticket {} of {} is {} since {}{why}",
            ticket.ticket_id,
            ticket.configuration,
            ticket.state,
            ticket.updated_at.in_utc()
        ));
    }
    notes
}

impl Show {
    async fn unknown(&self, look: &ReadConnection) -> Result<Failure, Failure> {
        let page = Page { offset: 0, limit: 5 };
        let found: Listed<PlayerHit> =
            look.ask("player_search", json!({ "text": self.player, "page": page })).await?;
        let begin: Vec<&str> = found.rows.iter().map(|hit| hit.player_id.as_str()).collect();
        let begin = if begin.is_empty() {
            String::new()
        } else {
            format!(" Players that begin like this: {}.", begin.join(", "))
        };
        Ok(Failure::new(format!(
            "There is no player {player} in the collected data.{begin} To ask GameLift for sessions that were never \
             collected: liftdeck player look-up {player}",
            player = self.player
        )))
    }
}
