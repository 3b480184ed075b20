//! Marks: how careful to be with a place, that is, an account and its database. The strictest mark that may apply
//! counts.
//!
//! A mark belongs to an account and to a database file, so that another spelling of a profile, host or path does not
//! weaken it. Marks are looked up among the saved connections and in the database, which keeps the strictest one it
//! was opened with.

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

/// The marks that one user has given.
#[derive(Clone)]
pub struct Marks {
    home: Home,
    clock: Clock,
}

/// An open place whose mark is looked up.
pub struct Sought<'a> {
    /// The database file.
    pub database: &'a Path,
    /// The account it belongs to.
    pub account: &'a AccountId,
    /// The id of the saved connection that was named.
    pub named: Option<&'a str>,
    /// The profile, used to guess the mark of an unmarked place.
    pub profile: Option<&'a str>,
}

/// The mark of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// How careful to be.
    pub environment: Environment,
    /// The connection that the mark comes from; its name must be typed.
    pub name: Option<String>,
    /// The mark that the database should keep.
    pub lasting: Option<Environment>,
}

impl Mark {
    /// The mark of the built-in simulator.
    pub const fn demo() -> Self {
        Self { environment: Environment::Demo, name: None, lasting: None }
    }

    /// The stricter of the two marks; this one if they are equal.
    pub fn or_stricter(self, other: Self) -> Self {
        if other.environment < self.environment { other } else { self }
    }
}

/// A saved connection that is this place, or may be.
struct Fitting<'a> {
    saved: &'a ConnectionSummary,
    environment: Environment,
    /// Whether the account or the file is the same. If not, the connection's account is still unknown and may be this
    /// one.
    is_proven: bool,
    /// Whether the file is the same.
    is_file: bool,
}

impl Marks {
    /// The marks in this user's files.
    pub const fn new(home: Home, clock: Clock) -> Self {
        Self { home, clock }
    }

    /// The reason why nobody may change anything, if any; determined anew on each call.
    pub fn objection(&self) -> Objection {
        let path = self.home.connections_file();
        Arc::new(move || Connections::load(path.clone()).doubt().map(crate::connections::Doubt::objection))
    }

    /// The path of a database without links, or the path that a saved connection has for the same file. Opened
    /// through another link, the file would get a second lock and a second log beside it.
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
    /// If the database cannot be read.
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
        // A connection's own database keeps only that connection's mark, so that changing the mark takes full effect.
        let lasting = strictest_of(|fit| fit.is_file).or_else(|| strictest_of(|fit| fit.is_proven));
        let is_marked = lasting.or(kept).is_some();
        // Among equally strict connections, the one that was named comes first, then those proven to be this place.
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
        // A connection that is not proven to be this place gives its name only if its own mark is stricter than
        // Development.
        let is_it = |fit: &&Fitting<'_>| fit.is_proven || fit.environment < Environment::Development;
        let name = fitting.first().filter(is_it).map(|fit| fit.saved.name.clone());
        Mark { environment, name, lasting }
    }

    async fn fitting<'a>(&self, saved: &'a ConnectionSummary, place: &Sought<'_>) -> Option<Fitting<'a>> {
        // Only the built-in simulator is a demo, whatever a file claims.
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

    /// Reads the account from the database of a connection that the window has not opened yet.
    async fn account_in(&self, database: Option<&Path>) -> Option<AccountId> {
        account::there(database?, Access::ReadOnly, None, (self.clock)()).await.ok().flatten()
    }
}

/// Guesses the mark of an unmarked place from its names, as the window does.
fn guessed(place: &Sought<'_>) -> Environment {
    let stem = place.database.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase());
    let profile = place.profile.map(str::to_ascii_lowercase);
    let holds = |word: &str| [&stem, &profile].into_iter().flatten().any(|name| name.contains(word));
    if holds("prod") || holds("live") { Environment::Production } else { Environment::Development }
}

/// Whether both paths lead to the same file, through any links. The files are not opened: closing a database that
/// this program also has open elsewhere would release SQLite's locks on it.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    canonical(one) == canonical(other) || is_same_inode(one, other)
}

/// Resolves links and relative parts of a path; the file itself need not exist yet.
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
