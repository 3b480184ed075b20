//! A notification's text: what, where and since when. The sentences about an alert are the core's own.

use liftdeck_model::Timestamp;
use liftdeck_model::notification::ToldAlert;
use liftdeck_model::severity::Severity;
use liftdeck_model::visible::visible;

use crate::clerk::Notice;

/// Most characters of a title: systems cut longer ones without saying so.
const TITLE: usize = 100;
/// Most characters of a line.
const LINE: usize = 200;
/// Most alerts that are named.
const NAMED: usize = 4;

/// The notification about these alerts, most urgent first, of the connection of this name.
pub(crate) fn notice(connection: &str, alerts: &[ToldAlert], now: Timestamp) -> Notice {
    let is_urgent = alerts.iter().any(|alert| alert.severity == Severity::Bad);
    let (title, mut lines) = match alerts {
        [one] => (headline(one), of_one(one, now)),
        [first, rest @ ..] => (format!("{}, and {} more", headline(first), rest.len()), of_many(alerts, now)),
        [] => (String::new(), Vec::new()),
    };
    lines.push(connection.to_owned());
    let lines: Vec<String> = lines.iter().map(|line| cut(&visible(line), LINE)).collect();
    Notice { title: cut(&visible(&title), TITLE), body: lines.join("\n"), is_urgent, is_quiet: false }
}

/// A notification that says that nothing is wrong.
pub(crate) fn test() -> Notice {
    Notice {
        title: "A test of Liftdeck, nothing is wrong".to_owned(),
        body: "Alerts look like this while the window is out of sight. A click opens it.".to_owned(),
        is_urgent: false,
        is_quiet: false,
    }
}

fn headline(alert: &ToldAlert) -> String {
    format!("{}: {}", alert.label(), alert.title)
}

fn of_one(alert: &ToldAlert, now: Timestamp) -> Vec<String> {
    let mut lines = vec![since(alert, now)];
    if !alert.detail.is_empty() {
        lines.push(alert.detail.clone());
    }
    lines.extend(alert.cause.as_ref().map(|cause| format!("Likely cause: {cause}")));
    lines
}

fn of_many(alerts: &[ToldAlert], now: Timestamp) -> Vec<String> {
    let named = alerts.iter().take(NAMED);
    let mut lines: Vec<String> =
        named.map(|alert| format!("{} · {}", headline(alert), since(alert, now))).collect();
    if alerts.len() > NAMED {
        lines.push(format!("{} more alerts", alerts.len() - NAMED));
    }
    lines
}

fn since(alert: &ToldAlert, now: Timestamp) -> String {
    let moment = |at: Timestamp| {
        let text = at.in_utc();
        let (day, time) = text.split_once(' ').unwrap_or((&text, ""));
        (day.to_owned(), time.chars().take(5).collect::<String>())
    };
    let (day, time) = moment(alert.since);
    let day = if day == moment(now).0 { String::new() } else { format!("{day} ") };
    let region = alert.region.as_ref().map(|region| format!("{region}, ")).unwrap_or_default();
    format!("{region}since {day}{time} UTC")
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}
