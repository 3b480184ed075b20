//! Opening read-only: the database of a saved connection, or a file.

use std::path::{Path, PathBuf};

use super::{App, Turn};
use crate::open::of_a_file;
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::error::AppError;

impl App {
    /// Opens the database of a saved connection read-only. AWS is not contacted and nothing is written, not even that
    /// the connection was opened. The open connection is closed first.
    ///
    /// # Errors
    /// If there is no such connection, or its database cannot be used.
    pub async fn look_at_connection(&self, id: &str, turn: Turn) -> Result<(), AppError> {
        let connection = self.connections(|connections| connections.get(id))?;
        let database = self.home.database_file(id)?;
        self.look_at(connection, database, turn).await
    }

    /// Opens a database file read-only, as [`Self::look_at_connection`] does.
    ///
    /// # Errors
    /// If it cannot be used.
    pub async fn look_at_file(&self, database: &Path, turn: Turn) -> Result<(), AppError> {
        self.look_at(of_a_file(database), database.to_owned(), turn).await
    }

    async fn look_at(
        &self,
        connection: ConnectionSummary,
        database: PathBuf,
        _turn: Turn,
    ) -> Result<(), AppError> {
        self.close().await;
        let open = Box::pin(self.opening(connection, database, None).look()).await?;
        self.open.lock().connection = Some(open);
        Ok(())
    }
}
