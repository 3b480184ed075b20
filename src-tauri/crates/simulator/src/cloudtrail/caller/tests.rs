//! Tests of how callers are named in records.

use super::*;
use crate::identity::Temporary;

fn person(principal: Principal, door: Door) -> Caller {
    Caller::Person { person: Person { principal, door }, access_key_id: "ASIAONE".to_owned() }
}

const ROLE: Principal = Principal::AssumedRole { role: "Ops", path: "/team/", session: "alice" };

#[test]
fn a_session_of_a_role_names_its_issuer_and_the_console() {
    let caller = person(ROLE, Door::Console);
    let identity = caller.identity("111122223333", 1_795_205_607_000);
    assert_eq!(identity["type"], "AssumedRole");
    assert_eq!(identity["arn"], "arn:aws:sts::111122223333:assumed-role/Ops/alice");
    let context = &identity["sessionContext"];
    assert_eq!(context["sessionIssuer"]["arn"], "arn:aws:iam::111122223333:role/team/Ops");
    assert_eq!(context["attributes"]["mfaAuthenticated"], "true");
    assert!(identity["principalId"].as_str().unwrap().ends_with(":alice"));
    assert_eq!((caller.username(), caller.is_console()), (Some("alice"), true));
    assert!(caller.address().starts_with("203.0.113."));
    assert!(caller.agent("UpdateAlias").unwrap().starts_with("Mozilla/"));
}

#[test]
fn a_service_is_named_in_place_of_address_and_agent() {
    let caller = person(ROLE, Door::Service("cloudformation.amazonaws.com"));
    assert_eq!(caller.identity("111122223333", 0)["invokedBy"], "cloudformation.amazonaws.com");
    assert_eq!(caller.address(), "cloudformation.amazonaws.com");
    assert_eq!(caller.agent("UpdateAlias").as_deref(), Some("cloudformation.amazonaws.com"));
    assert!(!caller.is_console());
}

#[test]
fn a_user_of_the_command_line_has_permanent_keys_and_no_session() {
    let caller = person(Principal::IamUser { name: "bob" }, Door::CommandLine);
    let identity = caller.identity("111122223333", 0);
    assert_eq!((&identity["type"], &identity["userName"]), (&"IAMUser".into(), &"bob".into()));
    assert_eq!(identity.get("sessionContext"), None);
    assert!(caller.agent("UpdateFleetCapacity").unwrap().ends_with("gamelift.update-fleet-capacity"));
}

#[test]
fn a_user_of_the_identity_center_has_an_id_and_no_name() {
    let user_id = "b4587438-3041-7031-3f8b-EXAMPLE11111";
    let caller = person(Principal::IdentityCenterUser { user_id }, Door::Sdk);
    let identity = caller.identity("111122223333", 0);
    assert_eq!(identity["onBehalfOf"]["userId"], user_id);
    assert_eq!((caller.username(), identity.get("userName")), (None, None));
}

#[test]
fn a_client_with_temporary_credentials_has_a_session_context() {
    let temporary = Some(Temporary { since_ms: 1_795_205_607_000, mfa: true });
    let client = |who| {
        let (access_key_id, account) = ("ASIAONE".to_owned(), "111122223333".to_owned());
        let signer = Signer { access_key_id, account, who, temporary };
        Caller::Client { signer, address: "127.0.0.1".to_owned(), agent: None }
    };
    let role = Who::Role { name: "Ops".to_owned(), path: "/team/".to_owned(), session: "ada".to_owned() };
    let caller = client(role);
    let identity = caller.identity("111122223333", 0);
    assert_eq!((&identity["type"], caller.username()), (&"AssumedRole".into(), Some("ada")));
    let context = &identity["sessionContext"];
    assert_eq!(context["sessionIssuer"]["arn"], "arn:aws:iam::111122223333:role/team/Ops");
    let attributes = json!({ "creationDate": "2026-11-20T20:13:27Z", "mfaAuthenticated": "true" });
    assert_eq!(context["attributes"], attributes);
    let user = client(Who::User { key: "AKIAONE".to_owned(), name: "ada".to_owned() });
    let identity = user.identity("111122223333", 0);
    assert_eq!((&identity["type"], &identity["userName"]), (&"IAMUser".into(), &"ada".into()));
    assert_eq!(identity["sessionContext"], json!({ "attributes": attributes }));
}
