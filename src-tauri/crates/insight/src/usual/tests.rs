//! Tests the seasons and the band.

use proptest::prelude::*;

use super::*;

const DAY_HOURS: i64 = 24;
/// 2026-03-04T10:30:00Z, a Wednesday, in the middle of an hour.
const NOW: Timestamp = Timestamp::from_ms(1_772_620_200_000);

fn is_weekend(hour: i64) -> bool {
    matches!((hour.div_euclid(DAY_HOURS) + 4).rem_euclid(7), 0 | 6)
}

/// The past `days` up to now, each hour as `value` tells it.
fn past(days: i64, value: impl Fn(i64) -> f64) -> History {
    let now = NOW.as_ms().div_euclid(HOUR_MS);
    let first = now - days * DAY_HOURS;
    History::new(Timestamp::from_ms(first * HOUR_MS), (first..=now).map(value).collect())
}

fn ago(hour: i64) -> i64 {
    NOW.as_ms().div_euclid(HOUR_MS) - hour
}

/// Between 100 at midnight and 330 at 23:00, half as many at weekends, a little different each day.
fn daily(hour: i64) -> f64 {
    let level = 100.0 + 10.0 * hour.rem_euclid(24) as f64;
    let day = (hour.div_euclid(24) * 7).rem_euclid(5) as f64 - 2.0;
    (if is_weekend(hour) { level / 2.0 } else { level }) + day
}

#[test]
fn three_weeks_make_a_season_of_a_week() {
    let usual = past(22, daily).usual_at(NOW, Floor::COUNT).unwrap();
    assert_eq!((usual.season, usual.learnt_from), (Season::HourOfWeek, 3));
    assert!((usual.median - 200.0).abs() <= 2.0, "{usual:?}");
    assert!(usual.low > 180.0 && usual.high < 220.0, "{usual:?}");
    assert_eq!(usual.standing(201.0), Standing::Within);
    assert_eq!(usual.standing(150.0), Standing::Below);
    assert_eq!(usual.standing(260.0), Standing::Above);
}

#[test]
fn fewer_weeks_make_a_season_of_a_day_with_weekends_apart() {
    let nine_days = past(9, daily);
    let usual = nine_days.usual_at(NOW, Floor::COUNT).unwrap();
    assert_eq!((usual.season, usual.learnt_from), (Season::HourOfDay, 7));
    assert!(usual.low > 180.0, "the weekend's 100 do not count: {usual:?}");
    let saturday = NOW.plus_ms(3 * DAY_HOURS * HOUR_MS);
    let learning = Learning { days: 2, of_days: 3 };
    assert_eq!(nine_days.usual_at(saturday, Floor::COUNT), Err(learning), "two days of weekends are few");
}

#[test]
fn two_days_say_nothing_yet() {
    let learning = Learning { days: 2, of_days: 3 };
    assert_eq!(past(2, daily).usual_at(NOW, Floor::COUNT), Err(learning));
    assert_eq!(Standing::of(Some(5.0), Err(learning)), Standing::Learning(learning));
    assert_eq!(Standing::of(None, Err(learning)), Standing::Unknown);
    assert_eq!(History::default().usual_at(NOW, Floor::COUNT), Err(Learning { days: 0, of_days: 3 }));
}

#[test]
fn a_gap_counts_neither_as_zero_nor_as_known() {
    let nights_off = |hour: i64| if (8..20).contains(&hour.rem_euclid(24)) { daily(hour) } else { f64::NAN };
    let usual = past(30, nights_off).usual_at(NOW, Floor::COUNT).unwrap();
    assert!((usual.median - 200.0).abs() <= 2.0, "{usual:?}");
    let midnight = NOW.plus_ms(14 * HOUR_MS);
    assert_eq!(past(30, nights_off).usual_at(midnight, Floor::COUNT), Err(Learning { days: 0, of_days: 3 }));
    let one_week_off = |hour: i64| if (hour - ago(0)).abs() > 9 * 24 { daily(hour) } else { f64::NAN };
    assert_eq!(past(30, one_week_off).usual_at(NOW, Floor::COUNT).map(|usual| usual.learnt_from), Ok(3));
}

#[test]
fn an_incident_does_not_teach_itself() {
    let fallen = |since: i64| move |hour: i64| if hour >= ago(since) { 3.0 } else { daily(hour) };
    for days in [12, 29] {
        let before = past(days, daily).usual_at(NOW, Floor::COUNT).unwrap();
        for since in [1, 5, 30] {
            let usual = past(days, fallen(since)).usual_at(NOW, Floor::COUNT).unwrap();
            assert_eq!(usual.standing(3.0), Standing::Below, "{since} h into it: {usual:?}");
            assert!(usual.low > before.low * 0.9, "{since} h into it: {usual:?}");
        }
    }
}

#[test]
fn one_bad_week_of_four_does_not_widen_the_band() {
    let bad_week = |hour: i64| if (ago(9 * 24)..ago(5 * 24)).contains(&hour) { 0.0 } else { daily(hour) };
    let (calm, hurt) = (past(29, daily), past(29, bad_week));
    let (calm, hurt) = (calm.usual_at(NOW, Floor::COUNT).unwrap(), hurt.usual_at(NOW, Floor::COUNT).unwrap());
    assert_eq!(hurt.season, Season::HourOfWeek);
    assert!((calm.median - hurt.median).abs() <= 2.0 && hurt.low > 170.0, "{calm:?} {hurt:?}");
}

#[test]
fn a_figure_that_stood_still_leaves_room_for_a_step() {
    let still = past(29, |_| 10.0).usual_at(NOW, Floor::COUNT).unwrap();
    assert_eq!((still.low, still.high), (8.5, 11.5));
    let nothing = past(29, |_| 0.0).usual_at(NOW, Floor::COUNT).unwrap();
    assert_eq!((nothing.low, nothing.high), (0.0, 1.5));
    let large = past(29, |_| 2_000.0).usual_at(NOW, Floor::COUNT).unwrap();
    assert_eq!((large.low, large.high), (1_880.0, 2_120.0));
}

#[test]
fn a_rate_over_few_minutes_is_allowed_its_chance() {
    let ten = past(29, |_| 10.0);
    let usual = ten.usual_at(NOW, Floor::rate(15.0)).unwrap();
    assert!(usual.low > 7.0 && usual.low < 8.0 && usual.high > 12.0 && usual.high < 13.0, "{usual:?}");
    let longer = ten.usual_at(NOW, Floor::rate(240.0)).unwrap();
    assert!(longer.low > usual.low && longer.high < usual.high, "{longer:?}");
}

#[test]
fn the_band_moves_on_within_the_hour() {
    let history = past(29, daily);
    let at = |minutes: i64| history.usual_at(NOW.plus_ms(minutes * 60_000), Floor::COUNT).unwrap().median;
    assert!((at(30) - at(0) - 5.0).abs() < 1.5, "half of the way to the next hour: {} {}", at(0), at(30));
    assert!(at(0) < at(15) && at(15) < at(45));
}

proptest! {
    #[test]
    fn the_band_holds_its_median_and_is_never_negative_for_counts(
        values in prop::collection::vec(prop::option::of(0.0_f64..1e6), 0..1_000),
        minutes in 0_i64..60_000,
    ) {
        let values = values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        let history = History::new(NOW.plus_ms(-30 * DAY_HOURS * HOUR_MS), values);
        if let Ok(usual) = history.usual_at(NOW.plus_ms(minutes * 60_000), Floor::COUNT) {
            prop_assert!(usual.low >= 0.0 && usual.low <= usual.median && usual.median <= usual.high);
            prop_assert!(usual.learnt_from >= 3);
        }
    }
}
