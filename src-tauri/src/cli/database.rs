//! How commands open a database, and the checks of files and times that they make before.
//!
//! Owns these refusals, and the message that an earlier database in the same place was damaged. What is read from the
//! database, and how it is printed, belongs to the commands.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use liftdeck_app::clock::Clock;
use liftdeck_model::{AccountId, Timestamp};
use liftdeck_store::{Access, Store, StoreError, StoreOptions};
use tokio_util::sync::CancellationToken;

use super::{Failure, Terminal};
use crate::socket::Socket;

/// A command that changes the database has it for less than that, unless it waits for AWS or for a person.
const HELD_FOR: Duration = Duration::from_secs(30);
/// How often to look whether it has ended.
const LOOKS_EVERY: Duration = Duration::from_millis(100);

/// Opens a database for reading.
pub(super) async fn look(path: &Path, now: Timestamp) -> Result<Store, Failure> {
    if !path.exists() {
        return Err(Failure::new(format!(
            "There is no database {}. `liftdeck collect` or the window creates one.",
            path.display()
        )));
    }
    let options = StoreOptions { path: path.to_owned(), access: Access::ReadOnly, account: None, now };
    Ok(Box::pin(Store::open(options)).await?)
}

/// Opens an account's database for writing once no command has it any more, and creates it if there is none. Whoever
/// keeps it open, a collection or the window, takes commands, and is not waited for.
pub(super) async fn open(
    terminal: &Terminal,
    path: &Path,
    account: &AccountId,
    clock: &Clock,
    stop: &CancellationToken,
) -> Result<Store, StoreError> {
    let begun = Instant::now();
    let mut is_told = false;
    loop {
        let (access, account) = (Access::ReadWrite, Some(account.clone()));
        let options = StoreOptions { path: path.to_owned(), access, account, now: clock() };
        let opened = Box::pin(Store::open(options)).await;
        if let Some(recovered) = opened.as_ref().ok().and_then(Store::recovered) {
            terminal.say(&recovered.to_string());
        }
        let is_held = matches!(opened, Err(StoreError::Busy { .. })) && !Socket::is_answered(path).await;
        if !is_held || begun.elapsed() > HELD_FOR {
            return opened;
        }
        if !std::mem::replace(&mut is_told, true) {
            terminal.say("The database is in use by a command. Waiting for its end.");
        }
        if stop.run_until_cancelled(tokio::time::sleep(LOOKS_EVERY)).await.is_none() {
            return opened;
        }
    }
}

/// Refuses to overwrite the database, or what SQLite keeps beside it.
pub(super) fn keep_apart(db: &Path, out: &Path) -> Result<(), Failure> {
    let Ok(out_is) = out.canonicalize() else { return Ok(()) };
    let is_it = |ending: &str| {
        let mut name = OsString::from(db.as_os_str());
        name.push(ending);
        Path::new(&name).canonicalize().is_ok_and(|part| part == out_is)
    };
    if ["", "-wal", "-shm"].into_iter().any(is_it) {
        return Err(Failure::usage(format!(
            "Nothing was written: {} is the database itself. Name another file with --out.",
            out.display()
        )));
    }
    Ok(())
}

/// Refuses a range that ends before it begins, which would hold nothing.
pub(super) fn forwards(since: Option<Timestamp>, until: Option<Timestamp>) -> Result<(), Failure> {
    match (since, until) {
        (Some(since), Some(until)) if since >= until => Err(Failure::usage(format!(
            "--since {since} is not before --until {until}. Ages count back from now: 2h is before 1h."
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_database_is_not_written_over_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("prod.sqlite");
        let wal = folder.path().join("prod.sqlite-wal");
        for file in [&db, &wal] {
            std::fs::write(file, "kept").unwrap();
        }
        let roundabout = folder.path().join(".").join("prod.sqlite");
        for out in [&db, &wal, &roundabout] {
            assert!(keep_apart(&db, out).unwrap_err().is_usage(), "{}", out.display());
        }
        assert!(keep_apart(&db, &folder.path().join("new.json")).is_ok());
        std::fs::write(folder.path().join("old.json"), "").unwrap();
        assert!(keep_apart(&db, &folder.path().join("old.json")).is_ok());
    }

    #[tokio::test]
    async fn a_database_that_is_not_there_is_named_and_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none.sqlite");
        let refused = look(&path, Timestamp::from_ms(0)).await.err().unwrap();
        assert!(refused.to_string().starts_with("There is no database"), "{refused}");
        assert!(!path.exists());
    }

    #[test]
    fn a_range_runs_forwards() {
        let at = |ms| Some(Timestamp::from_ms(ms));
        assert!(forwards(at(2), at(1)).unwrap_err().is_usage());
        assert!(forwards(at(1), at(1)).is_err());
        assert!(
            forwards(at(1), at(2)).is_ok() && forwards(at(1), None).is_ok() && forwards(None, at(1)).is_ok()
        );
    }
}
