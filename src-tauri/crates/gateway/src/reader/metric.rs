//! CloudWatch: which metrics exist, and their values in as few billed requests as possible.
//!
//! Owns batching: at most 500 queries and one page of samples per call, so that no call needs a second page and no
//! metric is billed twice. Deliberately enforces no cost budget; it only counts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use aws_sdk_cloudwatch::error::SdkError;
use aws_sdk_cloudwatch::operation::get_metric_data::GetMetricDataOutput;
use aws_sdk_cloudwatch::primitives::DateTime;
use aws_sdk_cloudwatch::types::{
    Dimension, Metric, MetricDataQuery, MetricDataResult, MetricStat, RecentlyActive, ScanBy, StatusCode,
};
use liftdeck_model::metric::{MetricSample, MetricSeries};
use liftdeck_model::time::TimeRange;

use super::Reader;
use crate::error::{ErrorKind, GatewayError};
use crate::mapping::{Lacks, moment};
use crate::page::{PageOf, PageToken, Reading};
use crate::rate::{OLDER_SAMPLES_PER_SECOND, RECENT_SAMPLES_PER_SECOND};
use batch::batches;

mod batch;

pub use batch::metrics_billed;

const NAMESPACE: &str = "AWS/GameLift";
const OPERATION: &str = "GetMetricData";

/// A metric that CloudWatch has, with dimensions sorted by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetricId {
    /// Name, such as `ActiveInstances`.
    pub name: String,
    /// Dimensions sorted by name.
    pub dimensions: Vec<(String, String)>,
}

/// What to read of one series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricRequest {
    /// Series, including the statistic to read.
    pub series: MetricSeries,
    /// Width of a sample in seconds: 60 or a multiple of it.
    pub period_seconds: i32,
    /// Window; CloudWatch rounds its start down to the resolution it still keeps.
    pub range: TimeRange,
}

/// The samples of one series.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricSeriesSamples {
    /// Series.
    pub series: MetricSeries,
    /// Samples, ascending in time; periods without data have none.
    pub samples: Vec<MetricSample>,
    /// Whether CloudWatch returned all it has for the window.
    pub complete: bool,
}

/// The result of a list of requests.
#[derive(Clone, Debug)]
pub struct MetricReading {
    /// One entry per request, in the order of the requests.
    pub series: Vec<MetricSeriesSamples>,
    /// Why some of it is not complete.
    pub failure: Option<GatewayError>,
    /// Metrics requested, counted as they are billed; includes failed attempts that may have been billed.
    pub metrics_requested: u64,
}

impl Reader {
    /// Every GameLift metric that CloudWatch lists: those with data in the last two weeks or, if `recently_active`,
    /// in the last three hours.
    pub async fn list_metrics(&self, recently_active: bool) -> Reading<MetricId> {
        let recent = recently_active.then_some(RecentlyActive::Pt3H);
        let request =
            self.site.clients.cloudwatch.list_metrics().namespace(NAMESPACE).set_recently_active(recent);
        self.list(
            "ListMetrics",
            None,
            |token| request.clone().set_next_token(token).send(),
            |answer| (answer.metrics, answer.next_token),
            metric_id,
        )
        .await
    }

    /// Samples of each request, batched. After a failure the remaining batches are not requested.
    pub async fn metric_data(&self, requests: &[MetricRequest]) -> MetricReading {
        let requested = AtomicU64::new(0);
        let mut reading = MetricReading {
            series: requests
                .iter()
                .map(|request| MetricSeriesSamples {
                    series: request.series.clone(),
                    samples: Vec::new(),
                    complete: false,
                })
                .collect(),
            failure: None,
            metrics_requested: 0,
        };
        for batch in batches(requests) {
            let failure = self.metric_batch(requests, &batch, &mut reading.series, &requested).await.err();
            reading.failure = reading.failure.or(failure);
            if reading.failure.is_some() {
                break;
            }
        }
        reading.metrics_requested = requested.into_inner();
        reading
    }

    /// Makes one call, and reads further pages if CloudWatch splits the response.
    async fn metric_batch(
        &self,
        requests: &[MetricRequest],
        batch: &[usize],
        series: &mut [MetricSeriesSamples],
        requested: &AtomicU64,
    ) -> Result<(), GatewayError> {
        let members: Vec<&MetricRequest> = batch.iter().filter_map(|index| requests.get(*index)).collect();
        let Some(range) = members.first().map(|request| request.range) else { return Ok(()) };
        let queries = members.iter().enumerate().map(|(position, request)| query(position, request));
        let request = self
            .site
            .clients
            .cloudwatch
            .get_metric_data()
            .start_time(DateTime::from_millis(range.from.as_ms()))
            .end_time(DateTime::from_millis(range.to.as_ms()))
            .scan_by(ScanBy::TimestampAscending)
            .set_metric_data_queries(Some(queries.collect()));
        let billed = metrics_billed(members.iter().copied());
        let samples = members.iter().map(|request| batch::samples_of(request)).sum::<i64>().unsigned_abs();
        self.site.proven.wire.budget.pace_samples(samples, samples_per_second(range)).await;
        let mut token: Option<PageToken> = None;
        loop {
            let next = token.as_ref().map(|token| token.text().to_owned());
            let answer = self
                .ask(OPERATION, None, || {
                    let send = request.clone().set_next_token(next.clone()).send();
                    async {
                        self.count(billed, requested);
                        let outcome = send.await;
                        if outcome.as_ref().is_err_and(certainly_not_billed) {
                            self.discount(billed, requested);
                        }
                        outcome
                    }
                })
                .await?;
            let next = answer.next_token.clone();
            self.take(answer, batch, series)?;
            let page = PageOf::<()>::new(Vec::new(), token, next, |message| {
                self.site.proven.error(ErrorKind::Decode, OPERATION, None, message)
            });
            if let Some(flaw) = page.flaw {
                return Err(flaw);
            }
            token = page.next;
            if token.is_none() {
                return Ok(());
            }
        }
    }

    /// Adds the samples of a page to their series.
    fn take(
        &self,
        answer: GetMetricDataOutput,
        batch: &[usize],
        series: &mut [MetricSeriesSamples],
    ) -> Result<(), GatewayError> {
        let by_id: HashMap<String, usize> =
            batch.iter().enumerate().map(|(position, index)| (query_id(position), *index)).collect();
        for result in answer.metric_data_results.unwrap_or_default() {
            let Some(found) =
                result.id.as_ref().and_then(|id| by_id.get(id)).and_then(|index| series.get_mut(*index))
            else {
                continue;
            };
            found.complete = result.status_code == Some(StatusCode::Complete);
            if let Some(kind) = failure_of(&result) {
                let message = result.messages.unwrap_or_default();
                let message = message.into_iter().find_map(|message| message.value).unwrap_or_default();
                let name = found.series.name.clone();
                return Err(self.site.proven.error(kind, OPERATION, Some(&name), message));
            }
            let times = result.timestamps.unwrap_or_default();
            let values = result.values.unwrap_or_default();
            if times.len() != values.len() {
                found.complete = false;
                let message = format!("{} times came with {} values", times.len(), values.len());
                let name = found.series.name.clone();
                return Err(self.site.proven.error(ErrorKind::Decode, OPERATION, Some(&name), message));
            }
            let samples = times.into_iter().zip(values).filter(|(_, value)| value.is_finite());
            found.samples.extend(samples.map(|(at, value)| MetricSample { at: moment(at), value }));
            found.samples.sort_by_key(|sample| sample.at);
            found.samples.dedup_by_key(|sample| sample.at);
        }
        Ok(())
    }

    fn count(&self, billed: u64, requested: &AtomicU64) {
        self.site.proven.wire.meter.metrics(billed);
        requested.fetch_add(billed, Ordering::Relaxed);
    }

    fn discount(&self, billed: u64, requested: &AtomicU64) {
        self.site.proven.wire.meter.metrics_refused(billed);
        requested.fetch_sub(billed, Ordering::Relaxed);
    }
}

/// Picks the rate by the length of the window: a window longer than three hours must have begun more than three hours
/// ago.
const fn samples_per_second(range: TimeRange) -> f64 {
    if range.length_ms() > 3 * 3_600_000 { OLDER_SAMPLES_PER_SECOND } else { RECENT_SAMPLES_PER_SECOND }
}

/// Whether CloudWatch refused the request or was not reached. Anything else may be billed. A connection that breaks
/// after the request was sent counts as not reached: otherwise a dead endpoint would use up the day's cap.
fn certainly_not_billed<E>(error: &SdkError<E>) -> bool {
    match error {
        SdkError::ConstructionFailure(_) | SdkError::DispatchFailure(_) => true,
        _ => error.raw_response().is_some_and(|response| response.status().as_u16() >= 300),
    }
}

fn failure_of(result: &MetricDataResult) -> Option<ErrorKind> {
    match &result.status_code {
        Some(StatusCode::Forbidden) => Some(ErrorKind::Denied),
        Some(StatusCode::InternalError) => Some(ErrorKind::Service),
        _ => None,
    }
}

fn query_id(position: usize) -> String {
    format!("q{position}")
}

fn query(position: usize, request: &MetricRequest) -> MetricDataQuery {
    let dimensions = request
        .series
        .dimensions
        .iter()
        .map(|(name, value)| Dimension::builder().name(name).value(value).build());
    let metric = Metric::builder()
        .namespace(NAMESPACE)
        .metric_name(&request.series.name)
        .set_dimensions(Some(dimensions.collect()))
        .build();
    metric_query(position, metric, request.period_seconds, &request.series.statistic)
}

fn metric_query(position: usize, metric: Metric, period_seconds: i32, statistic: &str) -> MetricDataQuery {
    let stat = MetricStat::builder().metric(metric).period(period_seconds).stat(statistic).build();
    MetricDataQuery::builder().id(query_id(position)).metric_stat(stat).return_data(true).build()
}

/// The cheapest query there is: one minute of one metric.
pub(crate) fn metric_probe() -> MetricDataQuery {
    let metric = Metric::builder().namespace(NAMESPACE).metric_name("ActiveInstances").build();
    metric_query(0, metric, 60, "Average")
}

fn metric_id(from: Metric) -> Result<MetricId, Lacks> {
    const RECORD: &str = "a metric";
    let dimensions = from.dimensions.unwrap_or_default().into_iter().map(|dimension| {
        let name = dimension.name.ok_or(Lacks(RECORD, "Dimensions.Name"))?;
        Ok((name, dimension.value.ok_or(Lacks(RECORD, "Dimensions.Value"))?))
    });
    let mut dimensions = dimensions.collect::<Result<Vec<_>, Lacks>>()?;
    dimensions.sort();
    Ok(MetricId { name: from.metric_name.ok_or(Lacks(RECORD, "MetricName"))?, dimensions })
}
