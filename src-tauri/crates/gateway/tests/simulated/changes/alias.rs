//! Changes to aliases.

use liftdeck_model::alias::RoutingStrategy;

use super::*;

#[tokio::test]
async fn an_alias_is_made_followed_repointed_and_deleted() {
    let bench = Bench::open().await;
    let fleet = bench.fleet().await.fleet_id;
    let make = CreateAlias {
        name: "by hand".to_owned(),
        description: Some("for a test".to_owned()),
        routing: RoutingStrategy::Simple { fleet_id: fleet.clone() },
    };
    let Made::Alias(alias) = bench.made(Request::CreateAlias(make.clone())).await else { panic!("an alias") };
    let id = alias.alias_id.clone();
    assert_eq!(bench.reader.alias(&id).await.unwrap(), Some(*alias));
    let made = session(bench.made(create(GameSessionTarget::Alias(id.clone()), "token-2")).await);
    assert_eq!(made.fleet_id, fleet);

    let closed = RoutingStrategy::Terminal { message: "Back at nine".to_owned() };
    let close =
        UpdateAlias { alias_id: id.clone(), name: None, description: None, routing: Some(closed.clone()) };
    let Made::Alias(alias) = bench.made(Request::UpdateAlias(close)).await else { panic!("an alias") };
    assert_eq!((alias.routing, alias.name.as_str()), (closed, "by hand"));
    bench.pass(180).await;
    let refused = bench
        .refused(create(GameSessionTarget::Alias(id.clone()), "token-3"), "TerminalRoutingStrategyException")
        .await;
    assert!(refused.to_string().contains("Back at nine"), "{refused}");

    let nowhere = RoutingStrategy::Simple { fleet_id: NO_FLEET.into() };
    let error =
        bench.operator.send(&Request::CreateAlias(CreateAlias { routing: nowhere, ..make }), None).await;
    assert!(error.unwrap_err().request_id.is_some());
    let delete = || Request::DeleteAlias(DeleteAlias { alias_id: id.clone() });
    assert_eq!(bench.made(delete()).await, Made::Nothing);
    assert_eq!(bench.reader.alias(&id).await, Ok(None));
    bench.refused(delete(), "NotFoundException").await;
}
