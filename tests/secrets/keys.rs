//! Sources of a person's AWS keys. Each has keys of its own, so that a leak shows where it came from.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A source of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The environment.
    Environment,
    /// A profile with keys in the shared files.
    Profile,
    /// A profile whose keys are printed by a program.
    Process,
    /// A profile whose keys have expired.
    Expired,
}

impl Source {
    pub(crate) const ALL: [Self; 4] = [Self::Environment, Self::Profile, Self::Process, Self::Expired];

    /// Access key id, secret access key and session token.
    pub(crate) const fn keys(self) -> [&'static str; 3] {
        match self {
            Self::Environment => {
                ["AKIACANARYENVIRON001", "canarySecretOfTheEnvironment01", "canaryTokenOfTheEnvironment01"]
            }
            Self::Profile => {
                ["AKIACANARYPROFILE002", "canarySecretOfTheProfile02", "canaryTokenOfTheProfile02"]
            }
            Self::Process => {
                ["AKIACANARYPROCESS003", "canarySecretOfTheProcess03", "canaryTokenOfTheProcess03"]
            }
            Self::Expired => {
                ["AKIACANARYEXPIRED004", "canarySecretOfTheExpired04", "canaryTokenOfTheExpired04"]
            }
        }
    }

    /// Returns the profile's name, if the source is a profile.
    pub(crate) const fn profile(self) -> Option<&'static str> {
        match self {
            Self::Environment => None,
            Self::Profile => Some("kept"),
            Self::Process => Some("printed"),
            Self::Expired => Some("expired"),
        }
    }

    /// Writes the shared AWS files to their own folder in a home; the search skips that folder.
    pub(crate) fn lay_out(self, home: &Path) {
        let folder = home.join(AWS);
        std::fs::create_dir_all(&folder).expect("a folder");
        let [id, secret, token] = self.keys();
        let program = folder.join("print-keys");
        let (credentials, config) = match self {
            Self::Environment => (String::new(), String::new()),
            Self::Profile | Self::Expired => {
                let name = self.profile().unwrap_or_default();
                let kept = format!(
                    "[{name}]\naws_access_key_id = {id}\naws_secret_access_key = {secret}\naws_session_token = {token}\n"
                );
                (kept, String::new())
            }
            Self::Process => {
                (String::new(), format!("[profile printed]\ncredential_process = {}\n", program.display()))
            }
        };
        let printed = format!(
            r#"{{"Version": 1, "AccessKeyId": "{id}", "SecretAccessKey": "{secret}", "SessionToken": "{token}"}}"#
        );
        for (name, text) in [
            ("credentials", credentials),
            ("config", config),
            ("keys.json", printed),
            ("print-keys", format!("#!/bin/sh\nexec cat '{}'\n", folder.join("keys.json").display())),
        ] {
            std::fs::write(folder.join(name), text).expect("a file");
        }
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).expect("a program");
    }

    /// Passes the keys to a command in this source's way.
    pub(crate) fn tell(self, command: &mut Command, home: &Path) {
        for (name, value) in self.environment(home) {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }

    /// Returns the environment in which this is the only source.
    pub(crate) fn environment(self, home: &Path) -> Vec<(&'static str, Option<String>)> {
        let file = |name: &str| Some(home.join(AWS).join(name).to_string_lossy().into_owned());
        let keys = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
        let given = self.keys().map(|key| (self == Self::Environment).then(|| key.to_owned()));
        let mut environment: Vec<_> = keys.into_iter().zip(given).collect();
        environment.push(("AWS_SHARED_CREDENTIALS_FILE", file("credentials")));
        environment.push(("AWS_CONFIG_FILE", file("config")));
        environment
    }
}

/// The folder with a person's own AWS files.
pub(crate) const AWS: &str = "aws";
