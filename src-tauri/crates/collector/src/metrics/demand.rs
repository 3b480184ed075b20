//! The metrics that are read only while they are on screen: which there are, and what has been read of them.
//!
//! CloudWatch bills each metric asked for, and most of what it has of a fleet nobody looks at for days. Pure:
//! `poll::on_demand` sends the requests.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::metric::MetricSeries;

use super::book::MetricsBook;
use crate::options::EveryMetric;

/// What is read on demand in a Region. What was read stays known, so that who comes back pays for the time between only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demand {
    offered: BTreeSet<MetricSeries>,
    books: BTreeMap<EveryMetric, MetricsBook>,
}

impl Demand {
    /// Notes which series CloudWatch lists. One that an incomplete list lacks is not taken to be gone.
    pub(crate) fn offer(&mut self, listed: BTreeSet<MetricSeries>, is_complete: bool) {
        if is_complete {
            self.offered = listed;
            for book in self.books.values_mut() {
                book.keep_only(&self.offered);
            }
        } else {
            self.offered.extend(listed);
        }
    }

    /// Series to read for what is on screen that are not yet read.
    pub(crate) fn not_begun(&self, shown: &EveryMetric) -> Vec<MetricSeries> {
        let book = self.books.get(shown);
        let is_new = |series: &&MetricSeries| book.is_none_or(|book| !book.knows(series));
        self.offered.iter().filter(|series| shown.shows(series)).filter(is_new).cloned().collect()
    }

    /// What has been read for what is on screen.
    pub(crate) fn book(&mut self, shown: &EveryMetric) -> &mut MetricsBook {
        self.books.entry(shown.clone()).or_default()
    }
}

impl EveryMetric {
    /// Whether a series belongs to what is shown: to the fleet in the chosen location, or as a whole together with its
    /// metric groups.
    fn shows(&self, series: &MetricSeries) -> bool {
        match series.dimension("FleetId") {
            Some(fleet) => {
                fleet == self.fleet_id.as_str()
                    && series.dimension("Location") == self.location.as_ref().map(|here| here.as_str())
            }
            None => {
                self.location.is_none()
                    && series
                        .dimension("MetricGroups")
                        .is_some_and(|group| self.metric_groups.iter().any(|known| known == group))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Timestamp;
    use liftdeck_model::metric::MetricSource;

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_619_330_000);

    fn series(name: &str, dimensions: &[(&str, &str)]) -> MetricSeries {
        MetricSeries {
            region: "eu-west-1".into(),
            source: MetricSource::CloudWatch,
            name: name.to_owned(),
            dimensions: dimensions.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            statistic: "Average".to_owned(),
        }
    }

    fn shown(location: Option<&str>) -> EveryMetric {
        EveryMetric {
            region: "eu-west-1".into(),
            fleet_id: "fleet-1".into(),
            location: location.map(Into::into),
            metric_groups: vec!["arena".to_owned()],
        }
    }

    fn demand() -> Demand {
        let mut demand = Demand::default();
        let listed = [
            series("CPUUtilization", &[("FleetId", "fleet-1")]),
            series("CPUUtilization", &[("FleetId", "fleet-1"), ("Location", "eu-west-1")]),
            series("CPUUtilization", &[("FleetId", "fleet-1"), ("Location", "us-east-1")]),
            series("CPUUtilization", &[("FleetId", "fleet-2")]),
            series("ActiveInstances", &[("MetricGroups", "arena")]),
            series("ActiveInstances", &[("MetricGroups", "other")]),
        ];
        demand.offer(listed.into(), true);
        demand
    }

    #[test]
    fn only_what_is_on_screen_is_read() {
        let demand = demand();
        let whole = demand.not_begun(&shown(None));
        assert_eq!(whole.len(), 2, "the fleet as a whole and its metric group: {whole:?}");
        let there = demand.not_begun(&shown(Some("us-east-1")));
        assert_eq!(there.len(), 1);
        assert_eq!(there[0].dimension("Location"), Some("us-east-1"));
    }

    #[test]
    fn what_was_begun_is_not_begun_again_and_what_is_gone_is_not_read_on() {
        let mut demand = demand();
        let shown = shown(None);
        for series in demand.not_begun(&shown) {
            demand.book(&shown).add(series, None, false, 15, NOW);
        }
        assert_eq!(demand.not_begun(&shown), []);
        demand.offer(BTreeSet::new(), false);
        assert_eq!(demand.book(&shown).len(), 2, "a list cut off proves nothing");
        demand.offer(BTreeSet::new(), true);
        assert_eq!(demand.book(&shown).len(), 0);
    }
}
