//! Which changes are left out, and why.
//!
//! Owns the reasons. A change that is left out is never sent, neither by a confirmation nor by a resumed run.

use std::collections::BTreeMap;

use liftdeck_model::Region;
use liftdeck_model::action::Action;
use serde::{Deserialize, Serialize, Serializer};
use specta::Type;

use crate::words::{self, SkipFact};

/// Why a change is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SkipReason {
    /// Its target has ended, so nothing is left to do.
    Ended,
    /// AWS would refuse it.
    Refused,
    /// Its target has changed since it was looked at.
    Moved,
}

/// Why one change is left out, with what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skip {
    pub(crate) reason: SkipReason,
    pub(crate) facts: Vec<SkipFact>,
}

/// A change that is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Operation, by its API name.
    pub operation: String,
    /// Home Region.
    pub region: Region,
    /// Id of the resource.
    pub resource: String,
    /// Name of the resource.
    pub name: Option<String>,
    /// Why.
    pub reason: SkipReason,
    /// Why, in a sentence.
    pub text: String,
}

impl Skip {
    pub(crate) fn ended(fact: SkipFact) -> Self {
        Self { reason: SkipReason::Ended, facts: vec![fact] }
    }

    pub(crate) fn refused(fact: SkipFact) -> Self {
        Self { reason: SkipReason::Refused, facts: vec![fact] }
    }

    pub(crate) fn moved(fact: SkipFact) -> Self {
        Self { reason: SkipReason::Moved, facts: vec![fact] }
    }

    /// Returns the same facts with the reason `Ended`.
    pub(crate) fn as_ended(&self) -> Self {
        Self { reason: SkipReason::Ended, facts: self.facts.clone() }
    }

    /// Returns the facts as text, one sentence for each.
    pub(crate) fn text(&self) -> String {
        words::joined(&self.facts, " ")
    }

    /// Describes the change that is left out, for people.
    pub(crate) fn of(&self, action: &Action, name: Option<&str>) -> Skipped {
        Skipped {
            operation: action.request.operation().to_owned(),
            region: action.region.clone(),
            resource: action.request.resource().id,
            name: name.map(str::to_owned),
            reason: self.reason,
            text: self.text(),
        }
    }
}

/// All changes that are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// How many.
    pub total: u64,
    /// How many for each reason: `56 035 already ended, 1 that AWS would refuse`.
    pub sentence: String,
    /// Each of them. A screen receives only the first 200.
    #[serde(serialize_with = "first")]
    #[specta(type = Vec<Skipped>)]
    pub rows: Vec<Skipped>,
}

/// The most rows sent to a screen.
const MOST_TOLD: usize = 200;

pub(crate) fn first<S: Serializer>(rows: &[Skipped], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rows.iter().take(MOST_TOLD))
}

impl LeftOut {
    /// Counts the rows by reason; `None` if there are none.
    pub(crate) fn of(rows: Vec<Skipped>) -> Option<Self> {
        let mut counts: BTreeMap<SkipReason, u64> = BTreeMap::new();
        for one in &rows {
            *counts.entry(one.reason).or_default() += 1;
        }
        let of = |reason| counts.get(&reason).copied().unwrap_or_default();
        let sentence =
            words::left_out(of(SkipReason::Ended), of(SkipReason::Refused), of(SkipReason::Moved))?;
        Some(Self { total: counts.values().sum(), sentence, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted_by_reason() {
        let one = |reason| Skipped {
            operation: "TerminateGameSession".to_owned(),
            region: Region::from("eu-west-1"),
            resource: "gs".to_owned(),
            name: None,
            reason,
            text: String::new(),
        };
        let mut all = vec![one(SkipReason::Ended); 1_200];
        all.push(one(SkipReason::Refused));
        let left_out = LeftOut::of(all).unwrap();
        assert_eq!(left_out.sentence, "1\u{a0}200 already ended, 1 that AWS would refuse");
        assert_eq!((left_out.total, left_out.rows.len()), (1_201, 1_201));
        let told = serde_json::to_value(&left_out).unwrap();
        assert_eq!(told["rows"].as_array().unwrap().len(), MOST_TOLD);
        assert_eq!(LeftOut::of(Vec::new()), None);
    }
}
