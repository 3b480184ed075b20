//! Queues whose last destination was taken away.

use liftdeck_insight::incident::{HitNoun, Incident, IncidentOf, incident};
use liftdeck_insight::verdict::{InForce, LostDestination, Unusable, Verdict, look};
use liftdeck_insight::{ChangeKind, Likely, LikelyCause, Rule, Trouble};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{Fleet, FleetCapacity, FleetStatus};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{Severity, Timestamp};

use super::MINUTE;
use super::incident::fires;
use super::world::{NOW, World, adoption, alias_to, capacity, fleet, placement, queue};

const DAY: i64 = 24 * 60 * MINUTE;
const TO_FLEET: &str = "arn:aws:gamelift:eu-west-1::fleet/fleet-arena";
const TO_ALIAS: &str = "arn:aws:gamelift:eu-west-1::alias/alias-live";

fn queue_to(destinations: &[&str]) -> Observation {
    let destinations = destinations.iter().map(|&arn| arn.to_owned()).collect();
    Observation::Queues(Listing::complete(vec![queue(destinations)]))
}

/// A queue that leads to the fleet and may place game sessions only in one location.
fn queue_only_in(location: &str) -> Observation {
    let allowed_locations = vec![location.to_owned()];
    let queue = GameSessionQueue { allowed_locations, ..queue(vec![TO_FLEET.to_owned()]) };
    Observation::Queues(Listing::complete(vec![queue]))
}

fn fleets(status: FleetStatus) -> Observation {
    Observation::Fleets(Listing::complete(vec![Fleet { status, ..fleet("arena") }]))
}

/// What is found of a queue that had a fleet with instances, and `ago_ms` before now was seen as `after` says.
async fn found(ago_ms: i64, before: Vec<Observation>, after: Vec<Observation>) -> Option<Verdict> {
    found_in(World::new().await, ago_ms, before, after).await
}

async fn found_in(
    world: World,
    ago_ms: i64,
    before: Vec<Observation>,
    after: Vec<Observation>,
) -> Option<Verdict> {
    let well = vec![fleets(FleetStatus::Active), Observation::FleetCapacity(capacity("arena", 4, 4))];
    let at = NOW.plus_ms(-ago_ms);
    world.saw(at.plus_ms(-MINUTE), well.into_iter().chain(before).collect()).await;
    world.saw(at, after).await;
    let seen = look(&world.reader(), &InForce::new(), NOW).await.unwrap();
    world.close().await;
    seen.verdicts.into_iter().find(|verdict| verdict.rule == Rule::NoDestination)
}

fn lost(verdict: &Verdict) -> &[LostDestination] {
    let Trouble::NoDestination { lost, .. } = &verdict.facts.trouble else { panic!("{verdict:?}") };
    lost
}

#[tokio::test]
async fn a_queue_whose_last_destination_was_removed_is_told_at_once_and_dated_by_the_change() {
    let verdict =
        found(2 * MINUTE, vec![queue_to(&[TO_FLEET])], vec![queue_to(&[])]).await.expect("a verdict");
    assert_eq!((verdict.severity, verdict.since), (Severity::Bad, NOW.plus_ms(-2 * MINUTE)));
    assert!(lost(&verdict).is_empty());
    let likely = verdict.facts.causes.first().expect("a cause");
    let LikelyCause::Changed { change } = &likely.cause else { panic!("{likely:?}") };
    assert_eq!((change.kind, change.resource.as_str()), (ChangeKind::Queue, "arena"));
}

#[tokio::test]
async fn each_way_to_lose_a_destination_is_told_with_what_was_changed() {
    let leads = RoutingStrategy::Simple { fleet_id: "fleet-arena".into() };
    let nowhere = RoutingStrategy::Terminal { message: "closed".to_owned() };
    let cases = [
        (
            vec![queue_to(&[TO_ALIAS]), alias_to(leads)],
            alias_to(nowhere),
            ("live", Unusable::LeadsNowhere, ChangeKind::Alias),
        ),
        (
            vec![queue_to(&[TO_FLEET])],
            fleets(FleetStatus::Deleting),
            ("arena", Unusable::Status { status: "DELETING".to_owned() }, ChangeKind::Fleet),
        ),
        (
            vec![queue_to(&[TO_FLEET])],
            queue_only_in("eu-north-1"),
            ("arena", Unusable::NotAllowed { allowed: vec!["eu-north-1".into()] }, ChangeKind::Queue),
        ),
        (
            vec![queue_to(&[TO_FLEET])],
            Observation::FleetCapacity(capacity("arena", 0, 0)),
            ("arena", Unusable::NoInstances, ChangeKind::ScalingStep),
        ),
    ];
    for (before, after, (name, why, kind)) in cases {
        let verdict = found(2 * MINUTE, before, vec![after]).await.expect("a verdict");
        assert_eq!(lost(&verdict), [LostDestination { name: name.to_owned(), why }]);
        assert_eq!(verdict.severity, Severity::Bad);
        let changed =
            |likely: &Likely| matches!(&likely.cause, LikelyCause::Changed { change } if change.kind == kind);
        assert!(verdict.facts.causes.first().is_some_and(changed), "{:?}", verdict.facts.causes);
    }
}

#[tokio::test]
async fn a_queue_that_has_been_without_a_destination_for_long_is_not_told() {
    assert_eq!(found(2 * DAY, vec![queue_to(&[TO_FLEET])], vec![queue_to(&[])]).await, None);
    assert_eq!(found(2 * MINUTE, vec![queue_to(&[])], Vec::new()).await, None, "it was never seen with one");
}

#[tokio::test]
async fn a_destination_of_which_nothing_is_known_may_host_game_sessions() {
    let elsewhere = "arn:aws:gamelift:us-west-2::fleet/fleet-elsewhere";
    let after = vec![queue_to(&[elsewhere])];
    assert_eq!(found(2 * MINUTE, vec![queue_to(&[TO_FLEET])], after).await, None);
    let from_zero = FleetCapacity {
        zero_capacity_strategy: Some("SCALE_TO_AND_FROM_ZERO".to_owned()),
        ..capacity("arena", 0, 0)
    };
    let after = vec![Observation::FleetCapacity(from_zero)];
    assert_eq!(
        found(2 * MINUTE, vec![queue_to(&[TO_FLEET])], after).await,
        None,
        "it grows when it is needed"
    );
}

#[tokio::test]
async fn a_queue_that_placed_nothing_for_a_day_is_no_alert() {
    let heard = |ago_ms: i64| {
        let one = placement(1, PlacementEventType::Fulfilled);
        let event_time = NOW.plus_ms(-ago_ms);
        Observation::PlacementEvents(vec![PlacementEvent { event_time, ..one }])
    };
    for (ago_ms, severity) in [(3 * DAY, Severity::Info), (60 * MINUTE, Severity::Bad)] {
        let before = vec![queue_to(&[TO_FLEET]), heard(ago_ms)];
        let world = World::new().await;
        world.writer().adopt_queue(adoption(NOW.plus_ms(-4 * DAY))).await.unwrap();
        let after = vec![queue_to(&[])];
        let verdict = found_in(world, 2 * MINUTE, before, after).await.expect("a verdict");
        assert_eq!(verdict.severity, severity, "{ago_ms}");
    }
}

/// The story of a queue that has lost its destination, where events tell of it since `adopted`. The event queue had
/// kept `kept` by then.
async fn story(adopted: Option<Timestamp>, kept: Vec<PlacementEvent>) -> Incident {
    let world = World::new().await;
    if let Some(at) = adopted {
        world.writer().adopt_queue(adoption(at)).await.unwrap();
    }
    let with = vec![fleets(FleetStatus::Active), Observation::FleetCapacity(capacity("arena", 4, 4))];
    let with = with.into_iter().chain([queue_to(&[TO_FLEET])]).collect();
    world.saw(NOW.plus_ms(-3 * MINUTE), with).await;
    world.saw(NOW.plus_ms(-2 * MINUTE), vec![queue_to(&[]), Observation::PlacementEvents(kept)]).await;
    let alert = fires(&world, Rule::NoDestination).await;
    let now = NOW.plus_ms(MINUTE / 2);
    let told = incident(&world.reader(), &IncidentOf::Alert { id: alert.id }, now).await.unwrap().unwrap();
    world.close().await;
    told
}

/// The moments at which the failed placements of a minute are known; `None` without such a lane.
fn placements_known(told: &Incident) -> Option<Vec<Timestamp>> {
    let lane = told.lanes.iter().find(|lane| lane.title == "Placements per minute")?;
    let values = &lane.lines.first()?.values;
    Some(told.times.iter().zip(values).filter(|(_, value)| value.is_some()).map(|(at, _)| *at).collect())
}

#[tokio::test]
async fn without_an_event_queue_a_story_says_that_placements_are_unknown_not_that_none_failed() {
    let deaf = story(None, Vec::new()).await;
    assert_eq!((deaf.who.noun, deaf.who.of), (HitNoun::Unheard, None));
    assert_eq!((placements_known(&deaf), &deaf.compared), (None, &None));
    let heard = story(Some(NOW.plus_ms(-60 * MINUTE)), Vec::new()).await;
    assert_eq!((heard.who.noun, heard.who.of), (HitNoun::Placements, Some(0)));
    let known = placements_known(&heard).expect("a line");
    assert_eq!(known.first(), heard.times.first());
    assert!(known.last().is_some_and(|at| *at < NOW), "the minute that is not over would show too few");
    let adopted = NOW.plus_ms(-5 * MINUTE);
    let of_late = story(Some(adopted), Vec::new()).await;
    let first = placements_known(&of_late).expect("a line")[0];
    assert!(first >= adopted.plus_ms(-MINUTE), "nobody listened then: {first:?}");
    for told in [deaf, heard, of_late] {
        let cause = told.causes.first().expect("the change");
        assert_eq!(cause.text, "queue arena destinations arena → none");
        assert_eq!(cause.proofs, [], "nothing had to fail for it to begin");
    }
}

#[tokio::test]
async fn what_an_event_queue_kept_from_before_it_was_adopted_is_known() {
    let kept = placement(9 * 60, PlacementEventType::TimedOut);
    let (at, adopted) = (kept.event_time, NOW.plus_ms(-5 * MINUTE));
    let told = story(Some(adopted), vec![kept]).await;
    let first = placements_known(&told).expect("a line")[0];
    assert!(first <= at && first >= at.plus_ms(-MINUTE), "{first:?}, {at:?}");
}
