//! Tests of whom a role trusts, of MFA, and of how long sessions may last.

use std::collections::BTreeMap;

use super::*;
use crate::identity::{MfaDevice, Role, Scope};

const ACCOUNT: &str = "111122223333";
const SERIAL: &str = "arn:aws:iam::111122223333:mfa/ada";

struct Bench {
    credentials: Credentials,
    sessions: Sessions,
    now: Now,
}

impl Bench {
    fn new(role: Role) -> Bench {
        let device = MfaDevice { serial: SERIAL.to_owned(), code: "123456".to_owned() };
        let of_ada = |value: &str| BTreeMap::from([("AKIAADA".to_owned(), value.to_owned())]);
        let credentials = Credentials {
            roles: BTreeMap::from([("Operator".to_owned(), role), ("Next".to_owned(), Role::default())]),
            mfa: BTreeMap::from([("AKIAADA".to_owned(), device)]),
            users: of_ada("ada"),
            accounts: BTreeMap::from([("AKIAFOREIGN".to_owned(), "999988887777".to_owned())]),
            ..Credentials::default()
        };
        let now = Now { real_s: 1_795_205_607, pace: Instant::now(), virtual_ms: 0 };
        Bench { credentials, sessions: Sessions::new(1), now }
    }

    /// Asks with a long-term key or with the credentials in an answer.
    fn ask(&self, by: &str, operation: &'static str, fields: &str) -> Result<String, ServiceError> {
        let part = |name: &str| {
            let rest = by.split_once(&format!("<{name}>"))?.1;
            Some(rest.split_once('<')?.0.to_owned())
        };
        let access_key_id = part("AccessKeyId").unwrap_or_else(|| by.to_owned());
        let token = part("SessionToken");
        let scope = Scope { access_key_id, region: "eu-west-1".to_owned() };
        let sessions = (&self.sessions, self.now.pace);
        let signer =
            Signer::find(&scope, token.as_deref(), &self.credentials, sessions, Service::Sts, ACCOUNT)?;
        let request = Request {
            operation,
            body: fields.as_bytes(),
            request_id: "r-1",
            signer: &signer,
            credentials: &self.credentials,
            sessions: &self.sessions,
            account: ACCOUNT,
            now: self.now,
        };
        respond(&request).map(|xml| String::from_utf8(xml).unwrap())
    }

    fn assume(&self, by: &str, more: &str) -> Result<String, ServiceError> {
        let role = "arn:aws:iam::111122223333:role/Operator";
        self.ask(by, "AssumeRole", &format!("RoleArn={role}&RoleSessionName=shift{more}"))
    }
}

/// The code of a refusal; every refusal of a permission names caller, action and role.
fn refused(answer: Result<String, ServiceError>) -> String {
    answer.unwrap_err().code.into_owned()
}

#[test]
fn the_caller_is_named_by_its_user_or_its_session() {
    let bench = Bench::new(Role::default());
    let ada = bench.ask("AKIAADA", "GetCallerIdentity", "").unwrap();
    for member in [
        "<Arn>arn:aws:iam::111122223333:user/ada</Arn>",
        "<UserId>AIDAADA</UserId>",
        "<Account>111122223333</Account>",
    ] {
        assert!(ada.contains(member), "{ada}");
    }
    let session = bench.assume("AKIAADA", "").unwrap();
    assert!(session.contains("<Expiration>2026-11-20T21:13:27Z</Expiration>"), "{session}");
    let caller = bench.ask(&session, "GetCallerIdentity", "").unwrap();
    let arn = "<Arn>arn:aws:sts::111122223333:assumed-role/Operator/shift</Arn>";
    assert!(session.contains(arn) && caller.contains(arn), "{caller}");
}

#[test]
fn a_role_is_assumed_only_by_those_it_trusts() {
    let bench = Bench::new(Role::default());
    assert!(bench.assume("AKIAANY", "").is_ok(), "anybody of the account");
    assert_eq!(refused(bench.assume("AKIAFOREIGN", "")), "AccessDenied");
    for (trusted, fits) in [
        ("AKIAADA", true),
        ("ada", true),
        ("arn:aws:iam::111122223333:user/a*", true),
        ("AKIAFOREIGN", false),
    ] {
        let bench = Bench::new(Role { trusted: vec![trusted.to_owned()], ..Role::default() });
        assert_eq!(bench.assume("AKIAADA", "").is_ok(), fits, "{trusted}");
        assert_eq!(bench.assume("AKIAFOREIGN", "").is_ok(), !fits, "{trusted}");
    }
    let error = bench.assume("AKIAFOREIGN", "").unwrap_err();
    assert_eq!(
        error.message,
        "User: arn:aws:iam::999988887777:user/AKIAFOREIGN is not authorized to perform: sts:AssumeRole on \
         resource: arn:aws:iam::111122223333:role/Operator"
    );
}

#[test]
fn an_external_id_has_to_be_the_one_that_is_required() {
    let bench = Bench::new(Role { external_id: Some("liftdeck".to_owned()), ..Role::default() });
    assert_eq!(refused(bench.assume("AKIAADA", "")), "AccessDenied");
    assert_eq!(refused(bench.assume("AKIAADA", "&ExternalId=other")), "AccessDenied");
    assert!(bench.assume("AKIAADA", "&ExternalId=liftdeck").is_ok());
}

#[test]
fn mfa_is_given_with_the_request_or_by_the_session_before() {
    let bench = Bench::new(Role { mfa: true, ..Role::default() });
    let device = format!("&SerialNumber={SERIAL}&TokenCode=123456");
    let message = |answer: Result<String, ServiceError>| answer.unwrap_err().message;
    assert!(message(bench.assume("AKIAADA", "")).contains("is not authorized to perform: sts:AssumeRole"));
    let half = format!("&SerialNumber={SERIAL}");
    assert!(message(bench.assume("AKIAADA", &half)).contains("must provide both"));
    let wrong = device.replace("123456", "654321");
    assert!(message(bench.assume("AKIAADA", &wrong)).contains("invalid MFA one time pass code"));
    assert!(message(bench.assume("AKIABOB", &device)).contains("associated with this user"));
    let session = bench.assume("AKIAADA", &device).unwrap();
    assert!(message(bench.assume(&session, "")).contains("is not authorized"), "roles do not pass it on");
    let user = bench.ask("AKIAADA", "GetSessionToken", device.trim_start_matches('&')).unwrap();
    assert!(bench.assume(&user, "").is_ok());
    let plain = bench.ask("AKIAADA", "GetSessionToken", "").unwrap();
    assert_eq!(refused(bench.assume(&plain, "")), "AccessDenied");
}

#[test]
fn a_session_lasts_no_longer_than_its_role_allows() {
    let bench = Bench::new(Role { max_session_s: 7_200, ..Role::default() });
    assert!(bench.assume("AKIAADA", "&DurationSeconds=7200").is_ok());
    let long = bench.assume("AKIAADA", "&DurationSeconds=7201").unwrap_err();
    assert_eq!(long.code, "ValidationError");
    assert!(long.message.contains("MaxSessionDuration"));
    let session = bench.assume("AKIAADA", "").unwrap();
    let chained = bench.assume(&session, "&DurationSeconds=7200").unwrap_err();
    assert!(chained.message.contains("role chaining"), "{}", chained.message);
}

#[test]
fn bad_parameters_are_told_in_the_words_of_the_service() {
    let bench = Bench::new(Role::default());
    for more in ["&DurationSeconds=60", "&DurationSeconds=43201", "&TokenCode=12345", "&ExternalId=a b"] {
        assert_eq!(refused(bench.assume("AKIAADA", more)), "ValidationError", "{more}");
    }
    for fields in
        ["RoleSessionName=ada", "RoleArn=arn:aws:iam::111122223333:role/Operator&RoleSessionName=a b"]
    {
        assert_eq!(refused(bench.ask("AKIAADA", "AssumeRole", fields)), "ValidationError", "{fields}");
    }
    let short = bench.ask("AKIAADA", "GetSessionToken", "DurationSeconds=899").unwrap_err();
    assert!(short.message.contains("Value '899' at 'durationSeconds' failed to satisfy constraint"));
}

#[test]
fn a_session_gets_no_session_token() {
    let bench = Bench::new(Role::default());
    let of_user = bench.ask("AKIAADA", "GetSessionToken", "").unwrap();
    let of_role = bench.assume("AKIAADA", "").unwrap();
    for session in [of_user, of_role] {
        let error = bench.ask(&session, "GetSessionToken", "").unwrap_err();
        assert_eq!(error.message, "Cannot call GetSessionToken with session credentials");
    }
}
