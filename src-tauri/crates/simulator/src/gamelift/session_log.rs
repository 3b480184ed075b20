//! Logs of ended game sessions: the link, and the archive behind it, written from the world's records.

use std::io::{Cursor, Write as _};

use jiff::Timestamp;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::constraint::SESSION;
use super::lookup::{self, invalid, not_found};
use crate::operation::Call;
use crate::page::Tokens;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::{GameSession, GameSessionStatusReason, PlayerSession};
use liftdeck_simulated_world::{SessionRef, World};

/// The path under which logs are served.
pub(crate) const LOGS: &str = "/game-session-logs/";

/// How long a link works (A14 GetGameSessionLogUrl).
const LINK_MS: i64 = 15 * 60_000;

/// How long logs are kept (G3).
const KEPT_MS: i64 = 14 * 24 * 3_600_000;

input! {
    struct UrlInput {
        session: String = required("GameSessionId", SESSION),
    }
}

/// Why a link returns no log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogRefusal {
    /// The link has expired.
    Expired,
    /// The link was not issued here, or was issued for another log.
    Forged,
    /// The log is no longer kept.
    Gone,
}

/// Returns the path of a session's log: the region, and what follows `gamesession/` in the ARN.
fn place(arn: &str) -> Option<String> {
    let region = arn.split(':').nth(3)?;
    let (_, rest) = arn.split_once("gamesession/")?;
    Some(format!("{region}/{rest}"))
}

fn is_kept(session: &SessionRef<'_>, now_ms: i64) -> bool {
    session.record().termination_time_ms.is_some_and(|end_ms| now_ms - end_ms < KEPT_MS)
}

/// `GetGameSessionLogUrl`.
pub(super) fn url(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: UrlInput = lookup::read(call)?;
    let arn = &input.session;
    let session = call.world.game_session(call.region, arn).ok_or_else(|| not_found("Game session", arn))?;
    let fleet = lookup::managed_fleet(call, session.fleet_id())?;
    if fleet.is_container() {
        return Err(lookup::unfit(call, fleet.id(), "container"));
    }
    if !is_kept(&session, call.world.now_ms()) {
        return Err(not_found("Log of game session", arn));
    }
    let place = place(arn).ok_or_else(|| invalid("GameSessionId is not the ARN of a game session."))?;
    let until_ms = (call.world.now_ms() + LINK_MS).to_string();
    let seal = call.tokens.seal(&place, &until_ms);
    let link = format!("{}{LOGS}{place}.zip?X-Amz-Expires=900&X-Amz-Signature={seal}", call.endpoint);
    in_place!({ "PreSignedUrl" => link }).write(writer);
    Ok(())
}

/// Returns the archive that a link leads to.
pub(crate) fn read_log(
    world: &World,
    tokens: &Tokens,
    path: &str,
    query: &str,
    now_ms: i64,
) -> Result<Vec<u8>, LogRefusal> {
    let place = path.strip_suffix(".zip").ok_or(LogRefusal::Forged)?;
    let mut parameters = form_urlencoded::parse(query.as_bytes());
    let seal = parameters.find(|(name, _)| name == "X-Amz-Signature").ok_or(LogRefusal::Forged)?.1;
    let until_ms = tokens.open(place, &seal).map_err(|_| LogRefusal::Forged)?;
    if until_ms.parse().unwrap_or(i64::MIN) <= now_ms {
        return Err(LogRefusal::Expired);
    }
    let (region, rest) = place.split_once('/').ok_or(LogRefusal::Forged)?;
    let arn = format!("arn:aws:gamelift:{region}::gamesession/{rest}");
    let session = world.game_session(region, &arn).filter(|session| is_kept(session, now_ms));
    let session = session.ok_or(LogRefusal::Gone)?;
    archive(&log(&session)).map_err(|_| LogRefusal::Gone)
}

fn archive(log: &str) -> zip::result::ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Without a timestamp of its own, the archive is the same at every download.
    zip.start_file("local/game/logs/server.log", SimpleFileOptions::default())?;
    zip.write_all(log.as_bytes())?;
    Ok(zip.finish()?.into_inner())
}

/// Returns what the game server logged, line by line.
fn log(session: &SessionRef<'_>) -> String {
    let record = session.record();
    let mut lines = vec![(
        record.creation_time_ms,
        format!(
            "[Sdk] OnStartGameSession id={} maxPlayers={} name={:?}",
            record.game_session_id,
            record.maximum_player_session_count,
            record.name.as_deref().unwrap_or_default()
        ),
    )];
    for property in &record.game_properties {
        lines.push((record.creation_time_ms, format!("[Game] {}={}", property.key, property.value)));
    }
    if let Some(active_ms) = session.activation_time_ms() {
        let port = record.port.unwrap_or_default();
        lines.push((active_ms, format!("[Sdk] ActivateGameSession port={port}")));
    }
    for (player, joined_ms) in session.player_sessions().into_iter().zip(session.join_times_ms()) {
        lines.extend(player_lines(&player, joined_ms));
    }
    lines.extend(record.termination_time_ms.map(|end_ms| (end_ms, last_line(&record))));
    lines.sort_by_key(|(at_ms, _)| *at_ms);
    let written = lines.into_iter().map(|(at_ms, text)| {
        let at = Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH);
        format!("{at:.3} INFO {text}\n")
    });
    written.collect()
}

fn player_lines(player: &PlayerSession, joined_ms: Option<i64>) -> Vec<(i64, String)> {
    let (id, name) = (&player.player_session_id, &player.player_id);
    let Some(joined_ms) = joined_ms else { return Vec::new() };
    let mut lines = vec![(joined_ms, format!("[Sdk] AcceptPlayerSession {id} player={name}"))];
    lines.extend(
        player.termination_time_ms.map(|left_ms| (left_ms, format!("[Sdk] RemovePlayerSession {id}"))),
    );
    lines
}

fn last_line(record: &GameSession) -> String {
    match record.status_reason {
        Some(GameSessionStatusReason::TriggeredOnProcessTerminate) => {
            "[Sdk] OnProcessTerminate called; ProcessEnding".to_owned()
        }
        Some(GameSessionStatusReason::Interrupted) => "[Host] the instance was reclaimed".to_owned(),
        Some(GameSessionStatusReason::ForceTerminated) => "[Host] the process was stopped".to_owned(),
        None => "[Host] the process ended".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn an_archive_holds_the_log() {
        let bytes = archive("one line\n").unwrap();
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut text = String::new();
        zip.by_index(0).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one line\n");
    }
}
