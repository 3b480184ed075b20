//! `liftdeck session log`: the log of an ended game session, kept past the 14 days AWS keeps it.

use std::path::PathBuf;

use clap::Args;
use liftdeck_model::GameSessionId;
use liftdeck_operations::OperationError;
use serde_json::json;

use super::super::operate::Where;
use super::super::{Caller, Failure, Lines, Outcome, database, is_stdout};

/// A log to fetch.
#[derive(Debug, Args)]
pub(in crate::cli) struct Log {
    #[command(flatten)]
    place: Where,
    /// Full ARN of an ended game session on a managed EC2 fleet
    #[arg(value_name = "SESSION")]
    session: String,
    /// Copy it to this file too; it is kept beside the database in any case
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A game session by its full ARN, which alone names it.
///
/// # Errors
/// `usage` for anything else.
pub(super) fn well_formed(session: &str) -> Result<GameSessionId, Failure> {
    let id = GameSessionId::from(session);
    if session.starts_with("arn:") && id.fleet_id().is_some() {
        return Ok(id);
    }
    Err(Failure::usage(format!(
        "gameSessionId: `{session}` is no game session, which is named by its full ARN."
    )))
}

pub(super) async fn run(caller: &Caller, it: Log) -> Result<Outcome, Failure> {
    let place = it.place.find(caller)?;
    let session = well_formed(&it.session)?;
    let region = place.region_for(session.as_str())?;
    if it.out.as_deref().is_some_and(is_stdout) {
        return Err(Failure::usage(
            "A log is a zip: name a file with --out, or leave it out and copy the path that is printed.",
        ));
    }
    let copy = it.out.as_ref().map(|out| caller.path(out));
    if let Some(copy) = &copy {
        database::keep_apart(place.database(), copy)?;
    }
    let folder = place.database().with_extension("session-logs");
    let desk = place.open(&caller.terminal, vec![region]).await?;
    let kept = Box::pin(desk.guard.download_log(&session, &folder)).await;
    desk.close().await;
    let kept = match kept {
        // There is none to be had: nothing stands against asking.
        Err(OperationError::Refused(reason)) => return Err(Failure::new(reason)),
        kept => kept?,
    };
    let path = match it.out.as_ref().zip(copy) {
        Some((out, copy)) => {
            // Copied onto itself a file would be emptied.
            if copy.canonicalize().ok() != kept.path.canonicalize().ok() {
                std::fs::copy(&kept.path, copy).map_err(|error| {
                    Failure::new(format!("{} could not be written: {error}.", out.display()))
                })?;
            }
            out
        }
        None => &kept.path,
    };
    if it.place.json {
        let kept = json!({ "path": path, "bytes": kept.bytes, "fetched": kept.fetched });
        caller.terminal.answer_json(&kept)?;
    } else {
        caller.terminal.answer(&Lines::one(path.display().to_string()))?;
    }
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_named_by_its_full_arn() {
        assert!(well_formed("arn:aws:gamelift:eu-west-1::gamesession/fleet-1/s-1").is_ok());
        assert!(well_formed("s-1").unwrap_err().is_usage());
    }
}
