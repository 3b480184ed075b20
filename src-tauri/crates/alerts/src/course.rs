//! How alerts went lately: which ended just now and may come back, and how long one that came back must stay away.
//!
//! Owns flap damping. All of it follows from the alerts and their steps in the store, so a restart changes nothing; it
//! is read once and then kept up to date. What comes back soon after its end is the same trouble: its alert goes on,
//! with its id and its beginning. With each return it must stay away twice as long before it is over and that is told,
//! until it was calm for an hour.

use std::collections::HashMap;

use liftdeck_insight::verdict::{Facts, Trouble};
use liftdeck_model::Timestamp;
use liftdeck_model::alert::{AlertId, AlertRecord, AlertState, AlertStep, AlertStepKind};
use liftdeck_model::custom_rule::CustomRule;
use liftdeck_model::time::{HOUR_MS, MINUTE_MS};
use liftdeck_store::{AlertChanges, Reader, StoreError};

/// Within this time after its end a trouble is the same when it comes back, in milliseconds. It is also the longest time
/// that one must stay away.
pub(crate) const RETURNS_MS: i64 = 30 * MINUTE_MS;
/// What is doubled with each return, unless the rule's own time is longer.
const LEAST_MS: i64 = MINUTE_MS;
/// An alert without a step for this long counts as one that never came back.
const CALM_MS: i64 = HOUR_MS;

/// How alerts went lately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Courses {
    /// Those that ended less than [`RETURNS_MS`] ago.
    ended: Vec<AlertRecord>,
    /// The courses of those and of open ones, if they have ended before.
    of: HashMap<AlertId, Course>,
}

/// The course of one alert.
#[derive(Clone, Copy, Debug)]
struct Course {
    /// How often it was over since it was last calm.
    ends: u32,
    moved_at: Timestamp,
}

impl Courses {
    /// Reads how open alerts, and those that ended lately, went.
    pub(crate) async fn read(
        reader: &Reader,
        open: &[AlertRecord],
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let mut courses =
            Self { ended: reader.ended_alerts(now.plus_ms(-RETURNS_MS)).await?, ..Self::default() };
        for alert in courses.ended.iter().chain(open).map(|alert| alert.id.clone()).collect::<Vec<_>>() {
            for step in reader.alert_steps(&alert).await? {
                courses.step(&alert, &step);
            }
        }
        Ok(courses)
    }

    /// Follows what a look changed.
    pub(crate) fn follow(&mut self, changes: &AlertChanges, now: Timestamp) {
        for (alert, steps) in &changes.put {
            for step in steps {
                self.step(&alert.id, step);
            }
            self.ended.retain(|ended| ended.id != alert.id);
            if alert.state == AlertState::Resolved {
                self.ended.push(alert.clone());
            }
        }
        let Self { ended, of } = self;
        ended.retain(|alert| {
            let may_return = alert.ended_at.is_some_and(|at| now.since_ms(at) < RETURNS_MS);
            if !may_return {
                of.remove(&alert.id);
            }
            may_return
        });
    }

    fn step(&mut self, id: &AlertId, step: &AlertStep) {
        if !matches!(step.kind, AlertStepKind::Firing | AlertStepKind::Recovering | AlertStepKind::Resolved) {
            return;
        }
        let before = self.of.remove(id).filter(|course| step.at.since_ms(course.moved_at) < CALM_MS);
        let ends = before.map_or(0, |course| course.ends) + u32::from(step.kind == AlertStepKind::Resolved);
        if ends > 0 {
            self.of.insert(id.clone(), Course { ends, moved_at: step.at });
        }
    }

    /// The alert that goes on when one like this begins to fire.
    pub(crate) fn returns(&self, begins: &AlertRecord, now: Timestamp) -> Option<&AlertRecord> {
        self.ended.iter().find(|ended| {
            ended.rule == begins.rule
                && ended.subject == begins.subject
                && ended.ended_at.is_some_and(|at| now.since_ms(at) < RETURNS_MS)
                // One's own rule of the same name may have been replaced by another.
                && own_rule(ended) == own_rule(begins)
        })
    }

    /// How long an alert must stay away before it is over; `own_ms` is what its rule asks for.
    pub(crate) fn clear_ms(&self, id: &AlertId, own_ms: i64, now: Timestamp) -> i64 {
        match self.of.get(id).filter(|course| now.since_ms(course.moved_at) < CALM_MS) {
            Some(course) => {
                let doubled = own_ms.max(LEAST_MS).saturating_mul(1 << course.ends.min(16));
                doubled.min(RETURNS_MS).max(own_ms)
            }
            None => own_ms,
        }
    }
}

fn own_rule(alert: &AlertRecord) -> Option<CustomRule> {
    CustomRule::name_of(&alert.rule)?;
    match Facts::of_document(&alert.document)?.trouble {
        Trouble::Custom { rule, .. } => Some(*rule),
        _ => None,
    }
}
