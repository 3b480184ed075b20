//! A target: the queue that a rule sends to, and what it sends of an event.

use std::collections::BTreeMap;

use serde_json::Value;

use super::event::Event;
use super::input::TargetInput;
use super::rule::Rule;
use crate::notification::identifier;
use crate::sqs::{Body, Delivery, Order, Sent, sha256_hex};
use crate::wire::{Pairs, in_place, structure};

/// A target of a rule.
#[derive(Debug, Clone)]
pub(super) struct Target(pub(super) TargetInput);

structure!(Target, target, {
    "Id" => target.0.id,
    "Arn" => target.0.arn,
    "RoleArn" => target.0.role_arn,
    "Input" => target.0.input,
    "InputPath" => target.0.path,
    "InputTransformer" => target.0.transformer.as_ref().map(|transformer| {
        let paths: Vec<(String, String)> = transformer.paths.clone().unwrap_or_default().into_iter().collect();
        in_place!(move { "InputPathsMap" => Pairs(&paths), "InputTemplate" => transformer.template })
    }),
    "SqsParameters" => target.0.sqs.as_ref().map(|sqs| in_place!({ "MessageGroupId" => sqs.group })),
});

impl Target {
    /// A queue that gets events as they are.
    pub(super) fn queue(id: &str, arn: &str) -> Target {
        Target(TargetInput {
            id: id.to_owned(),
            arn: arn.to_owned(),
            role_arn: None,
            input: None,
            path: None,
            transformer: None,
            sqs: None,
        })
    }

    /// The ARN of what is sent to.
    pub(super) fn arn(&self) -> &str {
        &self.0.arn
    }

    /// Whether it is in a region.
    pub(super) fn is_in(&self, region: &str) -> bool {
        self.0.arn.split(':').nth(3) == Some(region)
    }

    /// What a rule sends of an event; `None` if the queue needs an order that the message does not have.
    pub(super) fn message(&self, event: &dyn Event, rule: &Rule, queue: &Delivery) -> Option<Sent> {
        let body = self.body(event);
        let order = if queue.is_fifo() {
            let group = self.0.sqs.as_ref()?.group.clone()?;
            let text = queue.deduplicates_by_content().then(|| body.text())?;
            Some(Order { group, deduplication: sha256_hex(text.as_bytes()) })
        } else {
            None
        };
        Some(Sent {
            id: identifier(&format!("{} {} {}", event.id(), rule.arn, self.0.id), "message"),
            body,
            attributes: BTreeMap::new(),
            at_ms: event.at_ms(),
            order,
            source: None,
        })
    }

    fn body(&self, event: &dyn Event) -> Body {
        let whole = || serde_json::from_str::<Value>(&event.body().text()).unwrap_or_default();
        if let Some(input) = &self.0.input {
            return input.as_str().into();
        }
        if let Some(path) = &self.0.path {
            return Body::Text(at(&whole(), path).to_string());
        }
        if let Some(transformer) = &self.0.transformer {
            let (event, paths) = (whole(), transformer.paths.clone().unwrap_or_default());
            let values = paths.iter().map(|(name, path)| (name.as_str(), at(&event, path)));
            return Body::Text(filled(&transformer.template, &values.collect()));
        }
        event.body()
    }
}

/// The value at a path such as `$.detail.type`; `null` if there is none.
fn at(event: &Value, path: &str) -> Value {
    let mut steps = path.split('.').skip(1);
    let found = steps.try_fold(event, |value, step| value.get(step));
    found.cloned().unwrap_or_default()
}

/// A template with `<name>` replaced by values. Text is written bare inside quotes and quoted elsewhere.
fn filled(template: &str, values: &BTreeMap<&str, Value>) -> String {
    let (mut text, mut rest, mut quoted) = (String::new(), template, false);
    while let Some(letter) = rest.chars().next() {
        let name = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        if let Some((value, after)) = name.and_then(|(name, after)| Some((values.get(name)?, after))) {
            match value {
                Value::String(value) if quoted => text.push_str(value),
                value => text.push_str(&value.to_string()),
            }
            rest = after;
            continue;
        }
        quoted ^= letter == '"' && !text.ends_with('\\');
        text.push(letter);
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_path_leads_into_the_event() {
        let event = json!({ "detail": { "type": "PlacementFailed" } });
        assert_eq!(at(&event, "$"), event);
        assert_eq!(at(&event, "$.detail.type"), "PlacementFailed");
        assert_eq!(at(&event, "$.detail.port.number"), Value::Null);
    }

    #[test]
    fn a_template_is_filled_with_text_and_json() {
        let values = BTreeMap::from([("kind", json!("Failed")), ("tickets", json!([1]))]);
        assert_eq!(filled(r#""it <kind>, <other>""#, &values), r#""it Failed, <other>""#);
        assert_eq!(filled(r#"{"k": <kind>, "t": <tickets>}"#, &values), r#"{"k": "Failed", "t": [1]}"#);
    }
}
