//! Carries out what is to stand on the desktop, with the system's own notifier.

use std::future::Future;
use std::time::Duration;

use liftdeck_model::Timestamp;
use liftdeck_model::notification::Message;

use crate::standing::{Standing, Step};
use crate::words;

/// How long the system may take to show or withdraw a notification. Longer, and it counts as not shown.
const PATIENCE: Duration = Duration::from_secs(10);

/// Names a notification for as long as the program runs.
pub type Key = u64;
/// The notification of a test.
const TEST: Key = 0;

/// A notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// One line, safe to show.
    pub title: String,
    /// Lines of plain text, safe to show.
    pub body: String,
    /// Whether it stays until a person dismisses it.
    pub is_urgent: bool,
    /// Whether it only corrects what already stands there.
    pub is_quiet: bool,
}

/// What a person did with a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// It was clicked.
    Opened(Key),
    /// It was dismissed, or the system took it away.
    Gone(Key),
}

/// Shows notifications. One of these is the system's; another is a test's.
pub trait Notifier: Send {
    /// Shows a notification, in the place of the one that has this key.
    ///
    /// # Errors
    /// A sentence for people about why it cannot be shown.
    fn show(&mut self, key: Key, notice: &Notice) -> impl Future<Output = Result<(), String>> + Send;

    /// Takes a notification away, if it still stands there.
    fn withdraw(&mut self, key: Key) -> impl Future<Output = ()> + Send;

    /// Waits for what a person does next. Nothing is lost if the wait is given up.
    fn response(&mut self) -> impl Future<Output = Response> + Send;
}

/// Messages of one look about alerts of one connection.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// Id of the connection.
    pub connection: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The messages.
    pub messages: &'a [Message],
}

/// Keeps the desktop in step with what is told.
pub struct Clerk<N> {
    notifier: N,
    standing: Standing,
    trouble: Option<String>,
}

impl<N: Notifier> Clerk<N> {
    /// A clerk with an empty desktop.
    pub fn new(notifier: N) -> Self {
        Self { notifier, standing: Standing::default(), trouble: None }
    }

    /// Shows what is told and withdraws what is over. `may_show` is false while the screen says it already, or the
    /// person wants no notifications; what is over is withdrawn all the same.
    pub async fn told(&mut self, told: Told<'_>, may_show: bool, now: Timestamp) {
        let steps = self.standing.told(told, may_show, now);
        self.carry_out(steps).await;
    }

    /// Withdraws everything about a connection that was closed.
    pub async fn closed(&mut self, connection: &str) {
        let steps = self.standing.closed(connection);
        self.carry_out(steps).await;
    }

    /// Withdraws everything.
    pub async fn clear(&mut self) {
        let steps = self.standing.clear();
        self.carry_out(steps).await;
        let _ = tokio::time::timeout(PATIENCE, self.notifier.withdraw(TEST)).await;
    }

    /// Shows a notification that says that nothing is wrong.
    ///
    /// # Errors
    /// A sentence for people about why none can be shown.
    pub async fn test(&mut self) -> Result<(), String> {
        let shown = self.show(TEST, &words::test()).await;
        self.trouble = shown.clone().err();
        shown
    }

    /// Why the last notification could not be shown, in a sentence for people.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Waits until a notification is clicked, and returns the page it leads to: the window's own address. Nothing is
    /// lost if the wait is given up.
    pub async fn opened(&mut self) -> String {
        loop {
            match self.notifier.response().await {
                Response::Opened(TEST) => return "#/settings".to_owned(),
                Response::Opened(key) => {
                    if let Some(page) = self.standing.opened(key) {
                        return page;
                    }
                }
                Response::Gone(key) => self.standing.gone(key),
            }
        }
    }

    async fn carry_out(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Show { key, notice } => match self.show(key, &notice).await {
                    Ok(()) => self.trouble = None,
                    Err(why) => {
                        // Said once, not at every alert.
                        if self.trouble.as_deref() != Some(&why) {
                            tracing::warn!(why, "A notification could not be shown.");
                        }
                        self.trouble = Some(why);
                        self.standing.gone(key);
                    }
                },
                Step::Withdraw { key } => {
                    if tokio::time::timeout(PATIENCE, self.notifier.withdraw(key)).await.is_err() {
                        tracing::info!("A notification was not withdrawn in time.");
                    }
                }
            }
        }
    }

    async fn show(&mut self, key: Key, notice: &Notice) -> Result<(), String> {
        let shown = tokio::time::timeout(PATIENCE, self.notifier.show(key, notice)).await;
        shown.unwrap_or_else(|_| Err("The system's notification service does not answer.".to_owned()))
    }
}

#[cfg(test)]
mod tests;
