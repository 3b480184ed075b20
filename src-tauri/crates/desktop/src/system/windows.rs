//! The toasts of Windows, by WinRT. The installer's shortcut registers the name they are shown under.

use std::collections::HashMap;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use windows::Data::Xml::Dom::XmlDocument;
use windows::Foundation::TypedEventHandler;
use windows::UI::Notifications::{
    ToastDismissalReason, ToastDismissedEventArgs, ToastNotification, ToastNotificationManager,
};
use windows::core::{HSTRING, IInspectable, Result as WinResult};

use crate::clerk::{Key, Notice, Notifier, Response};

/// The group of all of ours.
const GROUP: &str = "alerts";

/// Toasts of this program.
pub struct Toasts {
    app_id: HSTRING,
    /// Kept while they stand there: their handlers end with them.
    shown: HashMap<Key, ToastNotification>,
    said: UnboundedSender<Response>,
    heard: UnboundedReceiver<Response>,
}

impl Toasts {
    pub(super) fn new(app_id: &str) -> Self {
        let (said, heard) = unbounded_channel();
        Self { app_id: HSTRING::from(app_id), shown: HashMap::new(), said, heard }
    }

    fn toast(&self, key: Key, notice: &Notice) -> WinResult<ToastNotification> {
        let document = XmlDocument::new()?;
        document.LoadXml(&HSTRING::from(xml(notice)))?;
        let toast = ToastNotification::CreateToastNotification(&document)?;
        toast.SetTag(&tag(key))?;
        toast.SetGroup(&HSTRING::from(GROUP))?;
        let opened = self.said.clone();
        toast.Activated(&TypedEventHandler::<ToastNotification, IInspectable>::new(move |_, _| {
            let _ = opened.send(Response::Opened(key));
            Ok(())
        }))?;
        let gone = self.said.clone();
        let dismissed =
            TypedEventHandler::<ToastNotification, ToastDismissedEventArgs>::new(move |_, how| {
                // One whose time is over still stands in the notification centre.
                let by_a_person = how.as_ref().is_some_and(|how| {
                    how.Reason().is_ok_and(|reason| reason == ToastDismissalReason::UserCanceled)
                });
                if by_a_person {
                    let _ = gone.send(Response::Gone(key));
                }
                Ok(())
            });
        toast.Dismissed(&dismissed)?;
        ToastNotificationManager::CreateToastNotifierWithId(&self.app_id)?.Show(&toast)?;
        Ok(toast)
    }

    fn remove(&self, key: Key) -> WinResult<()> {
        let history = ToastNotificationManager::History()?;
        history.RemoveGroupedTagWithId(&tag(key), &HSTRING::from(GROUP), &self.app_id)
    }
}

impl Notifier for Toasts {
    async fn show(&mut self, key: Key, notice: &Notice) -> Result<(), String> {
        let toast = self.toast(key, notice);
        let toast = toast.map_err(|error| format!("Windows did not show the notification: {error}."))?;
        self.shown.insert(key, toast);
        Ok(())
    }

    async fn withdraw(&mut self, key: Key) {
        if self.shown.remove(&key).is_some()
            && let Err(error) = self.remove(key)
        {
            tracing::info!(%error, "A notification could not be withdrawn.");
        }
    }

    async fn response(&mut self) -> Response {
        match self.heard.recv().await {
            Some(response) => response,
            None => std::future::pending().await,
        }
    }
}

fn tag(key: Key) -> HSTRING {
    HSTRING::from(key.to_string())
}

fn xml(notice: &Notice) -> String {
    // A reminder stays on the screen, but only with a button.
    let (scenario, button) = if notice.is_urgent {
        (r#" scenario="reminder""#, r#"<actions><action content="Open" arguments="open"/></actions>"#)
    } else {
        ("", "")
    };
    let sound = if notice.is_quiet { r#"<audio silent="true"/>"# } else { "" };
    format!(
        r#"<toast{scenario}><visual><binding template="ToastGeneric"><text>{}</text><text>{}</text></binding></visual>{button}{sound}</toast>"#,
        escaped(&notice.title),
        escaped(&notice.body)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
