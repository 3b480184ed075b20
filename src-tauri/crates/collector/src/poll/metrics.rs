//! CloudWatch: which series exist, their newest samples and their history, within the daily cap.

use std::collections::BTreeSet;

use liftdeck_gateway::{GatewayError, MetricRequest, Reader as Gateway};
use liftdeck_model::metric::{MetricSample, MetricSeries, MetricSource};
use liftdeck_model::observation::{Observation, PollKind, PollSubject};
use liftdeck_store::UsageRecord;

use super::{Outcome, Poller, Seen};
use crate::metrics::book::{Pace, Request};
use crate::metrics::selection;
use crate::trouble::Trouble;

/// Name of the task that reads history; the task for the newest samples has an empty name.
pub(crate) const HISTORY: &str = "history";

/// New metrics are listed up to 15 minutes late (AWS: ListMetrics), so nothing is gained by listing more often.
const DISCOVER_AFTER_MS: i64 = 900_000;
/// History requests in one poll; few, so that newer samples get their turn in between.
const HISTORY_A_POLL: usize = 4;

/// A request that has already been counted.
pub(super) struct Taken {
    pub(super) request: Request,
    /// The request in the form the gateway takes.
    asked: Vec<MetricRequest>,
    /// Number of metrics it is expected to be billed for.
    counted: u64,
}

impl Poller {
    pub(super) async fn metrics(&self, resource: &str, aws: &Gateway) -> Result<Outcome, Trouble> {
        if !self.policy.enabled {
            return Ok(Outcome::Idle);
        }
        let begun = self.now();
        let subject = PollSubject { kind: PollKind::Metrics, resource: resource.to_owned() };
        let mut seen =
            if resource == HISTORY { self.read_history(aws).await? } else { self.read_recent(aws).await? };
        let (done, total) = self.history_progress();
        if resource == HISTORY {
            // A ledger line for history means that all of it was read, so none is written before that.
            seen.idle = seen.failure.is_none() && (done < total || total == 0);
        }
        self.record(&subject, begun, seen).await
    }

    async fn read_recent(&self, aws: &Gateway) -> Result<Seen, Trouble> {
        let mut seen = Seen::idle();
        let discovered_at = self.metrics.lock().discovered_at();
        if discovered_at.is_none_or(|at| self.now().since_ms(at) >= DISCOVER_AFTER_MS) {
            seen.note(self.discover(aws).await?);
            seen.idle = false;
        }
        loop {
            let now = self.now();
            let pace = self.series_pace();
            let Some(taken) = self.take(|most| self.metrics.lock().recent(&pace, most, now)) else { break };
            seen.idle = false;
            if let Some(failure) = self.read_samples(aws, &taken).await? {
                seen.note(Some(failure));
                break;
            }
            self.metrics.lock().recent_read(&taken.request, now);
        }
        if seen.failure.is_none() {
            self.read_on_demand(aws, &mut seen).await?;
        }
        Ok(seen)
    }

    async fn read_history(&self, aws: &Gateway) -> Result<Seen, Trouble> {
        let mut seen = Seen::default();
        for _ in 0..HISTORY_A_POLL {
            let Some(taken) = self.take(|most| self.metrics.lock().history(most)) else { break };
            if let Some(failure) = self.read_samples(aws, &taken).await? {
                seen.note(Some(failure));
                break;
            }
            self.metrics.lock().history_read(&taken.request);
        }
        Ok(seen)
    }

    /// Lists the published series and adds those that are kept. Returns the failure that broke off the listing, if
    /// any.
    async fn discover(&self, aws: &Gateway) -> Result<Option<GatewayError>, Trouble> {
        let reading = aws.list_metrics(false).await;
        let (mut listed, mut offered) = (BTreeSet::new(), BTreeSet::new());
        for metric in reading.items {
            let kept = selection::statistic_of(&metric.name, &metric.dimensions);
            let on_demand = || selection::on_demand(&metric.name, &metric.dimensions);
            let Some(statistic) = kept.or_else(on_demand) else { continue };
            let series = MetricSeries {
                region: self.region.clone(),
                source: MetricSource::CloudWatch,
                statistic: statistic.to_owned(),
                name: metric.name,
                dimensions: metric.dimensions,
            };
            if kept.is_some() { &mut listed } else { &mut offered }.insert(series);
        }
        self.demand.lock().offer(offered, reading.complete);
        let history = PollSubject { kind: PollKind::Metrics, resource: HISTORY.to_owned() };
        let complete =
            self.store.poll(&self.region, &history).is_some_and(|line| line.confirmed_at.is_some());
        let new: Vec<MetricSeries> = {
            let book = self.metrics.lock();
            listed.iter().filter(|series| !book.knows(series)).cloned().collect()
        };
        let now = self.now();
        for series in new {
            let coverage = self.store.metric_coverage(&series).await?;
            let days = self.policy.backfill_days;
            self.metrics.lock().add(series, coverage, complete, days, now);
        }
        if reading.complete {
            self.metrics.lock().discovered(&listed, now);
        }
        Ok(reading.failure)
    }

    /// Chooses a request and counts it at once, so that two Regions together cannot exceed the cap.
    pub(super) fn take(&self, choose: impl FnOnce(u64) -> Option<Request>) -> Option<Taken> {
        let mut meter = self.meter.lock();
        let request = choose(meter.left(self.now()))?;
        let asked = asked(&request);
        let counted = liftdeck_gateway::metrics_billed(&asked);
        meter.count(counted, self.now());
        Some(Taken { request, asked, counted })
    }

    /// Requests samples, settles their cost and writes them. Returns the failure that broke it off, if any.
    pub(super) async fn read_samples(
        &self,
        aws: &Gateway,
        taken: &Taken,
    ) -> Result<Option<GatewayError>, Trouble> {
        let Taken { request, asked, counted } = taken;
        let reading = aws.metric_data(asked).await;
        self.meter.lock().settle(*counted, reading.metrics_requested, self.now());
        if reading.metrics_requested > 0 {
            let usage = UsageRecord { at: self.now(), metrics_requested: reading.metrics_requested };
            self.writer.record_usage(usage).await?;
        }
        let samples: Vec<Observation> = reading
            .series
            .into_iter()
            .filter(|found| !found.samples.is_empty())
            .map(|found| {
                let samples = per_minute(&found.series, found.samples, request.window.period_s);
                Observation::MetricSamples(found.series, samples)
            })
            .collect();
        if !samples.is_empty() {
            self.apply(samples).await?;
        }
        Ok(reading.failure)
    }

    fn series_pace(&self) -> Pace {
        let focus = self.focus();
        let series = self.metrics.lock().len().saturating_mul(self.regions);
        Pace {
            on_screen: focus.metrics.then(|| focus.fleets.iter().map(|id| id.as_str().to_owned()).collect()),
            on_screen_ms: self.metrics_pace.on_screen_ms,
            otherwise_ms: self.meter.lock().sustainable_ms(series, self.metrics_pace.otherwise_ms),
        }
    }
}

/// Converts sums over a longer period to sums per minute, so that a series means the same throughout.
fn per_minute(series: &MetricSeries, mut samples: Vec<MetricSample>, period_s: i32) -> Vec<MetricSample> {
    if period_s > 60 && selection::adds_up(&series.statistic) {
        let minutes = f64::from(period_s) / 60.0;
        for sample in &mut samples {
            sample.value /= minutes;
        }
    }
    samples
}

/// Converts a request to the form the gateway takes.
fn asked(request: &Request) -> Vec<MetricRequest> {
    let asked = |series: &MetricSeries| MetricRequest {
        series: series.clone(),
        period_seconds: request.window.period_s,
        range: request.window.range(),
    };
    request.series.iter().map(asked).collect()
}
