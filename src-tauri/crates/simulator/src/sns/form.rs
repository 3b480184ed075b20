//! The Query protocol of SNS: form fields in, XML out.

use std::collections::BTreeMap;

use crate::service::{ServiceError, xml_text};

/// The fields of a request.
#[derive(Debug)]
pub(super) struct Form(BTreeMap<String, String>);

impl Form {
    pub(super) fn read(body: &[u8]) -> Form {
        Form(form_urlencoded::parse(body).into_owned().collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A required field.
    pub(super) fn required(&self, name: &str) -> Result<&str, ServiceError> {
        self.get(name).ok_or_else(|| {
            let message = format!(
                "1 validation error detected: Value null at '{name}' failed to satisfy constraint: Member must not be null"
            );
            ServiceError::new("ValidationError", message)
        })
    }

    /// The entries of a map or a list of structures, `Prefix.entry.N.part`, in the order of their numbers.
    pub(super) fn entries(&self, prefix: &str) -> Vec<BTreeMap<String, String>> {
        let mut found: BTreeMap<u32, BTreeMap<String, String>> = BTreeMap::new();
        for (name, value) in &self.0 {
            let Some(rest) = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(".entry.")) else {
                continue;
            };
            if let Some((number, part)) = rest.split_once('.')
                && let Ok(number) = number.parse()
            {
                found.entry(number).or_default().insert(part.to_owned(), value.clone());
            }
        }
        found.into_values().collect()
    }

    /// A map of text to text.
    pub(super) fn map(&self, prefix: &str) -> BTreeMap<String, String> {
        let pairs = self.entries(prefix).into_iter();
        pairs
            .filter_map(|mut entry| Some((entry.remove("key")?, entry.remove("value").unwrap_or_default())))
            .collect()
    }
}

/// An XML element around text.
pub(super) fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", xml_text(text))
}

/// A map as SNS writes it.
pub(super) fn map_element(name: &str, pairs: &BTreeMap<String, String>) -> String {
    let entries = pairs
        .iter()
        .map(|(key, value)| format!("<entry>{}{}</entry>", element("key", key), element("value", value)));
    format!("<{name}>{}</{name}>", entries.collect::<String>())
}

/// A whole response; an action without a result has no result element.
pub(super) fn answer(action: &str, result: Option<&str>, request_id: &str) -> Vec<u8> {
    let result = result.map(|inner| format!("<{action}Result>{inner}</{action}Result>")).unwrap_or_default();
    let metadata = format!("<ResponseMetadata>{}</ResponseMetadata>", element("RequestId", request_id));
    format!(
        "<{action}Response xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\">{result}{metadata}</{action}Response>"
    )
    .into_bytes()
}
