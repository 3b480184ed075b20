//! The small part of W3C WebDriver that the window tests use.

use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};

/// How long an element may take to appear and to stop moving.
const PATIENCE: Duration = Duration::from_secs(180);
/// How long the driver may take for any request; opening a program on a busy machine takes longest.
const LONGEST: Duration = Duration::from_secs(240);

/// A session with a driver. Dropping it closes it, which closes the window.
pub struct Session {
    base: String,
}

impl Session {
    /// Asks a driver to start a program and to attach to its window.
    ///
    /// # Errors
    /// The driver's own message if it refuses.
    pub fn open(driver: &str, binary: &str, arguments: &[&str]) -> Result<Self, String> {
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "webkitgtk:browserOptions": {"binary": binary, "args": arguments}
        }}});
        let answer = call("POST", &format!("{driver}/session"), Some(&wanted))?;
        let id = answer["sessionId"].as_str().ok_or_else(|| format!("no session in {answer}"))?;
        Ok(Self { base: format!("{driver}/session/{id}") })
    }

    /// Runs a function body in the page and returns its result.
    ///
    /// # Panics
    /// If the script throws.
    pub fn run(&self, body: &str, arguments: &[Value]) -> Value {
        self.try_run(body, arguments).unwrap_or_else(|error| panic!("{body}\nfailed: {error}"))
    }

    /// Does the same, with the page's exception as an error.
    ///
    /// # Errors
    /// If the script throws.
    pub fn try_run(&self, body: &str, arguments: &[Value]) -> Result<Value, String> {
        let script = json!({"script": body, "args": arguments});
        call("POST", &format!("{}/execute/sync", self.base), Some(&script))
    }

    /// Runs an async function body in the page and returns the value of its promise.
    ///
    /// # Panics
    /// If the promise is rejected or takes longer than the driver's limit.
    pub fn run_async(&self, body: &str, arguments: &[Value]) -> Value {
        let wrapped = format!(
            "const done = arguments[arguments.length - 1]; const args = Array.from(arguments).slice(0, -1);
             (async (...arguments_) => {{ {body} }})(...args)
               .then((value) => done({{ value }}), (error) => done({{ error: String(error?.message ?? JSON.stringify(error)) }}));"
        );
        let script = json!({"script": wrapped, "args": arguments});
        let answer = call("POST", &format!("{}/execute/async", self.base), Some(&script))
            .unwrap_or_else(|error| panic!("{body}\nfailed: {error}"));
        assert!(answer.get("error").is_none(), "{body}\nwas rejected: {}", answer["error"]);
        answer["value"].clone()
    }

    /// Clicks the first element that matches a CSS selector, as a user would. Clicks again if it is redrawn under the
    /// pointer.
    ///
    /// # Panics
    /// If there is none in time, or it cannot be clicked.
    pub fn click(&self, selector: &str) {
        let deadline = Instant::now() + PATIENCE;
        while let Err(error) = self.try_click(selector) {
            assert!(is_passing(&error) && Instant::now() < deadline, "{selector} cannot be clicked: {error}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn try_click(&self, selector: &str) -> Result<(), String> {
        let found = json!({"using": "css selector", "value": selector});
        let element = call("POST", &format!("{}/element", self.base), Some(&found))?;
        let id = element.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        let id = id.ok_or_else(|| format!("no element in {element}"))?;
        call("POST", &format!("{}/element/{id}/click", self.base), Some(&json!({})))?;
        Ok(())
    }

    /// Presses keys on the focused element.
    ///
    /// # Panics
    /// If the driver refuses.
    pub fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
            })
            .collect();
        let body = json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]});
        call("POST", &format!("{}/actions", self.base), Some(&body)).expect("keys are pressed");
    }

    /// Returns a picture of the page as PNG.
    ///
    /// # Panics
    /// If the driver returns none.
    pub fn picture(&self) -> Vec<u8> {
        // The driver takes it with the next frame, and an idle page draws none.
        self.run(
            "const { style } = document.documentElement;
             const frames = setInterval(() => { style.outline = style.outline ? '' : '1px solid transparent'; }, 50);
             window.restAgain = () => { clearInterval(frames); style.outline = ''; };",
            &[],
        );
        let answer = call("GET", &format!("{}/screenshot", self.base), None).expect("a picture");
        self.run("window.restAgain();", &[]);
        let text = answer.as_str().expect("a picture in base64");
        base64::engine::general_purpose::STANDARD.decode(text).expect("a picture in base64")
    }

    /// Sets how long an async script may take.
    pub fn set_script_timeout(&self, limit: Duration) {
        let body = json!({"script": u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)});
        let _ = call("POST", &format!("{}/timeouts", self.base), Some(&body));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = call("DELETE", &self.base, None);
    }
}

/// Whether a click may succeed a moment later: lists are redrawn whenever something new is collected.
fn is_passing(error: &str) -> bool {
    ["no such element", "stale element reference", "element not interactable", "element click intercepted"]
        .iter()
        .any(|code| error.contains(code))
}

fn call(method: &str, url: &str, body: Option<&Value>) -> Result<Value, String> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(LONGEST))
        .http_status_as_error(false)
        .build()
        .into();
    let sent = match (method, body) {
        ("POST", Some(body)) => agent.post(url).send_json(body),
        ("DELETE", _) => agent.delete(url).call(),
        _ => agent.get(url).call(),
    };
    let mut answer = sent.map_err(|error| format!("{method} {url}: {error}"))?;
    let status = answer.status();
    let json: Value =
        answer.body_mut().with_config().limit(64 << 20).read_json().map_err(|error| error.to_string())?;
    if status.is_success() {
        Ok(json["value"].clone())
    } else {
        Err(format!("{}: {}", json["value"]["error"], json["value"]["message"]))
    }
}
