//! What happens to a change that gets no answer, no permission or no time.

use std::collections::BTreeMap;

use liftdeck_gateway::{ErrorKind, OPERATOR_ACTIONS};
use liftdeck_simulator::{Credentials, FaultKind, FaultPlan, FaultRule};

use super::*;

#[tokio::test]
async fn silence_may_have_happened_a_throttle_is_waited_out_and_a_dead_grant_sends_nothing() {
    let desk = Desk::open().await;
    let alias = desk.reader.aliases().await.items.remove(0);
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
    let set = |rule| desk.world.simulator.set_faults(FaultPlan { rules: vec![rule] }).unwrap();

    set(rule(FaultKind::Throttle, 3));
    desk.made(rename.clone()).await;
    assert_eq!(desk.calls("gamelift:UpdateAlias"), 4);

    // The answer is lost after the change has happened.
    set(rule(FaultKind::Truncate, 1));
    let make = Request::CreateAlias(CreateAlias {
        name: "made in silence".to_owned(),
        description: None,
        routing: alias.routing,
    });
    let error = desk.operator.send(&make, None).await.unwrap_err();
    assert!(error.may_have_happened(), "{error}");
    assert_eq!(desk.calls("gamelift:CreateAlias"), 1, "it would be made twice");
    let made = desk.reader.aliases().await.items;
    assert_eq!(made.iter().filter(|alias| alias.name == "made in silence").count(), 1);

    let sent = desk.calls("gamelift:UpdateAlias");
    let grant = Grant::issue(HOUR, desk.world.gateway.prove().await.unwrap());
    let operator = desk.world.gateway.operator(&desk.world.region, &grant).await.unwrap();
    grant.revoke();
    assert_eq!(operator.send(&rename, None).await.unwrap_err().kind, ErrorKind::ReadOnly);
    assert_eq!(desk.calls("gamelift:UpdateAlias"), sent);
}

#[tokio::test]
async fn a_denied_change_names_the_permission_and_the_check_tries_no_change() {
    let all = OPERATOR_ACTIONS.map(str::to_owned).to_vec();
    let denied = BTreeMap::from([("AKIDREADER".to_owned(), all)]);
    let world = World::with(1.0, Credentials { denied, ..Credentials::default() }, "AKIDREADER").await;
    let desk = Desk::of(world).await;
    assert!(desk.world.gateway.check().await.iter().all(|check| check.detail.is_none()));
    for action in OPERATOR_ACTIONS {
        assert_eq!(desk.calls(action), 0, "{action}");
    }
    let stop = StopMatchmaking { ticket_id: "t-1".into() };
    let error = desk.refused(Request::StopMatchmaking(stop), "AccessDeniedException").await;
    assert_eq!(error.kind, ErrorKind::Denied);
    assert!(error.remedy().unwrap().contains("`gamelift:StopMatchmaking`"), "{error}");
}
