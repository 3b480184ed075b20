//! A system whose notifications are not known here.

use std::future::pending;

use crate::clerk::{Key, Notice, Notifier, Response};

/// Shows nothing.
pub struct None;

impl None {
    pub(super) const fn new(_app_id: &str) -> Self {
        Self
    }
}

impl Notifier for None {
    async fn show(&mut self, _key: Key, _notice: &Notice) -> Result<(), String> {
        Err("Liftdeck does not know how this system shows notifications.".to_owned())
    }

    async fn withdraw(&mut self, _key: Key) {}

    async fn response(&mut self) -> Response {
        pending().await
    }
}
