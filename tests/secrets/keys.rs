//! Where a person's keys come from: each source has keys of its own, so that a leak tells its way.

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
    /// A profile whose keys a program prints.
    Process,
    /// A profile with keys AWS does not take any more.
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

    /// The profile's name, where it is one.
    pub(crate) const fn profile(self) -> Option<&'static str> {
        match self {
            Self::Environment => None,
            Self::Profile => Some("kept"),
            Self::Process => Some("printed"),
            Self::Expired => Some("expired"),
        }
    }

    /// Writes the shared files of a home; they lie in a folder of their own, which is nobody's to look into.
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

    /// Hands the keys to a command in this source's way.
    pub(crate) fn tell(self, command: &mut Command, home: &Path) {
        for (name, value) in self.environment(home) {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }

    /// The environment in which this source is the only one.
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

/// The folder of a person's own AWS files.
pub(crate) const AWS: &str = "aws";
