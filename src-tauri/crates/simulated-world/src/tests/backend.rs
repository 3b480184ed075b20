//! The calls of the game's own backend.

use super::*;

#[test]
fn the_calls_of_the_backend_are_the_placements_that_nobody_else_started_newest_first() {
    let world = quiet();
    let calls: Vec<_> = world.backend_calls("eu-west-1").take(200).collect();
    assert_eq!(calls.len(), 200);
    assert!(calls.is_sorted_by(|one, next| one.at_ms() >= next.at_ms()));
    for call in &calls {
        let placement = call.placement();
        assert_eq!((placement.start_time_ms, placement.matchmaker_data), (call.at_ms(), None));
        assert!(world.placement("eu-west-1", &placement.placement_id).is_some());
        assert_eq!(world.backend_call("eu-west-1", &call.id()).unwrap().at_ms(), call.at_ms());
        assert!(world.backend_call("us-east-1", &call.id()).is_none());
    }
    assert!(world.backend_call("eu-west-1", &calls[0].placement().placement_id).is_none());
    assert_eq!(world.backend_calls("eu-north-9").count(), 0);
}
