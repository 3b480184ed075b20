//! The budget against a service that enforces the published rates.

use std::sync::Arc;

use liftdeck_gateway::Priority;
use tokio::task::JoinSet;

use crate::world::World;

#[tokio::test]
async fn a_fifth_of_the_rates_is_never_throttled_and_every_call_is_counted() {
    let world = Arc::new(World::frozen(0.2).await);
    let begun = tokio::time::Instant::now();
    let mut calls = JoinSet::new();
    // 20 pages at an allowance of six per second: the budget has to make them wait.
    for n in 0..20 {
        let world = Arc::clone(&world);
        calls.spawn(async move {
            let priority = if n % 2 == 0 { Priority::OnScreen } else { Priority::Rest };
            let reader = world.gateway.reader(&world.region).unwrap().with_priority(priority);
            assert!(reader.aliases().await.complete);
        });
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap();
    }
    assert!(begun.elapsed().as_secs_f64() >= 3.0, "20 calls at 6 a second: {:?}", begun.elapsed());
    let usage = world.gateway.usage();
    let aliases = usage.operations.iter().find(|usage| usage.operation == "ListAliases").unwrap();
    let book = world.control("calls").await;
    let counted = &book[world.region.as_str()]["gamelift:ListAliases"];
    assert_eq!(counted["calls"].as_u64(), Some(aliases.calls));
    assert_eq!((counted["throttled"].as_u64(), aliases.throttles), (Some(0), 0));
    assert_eq!(usage.busiest(&world.region).unwrap().operation, "ListAliases");
}
