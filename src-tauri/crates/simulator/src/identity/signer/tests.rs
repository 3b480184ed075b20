//! Tests of who is recognised, how they are named, and what is refused to them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::super::sessions::Issued;
use super::super::{NewSession, Role};
use super::*;

const WORLD: &str = "111122223333";

fn scope(key: &str) -> Scope {
    Scope { access_key_id: key.to_owned(), region: "eu-west-1".to_owned() }
}

fn known(key: &str, credentials: &Credentials, service: Service) -> Result<Signer, ServiceError> {
    Signer::find(&scope(key), None, credentials, (&Sessions::new(1), Instant::now()), service, WORLD)
}

/// A session of a role that may be assumed and may not update anything.
struct Bench {
    credentials: Credentials,
    sessions: Sessions,
    began: Instant,
    issued: Issued,
}

impl Bench {
    fn new() -> Bench {
        let role =
            Role { path: "/ops/".to_owned(), denied: vec!["gamelift:Update*".to_owned()], ..Role::default() };
        let credentials =
            Credentials { roles: [("Operator".to_owned(), role)].into(), ..Credentials::default() };
        let (sessions, began) = (Sessions::new(1), Instant::now());
        let holder = Holder::Role { name: "Operator".to_owned(), session: "ada".to_owned() };
        let given = NewSession { holder, lasts: Duration::from_secs(900), since_ms: 5, mfa: true };
        let issued = sessions.issue(given, began);
        Bench { credentials, sessions, began, issued }
    }

    fn find(&self, token: Option<&str>, after: Duration) -> Result<Signer, ServiceError> {
        let (scope, now) = (scope(&self.issued.access_key_id), self.began + after);
        Signer::find(&scope, token, &self.credentials, (&self.sessions, now), Service::GameLift, WORLD)
    }
}

#[test]
fn a_session_is_named_by_its_role_and_its_session_name() {
    let bench = Bench::new();
    let signer = bench.find(Some(&bench.issued.token), Duration::ZERO).unwrap();
    assert_eq!(signer.arn(), "arn:aws:sts::111122223333:assumed-role/Operator/ada");
    assert!(signer.id().starts_with("AROA") && signer.id().ends_with(":ada"));
    assert_eq!((signer.name(), signer.temporary), ("ada", Some(Temporary { since_ms: 5, mfa: true })));
    let allowed = |action| signer.authorize(&bench.credentials, Service::GameLift, action, "*");
    assert!(allowed("gamelift:ListFleets").is_ok());
    assert!(
        allowed("gamelift:UpdateAlias").unwrap_err().message.contains("assumed-role/Operator/ada is not")
    );
}

#[test]
fn a_session_needs_its_token_its_role_and_its_time() {
    let mut bench = Bench::new();
    let token = bench.issued.token.clone();
    let code = |bench: &Bench, token, after| bench.find(token, after).map_err(|error| error.code);
    for wrong in [None, Some("another")] {
        assert_eq!(code(&bench, wrong, Duration::ZERO), Err("UnrecognizedClientException".into()));
    }
    let just = Duration::from_millis(899_999);
    assert!(code(&bench, Some(&token), just).is_ok());
    let over = Duration::from_secs(900);
    assert_eq!(code(&bench, Some(&token), over), Err("ExpiredTokenException".into()));
    bench.credentials.roles.clear();
    assert_eq!(code(&bench, Some(&token), just), Err("UnrecognizedClientException".into()));
}

#[test]
fn temporary_keys_that_were_never_given_out_are_unknown() {
    let error = known("ASIAELSEWHERE", &Credentials::default(), Service::Iam).unwrap_err();
    assert_eq!((error.code.as_ref(), error.status), ("InvalidClientTokenId", 403));
}

#[test]
fn a_denied_action_names_the_user_and_the_action() {
    let denied =
        [("AKIAONE".to_owned(), vec!["gamelift:DescribeFleet*".to_owned(), "!gamelift:Delete*".to_owned()])];
    let credentials = Credentials { denied: denied.into(), ..Credentials::default() };
    let signer = known("AKIAONE", &credentials, Service::GameLift).unwrap();
    let ask = |action| signer.authorize(&credentials, Service::GameLift, action, "*");
    let error = ask("gamelift:DescribeFleetAttributes").unwrap_err();
    assert_eq!((error.code.as_ref(), error.status), ("AccessDeniedException", 403));
    assert_eq!(
        error.message,
        "User: arn:aws:iam::111122223333:user/AKIAONE is not authorized to perform: \
         gamelift:DescribeFleetAttributes on resource: * because no identity-based policy allows the \
         gamelift:DescribeFleetAttributes action"
    );
    let error = ask("gamelift:DeleteFleet").unwrap_err();
    assert!(error.message.ends_with("on resource: * with an explicit deny in an identity-based policy"));
    assert!(ask("gamelift:ListFleets").is_ok());
}

#[test]
fn each_service_has_its_own_word_for_bad_credentials() {
    let key = BTreeSet::from(["AKIAONE".to_owned()]);
    let expired = Credentials { expired: key.clone(), ..Credentials::default() };
    let unknown = Credentials { unknown: key, ..Credentials::default() };
    let code = |credentials, service| known("AKIAONE", credentials, service).unwrap_err().code;
    assert_eq!(code(&expired, Service::GameLift), "ExpiredTokenException");
    assert_eq!(code(&expired, Service::Sts), "ExpiredToken");
    assert_eq!(code(&unknown, Service::Sqs), "UnrecognizedClientException");
    assert_eq!(code(&unknown, Service::Sts), "InvalidClientTokenId");
}

#[test]
fn a_key_of_another_account_or_user_is_named_with_it() {
    let of = |value: &str| BTreeMap::from([("AKIAONE".to_owned(), value.to_owned())]);
    let credentials =
        Credentials { accounts: of("999988887777"), users: of("ada"), ..Credentials::default() };
    let arn = |credentials| known("AKIAONE", credentials, Service::Sts).unwrap().arn();
    assert_eq!(arn(&credentials), "arn:aws:iam::999988887777:user/ada");
    assert_eq!(arn(&Credentials::default()), "arn:aws:iam::111122223333:user/AKIAONE");
}
