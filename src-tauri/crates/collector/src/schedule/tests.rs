//! Order, jitter, retries, and that no task starves whatever is on screen.

use proptest::prelude::*;

use super::*;

const T0: Timestamp = Timestamp::from_ms(1_772_619_330_000);

fn of(kind: PollKind, resource: &str) -> PollSubject {
    PollSubject { kind, resource: resource.to_owned() }
}

fn schedule() -> Schedule {
    Schedule::new(Cadence::default(), Places::default(), 7)
}

fn finish_all(schedule: &mut Schedule, now: Timestamp) -> Vec<PollSubject> {
    let turns: Vec<Turn> = std::iter::from_fn(|| schedule.next(now)).collect();
    turns
        .into_iter()
        .map(|turn| {
            schedule.finished(&turn.subject, true, now);
            turn.subject
        })
        .collect()
}

#[test]
fn a_new_task_is_due_at_once_and_never_runs_twice_at_a_time() {
    let mut schedule = schedule();
    schedule.add(of(PollKind::Fleets, ""), None, T0);
    schedule.add(of(PollKind::Fleets, ""), None, T0);
    assert_eq!(schedule.next(T0).unwrap().subject, of(PollKind::Fleets, ""));
    assert_eq!(schedule.next(T0.plus_ms(3_600_000)), None, "it is still running");
    schedule.finished(&of(PollKind::Fleets, ""), true, T0.plus_ms(1_000));
    assert_eq!(schedule.next(T0.plus_ms(2_000)), None, "its interval is not over");
    assert!(schedule.next(T0.plus_ms(67_000)).is_some());
}

#[test]
fn what_is_on_screen_goes_before_what_is_stale_before_the_rest() {
    let mut schedule = schedule();
    let long_ago = T0.plus_ms(-90_000 - 1);
    schedule.add(of(PollKind::GameSessions, "fleet-rest"), Some(T0.plus_ms(-60_000)), T0);
    schedule.add(of(PollKind::GameSessions, "fleet-stale"), Some(long_ago), T0);
    schedule.add(of(PollKind::GameSessions, "fleet-seen"), Some(T0.plus_ms(-60_000)), T0);
    schedule.focus(BTreeSet::from(["fleet-seen".to_owned()]), false, T0);
    let order: Vec<Turn> = std::iter::from_fn(|| schedule.next(T0)).collect();
    let order: Vec<_> = order.iter().map(|t| (t.subject.resource.as_str(), t.rank)).collect();
    assert_eq!(
        order,
        [("fleet-seen", Rank::OnScreen), ("fleet-stale", Rank::Stale), ("fleet-rest", Rank::Rest)]
    );
}

#[test]
fn coming_on_screen_makes_an_aged_task_due() {
    let mut schedule = schedule();
    schedule.add(of(PollKind::GameSessions, "fleet-1"), Some(T0.plus_ms(-30_000)), T0);
    assert_eq!(schedule.next(T0), None);
    schedule.focus(BTreeSet::from(["fleet-1".to_owned()]), false, T0);
    assert_eq!(schedule.next(T0).unwrap().rank, Rank::OnScreen);
}

#[test]
fn a_kind_that_fills_its_places_leaves_room_for_the_others() {
    let mut schedule = schedule();
    for n in 0..50 {
        schedule.add(of(PollKind::GameSessions, &format!("fleet-{n}")), None, T0);
    }
    schedule.add(of(PollKind::Queues, ""), None, T0);
    let kinds: Vec<_> = std::iter::from_fn(|| schedule.next(T0)).map(|turn| turn.subject.kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == PollKind::GameSessions).count(), 4);
    assert!(kinds.contains(&PollKind::Queues));
}

#[test]
fn failures_wait_longer_each_time_up_to_a_cap_and_can_be_hurried() {
    let mut schedule = schedule();
    let task = of(PollKind::GameSessions, "fleet-1");
    schedule.add(task.clone(), None, T0);
    let mut now = T0;
    let mut waits = Vec::new();
    for _ in 0..12 {
        schedule.next(now).unwrap();
        schedule.finished(&task, false, now);
        let due = schedule.next_due().unwrap();
        waits.push(due.since_ms(now));
        now = due;
    }
    assert!((4_500..=5_500).contains(&waits[0]), "{waits:?}");
    assert!(waits.iter().all(|wait| *wait <= 330_000) && waits[11] >= 270_000, "{waits:?}");
    schedule.next(now).unwrap();
    schedule.finished(&task, false, now);
    schedule.hurry(false, now);
    assert!(schedule.next(now).is_some());
}

#[test]
fn a_task_taken_away_while_running_is_not_scheduled_again() {
    let mut schedule = schedule();
    let task = of(PollKind::GameSessions, "fleet-gone");
    schedule.add(task.clone(), None, T0);
    schedule.next(T0).unwrap();
    schedule.retain(|_, resource| resource != "fleet-gone");
    schedule.finished(&task, true, T0);
    assert!(schedule.is_empty());
}

#[test]
fn a_restart_does_not_ask_again_what_is_still_fresh() {
    let mut schedule = schedule();
    schedule.add(of(PollKind::EndedGameSessions, "fleet-1"), Some(T0.plus_ms(-3_600_000)), T0);
    assert_eq!(schedule.next(T0), None);
    schedule.add(of(PollKind::Builds, ""), Some(T0.plus_ms(999_999_999)), T0);
    assert!(schedule.next(T0.plus_ms(330_000)).is_some(), "a clock that went back must not stop a task");
}

#[test]
fn a_clock_set_back_by_hours_stops_no_task_for_hours() {
    let mut schedule = schedule();
    let task = of(PollKind::GameSessions, "fleet-1");
    schedule.add(task.clone(), None, T0);
    schedule.next(T0).unwrap();
    schedule.finished(&task, true, T0);
    let back = T0.plus_ms(-7_200_000);
    assert_eq!(schedule.next(back), None);
    assert!(schedule.next(back.plus_ms(66_000)).is_some());
}

#[test]
fn after_a_clock_set_back_what_was_read_before_counts_for_nothing() {
    let mut schedule = schedule();
    let task = of(PollKind::GameSessions, "fleet-1");
    schedule.add(task.clone(), None, T0);
    schedule.next(T0).unwrap();
    schedule.finished(&task, true, T0);
    let back = T0.plus_ms(-7_200_000);
    assert_eq!(schedule.next(back), None);
    assert_eq!(schedule.behind_ms(back.plus_ms(100_000)), 10_000, "it is late as if it had never been read");
}

#[test]
fn after_a_sleep_or_a_leap_of_the_clock_everything_is_due_once_and_no_more_at_a_time_than_there_are_places() {
    for length_ms in [8 * 3_600_000, 3 * 365 * 86_400_000, (i64::from(i32::MAX) + 1) * 1_000 - T0.as_ms()] {
        let mut schedule = schedule();
        let tasks: Vec<PollSubject> =
            (0..50).map(|n| of(PollKind::GameSessions, &format!("fleet-{n}"))).collect();
        tasks.iter().for_each(|task| schedule.add(task.clone(), None, T0));
        while !finish_all(&mut schedule, T0).is_empty() {}
        let woken = T0.plus_ms(length_ms);
        let mut turns = Vec::new();
        loop {
            let some: Vec<Turn> = std::iter::from_fn(|| schedule.next(woken)).collect();
            if some.is_empty() {
                break;
            }
            assert!(some.len() <= Places::default().per_kind);
            for turn in some {
                schedule.finished(&turn.subject, true, woken);
                turns.push(turn.subject);
            }
        }
        turns.sort_by(|a, b| a.resource.cmp(&b.resource));
        let mut all = tasks;
        all.sort_by(|a, b| a.resource.cmp(&b.resource));
        assert_eq!(turns, all, "each once after {length_ms} ms");
    }
}

#[test]
fn lateness_is_measured_against_the_target_of_live_figures_only() {
    let mut schedule = schedule();
    schedule.add(of(PollKind::EndedGameSessions, "fleet-1"), None, T0);
    schedule.add(of(PollKind::GameSessions, "fleet-1"), None, T0);
    assert_eq!(schedule.behind_ms(T0.plus_ms(80_000)), 0);
    assert_eq!(schedule.behind_ms(T0.plus_ms(100_000)), 10_000);
    finish_all(&mut schedule, T0.plus_ms(100_000));
    assert_eq!(schedule.behind_ms(T0.plus_ms(100_000)), 0);
}

#[test]
fn what_is_watched_closely_is_read_as_often_as_on_screen_and_before_nothing_else() {
    let mut schedule = schedule();
    let close = of(PollKind::GameSessions, "fleet-close");
    schedule.watch_closely(BTreeSet::from(["fleet-close".to_owned()]));
    schedule.add(close.clone(), None, T0);
    schedule.add(of(PollKind::FleetCapacity, ""), None, T0);
    schedule.add(of(PollKind::GameSessions, "fleet-other"), None, T0);
    assert_eq!(finish_all(&mut schedule, T0).len(), 3);
    let turns: Vec<Turn> = std::iter::from_fn(|| schedule.next(T0.plus_ms(22_000))).collect();
    assert_eq!(turns.iter().map(|turn| turn.rank).collect::<Vec<_>>(), [Rank::Rest, Rank::Rest]);
    assert!(turns.iter().any(|turn| turn.subject == close));
    assert!(turns.iter().any(|turn| turn.subject == of(PollKind::FleetCapacity, "")), "it covers its home");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every task gets its turn, however much is on screen and however few places there are.
    #[test]
    fn nothing_starves(
        fleets in 1..40usize, seen in 0..40usize, per_turn_ms in 500..4_000i64, seed in any::<u64>(),
    ) {
        let mut schedule = Schedule::new(Cadence::default(), Places { total: 1, per_kind: 1 }, seed);
        let kinds = [PollKind::GameSessions, PollKind::FleetCapacity, PollKind::FleetConfiguration];
        for fleet in 0..fleets {
            for kind in kinds {
                schedule.add(of(kind, &format!("fleet-{fleet}")), None, T0);
            }
        }
        schedule.focus((0..seen).map(|fleet| format!("fleet-{fleet}")).collect(), false, T0);
        let mut turns: BTreeMap<(PollKind, String), u32> = BTreeMap::new();
        let mut now = T0;
        // Long enough for the slowest kind to be starved (4 × 300 s) and for every task to be served after that.
        let end = T0.plus_ms(2 * 4 * 300_000 + 3 * fleets as i64 * per_turn_ms * 4);
        while now < end {
            if let Some(turn) = schedule.next(now) {
                prop_assert_eq!(schedule.next(now), None, "there is only one place");
                now = now.plus_ms(per_turn_ms);
                schedule.finished(&turn.subject, true, now);
                *turns.entry((turn.subject.kind, turn.subject.resource)).or_default() += 1;
            } else {
                now = schedule.next_due().unwrap().max(now);
            }
        }
        prop_assert_eq!(turns.len(), fleets * kinds.len());
    }

    #[test]
    fn jitter_stays_within_a_tenth(length_ms in 1_000..100_000_000i64, seed in any::<u64>(), turn in any::<u64>()) {
        let moved = jittered_ms(length_ms, seed, &(PollKind::Fleets, String::new()), turn);
        prop_assert!((moved - length_ms).abs() <= length_ms / 10);
    }
}
