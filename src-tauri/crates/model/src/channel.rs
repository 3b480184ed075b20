//! Where alerts are told: channels, which alerts each of them takes, and where the secret of one is found.
//!
//! Owns the record of a channel and what is wrong with one. Deliberately reads no secret and sends nothing: a record
//! names the place of a secret and never holds one.

use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::alert::AlertRecord;
use crate::arn::{account_of, region_of};
use crate::{Region, Severity};

/// Most characters of a channel's name.
const LONGEST_NAME: usize = 60;

/// What a channel speaks.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    Type,
    EnumString,
    IntoStaticStr,
    VariantNames,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "lowercase")]
pub enum ChannelKind {
    /// JSON by POST to an address of one's own.
    Webhook,
    /// An incoming webhook of Slack.
    Slack,
    /// Events API v2 of PagerDuty.
    PagerDuty,
    /// API v2 of a Prometheus Alertmanager.
    Alertmanager,
    /// A topic of Amazon SNS, standard or FIFO.
    Sns,
}

impl ChannelKind {
    /// Whether whoever receives it takes the same message twice for one, by a rule of its own.
    pub const fn takes_repeats_for_one(self) -> bool {
        matches!(self, Self::PagerDuty | Self::Alertmanager)
    }

    /// Whether the address by itself lets anybody send: it is then a secret, and named instead of kept.
    pub const fn has_secret_address(self) -> bool {
        matches!(self, Self::Webhook | Self::Slack | Self::PagerDuty)
    }
}

/// Where an address or a key is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(tag = "from", content = "name", rename_all = "camelCase")]
pub enum Place {
    /// In this environment variable of the program that sends.
    Environment(String),
    /// In this file on the computer that sends; only its owner may read it.
    File(String),
    /// Here: it is no secret.
    Plain(String),
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Environment(name) => write!(out, "env:{name}"),
            Self::File(path) => write!(out, "file:{path}"),
            Self::Plain(text) => out.write_str(text),
        }
    }
}

impl std::str::FromStr for Place {
    type Err = std::convert::Infallible;

    /// Reads `env:NAME`, `file:PATH`, or anything else as it stands.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.split_once(':') {
            Some(("env", name)) => Self::Environment(name.to_owned()),
            Some(("file", path)) => Self::File(path.to_owned()),
            _ => Self::Plain(text.to_owned()),
        })
    }
}

/// A channel, and which alerts it takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Channel {
    /// Name, chosen by a person; unique.
    pub name: String,
    /// What it speaks.
    pub kind: ChannelKind,
    /// Where the address is found: URL of a webhook, of Slack or of an Alertmanager, routing key of PagerDuty, ARN of
    /// a topic.
    pub address: Place,
    /// Where the key is found that signs what is sent to a webhook.
    pub signing_key: Option<Place>,
    /// Another address of PagerDuty's Events API, such as that of its European service.
    pub endpoint: Option<String>,
    /// The least severity it takes.
    pub least_severity: Severity,
    /// The rules it takes; all if empty.
    pub rules: Vec<String>,
    /// The Regions it takes; all if empty. What concerns several Regions is taken in any case.
    pub regions: Vec<Region>,
    /// Whether anything is told there.
    pub is_on: bool,
}

impl Channel {
    /// Whether an alert is to be told here.
    pub fn takes(&self, alert: &AlertRecord) -> bool {
        alert.severity >= self.least_severity
            && (self.rules.is_empty() || self.rules.contains(&alert.rule))
            && (self.regions.is_empty()
                || alert.region.as_ref().is_none_or(|region| self.regions.contains(region)))
    }

    /// What keeps it from being used, in a sentence for people.
    ///
    /// # Errors
    /// When the record itself is wrong, or holds a secret instead of naming its place.
    pub fn check(&self) -> Result<(), String> {
        if self.name.trim().is_empty() || self.name.chars().count() > LONGEST_NAME {
            return Err(format!("A channel has a name of 1 to {LONGEST_NAME} characters."));
        }
        if self.least_severity == Severity::Info {
            return Err("What is only worth knowing is never told: the least severity is warning.".to_owned());
        }
        for place in std::iter::once(&self.address).chain(&self.signing_key) {
            check_place(place)?;
        }
        if self.kind.has_secret_address() && matches!(self.address, Place::Plain(_)) {
            return Err("This address is a secret, and Liftdeck keeps none. Put it into an environment variable or a \
                        file of the computer that sends, and name that: env:NAME or file:/path."
                .to_owned());
        }
        if matches!(self.signing_key, Some(Place::Plain(_))) {
            return Err(
                "The key for signing is a secret. Name where it is: env:NAME or file:/path.".to_owned()
            );
        }
        if self.signing_key.is_some() && self.kind != ChannelKind::Webhook {
            return Err("Only what is sent to a webhook is signed.".to_owned());
        }
        if self.endpoint.is_some() && self.kind != ChannelKind::PagerDuty {
            return Err("Only PagerDuty has an endpoint beside its key.".to_owned());
        }
        if let Some(endpoint) = &self.endpoint {
            check_url(endpoint)?;
        }
        match (self.kind, &self.address) {
            (ChannelKind::Alertmanager, Place::Plain(url)) => check_url(url),
            (ChannelKind::Sns, Place::Plain(arn)) if is_topic(arn) => Ok(()),
            (ChannelKind::Sns, _) => {
                Err("An SNS topic is named by its ARN, such as arn:aws:sns:eu-west-1:123456789012:alerts; the name \
                     of a FIFO topic ends in .fifo."
                    .to_owned())
            }
            _ => Ok(()),
        }
    }
}

fn check_place(place: &Place) -> Result<(), String> {
    let is_wrong = match place {
        Place::Environment(name) => {
            name.is_empty() || !name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
        }
        Place::File(path) => path.is_empty(),
        Place::Plain(text) => text.trim().is_empty(),
    };
    if is_wrong { Err(format!("{place} names nothing that can be read.")) } else { Ok(()) }
}

/// Whether a text is the ARN of a topic: its name has at most 256 letters, digits, `-` and `_`, with the ending `.fifo`
/// of a FIFO topic among them (docs.aws.amazon.com/sns, CreateTopic). A subscription's ARN has one part more.
fn is_topic(arn: &str) -> bool {
    let parts: Vec<&str> = arn.split(':').collect();
    let ["arn", _, "sns", _, _, name] = parts[..] else { return false };
    let stem = name.strip_suffix(".fifo").unwrap_or(name);
    let is_account = |id: &str| id.len() == 12 && id.bytes().all(|digit| digit.is_ascii_digit());
    let is_named = !stem.is_empty() && name.len() <= 256;
    is_named
        && stem.bytes().all(|one| one.is_ascii_alphanumeric() || matches!(one, b'-' | b'_'))
        && region_of(arn).is_some()
        && account_of(arn).is_some_and(|account| is_account(account.as_str()))
}

/// A URL that may be kept: HTTP, and without a user and password in it.
fn check_url(url: &str) -> Result<(), String> {
    let Some((scheme @ ("http" | "https"), rest)) = url.split_once("://") else {
        return Err("An address begins with http:// or https://.".to_owned());
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() {
        return Err(format!("{scheme}:// is no address."));
    }
    if authority.contains('@') {
        return Err(
            "The address holds a password, and Liftdeck keeps none. Name where the address is: env:NAME or \
                    file:/path."
                .to_owned(),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(kind: ChannelKind, address: &str) -> Channel {
        Channel {
            name: "on call".to_owned(),
            kind,
            address: address.parse().unwrap(),
            signing_key: None,
            endpoint: None,
            least_severity: Severity::Warning,
            rules: Vec::new(),
            regions: Vec::new(),
            is_on: true,
        }
    }

    #[test]
    fn a_secret_is_named_and_never_kept() {
        for kind in [ChannelKind::Webhook, ChannelKind::Slack, ChannelKind::PagerDuty] {
            assert!(channel(kind, "env:HOOK").check().is_ok(), "{kind:?}");
            assert!(channel(kind, "file:/run/hook").check().is_ok(), "{kind:?}");
            let refused = channel(kind, "https://hooks.example.com/T0/B0/x").check().unwrap_err();
            assert!(refused.contains("secret") && !refused.contains("T0"), "{refused}");
        }
        let refused = channel(ChannelKind::Alertmanager, "https://me:word@am.example.com").check();
        assert!(refused.unwrap_err().contains("password"));
        let signed = Channel {
            signing_key: Some(Place::Plain("key".to_owned())),
            ..channel(ChannelKind::Webhook, "env:HOOK")
        };
        assert!(signed.check().is_err());
    }

    #[test]
    fn what_is_no_secret_may_stand_there() {
        assert!(channel(ChannelKind::Alertmanager, "http://127.0.0.1:9093").check().is_ok());
        assert!(channel(ChannelKind::Alertmanager, "127.0.0.1:9093").check().is_err());
        assert!(channel(ChannelKind::Sns, "arn:aws:sns:eu-west-1:123456789012:alerts.fifo").check().is_ok());
        assert!(channel(ChannelKind::Sns, "env:TOPIC").check().is_err());
    }

    #[test]
    fn only_the_arn_of_a_topic_is_a_topic() {
        for name in ["alerts", "on_call-2.fifo"] {
            let arn = format!("arn:aws-us-gov:sns:us-gov-west-1:123456789012:{name}");
            assert!(channel(ChannelKind::Sns, &arn).check().is_ok(), "{arn}");
        }
        for arn in [
            "arn:aws:sqs:eu-west-1:123456789012:alerts",
            "arn:aws:sns::123456789012:alerts",
            "arn:aws:sns:eu-west-1:1234:alerts",
            "arn:aws:sns:eu-west-1:123456789012:",
            "arn:aws:sns:eu-west-1:123456789012:.fifo",
            "arn:aws:sns:eu-west-1:123456789012:alerts.FIFO",
            "arn:aws:sns:eu-west-1:123456789012:alerts:2bcfbf39-05c3-41de-beaa-fcfcc21c8f55",
        ] {
            let refused = channel(ChannelKind::Sns, arn).check().unwrap_err();
            assert!(refused.contains(".fifo"), "{arn}: {refused}");
        }
    }

    #[test]
    fn a_place_is_read_as_it_is_written() {
        for text in ["env:HOOK", "file:/run/hook", "http://127.0.0.1:9093"] {
            let place: Place = text.parse().unwrap();
            assert_eq!(place.to_string(), text);
        }
    }
}
