//! `liftdeck player look-up`: what GameLift itself has of a player, asked now in every Region.
//!
//! Does not look at collected data, and stores nothing of what is found.

use clap::Args;
use futures::future::join_all;
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::{PlayerId, Region};

use super::super::operate::ConnectionOptions;
use super::super::show::{Column, Form, Shown, Table, at, cell, data, number, words};
use super::super::{Caller, Failure, Outcome};
use liftdeck_app::clock;
use liftdeck_gateway::{GatewayError, Reader};

const MANUAL: &str = "\
GameLift keeps a player session until 30 days after its game session ended. It is asked in every Region of the connection,
or in the one named with --region.

Example:
  liftdeck player look-up p-1234 --connection Live --json";

/// Whom to ask for, and where.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(in crate::cli) struct LookUp {
    #[command(flatten)]
    connection: ConnectionOptions,
    /// Player id
    #[arg(value_name = "PLAYER")]
    player: PlayerId,
}

/// A player session and the Region that told of it.
type Found = (Region, PlayerSession);

const FOUND: &[Column<Found>] = &[
    words("status", "STATUS").of(|(_, it)| cell(&it.status)),
    words("region", "REGION").rank(1).of(|(region, _)| cell(region)),
    words("fleet_id", "FLEET").least(24).rank(3).of(|(_, it)| cell(&it.fleet_id)),
    number("creation_time", "JOINED").of(|(_, it)| at(it.creation_time)),
    number("termination_time", "LEFT").of(|(_, it)| at(it.termination_time)),
    words("short_id", "SESSION").of(|(_, it)| cell(it.game_session_id.short())),
    words("player_session_id", "PLAYER SESSION").rank(2).of(|(_, it)| cell(&it.player_session_id)),
    data("player_id").of(|(_, it)| cell(&it.player_id)),
    data("game_session_id").of(|(_, it)| cell(&it.game_session_id)),
    data("player_data").of(|(_, it)| cell(&it.player_data)),
];

pub(super) async fn run(caller: &Caller, it: LookUp) -> Result<Outcome, Failure> {
    let chosen = it.connection.named(caller).await?;
    let regions = match chosen.regions().as_slice() {
        [] => vec![chosen.region_for(it.player.as_str())?],
        regions => regions.to_vec(),
    };
    let mut readers = Vec::new();
    for region in &regions {
        readers.push(chosen.reader(region).await?);
    }
    let answers = join_all(readers.iter().map(|aws| ask(aws, &it.player))).await;
    let (mut found, mut failures): (Vec<Found>, Vec<GatewayError>) = Default::default();
    for (region, (sessions, failure)) in regions.iter().zip(answers) {
        found.extend(sessions.into_iter().map(|session| (region.clone(), session)));
        failures.extend(failure);
    }
    if failures.len() == regions.len()
        && let Some(failure) = failures.pop()
    {
        return Err(failure.into());
    }
    found.sort_by_key(|(_, session)| std::cmp::Reverse(session.creation_time));
    let mut shown = Shown::whole(Table::of(FOUND, &found), ("player session", "player sessions"), None);
    shown.notes.extend(failures.iter().map(|failure| format!("The answer is not whole: {failure}")));
    Form::of(it.connection.json).answer(caller, &shown, clock::now())?;
    Ok(if failures.is_empty() { Outcome::Done } else { Outcome::Partly })
}

/// Reads all sessions of a player in one Region, or those before the failure.
async fn ask(aws: &Reader, player: &PlayerId) -> (Vec<PlayerSession>, Option<GatewayError>) {
    let (mut found, mut next) = (Vec::new(), None);
    loop {
        match aws.player_sessions_of_page(player, next).await {
            Ok(page) => {
                found.extend(page.items);
                next = page.next;
                if next.is_none() || page.flaw.is_some() {
                    return (found, page.flaw);
                }
            }
            Err(failure) => return (found, Some(failure)),
        }
    }
}
