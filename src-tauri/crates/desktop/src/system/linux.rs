//! The desktop notifications of Linux: `org.freedesktop.Notifications` on the session's D-Bus
//! (specifications.freedesktop.org/notification-spec, version 1.2).

use std::collections::HashMap;
use std::future::pending;

use futures::StreamExt;
use zbus::proxy::SignalStream;
use zbus::{Connection, Proxy, Variant};

use crate::clerk::{Key, Notice, Notifier, Response};

const SERVICE: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// The name of the program's `.desktop` file, by which the desktop finds its icon and its settings.
const ENTRY: &str = "Liftdeck";
/// The action of a click on the notification itself.
const DEFAULT: &str = "default";
/// Values of the hint `urgency`.
const NORMAL: u8 = 1;
const CRITICAL: u8 = 2;
/// Values of the time-out: the server's own, and none.
const AS_USUAL: i32 = -1;
const NEVER: i32 = 0;

/// Notifications by D-Bus.
pub struct FreeDesktop {
    live: Option<Live>,
    /// The server's numbers of what stands there.
    numbers: HashMap<Key, u32>,
}

/// A connection to the server.
struct Live {
    proxy: Proxy<'static>,
    /// Subscribed before the first notification, so that no click is missed.
    signals: SignalStream<'static>,
    /// Whether the body is read as markup.
    has_markup: bool,
}

impl FreeDesktop {
    pub(super) fn new(_app_id: &str) -> Self {
        Self { live: None, numbers: HashMap::new() }
    }

    async fn connected(&mut self) -> Result<&Live, String> {
        if self.live.is_none() {
            self.live = Some(Live::open().await?);
        }
        self.live.as_ref().ok_or_else(|| "The session's D-Bus is gone.".to_owned())
    }
}

impl Live {
    async fn open() -> Result<Self, String> {
        let bus = Connection::session().await;
        let bus =
            bus.map_err(|error| format!("This session has no D-Bus to show notifications by: {error}."))?;
        let proxy = Proxy::new(&bus, SERVICE, PATH, SERVICE).await.map_err(|error| absent(&error))?;
        let signals = proxy.receive_all_signals().await.map_err(|error| absent(&error))?;
        let capabilities: Vec<String> =
            proxy.call("GetCapabilities", &()).await.map_err(|error| absent(&error))?;
        let has_markup = capabilities.iter().any(|one| one == "body-markup");
        Ok(Self { proxy, signals, has_markup })
    }
}

impl Notifier for FreeDesktop {
    async fn show(&mut self, key: Key, notice: &Notice) -> Result<(), String> {
        let before = self.numbers.get(&key).copied().unwrap_or(0);
        let live = self.connected().await?;
        let body = if live.has_markup { escaped(&notice.body) } else { notice.body.clone() };
        let (urgency, time_out) = if notice.is_urgent { (CRITICAL, NEVER) } else { (NORMAL, AS_USUAL) };
        let mut hints =
            HashMap::from([("urgency", Variant::from(urgency)), ("desktop-entry", Variant::from(ENTRY))]);
        if notice.is_quiet {
            hints.insert("suppress-sound", Variant::from(true));
        }
        let actions = [DEFAULT, "Open"].as_slice();
        let asked =
            ("Liftdeck", before, "liftdeck", notice.title.as_str(), body.as_str(), actions, hints, time_out);
        match live.proxy.call::<_, _, u32>("Notify", &asked).await {
            Ok(number) => {
                self.numbers.insert(key, number);
                Ok(())
            }
            Err(error) => {
                // The next one begins anew: the server or the whole bus may have been restarted.
                self.live = None;
                self.numbers.clear();
                Err(absent(&error))
            }
        }
    }

    async fn withdraw(&mut self, key: Key) {
        let (Some(number), Some(live)) = (self.numbers.remove(&key), &self.live) else { return };
        // It may be gone already, which is an error by the specification.
        let _ = live.proxy.call::<_, _, ()>("CloseNotification", &(number,)).await;
    }

    async fn response(&mut self) -> Response {
        loop {
            let Some(live) = &mut self.live else { return pending().await };
            let Some(signal) = live.signals.next().await else {
                self.live = None;
                self.numbers.clear();
                continue;
            };
            let header = signal.header();
            let body = signal.body();
            let member = header.member().map(|member| member.as_str()).unwrap_or_default();
            let response = match member {
                "ActionInvoked" => match body.deserialize::<(u32, String)>() {
                    Ok((number, action)) if action == DEFAULT => self.key_of(number).map(Response::Opened),
                    _ => None,
                },
                "NotificationClosed" => match body.deserialize::<(u32, u32)>() {
                    Ok((number, _)) => self.key_of(number).map(|key| {
                        self.numbers.remove(&key);
                        Response::Gone(key)
                    }),
                    Err(_) => None,
                },
                _ => None,
            };
            if let Some(response) = response {
                return response;
            }
        }
    }
}

impl FreeDesktop {
    fn key_of(&self, number: u32) -> Option<Key> {
        self.numbers.iter().find(|(_, own)| **own == number).map(|(key, _)| *key)
    }
}

fn absent(error: &zbus::Error) -> String {
    const NONE: [&str; 2] = ["ServiceUnknown", "NameHasNoOwner"];
    let name = match error {
        zbus::Error::MethodError(name, _, _) => name.to_string(),
        zbus::Error::FDO(error) => error.to_string(),
        _ => String::new(),
    };
    if NONE.iter().any(|none| name.contains(none)) || name.contains(".Spawn.") {
        "No notification service runs in this desktop session.".to_owned()
    } else {
        format!("The desktop's notification service failed: {error}.")
    }
}

/// Escapes the characters with which markup begins.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
