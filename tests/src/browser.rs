//! A browser without pages: signs in with the link of `liftdeck serve` and sends requests directly.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::program::{Group, command};

/// How long the program may take to print its link.
const PATIENCE: Duration = Duration::from_secs(180);

/// A signed-in browser.
pub struct Browser {
    origin: String,
    token: String,
}

/// Starts `liftdeck serve` with these arguments and returns the link it prints.
///
/// # Panics
/// If it prints none in time.
pub fn serve(home: &Path, arguments: &[&str]) -> (Group, String) {
    let mut serve = command(home);
    serve.arg("serve").args(arguments).stdout(Stdio::piped());
    let mut program = Group::of_one(&mut serve);
    let link = program.first_line(PATIENCE);
    (program, link)
}

impl Browser {
    /// Signs in with the key of a link.
    ///
    /// # Errors
    /// If nothing answers there, or the key is not valid.
    pub fn enter(link: &str) -> Result<Self, String> {
        let (origin, key) = link.split_once("/#key=").ok_or_else(|| format!("no link: {link}"))?;
        let entered: Value = ureq::post(&format!("{origin}/session"))
            .send_json(json!({ "key": key }))
            .and_then(|mut answer| answer.body_mut().read_json())
            .map_err(|error| error.to_string())?;
        let token = entered["token"].as_str().ok_or("no token")?.to_owned();
        Ok(Self { origin: origin.to_owned(), token })
    }

    /// Calls a command.
    ///
    /// # Errors
    /// The error that the command was refused with, as JSON text.
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
