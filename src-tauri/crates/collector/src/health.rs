//! The health of the collection, as people need to know it. Deliberately holds values only: `condition` decides which
//! state a Region is in.

mod recorded;

use std::fmt;
use std::time::Duration;

use liftdeck_gateway::HeardDate;
use liftdeck_model::time::in_words;
use liftdeck_model::watch::Down;
use liftdeck_model::{Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::IntoStaticStr;

/// The overall state; later variants are worse.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, Type,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum HealthState {
    /// Everything is read on time.
    Live,
    /// Nothing has been read yet.
    Starting,
    /// Live figures are older than they should be.
    Behind,
    /// AWS throttles us, or our own share of its rates is used up.
    Throttled,
    /// AWS denies the calls that matter most.
    Denied,
    /// The endpoint cannot be reached.
    Unreachable,
    /// AWS does not say which account the credentials belong to, so no other calls are made.
    Unproven,
    /// There are no valid credentials.
    CredentialsExpired,
    /// The credentials belong to a different account than the connection and its database, so no other calls are
    /// made.
    WrongAccount,
    /// The database cannot be written.
    StoreProblem,
    /// Collection was stopped.
    Stopped,
}

/// The health of a Region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RegionHealth {
    /// Region.
    pub region: Region,
    /// State.
    pub state: HealthState,
    /// By how many milliseconds the oldest live figure is overdue.
    pub behind_ms: i64,
    /// The busiest operation's share of the published rate over the last minute, 0 to 1.
    pub quota_share: f64,
    /// The busiest operation.
    pub busiest_operation: Option<String>,
    /// Throttled calls since the start.
    pub throttles: u64,
    /// What is wrong, in a sentence with code and request id.
    pub message: Option<String>,
    /// What to do about it.
    pub remedy: Option<String>,
    /// When something was last read.
    pub last_success: Option<Timestamp>,
}

/// The state of an event queue's feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FeedState {
    /// Nothing is known about it yet.
    Starting,
    /// This connection has not adopted it, so its messages are left alone.
    NotAdopted,
    /// Its messages are received.
    Receiving,
    /// It was adopted, but nothing is received from it until it is adopted again.
    Halted,
}

/// Another reader of an adopted queue. Messages it takes are lost to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OtherReader {
    /// Deliveries to the other reader, as far as they were noticed.
    pub deliveries: u64,
    /// When the first was noticed.
    pub since: Timestamp,
}

/// The health of a queue's event feed; counts are since the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FeedHealth {
    /// Region of the queue.
    pub region: Region,
    /// URL of the queue.
    pub queue_url: String,
    /// State of the feed.
    pub state: FeedState,
    /// Messages received.
    pub received: u64,
    /// Events stored, without duplicates.
    pub stored: u64,
    /// Events that were already stored.
    pub duplicates: u64,
    /// Messages put aside, including those waiting to be confirmed.
    pub quarantined: u64,
    /// Events put aside because they name a resource this connection does not know.
    pub unconfirmed: u64,
    /// Messages that were left in the queue.
    pub left: u64,
    /// Of the messages left, those that were too large to set aside or for which no room was left.
    pub no_room: u64,
    /// Messages waiting in the queue when SQS was last asked.
    pub waiting: Option<u64>,
    /// Another reader of the queue, if one was noticed.
    pub other_reader: Option<OtherReader>,
    /// When the last message that is not foreign was received.
    pub last_message: Option<Timestamp>,
    /// What is wrong, if anything.
    pub message: Option<String>,
}

impl FeedHealth {
    /// The health of a queue about which nothing is known yet.
    pub(crate) fn starting(region: Region, queue_url: String) -> Self {
        Self {
            region,
            queue_url,
            state: FeedState::Starting,
            received: 0,
            stored: 0,
            duplicates: 0,
            quarantined: 0,
            unconfirmed: 0,
            left: 0,
            no_room: 0,
            waiting: None,
            other_reader: None,
            last_message: None,
            message: None,
        }
    }

    /// Whether nothing is received from the queue until a person adopts it.
    pub const fn is_left_alone(&self) -> bool {
        matches!(self.state, FeedState::NotAdopted | FeedState::Halted)
    }

    /// Returns what a person has to know or do about the feed, one note each; empty when all is well.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let url = &self.queue_url;
        match self.state {
            FeedState::NotAdopted => notes.push(format!(
                "The event queue {url} is not adopted: its messages are left alone. Look at it and adopt it with \
                 `liftdeck feed adopt {url}`, or in the window."
            )),
            FeedState::Halted => notes.push(format!(
                "Nothing is received from the event queue {url}: {}. Look at it and adopt it again with `liftdeck feed \
                 adopt {url}`, or in the window.",
                self.message.as_deref().unwrap_or("it was halted").trim_end_matches('.')
            )),
            FeedState::Starting | FeedState::Receiving => {}
        }
        if let Some(other) = self.other_reader {
            notes.push(format!(
                "Another reader has been taking messages from the event queue {url} since {} ({} deliveries that \
                 were not ours): events are being lost to it. Give each reader its own queue.",
                other.since, other.deliveries
            ));
        }
        if self.no_room > 0 {
            notes.push(format!(
                "{} messages of {url} stay in the queue: they are too large to set aside, or there is no room left. \
                 Export and clear what was set aside with `liftdeck feed aside`.",
                self.no_room
            ));
        }
        notes
    }
}

/// Progress of the initial read of history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Backfill {
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
}

/// Something that stops nothing but that a person should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caution {
    /// This computer's clock differs from AWS's own date.
    ClockDiffers {
        /// Milliseconds by which it is ahead of AWS's date, or behind it when negative.
        ahead_ms: i64,
    },
}

/// Differences up to this are ignored; AWS itself tolerates five minutes.
const CLOCK_DIFFERS_MS: i64 = 180_000;
/// An AWS date heard longer ago than this is not compared. This computer may have slept since; its clock counts the
/// sleep, but the measured age of the date does not.
const JUST_HEARD: Duration = Duration::from_secs(3);

impl Caution {
    /// Checks this computer's clock against a response that has just arrived. `None` if it came too long ago to tell.
    pub fn of_clock(now: Timestamp, heard: Option<HeardDate>) -> Option<Vec<Self>> {
        let heard = heard.filter(|heard| heard.age < JUST_HEARD)?;
        let ahead_ms = now.since_ms(heard.now);
        Some(if ahead_ms.abs() > CLOCK_DIFFERS_MS {
            vec![Self::ClockDiffers { ahead_ms }]
        } else {
            Vec::new()
        })
    }
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClockDiffers { ahead_ms } => {
                let side = if *ahead_ms > 0 { "ahead of" } else { "behind" };
                write!(
                    f,
                    "This computer's clock is {} {side} AWS's. Collected data is recorded with AWS's time, and ages \
                     shown here are wrong until the clock is set.",
                    in_words(ahead_ms.saturating_abs())
                )
            }
        }
    }
}

/// The health of the whole connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// The worst state of any Region.
    pub state: HealthState,
    /// The longest delay of any Region, in milliseconds.
    pub behind_ms: i64,
    /// The highest share of a published rate in any Region, 0 to 1.
    pub quota_share: f64,
    /// What is wrong in the worst Region.
    pub message: Option<String>,
    /// What to do about that.
    pub remedy: Option<String>,
    /// Each Region.
    pub regions: Vec<RegionHealth>,
    /// Each event queue.
    pub feeds: Vec<FeedHealth>,
    /// Tasks that ended unexpectedly: which, since when, why, and when each is restarted.
    pub down: Vec<Down>,
    /// Cautions, in sentences: they stop nothing but should be known.
    pub cautions: Vec<String>,
    /// Progress of the initial read of history, while it runs.
    pub backfill: Option<Backfill>,
    /// CloudWatch metrics requested this UTC day.
    pub cloudwatch_metrics_today: u64,
    /// Their price in US dollars.
    pub cloudwatch_cost_today_usd: f64,
    /// The daily cap in US dollars.
    pub cloudwatch_cap_usd: f64,
    /// Change notices that a slow listener has missed since the start; it then reads everything again.
    pub dropped_notices: u64,
    /// The store's revision.
    pub revision: u64,
    /// When this report was made.
    pub now: Timestamp,
}

impl Health {
    /// The health before anything has been asked.
    pub fn starting(now: Timestamp) -> Self {
        Self::of(Vec::new(), Vec::new(), now)
    }

    /// Combines the parts: the connection is as healthy as its worst Region.
    pub(crate) fn of(regions: Vec<RegionHealth>, feeds: Vec<FeedHealth>, now: Timestamp) -> Self {
        let worst = regions.iter().max_by_key(|region| region.state);
        let several = regions.len() > 1;
        let message = worst.and_then(|worst| {
            let message = worst.message.as_deref()?;
            Some(if several { format!("{}: {message}", worst.region) } else { message.to_owned() })
        });
        Self {
            state: worst.map_or(HealthState::Starting, |worst| worst.state),
            behind_ms: regions.iter().map(|region| region.behind_ms).max().unwrap_or(0),
            quota_share: regions.iter().map(|region| region.quota_share).fold(0.0, f64::max),
            message,
            remedy: worst.and_then(|worst| worst.remedy.clone()),
            regions,
            feeds,
            down: Vec::new(),
            cautions: Vec::new(),
            backfill: None,
            cloudwatch_metrics_today: 0,
            cloudwatch_cost_today_usd: 0.0,
            cloudwatch_cap_usd: 0.0,
            dropped_notices: 0,
            revision: 0,
            now,
        }
    }

    /// Adds tasks that are not running. Their data is not read on time, so the state is at least `Behind`.
    pub(crate) fn miss(&mut self, down: Vec<Down>) {
        if let Some(first) = down.first() {
            self.state = self.state.max(HealthState::Behind);
            self.message
                .get_or_insert_with(|| format!("{} stopped at {}: {}.", first.task, first.since, first.why));
        }
        self.down = down;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(name: &str, state: HealthState, message: Option<&str>) -> RegionHealth {
        RegionHealth {
            region: Region::from(name),
            state,
            behind_ms: 0,
            quota_share: 0.1,
            busiest_operation: None,
            throttles: 0,
            message: message.map(str::to_owned),
            remedy: None,
            last_success: None,
        }
    }

    #[test]
    fn a_connection_is_as_healthy_as_its_worst_region_and_says_which() {
        let regions = vec![
            region("eu-west-1", HealthState::Live, None),
            region("us-east-1", HealthState::Unreachable, Some("The endpoint does not answer.")),
        ];
        let health = Health::of(regions, Vec::new(), Timestamp::from_ms(0));
        assert_eq!(health.state, HealthState::Unreachable);
        assert_eq!(health.message.as_deref(), Some("us-east-1: The endpoint does not answer."));
    }

    #[test]
    fn a_clock_that_aws_contradicts_is_said_with_the_difference_and_only_after_a_fresh_answer() {
        let now = Timestamp::from_ms(1_772_619_330_000);
        let heard =
            |off_ms, age_s| Some(HeardDate { now: now.plus_ms(off_ms), age: Duration::from_secs(age_s) });
        assert_eq!(Caution::of_clock(now, None), None);
        assert_eq!(Caution::of_clock(now, heard(-600_000, 60)), None);
        assert_eq!(Caution::of_clock(now, heard(-120_000, 0)), Some(Vec::new()));
        let said = |off_ms| Caution::of_clock(now, heard(off_ms, 0)).unwrap()[0].to_string();
        assert!(said(-600_000).contains("10 min 00 s ahead of AWS"), "{}", said(-600_000));
        assert!(said(7_200_000).contains("2 h 00 min behind AWS"), "{}", said(7_200_000));
    }

    #[test]
    fn a_connection_without_regions_is_starting() {
        assert_eq!(Health::of(Vec::new(), Vec::new(), Timestamp::from_ms(0)).state, HealthState::Starting);
    }
}
