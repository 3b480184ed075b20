//! A rule: which events it wants, and its targets.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::event::Event;
use super::target::Target;
use crate::filter::passes_by;

/// A rule of the default event bus.
#[derive(Debug, Clone, Default)]
pub(super) struct Rule {
    pub(super) arn: String,
    /// The event pattern, as it was given and as it is read.
    pub(super) pattern: Option<(String, Map<String, Value>)>,
    pub(super) schedule: Option<String>,
    pub(super) state: String,
    pub(super) description: Option<String>,
    pub(super) role_arn: Option<String>,
    pub(super) targets: BTreeMap<String, Target>,
}

impl Rule {
    /// A rule that sends the events of a pattern to a queue as they are.
    pub(super) fn sending(arn: String, pattern: &Value, queue: &str) -> Rule {
        let keys = pattern.as_object().cloned().unwrap_or_default();
        Rule {
            arn,
            pattern: Some((pattern.to_string(), keys)),
            state: "ENABLED".to_owned(),
            targets: [("queue".to_owned(), Target::queue("queue", queue))].into(),
            ..Rule::default()
        }
    }

    /// Whether the rule is enabled and its pattern matches.
    pub(super) fn wants(&self, event: &dyn Event) -> bool {
        let Some((_, pattern)) = &self.pattern else { return false };
        self.state != "DISABLED"
            && !self.targets.is_empty()
            && passes_by(pattern, &|name| event.member(name).map(Cow::Owned))
    }
}
