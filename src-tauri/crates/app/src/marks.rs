//! How careful to be with a place: the strictest mark of everything that it may be.
//!
//! A mark belongs to an account and to a database file, so that no other spelling of a profile, a host or a path loosens
//! it. It is found among the saved connections and in the database itself, which keeps the strictest it was opened with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use liftdeck_model::{AccountId, Environment};
use liftdeck_operations::Objection;
use liftdeck_store::{Access, Reader, StoreError};

use crate::account;
use crate::clock::Clock;
use crate::connections::Connections;
use crate::home::Home;
use liftdeck_api::connection::ConnectionSummary;

/// The marks one user has given.
#[derive(Clone)]
pub struct Marks {
    home: Home,
    clock: Clock,
}

/// An open place whose mark is looked for.
pub struct Sought<'a> {
    /// The database file.
    pub database: &'a Path,
    /// The account it belongs to.
    pub account: &'a AccountId,
    /// The saved connection that was named, by id.
    pub named: Option<&'a str>,
    /// What an unmarked place is guessed by.
    pub profile: Option<&'a str>,
}

/// The mark of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// How careful to be.
    pub environment: Environment,
    /// The connection the mark is of: what has to be typed.
    pub name: Option<String>,
    /// What the database is to keep.
    pub lasting: Option<Environment>,
}

impl Mark {
    /// Of the built-in simulator.
    pub const fn demo() -> Self {
        Self { environment: Environment::Demo, name: None, lasting: None }
    }

    /// The stricter of two; this one when they are equal.
    pub fn or_stricter(self, other: Self) -> Self {
        if other.environment < self.environment { other } else { self }
    }
}

/// A saved connection that is this place, or may be.
struct Fitting<'a> {
    saved: &'a ConnectionSummary,
    environment: Environment,
    /// Same account or same file. Otherwise its account is not known yet and may be this one.
    is_proven: bool,
    /// Same file.
    is_file: bool,
}

impl Marks {
    /// The marks in this user's files.
    pub const fn new(home: Home, clock: Clock) -> Self {
        Self { home, clock }
    }

    /// Why nothing may be changed whoever asks, looked up each time it is asked.
    pub fn objection(&self) -> Objection {
        let path = self.home.connections_file();
        Arc::new(move || Connections::load(path.clone()).doubt().map(crate::connections::Doubt::objection))
    }

    /// A database by the path without links, or by the one a saved connection has for it: by another link to the same file
    /// it would have another lock and another log beside it.
    pub fn database(&self, named: &Path) -> PathBuf {
        let saved = Connections::load(self.home.connections_file()).list();
        let known = saved.into_iter().filter_map(|saved| self.home.database_file(&saved.id).ok());
        canonical(
            &known.into_iter().find(|known| is_same_file(known, named)).unwrap_or_else(|| named.to_owned()),
        )
    }

    /// The mark of an open place.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of(&self, place: &Sought<'_>, reader: &Reader) -> Result<Mark, StoreError> {
        let kept = reader.mark().await?;
        let connections = Connections::load(self.home.connections_file());
        let mut mark = self.among(&connections.list(), place, kept).await;
        if connections.doubt().is_some() {
            mark.environment = Environment::Production;
        }
        Ok(mark)
    }

    async fn among(
        &self,
        saved: &[ConnectionSummary],
        place: &Sought<'_>,
        kept: Option<Environment>,
    ) -> Mark {
        let mut fitting = Vec::new();
        for one in saved {
            fitting.extend(self.fitting(one, place).await);
        }
        let strictest_of = |is: fn(&Fitting<'_>) -> bool| {
            fitting.iter().filter(|fit| is(fit)).map(|fit| fit.environment).min()
        };
        // A connection's own database keeps its mark alone, so that whoever changes that mark changes all of it.
        let lasting = strictest_of(|fit| fit.is_file).or_else(|| strictest_of(|fit| fit.is_proven));
        let is_marked = lasting.or(kept).is_some();
        // Of equally strict ones the connection that was named, then those that surely are this place.
        fitting.sort_by(|one, other| {
            let rank = |fit: &Fitting<'_>| {
                (fit.environment, Some(fit.saved.id.as_str()) != place.named, !fit.is_proven)
            };
            rank(one).cmp(&rank(other)).then_with(|| one.saved.name.cmp(&other.saved.name))
        });
        let strictest = fitting.first().map(|fit| fit.environment);
        let guess = if is_marked { None } else { Some(guessed(place)) };
        let environment =
            [strictest, kept, guess].into_iter().flatten().min().unwrap_or(Environment::Development);
        // A connection that only may be this place lends its name to nothing but its own mark.
        let is_it = |fit: &&Fitting<'_>| fit.is_proven || fit.environment < Environment::Development;
        let name = fitting.first().filter(is_it).map(|fit| fit.saved.name.clone());
        Mark { environment, name, lasting }
    }

    async fn fitting<'a>(&self, saved: &'a ConnectionSummary, place: &Sought<'_>) -> Option<Fitting<'a>> {
        // Only the built-in simulator is a demo, whatever a file calls itself.
        let environment = saved.environment.min(Environment::Development);
        let fit = |is_proven, is_file| Some(Fitting { saved, environment, is_proven, is_file });
        let database = self.home.database_file(&saved.id).ok();
        if database.as_deref().is_some_and(|database| is_same_file(database, place.database)) {
            return fit(true, true);
        }
        let account = match &saved.account {
            Some(account) => Some(AccountId::from(account.as_str())),
            None => self.account_in(database.as_deref()).await,
        };
        match account {
            Some(account) => fit(true, false).filter(|_| account == *place.account),
            None => fit(false, false),
        }
    }

    /// The account in the database of a connection that the window has not opened yet.
    async fn account_in(&self, database: Option<&Path>) -> Option<AccountId> {
        account::there(database?, Access::ReadOnly, None, (self.clock)()).await.ok().flatten()
    }
}

/// What a place nobody marked is taken for, by its names, as the window does.
fn guessed(place: &Sought<'_>) -> Environment {
    let stem = place.database.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase());
    let profile = place.profile.map(str::to_ascii_lowercase);
    let holds = |word: &str| [&stem, &profile].into_iter().flatten().any(|name| name.contains(word));
    if holds("prod") || holds("live") { Environment::Production } else { Environment::Development }
}

/// Whether both lead to one file, by whatever path or link. The files are not opened: closing a database that this program
/// has open elsewhere would give up SQLite's locks on it.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    canonical(one) == canonical(other) || is_same_inode(one, other)
}

/// The path without links and detours; the file itself need not be there yet.
fn canonical(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

#[cfg(unix)]
fn is_same_inode(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    inode(one).is_some_and(|one| Some(one) == inode(other))
}

#[cfg(not(unix))]
fn is_same_inode(_one: &Path, _other: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests;
