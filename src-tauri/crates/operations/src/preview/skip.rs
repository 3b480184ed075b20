//! What of a change is left out, and why.
//!
//! Owns the reasons and their words. A change that is left out is sent by nobody: not by a confirmation, not by a
//! resumed run.

use std::collections::BTreeMap;

use liftdeck_model::Region;
use liftdeck_model::action::Action;
use serde::{Deserialize, Serialize};

use super::words::number;

/// Why a change is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// What it is about has ended: nothing is left to do.
    Ended,
    /// AWS would refuse it.
    Refused,
    /// It is not as it was looked at any more.
    Moved,
}

/// Why one change is left out, with a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Skip {
    pub(crate) reason: SkipReason,
    pub(crate) text: String,
}

/// A change that is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Operation, as the API names it.
    pub operation: String,
    /// Home Region.
    pub region: Region,
    /// Id of the resource.
    pub resource: String,
    /// What the resource is called.
    pub name: Option<String>,
    /// Why.
    pub reason: SkipReason,
    /// Why, in a sentence.
    pub text: String,
}

impl Skip {
    pub(crate) fn ended(text: impl Into<String>) -> Self {
        Self { reason: SkipReason::Ended, text: text.into() }
    }

    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self { reason: SkipReason::Refused, text: text.into() }
    }

    pub(crate) fn moved(text: impl Into<String>) -> Self {
        Self { reason: SkipReason::Moved, text: text.into() }
    }

    /// As people are told of it.
    pub(crate) fn of(&self, action: &Action, name: Option<&str>) -> Skipped {
        Skipped {
            operation: action.request.operation().to_owned(),
            region: action.region.clone(),
            resource: action.request.resource().id,
            name: name.map(str::to_owned),
            reason: self.reason,
            text: self.text.clone(),
        }
    }
}

/// How many are left out for which reason: `56 035 already ended, 1 that AWS would refuse`; nothing when none is.
pub fn left_out<'a>(skipped: impl IntoIterator<Item = &'a Skipped>) -> Option<String> {
    let mut counts: BTreeMap<SkipReason, u64> = BTreeMap::new();
    for one in skipped {
        *counts.entry(one.reason).or_default() += 1;
    }
    let said: Vec<String> = counts
        .into_iter()
        .map(|(reason, many)| {
            let many = number(many);
            match reason {
                SkipReason::Ended => format!("{many} already ended"),
                SkipReason::Refused => format!("{many} that AWS would refuse"),
                SkipReason::Moved => format!("{many} changed meanwhile"),
            }
        })
        .collect();
    (!said.is_empty()).then(|| said.join(", "))
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
        assert_eq!(left_out(&all).as_deref(), Some("1\u{a0}200 already ended, 1 that AWS would refuse"));
        assert_eq!(left_out(&[]), None);
    }
}
