//! The marks that one user has given, as the user's files say them. The guard's `marks` judges by them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use liftdeck_operations::Objection;
use liftdeck_operations::marks::{Mark, Marked, Place};
use liftdeck_store::{Reader, StoreError, is_same_file, resolved};

use crate::clock::Clock;
use crate::connections::{Connections, Doubt};
use crate::home::Home;

/// The marks that one user has given.
#[derive(Clone)]
pub struct Marks {
    home: Home,
    clock: Clock,
}

impl Marks {
    /// The marks in this user's files.
    pub const fn new(home: Home, clock: Clock) -> Self {
        Self { home, clock }
    }

    /// The reason why nobody may change anything, if any; determined anew on each call.
    pub fn objection(&self) -> Objection {
        let path = self.home.connections_file();
        Arc::new(move || Connections::load(path.clone()).doubt().map(Doubt::objection))
    }

    /// The path of a database without links, or the path that a saved connection has for the same file. Opened
    /// through another link, the file would get a second lock and a second log beside it.
    pub fn database(&self, named: &Path) -> PathBuf {
        let saved = Connections::load(self.home.connections_file()).list();
        let mut known = saved.into_iter().filter_map(|saved| self.home.database_file(&saved.id).ok());
        resolved(&known.find(|known| is_same_file(known, named)).unwrap_or_else(|| named.to_owned()))
    }

    /// The mark of an open place.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn of(&self, place: &Place<'_>, reader: &Reader) -> Result<Mark, StoreError> {
        let connections = Connections::load(self.home.connections_file());
        let marked = connections.list().into_iter().map(|saved| Marked {
            database: self.home.database_file(&saved.id).ok(),
            id: saved.id,
            name: saved.name,
            environment: saved.environment,
            account: saved.account,
        });
        let are_all = connections.doubt().is_none();
        Mark::of(place, &marked.collect::<Vec<_>>(), are_all, reader, (self.clock)()).await
    }
}
