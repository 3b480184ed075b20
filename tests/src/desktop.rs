//! A desktop of the test's own: a private session bus, and on it somebody who is shown notifications and tray icons.

use std::collections::VecDeque;
use std::io::Write;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::Group;

/// A bus and who is on it, ended when dropped.
pub struct Desktop {
    _people: Group,
    _bus: Group,
    address: String,
    say: ChildStdin,
    heard: Receiver<String>,
    /// What was heard and not yet asked for.
    kept: VecDeque<Value>,
}

impl Desktop {
    /// Starts the bus and who is on it.
    ///
    /// # Panics
    /// If `dbus-daemon`, or Debian's Python with `dbus` and `gi`, is not installed.
    pub fn start() -> Self {
        let mut bus = Command::new("dbus-daemon");
        bus.args(["--session", "--nofork", "--print-address=1"]).stdout(Stdio::piped());
        let mut bus = Group::spawn(&mut bus);
        let address = bus.first_line(Duration::from_secs(60)).trim().to_owned();
        // Debian's own: the bindings are no package of PyPI that installs without a compiler.
        let mut people = Command::new("/usr/bin/python3");
        people
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/window/desktop.py"))
            .env("DBUS_SESSION_BUS_ADDRESS", &address)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut people = Group::spawn(&mut people);
        let (say, heard) = (people.stdin(), people.lines());
        let mut desktop = Self { _people: people, _bus: bus, address, say, heard, kept: VecDeque::new() };
        desktop.wait(Duration::from_secs(60), "the desktop is ready", |told| told["kind"] == "ready");
        desktop
    }

    /// Returns the value for `DBUS_SESSION_BUS_ADDRESS`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Lets a person do something: `click NUMBER`, `dismiss NUMBER`, `tray`, `choose TEXT`,
    /// `look-away DISPLAY`.
    ///
    /// # Panics
    /// If nobody is there any more.
    pub fn act(&mut self, what: &str) {
        writeln!(self.say, "{what}").expect("somebody is on the desktop");
    }

    /// Whether the desktop was asked for something by now.
    pub fn has_heard(&mut self, is_it: impl Fn(&Value) -> bool) -> bool {
        while let Ok(line) = self.heard.try_recv() {
            self.kept.push_back(serde_json::from_str(&line).unwrap_or_default());
        }
        self.kept.iter().any(is_it)
    }

    /// Waits until the desktop was asked for something, and returns it. What was asked before it is kept.
    ///
    /// # Panics
    /// If that does not happen in time; the message says what did.
    pub fn wait(&mut self, within: Duration, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + within;
        let mut seen = 0;
        loop {
            while seen < self.kept.len() {
                if is_it(&self.kept[seen]) {
                    return self.kept.remove(seen).expect("it was just seen");
                }
                seen += 1;
            }
            match self.heard.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.kept.push_back(serde_json::from_str(&line).expect(&line)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("waited in vain: {what}; the desktop was asked for {:?}", self.kept)
                }
            }
        }
    }
}
