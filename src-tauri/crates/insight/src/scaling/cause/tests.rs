//! Which cause each kind of evidence speaks for.

use super::*;

fn moved(from: i64, to: i64) -> Move {
    Move { at: Timestamp::from_ms(600_000), from, to, until: Timestamp::from_ms(900_000) }
}

fn policy() -> Surroundings {
    Surroundings {
        maximum: Some(40),
        minimum: Some(2),
        available: Some(12.44),
        on_that_side_ms: 300_000,
        target: Some(20.0),
        ..Surroundings::default()
    }
}

#[test]
fn too_little_available_before_growth_speaks_for_the_target_policy() {
    let (cause, evidence) = judge(&moved(10, 12), &policy());
    assert_eq!(cause, Cause::TargetPolicy { target_percent: 20.0 });
    assert_eq!(evidence, [Evidence::Available { percent: 12.44, for_ms: 300_000 }]);
}

#[test]
fn growth_is_the_policy_s_where_the_share_came_near_its_target_between_two_polls() {
    let near = |lowest, instance| Surroundings {
        available: Some(29.0),
        on_that_side_ms: 0,
        lowest: Some(lowest),
        instance_percent: Some(instance),
        ..policy()
    };
    let target = Cause::TargetPolicy { target_percent: 20.0 };
    assert_eq!(judge(&moved(10, 11), &near(19.0, 10.0)).0, target, "the poll after it saw why");
    assert_eq!(judge(&moved(10, 11), &near(24.0, 10.0)).0, target, "an instance has more than that");
    assert_eq!(judge(&moved(40, 41), &near(24.0, 2.5)).0, Cause::Unknown);
    assert_eq!(judge(&moved(2, 3), &near(29.0, 50.0)).0, Cause::Unknown, "far from its target");
}

#[test]
fn a_step_that_nobody_called_for_is_the_policy_s_by_elimination() {
    let idle = Surroundings { available: Some(60.0), on_that_side_ms: 0, ..policy() };
    assert_eq!(judge(&moved(10, 11), &idle).0, Cause::Unknown);
    let seen = Surroundings { no_call: Some(true), ..idle };
    let (cause, evidence) = judge(&moved(10, 11), &seen);
    assert_eq!(cause, Cause::TargetPolicy { target_percent: 20.0 });
    assert_eq!(evidence[0], Evidence::NoCall { is_settled: true });
}

#[test]
fn growth_to_the_maximum_is_the_limit_whoever_asked_for_it() {
    let limit = Cause::LimitReached { limit: Limit::Maximum, instances: 40 };
    assert_eq!(judge(&moved(38, 40), &policy()).0, limit);
}

#[test]
fn limits_that_moved_with_it_speak_for_a_hand() {
    let seen = Surroundings { limit_moved: Some(raised(false)), ..policy() };
    let (cause, evidence) = judge(&moved(20, 40), &seen);
    assert_eq!(cause, Cause::Manual);
    assert_eq!(evidence[0], Evidence::LimitMoved { limit: Limit::Maximum, from: 20, to: 40 });
}

fn raised(alone: bool) -> LimitMove {
    LimitMove { limit: Limit::Maximum, from: 20, to: 40, alone }
}

#[test]
fn a_policy_s_step_after_the_maximum_was_raised_is_the_policy_s() {
    let room = Evidence::LimitMoved { limit: Limit::Maximum, from: 20, to: 40 };
    for alone in [true, false] {
        let seen = Surroundings { limit_moved: Some(raised(alone)), ..policy() };
        let (cause, evidence) = judge(&moved(20, 24), &seen);
        assert_eq!(cause, Cause::TargetPolicy { target_percent: 20.0 }, "{alone}");
        assert_eq!(evidence[1], room, "{evidence:?}");
    }
    let seen = Surroundings { limit_moved: Some(raised(true)), ..policy() };
    let reached = Cause::LimitReached { limit: Limit::Maximum, instances: 40 };
    assert_eq!(judge(&moved(20, 40), &seen).0, reached, "the policy went to the new maximum");
}

#[test]
fn a_minimum_raised_above_it_is_a_hand_even_where_a_policy_would_have_grown() {
    let minimum = LimitMove { limit: Limit::Minimum, from: 2, to: 12, alone: true };
    let seen = Surroundings { limit_moved: Some(minimum), ..policy() };
    assert_eq!(judge(&moved(10, 12), &seen).0, Cause::Manual);
}

#[test]
fn a_raised_maximum_speaks_for_a_hand_where_no_policy_explains_the_step() {
    let idle = Surroundings { available: Some(60.0), on_that_side_ms: 0, ..policy() };
    let seen = Surroundings { limit_moved: Some(raised(true)), ..idle };
    assert_eq!(judge(&moved(20, 24), &seen).0, Cause::Manual);
}

#[test]
fn what_was_sent_from_here_needs_no_guess() {
    let seen = Surroundings { by_us: Some(ByUs::Activity("a-1".into())), ..policy() };
    let (cause, evidence) = judge(&moved(38, 40), &seen);
    assert_eq!((cause, &evidence[0]), (Cause::Manual, &Evidence::SentFromHere));
}

#[test]
fn a_recorded_call_outranks_a_policy_that_would_have_done_the_same() {
    let named = Who::Named { calls: Vec::new() };
    let seen = Surroundings { recorded: Some(named.clone()), ..policy() };
    let (cause, evidence) = judge(&moved(10, 12), &seen);
    assert_eq!((cause, &evidence[0]), (Cause::Manual, &Evidence::Recorded));
    let lowered = LimitMove { limit: Limit::Maximum, from: 24, to: 9, alone: false };
    let seen = Surroundings { limit_moved: Some(lowered), limit_by: Some(named), ..policy() };
    assert!(seen.who(&moved(12, 9)).is_some(), "who lowered the maximum made the step");
    assert!(seen.who(&moved(9, 8)).is_none(), "a later step is not theirs");
}

#[test]
fn a_capacity_of_ours_that_was_not_seen_as_sent_still_speaks_for_a_hand() {
    let (cause, evidence) = judge(&moved(10, 12), &Surroundings { sent_unseen: true, ..policy() });
    assert_eq!((cause, &evidence[0]), (Cause::Manual, &Evidence::SentFromHere));
}

#[test]
fn without_any_policy_it_was_a_hand() {
    let seen = Surroundings { target: None, on_that_side_ms: 0, ..policy() };
    let (cause, evidence) = judge(&moved(4, 6), &seen);
    assert_eq!((cause, evidence.last()), (Cause::Manual, Some(&Evidence::NoPolicy)));
}

#[test]
fn growth_with_plenty_available_is_not_blamed_on_the_policy() {
    let seen = Surroundings { available: Some(60.0), on_that_side_ms: 0, ..policy() };
    assert_eq!(judge(&moved(4, 6), &seen).0, Cause::Unknown);
    let interrupted = Surroundings { instances_lost: 3, ..seen.clone() };
    assert_eq!(judge(&moved(4, 6), &interrupted).0, Cause::Interruption);
    let ruled = Surroundings { rules: vec!["grow".into()], ..seen };
    assert_eq!(judge(&moved(4, 6), &ruled).0, Cause::RulePolicy { policies: vec!["grow".to_owned()] });
}
