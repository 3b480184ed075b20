//! Who made a change: told by CloudTrail's record of the call that left it, and never guessed.
//!
//! A name needs a call that names what changed, sets it to the value that was seen and was made in time. CloudTrail
//! delivers late and may lose records, so not knowing yet and not knowing are states of their own.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::activity::{Activity, ActivityId};
use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::{Caller, HISTORY_MS, LOOKS_AFTER_MS, TrailCall, TrailLook};
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_store::reader::change::ChangeRow;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Who made a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Who {
    /// CloudTrail recorded the call. Several calls that each would have left the change are all told: it was one of
    /// them.
    Named {
        /// The calls, oldest first.
        calls: Vec<RecordedCall>,
    },
    /// This installation.
    Ours,
    /// A scaling policy, by elimination: one was in force, and no call that set the capacity is recorded.
    Policy {
        /// Whether no such call is to be expected any more.
        is_settled: bool,
    },
    /// CloudTrail has no such call yet.
    Pending {
        /// Until when it is asked again.
        until: Timestamp,
    },
    /// It is not known and will not be.
    Unknown {
        /// Why.
        why: WhyUnknown,
    },
}

/// Why it is not known who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum WhyUnknown {
    /// This program may not read CloudTrail.
    NotPermitted,
    /// CloudTrail still had no such call after 150 minutes.
    NotInTrail,
    /// CloudTrail keeps 90 days.
    TooOld,
    /// CloudTrail was not asked.
    NotAsked,
}

/// A call as CloudTrail recorded it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordedCall {
    /// Id of CloudTrail's event.
    pub event_id: String,
    /// Name of the call.
    pub event_name: String,
    /// When it was made, to the second.
    pub at: Timestamp,
    /// Who made it.
    pub caller: Caller,
}

impl From<&TrailCall> for RecordedCall {
    fn from(call: &TrailCall) -> Self {
        Self {
            event_id: call.event_id.clone(),
            event_name: call.event_name.clone(),
            at: call.at,
            caller: call.caller.clone(),
        }
    }
}

impl Who {
    /// When the change was made, if one recorded call left it.
    pub fn made_at(&self) -> Option<Timestamp> {
        match self {
            Self::Named { calls } => match calls.as_slice() {
                [only] => Some(only.at),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What is known about who made the changes of a range.
#[derive(Debug, Default)]
pub(super) struct Witnesses {
    /// Calls that took effect, oldest first.
    pub(super) calls: Vec<TrailCall>,
    looks: Vec<TrailLook>,
    asked: BTreeSet<Region>,
    /// Our attempts by AWS request id.
    ours: BTreeMap<String, ActivityId>,
    /// When scaling policies of a fleet were in force.
    policies: BTreeMap<FleetId, Vec<(Timestamp, Option<Timestamp>)>>,
}

/// The time in which the changes asked about can have been made, and when the first of them was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    window: Option<TimeRange>,
    seen: Option<Timestamp>,
}

impl Asked {
    /// About these changes, and about all of a range if one is given.
    pub(super) fn about<'a>(rows: impl Iterator<Item = &'a ChangeRow>, range: Option<TimeRange>) -> Self {
        let (mut window, mut seen) = (range, range.map(|range| range.from));
        for row in rows {
            let made = row.made_in();
            let wide = window.unwrap_or(made);
            window = Some(TimeRange::new(wide.from.min(made.from), wide.to.max(made.to)));
            seen = Some(seen.map_or(row.seen_at, |seen| seen.min(row.seen_at)));
        }
        Self { window, seen }
    }
}

impl Witnesses {
    pub(super) async fn read(
        reader: &Reader,
        asked: Asked,
        activities: &[Activity],
    ) -> Result<Self, StoreError> {
        let Asked { window: Some(window), seen: Some(seen) } = asked else { return Ok(Self::default()) };
        let mut calls = reader.trail_calls(window).await?;
        calls.retain(TrailCall::took_effect);
        let ours = activities.iter().filter_map(|one| Some((one.request_id.clone()?, one.id.clone())));
        let mut policies: BTreeMap<FleetId, Vec<_>> = BTreeMap::new();
        for (fleet, from, to) in reader.policies_in_force().await? {
            policies.entry(fleet).or_default().push((from, to));
        }
        Ok(Self {
            calls,
            looks: reader.trail_looks(seen).await?,
            asked: reader.trail_marks().await?.into_iter().map(|mark| mark.region).collect(),
            ours: ours.collect(),
            policies,
        })
    }

    /// The attempt of ours that made this call.
    pub(super) fn ours(&self, call: &TrailCall) -> Option<&ActivityId> {
        self.ours.get(call.request_id.as_ref()?)
    }

    /// The calls that each would have left this change.
    pub(super) fn makers(&self, row: &ChangeRow) -> Vec<&TrailCall> {
        self.calls.iter().filter(|call| row.is_made_by(call)).collect()
    }

    /// Who made a recorded change that is not known to be ours; `None` for what AWS changes by itself.
    pub(super) fn who(&self, row: &ChangeRow) -> Option<Who> {
        let names = row.footprint().calls();
        if names.is_empty() {
            return None;
        }
        let makers = self.makers(row);
        if !makers.is_empty() {
            return Some(Who::Named { calls: makers.into_iter().map(RecordedCall::from).collect() });
        }
        let last_ms = LOOKS_AFTER_MS.last().copied().unwrap_or_default();
        let last = row.seen_at.plus_ms(last_ms);
        let window = row.made_in();
        let mut looks = self.looks.iter().filter(|look| look.region == row.region);
        let was_asked = |name: &&str| {
            self.looks.iter().any(|look| look.region == row.region && look.covers(name, window, last))
        };
        let is_settled = names.iter().all(was_asked);
        if row.kind == "fleet_capacity" && row.field == "desired" && self.has_policy(row) {
            return Some(Who::Policy { is_settled });
        }
        let unknown = |why| Some(Who::Unknown { why });
        if is_settled {
            return unknown(WhyUnknown::NotInTrail);
        }
        match looks.next_back() {
            Some(newest) if newest.is_denied => unknown(WhyUnknown::NotPermitted),
            Some(newest) if newest.asked_at.since_ms(window.to) > HISTORY_MS => unknown(WhyUnknown::TooOld),
            Some(_) => Some(Who::Pending { until: last }),
            None if self.asked.contains(&row.region) => Some(Who::Pending { until: last }),
            None => unknown(WhyUnknown::NotAsked),
        }
    }

    fn has_policy(&self, row: &ChangeRow) -> bool {
        let in_force = |(from, to): &(Timestamp, Option<Timestamp>)| {
            *from <= row.seen_at && to.is_none_or(|to| to > row.made_in().from)
        };
        let of_fleet = row.fleet_id.as_ref().and_then(|fleet| self.policies.get(fleet));
        of_fleet.is_some_and(|policies| policies.iter().any(in_force))
    }
}
