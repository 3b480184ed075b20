//! A message with everything around it that a receiver is told: whose it is, when it is sent, what to do next.

use liftdeck_model::link::Link;
use liftdeck_model::notification::{Message, Notification, Telling, ToldAlert};
use liftdeck_model::{AccountId, Severity, Timestamp};

/// Most alerts of a group that one message describes.
pub(crate) const MOST_ALERTS: usize = 20;

/// Whose alerts are told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    /// The AWS account.
    pub(crate) account: &'a str,
    /// Name of the connection, or of the database.
    pub(crate) connection: &'a str,
}

impl Origin<'_> {
    /// Where to go on from here.
    pub(crate) fn next_step(&self) -> String {
        format!("Open Liftdeck on {}, Alerts, or run: liftdeck alerts", self.connection)
    }

    /// The link to the page of an alert in the window. A test has none, so it leads to the list.
    pub(crate) fn link(&self, alert: &ToldAlert) -> String {
        let account = AccountId::from(self.account);
        let link = match alert.telling {
            Telling::Test => Link::of_alerts(&account),
            _ => Link::of_alert(&account, &alert.id),
        };
        link.to_string()
    }
}

/// A message as it leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Envelope<'a> {
    pub(crate) notification: &'a Notification,
    pub(crate) origin: Origin<'a>,
    /// How many alerts of a group it describes: [`MOST_ALERTS`], or fewer where a channel takes less.
    pub(crate) most: usize,
    /// When it is sent.
    pub(crate) at: Timestamp,
}

impl<'a> Envelope<'a> {
    pub(crate) const fn message(&self) -> &'a Message {
        &self.notification.message
    }

    /// The alerts that are described, those with news first.
    pub(crate) fn described(&self) -> &'a [ToldAlert] {
        let alerts = &self.message().alerts;
        &alerts[..alerts.len().min(self.most)]
    }

    /// How many further alerts the group has.
    pub(crate) fn left_out(&self) -> usize {
        self.message().alerts.len().saturating_sub(self.most)
    }

    /// The message in one line.
    pub(crate) fn headline(&self) -> String {
        let Some(first) = self.message().alerts.first() else { return String::new() };
        let news = self.message().news().count();
        let more = match news.saturating_sub(1) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let place = first.region.as_ref().map(|region| format!(" ({region})")).unwrap_or_default();
        format!("{}: {}{more}{place}", first.label(), first.title)
    }

    /// The highest severity of what is described.
    pub(crate) fn severity(&self) -> Severity {
        self.message().alerts.iter().map(|alert| alert.severity).max().unwrap_or(Severity::Info)
    }
}

/// One alert in sentences, for receivers that show text.
pub(crate) fn sentences(alert: &ToldAlert) -> String {
    let mut text = alert.title.clone();
    if !alert.detail.is_empty() {
        text += &format!(": {}", alert.detail);
    }
    text += &format!(". Since {}", alert.since);
    if let Some(ended) = alert.ended_at {
        text += &format!(", over at {ended}");
    }
    text.push('.');
    if let Some(cause) = &alert.cause {
        text += &format!(" Likely cause: {cause}.");
    }
    if let (Telling::Acknowledged, Some(by)) = (alert.telling, &alert.acknowledged_by) {
        text += &format!(" Acknowledged by {}.", if by.is_empty() { "somebody" } else { by });
    }
    text
}

/// Cuts a text to a number of characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}
