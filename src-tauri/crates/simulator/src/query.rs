//! The Query protocol of STS, IAM and SNS: form fields in, XML out.

use std::collections::BTreeMap;

use crate::service::{Service, ServiceError, xml_text};
use crate::wire::{FromWire, Value, read_input};

/// The value of a field of a form.
pub(crate) fn field(body: &[u8], name: &str) -> Option<String> {
    form_urlencoded::parse(body).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// Reads the typed input of a form, or reports what is wrong with it. `numbers` names the members that are whole
/// numbers.
pub(crate) fn input<T: FromWire>(body: &[u8], numbers: &[&str]) -> Result<T, ServiceError> {
    let mut members = BTreeMap::new();
    for (name, text) in form_urlencoded::parse(body) {
        let number = text.parse().ok().filter(|_| numbers.contains(&&*name));
        let value = number.map_or_else(|| Value::Text(text.into_owned()), Value::Int);
        match name.split_once(".member.") {
            // The items of a list of structures are not read by anything here.
            Some((_, rest)) if rest.contains('.') => {}
            Some((list, _)) => {
                let list = members.entry(list.to_owned()).or_insert_with(|| Value::List(Vec::new()));
                if let Value::List(items) = list {
                    items.push(value);
                }
            }
            None => {
                members.insert(name.into_owned(), value);
            }
        }
    }
    read_input(&Value::Map(members)).map_err(|problems| {
        let code = if problems.unreadable() { "MalformedInput" } else { "ValidationError" };
        ServiceError::new(code, &problems)
    })
}

/// The fields of a request.
#[derive(Debug)]
pub(crate) struct Form(BTreeMap<String, String>);

impl Form {
    /// Reads the fields of a body.
    pub(crate) fn read(body: &[u8]) -> Form {
        Form(form_urlencoded::parse(body).into_owned().collect())
    }

    /// A field.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A required field.
    pub(crate) fn required(&self, name: &str) -> Result<&str, ServiceError> {
        self.get(name).ok_or_else(|| {
            let message = format!(
                "1 validation error detected: Value null at '{name}' failed to satisfy constraint: Member must not be null"
            );
            ServiceError::new("ValidationError", message)
        })
    }

    /// The entries of a map or a list of structures, `Prefix.entry.N.part`, in the order of their numbers.
    pub(crate) fn entries(&self, prefix: &str) -> Vec<BTreeMap<String, String>> {
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
    pub(crate) fn map(&self, prefix: &str) -> BTreeMap<String, String> {
        let pairs = self.entries(prefix).into_iter();
        pairs
            .filter_map(|mut entry| Some((entry.remove("key")?, entry.remove("value").unwrap_or_default())))
            .collect()
    }
}

/// An XML element around text.
pub(crate) fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", xml_text(text))
}

/// A map as Query writes it.
pub(crate) fn map_element(name: &str, pairs: &BTreeMap<String, String>) -> String {
    let entries = pairs
        .iter()
        .map(|(key, value)| format!("<entry>{}{}</entry>", element("key", key), element("value", value)));
    format!("<{name}>{}</{name}>", entries.collect::<String>())
}

/// A whole response; an action without a result has no result element.
pub(crate) fn answer(service: Service, action: &str, result: Option<&str>, request_id: &str) -> Vec<u8> {
    let namespace = service.xml_namespace();
    let result = result.map(|inner| format!("<{action}Result>{inner}</{action}Result>")).unwrap_or_default();
    let metadata = format!("<ResponseMetadata>{}</ResponseMetadata>", element("RequestId", request_id));
    format!("<{action}Response xmlns=\"{namespace}\">{result}{metadata}</{action}Response>").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Integer, Items, Text};

    static ANY: Text = Text::any();

    crate::wire::input! {
        struct Asked {
            seconds: Option<i64> = optional("Seconds", Integer::between(900, 3_600)),
            names: Vec<String> = required("Names", Items { each: &ANY, min: 0, max: usize::MAX }),
        }
    }

    #[test]
    fn a_form_is_read_like_a_body_of_the_other_protocols() {
        let read = |body: &[u8]| input::<Asked>(body, &["Seconds"]);
        let asked =
            read(b"Action=Ask&Seconds=900&Names.member.1=a&Names.member.2=7&Tags.member.1.Key=k").unwrap();
        assert_eq!((asked.seconds, asked.names), (Some(900), vec!["a".to_owned(), "7".to_owned()]));
        let error = read(b"Seconds=60&Names.member.1=a").unwrap_err();
        assert_eq!(error.code, "ValidationError");
        assert!(error.message.starts_with("1 validation error detected: Value '60' at 'seconds' failed"));
        assert!(read(b"Seconds=900").unwrap_err().message.contains("Value null at 'names'"));
        assert_eq!(read(b"Seconds=soon&Names.member.1=a").unwrap_err().code, "MalformedInput");
    }
}
