//! A virtual display.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::Group;

/// An Xvfb server, ended when dropped.
pub struct Display {
    _server: Group,
    name: String,
}

impl Display {
    /// Starts a display of `width` × `height` pixels on a free number.
    ///
    /// # Panics
    /// If Xvfb is not installed.
    pub fn start(width: u32, height: u32) -> Self {
        let mut command = Command::new("Xvfb");
        command.args([
            "-displayfd",
            "1",
            "-nolisten",
            "tcp",
            "-screen",
            "0",
            &format!("{width}x{height}x24"),
        ]);
        let mut server = Group::spawn(command.stdout(Stdio::piped()).stderr(Stdio::null()));
        let number = server.first_line(Duration::from_secs(120));
        Self { _server: server, name: format!(":{}", number.trim()) }
    }

    /// Returns the value for `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }
}
