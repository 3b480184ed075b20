//! Reads the values of a rule from the store, by the minute.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::custom_rule::{CustomRule, MetricSubject, QueryPer, RelativeTo, Watched};
use liftdeck_model::query::{Query, QueryError};
use liftdeck_model::series_name::{FigureUnit, SeriesName};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::series::{SeriesRequest, SeriesScope, SeriesTable};
use liftdeck_store::reader::session::past::Matching;
use liftdeck_store::{Reader, StoreError};

use super::standing::{BACK_MS, Point, Seen};
use super::{RuleCourse, RuleSubject, of_all, of_fleet, of_location, of_queue_or_configuration};

/// The distance of two values, in milliseconds: a minute.
pub const STEP_MS: i64 = 60_000;
/// What a share is of if nothing is said: the live game sessions.
const LIVE: &str = "ended:none";

/// The stored past of what a rule is about.
#[derive(Debug)]
pub struct Past<'a> {
    reader: &'a Reader,
    rule: &'a CustomRule,
    fleets: &'a [FleetSummary],
}

impl<'a> Past<'a> {
    /// The past of what `rule` is about, among these fleets.
    pub const fn new(reader: &'a Reader, rule: &'a CustomRule, fleets: &'a [FleetSummary]) -> Self {
        Self { reader, rule, fleets }
    }

    /// Everything it is about, with the values of each minute of `range`. Of a query only the last minute is counted:
    /// each takes a search of its own.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read(&mut self, range: TimeRange) -> Result<Vec<RuleCourse>, StoreError> {
        match &self.rule.watched {
            Watched::Metric { .. } => self.metric(range).await,
            Watched::Query { .. } => self.counts(range, &[range.to.plus_ms(-STEP_MS)]).await,
        }
    }

    /// Everything it is about, with the values of the minutes of `range` that are `step_ms` apart, as far as somebody
    /// looked.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read_all(&mut self, range: TimeRange, step_ms: i64) -> Result<Vec<RuleCourse>, StoreError> {
        if matches!(self.rule.watched, Watched::Metric { .. }) {
            return self.metric(range).await;
        }
        let looked = self.looked(range).await?;
        let is_seen = |at: &Timestamp| looked.contains(&at.floor_to_ms(STEP_MS));
        let first = range.from.as_ms().div_euclid(step_ms) + 1;
        let moments = (first..).map(|step| Timestamp::from_ms(step * step_ms).plus_ms(-STEP_MS));
        let inside: Vec<Timestamp> =
            moments.take_while(|at| at.plus_ms(STEP_MS) <= range.to).filter(is_seen).collect();
        self.counts(range, &inside).await
    }

    /// In how many minutes of `range` somebody looked, so that a query can be counted then; 0 for a figure, whose values
    /// say that themselves.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn known_minutes(&self, range: TimeRange) -> Result<u64, StoreError> {
        match self.rule.watched {
            Watched::Metric { .. } => Ok(0),
            Watched::Query { .. } => Ok(self.looked(range).await?.len() as u64),
        }
    }

    /// The values before `to` by which what is new is dated, by subject: of a figure a day, of a query six hours, in
    /// growing steps.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) async fn read_back(
        &mut self,
        to: Timestamp,
    ) -> Result<BTreeMap<String, Vec<Point>>, StoreError> {
        let courses = match &self.rule.watched {
            Watched::Metric { .. } => self.metric(TimeRange::new(to.plus_ms(-BACK_MS), to)).await?,
            Watched::Query { .. } => {
                let minutes = (1..15).chain((15..=360).step_by(5));
                let mut moments: Vec<Timestamp> =
                    minutes.map(|minutes: i64| to.plus_ms(-minutes * STEP_MS)).collect();
                moments.reverse();
                let from = moments.first().copied().unwrap_or(to);
                self.counts(TimeRange::new(from, to), &moments).await?
            }
        };
        Ok(courses.into_iter().map(|course| (course.subject.key, course.points)).collect())
    }

    /// The minutes in which somebody looked at fleets: what is polled and nowhere else to be had has a value then.
    async fn looked(&self, range: TimeRange) -> Result<BTreeSet<Timestamp>, StoreError> {
        let request = request(SeriesScope::All, vec![SeriesName::PendingInstances], range);
        let table = self.reader.series_every(&request, STEP_MS).await?;
        let seen = table.times.iter().zip(table.columns.first().into_iter().flatten());
        Ok(seen.filter(|(_, value)| !value.is_nan()).map(|(at, _)| *at).collect())
    }

    async fn metric(&self, range: TimeRange) -> Result<Vec<RuleCourse>, StoreError> {
        let Watched::Metric { figure, of, relative, over_minutes } = &self.rule.watched else {
            return Ok(Vec::new());
        };
        let size = relative.map(|relative| match relative {
            RelativeTo::Maximum => SeriesName::MaxInstances,
            RelativeTo::Desired => SeriesName::DesiredInstances,
        });
        let names: Vec<SeriesName> = std::iter::once(*figure).chain(size).collect();
        let over = usize::try_from(*over_minutes).unwrap_or(1).max(1);
        let before = i64::from(over_minutes.saturating_sub(1)) * STEP_MS;
        let wide = TimeRange::new(range.from.plus_ms(-before), range.to);
        let course = |subject: RuleSubject, table: Option<&SeriesTable>| {
            let mut points = table.map_or_else(Vec::new, |table| points(table, *figure, over));
            points.retain(|point| point.at >= range.from);
            RuleCourse { subject, points }
        };
        let (scope, subject) = match of {
            MetricSubject::EachFleet => {
                let tables = self.reader.series_every_by_fleet(&names, wide, STEP_MS).await?;
                let each = |fleet: &FleetSummary| {
                    course(of_fleet(self.rule, fleet, None), tables.get(&fleet.fleet.fleet_id))
                };
                return Ok(self.fleets.iter().map(each).collect());
            }
            MetricSubject::Fleet { fleet_id, location } => {
                let Some(fleet) = self.fleet(fleet_id) else { return Ok(Vec::new()) };
                let scope = SeriesScope::Fleet { fleet_id: fleet_id.clone(), location: location.clone() };
                let location = location.as_ref().map(|location| location.as_str());
                (scope, of_fleet(self.rule, fleet, location))
            }
            MetricSubject::Queue { name, region } => {
                let Some(subject) = of_queue_or_configuration(of) else { return Ok(Vec::new()) };
                (SeriesScope::Queue { name: name.to_string(), region: region.clone() }, subject)
            }
            MetricSubject::Configuration { name, region } => {
                let Some(subject) = of_queue_or_configuration(of) else { return Ok(Vec::new()) };
                (SeriesScope::Configuration { name: name.clone(), region: region.clone() }, subject)
            }
        };
        let table = self.reader.series_every(&request(scope, names, wide), STEP_MS).await?;
        Ok(vec![course(subject, Some(&table))])
    }

    /// What a query selects at the beginning of each of these minutes. It counts once the minute is over, so that polls
    /// have told of the moment by then.
    async fn counts(&self, range: TimeRange, minutes: &[Timestamp]) -> Result<Vec<RuleCourse>, StoreError> {
        let Watched::Query { query, per, share_of } = &self.rule.watched else { return Ok(Vec::new()) };
        let parsed = Query::parse(query).map_err(|error| unreadable(&error))?;
        let share_of = share_of.as_deref().map(|text| if text.trim().is_empty() { LIVE } else { text });
        let share_of = share_of.map(Query::parse).transpose().map_err(|error| unreadable(&error))?;
        let mut courses: Vec<RuleCourse> = self
            .subjects(query, *per)
            .into_iter()
            .map(|subject| RuleCourse { subject, points: Vec::with_capacity(minutes.len()) })
            .collect();
        let sessions =
            self.reader.sessions_of(TimeRange::new(range.from.plus_ms(-STEP_MS), range.to)).await?;
        for at in minutes {
            let found = self.reader.count_matching(&sessions, &parsed, share_of.as_ref(), *at).await?;
            let mut counted: BTreeMap<String, (u64, u64)> = BTreeMap::new();
            for one in found {
                let known = counted.entry(key(&one, *per)).or_default();
                known.0 += one.matching;
                known.1 += one.of;
            }
            for course in &mut courses {
                let (matching, of) = counted.get(&course.subject.key).copied().unwrap_or_default();
                let seen = match (&share_of, of) {
                    (None, _) => Seen::Value(matching as f64),
                    (Some(_), 0) => Seen::Nothing,
                    (Some(_), of) => Seen::Value(matching as f64 / of as f64 * 100.0),
                };
                course.points.push(Point { at: *at, seen });
            }
        }
        Ok(courses)
    }

    fn subjects(&self, query: &str, per: QueryPer) -> Vec<RuleSubject> {
        match per {
            QueryPer::All => vec![of_all(query)],
            QueryPer::Fleet => self.fleets.iter().map(|fleet| of_fleet(self.rule, fleet, None)).collect(),
            QueryPer::Location => {
                let all: BTreeSet<&str> = self
                    .fleets
                    .iter()
                    .flat_map(|fleet| fleet.locations.iter().map(|here| here.location.as_str()))
                    .collect();
                all.into_iter().map(|location| of_location(query, location)).collect()
            }
        }
    }

    fn fleet(&self, id: &FleetId) -> Option<&FleetSummary> {
        self.fleets.iter().find(|fleet| fleet.fleet.fleet_id == *id)
    }
}

fn key(one: &Matching, per: QueryPer) -> String {
    match per {
        QueryPer::All => "all".to_owned(),
        QueryPer::Fleet => one.fleet_id.to_string(),
        QueryPer::Location => format!("location/{}", one.location),
    }
}

fn request(scope: SeriesScope, names: Vec<SeriesName>, range: TimeRange) -> SeriesRequest {
    SeriesRequest { scope, names, range, max_points: u32::MAX }
}

fn unreadable(error: &QueryError) -> StoreError {
    StoreError::Unreadable { what: format!("the query of a rule: {error}") }
}

/// The values of a table, as a share of the second column if there is one, taken over so many minutes.
fn points(table: &SeriesTable, figure: SeriesName, over: usize) -> Vec<Point> {
    let mut columns = table.columns.iter();
    let Some(values) = columns.next() else { return Vec::new() };
    let sizes = columns.next();
    let is_sum = figure.unit() == FigureUnit::Total;
    let mut found = Vec::with_capacity(values.len());
    for (index, (at, value)) in table.times.iter().zip(values).enumerate() {
        let size = sizes.map(|sizes| sizes.get(index).copied().unwrap_or(f64::NAN));
        if value.is_nan() || size.is_some_and(f64::is_nan) {
            continue;
        }
        let first = (index + 1).saturating_sub(over);
        let window = values.get(first..=index).unwrap_or_default();
        let known = window.iter().copied().filter(|value| !value.is_nan());
        let (sum, count) = known.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
        let taken = if is_sum { sum } else { sum / f64::from(count.max(1)) };
        let seen = match size {
            None => Seen::Value(taken),
            Some(size) if size <= 0.0 => Seen::Nothing,
            Some(size) => Seen::Value(taken / size * 100.0),
        };
        found.push(Point { at: *at, seen });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[&[f64]]) -> SeriesTable {
        let count = i64::try_from(columns[0].len()).unwrap();
        SeriesTable {
            times: (0..count).map(|minute| Timestamp::from_ms(minute * STEP_MS)).collect(),
            bucket_ms: STEP_MS,
            columns: columns.iter().map(|column| column.to_vec()).collect(),
        }
    }

    fn seen(figure: SeriesName, over: usize, columns: &[&[f64]]) -> Vec<Seen> {
        points(&table(columns), figure, over).into_iter().map(|point| point.seen).collect()
    }

    #[test]
    fn what_adds_up_is_summed_and_everything_else_averaged() {
        let values: &[f64] = &[1.0, 0.0, 4.0, 3.0];
        let sums = seen(SeriesName::InstanceSpotInterruptions, 3, &[values]);
        assert_eq!(sums, [1.0, 1.0, 5.0, 7.0].map(Seen::Value));
        let means = seen(SeriesName::ActiveInstances, 2, &[values]);
        assert_eq!(means, [1.0, 0.5, 2.0, 3.5].map(Seen::Value));
    }

    #[test]
    fn a_share_follows_the_size_of_its_time_and_of_no_size_there_is_none() {
        let (active, maximum): (&[f64], &[f64]) = (&[4.0, 4.0, 4.0, 4.0], &[8.0, 16.0, 0.0, f64::NAN]);
        let shares = seen(SeriesName::ActiveInstances, 1, &[active, maximum]);
        assert_eq!(shares, [Seen::Value(50.0), Seen::Value(25.0), Seen::Nothing]);
    }

    #[test]
    fn a_gap_is_no_value() {
        let found = points(&table(&[&[2.0, f64::NAN, 3.0]]), SeriesName::ActiveInstances, 1);
        let minutes: Vec<i64> = found.iter().map(|point| point.at.as_ms() / STEP_MS).collect();
        assert_eq!(minutes, [0, 2]);
    }
}
