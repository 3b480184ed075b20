//! `GetMetricData`: up to 500 metrics, in pages of data points.
//!
//! Metric math is not simulated and is refused.

use std::collections::BTreeSet;

use super::statistic::{Question, Statistic, UNIT, check_period};
use super::{DimensionInput, TEXT_255, ill_combined, invalid, read};
use crate::operation::Call;
use crate::page::Page;
use crate::service::ServiceError;
use crate::wire::{At, Bool, Integer, Items, Nested, Text, Time, Writer, input, structure};

/// The most queries in a call.
const MAX_QUERIES: usize = 500;

/// The most data points in a page.
const MAX_POINTS: i64 = 100_800;

static ID: Text = Text::matching(1, 255, "^[a-z][a-zA-Z0-9_]*$");
static SCAN: Text = Text::one_of(&["TimestampDescending", "TimestampAscending"]);

input! {
    struct MetricInput {
        namespace: Option<String> = optional("Namespace", TEXT_255),
        name: Option<String> = optional("MetricName", TEXT_255),
        dimensions: Option<Vec<DimensionInput>> =
            optional("Dimensions", Items { each: &Nested::<DimensionInput>::new(), min: 0, max: 30 }),
    }

    struct StatInput {
        metric: MetricInput = required("Metric", Nested::<MetricInput>::new()),
        period_s: i64 = required("Period", Integer::between(1, 86_400 * 365)),
        stat: String = required("Stat", Text::any()),
        unit: Option<String> = optional("Unit", UNIT),
    }

    struct QueryInput {
        id: String = required("Id", ID),
        stat: Option<StatInput> = optional("MetricStat", Nested::<StatInput>::new()),
        expression: Option<String> = optional("Expression", Text::length(1, 2048)),
        label: Option<String> = optional("Label", Text::any()),
        wanted: Option<bool> = optional("ReturnData", Bool),
    }

    struct DataInput {
        queries: Vec<QueryInput> =
            required("MetricDataQueries", Items { each: &Nested::<QueryInput>::new(), min: 1, max: MAX_QUERIES }),
        start_ms: i64 = required("StartTime", Time),
        end_ms: i64 = required("EndTime", Time),
        token: Option<String> = optional("NextToken", Text::any()),
        scan: Option<String> = optional("ScanBy", SCAN),
        most: Option<i64> = optional("MaxDatapoints", Integer::between(1, i64::MAX)),
    }
}

/// A query that has been checked.
struct Query<'a> {
    input: &'a QueryInput,
    stat: &'a StatInput,
    statistic: Statistic,
}

/// The part of a query's result that is on one page.
struct Part {
    id: String,
    label: String,
    points: Vec<(i64, f64)>,
    complete: bool,
}

structure!(Part, part, {
    "Id" => part.id,
    "Label" => part.label,
    "Timestamps" => part.points.iter().map(|(at_ms, _)| At(*at_ms)).collect::<Vec<_>>(),
    "Values" => part.points.iter().map(|(_, value)| *value).collect::<Vec<f64>>(),
    "StatusCode" => if part.complete { "Complete" } else { "PartialData" },
});

fn check(input: &DataInput) -> Result<Vec<Query<'_>>, ServiceError> {
    if input.start_ms >= input.end_ms {
        return Err(ill_combined("The parameter StartTime must be less than the parameter EndTime."));
    }
    let mut seen = BTreeSet::new();
    let mut queries = Vec::new();
    for query in &input.queries {
        if !seen.insert(&query.id) {
            return Err(invalid(format!("The id {} is used more than once.", query.id)));
        }
        let stat = match (&query.stat, &query.expression) {
            (Some(stat), None) => stat,
            (None, Some(_)) => {
                return Err(invalid(format!("The expression of {} is not supported.", query.id)));
            }
            _ => return Err(ill_combined("Exactly one of MetricStat and Expression must be specified.")),
        };
        check_period(stat.period_s)?;
        let statistic = Statistic::read(&stat.stat)?;
        if query.wanted != Some(false) {
            queries.push(Query { input: query, stat, statistic });
        }
    }
    Ok(queries)
}

fn points(call: &Call<'_>, input: &DataInput, query: &Query<'_>) -> Vec<(i64, f64)> {
    let metric = &query.stat.metric;
    let question = Question {
        namespace: metric.namespace.as_deref(),
        name: metric.name.as_deref().unwrap_or_default(),
        dimensions: metric.dimensions.as_deref(),
        unit: query.stat.unit.as_deref(),
        period_s: query.stat.period_s,
        start_ms: input.start_ms,
        end_ms: input.end_ms,
    };
    let mut points = question.answer(call, query.statistic);
    if input.scan.as_deref() != Some("TimestampAscending") {
        points.reverse();
    }
    points
}

/// Answers `GetMetricData`. A page holds at most `MaxDatapoints` points. Its cursor holds the query where it stopped
/// and how many points of that query have already been returned. Queries it did not reach are listed as partial,
/// without points.
pub(super) fn get(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: DataInput = read(call)?;
    let queries = check(&input)?;
    let cursor = call.cursor(input.token.as_deref(), "InvalidNextToken")?;
    let (first, skip) = cursor
        .as_deref()
        .and_then(|cursor| cursor.split_once(' '))
        .and_then(|(query, skip)| Some((query.parse().ok()?, skip.parse().ok()?)))
        .unwrap_or((0_usize, 0_usize));
    let mut room = usize::try_from(input.most.unwrap_or(MAX_POINTS).min(MAX_POINTS)).unwrap_or_default();
    let mut page = Page { items: Vec::new(), cursor: None };
    for (at, query) in queries.iter().enumerate().skip(first) {
        let label = query.input.label.clone().or_else(|| query.stat.metric.name.clone()).unwrap_or_default();
        let mut part = Part { id: query.input.id.clone(), label, points: Vec::new(), complete: false };
        if page.cursor.is_none() {
            let before = if at == first { skip } else { 0 };
            let mut rest: Vec<_> = points(call, &input, query).into_iter().skip(before).collect();
            part.complete = rest.len() <= room;
            rest.truncate(room);
            room -= rest.len();
            if !part.complete {
                page.cursor = Some(format!("{at} {}", before + rest.len()));
            }
            part.points = rest;
        }
        page.items.push(part);
    }
    let token = call.next_token(&page);
    writer.open_map();
    writer.member("MetricDataResults", &page.items);
    writer.member("NextToken", &token);
    writer.close_map();
    Ok(())
}
