//! Links to a page of the window: `liftdeck://123456789012/alerts/5c2f…`.
//!
//! Owns their form: the AWS account or the id of a saved connection, then the window's own address without its `#/`.
//! Ensures that a link can do nothing but open a page: only screens are named, and no address that begins to fill in
//! a form. Deliberately does not know whether such a connection or page exists.

use std::fmt;
use std::str::FromStr;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::AccountId;
use crate::alert::AlertId;
use crate::visible::is_unseen;

/// The scheme, as the system's registration names it.
pub const SCHEME: &str = "liftdeck";
/// The screens a link may lead to.
pub const SCREENS: [&str; 11] = [
    "overview",
    "fleets",
    "sessions",
    "players",
    "placements",
    "matchmaking",
    "aliases",
    "builds",
    "alerts",
    "activity",
    "settings",
];
/// What a link may say about a screen: ranges, filters, order, what is chosen. Not what begins to fill in a form.
const FILTERS: [&str; 24] = [
    "alias",
    "build",
    "by",
    "changes",
    "compare",
    "configuration",
    "destination",
    "fleet",
    "from",
    "last",
    "location",
    "matchmaking",
    "player",
    "q",
    "queue",
    "region",
    "rule",
    "run",
    "sort",
    "state",
    "step",
    "to",
    "types",
    "with",
];
/// The longest link, in bytes.
const LONGEST: usize = 2_048;
/// The longest name of a place, in bytes.
const LONGEST_PLACE: usize = 100;
/// What JavaScript's `encodeURIComponent` encodes, as the window's own addresses do.
const SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'$')
    .add(b'%')
    .add(b'&')
    .add(b'+')
    .add(b',')
    .add(b'/')
    .add(b':')
    .add(b';')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'?')
    .add(b'@')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A link to a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The AWS account, or the id of a saved connection.
    pub place: String,
    path: Vec<String>,
    query: Vec<(String, String)>,
}

/// Why a text is no link, in a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLink(String);

impl fmt::Display for BadLink {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for BadLink {}

impl Link {
    /// The list of alerts.
    pub fn of_alerts(account: &AccountId) -> Self {
        Self { place: account.to_string(), path: vec!["alerts".to_owned()], query: Vec::new() }
    }

    /// The page of an alert. The account is named and not the connection: a connection has another id on every
    /// computer.
    pub fn of_alert(account: &AccountId, alert: &AlertId) -> Self {
        let path = vec!["alerts".to_owned(), alert.to_string()];
        Self { place: account.to_string(), path, query: Vec::new() }
    }

    /// The address inside the window: `#/alerts/5c2f…?last=6h`.
    pub fn route(&self) -> String {
        format!("#/{}", self.rest())
    }

    fn rest(&self) -> String {
        let encoded = |text: &str| utf8_percent_encode(text, SEGMENT).to_string();
        let path: Vec<String> = self.path.iter().map(|segment| encoded(segment)).collect();
        let query: Vec<String> =
            self.query.iter().map(|(key, value)| format!("{key}={}", encoded(value))).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", path.join("/"), query.join("&"))
    }
}

impl fmt::Display for Link {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{SCHEME}://{}/{}", self.place, self.rest())
    }
}

impl FromStr for Link {
    type Err = BadLink;

    /// Reads a link strictly: what is not understood in full leads nowhere.
    fn from_str(text: &str) -> Result<Self, BadLink> {
        let bad = |why: &str| BadLink(format!("This is no link of Liftdeck: {why}."));
        if text.len() > LONGEST {
            return Err(bad("it is too long"));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(bad("it has blanks or characters that a link writes as %…"));
        }
        let (scheme, rest) = text.split_once("://").ok_or_else(|| bad("it begins with liftdeck://"))?;
        if !scheme.eq_ignore_ascii_case(SCHEME) {
            return Err(bad("it begins with liftdeck://"));
        }
        if rest.contains('#') {
            return Err(bad("a # has no place in it"));
        }
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if place.is_empty() || place.len() > LONGEST_PLACE || !place.bytes().all(is_name) {
            return Err(bad("after :// it names an AWS account or a connection"));
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        let path = path.split('/').map(decoded).collect::<Result<Vec<_>, _>>()?;
        let screen = path.first().map(String::as_str).unwrap_or_default();
        if !SCREENS.contains(&screen) {
            return Err(bad("it names no screen"));
        }
        if path.len() > 6 || path.iter().any(|segment| matches!(segment.as_str(), "" | "." | "..")) {
            return Err(bad("its path leads nowhere"));
        }
        if path.get(1).is_some_and(|segment| segment == "new") {
            return Err(bad("a link opens no form"));
        }
        let query = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            if !FILTERS.contains(&key) {
                return Err(bad("it says more about a page than a link may"));
            }
            Ok((key.to_owned(), decoded(&value.replace('+', " "))?))
        });
        let query = query.collect::<Result<_, _>>()?;
        Ok(Self { place: place.to_ascii_lowercase(), path, query })
    }
}

fn decoded(text: &str) -> Result<String, BadLink> {
    let bad = || BadLink("This is no link of Liftdeck: it has characters that nobody sees.".to_owned());
    let text = percent_decode_str(text).decode_utf8().map_err(|_| bad())?;
    if text.chars().any(is_unseen) { Err(bad()) } else { Ok(text.into_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Link, String> {
        text.parse().map_err(|error: BadLink| error.to_string())
    }

    #[test]
    fn a_link_is_read_as_it_was_written() {
        let link = Link::of_alert(&"123456789012".into(), &"5c2f-1".into());
        assert_eq!(link.to_string(), "liftdeck://123456789012/alerts/5c2f-1");
        assert_eq!(read(&link.to_string()), Ok(link.clone()));
        assert_eq!(link.route(), "#/alerts/5c2f-1");
    }

    #[test]
    fn every_page_of_the_window_has_a_link_with_its_filters() {
        let arn = "arn%3Aaws%3Agamelift%3Aeu-west-1%3A%3Agamesession%2Ffleet-1%2Fgsess-2";
        for (text, route) in [
            ("liftdeck://live/overview", "#/overview".to_owned()),
            ("LIFTDECK://Live/fleets/fleet-1/scaling?last=6h", "#/fleets/fleet-1/scaling?last=6h".to_owned()),
            (&format!("liftdeck://eu-prod/sessions/{arn}"), format!("#/sessions/{arn}")),
            ("liftdeck://live/sessions?q=status%3Aactive+pl", "#/sessions?q=status%3Aactive%20pl".to_owned()),
            (
                "liftdeck://live/alerts/span?from=1&to=2&region=eu-west-1",
                "#/alerts/span?from=1&to=2&region=eu-west-1".to_owned(),
            ),
        ] {
            assert_eq!(read(text).map(|link| link.route()), Ok(route), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_in_full_leads_nowhere_and_says_why() {
        for (text, why) in [
            ("https://live/alerts/1", "begins with liftdeck://"),
            ("liftdeck:live/alerts/1", "begins with liftdeck://"),
            ("liftdeck://", "an AWS account or a connection"),
            ("liftdeck:///alerts/1", "an AWS account or a connection"),
            ("liftdeck://me:word@live/alerts/1", "an AWS account or a connection"),
            ("liftdeck://live:80/alerts/1", "an AWS account or a connection"),
            ("liftdeck://live", "no screen"),
            ("liftdeck://live/secrets", "no screen"),
            ("liftdeck://live//alerts", "no screen"),
            ("liftdeck://live/alerts//1", "leads nowhere"),
            ("liftdeck://live/alerts/%2e%2e", "leads nowhere"),
            ("liftdeck://live/alerts/1#x", "a # has no place"),
            ("liftdeck://live/alerts/a b", "blanks"),
            ("liftdeck://live/alerts/%0a", "nobody sees"),
            ("liftdeck://live/alerts/%e2%80%ae", "nobody sees"),
            ("liftdeck://live/alerts/%ff", "nobody sees"),
            ("liftdeck://live/sessions/new", "opens no form"),
            ("liftdeck://live/aliases/alias-1?do=repoint&to=fleet-1", "more about a page"),
            ("liftdeck://live/matchmaking?start=ticket", "more about a page"),
        ] {
            let refused = read(text).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
        assert!(
            read(&format!("liftdeck://live/alerts/{}", "x".repeat(2_048))).unwrap_err().contains("too long")
        );
    }
}
