//! Silences: alerts that are shown, but not told to anybody for a while.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::alert::AlertRecord;
use crate::id::string_id;
use crate::{FleetId, Region, Timestamp};

string_id! {
    /// A silence of this database; a UUID. A silence by a run of ours has the run's id, and what it covers.
    SilenceId,
}

/// Which alerts a silence covers: those that match everything that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Matchers {
    /// Any of these rules; every rule if empty.
    pub rules: Vec<String>,
    /// The Region.
    pub region: Option<Region>,
    /// The fleet.
    pub fleet_id: Option<FleetId>,
    /// What the alert is about, exactly.
    pub subject: Option<String>,
}

impl Matchers {
    /// Whether an alert is covered.
    pub fn covers(&self, alert: &AlertRecord) -> bool {
        (self.rules.is_empty() || self.rules.contains(&alert.rule))
            && self.region.as_ref().is_none_or(|region| alert.region.as_ref() == Some(region))
            && self.fleet_id.as_ref().is_none_or(|fleet| alert.fleet_id.as_ref() == Some(fleet))
            && self.subject.as_ref().is_none_or(|subject| alert.subject == *subject)
    }
}

/// A silence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Silence {
    /// Id.
    pub id: SilenceId,
    /// Which alerts it covers.
    pub matchers: Matchers,
    /// When it begins.
    pub from: Timestamp,
    /// When it ends by itself; `None` for as long as what a run of ours did shows.
    pub until: Option<Timestamp>,
    /// Whose it is: the name of a computer's user, or of what silences its own effects.
    pub author: String,
    /// Why.
    pub reason: String,
    /// When it was ended early.
    pub ended_at: Option<Timestamp>,
    /// Who ended it early.
    pub ended_by: Option<String>,
}

impl Silence {
    /// Whether it is in force at a moment.
    pub fn is_in_force(&self, at: Timestamp) -> bool {
        self.from <= at
            && self.until.is_none_or(|until| at < until)
            && self.ended_at.is_none_or(|end| at < end)
    }

    /// The silence that covers an alert at a moment, the longest of them.
    pub fn of<'s>(silences: &'s [Self], alert: &AlertRecord, at: Timestamp) -> Option<&'s Self> {
        silences
            .iter()
            .filter(|silence| silence.is_in_force(at) && silence.matchers.covers(alert))
            .max_by_key(|silence| silence.until.unwrap_or(Timestamp::from_ms(i64::MAX)))
    }
}
