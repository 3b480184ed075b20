//! The task that delivers what waits in the outbox, and the one way a message takes, also that of a test.
//!
//! Only the process that holds the database's writer may run it: there is then one sender.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use liftdeck_alerts::{Clock, is_settled_since, told};
use liftdeck_gateway::Gateway;
use liftdeck_model::Timestamp;
use liftdeck_model::channel::{Channel, ChannelKind};
use liftdeck_model::notification::{
    Message, Notification, NotificationId, NotificationState, Telling, ToldAlert,
};
use liftdeck_model::severity::Severity;
use liftdeck_model::watch::{Down, Roll};
use liftdeck_store::{AttemptEnd, Notice, Reader, StoreError, Writer};
use parking_lot::Mutex;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::attempt::{Outcome, attempt, pause, pause_if_refused, refresh};
use crate::envelope::{Envelope, MOST_ALERTS, Origin};
use crate::payload::alertmanager::LASTS_MS;

/// How often an Alertmanager is told again what fires, and the longest time without a look at the outbox.
const CYCLE: Duration = Duration::from_secs(60);
/// A message that could not be delivered for this long has failed.
const GIVES_UP_MS: i64 = 24 * 3_600_000;

/// Everything an attempt needs. Cheap to clone.
#[derive(Clone)]
pub struct Delivery {
    /// Reads the outbox.
    pub reader: Reader,
    /// Records attempts.
    pub writer: Writer,
    /// The way to SNS.
    pub gateway: Gateway,
    /// The account, as messages name it.
    pub account: String,
    /// The connection or database, as messages name it.
    pub connection: String,
    /// The current time.
    pub clock: Clock,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// Whether the receiver accepted it.
    pub is_delivered: bool,
    /// Why not.
    pub detail: Option<String>,
}

/// Delivers until it is stopped.
pub struct Sender {
    task: JoinHandle<()>,
    roll: Roll,
    troubles: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Sender {
    /// Begins to deliver, with what an earlier process left. `notices` are the store's. To be called before anything is
    /// collected: the newest poll on record then says for how long nobody did.
    pub fn start(delivery: Delivery, notices: Receiver<Notice>) -> Self {
        let clock = Arc::clone(&delivery.clock);
        let unsettled_since = delivery.unsettled_since();
        let roll = Roll::new(clock, |pause| Box::pin(tokio::time::sleep(pause)));
        let kept = roll.clone();
        let troubles = Arc::<Mutex<BTreeMap<String, String>>>::default();
        let shared = Arc::clone(&troubles);
        let task = tokio::spawn(async move {
            let begin = || {
                let cycle = Cycle { unsettled_since, ..Cycle::default() };
                deliver_on(delivery.clone(), cycle, notices.resubscribe(), Arc::clone(&shared))
            };
            kept.keep("The delivery of alerts", pending::<()>, begin).await;
        });
        Self { task, roll, troubles }
    }

    /// Tells whether it is not running.
    pub fn down(&self) -> Vec<Down> {
        self.roll.down()
    }

    /// The channels that alerts do not reach, a sentence each.
    pub fn troubles(&self) -> Vec<String> {
        self.troubles.lock().values().cloned().collect()
    }

    /// Ends it. A message whose attempt is cut off is taken up again by the next sender.
    pub async fn stop(self) {
        self.task.abort();
        // The task is expected to end as aborted.
        let _ = self.task.await;
    }
}

/// Ends when the store is closed or cannot be used.
async fn deliver_on(
    delivery: Delivery,
    mut cycle: Cycle,
    mut notices: Receiver<Notice>,
    troubles: Arc<Mutex<BTreeMap<String, String>>>,
) {
    if let Err(error) = delivery.writer.resume_attempts().await {
        tracing::warn!(%error, "The outbox cannot be used.");
        return;
    }
    loop {
        // Before the outbox is read: what is committed from here on is another occasion.
        notices = notices.resubscribe();
        let next = match Box::pin(delivery.deliver_due(&mut cycle, &troubles)).await {
            Ok(next) => next,
            Err(error) => {
                tracing::warn!(%error, "The outbox cannot be used.");
                return;
            }
        };
        let wait = next.map_or(CYCLE, |due| {
            let wait_ms = due.since_ms((delivery.clock)()).max(0);
            Duration::from_millis(u64::try_from(wait_ms).unwrap_or(0)).min(CYCLE)
        });
        if let Ok(Err(RecvError::Closed)) = tokio::time::timeout(wait, notices.recv()).await {
            return;
        }
    }
}

/// What is known from one look at the outbox to the next.
#[derive(Default)]
struct Cycle {
    /// Waiting messages that were themselves refused. Forgotten with the process: at a start, all that waits is tried.
    refused: HashSet<NotificationId>,
    /// When each was told again.
    refreshed: HashMap<String, Timestamp>,
    /// When this process began, if what an earlier one left as firing is not to be told as that before it was seen anew.
    unsettled_since: Option<Timestamp>,
}

/// Whether nobody has collected for so long that an Alertmanager takes what was told for over. What then fires no more
/// would be notified as new. Within that time it is told again at once, or it would be taken for over.
fn is_let_go(confirmed: impl Iterator<Item = Timestamp>, started: Timestamp) -> bool {
    confirmed.max().is_some_and(|last| started.since_ms(last) >= LASTS_MS)
}

impl Delivery {
    /// This moment, if nobody has collected for too long before it; see [`Cycle`].
    fn unsettled_since(&self) -> Option<Timestamp> {
        let now = (self.clock)();
        let confirmed = self.reader.ledger().into_iter().filter_map(|line| line.confirmed_at);
        is_let_go(confirmed, now).then_some(now)
    }

    /// Sends a test to a channel, in the same way as everything else, and says how it ended. It is not tried again.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub async fn test(&self, channel: &Channel) -> Result<Tested, StoreError> {
        let test = test_message(&channel.name, (self.clock)());
        self.writer.queue_test(test.clone()).await?;
        let outcome = Box::pin(self.send(channel, &test, false)).await?;
        let now = (self.clock)();
        let detail = match &outcome {
            Outcome::Delivered => None,
            Outcome::Refused(why) | Outcome::Later { why, .. } => Some(why.clone()),
        };
        let is_delivered = detail.is_none();
        let state = if is_delivered { NotificationState::Delivered } else { NotificationState::Failed };
        let end = AttemptEnd { detail: detail.clone(), ..ended(state, now) };
        self.writer.end_attempt(&test.id, end).await?;
        if is_delivered {
            self.writer.hurry_notifications(&channel.name).await?;
        }
        Ok(Tested { is_delivered, detail })
    }

    /// Delivers what is due once, with what an earlier process left, and returns what keeps alerts from channels.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub async fn deliver_once(&self) -> Result<Vec<String>, StoreError> {
        self.writer.resume_attempts().await?;
        let troubles = Mutex::default();
        Box::pin(self.deliver_due(&mut Cycle::default(), &troubles)).await?;
        Ok(troubles.into_inner().into_values().collect())
    }

    /// Delivers what is due; returns when the next message is.
    async fn deliver_due(
        &self,
        cycle: &mut Cycle,
        troubles: &Mutex<BTreeMap<String, String>>,
    ) -> Result<Option<Timestamp>, StoreError> {
        let is_settled = |since| is_settled_since(&self.reader, since, (self.clock)());
        cycle.unsettled_since = cycle.unsettled_since.filter(|since| !is_settled(*since));
        let knows_active = cycle.unsettled_since.is_none();
        let channels = self.reader.channels().await?;
        let open = self.reader.open_notifications().await?;
        let each = channels.iter().map(|channel| {
            let own = waiting_for(channel, &open);
            self.deliver_to(channel, own, &cycle.refused, knows_active)
        });
        // Channels do not wait for each other.
        let mut refused = HashSet::new();
        for done in join_all(each).await {
            refused.extend(done?);
        }
        cycle.refused = refused;
        if knows_active {
            self.refresh(&channels, &mut cycle.refreshed, troubles).await?;
        }
        let mut said = BTreeMap::new();
        for channel in channels.iter().filter(|channel| channel.is_on) {
            if let Some(trouble) = self.trouble(channel).await? {
                said.insert(channel.name.clone(), trouble);
            }
        }
        // The trouble of a cycle lasts until the next; that of a channel that is gone or off is over.
        let is_there = |name: &str| {
            let of = name.strip_suffix(REFRESHING);
            channels.iter().any(|channel| channel.is_on && of == Some(channel.name.as_str()))
        };
        troubles.lock().retain(|name, _| is_there(name));
        troubles.lock().extend(said);
        let open = self.reader.open_notifications().await?;
        let turns = channels.iter().filter_map(|channel| {
            let own = waiting_for(channel, &open);
            next_turn(channel, &own, &cycle.refused, (self.clock)())
        });
        Ok(turns.min())
    }

    /// Delivers to one channel, each group in order. While one message waits for another attempt because the channel
    /// takes nothing, all wait; one that was itself refused keeps only the later ones of its group waiting. Returns
    /// those of the latter kind that still wait.
    async fn deliver_to(
        &self,
        channel: &Channel,
        waiting: Vec<&Notification>,
        refused: &HashSet<NotificationId>,
        knows_active: bool,
    ) -> Result<HashSet<NotificationId>, StoreError> {
        let now = (self.clock)();
        let mut refused: HashSet<NotificationId> =
            waiting.iter().map(|one| &one.id).filter(|id| refused.contains(id)).cloned().collect();
        if away_until(channel, &waiting, &refused, now).is_some() {
            return Ok(refused);
        }
        let mut held: HashSet<&str> = HashSet::new();
        for notification in waiting {
            if notification.due_at > now || held.contains(notification.topic.as_str()) {
                held.insert(&notification.topic);
                continue;
            }
            let is_cut_off_test = notification.message.telling() == Telling::Test;
            if !channel.is_on || is_cut_off_test {
                let why =
                    if is_cut_off_test { "the test was cut off" } else { "the channel is switched off" };
                self.drop_it(notification, why).await?;
                continue;
            }
            match self.writer.begin_attempt(&notification.id).await {
                Ok(()) => {}
                // A later message took its place since it was read.
                Err(StoreError::Unrecorded { .. }) => continue,
                Err(error) => return Err(error),
            }
            let outcome = Box::pin(self.send(channel, notification, knows_active)).await?;
            let is_refused = matches!(outcome, Outcome::Refused(_));
            let is_away = matches!(outcome, Outcome::Later { .. });
            let is_over = self.record(notification, outcome).await?;
            refused.remove(&notification.id);
            if is_refused && !is_over {
                refused.insert(notification.id.clone());
                held.insert(&notification.topic);
            }
            if is_away && !is_over {
                break;
            }
        }
        Ok(refused)
    }

    async fn drop_it(&self, notification: &Notification, why: &str) -> Result<(), StoreError> {
        let now = (self.clock)();
        // What nobody has heard of, and still fires once the channel is on again, is then told.
        let begins = |alert: &&ToldAlert| alert.telling == Telling::Fired && !notification.may_be_repeat;
        let untold =
            notification.message.alerts.iter().filter(begins).map(|alert| alert.id.clone()).collect();
        let detail = Some(why.to_owned());
        let end = AttemptEnd { detail, untold, ..ended(NotificationState::Superseded, now) };
        self.writer.end_attempt(&notification.id, end).await
    }

    /// The one way out.
    async fn send(
        &self,
        channel: &Channel,
        notification: &Notification,
        knows_active: bool,
    ) -> Result<Outcome, StoreError> {
        let active = match channel.kind {
            ChannelKind::Alertmanager if knows_active => self.active(channel).await?,
            _ => Vec::new(),
        };
        let (origin, at) = (self.origin(), (self.clock)());
        let envelope = Envelope { notification, origin, most: MOST_ALERTS, at };
        Ok(Box::pin(attempt(Some(&self.gateway), channel, envelope, &active)).await)
    }

    fn origin(&self) -> Origin<'_> {
        Origin { account: &self.account, connection: &self.connection }
    }

    /// Records how an attempt ended, and returns whether it was the last.
    async fn record(&self, notification: &Notification, outcome: Outcome) -> Result<bool, StoreError> {
        let now = (self.clock)();
        let attempts = notification.attempts + 1;
        let failed = |why: String, wait: Duration, may_have_arrived| {
            let is_over = now.since_ms(notification.queued_at) >= GIVES_UP_MS;
            let state = if is_over { NotificationState::Failed } else { NotificationState::Waiting };
            let due_at = now.plus_ms(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
            AttemptEnd { due_at, may_be_repeat: may_have_arrived, detail: Some(why), ..ended(state, now) }
        };
        let end = match outcome {
            Outcome::Delivered => ended(NotificationState::Delivered, now),
            Outcome::Refused(why) => failed(why, pause_if_refused(attempts, fastrand::f64()), false),
            Outcome::Later { why, wait, may_have_arrived } => {
                failed(why, pause(attempts, wait, fastrand::f64()), may_have_arrived)
            }
        };
        let is_over = end.state != NotificationState::Waiting;
        if end.state == NotificationState::Failed {
            let (channel, why) = (&notification.channel, &end.detail);
            tracing::warn!(channel, why, "A message about alerts was given up.");
        }
        self.writer.end_attempt(&notification.id, end).await?;
        Ok(is_over)
    }

    /// Tells every Alertmanager what fires, once in a cycle.
    async fn refresh(
        &self,
        channels: &[Channel],
        refreshed: &mut HashMap<String, Timestamp>,
        troubles: &Mutex<BTreeMap<String, String>>,
    ) -> Result<(), StoreError> {
        let now = (self.clock)();
        let cycle_ms = i64::try_from(CYCLE.as_millis()).unwrap_or(i64::MAX);
        let ours = channels.iter().filter(|one| one.is_on && one.kind == ChannelKind::Alertmanager);
        for channel in ours {
            if refreshed.get(&channel.name).is_some_and(|at| now.since_ms(*at) < cycle_ms) {
                continue;
            }
            refreshed.insert(channel.name.clone(), now);
            let active = self.active(channel).await?;
            let name = format!("{}{REFRESHING}", channel.name);
            let outcome = if active.is_empty() {
                Outcome::Delivered
            } else {
                refresh(channel, self.origin(), &active, now).await
            };
            match outcome {
                Outcome::Delivered => troubles.lock().remove(&name),
                Outcome::Refused(why) | Outcome::Later { why, .. } => {
                    troubles.lock().insert(name, sentence(channel, &why))
                }
            };
        }
        Ok(())
    }

    /// The alerts that were told to a channel and are not over.
    async fn active(&self, channel: &Channel) -> Result<Vec<ToldAlert>, StoreError> {
        let mut active = Vec::new();
        for mark in self.reader.told().await?.into_iter().filter(|mark| mark.channel == channel.name) {
            if let Some(alert) = self.reader.alert(&mark.alert_id).await?
                && alert.state.is_open()
            {
                // As it was told: for an Alertmanager another severity would be another alert.
                active.push(ToldAlert { severity: mark.severity, ..told(&alert, Telling::Unchanged) });
            }
        }
        Ok(active)
    }

    /// What keeps alerts from reaching a channel, by its newest message that was not superseded.
    async fn trouble(&self, channel: &Channel) -> Result<Option<String>, StoreError> {
        let newest = self.reader.newest_notifications(&channel.name, 20).await?;
        let newest = newest.iter().find(|one| {
            one.state != NotificationState::Superseded && (one.detail.is_some() || one.ended_at.is_some())
        });
        Ok(newest.and_then(|one| one.detail.as_deref()).map(|why| sentence(channel, why)))
    }
}

fn ended(state: NotificationState, at: Timestamp) -> AttemptEnd {
    AttemptEnd { at, state, due_at: at, may_be_repeat: false, detail: None, untold: Vec::new() }
}

/// What waits for a channel, in the order it was handed over.
fn waiting_for<'n>(channel: &Channel, open: &'n [Notification]) -> Vec<&'n Notification> {
    let is_own = |one: &&Notification| one.state == NotificationState::Waiting && one.channel == channel.name;
    let mut own: Vec<&Notification> = open.iter().filter(is_own).collect();
    own.sort_by_key(|one| (one.queued_at, one.due_at));
    own
}

/// Until when a channel is left alone, because it takes nothing.
fn away_until(
    channel: &Channel,
    waiting: &[&Notification],
    refused: &HashSet<NotificationId>,
    now: Timestamp,
) -> Option<Timestamp> {
    let keeps_all = |one: &&&Notification| one.attempts > 0 && one.due_at > now && !refused.contains(&one.id);
    waiting.iter().filter(keeps_all).map(|one| one.due_at).max().filter(|_| channel.is_on)
}

/// When there is something to do for a channel again; later than now as long as everything waits for a pause to end.
fn next_turn(
    channel: &Channel,
    waiting: &[&Notification],
    refused: &HashSet<NotificationId>,
    now: Timestamp,
) -> Option<Timestamp> {
    let mut groups: HashSet<&str> = HashSet::new();
    let first_of_each = waiting.iter().filter(|one| groups.insert(&one.topic));
    let next = first_of_each.map(|one| one.due_at).min()?;
    Some(away_until(channel, waiting, refused, now).unwrap_or(next))
}

/// Marks a trouble of the cycle, not of a message.
const REFRESHING: &str = "\u{0}refresh";

fn sentence(channel: &Channel, why: &str) -> String {
    format!("Alerts do not reach the channel {}: {why}.", channel.name)
}

/// A message that says that nothing is wrong.
fn test_message(channel: &str, at: Timestamp) -> Notification {
    let id = NotificationId::new(Uuid::new_v4().to_string());
    let alert = ToldAlert {
        id: id.as_str().into(),
        telling: Telling::Test,
        severity: Severity::Info,
        rule: "test".to_owned(),
        subject: "test".to_owned(),
        region: None,
        fleet_id: None,
        since: at,
        fired_at: None,
        ended_at: None,
        acknowledged_by: None,
        title: "A test of Liftdeck, nothing is wrong".to_owned(),
        detail: String::new(),
        cause: None,
    };
    Notification {
        id,
        channel: channel.to_owned(),
        topic: "test".to_owned(),
        state: NotificationState::Sending,
        queued_at: at,
        due_at: at,
        attempts: 1,
        may_be_repeat: false,
        ended_at: None,
        detail: None,
        message: Message { alerts: vec![alert] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_alertmanager_still_holds_is_told_again_at_once_and_what_it_let_go_waits_to_be_seen() {
        let started = Timestamp::from_ms(1_772_618_400_000);
        let at = |ms: i64| started.plus_ms(ms);
        assert!(!is_let_go([at(-2 * LASTS_MS), at(-LASTS_MS + 1)].into_iter(), started));
        assert!(is_let_go([at(-2 * LASTS_MS), at(-LASTS_MS)].into_iter(), started));
        assert!(!is_let_go(std::iter::empty(), started), "nothing was ever told");
    }

    const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

    fn channel() -> Channel {
        Channel {
            name: "on call".to_owned(),
            kind: ChannelKind::Slack,
            address: liftdeck_model::channel::Place::Environment("HOOK".to_owned()),
            signing_key: None,
            endpoint: None,
            least_severity: Severity::Warning,
            rules: Vec::new(),
            regions: Vec::new(),
            is_on: true,
        }
    }

    fn waiting(id: &str, topic: &str, attempts: u32, due_ms: i64) -> Notification {
        Notification {
            id: id.into(),
            channel: "on call".to_owned(),
            topic: topic.to_owned(),
            state: NotificationState::Waiting,
            attempts,
            due_at: NOW.plus_ms(due_ms),
            ..test_message("on call", NOW)
        }
    }

    #[test]
    fn while_a_channel_takes_nothing_the_next_look_is_at_the_end_of_the_pause() {
        let (first, second) = (waiting("1", "a", 3, 40_000), waiting("2", "b", 0, -1_000));
        let both = [&first, &second];
        let turn = |refused: &HashSet<NotificationId>, waiting: &[&Notification]| {
            next_turn(&channel(), waiting, refused, NOW).map(|at| at.since_ms(NOW))
        };
        assert_eq!(turn(&HashSet::new(), &both), Some(40_000), "looking sooner would be in vain");
        let refused = HashSet::from([first.id.clone()]);
        assert_eq!(turn(&refused, &both), Some(-1_000), "only the first was refused");
        let later = waiting("3", "a", 0, -1_000);
        assert_eq!(turn(&refused, &[&first, &later]), Some(40_000), "its group is told in order");
    }
}
