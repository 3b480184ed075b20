//! An address with a port and a time, as a crash log, a player's report or a firewall's log gives it.
//!
//! Owns how it is written: `203.0.113.7:7777`, `ec2-203-0-113-7.….amazonaws.com:7777`, each followed by a time if there
//! is one: RFC 3339, an age, `2026-11-30 12:34`, `12:34` (the last such minute), or seconds or milliseconds of the epoch.
//! A time without a zone is UTC, as server logs have it.

use std::net::Ipv4Addr;

use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;

use crate::time::{DAY_MS, Timestamp};

/// Where something listened, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// IPv4 address or DNS name.
    pub host: String,
    /// Port; `None` if none was given.
    pub port: Option<u16>,
    /// When; `None` if none was given.
    pub at: Option<Timestamp>,
}

impl Endpoint {
    /// Whether the host is an IPv4 address, and not a DNS name.
    pub fn is_ip(&self) -> bool {
        self.host.parse::<Ipv4Addr>().is_ok()
    }

    /// Reads an endpoint; `None` if the text is not one, or what follows the address is not a time.
    pub fn parse(text: &str, now: Timestamp) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|letter: char| letter.is_whitespace() || letter == '@').unwrap_or(text.len());
        let (place, rest) = text.split_at(end);
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().ok()?)),
            None => (place, None),
        };
        let is_ip = host.parse::<Ipv4Addr>().is_ok();
        let is_name = host.contains('.')
            && host.contains(|letter: char| letter.is_ascii_alphabetic())
            && host.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '.')
            && !host.starts_with('.')
            && !host.ends_with('.');
        if !is_ip && !is_name {
            return None;
        }
        let rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '@');
        let rest = rest.strip_prefix("at ").unwrap_or(rest).trim();
        let at = if rest.is_empty() { None } else { Some(moment(rest, now)?) };
        Some(Self { host: host.to_owned(), port, at })
    }
}

fn moment(text: &str, now: Timestamp) -> Option<Timestamp> {
    if let Ok(number) = text.parse::<i64>() {
        // Seconds have ten digits until the year 2286.
        return Some(Timestamp::from_ms(if number < 100_000_000_000 { number * 1_000 } else { number }));
    }
    if let Ok(known) = Timestamp::parse(text, now) {
        return Some(known);
    }
    let text = text.strip_suffix("UTC").unwrap_or(text).trim();
    let in_utc = |civil: DateTime| {
        let zoned = civil.to_zoned(TimeZone::UTC).ok()?;
        Some(Timestamp::from_ms(zoned.timestamp().as_millisecond()))
    };
    if let Ok(civil) = text.parse::<DateTime>() {
        return in_utc(civil);
    }
    let time = text.parse::<Time>().ok()?;
    let today = jiff::Timestamp::from_millisecond(now.as_ms()).ok()?.to_zoned(TimeZone::UTC).date();
    let at = in_utc(today.to_datetime(time))?;
    Some(if at > now { at.plus_ms(-DAY_MS) } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-04 10:15:30 UTC.
    const NOW: Timestamp = Timestamp::from_ms(1_772_619_330_000);

    fn at(text: &str) -> Option<String> {
        Endpoint::parse(&format!("203.0.113.7:7777 {text}"), NOW)?.at.map(Timestamp::in_utc)
    }

    #[test]
    fn an_address_may_stand_alone_with_its_port_and_with_a_time() {
        let host = |text: &str| Endpoint::parse(text, NOW).map(|found| (found.host, found.port));
        assert_eq!(host("203.0.113.7"), Some(("203.0.113.7".to_owned(), None)));
        assert_eq!(host(" 203.0.113.7:7777 "), Some(("203.0.113.7".to_owned(), Some(7777))));
        let name = "ec2-203-0-113-7.eu-west-1.compute.amazonaws.com";
        assert_eq!(host(&format!("{name}:7777@9:00")), None, "an hour has two digits");
        assert_eq!(host(&format!("{name}:7777@09:00")), Some((name.to_owned(), Some(7777))));
        for other in
            ["arena", "p-1234", "203.0.113", "203.0.113.7:99999", "203.0.113.7:7777 gibberish", ".", ""]
        {
            assert_eq!(host(other), None, "{other}");
        }
    }

    #[test]
    fn a_time_is_read_as_logs_write_it_and_is_utc_without_a_zone() {
        let noon = Some("2026-03-01 12:34:00 UTC".to_owned());
        for text in [
            "2026-03-01T12:34:00Z",
            "2026-03-01T13:34:00+01:00",
            "2026-03-01 12:34",
            "2026-03-01 12:34:00 UTC",
            "@ 2026-03-01 12:34:00",
            "at 2026-03-01 12:34",
            "1772368440",
            "1772368440000",
        ] {
            assert_eq!(at(text), noon, "{text}");
        }
        assert_eq!(at("15m").as_deref(), Some("2026-03-04 10:00:30 UTC"));
    }

    #[test]
    fn a_time_of_day_is_the_last_such_minute() {
        assert_eq!(at("09:00").as_deref(), Some("2026-03-04 09:00:00 UTC"));
        assert_eq!(at("23:00").as_deref(), Some("2026-03-03 23:00:00 UTC"));
    }
}
