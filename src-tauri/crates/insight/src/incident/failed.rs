//! What failed, counted: game sessions one by one, placements and tickets by the minute.

use std::collections::BTreeMap;

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::cut_off::{EndedScope, EndedSessions};

use super::failing::Failing;
use super::sphere::Sphere;

/// What ended in one minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Minute {
    pub(super) at: Timestamp,
    pub(super) failed: u64,
    pub(super) all: u64,
}

/// Everything that failed in an incident, and before it in the range shown.
#[derive(Debug, Default)]
pub(super) struct Failed {
    /// Game sessions in trouble that failed within the span.
    pub(super) sessions: EndedSessions,
    /// The same of what they are compared with, in the whole range shown.
    pub(super) rest: EndedSessions,
    /// Game sessions of the fleets in trouble that ended, by minute, in the range shown.
    pub(super) ended: Vec<Minute>,
    /// The same of what they are compared with.
    pub(super) rest_ended: Vec<Minute>,
    /// Game sessions in trouble that failed in the range shown before the span.
    pub(super) before: u64,
    /// Placements, tickets or reservations, in the range shown.
    pub(super) minutes: Vec<Minute>,
    pub(super) interruptions: u64,
}

impl Failed {
    /// Failures within a range, and all that ended.
    pub(super) fn within(minutes: &[Minute], range: TimeRange) -> (u64, u64) {
        // A minute counts from its beginning.
        let from = range.from.floor_to_ms(60_000);
        let inside = minutes.iter().filter(|minute| minute.at >= from && minute.at < range.to);
        inside.fold((0, 0), |(failed, all), minute| (failed + minute.failed, all + minute.all))
    }
}

impl Sphere<'_> {
    pub(super) async fn failed_now(&self) -> Result<Failed, StoreError> {
        let reader = self.ground.reader;
        let mut failed = Failed::default();
        match &self.failing {
            Failing::Sessions(endings) => {
                if let Some(scope) = self.ended_scope() {
                    failed.sessions = reader.ended_sessions(&scope).await?;
                    let before = TimeRange::new(self.shown.from.min(scope.range.from), scope.range.from);
                    let scope = EndedScope { range: before, ..scope };
                    failed.before = reader.ended_sessions(&scope).await?.rows.len() as u64;
                }
                if !self.rest.is_empty() {
                    let scope = EndedScope {
                        fleets: Some(self.rest.clone()),
                        endings: endings.clone(),
                        range: self.shown,
                    };
                    failed.rest = reader.ended_sessions(&scope).await?;
                }
                let mut by_minute: [BTreeMap<i64, u64>; 2] = Default::default();
                let of_all = self.bad_is_all();
                for minute in reader.sessions_ended_by_minute(self.shown).await? {
                    let side = usize::from(!of_all && !self.bad.contains(&minute.fleet_id));
                    if side == 1 && !self.rest.contains(&minute.fleet_id) {
                        continue;
                    }
                    if let Some(counts) = by_minute.get_mut(side) {
                        *counts.entry(minute.at.as_ms()).or_default() += minute.ended;
                    }
                }
                let [bad, rest] = by_minute.map(|counts| {
                    let minute = |(at, all)| Minute { at: Timestamp::from_ms(at), failed: 0, all };
                    counts.into_iter().map(minute).collect::<Vec<_>>()
                });
                (failed.ended, failed.rest_ended) = (bad, rest);
            }
            Failing::Placements(queues) => {
                for minute in reader.placements_by_minute(self.shown).await? {
                    if queues.contains(&(minute.region.clone(), minute.queue.clone())) {
                        let lost = minute.funnel.failed + minute.funnel.timed_out;
                        let all = lost + minute.funnel.fulfilled;
                        failed.minutes.push(Minute { at: minute.at, failed: lost, all });
                    }
                }
            }
            Failing::Tickets(region, configuration) => {
                for minute in reader.tickets_by_minute(self.shown).await? {
                    let is_own = minute.region == *region && minute.configuration == *configuration;
                    let (lost, all) = match minute.state.as_str() {
                        "TIMED_OUT" | "FAILED" => (minute.tickets, minute.tickets),
                        "COMPLETED" => (0, minute.tickets),
                        _ => continue,
                    };
                    if is_own {
                        failed.minutes.push(Minute { at: minute.at, failed: lost, all });
                    }
                }
            }
            Failing::Reservations(_) => {
                if let Some(scope) = self.reservation_scope(self.shown) {
                    let minutes = reader.reservations(&scope).await?;
                    failed.minutes.extend(minutes.iter().map(|minute| Minute {
                        at: minute.at,
                        failed: minute.timed_out,
                        all: minute.timed_out + minute.used,
                    }));
                }
            }
            Failing::Unheard | Failing::Nothing => {}
        }
        failed.interruptions = self.interruptions().await?;
        Ok(failed)
    }

    pub(super) fn bad_is_all(&self) -> bool {
        matches!(self.scope, Some(super::IncidentScope::All))
    }

    /// Spot interruptions of the fleets in trouble, in the range shown up to the end.
    async fn interruptions(&self) -> Result<u64, StoreError> {
        use liftdeck_model::FleetEventCode::InstanceInterrupted;
        let range = TimeRange::new(self.shown.from, self.span.to.max(self.shown.from));
        let events = self.ground.reader.fleet_events_of(&[InstanceInterrupted], range).await?;
        let is_own = |id: &FleetId| self.bad.contains(id);
        let own = events.iter().filter(|event| is_own(&event.event.fleet_id));
        Ok(own.map(|event| u64::try_from(event.event.count.max(1)).unwrap_or(1)).sum())
    }
}
