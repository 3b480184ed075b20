//! Asking the program that has a database open.

use std::path::Path;

use liftdeck_api::{Answer, AppError, Call, ErrorKind};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::call::greet;
use super::frame::{self, End, GREETING, Said, Told};

/// A program that answers what any host may ask of it, as long as it changes nothing.
pub(crate) struct Remote {
    end: Mutex<End>,
}

impl Remote {
    /// The program that has this database open; `None` when none has, or none that answers questions.
    pub(crate) async fn with(database: &Path) -> Option<Self> {
        let (end, greeting) = timeout(GREETING, greet(database)).await.ok().flatten()?;
        let Told::Accepted { .. } = greeting else { return None };
        let remote = Self { end: Mutex::new(end) };
        let state = Call { name: "app_state".to_owned(), arguments: serde_json::Value::Null };
        remote.ask(state).await.is_ok().then_some(remote)
    }

    /// Asks a question.
    ///
    /// # Errors
    /// What the program refuses with; [`ErrorKind::Unreachable`] when it is gone.
    pub(crate) async fn ask(&self, call: Call) -> Result<Answer, AppError> {
        let gone = || {
            AppError::new(ErrorKind::Unreachable, "The program that has the database open went away.")
                .remedy("Run the command again: it then reads the database itself.")
        };
        let mut end = self.end.lock().await;
        frame::say(&mut *end, &Said::Ask(call)).await.ok_or_else(gone)?;
        match frame::next(&mut *end).await {
            Some(Told::Answer(answer)) => answer.into_answer().ok_or_else(gone),
            Some(Told::Failed(error)) => Err(error),
            _ => Err(gone()),
        }
    }
}
