//! Repoints: compared before, watched afterwards.

use std::time::Duration;

use liftdeck_model::action::{Request, UpdateAlias};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::{AliasId, FleetId};
use liftdeck_operations::{CompareSeverity, Intent, OperationError};

use crate::bench::Bench;

fn repoint(alias: &AliasId, to: &FleetId) -> Request {
    Request::UpdateAlias(UpdateAlias {
        alias_id: alias.clone(),
        name: None,
        description: None,
        routing: Some(RoutingStrategy::Simple { fleet_id: to.clone() }),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_smaller_fleet_with_fewer_locations_is_compared_with_warnings() {
    let bench = Bench::frozen().await;
    let (from, to) = (bench.fleet("arena-prod-eu").await, bench.fleet("arena-spot-eu").await);
    let alias = bench.alias_to(&from.fleet_id).await;
    let compared = bench.guard.compare(&alias.alias_id, &to.fleet_id).await.unwrap();
    assert_eq!(compared.from_fleet_id, Some(from.fleet_id));
    let line = |label: &str| compared.lines.iter().find(|line| line.label == label).unwrap();
    let locations = line("Locations");
    assert_eq!(locations.severity, CompareSeverity::Warning);
    assert!(locations.note.as_ref().unwrap().contains("eu-north-1"), "{locations:?}");
    assert_eq!(line("Type").severity, CompareSeverity::Warning, "{:?}", line("Type"));
    assert_eq!(line("Status").severity, CompareSeverity::Same);
    assert!(
        compared.lines.iter().all(|line| line.to != "unknown" || line.label == "Server SDK"),
        "{compared:?}"
    );
    assert!(compared.warnings.iter().any(|warning| warning.text.starts_with("Locations")), "{compared:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fleet_of_another_region_is_bad_and_one_of_nowhere_is_unknown() {
    let bench = Bench::frozen().await;
    let from = bench.fleet("arena-prod-eu").await;
    let alias = bench.alias_to(&from.fleet_id).await;
    let elsewhere = bench.gateway.reader(&"us-east-1".into()).unwrap().fleets().await.items.remove(0);
    let compared = bench.guard.compare(&alias.alias_id, &elsewhere.fleet_id).await.unwrap();
    let region = compared.lines.iter().find(|line| line.label == "Region").unwrap();
    assert_eq!(region.severity, CompareSeverity::Bad, "{region:?}");
    let nowhere = bench.guard.compare(&alias.alias_id, &FleetId::from("fleet-none")).await;
    assert!(matches!(nowhere, Err(OperationError::Unknown { what: "fleet", .. })), "{nowhere:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_repoint_both_fleets_are_watched_and_the_way_back_stays_open() {
    let bench = Bench::frozen().await;
    let (from, to) = (bench.fleet("arena-prod-eu").await, bench.fleet("arena-spot-eu").await);
    let alias = bench.alias_to(&from.fleet_id).await;
    let (old, new) = (bench.live(&from.fleet_id).await, bench.live(&to.fleet_id).await);
    let done = bench.done(repoint(&alias.alias_id, &to.fleet_id)).await;
    let watch = bench.guard.repoint_watch(&done.id).await.unwrap();
    assert_eq!(
        (watch.from_fleet_id.as_ref(), watch.to_fleet_id.as_ref()),
        (Some(&from.fleet_id), Some(&to.fleet_id))
    );
    assert_eq!((watch.live_on_old, watch.live_on_target), (old.len() as u64, new.len() as u64));
    assert_eq!(watch.from_name.as_deref(), Some("arena-prod-eu"));
    assert_eq!(watch.stragglers_until.since_ms(watch.since), 120_000);
    assert!(watch.can_undo && !watch.settled);

    bench.advance(Duration::from_secs(600)).await;
    bench.live(&from.fleet_id).await;
    bench.live(&to.fleet_id).await;
    let later = bench.guard.repoint_watch(&done.id).await.unwrap();
    assert!(later.new_on_target > 0, "{later:?}");
    bench.confirmed(Intent::Undo(done.id.clone())).await.unwrap();
    let back = bench.gateway.reader(&bench.region).unwrap().alias(&alias.alias_id).await.unwrap().unwrap();
    assert_eq!(back.routing, alias.routing, "exactly the former routing");
    assert!(!bench.guard.repoint_watch(&done.id).await.unwrap().can_undo, "it is undone already");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_repoint_is_not_watched() {
    let bench = Bench::frozen().await;
    let from = bench.fleet("arena-prod-eu").await;
    let alias = bench.alias_to(&from.fleet_id).await;
    let Request::UpdateAlias(mut rename) = repoint(&alias.alias_id, &from.fleet_id) else { unreachable!() };
    (rename.routing, rename.name) = (None, Some("arena-live".to_owned()));
    let renamed = bench.done(Request::UpdateAlias(rename)).await;
    let watched = bench.guard.repoint_watch(&renamed.id).await;
    assert!(matches!(watched, Err(OperationError::Refused(_))), "{watched:?}");
}
