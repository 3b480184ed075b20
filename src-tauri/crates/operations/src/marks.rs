//! Marks: how careful to be with a place, that is, an account and its database. The strictest mark that may apply
//! counts.
//!
//! A mark belongs to an account and to a database file, so that another spelling of a profile, host or path does not
//! weaken it. Marks are looked up among the saved connections and in the database, which keeps the strictest one it
//! was opened with. Deliberately does not know where connections are saved.

use std::path::{Path, PathBuf};

use liftdeck_model::{AccountId, Environment, Timestamp};
use liftdeck_store::{Access, Reader, Store, StoreError, Writer, is_same_file};

/// A saved connection, as far as it says how careful to be.
#[derive(Clone, Debug)]
pub struct Marked {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The mark that a person gave it.
    pub environment: Environment,
    /// Its account, if AWS has named it.
    pub account: Option<AccountId>,
    /// Its database file, which need not exist.
    pub database: Option<PathBuf>,
}

/// An open place whose mark is looked up.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
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
    lasting: Option<Environment>,
}

/// A saved connection that is this place, or may be.
struct Fitting<'a> {
    saved: &'a Marked,
    environment: Environment,
    /// Whether the account or the file is the same. If not, the connection's account is still unknown and may be this
    /// one.
    is_proven: bool,
    /// Whether the file is the same.
    is_file: bool,
}

impl Mark {
    /// The mark of the built-in simulator.
    #[must_use]
    pub const fn demo() -> Self {
        Self { environment: Environment::Demo, name: None, lasting: None }
    }

    /// The mark of an open place, among all saved connections. If they are not known to be all, it is the strictest.
    ///
    /// # Errors
    /// If the place's database cannot be read.
    pub async fn of(
        place: &Place<'_>,
        saved: &[Marked],
        are_all: bool,
        reader: &Reader,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let kept = reader.mark().await?;
        let mut mark = Self::among(saved, place, kept, now).await;
        if !are_all {
            mark.environment = Environment::Production;
        }
        Ok(mark)
    }

    /// The stricter of the two marks; this one if they are equal.
    #[must_use]
    pub fn or_stricter(self, other: Self) -> Self {
        if other.environment < self.environment { other } else { self }
    }

    /// Writes the mark to the database of the place, as far as the database should keep it.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn keep(&self, writer: &Writer) -> Result<(), StoreError> {
        match self.lasting {
            Some(lasting) => writer.raise_mark(lasting).await,
            None => Ok(()),
        }
    }

    async fn among(saved: &[Marked], place: &Place<'_>, kept: Option<Environment>, now: Timestamp) -> Self {
        let mut fitting = Vec::new();
        for one in saved {
            fitting.extend(one.fitting(place, now).await);
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
        Self { environment, name, lasting }
    }
}

impl Marked {
    async fn fitting(&self, place: &Place<'_>, now: Timestamp) -> Option<Fitting<'_>> {
        // Only the built-in simulator is a demo, whatever a file claims.
        let environment = self.environment.min(Environment::Development);
        let fit = |is_proven, is_file| Some(Fitting { saved: self, environment, is_proven, is_file });
        if self.database.as_deref().is_some_and(|database| is_same_file(database, place.database)) {
            return fit(true, true);
        }
        let account = match &self.account {
            Some(account) => Some(account.clone()),
            None => self.account_in_database(now).await,
        };
        match account {
            Some(account) => fit(true, false).filter(|_| account == *place.account),
            None => fit(false, false),
        }
    }

    /// Reads the account from the database of a connection that the window has not opened yet.
    async fn account_in_database(&self, now: Timestamp) -> Option<AccountId> {
        Store::account_at(self.database.as_deref()?, Access::ReadOnly, None, now).await.ok().flatten()
    }
}

/// Guesses the mark of an unmarked place from its names, as the window does.
fn guessed(place: &Place<'_>) -> Environment {
    let stem = place.database.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase());
    let profile = place.profile.map(str::to_ascii_lowercase);
    let holds = |word: &str| [&stem, &profile].into_iter().flatten().any(|name| name.contains(word));
    if holds("prod") || holds("live") { Environment::Production } else { Environment::Development }
}

#[cfg(test)]
mod tests;
