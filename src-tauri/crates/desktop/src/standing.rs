//! What stands on the desktop, and what changes about it. Pure: messages in, steps out.
//!
//! One notification is about the alerts of one or more groups that were told in one burst. It is shown anew when more
//! is to be told of them, corrected when some are over, and withdrawn with the last.

use liftdeck_model::Timestamp;
use liftdeck_model::notification::{Telling, ToldAlert};

use crate::clerk::{Key, Notice, Told};
use crate::words::notice;

/// News this soon after a notification joins it: a burst is one notification.
const BURST_MS: i64 = 30_000;

/// What to do with the system's notifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Show it, in the place of the one with this key.
    Show { key: Key, notice: Notice },
    /// Take it away.
    Withdraw { key: Key },
}

/// One notification.
#[derive(Debug)]
struct Shown {
    key: Key,
    connection: String,
    name: String,
    /// Most urgent first; never empty.
    alerts: Vec<ToldAlert>,
    grown_at: Timestamp,
}

/// Everything that stands there.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    shown: Vec<Shown>,
    last_key: Key,
}

impl Standing {
    pub(crate) fn told(&mut self, told: Told<'_>, may_show: bool, now: Timestamp) -> Vec<Step> {
        let alerts = told.messages.iter().flat_map(|message| &message.alerts);
        let (mut news, mut over) = (Vec::new(), Vec::new());
        for alert in alerts {
            match alert.telling {
                // Somebody has taken note of it before anybody was told.
                Telling::Fired if alert.acknowledged_by.is_some() => {}
                Telling::Fired | Telling::Worse | Telling::Reminder => news.push(alert.clone()),
                Telling::Resolved | Telling::Acknowledged => over.push(&alert.id),
                Telling::Unchanged | Telling::Test => {}
            }
        }
        let mut corrected = Vec::new();
        for shown in self.shown.iter_mut().filter(|shown| shown.connection == told.connection) {
            let before = shown.alerts.len();
            shown.alerts.retain(|alert| !over.contains(&&alert.id));
            if shown.alerts.len() < before {
                corrected.push(shown.key);
            }
        }
        let grown = if may_show && !news.is_empty() { Some(self.add(told, news, now)) } else { None };
        let mut steps = Vec::new();
        self.shown.retain(|shown| {
            let is_over = shown.alerts.is_empty();
            if is_over {
                steps.push(Step::Withdraw { key: shown.key });
            } else if grown == Some(shown.key) || corrected.contains(&shown.key) {
                let is_quiet = grown != Some(shown.key);
                let notice = Notice { is_quiet, ..notice(&shown.name, &shown.alerts, now) };
                steps.push(Step::Show { key: shown.key, notice });
            }
            !is_over
        });
        steps
    }

    /// Adds news to the notification it belongs to, or to a new one; returns its key.
    fn add(&mut self, told: Told<'_>, news: Vec<ToldAlert>, now: Timestamp) -> Key {
        let belongs = |shown: &Shown| {
            let is_burst = now.since_ms(shown.grown_at) < BURST_MS;
            let is_of_group = |one: &ToldAlert| {
                news.iter().any(|new| new.id == one.id || (new.rule == one.rule && new.region == one.region))
            };
            shown.connection == told.connection && (is_burst || shown.alerts.iter().any(is_of_group))
        };
        let place = match self.shown.iter().position(belongs) {
            Some(place) => place,
            None => {
                self.last_key += 1;
                self.shown.push(Shown {
                    key: self.last_key,
                    connection: told.connection.to_owned(),
                    name: told.name.to_owned(),
                    alerts: Vec::new(),
                    grown_at: now,
                });
                self.shown.len() - 1
            }
        };
        // What is told anew is told once, here.
        for (at, shown) in self.shown.iter_mut().enumerate() {
            let is_elsewhere = at != place && shown.connection == told.connection;
            if at == place || is_elsewhere {
                shown.alerts.retain(|one| news.iter().all(|new| new.id != one.id));
            }
        }
        let shown = &mut self.shown[place];
        shown.alerts.extend(news);
        shown.alerts.sort_by_key(|alert| (std::cmp::Reverse(alert.severity), alert.since));
        shown.grown_at = now;
        shown.key
    }

    pub(crate) fn closed(&mut self, connection: &str) -> Vec<Step> {
        self.withdrawn(|shown| shown.connection == connection)
    }

    pub(crate) fn clear(&mut self) -> Vec<Step> {
        self.withdrawn(|_| true)
    }

    fn withdrawn(&mut self, which: impl Fn(&Shown) -> bool) -> Vec<Step> {
        let gone = self.shown.extract_if(.., |shown| which(shown));
        gone.map(|shown| Step::Withdraw { key: shown.key }).collect()
    }

    /// A person dismissed it, or the system did: it is neither shown again nor withdrawn.
    pub(crate) fn gone(&mut self, key: Key) {
        self.shown.retain(|shown| shown.key != key);
    }

    /// A person clicked it: returns the page of its most urgent alert.
    pub(crate) fn opened(&mut self, key: Key) -> Option<String> {
        let place = self.shown.iter().position(|shown| shown.key == key)?;
        let shown = self.shown.remove(place);
        shown.alerts.first().map(|alert| format!("#/alerts/{}", alert.id))
    }
}

#[cfg(test)]
mod tests;
