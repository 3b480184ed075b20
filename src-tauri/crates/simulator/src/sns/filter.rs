//! Filter policies of subscriptions: what of a message they look at.

use serde_json::Value;

use crate::filter;
use crate::notification::Publication;

/// Whether a message passes a policy, on its attributes or on its body.
pub(super) fn passes(policy: &str, on_body: bool, publication: &Publication) -> bool {
    let Ok(Value::Object(policy)) = serde_json::from_str(policy) else { return false };
    if on_body {
        let body = serde_json::from_str::<Value>(&publication.body.text()).unwrap_or_default();
        return filter::passes(&policy, &body);
    }
    let attributes = publication.attributes.iter().map(|(name, attribute)| {
        let text = attribute.text.clone().unwrap_or_default();
        let value = match attribute.data_type.as_str() {
            "Number" => text.parse::<f64>().map_or(Value::Null, Value::from),
            "String.Array" => serde_json::from_str(&text).unwrap_or_default(),
            _ => Value::from(text),
        };
        (name.clone(), value)
    });
    filter::passes(&policy, &Value::Object(attributes.collect()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::sqs::Attribute;

    fn publication(body: &str, attributes: &[(&str, &str, &str)]) -> Publication {
        let attributes = attributes.iter().map(|(name, kind, text)| {
            let attribute =
                Attribute { data_type: (*kind).to_owned(), text: Some((*text).to_owned()), bytes: None };
            ((*name).to_owned(), attribute)
        });
        Publication {
            topic: "arn:aws:sns:eu-west-1:1:t".to_owned(),
            id: "m".to_owned(),
            subject: None,
            body: body.into(),
            attributes: attributes.collect::<BTreeMap<_, _>>(),
            order: None,
            at_ms: 0,
        }
    }

    #[test]
    fn what_is_no_policy_lets_nothing_through() {
        assert!(!passes("no policy", true, &publication("{}", &[])));
    }

    #[test]
    fn a_policy_on_attributes_does_not_see_the_body() {
        let plain = publication(r#"{"kind":"a"}"#, &[]);
        assert!(!passes(r#"{"kind":["a"]}"#, false, &plain));
        let marked = publication("x", &[("kind", "String", "a"), ("size", "Number", "5")]);
        assert!(passes(r#"{"kind":["a","b"],"size":[{"numeric":["=",5]}]}"#, false, &marked));
        assert!(!passes(r#"{"kind":["b"]}"#, false, &marked));
    }
}
