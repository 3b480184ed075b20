//! Notifications of the computer's own system about alerts, for whoever looks away from the window.
//!
//! Owns what stands on the desktop: which alerts one notification is about, its words, when it is shown again and when
//! it is withdrawn; one back end for each system; and whether there is a place for a tray icon. Deliberately does not judge what is told (`liftdeck-alerts`
//! does, as for every channel), knows no window, and keeps nothing: what stands there is over with the program.

mod clerk;
mod standing;
mod system;
mod tray;
mod words;

pub use clerk::{Clerk, Key, Notice, Notifier, Response, Told};
pub use system::{System, system};
pub use tray::has_tray;
