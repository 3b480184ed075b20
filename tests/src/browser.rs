//! A browser without pages: whoever was let in by the link of `liftdeck serve` and asks it directly.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::program::{Group, command};

/// How long the program may take to print its link.
const PATIENCE: Duration = Duration::from_secs(180);

/// A browser that was let in.
pub struct Browser {
    origin: String,
    token: String,
}

/// Starts `liftdeck serve` with these arguments and gives the link it prints.
///
/// # Panics
/// When it prints none in time.
pub fn serve(home: &Path, arguments: &[&str]) -> (Group, String) {
    let mut serve = command(home);
    serve.arg("serve").args(arguments).stdout(Stdio::piped());
    let mut program = Group::spawn(&mut serve);
    let link = program.first_line(PATIENCE);
    (program, link)
}

impl Browser {
    /// Spends the key of a link.
    ///
    /// # Errors
    /// When nobody answers there, or the key is worth nothing.
    pub fn enter(link: &str) -> Result<Self, String> {
        let (origin, key) = link.split_once("/#key=").ok_or_else(|| format!("no link: {link}"))?;
        let entered: Value = ureq::post(&format!("{origin}/session"))
            .send_json(json!({ "key": key }))
            .and_then(|mut answer| answer.body_mut().read_json())
            .map_err(|error| error.to_string())?;
        let token = entered["token"].as_str().ok_or("no token")?.to_owned();
        Ok(Self { origin: origin.to_owned(), token })
    }

    /// Asks a command.
    ///
    /// # Errors
    /// With what it was refused with, as JSON text.
    pub fn ask(&self, command: &str, arguments: &Value) -> Result<Value, String> {
        let request = ureq::post(&format!("{}/ask/{command}", self.origin));
        let request = request.config().http_status_as_error(false).build();
        let request = request.header("Authorization", &format!("Bearer {}", self.token));
        let mut answer = request.send_json(arguments).map_err(|error| error.to_string())?;
        let text = answer.body_mut().read_to_string().map_err(|error| error.to_string())?;
        if answer.status() != 200 {
            return Err(text);
        }
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }
}
