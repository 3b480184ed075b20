//! The notifications of macOS, by `UNUserNotificationCenter`: for a signed bundle, after the person agreed.

use mac_usernotifications::{InterruptionLevel, Notification, check_bundle, close_delivered, request_auth};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::clerk::{Key, Notice, Notifier, Response};

/// Groups ours in the notification centre.
const THREAD: &str = "alerts";

/// Notifications of this program's bundle.
pub struct UserNotifications {
    is_allowed: bool,
    said: UnboundedSender<Response>,
    heard: UnboundedReceiver<Response>,
}

impl UserNotifications {
    pub(super) fn new(_app_id: &str) -> Self {
        let (said, heard) = unbounded_channel();
        Self { is_allowed: false, said, heard }
    }

    async fn ask(&mut self) -> Result<(), String> {
        if check_bundle().is_err() {
            return Err(
                "macOS shows notifications of installed programs only; this one runs without its bundle."
                    .to_owned(),
            );
        }
        match request_auth().await {
            Ok(true) => {
                self.is_allowed = true;
                Ok(())
            }
            Ok(false) => {
                Err("macOS was told to show no notifications of Liftdeck. System Settings, Notifications, \
                 changes that."
                    .to_owned())
            }
            Err(error) => Err(format!("macOS did not allow notifications: {error}.")),
        }
    }
}

impl Notifier for UserNotifications {
    async fn show(&mut self, key: Key, notice: &Notice) -> Result<(), String> {
        if !self.is_allowed {
            self.ask().await?;
        }
        let level = match (notice.is_quiet, notice.is_urgent) {
            (true, _) => InterruptionLevel::Passive,
            (false, true) => InterruptionLevel::TimeSensitive,
            (false, false) => InterruptionLevel::Active,
        };
        let notification = Notification::new()
            .title(&notice.title)
            .message(&notice.body)
            .id(&name(key))
            .thread_id(THREAD)
            .interruption_level(level);
        let shown = notification.send().await;
        let shown = shown.map_err(|error| format!("macOS did not show the notification: {error}."))?;
        let said = self.said.clone();
        tokio::spawn(async move {
            // An error says that another one took its place.
            if let Ok(response) = shown.response().await {
                let is_click = response.is_default_action();
                let _ = said.send(if is_click { Response::Opened(key) } else { Response::Gone(key) });
            }
        });
        Ok(())
    }

    async fn withdraw(&mut self, key: Key) {
        close_delivered(&name(key)).await;
    }

    async fn response(&mut self) -> Response {
        match self.heard.recv().await {
            Some(response) => response,
            None => std::future::pending().await,
        }
    }
}

fn name(key: Key) -> String {
    format!("alert-{key}")
}
