//! Notifications of the system while the window is out of sight.
//!
//! Owns when one may be shown: the window is not in front, and the person at this computer wants them. What is told
//! was decided with the alerts; what stands on the desktop is `liftdeck-desktop`'s.

use std::sync::Arc;
use std::time::Duration;

use liftdeck_api::{AppError, ErrorKind};
use liftdeck_app::{App, AtDesk};
use liftdeck_desktop::{Clerk, Told, system};
use parking_lot::Mutex;
use tauri::{AppHandle, Manager};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, oneshot};

use super::place::{self, Place};
use super::tell::WINDOW;

/// How long closing waits until notifications are withdrawn.
const LAST: Duration = Duration::from_secs(2);

/// What the clerk is asked besides.
enum Asked {
    /// Show one that says that nothing is wrong.
    Test(oneshot::Sender<Result<(), String>>),
    /// Withdraw everything: the program ends.
    Clear(oneshot::Sender<()>),
}

/// The way to the clerk.
pub(super) struct Notifications {
    ask: mpsc::Sender<Asked>,
    trouble: Arc<Mutex<Option<String>>>,
}

impl Notifications {
    /// Starts to show what is told at this computer, until the program ends.
    pub(super) fn start(app: AppHandle, told: Receiver<AtDesk>) -> Self {
        let (ask, asked) = mpsc::channel(4);
        let trouble = Arc::<Mutex<Option<String>>>::default();
        tauri::async_runtime::spawn(work(app, told, asked, Arc::clone(&trouble)));
        Self { ask, trouble }
    }

    /// Shows a notification that says that nothing is wrong.
    ///
    /// # Errors
    /// When the system shows none, with the reason.
    pub(super) async fn test(&self) -> Result<(), AppError> {
        let failed = |why: String| {
            AppError::new(ErrorKind::Refused, why)
                .remedy("Alerts stay on their screen, and channels tell of them wherever you are.")
        };
        let gone = || failed("Notifications are not shown any more: their task has ended.".to_owned());
        let (answer, answered) = oneshot::channel();
        self.ask.send(Asked::Test(answer)).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?.map_err(failed)
    }

    /// Why the last one could not be shown.
    pub(super) fn trouble(&self) -> Option<String> {
        self.trouble.lock().clone()
    }

    /// Withdraws everything.
    pub(super) async fn clear(&self) {
        let (answer, answered) = oneshot::channel();
        let cleared = async {
            if self.ask.send(Asked::Clear(answer)).await.is_ok() {
                // An error says that the task is gone, and with it what it could do.
                let _ = answered.await;
            }
        };
        let _ = tokio::time::timeout(LAST, cleared).await;
    }
}

async fn work(
    app: AppHandle,
    mut told: Receiver<AtDesk>,
    mut asked: mpsc::Receiver<Asked>,
    trouble: Arc<Mutex<Option<String>>>,
) {
    let mut clerk = Clerk::new(system(&app.config().identifier));
    loop {
        tokio::select! {
            heard = told.recv() => match heard {
                Ok(AtDesk::Told { connection, name, messages }) => {
                    let told = Told { connection: &connection, name: &name, messages: &messages };
                    clerk.told(told, may_show(&app), app.state::<Arc<App>>().now()).await;
                }
                Ok(AtDesk::Closed { connection }) => clerk.closed(&connection).await,
                Err(RecvError::Lagged(lost)) => {
                    tracing::info!(lost, "Some of what was told did not become a notification.");
                }
                Err(RecvError::Closed) => return,
            },
            ask = asked.recv() => match ask {
                Some(Asked::Test(answer)) => {
                    // Whoever asked may be gone.
                    let _ = answer.send(clerk.test().await);
                }
                Some(Asked::Clear(answer)) => {
                    clerk.clear().await;
                    let _ = answer.send(());
                }
                None => return,
            },
            page = clerk.opened() => place::go(&app, Place::here(page)),
        }
        *trouble.lock() = clerk.trouble().map(str::to_owned);
    }
}

/// Whether nobody sees the window, and the person wants to be told.
fn may_show(app: &AppHandle) -> bool {
    let is_in_front =
        app.get_webview_window(WINDOW).is_some_and(|window| window.is_focused().unwrap_or(false));
    !is_in_front && app.state::<Arc<App>>().settings().desktop_notifications
}
