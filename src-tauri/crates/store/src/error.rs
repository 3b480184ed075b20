//! Errors of the store, worded for the person who has to act.
//!
//! Owns this crate's error type and the translation of SQLite's result codes. Deliberately knows nothing about AWS or
//! the window.

use std::path::PathBuf;

use liftdeck_model::AccountId;

/// Why a store operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file was written by a newer version of this program.
    #[error(
        "The database {} has schema {found}, and this version of Liftdeck knows schemas up to {known}. Nothing was \
         touched. Update Liftdeck, or open another database.",
        path.display()
    )]
    Newer {
        /// Schema of the file.
        found: i64,
        /// Newest schema this program knows.
        known: i64,
        /// The file.
        path: PathBuf,
    },
    /// The file has an older schema and was opened read-only, so it cannot be brought up to date.
    #[error(
        "The database {} has schema {found}, and this version of Liftdeck reads schema {known}. Open it once in \
         Liftdeck or with `liftdeck collect`, which brings it up to date.",
        path.display()
    )]
    Older {
        /// Schema of the file.
        found: i64,
        /// Schema this program reads.
        known: i64,
        /// The file.
        path: PathBuf,
    },
    /// The file's schema has a known number but other tables, because it was never released.
    #[error(
        "The database {} was made by a development version of Liftdeck: its schema {version} is not the one this version \
         knows. Nothing was touched. Move the file aside and start again; what AWS still has will be collected again.",
        path.display()
    )]
    Development {
        /// The file.
        path: PathBuf,
        /// Schema number of the file.
        version: i64,
    },
    /// Another copy of the program is writing this file.
    #[error(
        "The database {} is in use by another copy of Liftdeck. Close that copy, or open the file read-only \
         (export and chart do).",
        path.display()
    )]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file or its disk cannot be written.
    #[error(
        "The database{} cannot be written: the disk or the file is read-only. Give this user write permission, or choose another place for it.",
        at(path)
    )]
    ReadOnlyDisk {
        /// The file, when known.
        path: Option<PathBuf>,
    },
    /// No space left.
    #[error(
        "The disk of the database{} is full, so nothing more is recorded. Free some space; collection then resumes \
         by itself.",
        at(path)
    )]
    DiskFull {
        /// The file, when known.
        path: Option<PathBuf>,
    },
    /// Reading or writing failed on the disk itself.
    #[error(
        "The disk of the database{} failed ({detail}), so nothing more is recorded; what was recorded is safe. \
         Check that the disk works and has space; collection then resumes by itself.",
        at(path)
    )]
    DiskFault {
        /// The file, when known.
        path: Option<PathBuf>,
        /// SQLite's message.
        detail: String,
    },
    /// The file is damaged.
    #[error(
        "The database{} is damaged: {detail}. Nothing more is written to it. Restart Liftdeck or `liftdeck collect`: it sets \
         the file aside, saves the record of changes from it and starts a new one.",
        at(path)
    )]
    Damaged {
        /// The file, when known.
        path: Option<PathBuf>,
        /// What SQLite found.
        detail: String,
    },
    /// The file is not one of our databases, and no lock file of ours is beside it.
    #[error("{} is not a Liftdeck database. It was not touched. Choose another file.", path.display())]
    NoDatabase {
        /// The path that was given.
        path: PathBuf,
    },
    /// The file is a SQLite database of another program.
    #[error("The file {} is a database of another program (application id {application_id:#010x}). It was not touched. Choose another file.", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The application id in the file.
        application_id: i64,
    },
    /// The file belongs to another AWS account.
    #[error("The database {} holds account {found}, and the connection is for account {expected}. Open the database of account {expected}, or correct the connection.", path.display())]
    WrongAccount {
        /// The file.
        path: PathBuf,
        /// Account in the file.
        found: AccountId,
        /// Account that was expected.
        expected: AccountId,
    },
    /// The linked SQLite can corrupt a database that several connections use.
    #[error(
        "This program was built with SQLite {found}, and needs 3.51.3 or newer (earlier ones can damage a database). Install an official build."
    )]
    OldSqlite {
        /// Linked version.
        found: String,
    },
    /// A write was attempted on a store opened read-only.
    #[error("The database was opened read-only, so nothing can be recorded in it.")]
    ReadOnly,
    /// The writer has stopped: the store was closed.
    #[error("The store is closed.")]
    Closed,
    /// The file does not exist, and a read-only open does not create it.
    #[error(
        "There is no database {0}. Check the path; `liftdeck collect --db {0}` creates one.",
        path.display()
    )]
    Absent {
        /// The file.
        path: PathBuf,
    },
    /// A file operation failed.
    #[error("The database {} could not be {doing}: {source}.", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operation, such as `opened`, `created` or `locked`.
        doing: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// An attempt with this id is already recorded, so it may have been sent.
    #[error("The change {id} was already recorded, so it is not sent again. Activity shows its outcome.")]
    Recorded {
        /// Id of the attempt.
        id: String,
    },
    /// No attempt with this id is recorded.
    #[error(
        "No change {id} is recorded in this database. Look for it under Activity, or in the database of its connection."
    )]
    Unrecorded {
        /// Id of the attempt.
        id: String,
    },
    /// A row does not hold what the schema promises.
    #[error("A row of the database could not be read ({what}). The file may be from an unreleased build.")]
    Unreadable {
        /// Which row, and why.
        what: String,
    },
    /// Anything else SQLite reports.
    #[error("The database refused a statement: {0}. Please report this.")]
    Sql(sqlx::Error),
}

fn at(path: &Option<PathBuf>) -> String {
    path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default()
}

impl StoreError {
    /// Returns the same error with the file's path, if it has room for one.
    #[must_use]
    pub(crate) fn of(self, file: &std::path::Path) -> Self {
        let path = Some(file.to_owned());
        match self {
            Self::ReadOnlyDisk { .. } => Self::ReadOnlyDisk { path },
            Self::DiskFull { .. } => Self::DiskFull { path },
            Self::DiskFault { detail, .. } => Self::DiskFault { path, detail },
            Self::Damaged { detail, .. } => Self::Damaged { path, detail },
            other => other,
        }
    }

    /// Whether no write can succeed at the moment, whatever is written.
    pub const fn nothing_can_be_written(&self) -> bool {
        matches!(
            self,
            Self::DiskFull { .. } | Self::DiskFault { .. } | Self::ReadOnlyDisk { .. } | Self::Damaged { .. }
        )
    }

    /// Whether the same call may succeed later without anybody changing the program.
    pub const fn retryable(&self) -> bool {
        matches!(
            self,
            Self::DiskFull { .. }
                | Self::DiskFault { .. }
                | Self::Busy { .. }
                | Self::Io { .. }
                | Self::Sql(_)
        )
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let sqlx::Error::Database(database) = &error else {
            return match &error {
                sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => Self::Closed,
                sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                    Self::Unreadable { what: error.to_string() }
                }
                _ => Self::Sql(error),
            };
        };
        let code = database.code().and_then(|code| code.parse::<i32>().ok()).unwrap_or_default();
        // Primary result codes of sqlite3.h; extended codes keep the primary one in the low byte.
        match code & 0xff {
            8 => Self::ReadOnlyDisk { path: None },
            10 | 14 => Self::DiskFault { path: None, detail: database.message().to_owned() },
            11 | 26 => Self::Damaged { path: None, detail: database.message().to_owned() },
            13 => Self::DiskFull { path: None },
            _ => Self::Sql(error),
        }
    }
}
