//! The metrics of a fleet that are read only while its Metrics tab is on screen, within the daily cap.

use liftdeck_gateway::Reader as Gateway;
use liftdeck_model::metric::MetricSeries;
use liftdeck_model::observation::Observation;

use super::{Poller, Seen};
use crate::metrics::book::Pace;
use crate::options::EveryMetric;
use crate::trouble::Trouble;

impl Poller {
    /// Reads the newest samples of the metrics on screen, then their history while they stay on screen.
    pub(super) async fn read_on_demand(&self, aws: &Gateway, seen: &mut Seen) -> Result<(), Trouble> {
        let Some(shown) = self.every_metric() else { return Ok(()) };
        self.begin(&shown).await?;
        // They cost as much as those kept for everyone, so they come no more often.
        let interval_ms = self.metrics_pace.otherwise_ms;
        let pace = Pace { on_screen: None, on_screen_ms: interval_ms, otherwise_ms: interval_ms };
        while self.every_metric().as_ref() == Some(&shown) {
            let now = self.now();
            let recent = self.take(|most| self.demand.lock().book(&shown).recent(&pace, most, now));
            let is_recent = recent.is_some();
            let taken = recent.or_else(|| self.take(|most| self.demand.lock().book(&shown).history(most)));
            let Some(taken) = taken else { break };
            seen.idle = false;
            if let Some(failure) = self.read_samples(aws, &taken).await? {
                seen.note(Some(failure));
                break;
            }
            let mut demand = self.demand.lock();
            match is_recent {
                true => demand.book(&shown).recent_read(&taken.request, now),
                false => demand.book(&shown).history_read(&taken.request),
            }
        }
        Ok(())
    }

    /// Begins to read what is new on screen. The store learns at once that it exists, whatever the cap allows to read.
    async fn begin(&self, shown: &EveryMetric) -> Result<(), Trouble> {
        let new: Vec<MetricSeries> = self.demand.lock().not_begun(shown);
        if new.is_empty() {
            return Ok(());
        }
        let listed = new.iter().map(|series| Observation::MetricSamples(series.clone(), Vec::new()));
        self.apply(listed.collect()).await?;
        let now = self.now();
        for series in new {
            let coverage = self.store.metric_coverage(&series).await?;
            self.demand.lock().book(shown).add(series, coverage, false, self.policy.backfill_days, now);
        }
        Ok(())
    }

    fn every_metric(&self) -> Option<EveryMetric> {
        self.focus().every_metric.clone().filter(|shown| shown.region == self.region)
    }
}
