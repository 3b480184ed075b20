//! Reading records of every documented shape, and telling which change a call left.

use serde_json::{Value, json};

use super::*;

/// A record with these outer members replaced.
fn record(members: &Value) -> String {
    let mut record = json!({
        "eventVersion": "1.11",
        "userIdentity": { "type": "IAMUser", "userName": "bob", "accessKeyId": "AKIAIOSFODNN7EXAMPLE" },
        "eventTime": "2026-11-20T20:05:27Z",
        "eventSource": "gamelift.amazonaws.com",
        "eventName": "UpdateAlias",
        "awsRegion": "eu-west-1",
        "sourceIPAddress": "203.0.113.7",
        "userAgent": "aws-cli/2.31.38 md/awscrt#0.28.4",
        "requestParameters": {
            "aliasId": "alias-1", "routingStrategy": { "type": "SIMPLE", "fleetId": "fleet-2" },
        },
        "responseElements": { "alias": { "aliasId": "alias-1" } },
        "requestID": "r-1",
        "eventID": "e-1",
        "readOnly": false,
        "recipientAccountId": "111122223333",
    });
    for (name, value) in members.as_object().unwrap() {
        record[name] = value.clone();
    }
    record.to_string()
}

fn call(members: &Value) -> TrailCall {
    TrailCall::read(&record(members)).unwrap()
}

fn who(identity: &Value) -> Principal {
    call(&json!({ "userIdentity": identity })).caller.principal
}

#[test]
fn every_kind_of_identity_is_named() {
    assert_eq!(who(&json!({ "type": "IAMUser", "userName": "bob" })), Principal::User { name: "bob".into() });
    let sso = json!({
        "type": "AssumedRole", "principalId": "AROA1:alice",
        "arn": "arn:aws:sts::111122223333:assumed-role/AWSReservedSSO_GameOps_4f1d/alice",
        "sessionContext": { "sessionIssuer": {
            "type": "Role", "userName": "AWSReservedSSO_GameOps_4f1d",
            "arn": "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_GameOps_4f1d",
        } },
    });
    assert_eq!(who(&sso).label(), "alice", "a session of IAM Identity Center is named after the person");
    let role = json!({
        "type": "AssumedRole",
        "arn": "arn:aws:sts::111122223333:assumed-role/ci-deploy/release-pipeline",
        "sessionContext": { "sessionIssuer": { "userName": "ci-deploy", "arn": "arn:aws:iam::1:role/ci-deploy" } },
    });
    let named = who(&role);
    assert_eq!(named.label(), "ci-deploy");
    let Principal::Role { session, issuer, .. } = named else { panic!("a role") };
    assert_eq!(session.as_deref(), Some("release-pipeline"));
    assert_eq!(issuer.as_deref(), Some("arn:aws:iam::1:role/ci-deploy"));
    let center = json!({ "type": "IdentityCenterUser", "onBehalfOf": { "userId": "u-1" } });
    assert_eq!(who(&center), Principal::IdentityCenter { user_id: "u-1".into() });
    assert_eq!(who(&json!({ "type": "Root" })).label(), "root");
    let service = json!({ "type": "AWSService", "invokedBy": "autoscaling.amazonaws.com" });
    assert_eq!(who(&service).label(), "autoscaling.amazonaws.com");
    assert_eq!(who(&json!({ "type": "FederatedUser", "arn": "arn:x" })).label(), "arn:x");
    assert_eq!(who(&json!({})).label(), "unknown");
}

#[test]
fn the_way_a_call_came_is_told_from_marks_and_only_then_from_the_agent() {
    let via = |members: &Value| call(members).caller.via;
    assert_eq!(via(&json!({})), Via::CommandLine);
    assert_eq!(via(&json!({ "sessionCredentialFromConsole": "true" })), Via::Console);
    let stack = json!({ "userIdentity": { "type": "IAMUser", "userName": "a", "invokedBy": "cloudformation.amazonaws.com" } });
    assert_eq!(via(&stack), Via::Service("cloudformation.amazonaws.com".into()));
    assert_eq!(
        via(&json!({ "userAgent": "aws-sdk-go-v2/1.39.6 ua/2.1" })),
        Via::Program("aws-sdk-go-v2/1.39.6".into())
    );
    assert_eq!(via(&json!({ "userAgent": null })), Via::Unknown);
}

#[test]
fn the_key_is_told_by_its_end_alone() {
    assert_eq!(call(&json!({})).caller.access_key_end.as_deref(), Some("MPLE"));
}

#[test]
fn a_refused_call_and_a_read_changed_nothing() {
    assert!(call(&json!({})).took_effect());
    assert!(!call(&json!({ "errorCode": "ConflictException" })).took_effect());
    assert!(!call(&json!({ "readOnly": "true" })).took_effect());
}

#[test]
fn a_damaged_record_says_what_it_lacks_and_is_kept_when_listed() {
    assert!(matches!(TrailCall::read("{"), Err(TrailMisfit::NotAnObject(_))));
    assert!(matches!(TrailCall::read("[]"), Err(TrailMisfit::NotAnObject(_))));
    for member in ["eventID", "eventName", "eventTime", "awsRegion"] {
        let error = TrailCall::read(&record(&json!({ (member): 5 }))).unwrap_err();
        assert_eq!(error.to_string(), format!("the record has no valid `{member}`"));
    }
    assert_eq!(
        TrailCall::read(&record(&json!({ "eventTime": "15m" }))),
        Err(TrailMisfit::Lacks("eventTime"))
    );
    let long = " ".repeat(LARGEST_RECORD_BYTES + 1);
    assert_eq!(TrailCall::read(&long), Err(TrailMisfit::TooLong(LARGEST_RECORD_BYTES + 1)));
    let deep = "[".repeat(10_000);
    assert!(TrailCall::read(&deep).is_err());
    let kept = TrailRecord::listed("e-9".into(), "UpdateAlias".into(), Timestamp::default(), "{".into());
    assert_eq!((kept.call, kept.raw.as_str()), (None, "{"));
    let other =
        TrailRecord::listed("e-9".into(), "UpdateAlias".into(), Timestamp::default(), record(&json!({})));
    assert_eq!(other.call, None, "a text that is about another event");
}

fn footprint<'a>(kind: &'a str, resource: &'a str, field: &'a str, after: Option<&'a str>) -> Footprint<'a> {
    Footprint { kind, resource, fleet_id: Some("fleet-1"), location: None, home: "eu-west-1", field, after }
}

fn routed(fleet: &str) -> String {
    serde_json::to_string(&crate::alias::RoutingStrategy::Simple { fleet_id: fleet.into() }).unwrap()
}

#[test]
fn an_alias_was_moved_by_the_call_that_names_it_and_its_new_fleet() {
    let (there, elsewhere) = (routed("fleet-2"), routed("fleet-3"));
    let moved = |id: &str, after: &str, members: &Value| {
        footprint("alias", id, "routing", Some(after)).is_left_by(&call(members))
    };
    assert!(moved("alias-1", &there, &json!({})));
    assert!(!moved("alias-2", &there, &json!({})), "another alias");
    assert!(!moved("alias-1", &elsewhere, &json!({})), "another fleet");
    assert!(!moved("alias-1", &there, &json!({ "errorCode": "AccessDenied" })), "a refused call");
    assert!(!moved("alias-1", &there, &json!({ "awsRegion": "us-east-1" })), "another Region");
    assert!(!moved("alias-1", &there, &json!({ "eventName": "CreateAlias" })), "another call");
    assert!(!moved("alias-1", &there, &json!({ "requestParameters": null })), "parameters left out");
    let arns = json!({ "requestParameters": {
        "aliasId": "arn:aws:gamelift:eu-west-1::alias/alias-1",
        "routingStrategy": { "fleetId": "arn:aws:gamelift:eu-west-1:1:fleet/fleet-2" },
    } });
    assert!(moved("alias-1", &there, &arns), "named by ARN");
}

#[test]
fn a_capacity_was_set_by_the_call_with_its_location_and_its_number() {
    let call = |parameters: Value| {
        call(&json!({ "eventName": "UpdateFleetCapacity", "requestParameters": parameters }))
    };
    let lowered = call(json!({ "fleetId": "fleet-1", "maxSize": 9, "location": "sa-east-1" }));
    let at = |location, field, after| {
        let footprint = footprint("fleet_capacity", "fleet-1", field, Some(after));
        Footprint { location: Some(location), ..footprint }
    };
    assert!(at("sa-east-1", "maximum", "9").is_left_by(&lowered));
    assert!(!at("eu-west-1", "maximum", "9").is_left_by(&lowered), "another location");
    assert!(!at("sa-east-1", "maximum", "10").is_left_by(&lowered), "another number");
    assert!(!at("sa-east-1", "desired", "9").is_left_by(&lowered), "it set no desired instances");
    let home = call(json!({ "fleetId": "fleet-1", "maxSize": 9 }));
    assert!(at("eu-west-1", "maximum", "9").is_left_by(&home), "without a location it is the home Region");
}

#[test]
fn suspending_and_resuming_are_told_apart() {
    let stop = call(&json!({ "eventName": "StopFleetActions",
        "requestParameters": { "fleetId": "fleet-1", "actions": ["AUTO_SCALING"], "location": "eu-north-1" } }));
    assert!(footprint("fleet_location", "eu-north-1", "scaling_suspended", Some("true")).is_left_by(&stop));
    assert!(!footprint("fleet_location", "eu-north-1", "scaling_suspended", Some("false")).is_left_by(&stop));
    assert!(!footprint("fleet", "fleet-1", "stopped_actions", Some(r#"["AUTO_SCALING"]"#)).is_left_by(&stop));
}

#[test]
fn every_call_that_a_field_may_have_is_asked_for_and_kept() {
    let fields = ["added", "gone", "name", "routing", "desired", "stopped_actions", "container.x", "rules"];
    for kind in [
        "alias",
        "fleet",
        "fleet_location",
        "fleet_capacity",
        "scaling_policy",
        "runtime_configuration",
        "port_settings",
        "fleet_deployment",
        "queue",
        "matchmaking_configuration",
        "matchmaking_rule_set",
        "build",
        "script",
    ] {
        for field in fields {
            for name in causing_calls(kind, field) {
                assert!(CAUSING_CALLS.contains(name), "{name}");
            }
        }
    }
    assert!(causing_calls("fleet", "status").is_empty(), "AWS changes a status by itself");
}
