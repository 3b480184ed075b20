//! Every scenario with an incident shows its effect at any hour, and the truth names its cause.

use super::super::trouble::Case;
use super::*;
use crate::records::{Incident, IncidentKind, IncidentSign, NoticeDetail, PlacementOutcome, ScalingReason};

/// Seeds and hours after the usual start: evening, night and morning in Europe.
const MOMENTS: [(u64, i64); 3] = [(1, 0), (2, 6), (3, 13)];

fn play(scenario: &str, (seed, hours): (u64, i64), minutes: i64) -> World {
    let start_ms = START_MS + hours * 60 * MINUTE_MS;
    let scenario = scenario.parse().unwrap();
    let mut world = World::new(&WorldOptions { seed, scenario, start_ms, ..WorldOptions::default() });
    for region in regions(&world) {
        world.drain_events(&region);
    }
    world.advance_to(start_ms + minutes * MINUTE_MS);
    world
}

fn all_incidents(world: &World) -> Vec<Incident> {
    regions(world).iter().flat_map(|region| world.incidents(region)).collect()
}

/// The only incident of a world.
fn incident(world: &World, kind: IncidentKind) -> Incident {
    let mut all = all_incidents(world);
    assert_eq!(all.len(), 1, "{all:?}");
    let found = all.remove(0);
    assert_eq!(found.kind, kind);
    assert!(found.began_ms < world.start_ms() && found.ended_ms.is_none(), "{found:?}");
    let seen_ms = found.seen_ms.unwrap();
    assert!((found.began_ms..=world.now_ms()).contains(&seen_ms), "{found:?}");
    assert!(found.signs.values().any(|at_ms| *at_ms == seen_ms), "{found:?}");
    found
}

fn fleet_id(world: &World, region: &str, name: &str) -> String {
    let mut fleets = world.fleets(region);
    let named = |fleet: &crate::FleetRef<'_>| fleet.attributes().is_some_and(|known| known.name == name);
    fleets.find(named).unwrap().id().to_owned()
}

/// How many placements of a queue ended since the start in this way.
fn placements(world: &mut World, region: &str, queue: &str, ended: fn(&PlacementOutcome) -> bool) -> usize {
    let ended = |notice: &crate::records::Notice| {
        notice.resource_arn.ends_with(&format!("/{queue}"))
            && matches!(&notice.detail, NoticeDetail::Placement(placement) if ended(&placement.outcome))
    };
    world.drain_events(region).iter().filter(|notice| ended(notice)).count()
}

fn timed_out(outcome: &PlacementOutcome) -> bool {
    outcome.event_type() == "PlacementTimedOut"
}

#[test]
fn a_wrong_alias_starves_the_ranked_queue_and_fills_a_small_fleet() {
    for moment in MOMENTS {
        let mut world = play("wrong-alias", moment, 15);
        let found = incident(&world, IncidentKind::WrongAlias);
        let (wrong, right) = (
            fleet_id(&world, "eu-west-1", "arena-canary-eu"),
            fleet_id(&world, "eu-west-1", "arena-prod-eu"),
        );
        assert_eq!(found.fleet_ids, [wrong.clone(), right]);
        assert_eq!((found.by.as_deref(), found.door.as_deref()), (Some("alice"), Some("console")));
        let deed = world.deeds("eu-west-1").next().unwrap();
        assert_eq!((deed.event_name, deed.at_ms), ("UpdateAlias", found.began_ms));
        assert_eq!(Some(deed.parameters["aliasId"].as_str().unwrap()), found.alias_id.as_deref());
        let free = world.fleet("eu-west-1", &wrong).unwrap().utilization("eu-west-1").unwrap();
        assert!(free.active_game_session_count >= 2, "{moment:?}: {free:?}");
        assert!(found.queues.contains(&"arena-ranked-eu".to_owned()));
        let lost = placements(&mut world, "eu-west-1", "arena-ranked-eu", timed_out);
        assert!(lost >= 3, "{moment:?}: {lost} placements timed out");
    }
}

#[test]
fn a_lowered_maximum_stops_a_location_from_growing_while_placements_time_out() {
    for moment in MOMENTS {
        let mut world = play("lowered-max", moment, 30);
        let found = incident(&world, IncidentKind::LoweredMax);
        assert_eq!(found.locations, ["sa-east-1"]);
        let counts = world
            .fleet("us-east-1", &found.fleet_ids[0])
            .unwrap()
            .capacity("sa-east-1")
            .unwrap()
            .instance_counts;
        assert!(counts.desired == counts.maximum && counts.maximum < 12, "{moment:?}: {counts:?}");
        let deed = world.deeds("us-east-1").next().unwrap();
        assert_eq!((deed.event_name, deed.at_ms), ("UpdateFleetCapacity", found.began_ms));
        assert_eq!(deed.parameters["maxSize"], counts.maximum);
        let lost = placements(&mut world, "us-east-1", "arena-ranked-us", timed_out);
        assert!(lost >= 2, "{moment:?}: {lost} placements timed out");
    }
}

#[test]
fn an_instance_limit_keeps_a_location_below_its_desired_count() {
    for moment in MOMENTS {
        let world = play("limit", moment, 5);
        let found = incident(&world, IncidentKind::Limit);
        let fleet = world.fleet("eu-west-1", &found.fleet_ids[0]).unwrap();
        let counts = fleet.capacity("eu-central-1").unwrap().instance_counts;
        assert!(counts.desired > counts.active + counts.pending, "{moment:?}: {counts:?}");
        assert!(counts.desired < counts.maximum || moment.1 == 0, "{moment:?}: {counts:?}");
        let limits = world.ec2_instance_limits("eu-west-1", Some("eu-central-1"));
        let named = |limit: &&crate::records::Ec2InstanceLimit| {
            Some(&limit.ec2_instance_type) == found.instance_type.as_ref()
        };
        let limit = limits.iter().find(named).unwrap();
        assert_eq!(limit.current_instances, limit.instance_limit, "{moment:?}");
        assert_eq!((found.by, found.locations), (None, vec!["eu-central-1".to_owned()]));
    }
}

#[test]
fn placements_that_time_out_for_want_of_instances_are_seen_after_that_they_were_refused() {
    for moment in MOMENTS {
        let world = play("limit", moment, 60);
        let found = incident(&world, IncidentKind::Limit);
        assert_eq!(found.seen_ms, found.signs.get(&IncidentSign::InstanceLimit).copied());
        let lost =
            found.signs_on.get("arena-ranked-eu").and_then(|on| on.get(&IncidentSign::PlacementTimedOut));
        assert!(lost.is_some() && lost.copied() >= found.seen_ms, "{moment:?}: {found:?}");
    }
}

#[test]
fn bad_rules_match_nobody_until_the_tickets_time_out() {
    for moment in MOMENTS {
        let mut world = play("bad-rules", moment, 15);
        let found = incident(&world, IncidentKind::BadRules);
        let configurations: Vec<_> = world.matchmaking_configurations("eu-west-1").collect();
        assert_eq!(found.configuration.as_ref(), Some(&configurations[0].name));
        assert_eq!(found.rule_set.as_ref(), Some(&configurations[0].rule_set_name));
        let deeds: Vec<_> = world.deeds("eu-west-1").map(|deed| deed.event_name).collect();
        assert_eq!(deeds, ["CreateMatchmakingRuleSet", "UpdateMatchmakingConfiguration"]);
        let (mut late, mut made) = (0, 0);
        for notice in world.drain_events("eu-west-1") {
            let NoticeDetail::Matchmaking(event) = notice.detail else { continue };
            late += usize::from(event.kind.event_type() == "MatchmakingTimedOut");
            made += usize::from(event.kind.event_type() == "PotentialMatchCreated");
        }
        assert!(late >= 10 && made == 0, "{moment:?}: {late} timed out, {made} matches");
    }
}

#[test]
fn a_slow_region_fails_activations_in_its_own_location_only() {
    let codes = [crate::records::EventCode::GameSessionActivationTimeout];
    for moment in MOMENTS {
        let world = play("slow-region", moment, 40);
        let found = incident(&world, IncidentKind::SlowRegion);
        assert_eq!(found.locations, ["us-east-1"]);
        let late = |region: &str| {
            let fleets = world.fleets(region);
            let events = fleets.flat_map(|fleet| {
                fleet
                    .events(found.began_ms, i64::MAX)
                    .filter(|event| codes.contains(&event.event_code))
                    .collect::<Vec<_>>()
            });
            events.map(|event| event.message.clone()).collect::<Vec<_>>()
        };
        let (slow, usual) = (late("us-east-1"), late("eu-west-1"));
        assert!(slow.len() >= 3 && usual.len() <= 2, "{moment:?}: {} beside {}", slow.len(), usual.len());
        let elsewhere = slow.iter().filter(|message| message.contains("/us-west-2/")).count();
        assert!(elsewhere * 8 <= slow.len(), "{moment:?}: {elsewhere} of {}", slow.len());
    }
}

#[test]
fn a_leak_leaves_ever_more_empty_sessions_that_stay_active() {
    for moment in MOMENTS {
        let mut world = play("leak", moment, 0);
        let empty = |world: &World| {
            let fleet = fleet_id(world, "ap-northeast-1", "arena-prod-ap");
            let active = sessions(world, "ap-northeast-1", &fleet, None, GameSessionStatus::Active);
            let old = active.iter().map(SessionRef::record).filter(|record| {
                record.current_player_session_count == 0
                    && record.creation_time_ms < world.now_ms() - 40 * MINUTE_MS
            });
            old.count()
        };
        let first = empty(&world);
        assert!(first >= 5, "{moment:?}: {first} empty sessions");
        world.advance_to(world.now_ms() + 60 * MINUTE_MS);
        let later = empty(&world);
        assert!(later > first, "{moment:?}: {first} then {later}");
        incident(&world, IncidentKind::Leak);
    }
}

#[test]
fn the_older_scenarios_have_their_truth_too() {
    type Told = (IncidentKind, &'static str, Option<&'static str>);
    let expected: [(&str, &[Told]); 6] = [
        ("capped-fleet", &[(IncidentKind::CappedFleet, "eu-west-1", Some("bob"))]),
        ("bad-build", &[(IncidentKind::BadBuild, "eu-west-1", Some("alice"))]),
        (
            "spot-storm",
            &[(IncidentKind::SpotStorm, "eu-west-1", None), (IncidentKind::SpotStorm, "us-east-1", None)],
        ),
        (
            "feed-broken",
            &[
                (IncidentKind::FeedBroken, "eu-west-1", None),
                (IncidentKind::FeedBroken, "us-east-1", None),
                (IncidentKind::FeedBroken, "ap-northeast-1", None),
            ],
        ),
        ("throttled", &[(IncidentKind::Throttled, "eu-west-1", None)]),
        (
            "launch-day",
            &[
                (IncidentKind::LaunchDay, "eu-west-1", None),
                (IncidentKind::LaunchDay, "us-east-1", None),
                (IncidentKind::LaunchDay, "ap-northeast-1", None),
            ],
        ),
    ];
    for (scenario, wanted) in expected {
        let world = play(scenario, (5, 0), 12);
        let all = all_incidents(&world);
        let told: Vec<_> =
            all.iter().map(|found| (found.kind, found.region.as_str(), found.by.as_deref())).collect();
        assert_eq!(told, wanted, "{scenario}");
        for found in &all {
            assert!(found.seen_ms.is_some_and(|seen_ms| seen_ms >= found.began_ms), "{scenario}: {found:?}");
        }
    }
    let world = play("bad-build", (5, 0), 5);
    let found = &all_incidents(&world)[0];
    let build =
        world.builds("eu-west-1").iter().find(|build| Some(&build.build_id) == found.build_id.as_ref());
    assert_eq!(build.unwrap().version, "1.43.0-rc.1");
}

#[test]
fn a_quiet_and_a_huge_world_have_no_incident() {
    for scenario in ["quiet", "huge"] {
        assert_eq!(all_incidents(&play(scenario, (1, 0), 5)), []);
    }
}

#[test]
fn a_mixture_plays_both_and_its_order_does_not_matter() {
    let [one, other] = ["wrong-alias+spot-storm", "spot-storm+wrong-alias"].map(|name| play(name, (1, 0), 5));
    let kinds: Vec<_> = all_incidents(&one).into_iter().map(|found| (found.kind, found.region)).collect();
    assert_eq!(
        kinds,
        [
            (IncidentKind::WrongAlias, "eu-west-1".to_owned()),
            (IncidentKind::SpotStorm, "eu-west-1".to_owned()),
            (IncidentKind::SpotStorm, "us-east-1".to_owned()),
        ]
    );
    assert_eq!(all_incidents(&one), all_incidents(&other));
    let arns = |world: &World| live_sessions(world).iter().map(SessionRef::arn).collect::<Vec<_>>();
    assert_eq!(arns(&one), arns(&other));
}

#[test]
fn the_steps_of_a_location_lead_from_one_count_to_the_next_and_name_their_policy() {
    let world = play("quiet", (1, 0), 60);
    let mut steps_seen = 0;
    for region in regions(&world) {
        let steps = world.scaling_steps(&region);
        assert!(steps.is_sorted_by_key(|step| step.time_ms));
        for fleet in world.fleets(&region) {
            for place in fleet.locations() {
                let here = |step: &&crate::records::ScalingStep| {
                    step.fleet_id == fleet.id() && step.location == place.location
                };
                let own: Vec<_> = steps.iter().filter(here).collect();
                assert!(own.windows(2).all(|pair| pair[0].to == pair[1].from), "{own:?}");
                let names: Vec<_> = fleet.scaling_policies().into_iter().map(|policy| policy.name).collect();
                for step in &own {
                    assert_eq!(step.reason, ScalingReason::Policy, "{step:?}");
                    assert!(step.policy.as_ref().is_some_and(|name| names.contains(name)), "{step:?}");
                }
                steps_seen += own.len();
            }
        }
    }
    assert!(steps_seen > 100, "{steps_seen}");
}

#[test]
fn a_step_that_a_person_made_or_a_limit_cut_short_says_so() {
    let world = play("lowered-max", (1, 0), 5);
    let found = incident(&world, IncidentKind::LoweredMax);
    let steps = world.scaling_steps("us-east-1");
    let by_hand: Vec<_> = steps.iter().filter(|step| step.reason == ScalingReason::Person).collect();
    assert_eq!(by_hand.len(), 1);
    assert_eq!((by_hand[0].time_ms, by_hand[0].location.as_str()), (found.began_ms, "sa-east-1"));
    let at_maximum = found.signs_on[&found.fleet_ids[0]][&IncidentSign::AtMaximum];
    assert!(at_maximum >= found.began_ms, "{found:?}");
    assert_ne!(at_maximum % 60_000, 0, "it shows at once, not when the policies decide: {found:?}");

    let world = play("capped-fleet", (1, 0), 0);
    let cut = world.scaling_steps("eu-west-1").into_iter().filter(|step| step.wanted > step.to).count();
    assert_eq!(cut, 0, "at its maximum a location makes no step at all");
}

#[test]
fn stopped_scaling_is_missed_where_a_location_is_short_when_the_policies_would_have_decided() {
    let mut world = world(1, Scenario::Quiet);
    let fleet = world.fleets.iter().position(|fleet| !fleet.policies.is_empty() && !fleet.live.is_empty());
    let (fleet, site) = (fleet.unwrap(), 0);
    world.fleets[fleet].sites[site].stopped = true;
    let mut case = Case::new(IncidentKind::StoppedScaling, 0, world.now_ms());
    case.fleets = vec![fleet];
    world.trouble.cases = vec![case];
    let enough = world.fleets[fleet].sites[site].maximum;
    let seen = |world: &World| world.trouble.cases[0].effects.values().copied().collect::<Vec<_>>();
    let look = |world: &mut World, desired: u32, after_ms: i64| {
        world.now_ms += after_ms;
        world.fleets[fleet].sites[site].desired = desired;
        world.look_for_lack(fleet, site);
    };

    look(&mut world, 0, 10_000);
    look(&mut world, enough, 10_000);
    world.see_no_decision(fleet, site);
    assert!(seen(&world).is_empty(), "it was short only between two minutes");

    look(&mut world, 0, 10_000);
    let short_since_ms = world.now_ms;
    look(&mut world, 0, 30_000);
    world.see_no_decision(fleet, site);
    assert_eq!(seen(&world), [short_since_ms]);
}
