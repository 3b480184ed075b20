//! Troubles whose cause lies in what they depend on, and those that are no trouble at all.

use liftdeck_insight::change::Who;
use liftdeck_insight::verdict::{InForce, Verdict};
use liftdeck_insight::{ChangeKind, Likely, LikelyCause, Rule, Strength};
use liftdeck_model::fleet::{FleetCapacity, FleetEvent};
use liftdeck_model::game_session::GameSession;
use liftdeck_model::matchmaking::{
    EventTicket, MatchmakingConfiguration, MatchmakingEvent, MatchmakingRuleSet,
};
use liftdeck_model::observation::{Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::trail::TrailRecord;
use liftdeck_model::{Severity, Timestamp};

use super::MINUTE;
use super::world::{NOW, World, ago, capacity, fleet, placement, policy, queue, session, utilization};

pub(crate) fn configuration() -> MatchmakingConfiguration {
    MatchmakingConfiguration {
        name: "ranked".to_owned(),
        region: "eu-west-1".into(),
        arn: None,
        description: None,
        queue_arns: vec!["arn:aws:gamelift:eu-west-1:111122223333:gamesessionqueue/arena".to_owned()],
        request_timeout_seconds: Some(60),
        acceptance_timeout_seconds: None,
        acceptance_required: false,
        rule_set_name: Some("fair".to_owned()),
        notification_target: None,
        additional_player_count: None,
        backfill_mode: None,
        flex_match_mode: None,
        creation_time: None,
    }
}

/// One ticket ended every five seconds, the last forty of them without a match.
pub(crate) fn ticket_ended(number: u32) -> MatchmakingEvent {
    MatchmakingEvent {
        event_id: format!("00000000-0000-4000-8000-{number:012}"),
        event_type: if number < 40 { "MatchmakingTimedOut" } else { "MatchmakingSucceeded" }.to_owned(),
        configuration: "ranked".to_owned(),
        region: "eu-west-1".into(),
        event_time: NOW.plus_ms(-i64::from(number) * 5_000),
        match_id: None,
        reason: None,
        message: None,
        estimated_wait_seconds: None,
        game_session_id: None,
        tickets: vec![EventTicket {
            ticket_id: format!("ticket-{number}").into(),
            start_time: None,
            players: Vec::new(),
        }],
    }
}

#[tokio::test]
async fn tickets_that_fail_are_laid_on_the_change_of_the_queue_they_are_placed_by() {
    let world = World::new().await;
    let destination = "arn:aws:gamelift:eu-west-1::fleet/fleet-arena".to_owned();
    world.saw(ago(10), vec![Observation::Queues(Listing::complete(vec![queue(vec![destination])]))]).await;
    let seen = vec![
        Observation::Queues(Listing::complete(vec![queue(Vec::new())])),
        Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()])),
        Observation::MatchmakingEvents((0..300).rev().map(ticket_ended).collect()),
    ];
    world.saw(ago(4), seen).await;
    let verdict = world.found(Rule::Tickets, &InForce::new()).await.expect("tickets fail");
    let likely = verdict.facts.causes.first().expect("a cause");
    let LikelyCause::Changed { change } = &likely.cause else { panic!("{likely:?}") };
    assert_eq!((change.kind, change.resource.as_str()), (ChangeKind::Queue, "arena"));
    assert_eq!(likely.strength, Strength::Strong);
    world.close().await;
}

#[tokio::test]
async fn tickets_that_fail_are_laid_on_why_placements_fail_before_that_they_do() {
    let world = World::new().await;
    let destination = "arn:aws:gamelift:eu-west-1::fleet/fleet-arena".to_owned();
    let timed_out = (0..9).map(|number| placement(number, PlacementEventType::TimedOut));
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("arena")])),
        Observation::Queues(Listing::complete(vec![queue(vec![destination])])),
        Observation::FleetCapacity(FleetCapacity { maximum: 40, ..capacity("arena", 20, 20) }),
        Observation::FleetUtilization(utilization("arena", 160, 160)),
        Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()])),
        Observation::PlacementEvents(timed_out.collect()),
        Observation::MatchmakingEvents((0..300).rev().map(ticket_ended).collect()),
    ];
    world.saw(NOW, seen).await;
    let verdict = world.found(Rule::Tickets, &InForce::new()).await.expect("tickets fail");
    let causes: Vec<&LikelyCause> = verdict.facts.causes.iter().map(|likely| &likely.cause).collect();
    assert!(
        matches!(
            causes[..],
            [LikelyCause::Full { .. }, LikelyCause::Elsewhere { rule: Rule::Placements, .. }]
        ),
        "{causes:?}"
    );
    world.close().await;
}

/// A fleet and its queue, whose destinations were changed `changed` minutes ago.
async fn queue_changed(world: &World, changed: i64) {
    let destination = "arn:aws:gamelift:eu-west-1::fleet/fleet-arena".to_owned();
    let before = vec![Observation::Queues(Listing::complete(vec![queue(vec![destination])]))];
    world.saw(ago(changed + 1), before).await;
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("arena")])),
        Observation::Queues(Listing::complete(vec![queue(Vec::new())])),
    ];
    world.saw(ago(changed), seen).await;
}

/// A placement that was fulfilled or timed out, `at_ms` from now.
fn placement_ended(number: u32, at_ms: i64, is_failed: bool) -> PlacementEvent {
    let event_type = if is_failed { PlacementEventType::TimedOut } else { PlacementEventType::Fulfilled };
    PlacementEvent { event_time: NOW.plus_ms(at_ms), ..placement(number, event_type) }
}

/// Of placements that ended every twenty seconds, those `failed` timed out, the last being 0; the destinations of their
/// queue were changed `changed` minutes ago.
async fn just_failed(failed: &[u32], changed: i64) -> Option<Verdict> {
    let world = World::new().await;
    queue_changed(&world, changed).await;
    let ended =
        (0..120).map(|number| placement_ended(number, -i64::from(number) * 20_000, failed.contains(&number)));
    world.saw(NOW, vec![Observation::PlacementEvents(ended.collect())]).await;
    let verdict = world.found(Rule::Placements, &InForce::new()).await;
    world.close().await;
    verdict
}

#[tokio::test]
async fn a_few_failures_are_enough_only_just_after_what_they_depend_on_was_changed() {
    for failed in [&[0, 1][..], &[0, 1, 2]] {
        let verdict = just_failed(failed, 2).await.expect("the queue was changed");
        assert_eq!((verdict.severity, verdict.facts.hit.count), (Severity::Bad, failed.len() as u64));
        assert_eq!(just_failed(failed, 20).await, None, "it worked for twenty minutes since");
    }
    assert_eq!(just_failed(&[0], 2).await, None, "one is everyday");
}

#[tokio::test]
async fn failures_are_dated_by_the_first_after_the_change_that_explains_them_however_alone_it_was() {
    let failed = [0, 1, 2, 3, 4, 5, 20];
    for (changed, first) in [(8, 20), (6, 5)] {
        let verdict = just_failed(&failed, changed).await.expect("placements fail");
        assert_eq!(verdict.since, NOW.plus_ms(-first * 20_000), "changed {changed} minutes ago");
    }
}

/// A placement that ended so many seconds ago, was requested so many seconds ago, and failed or not.
fn requested((number, (ended, requested, is_failed)): (u32, (i64, i64, bool))) -> PlacementEvent {
    PlacementEvent {
        start_time: Some(NOW.plus_ms(-requested * 1_000)),
        ..placement_ended(number, -ended * 1_000, is_failed)
    }
}

/// How many seconds ago trouble with these placements began, of a queue whose destinations were changed eight minutes
/// ago.
async fn since_of(placements: &[(i64, i64, bool)]) -> i64 {
    let world = World::new().await;
    queue_changed(&world, 8).await;
    let usual = (0..200).map(|number| (3_000 - number * 10, 3_002 - number * 10, false));
    let events = (0..).zip(usual.chain(placements.iter().copied())).map(requested).collect();
    world.saw(NOW, vec![Observation::PlacementEvents(events)]).await;
    let verdict = world.found(Rule::Placements, &InForce::new()).await.expect("placements fail");
    world.close().await;
    NOW.since_ms(verdict.since) / 1_000
}

#[tokio::test]
async fn what_was_asked_for_before_a_change_did_not_fail_by_it() {
    let effects = [(320, 470, true), (310, 460, true), (300, 450, true), (290, 440, true)];
    let with = |more: &[(i64, i64, bool)]| [more, &effects].concat();
    assert_eq!(since_of(&with(&[(440, 590, true)])).await, 320, "it failed after the change");
    let everyday =
        [(600, 750, true), (580, 582, false), (560, 562, false), (540, 542, false), (530, 531, false)];
    assert_eq!(since_of(&with(&everyday)).await, 320, "it failed before");
    assert_eq!(since_of(&with(&everyday[..2])).await, 320, "nobody asked for much before");
    let trouble = [(600, 750, true), (590, 740, true), (580, 730, true), (570, 720, true)];
    assert_eq!(since_of(&with(&trouble)).await, 600, "many failed before");
}

#[tokio::test]
async fn two_failures_that_nobody_asked_for_since_a_change_are_chance_until_more_fail() {
    let chance = [(122, 212, true), (116, 206, true)];
    let effects = [(20, 110, true), (10, 100, true)];
    for (placements, since) in [(&chance[..], None), (&[chance, effects].concat(), Some(20))] {
        let world = World::new().await;
        // The poll before still saw the former destinations; the change was made in the minute after it.
        queue_changed(&world, 1).await;
        let usual = (0..200).map(|number| (3_000 - number * 10, 3_002 - number * 10, false));
        let events = (0..).zip(usual.chain(placements.iter().copied())).map(requested).collect();
        world.saw(NOW, vec![Observation::PlacementEvents(events)]).await;
        let verdict = world.found(Rule::Placements, &InForce::new()).await;
        assert_eq!(verdict.map(|verdict| NOW.since_ms(verdict.since) / 1_000), since);
        world.close().await;
    }
}

#[tokio::test]
async fn a_queue_that_is_seldom_asked_is_dated_by_the_first_failure_however_long_after_the_change_it_was() {
    for (fulfilled_before, fulfilled_between, since) in
        [(100, 0, -17 * MINUTE), (100, 30, -17 * MINUTE), (0, 0, -30_000)]
    {
        let world = World::new().await;
        queue_changed(&world, 22).await;
        let usual = (100..100 + fulfilled_before).map(|number| placement_ended(number, -40 * MINUTE, false));
        let rare = [(-17 * MINUTE, true), (-13 * MINUTE, false), (-12 * MINUTE, false), (-8 * MINUTE, false)];
        let between = (0..fulfilled_between).map(|number| (-7 * MINUTE + number * 10_000, false));
        let now = [(-30_000, true), (-20_000, true), (-10_000, true)];
        let after = rare.into_iter().chain(between).chain(now);
        let after = (0..).zip(after).map(|(number, (at, failed))| placement_ended(number, at, failed));
        world.saw(NOW, vec![Observation::PlacementEvents(usual.chain(after).collect())]).await;
        let verdict = world.found(Rule::Placements, &InForce::new()).await.expect("placements fail");
        assert_eq!(verdict.since, NOW.plus_ms(since), "{fulfilled_before} and {fulfilled_between} worked");
        world.close().await;
    }
}

#[tokio::test]
async fn tickets_are_dated_by_the_first_match_that_failed_by_the_change_that_explains_it() {
    for (changed, failed_before) in [(6, None), (10, Some((300, "MatchmakingFailed", Some(99))))] {
        let world = World::new().await;
        queue_changed(&world, changed).await;
        let placed = (0..65).map(|number| (1_400 - number * 20, "MatchmakingSucceeded", Some(number)));
        let failed = [(100, "MatchmakingFailed", Some(100)), (70, "MatchmakingFailed", Some(101))];
        let lonely = (30, "MatchmakingTimedOut", None);
        // Four tickets each.
        let ended = placed.chain(failed_before).chain(failed).chain([lonely]).flat_map(|ended| [ended; 4]);
        let event = |(number, (seconds, event_type, of)): (u32, (i64, &str, Option<i64>))| MatchmakingEvent {
            event_type: event_type.to_owned(),
            event_time: NOW.plus_ms(-seconds * 1_000),
            match_id: of.map(|of| format!("match-{of}")),
            ..ticket_ended(number)
        };
        let seen = vec![
            Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()])),
            Observation::MatchmakingEvents((0..).zip(ended).map(event).collect()),
        ];
        world.saw(NOW, seen).await;
        let verdict = world.found(Rule::Tickets, &InForce::new()).await.expect("tickets fail");
        assert_eq!(NOW.since_ms(verdict.since) / 1_000, 100, "changed {changed} minutes ago");
        world.close().await;
    }
}

/// The likeliest cause of placements that fail since two minutes, while three times as many are asked for since
/// `busy` minutes; the destinations of their queue were changed `changed` minutes ago.
async fn in_a_rush(busy: i64, changed: i64) -> Likely {
    let world = World::new().await;
    queue_changed(&world, changed).await;
    let seconds = (1..busy * 60).step_by(3).chain((busy * 60..80 * 60).step_by(9));
    let ended =
        (0..).zip(seconds).map(|(number, seconds)| placement_ended(number, -seconds * 1_000, seconds < 120));
    world.saw(NOW, vec![Observation::PlacementEvents(ended.collect())]).await;
    let verdict = world.found(Rule::Placements, &InForce::new()).await.expect("placements fail");
    world.close().await;
    verdict.facts.causes.into_iter().next().expect("a cause")
}

#[tokio::test]
async fn a_queue_that_worked_since_it_was_changed_is_not_why_it_fails_once_more_players_come() {
    let is_change = |likely: &Likely| matches!(likely.cause, LikelyCause::Changed { .. });
    let worked = in_a_rush(10, 15).await;
    assert!(matches!(worked.cause, LikelyCause::MoreDemand { .. }), "{worked:?}");
    let just_changed = in_a_rush(10, 4).await;
    assert!(is_change(&just_changed), "{just_changed:?}");
    let tried_again = in_a_rush(2, 15).await;
    assert!(is_change(&tried_again), "more came only once it failed: {tried_again:?}");
}

#[tokio::test]
async fn failures_are_laid_on_a_maximum_that_was_lowered_also_while_a_process_happens_to_be_free() {
    for (desired, told) in [(20, true), (12, false)] {
        let world = World::new().await;
        let destination = "arn:aws:gamelift:eu-west-1::fleet/fleet-arena".to_owned();
        for (minutes, maximum) in [(12, 40), (10, 20), (0, 20)] {
            let seen = vec![
                Observation::Fleets(Listing::complete(vec![fleet("arena")])),
                Observation::Queues(Listing::complete(vec![queue(vec![destination.clone()])])),
                Observation::FleetCapacity(FleetCapacity { maximum, ..capacity("arena", desired, desired) }),
                Observation::FleetUtilization(utilization("arena", 160, 159)),
            ];
            world.saw(ago(minutes), seen).await;
        }
        let timed_out = (0..9).map(|number| placement(number, PlacementEventType::TimedOut));
        world.saw(NOW, vec![Observation::PlacementEvents(timed_out.collect())]).await;
        let verdict = world.found(Rule::Placements, &InForce::new()).await.expect("placements fail");
        let lowered = verdict.facts.causes.iter().any(|likely| {
            matches!(&likely.cause, LikelyCause::Changed { change } if change.kind == ChangeKind::Capacity)
        });
        assert_eq!(lowered, told, "{desired} desired: {:?}", verdict.facts.causes);
        world.close().await;
    }
}

/// Between two polls.
const FILLED: Timestamp = NOW.plus_ms(-10 * MINUTE - 20_000);

/// A fleet that has been at its maximum for half an hour, with `free` of 160 processes free since ten minutes; its policy
/// keeps 20 % free. The maximum is what it is since `lowered` minutes.
async fn at_maximum(free: i32, lowered: i64) -> Option<Verdict> {
    let world = World::new().await;
    let hosted = (0..160 - free).map(|number| GameSession {
        game_session_id: format!("arn:aws:gamelift:eu-west-1::gamesession/fleet-arena/s-{number}").into(),
        fleet_id: "fleet-arena".into(),
        ..session(number.unsigned_abs(), if number < 100 { ago(90) } else { FILLED })
    });
    let hosted: Vec<GameSession> = hosted.collect();
    for minutes in (0..=60).rev() {
        let maximum = if minutes > lowered { 40 } else { 20 };
        let free = if minutes <= 10 { free } else { 60 };
        let seen = vec![
            Observation::Fleets(Listing::complete(vec![fleet("arena")])),
            Observation::FleetCapacity(FleetCapacity { maximum, ..capacity("arena", 20, 20) }),
            Observation::FleetUtilization(utilization("arena", 160, 160 - free)),
            Observation::ScalingPolicies("fleet-arena".into(), Listing::complete(vec![policy()])),
        ];
        world.saw(ago(minutes), seen).await;
    }
    world.saw(NOW, vec![Observation::GameSessions(hosted)]).await;
    let verdict = world.found(Rule::Capped, &InForce::new()).await;
    world.close().await;
    verdict
}

#[tokio::test]
async fn a_fleet_that_asks_in_vain_is_told_before_it_is_full_only_if_its_maximum_was_just_lowered() {
    let verdict = at_maximum(20, 25).await.expect("it asks in vain");
    assert_eq!((verdict.severity, verdict.since), (Severity::Warning, FILLED), "by its game sessions");
    assert!(matches!(verdict.facts.causes[0].cause, LikelyCause::Changed { .. }), "{verdict:?}");
    assert_eq!(at_maximum(60, 25).await, None, "there is enough room");
    assert_eq!(at_maximum(20, 58).await, None, "it has been like that for long");
    assert!(at_maximum(0, 58).await.is_some_and(|full| full.severity == Severity::Bad));
}

#[tokio::test]
async fn a_fleet_that_was_full_when_the_first_poll_saw_it_is_explained_by_what_its_events_tell_of_its_limits()
{
    let world = World::new().await;
    let limits = FleetEvent {
        event_id: "event-1".to_owned(),
        fleet_id: "fleet-arena".into(),
        event_code: "FLEET_SCALING_EVENT".into(),
        message: Some("Limits of location eu-west-1 changed: minimum 1, maximum 20.".to_owned()),
        event_time: ago(20),
        count: 1,
        has_log: false,
    };
    let seen = vec![
        Observation::Fleets(Listing::complete(vec![fleet("arena")])),
        Observation::FleetCapacity(FleetCapacity { maximum: 20, ..capacity("arena", 20, 20) }),
        Observation::FleetUtilization(utilization("arena", 160, 160)),
        Observation::FleetEvents("fleet-arena".into(), vec![limits]),
    ];
    world.saw(NOW, seen).await;
    let verdict = world.found(Rule::Capped, &InForce::new()).await.expect("at its maximum");
    let likely = verdict.facts.causes.first().expect("a cause");
    let LikelyCause::Changed { change } = &likely.cause else { panic!("{likely:?}") };
    assert_eq!((change.kind, likely.strength), (ChangeKind::FleetEvent, Strength::Fair));
    world.close().await;
}

#[tokio::test]
async fn tickets_that_fail_since_before_the_first_poll_are_laid_on_a_rule_set_that_is_new() {
    for (minutes, is_new) in [(5, true), (300, false)] {
        let world = World::new().await;
        let rules = MatchmakingRuleSet {
            name: "fair".to_owned(),
            region: "eu-west-1".into(),
            arn: None,
            body: "{}".to_owned(),
            creation_time: Some(ago(minutes)),
        };
        let seen = vec![
            Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()])),
            Observation::MatchmakingRuleSets(Listing::complete(vec![rules])),
            Observation::MatchmakingEvents((0..300).rev().map(ticket_ended).collect()),
        ];
        world.saw(NOW, seen).await;
        let verdict = world.found(Rule::Tickets, &InForce::new()).await.expect("tickets fail");
        let is_told = |likely: &Likely| matches!(likely.cause, LikelyCause::NewRuleSet { .. });
        assert_eq!(verdict.facts.causes.iter().any(is_told), is_new, "{:?}", verdict.facts.causes);
        world.close().await;
    }
}

#[tokio::test]
async fn a_colleague_who_gave_a_matchmaking_configuration_other_rules_is_named() {
    let world = World::new().await;
    let before = MatchmakingConfiguration { rule_set_name: Some("easy".to_owned()), ..configuration() };
    let seen = vec![Observation::MatchmakingConfigurations(Listing::complete(vec![before]))];
    world.saw(ago(30), seen).await;
    let record = serde_json::json!({
        "eventID": "e-1", "eventName": "UpdateMatchmakingConfiguration", "eventTime": ago(5).to_rfc3339(),
        "awsRegion": "eu-west-1", "eventSource": "gamelift.amazonaws.com",
        "userIdentity": { "type": "IAMUser", "userName": "alice" },
        "requestParameters": { "name": "ranked", "ruleSetName": "fair" },
    });
    let seen = vec![
        Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()])),
        Observation::TrailRecords(vec![TrailRecord::read(record.to_string()).unwrap()]),
    ];
    world.saw(ago(4), seen).await;
    let events = (0..300).rev().map(ticket_ended).collect();
    world.saw(NOW, vec![Observation::MatchmakingEvents(events)]).await;
    let verdict = world.found(Rule::Tickets, &InForce::new()).await.expect("tickets fail");
    let likely = verdict.facts.causes.first().expect("a cause");
    let LikelyCause::Changed { change } = &likely.cause else { panic!("{likely:?}") };
    assert_eq!((change.kind, change.at), (ChangeKind::MatchmakingConfiguration, ago(5)));
    assert!(matches!(&change.who, Some(Who::Named { calls }) if calls.len() == 1), "{change:?}");
    let sentence = change.sentence();
    assert!(sentence.starts_with("matchmaking ranked rule set name easy → fair, by alice"), "{sentence}");
    world.close().await;
}

#[tokio::test]
async fn tickets_of_one_match_that_fails_are_one_failure() {
    // Ten tickets a match.
    for (matches, is_told) in [(1, false), (4, false), (9, true)] {
        let world = World::new().await;
        let events = (0..300).rev().map(|number| {
            let mut event = ticket_ended(number);
            let is_failed = number < 10 * matches;
            event.event_type =
                if is_failed { "MatchmakingFailed" } else { "MatchmakingSucceeded" }.to_owned();
            event.match_id = Some(format!("match-{}", number / 10));
            event
        });
        let seen = vec![
            Observation::MatchmakingConfigurations(Listing::complete(vec![configuration()])),
            Observation::MatchmakingEvents(events.collect()),
        ];
        world.saw(NOW, seen).await;
        let verdict = world.found(Rule::Tickets, &InForce::new()).await;
        assert_eq!(verdict.is_some(), is_told, "{matches} matches failed: {verdict:?}");
        world.close().await;
    }
}
