//! The writing connection, and the rows being sent through it.
//!
//! Owns the overlap: a separate task sends gathered rows while the writer prepares the next ones. A caller that asks
//! for the connection waits for those rows first, so that statements stay in order, and gets any error they caused.

use sqlx::{Connection as _, SqliteConnection};
use tokio::task::JoinHandle;

use crate::bulk::Statement;
use crate::error::StoreError;

/// The single writing connection.
pub(super) struct WriteConnection(State);

enum State {
    Free(Box<SqliteConnection>),
    Busy(JoinHandle<(Box<SqliteConnection>, Result<(), StoreError>)>),
    /// The task that had the connection ended without giving it back.
    Lost,
}

impl WriteConnection {
    pub(super) fn new(connection: SqliteConnection) -> Self {
        Self(State::Free(Box::new(connection)))
    }

    /// Returns the connection once all rows sent earlier are written.
    pub(super) async fn get(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        self.wait().await?;
        match &mut self.0 {
            State::Free(connection) => Ok(connection),
            State::Busy(_) | State::Lost => Err(StoreError::Closed),
        }
    }

    /// Sends statements after all earlier ones, and returns before they are done. At most one send runs at a time, so
    /// that memory stays bounded.
    pub(super) async fn send(&mut self, statements: Vec<Statement>) -> Result<(), StoreError> {
        self.wait().await?;
        match std::mem::replace(&mut self.0, State::Lost) {
            State::Free(mut connection) => {
                self.0 = State::Busy(tokio::spawn(async move {
                    let outcome = execute_all(&mut connection, statements).await;
                    (connection, outcome)
                }));
                Ok(())
            }
            State::Busy(_) | State::Lost => Err(StoreError::Closed),
        }
    }

    /// Waits until nothing is being sent. Returns the error of the last send, once.
    pub(super) async fn wait(&mut self) -> Result<(), StoreError> {
        let State::Busy(sending) = &mut self.0 else { return Ok(()) };
        let (next, outcome) = match sending.await {
            Ok((connection, outcome)) => (State::Free(connection), outcome),
            Err(error) => {
                tracing::error!(%error, "Unsent rows were lost with their connection.");
                (State::Lost, Err(StoreError::Closed))
            }
        };
        self.0 = next;
        outcome
    }

    pub(super) async fn close(mut self) -> Result<(), StoreError> {
        self.wait().await?;
        if let State::Free(connection) = self.0 {
            connection.close().await?;
        }
        Ok(())
    }
}

async fn execute_all(
    connection: &mut SqliteConnection,
    statements: Vec<Statement>,
) -> Result<(), StoreError> {
    for statement in statements {
        statement.execute(connection).await?;
    }
    Ok(())
}
