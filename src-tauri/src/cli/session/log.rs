//! `liftdeck session log`: the log of an ended game session, kept past the 14 days AWS keeps it.

use std::path::PathBuf;

use clap::Args;
use liftdeck_model::GameSessionId;
use liftdeck_operations::OperationError;
use serde_json::json;

use super::super::operate::ConnectionOptions;
use super::super::{Caller, Failure, Lines, Outcome, database, is_stdout};

/// A log to fetch.
#[derive(Debug, Args)]
pub(in crate::cli) struct Log {
    #[command(flatten)]
    connection: ConnectionOptions,
    /// Full ARN of an ended game session on a managed EC2 fleet
    #[arg(value_name = "SESSION")]
    session: String,
    /// Also copy it to this file; a copy is always kept beside the database
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Reads the full ARN of a game session; nothing else names one.
///
/// # Errors
/// `usage` for anything else.
pub(super) fn well_formed(session: &str) -> Result<GameSessionId, Failure> {
    GameSessionId::from_arn(session).ok_or_else(|| {
        Failure::usage(format!(
            "gameSessionId: `{session}` is not a game session: name it by its full ARN. If this is the last part of \
             one, as a placement's id is, `liftdeck session list --where 'id:{session}' --json` prints it."
        ))
    })
}

pub(super) async fn run(caller: &Caller, it: Log) -> Result<Outcome, Failure> {
    let chosen = it.connection.find(caller)?;
    let session = well_formed(&it.session)?;
    let region = chosen.region_for(session.as_str())?;
    if it.out.as_deref().is_some_and(is_stdout) {
        return Err(Failure::usage(
            "A log is a zip: name a file with --out, or leave it out and copy the path that is printed.",
        ));
    }
    let copy = it.out.as_ref().map(|out| caller.path(out));
    if let Some(copy) = &copy {
        database::keep_apart(chosen.database(), copy)?;
    }
    let folder = chosen.database().with_extension("session-logs");
    let connection = chosen.open(&caller.terminal, vec![region]).await?;
    let kept = Box::pin(connection.guard.download_log(&session, &folder)).await;
    connection.close().await;
    let kept = match kept {
        // There is no log to fetch: a failure, not a refusal by the guard.
        Err(OperationError::Refused(reason)) => return Err(Failure::new(reason)),
        kept => kept?,
    };
    let path = match it.out.as_ref().zip(copy) {
        Some((out, copy)) => {
            // Copying a file onto itself would empty it.
            if copy.canonicalize().ok() != kept.path.canonicalize().ok() {
                std::fs::copy(&kept.path, copy).map_err(|error| {
                    Failure::new(format!("{} could not be written: {error}.", out.display()))
                })?;
            }
            out
        }
        None => &kept.path,
    };
    if it.connection.json {
        let kept = json!({ "path": path, "bytes": kept.bytes, "fetched": kept.fetched });
        caller.terminal.answer_json(&kept)?;
    } else {
        caller.terminal.answer(&Lines::one(path.display().to_string()))?;
    }
    Ok(Outcome::Done)
}
