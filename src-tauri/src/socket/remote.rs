//! Asks the program that has a database open.

use std::path::Path;

use liftdeck_api::{Answer, AppError, Call, ErrorKind};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::call::greet;
use super::frame::{self, CallerFrame, End, GREETING, HostFrame};

/// A connection to a program that answers what any host may ask, as long as it changes nothing.
pub(crate) struct Remote {
    end: Mutex<End>,
}

impl Remote {
    /// Connects to the program that has this database open; `None` if there is none or it answers no questions.
    pub(crate) async fn with(database: &Path) -> Option<Self> {
        let (end, greeting) = timeout(GREETING, greet(database)).await.ok().flatten()?;
        let HostFrame::Accepted { .. } = greeting else { return None };
        let remote = Self { end: Mutex::new(end) };
        let state = Call { name: "app_state".to_owned(), arguments: serde_json::Value::Null };
        remote.ask(state).await.is_ok().then_some(remote)
    }

    /// Asks a question.
    ///
    /// # Errors
    /// The program's refusal; [`ErrorKind::Unreachable`] if it is gone.
    pub(crate) async fn ask(&self, call: Call) -> Result<Answer, AppError> {
        let gone = || {
            AppError::new(ErrorKind::Unreachable, "The program that has the database open was closed.")
                .remedy("Run the command again: it will read the database itself.")
        };
        let mut end = self.end.lock().await;
        frame::say(&mut *end, &CallerFrame::Ask(call)).await.ok_or_else(gone)?;
        match frame::next(&mut *end).await {
            Some(HostFrame::Answer(answer)) => Ok(answer),
            Some(HostFrame::Failed(error)) => Err(error),
            _ => Err(gone()),
        }
    }
}
