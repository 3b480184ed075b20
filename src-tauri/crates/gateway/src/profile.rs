//! Profiles of the shared AWS configuration files, for choosing one.
//!
//! Owns reading the two files. Deliberately keeps no secret: it returns only names, kinds and Regions.

use aws_config::profile::{self, Profile};
use aws_runtime::env_config::file::EnvConfigFiles;
use aws_types::os_shim_internal::{Env, Fs};
use liftdeck_model::Region;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::error::{ErrorKind, GatewayError};

/// A profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AwsProfile {
    /// Name.
    pub name: String,
    /// Where its credentials come from.
    pub kind: ProfileKind,
    /// Region it names.
    pub region: Option<Region>,
}

/// Where a profile's credentials come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ProfileKind {
    /// IAM Identity Center: a login that expires.
    Sso,
    /// A role assumed with the credentials of another profile or source.
    AssumeRole,
    /// Keys in the file.
    Keys,
    /// Printed by a program.
    Process,
    /// Provided by the environment, container or instance.
    Environment,
    /// None of the kinds this program knows.
    Other,
}

/// The profiles of the shared files, sorted by name; an empty list if there are no files.
///
/// # Errors
/// `Config` when a file cannot be read or understood.
pub async fn profiles() -> Result<Vec<AwsProfile>, GatewayError> {
    let files = EnvConfigFiles::default();
    let set = profile::load(&Fs::real(), &Env::real(), &files, None)
        .await
        .map_err(|error| GatewayError::plain(ErrorKind::Config, "profiles", explain(&error)))?;
    let mut found: Vec<AwsProfile> =
        set.profiles().filter_map(|name| set.get_profile(name)).map(describe).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Finds a profile in the shared files.
///
/// # Errors
/// `Config` when it is not there, or when a file cannot be read or understood.
pub(crate) async fn find(name: &str) -> Result<AwsProfile, GatewayError> {
    let profiles = profiles().await?;
    if let Some(profile) = profiles.iter().find(|profile| profile.name == name) {
        return Ok(profile.clone());
    }
    let known: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    Err(GatewayError::absent_profile(name, &known))
}

fn describe(profile: &Profile) -> AwsProfile {
    AwsProfile {
        name: profile.name().to_owned(),
        kind: kind(profile),
        region: profile.get("region").map(Region::from),
    }
}

/// Checks in the same order as the SDK.
fn kind(profile: &Profile) -> ProfileKind {
    let has = |key: &str| profile.get(key).is_some();
    if has("role_arn") {
        ProfileKind::AssumeRole
    } else if has("sso_session") || has("sso_start_url") {
        ProfileKind::Sso
    } else if has("credential_process") {
        ProfileKind::Process
    } else if has("aws_access_key_id") {
        ProfileKind::Keys
    } else if has("credential_source") {
        ProfileKind::Environment
    } else {
        ProfileKind::Other
    }
}

/// Joins the whole chain of causes, because the outermost error only says that something went wrong.
fn explain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut words = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        words.push(error.to_string());
        cause = error.source();
    }
    words.join(": ")
}

#[cfg(test)]
mod tests {
    use aws_runtime::env_config::file::EnvConfigFileKind;

    use super::*;

    async fn read(config: &str) -> Vec<(String, ProfileKind)> {
        let files = EnvConfigFiles::builder().with_contents(EnvConfigFileKind::Config, config).build();
        let set = profile::load(&Fs::real(), &Env::from_slice(&[]), &files, None).await.unwrap();
        let mut found: Vec<_> = set
            .profiles()
            .filter_map(|name| set.get_profile(name))
            .map(|p| (p.name().to_owned(), kind(p)))
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    #[tokio::test]
    async fn every_kind_of_profile_is_told_apart() {
        let found = read(
            "[profile a]\nsso_session = s\nregion = eu-west-1\n[profile b]\nrole_arn = r\nsource_profile = d\n\
             [profile c]\ncredential_process = /bin/x\n[profile d]\naws_access_key_id = k\naws_secret_access_key = s\n\
             [profile e]\nregion = eu-west-1\n[sso-session s]\nsso_start_url = u\n",
        )
        .await;
        let kinds: Vec<_> = found.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        assert_eq!(
            kinds,
            [
                ("a", ProfileKind::Sso),
                ("b", ProfileKind::AssumeRole),
                ("c", ProfileKind::Process),
                ("d", ProfileKind::Keys),
                ("e", ProfileKind::Other)
            ]
        );
    }
}
