//! What can go wrong with the store, in words for the person who has to act.
//!
//! Owns the one error type of this crate and the translation of SQLite's result codes. Deliberately knows nothing
//! of AWS or of the window.

use std::path::PathBuf;

use liftdeck_model::AccountId;

/// Why the store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file was written by a newer program.
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
    /// The file has a schema of this number with other tables: one that was never released.
    #[error(
        "The database {} was made by a development version of Liftdeck: its schema {version} is not the one this version \
         knows. Nothing was touched. Move the file aside and start again; what AWS still has is collected again.",
        path.display()
    )]
    Development {
        /// The file.
        path: PathBuf,
        /// Schema number of the file.
        version: i64,
    },
    /// Another copy of the program writes this file.
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
        "The disk of the database{} is full, so nothing more is recorded. Free some space; collection goes on by itself.",
        at(path)
    )]
    DiskFull {
        /// The file, when known.
        path: Option<PathBuf>,
    },
    /// Reading or writing failed on the disk itself.
    #[error(
        "The disk of the database{} failed ({detail}), so nothing more is recorded; what was recorded stays. Check \
         that it has room and works; collection goes on by itself once it works.",
        at(path)
    )]
    DiskFault {
        /// The file, when known.
        path: Option<PathBuf>,
        /// What SQLite says.
        detail: String,
    },
    /// The file is not intact.
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
    /// The file is not a database of ours, and nothing of ours lies beside it.
    #[error("{} is not a Liftdeck database. It was not touched. Choose another file.", path.display())]
    NoDatabase {
        /// What was named.
        path: PathBuf,
    },
    /// The file is a SQLite database of another program.
    #[error("The file {} is a database of another program (application id {application_id:#010x}). It was not touched. Choose another file.", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What the file says of itself.
        application_id: i64,
    },
    /// The file holds another AWS account.
    #[error("The database {} holds account {found}, and the connection is for account {expected}. Open the database of account {expected}, or correct the connection.", path.display())]
    WrongAccount {
        /// The file.
        path: PathBuf,
        /// Account in the file.
        found: AccountId,
        /// Account asked for.
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
    /// A read-only store was asked to write.
    #[error("The database was opened read-only, so nothing can be recorded in it.")]
    ReadOnly,
    /// The writer has stopped: the store was closed.
    #[error("The store is closed.")]
    Closed,
    /// There is no such file, and a copy that only reads creates none.
    #[error(
        "There is no database {0}. Check the path; `liftdeck collect --db {0}` creates one.",
        path.display()
    )]
    Absent {
        /// The file.
        path: PathBuf,
    },
    /// The file could not be reached.
    #[error("The database {} could not be {doing}: {source}.", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `opened`, `created`, `locked`.
        doing: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// An attempt of this id was recorded before: it may have been sent.
    #[error("The change {id} was recorded before, so it is not sent again. See its outcome under Activity.")]
    Recorded {
        /// The attempt.
        id: String,
    },
    /// No attempt of this id was recorded.
    #[error(
        "No change {id} is recorded in this database. Look for it under Activity, or in the database of its connection."
    )]
    Unrecorded {
        /// The attempt.
        id: String,
    },
    /// A row does not hold what the schema promises.
    #[error("A row of the database could not be read ({what}). The file may come from an unreleased build.")]
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
    /// The same error, naming the file where it can.
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

    /// Whether no write at all succeeds at the moment, whatever is written.
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
