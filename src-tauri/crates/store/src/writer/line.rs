//! The writing connection, and the rows on their way through it.
//!
//! Owns the overlap: gathered rows are sent by a task of their own while the writer makes the next ones ready. Whoever
//! asks for the connection waits for them first, so the order of statements holds, and is told what failed on the way.

use sqlx::{Connection as _, SqliteConnection};
use tokio::task::JoinHandle;

use crate::bulk::Statement;
use crate::error::StoreError;

/// The one writing connection.
pub(super) struct Line(State);

enum State {
    Free(Box<SqliteConnection>),
    Busy(JoinHandle<(Box<SqliteConnection>, Result<(), StoreError>)>),
    /// Who had it ended without giving it back.
    Lost,
}

impl Line {
    pub(super) fn new(connection: SqliteConnection) -> Self {
        Self(State::Free(Box::new(connection)))
    }

    /// The connection, once all that was sent has arrived.
    pub(super) async fn connection(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        self.arrive().await?;
        match &mut self.0 {
            State::Free(connection) => Ok(connection),
            State::Busy(_) | State::Lost => Err(StoreError::Closed),
        }
    }

    /// Sends statements after all earlier ones, and returns while they are under way: at most one sending is, so that
    /// memory stays bounded.
    pub(super) async fn send(&mut self, statements: Vec<Statement>) -> Result<(), StoreError> {
        self.arrive().await?;
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

    /// Waits until nothing is under way. The error is that of the sending, told this once.
    pub(super) async fn arrive(&mut self) -> Result<(), StoreError> {
        let State::Busy(sending) = &mut self.0 else { return Ok(()) };
        let (next, outcome) = match sending.await {
            Ok((connection, outcome)) => (State::Free(connection), outcome),
            Err(error) => {
                tracing::error!(%error, "Rows on their way to the database were lost with their connection.");
                (State::Lost, Err(StoreError::Closed))
            }
        };
        self.0 = next;
        outcome
    }

    pub(super) async fn close(mut self) -> Result<(), StoreError> {
        self.arrive().await?;
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
