//! What happens to a change that gets no response or no permission, or whose grant has ended.

use std::collections::BTreeMap;

use liftdeck_gateway::{ErrorKind, OPERATOR_ACTIONS};
use liftdeck_simulator::{Credentials, FaultKind, FaultPlan, FaultRule};

use super::*;

#[tokio::test]
async fn silence_may_have_happened_a_throttle_is_waited_out_and_a_dead_grant_sends_nothing() {
    let bench = Bench::open().await;
    let alias = bench.reader.aliases().await.items.remove(0);
    let rename = Request::UpdateAlias(UpdateAlias {
        alias_id: alias.alias_id.clone(),
        name: Some("renamed".to_owned()),
        description: None,
        routing: None,
    });
    let rule = |kind, count| FaultRule {
        operation: "gamelift:*Alias".to_owned(),
        kind,
        count: Some(count),
        ..FaultRule::default()
    };
    let set = |rule| bench.world.simulator.set_faults(FaultPlan { rules: vec![rule] }).unwrap();

    set(rule(FaultKind::Throttle, 3));
    bench.made(rename.clone()).await;
    assert_eq!(bench.calls("gamelift:UpdateAlias"), 4);

    // The answer is lost after the change has happened.
    set(rule(FaultKind::Truncate, 1));
    let make = Request::CreateAlias(CreateAlias {
        name: "made in silence".to_owned(),
        description: None,
        routing: alias.routing,
    });
    let error = bench.operator.send(&make, None).await.unwrap_err();
    assert!(error.may_have_happened(), "{error}");
    assert_eq!(bench.calls("gamelift:CreateAlias"), 1, "it would be made twice");
    let made = bench.reader.aliases().await.items;
    assert_eq!(made.iter().filter(|alias| alias.name == "made in silence").count(), 1);

    let sent = bench.calls("gamelift:UpdateAlias");
    let grant = Grant::issue(HOUR, bench.world.gateway.prove().await.unwrap());
    let operator = bench.world.gateway.operator(&bench.world.region, &grant).await.unwrap();
    grant.revoke();
    assert_eq!(operator.send(&rename, None).await.unwrap_err().kind, ErrorKind::ReadOnly);
    assert_eq!(bench.calls("gamelift:UpdateAlias"), sent);
}

#[tokio::test]
async fn a_denied_change_names_the_permission_and_the_check_tries_no_change() {
    let all = OPERATOR_ACTIONS.map(str::to_owned).to_vec();
    let denied = BTreeMap::from([("AKIDREADER".to_owned(), all)]);
    let world = World::with(1.0, Credentials { denied, ..Credentials::default() }, "AKIDREADER").await;
    let bench = Bench::of(world).await;
    assert!(bench.world.gateway.check().await.iter().all(|check| check.detail.is_none()));
    for action in OPERATOR_ACTIONS {
        assert_eq!(bench.calls(action), 0, "{action}");
    }
    let stop = StopMatchmaking { ticket_id: "t-1".into() };
    let error = bench.refused(Request::StopMatchmaking(stop), "AccessDeniedException").await;
    assert_eq!(error.kind, ErrorKind::Denied);
    assert!(error.remedy().unwrap().contains("`gamelift:StopMatchmaking`"), "{error}");
}
