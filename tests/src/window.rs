//! The real window on a virtual display, driven through WebKitGTK's own driver.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::display::Display;
use crate::program::{self, Group, eventually};
use crate::webdriver::Session;

/// How long a screen may take to show what a test waits for; generous, because the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// A running window.
pub struct Window {
    /// The WebDriver session in it. Declared first, so that it is closed before the driver and the display.
    pub session: Session,
    driver: Group,
    display: Display,
}

/// How to open a window.
pub struct Opening<'a> {
    /// The program's home: settings and databases live below it.
    pub home: &'a Path,
    /// Arguments of the program, such as `["demo"]`.
    pub arguments: &'a [&'a str],
    /// The process's locale; `C` is what a minimal system has.
    pub locale: &'a str,
    /// Width and height of the display in pixels.
    pub size: (u32, u32),
    /// Environment variables to set or remove, after everything else.
    pub environment: &'a [(&'a str, Option<String>)],
}

impl Default for Opening<'_> {
    fn default() -> Self {
        Self { home: Path::new("."), arguments: &[], locale: "C.UTF-8", size: (1440, 900), environment: &[] }
    }
}

impl Window {
    /// Opens the window and waits until the frame is drawn.
    ///
    /// # Panics
    /// If the driver is not installed or the window does not come up.
    pub fn open(opening: &Opening<'_>) -> Self {
        let display = Display::start(opening.size.0, opening.size.1);
        let (driver, address) = driven(opening, display.name());
        let binary = program::path();
        let session = Session::open(&address, &binary.to_string_lossy(), opening.arguments)
            .unwrap_or_else(|error| panic!("the window does not open: {error}"));
        session.set_script_timeout(PATIENCE);
        let window = Self { session, driver, display };
        window.wait_for("#app > *", "the frame is drawn");
        window
    }

    /// Returns the value for `DISPLAY` of the display it is on.
    pub fn display(&self) -> &str {
        self.display.name()
    }

    /// Waits until a selector matches something.
    ///
    /// # Panics
    /// If it does not in time; the message says what the page shows instead.
    pub fn wait_for(&self, selector: &str, what: &str) {
        self.wait_until(what, &format!("return document.querySelector({}) !== null", json!(selector)));
    }

    /// Waits until a function body in the page returns a truthy value, and returns it.
    ///
    /// # Panics
    /// If it does not in time; the message says what the page shows instead.
    pub fn wait_until(&self, what: &str, body: &str) -> Value {
        let deadline = std::time::Instant::now() + PATIENCE;
        loop {
            match self.session.try_run(body, &[]) {
                Ok(Value::Null | Value::Bool(false)) | Err(_) => {}
                Ok(found) => return found,
            }
            assert!(
                std::time::Instant::now() < deadline,
                "waited in vain: {what}\nthe page shows: {}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(150));
        }
    }

    /// Goes to an address inside the program, such as `#/fleets`.
    pub fn go(&self, address: &str) {
        self.session.run("location.hash = arguments[0]", &[json!(address)]);
    }

    /// Loads the page again and waits until the new one is drawn: the old one, which can be asked for a moment more,
    /// takes what it was asked with it.
    ///
    /// # Panics
    /// If it is not drawn in time.
    pub fn reload(&self) {
        self.session.run("window.isLeft = true; location.reload()", &[]);
        self.wait_until(
            "the frame is drawn again",
            "return window.isLeft === undefined && document.querySelector('main h1') !== null",
        );
    }

    /// Calls a command of the core, as the page's own code does, and returns its answer.
    ///
    /// # Errors
    /// The error that the command was rejected with, as JSON text.
    pub fn invoke(&self, command: &str, arguments: &Value) -> Result<Value, String> {
        let answer = self.session.run_async(
            "try { return { ok: await window.__TAURI_INTERNALS__.invoke(arguments_[0], arguments_[1]) ?? null } }
             catch (error) { return { refused: typeof error === 'string' ? error : JSON.stringify(error) } }",
            &[json!(command), arguments.clone()],
        );
        match answer.get("refused") {
            Some(refused) => Err(refused.as_str().unwrap_or_default().to_owned()),
            None => Ok(answer["ok"].clone()),
        }
    }

    /// Clicks the button with the label `text` in a part of the page, once it is there and can be clicked.
    ///
    /// # Panics
    /// If it does not appear in time.
    pub fn click_button(&self, within: &str, text: &str) {
        let body = format!(
            "const parts = [...document.querySelectorAll({})];
             const buttons = parts.flatMap((part) => [...part.querySelectorAll('button')]);
             const named = (one) => one.innerText.trim() === {text} || one.innerText.trim().startsWith({text});
             const button = buttons.reverse().find((one) => named(one) && !one.disabled);
             button?.click(); return button !== undefined",
            json!(within),
            text = json!(text)
        );
        self.wait_until(&format!("the button {text}"), &body);
    }

    /// Enters text into a field as typing does.
    ///
    /// # Panics
    /// If the field does not appear in time.
    pub fn fill(&self, selector: &str, text: &str) {
        let body = format!(
            "const field = document.querySelector({}); if (!field) return false;
             field.focus(); field.value = {}; field.dispatchEvent(new Event('input', {{ bubbles: true }})); return true",
            json!(selector),
            json!(text)
        );
        self.wait_until(&format!("the field {selector}"), &body);
    }

    /// Kills the program, as a crash would.
    pub fn kill(mut self) {
        self.driver.kill();
    }

    /// Returns all visible text of the page.
    pub fn text(&self) -> String {
        let shown = self.session.try_run("return document.body.innerText", &[]);
        shown.ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Saves a picture of the window.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn save_picture(&self, path: &Path) -> PathBuf {
        std::fs::write(path, self.session.picture()).expect("the picture is written");
        path.to_path_buf()
    }
}

/// Starts a driver and returns it with its address, once it listens.
fn driven(opening: &Opening<'_>, display: &str) -> (Group, String) {
    for _ in 0..5 {
        let port = free_port();
        let mut command = Command::new("WebKitWebDriver");
        command
            .arg(format!("--port={port}"))
            .env("DISPLAY", display)
            .env_remove("WAYLAND_DISPLAY")
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("NO_AT_BRIDGE", "1")
            .env("GTK_A11Y", "none")
            .env("LC_ALL", opening.locale)
            .env("LIFTDECK_HOME", opening.home)
            .env("HOME", opening.home)
            .env("XDG_RUNTIME_DIR", opening.home)
            .env("TMPDIR", opening.home)
            .env("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        for (name, value) in opening.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if std::env::var_os("LIFTDECK_TEST_VERBOSE").is_none() {
            command.stderr(Stdio::null());
        }
        let mut driver = Group::spawn(&mut command);
        let listens = eventually(PATIENCE, "WebKitWebDriver listens", || {
            let connected = TcpStream::connect(("127.0.0.1", port)).is_ok();
            if driver.runs() { connected.then_some(true) } else { Some(false) }
        });
        // Another process may take the port after it was found free; the driver then ends.
        if listens {
            return (driver, format!("http://127.0.0.1:{port}"));
        }
    }
    panic!("WebKitWebDriver ends at once")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a free port").port()
}
