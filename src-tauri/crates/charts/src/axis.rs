//! Positions and labels of the ticks on an axis. Pure.

use liftdeck_model::Timestamp;
use liftdeck_model::time::{DAY_MS, HOUR_MS, MINUTE_MS, TimeRange};

/// Distances between ticks that are easy to read.
const STEPS_MS: [i64; 15] = [
    MINUTE_MS,
    2 * MINUTE_MS,
    5 * MINUTE_MS,
    10 * MINUTE_MS,
    15 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    3 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
    DAY_MS,
    2 * DAY_MS,
    7 * DAY_MS,
    30 * DAY_MS,
];

/// Ticks of a time axis in UTC: time and label, at most `most`.
pub(crate) fn time_ticks(range: TimeRange, most: i64) -> Vec<(Timestamp, String)> {
    let fits = |step: &&i64| range.length_ms() / **step <= most.max(1);
    let step = STEPS_MS.iter().find(fits).copied().unwrap_or(30 * DAY_MS);
    let first = range.from.plus_ms(step - 1).floor_to_ms(step);
    let ticks =
        (0..=most.max(1)).map(|index| first.plus_ms(index * step)).take_while(|tick| *tick <= range.to);
    ticks.map(|tick| (tick, label(tick, step))).collect()
}

fn label(tick: Timestamp, step: i64) -> String {
    let Ok(moment) = jiff::Timestamp::from_millisecond(tick.as_ms()) else { return String::new() };
    let is_midnight = tick.as_ms().rem_euclid(DAY_MS) == 0;
    let form = if step >= DAY_MS || is_midnight { "%b %-d" } else { "%H:%M" };
    moment.strftime(form).to_string()
}

/// A time as shown in a subtitle: `2026-03-04 10:15`.
pub(crate) fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.as_ms())
        .map_or_else(|_| String::new(), |moment| moment.strftime("%Y-%m-%d %H:%M").to_string())
}

/// The width of a bucket as text, in one unit: `30 min`, `1 h`, `2 d`. Buckets are at least a minute wide.
pub(crate) fn width(bucket_ms: i64) -> String {
    let fits = |(unit_ms, _): &&(i64, &str)| bucket_ms % unit_ms == 0;
    let (unit_ms, unit) =
        [(DAY_MS, "d"), (HOUR_MS, "h")].iter().find(fits).copied().unwrap_or((MINUTE_MS, "min"));
    format!("{} {unit}", bucket_ms / unit_ms)
}

/// The top of a scale and its ticks: round numbers, two or three of them below the top.
pub(crate) fn value_ticks(greatest: f64) -> (f64, Vec<f64>) {
    let greatest = if greatest.is_finite() && greatest > 0.0 { greatest } else { 1.0 };
    let top = greatest * 1.12;
    let rough = greatest / 2.0;
    let power = 10_f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .rfind(|step| *step <= rough * 1.0001);
    let step = round.unwrap_or(power);
    let ticks =
        (1_i32..=4).map(|index| f64::from(index) * step).take_while(|tick| *tick < top * 0.96).collect();
    (top, ticks)
}

/// A number as shown in a legend: with thousands separators, and a decimal only if it matters.
pub(crate) fn number(value: f64) -> String {
    let decimals = value.fract().abs() > 0.05 && value.abs() < 100.0;
    let text = if decimals { format!("{value:.1}") } else { format!("{value:.0}") };
    let (whole, fraction) =
        text.split_once('.').map_or((text.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    fraction.map_or_else(|| format!("{sign}{grouped}"), |fraction| format!("{sign}{grouped}.{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_stand_on_round_times_and_are_few() {
        let from: Timestamp = Timestamp::from_ms(1_772_618_400_000 + 5 * MINUTE_MS);
        let ticks = time_ticks(TimeRange::new(from, from.plus_ms(3 * HOUR_MS)), 8);
        let labels: Vec<_> = ticks.iter().map(|(_, label)| label.as_str()).collect();
        assert_eq!(labels, ["10:30", "11:00", "11:30", "12:00", "12:30", "13:00"]);
        let days = time_ticks(TimeRange::new(from, from.plus_ms(5 * DAY_MS)), 8);
        assert_eq!(days[0].1, "Mar 5");
        for hours in 1..2_000 {
            assert!(time_ticks(TimeRange::new(from, from.plus_ms(hours * HOUR_MS)), 8).len() <= 9);
        }
    }

    #[test]
    fn scales_have_round_ticks_below_their_top() {
        for (greatest, ticks) in
            [(40.0, vec![20.0, 40.0]), (100.0, vec![50.0, 100.0]), (7.0, vec![2.5, 5.0, 7.5])]
        {
            assert_eq!(value_ticks(greatest).1, ticks, "{greatest}");
        }
        assert!(!value_ticks(0.0).1.is_empty() && !value_ticks(f64::NAN).1.is_empty());
    }

    #[test]
    fn numbers_read_at_a_glance() {
        assert_eq!(number(1_507.0), "1,507");
        assert_eq!(number(18.24), "18.2");
        assert_eq!(number(-1_234_567.0), "-1,234,567");
        assert_eq!(number(20.0), "20");
        let widths = [2 * MINUTE_MS, 90 * MINUTE_MS, 3 * HOUR_MS, 2 * DAY_MS];
        assert_eq!(widths.map(width), ["2 min", "90 min", "3 h", "2 d"]);
    }
}
