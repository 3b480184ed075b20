//! Tests of which principals are known, of the decisions, and of pages.

use std::collections::BTreeMap;

use super::*;
use crate::identity::{Holder, NewSession, Role, Scope, Sessions};

const ACCOUNT: &str = "111122223333";

fn credentials() -> Credentials {
    let refused = vec!["gamelift:Update*".to_owned(), "!gamelift:Delete*".to_owned()];
    let role = Role {
        path: "/ops/".to_owned(),
        trusted: vec!["AKIAADA".to_owned(), "arn:aws:iam::999988887777:root".to_owned()],
        external_id: Some("a b".to_owned()),
        mfa: true,
        denied: refused.clone(),
        ..Role::default()
    };
    let blind = vec!["iam:*".to_owned()];
    Credentials {
        roles: BTreeMap::from([("Operator".to_owned(), role)]),
        users: BTreeMap::from([("AKIAADA".to_owned(), "ada".to_owned())]),
        denied: BTreeMap::from([("AKIAADA".to_owned(), refused), ("AKIABLIND".to_owned(), blind)]),
        ..Credentials::default()
    }
}

fn signer(key: &str, token: Option<&str>, sessions: &Sessions) -> Signer {
    let scope = Scope { access_key_id: key.to_owned(), region: "us-east-1".to_owned() };
    let now = std::time::Instant::now();
    Signer::find(&scope, token, &credentials(), (sessions, now), Service::Iam, ACCOUNT).unwrap()
}

fn ask_by(signer: &Signer, operation: &'static str, fields: &str) -> Result<String, ServiceError> {
    let (credentials, tokens) = (credentials(), Tokens::new(1));
    let (body, account) = (fields.as_bytes(), ACCOUNT);
    let request = Request {
        operation,
        body,
        request_id: "r-1",
        signer,
        credentials: &credentials,
        account,
        tokens: &tokens,
    };
    respond(&request).map(|xml| String::from_utf8(xml).unwrap())
}

fn simulate(key: &str, source: &str, more: &str) -> Result<String, ServiceError> {
    let fields = format!("PolicySourceArn={source}&ActionNames.member.1=gamelift:UpdateAlias{more}");
    ask_by(&signer(key, None, &Sessions::new(1)), "SimulatePrincipalPolicy", &fields)
}

const ADA: &str = "arn:aws:iam::111122223333:user/ada";

#[test]
fn each_action_is_decided_about_once_with_its_resources() {
    let more = "&ActionNames.member.2=gamelift:DeleteAlias&ActionNames.member.3=gamelift:ListAliases";
    let xml = simulate("AKIAADA", ADA, more).unwrap();
    let decisions: Vec<&str> =
        xml.split("<EvalDecision>").skip(1).filter_map(|rest| Some(rest.split_once('<')?.0)).collect();
    assert_eq!(decisions, ["implicitDeny", "explicitDeny", "allowed"]);
    assert!(xml.contains("<EvalResourceName>*</EvalResourceName>"), "{xml}");
    let two = "&ResourceArns.member.1=arn:aws:gamelift:a&ResourceArns.member.2=arn:aws:gamelift:b";
    let xml = simulate("AKIAADA", ADA, two).unwrap();
    assert_eq!(xml.matches("<EvalResourceDecision>implicitDeny</EvalResourceDecision>").count(), 2, "{xml}");
    assert_eq!(xml.matches("<EvalDecision>").count(), 1, "{xml}");
}

#[test]
fn only_known_users_and_roles_have_decisions() {
    let code = |source: &str| simulate("AKIAADA", source, "").map_err(|error| error.code.into_owned());
    for known in
        [ADA, "arn:aws:iam::111122223333:role/ops/Operator", "arn:aws:iam::111122223333:user/AKIABLIND"]
    {
        assert!(code(known).is_ok(), "{known}");
    }
    for unknown in [
        "arn:aws:iam::111122223333:user/nobody",
        "arn:aws:iam::111122223333:user/AKIAADA",
        "arn:aws:iam::111122223333:role/Operator",
        "arn:aws:iam::999988887777:user/ada",
    ] {
        assert_eq!(code(unknown), Err("NoSuchEntity".to_owned()), "{unknown}");
    }
    for unclear in ["arn:aws:sts::111122223333:assumed-role/Operator/ada", "arn:aws:iam::111122223333:root"] {
        assert_eq!(code(unclear), Err("InvalidInput".to_owned()), "{unclear}");
    }
    let itself = "arn:aws:iam::111122223333:user/AKIANEW";
    assert!(simulate("AKIANEW", itself, "").is_ok(), "the caller is known");
}

#[test]
fn a_page_ends_where_it_was_asked_to_and_goes_on_behind() {
    let two = "&ActionNames.member.2=gamelift:ListAliases&MaxItems=1";
    let first = simulate("AKIAADA", ADA, two).unwrap();
    assert!(first.contains("<IsTruncated>true</IsTruncated>"), "{first}");
    let marker = first.split_once("<Marker>").unwrap().1.split_once('<').unwrap().0;
    let second = simulate("AKIAADA", ADA, &format!("{two}&Marker={marker}")).unwrap();
    assert!(second.contains("gamelift:ListAliases") && !second.contains("UpdateAlias"), "{second}");
    assert!(second.contains("<IsTruncated>false</IsTruncated>"), "{second}");
    let forged = simulate("AKIAADA", ADA, &format!("{two}&Marker=forged")).unwrap_err();
    assert_eq!(forged.code, "InvalidInput");
}

#[test]
fn who_may_not_ask_is_refused() {
    let error = simulate("AKIABLIND", ADA, "").unwrap_err();
    assert_eq!((error.code.as_ref(), error.status), ("AccessDenied", 403));
    assert!(error.message.contains(&format!("iam:SimulatePrincipalPolicy on resource: {ADA} because")));
    let (sessions, holder) = (Sessions::new(1), Holder::Key("AKIAADA".to_owned()));
    let lasts = std::time::Duration::from_secs(900);
    let given = |mfa| NewSession { holder: holder.clone(), lasts, since_ms: 0, mfa };
    for mfa in [false, true] {
        let issued = sessions.issue(given(mfa), std::time::Instant::now());
        let signer = signer(&issued.access_key_id, Some(&issued.token), &sessions);
        assert_eq!(ask_by(&signer, "GetRole", "RoleName=Operator").is_ok(), mfa, "only with MFA");
    }
}

#[test]
fn a_role_shows_its_path_and_whom_it_trusts() {
    let ada = signer("AKIAADA", None, &Sessions::new(1));
    let xml = ask_by(&ada, "GetRole", "RoleName=Operator").unwrap();
    for part in [
        "<Arn>arn:aws:iam::111122223333:role/ops/Operator</Arn>",
        "<MaxSessionDuration>3600</MaxSessionDuration>",
        "%22arn%3Aaws%3Aiam%3A%3A111122223333%3Auser%2Fada%22",
        "%22sts%3AExternalId%22%3A%22a%20b%22",
        "%22aws%3AMultiFactorAuthPresent%22%3A%22true%22",
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }
    assert_eq!(ask_by(&ada, "GetRole", "RoleName=Nobody").unwrap_err().code, "NoSuchEntity");
}
