//! Where credentials and endpoints come from: a chosen profile alone, and one place for all services.
//!
//! Each test runs itself again in a process with its own environment, because variables and AWS files apply per
//! process.

use std::path::{Path, PathBuf};
use std::process::Command;
#[cfg(unix)]
use std::time::{Duration, Instant};

use liftdeck_gateway::{ConnectionSpec, CredentialSource, ErrorKind, Gateway};

use crate::answers::aliases;
use crate::server::{ACCOUNT, Answer, Request, Server, caller, patient, region};

/// Time limit for what takes seconds on a machine that is not busy. Keys without an expiry are cached for longer.
#[cfg(unix)]
const LONG: Duration = Duration::from_mins(2);

const FOLDER: &str = "LIFTDECK_TEST_SURROUNDINGS";

/// Returns the folder that contains `config`, in the process that has these variables; `None` in the one that started
/// it.
fn surrounded(test: &str, config: &str, variables: &[(&str, &str)]) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return Some(folder.into());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("config"), config.replace("FOLDER", &folder.path().display().to_string())).unwrap();
    std::fs::write(path("credentials"), "").unwrap();
    let mut process = Command::new(std::env::current_exe().unwrap());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("AWS_") {
            process.env_remove(name);
        }
    }
    let ended = process
        .args(["--exact", &format!("profiles::{test}"), "--nocapture"])
        .env(FOLDER, folder.path())
        .env("AWS_CONFIG_FILE", path("config"))
        .env("AWS_SHARED_CREDENTIALS_FILE", path("credentials"))
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .envs(variables.iter().copied())
        .status();
    assert!(ended.unwrap().success());
    None
}

/// Treats each key as a user of that name; a key that contains `STRANGE` belongs to another account.
async fn server() -> Server {
    Server::start_asked(|request, _| {
        if !request.is_question() {
            return Answer::cbor(aliases(&[], None));
        }
        let key = request.head.split("Credential=").nth(1).unwrap().split('/').next().unwrap();
        let account = if key.contains("STRANGE") { "999988887777" } else { ACCOUNT };
        Answer::caller(&liftdeck_gateway::CallerIdentity { account: account.into(), ..caller(key) })
    })
    .await
}

async fn connect(server: &Server, profile: Option<&str>) -> Gateway {
    let spec = ConnectionSpec {
        account: Some(ACCOUNT.into()),
        profile: profile.map(str::to_owned),
        credentials: CredentialSource::Chain,
        ..server.spec(patient())
    };
    Gateway::connect(spec).await.unwrap()
}

const IN_THE_ENVIRONMENT: [(&str, &str); 2] =
    [("AWS_ACCESS_KEY_ID", "AKIDENVIRONMENT"), ("AWS_SECRET_ACCESS_KEY", "secret")];

#[tokio::test]
async fn keys_in_the_environment_never_stand_in_for_a_chosen_profile() {
    let config = "[profile chosen]\naws_access_key_id = AKIDCHOSEN\naws_secret_access_key = secret\n\
                  [profile broken]\nregion = eu-west-1\n";
    let test = "keys_in_the_environment_never_stand_in_for_a_chosen_profile";
    if surrounded(test, config, &IN_THE_ENVIRONMENT).is_none() {
        return;
    }
    let server = server().await;
    let proven = connect(&server, Some("chosen")).await.prove().await.unwrap();
    assert!(proven.arn.ends_with("user/AKIDCHOSEN"), "{proven:?}");
    let proven = connect(&server, None).await.prove().await.unwrap();
    assert!(proven.arn.ends_with("user/AKIDENVIRONMENT"), "{proven:?}");
    let asked = server.requests().len();
    let broken = connect(&server, Some("broken")).await;
    let error = broken.prove().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Credentials, "{error}");
    assert!(error.remedy().unwrap().contains("broken"), "{error}");
    assert!(broken.check().await.iter().all(|check| check.detail.is_some()), "the check finds it");
    assert_eq!(server.requests().len(), asked, "nothing is asked with anybody else's keys");
}

#[cfg(unix)]
fn hand_out(folder: &Path, key: &str) {
    // Long expired, so they are fetched again for each attempt.
    hand_out_until(folder, key, Some("2020-01-01T00:00:00Z"));
}

#[cfg(unix)]
fn hand_out_until(folder: &Path, key: &str, expiry: Option<&str>) {
    let keys = serde_json::json!({
        "Version": 1, "AccessKeyId": key, "SecretAccessKey": "s", "SessionToken": "t", "Expiration": expiry
    });
    // Replaces the file in one step, so that the process reading it finds it whole.
    std::fs::write(folder.join("next"), keys.to_string()).unwrap();
    std::fs::rename(folder.join("next"), folder.join("keys.json")).unwrap();
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn credentials_that_change_their_account_in_the_middle_sign_nothing() {
    let config = "[profile moves]\ncredential_process = cat \"FOLDER/keys.json\"\n";
    let test = "credentials_that_change_their_account_in_the_middle_sign_nothing";
    let Some(folder) = surrounded(test, config, &[]) else { return };
    hand_out(&folder, "AKIDHOME");
    let server = server().await;
    let gateway = connect(&server, Some("moves")).await;
    let read = async || gateway.reader(&region()).unwrap().aliases().await.failure;
    assert_eq!(read().await, None);
    hand_out(&folder, "AKIDSTRANGE");
    let error = read().await.unwrap();
    assert_eq!(error.kind, ErrorKind::WrongAccount, "{error}");
    for named in ["`moves`", ACCOUNT, "999988887777"] {
        assert!(error.to_string().contains(named), "{error}");
    }
    let swap = {
        let folder = folder.clone();
        tokio::task::spawn_blocking(move || {
            for turn in 0..40 {
                hand_out(&folder, if turn % 2 == 0 { "AKIDHOME" } else { "AKIDSTRANGE" });
            }
        })
    };
    for _ in 0..20 {
        read().await;
    }
    swap.await.unwrap();
    hand_out(&folder, "AKIDHOME");
    assert_eq!(read().await, None, "it goes on by itself");
    let strangers = server.requests().into_iter().filter(|request| request.is_signed_with("AKIDSTRANGE"));
    assert!(strangers.into_iter().all(|request| Request::is_question(&request)));
}

/// Checks that keys refused by AWS, in the identity check or only afterwards, are replaced by newer ones from the
/// same place.
#[cfg(unix)]
async fn come_to_new_keys(folder: &Path, refused_when_asked: bool) {
    let server = Server::start_asked(move |request, _| {
        let is_refused = request.is_signed_with("AKIDOLD") && request.is_question() == refused_when_asked;
        match (request.is_question(), is_refused) {
            (true, true) => Answer::Whole {
                status: 403,
                headers: vec![("content-type", "text/xml".to_owned())],
                body: b"<ErrorResponse><Error><Code>ExpiredToken</Code></Error></ErrorResponse>".to_vec(),
            },
            (true, false) => Answer::caller(&caller("ops")),
            (false, true) => Answer::error(403, "ExpiredTokenException", "The security token is expired"),
            (false, false) => Answer::cbor(aliases(&[], None)),
        }
    })
    .await;
    hand_out_until(folder, "AKIDOLD", None);
    let gateway = connect(&server, Some("renewed")).await;
    let ask = async || {
        if refused_when_asked {
            gateway.prove().await.err()
        } else {
            gateway.reader(&region()).unwrap().aliases().await.failure
        }
    };
    assert_eq!(ask().await.unwrap().kind, ErrorKind::Credentials);
    hand_out_until(folder, "AKIDNEW", None);
    let begun = Instant::now();
    while ask().await.is_some() {
        assert!(begun.elapsed() < LONG, "keys that were refused are used until they would have been renewed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[cfg(unix)]
#[tokio::test]
async fn keys_that_aws_refuses_are_read_again_from_where_they_come() {
    let config = "[profile renewed]\ncredential_process = cat \"FOLDER/keys.json\"\n";
    let test = "keys_that_aws_refuses_are_read_again_from_where_they_come";
    let Some(folder) = surrounded(test, config, &[]) else { return };
    come_to_new_keys(&folder, false).await;
    come_to_new_keys(&folder, true).await;
}

#[tokio::test]
async fn an_endpoint_of_one_service_alone_is_refused_before_anything_is_asked() {
    let test = "an_endpoint_of_one_service_alone_is_refused_before_anything_is_asked";
    let keys = "[default]\naws_access_key_id = AKIDDEFAULT\naws_secret_access_key = secret\n";
    if surrounded(test, keys, &[("AWS_ENDPOINT_URL_STS", "http://127.0.0.1:9")]).is_none() {
        return;
    }
    let server = server().await;
    let spec =
        ConnectionSpec { endpoint_url: None, credentials: CredentialSource::Chain, ..server.spec(patient()) };
    let error = Gateway::connect(spec).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Config, "{error}");
    assert!(error.to_string().contains("STS to http://127.0.0.1:9, GameLift to AWS itself"), "{error}");
    // The connection's own endpoint applies to every service, whatever the environment says.
    assert!(connect(&server, None).await.prove().await.is_ok());
}

#[tokio::test]
async fn an_endpoint_of_all_services_is_taken_for_all_of_them() {
    let test = "an_endpoint_of_all_services_is_taken_for_all_of_them";
    let config = "[profile local]\naws_access_key_id = AKIDLOCAL\naws_secret_access_key = secret\n\
                  endpoint_url = http://127.0.0.1:9\n";
    if surrounded(test, config, &[]).is_none() {
        return;
    }
    let server = server().await;
    let spec = ConnectionSpec {
        endpoint_url: None,
        profile: Some("local".to_owned()),
        credentials: CredentialSource::Chain,
        ..server.spec(patient())
    };
    let error = Gateway::connect(spec).await.unwrap().prove().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unreachable, "{error}");
    assert!(error.to_string().contains("http://127.0.0.1:9"), "{error}");
}
