//! The system's own notifier: one back end for each system that has one.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "windows")))]
mod none;
#[cfg(target_os = "windows")]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::FreeDesktop as System;
#[cfg(target_os = "macos")]
pub use macos::UserNotifications as System;
#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "windows")))]
pub use none::None as System;
#[cfg(target_os = "windows")]
pub use windows::Toasts as System;

/// This system's notifier. Nothing is asked of the system before the first notification. `app_id` is the program's
/// name to the system, as its installer registers it.
#[must_use]
pub fn system(app_id: &str) -> System {
    System::new(app_id)
}
