//! The metrics that CloudWatch would have: every metric of fleets, queues and matchmakers, with one point per period.
//!
//! From the time when something is simulated, a point is what the world showed: gauges at the instant a minute began,
//! counts over the minute. A minute in progress is not shown. Before that time (fleets older than the retention
//! period, queues before their present fleets), points come from `past`, a smooth estimate from the same demand
//! curve. The two agree in size and shape, not session by session.
//!
//! Retention is CloudWatch's: 60 s points for 15 days, 300 s for 63, 3600 s for 455. Points of longer periods are
//! computed from the same minutes.

mod hosting;
mod past;
mod routing;

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::fleet::Fleet;
use super::names::mix;
use super::sample::{MINUTE_MS, Sample};
use hosting::HostingMetric;

const DAY_MS: i64 = 24 * 3_600_000;

/// A metric without data for this long is no longer listed.
const LISTED_MS: i64 = 14 * DAY_MS;

/// Longest delay before a new metric is listed.
const LAG_MS: i64 = 15 * MINUTE_MS;

/// Name and dimensions of a metric in the namespace `AWS/GameLift`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MetricIdentity {
    /// `ActiveInstances`, …
    pub name: String,
    /// Dimension names and values, by name.
    pub dimensions: Vec<(String, String)>,
}

/// A metric over one period. All four statistics derive from it (the average is `sum / count`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MetricPoint {
    /// When the period began, epoch milliseconds.
    pub start_ms: i64,
    /// Sum of the samples.
    pub sum: f64,
    /// Smallest sample.
    pub min: f64,
    /// Largest sample.
    pub max: f64,
    /// Number of samples.
    pub count: f64,
}

impl MetricPoint {
    fn one(start_ms: i64, value: f64) -> Self {
        Self { start_ms, sum: value, min: value, max: value, count: 1.0 }
    }

    fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.count += other.count;
    }
}

/// Access to the metrics of the world.
#[derive(Clone, Copy, Debug)]
pub struct Metrics<'a> {
    pub(super) world: &'a World,
}

/// What a set of dimensions identifies.
#[derive(Clone, Debug)]
enum Subject<'a> {
    /// A whole fleet: one sample a minute, the total of its locations.
    Fleet(usize),
    /// One location of a fleet.
    Site(usize, usize),
    /// Fleets of a metric group: one sample for each minute and fleet.
    Group(Vec<usize>),
    Queue(usize),
    Matchmaker(usize),
    Rule(usize, &'a str),
}

impl<'a> Metrics<'a> {
    /// Returns every metric of the region that has data from the last two weeks: fleets alone, fleets by location,
    /// metric groups, queues, matchmakers, rules. A new metric is listed a while after its first data.
    pub fn list(&self, region: &str) -> Vec<MetricIdentity> {
        self.list_since(region, self.world.now_ms - LISTED_MS)
    }

    /// Returns the same for metrics with data from that time (epoch milliseconds) or later.
    pub fn list_since(&self, region: &str, since_ms: i64) -> Vec<MetricIdentity> {
        let mut all = self.known(region);
        // A name that was used again is still one metric.
        let mut seen = BTreeSet::new();
        all.retain(|metric| {
            if !seen.insert(metric.clone()) {
                return false;
            }
            let named = metric.dimensions.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let span =
                self.subject(region, &named.collect::<Vec<_>>()).and_then(|subject| self.span(&subject));
            span.is_some_and(|(first_ms, last_ms)| {
                first_ms + MINUTE_MS + lag_ms(metric) <= self.world.now_ms && last_ms >= since_ms
            })
        });
        all
    }

    /// Returns the first and the last minute of the rows behind a metric, or `None` if there are no rows yet.
    fn span(&self, subject: &Subject<'_>) -> Option<(i64, i64)> {
        let world = self.world;
        let of_site = |fleet: usize, site: usize| {
            let rows = &world.fleets[fleet].sites[site].samples;
            rows.first_ms().zip(rows.last_closed_ms())
        };
        let of_fleet = |fleet: usize| {
            let sites = 0..world.fleets[fleet].sites.len();
            sites.filter_map(|site| of_site(fleet, site)).reduce(both)
        };
        match subject {
            Subject::Site(fleet, site) => of_site(*fleet, *site),
            Subject::Fleet(fleet) => of_fleet(*fleet),
            Subject::Group(fleets) => fleets.iter().filter_map(|fleet| of_fleet(*fleet)).reduce(both),
            Subject::Queue(queue) => {
                let rows = &world.queues[*queue].rows;
                rows.first_ms().zip(rows.last_closed_ms())
            }
            Subject::Matchmaker(maker) | Subject::Rule(maker, _) => {
                let rows = &world.matchmakers[*maker].rows;
                rows.first_ms().zip(rows.last_closed_ms())
            }
        }
    }

    fn known(&self, region: &str) -> Vec<MetricIdentity> {
        let mut all = Vec::new();
        let mut groups: BTreeMap<&str, Vec<&Fleet>> = BTreeMap::new();
        let here = self.world.region(region).map(|(index, _)| index);
        // CloudWatch keeps the metrics of a deleted fleet.
        let fleets = self.world.fleets.iter().filter(|fleet| Some(fleet.region) == here);
        for fleet in fleets.filter(|fleet| fleet.created_ms <= self.world.now_ms) {
            for metric in HostingMetric::of(fleet) {
                all.push(identity(metric.name, &[("FleetId", &fleet.id)]));
                for site in fleet.places() {
                    all.push(identity(metric.name, &[("FleetId", &fleet.id), ("Location", &site.name)]));
                }
            }
            if let Some(group) = &fleet.metric_group {
                groups.entry(group).or_default().push(fleet);
            }
        }
        for (group, fleets) in groups {
            let first = fleets.first().into_iter().flat_map(|fleet| HostingMetric::of(fleet));
            for metric in first.filter(|metric| metric.in_groups()) {
                all.push(identity(metric.name, &[("MetricGroups", group)]));
            }
        }
        self.list_routing(region, &mut all);
        all
    }

    /// Returns the points of a metric, oldest first, for periods that begin from `from_ms` (included, rounded down to
    /// the period) up to `to_ms` (excluded). For a period in progress, the completed minutes are included. Periods
    /// without data, or finer than what is kept at their age, are left out. A metric that does not exist has no
    /// points. `period_s` is rounded down to whole minutes, and is at least one minute.
    pub fn read(
        &self,
        region: &str,
        name: &str,
        dimensions: &[(&str, &str)],
        from_ms: i64,
        to_ms: i64,
        period_s: u32,
    ) -> Vec<MetricPoint> {
        let Some(subject) = self.subject(region, dimensions) else { return Vec::new() };
        let period_ms = (i64::from(period_s) * 1_000).div_euclid(MINUTE_MS).max(1) * MINUTE_MS;
        let now_ms = self.world.now_ms;
        let age_limit_ms = match period_ms {
            ..300_000 => 15 * DAY_MS,
            300_000..3_600_000 => 63 * DAY_MS,
            _ => 455 * DAY_MS,
        };
        let oldest_ms = (now_ms - age_limit_ms).max(self.exists_from_ms(&subject));
        let first_ms = from_ms.max(oldest_ms).div_euclid(period_ms) * period_ms;
        let mut points = Vec::new();
        let mut start_ms = first_ms;
        while start_ms < to_ms && start_ms + MINUTE_MS <= now_ms {
            points.extend(self.period(&subject, name, start_ms, period_ms));
            start_ms += period_ms;
        }
        points
    }

    /// Returns one period of a metric.
    fn period(
        &self,
        subject: &Subject<'_>,
        name: &str,
        start_ms: i64,
        period_ms: i64,
    ) -> Option<MetricPoint> {
        let end_ms = (start_ms + period_ms).min(self.world.now_ms / MINUTE_MS * MINUTE_MS);
        let mut total: Option<MetricPoint> = None;
        let mut at_ms = start_ms;
        while at_ms < end_ms {
            let is_past = self.is_past(subject, at_ms);
            // The estimate of the past is smooth, so in a long period a few minutes stand for the others.
            let weight = match period_ms {
                3_600_000.. if is_past => 15,
                300_000.. if is_past => 5,
                _ => 1,
            };
            if let Some(mut point) = self.minute(subject, name, at_ms, is_past) {
                point.sum *= f64::from(weight);
                point.count *= f64::from(weight);
                point.start_ms = start_ms;
                match &mut total {
                    Some(total) => total.add(&point),
                    None => total = Some(point),
                }
            }
            at_ms += MINUTE_MS * i64::from(weight);
        }
        total
    }

    /// Returns the time before which a metric has no data.
    fn exists_from_ms(&self, subject: &Subject<'_>) -> i64 {
        let fleets = &self.world.fleets;
        match subject {
            Subject::Fleet(fleet) | Subject::Site(fleet, _) => fleets[*fleet].active_ms,
            Subject::Group(members) => {
                members.iter().map(|fleet| fleets[*fleet].active_ms).min().unwrap_or(i64::MIN)
            }
            Subject::Queue(queue) => self.world.queues[*queue].created_ms,
            Subject::Matchmaker(_) | Subject::Rule(..) => i64::MIN,
        }
    }

    fn is_past(&self, subject: &Subject<'_>, at_ms: i64) -> bool {
        let begins_ms = match subject {
            Subject::Fleet(fleet) => self.site_begins_ms(*fleet, 0),
            Subject::Site(fleet, site) => self.site_begins_ms(*fleet, *site),
            Subject::Group(fleets) => fleets.first().and_then(|fleet| self.site_begins_ms(*fleet, 0)),
            Subject::Queue(queue) => self.world.queues[*queue].rows.first_ms(),
            Subject::Matchmaker(maker) | Subject::Rule(maker, _) => {
                self.world.matchmakers[*maker].rows.first_ms()
            }
        };
        begins_ms.is_some_and(|begins_ms| at_ms < begins_ms)
    }

    fn site_begins_ms(&self, fleet: usize, site: usize) -> Option<i64> {
        self.world.fleets[fleet].sites[site].samples.first_ms()
    }

    /// Returns one minute of a metric.
    fn minute(&self, subject: &Subject<'_>, name: &str, at_ms: i64, is_past: bool) -> Option<MetricPoint> {
        match subject {
            Subject::Site(fleet, site) => self.site_minute(*fleet, *site, name, at_ms),
            Subject::Fleet(fleet) => self.fleet_minute(*fleet, name, at_ms),
            Subject::Group(fleets) => {
                let points = fleets.iter().filter_map(|fleet| self.fleet_minute(*fleet, name, at_ms));
                points.reduce(|mut all, one| {
                    all.add(&one);
                    all
                })
            }
            Subject::Queue(queue) if is_past => self.past_queue_minute(*queue, name, at_ms),
            Subject::Queue(queue) => self.queue_minute(*queue, name, at_ms),
            Subject::Matchmaker(maker) if is_past => self.past_matchmaker_minute(*maker, name, at_ms),
            Subject::Matchmaker(maker) => self.matchmaker_minute(*maker, name, at_ms),
            Subject::Rule(maker, rule) => self.rule_minute(*maker, rule, name, at_ms),
        }
    }

    fn site_minute(&self, fleet: usize, site: usize, name: &str, at_ms: i64) -> Option<MetricPoint> {
        let owner = &self.world.fleets[fleet];
        let metric = HostingMetric::of(owner).find(|metric| metric.name == name)?;
        let sample = self.sample(fleet, site, at_ms)?;
        metric.value(owner, &sample, site, at_ms).map(|value| MetricPoint::one(at_ms, value))
    }

    fn fleet_minute(&self, fleet: usize, name: &str, at_ms: i64) -> Option<MetricPoint> {
        let owner = &self.world.fleets[fleet];
        let metric = HostingMetric::of(owner).find(|metric| metric.name == name)?;
        let samples = (0..owner.sites.len()).filter_map(|site| self.sample(fleet, site, at_ms));
        let total = samples.reduce(hosting::together)?;
        metric.value(owner, &total, owner.sites.len(), at_ms).map(|value| MetricPoint::one(at_ms, value))
    }

    /// Returns the sample of a site at that minute, recorded or estimated.
    fn sample(&self, fleet: usize, site: usize, at_ms: i64) -> Option<Sample> {
        let place = &self.world.fleets[fleet].sites[site];
        let rows = &place.samples;
        match rows.first_ms() {
            Some(first_ms) if at_ms < first_ms && place.has_past => self.past_sample(fleet, site, at_ms),
            _ => rows.closed(at_ms).copied(),
        }
    }

    fn subject<'d>(&self, region: &str, dimensions: &[(&'d str, &'d str)]) -> Option<Subject<'d>> {
        let world = self.world;
        let (here, _) = world.region(region)?;
        let value = |name: &str| dimensions.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let fleet = |id: &str| {
            let known =
                |fleet: &Fleet| fleet.region == here && fleet.id == id && fleet.created_ms <= world.now_ms;
            world.fleets.iter().position(known)
        };
        let maker = |name: &str| world.matchmaker_named(here, name);
        match dimensions.len() {
            1 => {
                if let Some(id) = value("FleetId") {
                    fleet(id).map(Subject::Fleet)
                } else if let Some(group) = value("MetricGroups") {
                    let member = |fleet: &Fleet| {
                        fleet.region == here
                            && fleet.created_ms <= world.now_ms
                            && fleet.metric_group.as_deref() == Some(group)
                    };
                    let fleets = world.fleets.iter().enumerate().filter(|(_, fleet)| member(fleet));
                    Some(Subject::Group(fleets.map(|(index, _)| index).collect()))
                } else if let Some(name) = value("QueueName") {
                    let known = |queue: &super::Queue| queue.region == here && queue.record.name == name;
                    world.queues.iter().rposition(known).map(Subject::Queue)
                } else {
                    maker(value("ConfigurationName")?).map(Subject::Matchmaker)
                }
            }
            2 => match (value("FleetId"), value("Location")) {
                (Some(id), Some(location)) => {
                    let fleet = fleet(id)?;
                    let (site, _) = world.fleets[fleet].site(location)?;
                    Some(Subject::Site(fleet, site))
                }
                _ => Some(Subject::Rule(maker(value("ConfigurationName")?)?, value("RuleName")?)),
            },
            _ => None,
        }
    }
}

/// Returns how long after its first data a metric is listed. Each metric has its own delay, which never changes.
fn lag_ms(metric: &MetricIdentity) -> i64 {
    let texts = metric.dimensions.iter().flat_map(|(name, value)| [name, value]);
    let bits = texts
        .chain([&metric.name])
        .fold(0, |bits, text| text.bytes().fold(bits, |bits, byte| mix(bits, byte.into())));
    (bits % LAG_MS as u64) as i64
}

/// Returns the span that covers both.
fn both(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    (one.0.min(other.0), one.1.max(other.1))
}

fn identity(name: &str, dimensions: &[(&str, &str)]) -> MetricIdentity {
    let dimensions = dimensions.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    MetricIdentity { name: name.to_owned(), dimensions: dimensions.collect() }
}
