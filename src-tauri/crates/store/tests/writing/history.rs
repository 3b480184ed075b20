//! Which changes become recorded history, because AWS keeps none.

use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::observation::{Listing, Observation};

use crate::fixture::{FLEET, NOW, Place, apply, capacity, fleet, policy, region};

async fn changes(place: &Place) -> Vec<(String, String, Option<String>, Option<String>)> {
    sqlx::query_as("SELECT kind, field, before, after FROM change ORDER BY change_key")
        .fetch_all(&mut place.look().await)
        .await
        .unwrap()
}

fn line(
    kind: &str,
    field: &str,
    before: Option<&str>,
    after: Option<&str>,
) -> (String, String, Option<String>, Option<String>) {
    (kind.to_owned(), field.to_owned(), before.map(str::to_owned), after.map(str::to_owned))
}

#[tokio::test]
async fn the_first_sight_of_a_resource_is_no_change_and_a_later_difference_is() {
    let place = Place::new();
    let store = place.open().await;
    let seen = |target| {
        vec![
            Observation::Fleets(Listing::complete(vec![fleet()])),
            Observation::ScalingPolicies(FLEET.into(), Listing::complete(vec![policy(target)])),
        ]
    };
    apply(&store, NOW, seen(15.0)).await;
    assert!(changes(&place).await.is_empty());
    assert!(apply(&store, NOW, seen(15.0)).await.written.is_empty());
    apply(&store, NOW, seen(25.0)).await;
    assert_eq!(changes(&place).await, [line("scaling_policy", "target_value", Some("15.0"), Some("25.0"))]);
    assert_eq!(store.reader().fleets(&region()).await.unwrap(), [fleet()]);
    store.close().await;
}

#[tokio::test]
async fn a_policy_removed_is_gone_only_for_a_complete_listing_and_one_added_later_is_an_addition() {
    let place = Place::new();
    let store = place.open().await;
    let seen = |listing| vec![Observation::ScalingPolicies(FLEET.into(), listing)];
    apply(&store, NOW, seen(Listing::complete(vec![policy(15.0)]))).await;
    let broken = apply(&store, NOW, seen(Listing::partial(Vec::new()))).await;
    assert!(broken.written.is_empty(), "{broken:?}");
    apply(&store, NOW, seen(Listing::complete(Vec::new()))).await;
    apply(&store, NOW, seen(Listing::complete(vec![policy(15.0)]))).await;
    let mut second = policy(30.0);
    second.name = "second".to_owned();
    apply(&store, NOW, seen(Listing::complete(vec![policy(15.0), second]))).await;
    assert_eq!(
        changes(&place).await,
        [
            line("scaling_policy", "gone", Some("ACTIVE"), None),
            line("scaling_policy", "added", None, None),
            line("scaling_policy", "added", None, None),
        ]
    );
    store.close().await;
}

#[tokio::test]
async fn a_partial_listing_of_fleets_marks_none_as_gone() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(vec![fleet()]))]).await;
    apply(&store, NOW, vec![Observation::Fleets(Listing::partial(Vec::new()))]).await;
    assert_eq!(store.reader().fleets(&region()).await.unwrap().len(), 1);
    apply(&store, NOW, vec![Observation::Fleets(Listing::complete(Vec::new()))]).await;
    assert_eq!(store.reader().fleets(&region()).await.unwrap().len(), 0);
    store.close().await;
}

#[tokio::test]
async fn an_alias_repoint_keeps_the_former_target() {
    let place = Place::new();
    let store = place.open().await;
    let alias = |fleet: &str| Alias {
        alias_id: "alias-1".into(),
        alias_arn: None,
        region: region(),
        name: "live".to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: fleet.into() },
        creation_time: None,
        last_updated_time: None,
    };
    for fleet in ["fleet-a", "fleet-a", "fleet-b"] {
        apply(&store, NOW, vec![Observation::Aliases(Listing::complete(vec![alias(fleet)]))]).await;
    }
    let (before, after) = (r#"{"simple":{"fleet_id":"fleet-a"}}"#, r#"{"simple":{"fleet_id":"fleet-b"}}"#);
    assert_eq!(changes(&place).await, [line("alias", "routing", Some(before), Some(after))]);
    store.close().await;
}

#[tokio::test]
async fn an_alias_that_only_says_when_it_was_updated_leaves_a_trace() {
    let alias = |id: &str, created: i64, updated: i64| Alias {
        alias_id: id.into(),
        alias_arn: None,
        region: region(),
        name: "live".to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: "fleet-a".into() },
        creation_time: Some(NOW.plus_ms(created)),
        last_updated_time: Some(NOW.plus_ms(updated)),
    };
    let place = Place::new();
    let store = place.open().await;
    let seen = |aliases| vec![Observation::Aliases(Listing::complete(aliases))];
    let (hour, day) = (3_600_000, 86_400_000);
    let (new, old) = (alias("new", -hour, -hour), alias("old", -9 * day, -2 * day));
    let lately = alias("lately", -9 * day, -hour);
    apply(&store, NOW, seen(vec![new.clone(), old.clone(), lately.clone()])).await;
    let trace = |ms: i64| NOW.plus_ms(ms).as_ms().to_string();
    let (first, second) = (trace(-hour), trace(60_000));
    let told = line("alias", "last_updated_time", None, Some(&first));
    assert_eq!(
        changes(&place).await,
        std::slice::from_ref(&told),
        "only what was changed lately, and is not new"
    );
    // Changed and changed back between two looks.
    let again = alias("lately", -9 * day, 60_000);
    apply(&store, NOW.plus_ms(120_000), seen(vec![new, old, again])).await;
    let back = line("alias", "last_updated_time", Some(&first), Some(&second));
    assert_eq!(changes(&place).await, [told, back]);
    let concerned = "SELECT count(*) FROM change JOIN fleet USING (fleet_key) WHERE fleet_id = 'fleet-a'";
    assert_eq!(place.number(concerned).await, 2, "the fleet it leads to, though that was not read yet");
    store.close().await;
}

#[tokio::test]
async fn a_desired_count_that_moves_is_history_and_an_active_count_is_a_metric() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::FleetCapacity(capacity(4, 4))]).await;
    apply(&store, NOW.plus_ms(15_000), vec![Observation::FleetCapacity(capacity(6, 4))]).await;
    apply(&store, NOW.plus_ms(30_000), vec![Observation::FleetCapacity(capacity(6, 5))]).await;
    assert_eq!(changes(&place).await, [line("fleet_capacity", "desired", Some("4"), Some("6"))]);
    let active = "SELECT count(*) FROM metric_hot JOIN metric_series USING (series_key) WHERE name = 'ActiveInstances'";
    assert_eq!(place.number(active).await, 2);
    store.close().await;
    let store = place.open().await;
    let again = apply(&store, NOW.plus_ms(45_000), vec![Observation::FleetCapacity(capacity(6, 5))]).await;
    assert!(again.written.is_empty(), "{again:?}");
    store.close().await;
}
