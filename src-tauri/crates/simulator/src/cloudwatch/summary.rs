//! `GetMetricStatistics`: several statistics of one metric, as datapoints in no guaranteed order.

use std::collections::BTreeMap;

use super::statistic::{Question, Statistic, UNIT, check_period, unit};
use super::{DimensionInput, TEXT_255, ill_combined, read};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{At, Integer, Items, Nested, Pairs, Text, Time, Wire, Writer, in_place, input, structure};

/// The most datapoints in a response (CloudWatch API reference, GetMetricStatistics).
const MAX_POINTS: i64 = 1_440;

static STATISTIC: Text = Text::one_of(&["SampleCount", "Average", "Sum", "Minimum", "Maximum"]);
static STATISTICS: Items<'_, Text> = Items { each: &STATISTIC, min: 1, max: 5 };
static EXTENDED: Text = Text::any();

input! {
    struct StatisticsInput {
        namespace: String = required("Namespace", TEXT_255),
        name: String = required("MetricName", TEXT_255),
        dimensions: Option<Vec<DimensionInput>> =
            optional("Dimensions", Items { each: &Nested::<DimensionInput>::new(), min: 0, max: 30 }),
        start_ms: i64 = required("StartTime", Time),
        end_ms: i64 = required("EndTime", Time),
        period_s: i64 = required("Period", Integer::between(1, i32::MAX as i64)),
        statistics: Option<Vec<String>> = optional("Statistics", STATISTICS),
        extended: Option<Vec<String>> =
            optional("ExtendedStatistics", Items { each: &EXTENDED, min: 1, max: 10 }),
        unit: Option<String> = optional("Unit", UNIT),
    }
}

/// The statistics of one period.
#[derive(Debug, Default)]
struct Datapoint {
    start_ms: i64,
    unit: &'static str,
    sample_count: Option<f64>,
    average: Option<f64>,
    sum: Option<f64>,
    minimum: Option<f64>,
    maximum: Option<f64>,
    extended: Vec<(String, f64)>,
}

structure!(Datapoint, point, {
    "Timestamp" => At(point.start_ms),
    "SampleCount" => point.sample_count,
    "Average" => point.average,
    "Sum" => point.sum,
    "Minimum" => point.minimum,
    "Maximum" => point.maximum,
    "Unit" => point.unit,
    "ExtendedStatistics" => (!point.extended.is_empty()).then_some(Pairs(&point.extended)),
});

impl Datapoint {
    fn set(&mut self, name: &str, statistic: Statistic, value: f64) {
        match statistic {
            Statistic::SampleCount => self.sample_count = Some(value),
            Statistic::Average => self.average = Some(value),
            Statistic::Sum => self.sum = Some(value),
            Statistic::Minimum => self.minimum = Some(value),
            Statistic::Maximum => self.maximum = Some(value),
            Statistic::Percentile(_) => self.extended.push((name.to_owned(), value)),
        }
    }
}

fn check(input: &StatisticsInput) -> Result<(), ServiceError> {
    if input.start_ms >= input.end_ms {
        return Err(ill_combined("The parameter StartTime must be less than the parameter EndTime."));
    }
    if input.statistics.is_some() == input.extended.is_some() {
        return Err(ill_combined("Exactly one of Statistics and ExtendedStatistics must be specified."));
    }
    check_period(input.period_s)?;
    let points = (input.end_ms - input.start_ms) / 1_000 / input.period_s;
    if points > MAX_POINTS {
        return Err(ill_combined(&format!(
            "You have requested up to {points} datapoints, which exceeds the limit of {MAX_POINTS}. You may reduce the \
             datapoints requested by increasing Period, or decreasing the time range."
        )));
    }
    Ok(())
}

/// Answers `GetMetricStatistics`.
pub(super) fn get(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: StatisticsInput = read(call)?;
    check(&input)?;
    let question = Question {
        namespace: Some(&input.namespace),
        name: &input.name,
        dimensions: input.dimensions.as_deref(),
        unit: input.unit.as_deref(),
        period_s: input.period_s,
        start_ms: input.start_ms,
        end_ms: input.end_ms,
    };
    let mut points: BTreeMap<i64, Datapoint> = BTreeMap::new();
    for name in input.statistics.iter().chain(&input.extended).flatten() {
        let statistic = Statistic::read(name)?;
        for (start_ms, value) in question.answer(call, statistic) {
            let new = || Datapoint { start_ms, unit: unit(&input.name), ..Datapoint::default() };
            points.entry(start_ms).or_insert_with(new).set(name, statistic, value);
        }
    }
    let points: Vec<Datapoint> = points.into_values().collect();
    in_place!({ "Label" => input.name, "Datapoints" => points }).write(writer);
    Ok(())
}
