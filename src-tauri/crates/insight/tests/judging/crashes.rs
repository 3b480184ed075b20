//! Game sessions that crash far more often than usual.

use liftdeck_insight::Rule;
use liftdeck_insight::verdict::InForce;
use liftdeck_model::observation::{Listing, Observation};

use super::MINUTE;
use super::incident::crashed;
use super::world::{NOW, World, fleet};

#[tokio::test]
async fn an_everyday_crash_before_a_crash_loop_does_not_date_it_anew_once_it_is_known() {
    let world = World::new().await;
    let begin = NOW.plus_ms(-50 * MINUTE);
    let (sessions, events) = [(1, 25), (2, 6), (3, 5), (4, 4), (5, 3), (6, 2)]
        .map(|(number, minutes)| crashed(number, begin, NOW.plus_ms(-minutes * MINUTE)))
        .into_iter()
        .unzip();
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("calm")])),
        Observation::GameSessions(sessions),
        Observation::FleetEvents("fleet-calm".into(), events),
    ];
    world.saw(NOW, seen).await;
    let found = world.found(Rule::Crashes, &InForce::new()).await.expect("they crash");
    let began = NOW.plus_ms(-6 * MINUTE);
    assert_ne!(found.since, began, "nothing else ended between");
    let known = InForce::from([((Rule::Crashes, "fleet-calm".to_owned()), began)]);
    let found = world.found(Rule::Crashes, &known).await.expect("they crash");
    assert_eq!(found.since, began);
    world.close().await;
}
