//! How the collection is doing, in what a person needs to know. Deliberately holds values only: `condition`
//! decides which state a Region is in.

use std::fmt;
use std::time::Duration;

use liftdeck_gateway::HeardDate;
use liftdeck_model::time::in_words;
use liftdeck_model::watch::Down;
use liftdeck_model::{Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

/// The one word for how things are; later ones are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum HealthState {
    /// Everything is read in time.
    Live,
    /// Nothing was read yet.
    Starting,
    /// Live figures are older than they should be.
    Behind,
    /// AWS throttles us, or our own share of its rates is used up.
    Throttled,
    /// AWS refuses what is needed most.
    Denied,
    /// The endpoint cannot be reached.
    Unreachable,
    /// AWS does not say whose account the credentials are of, so nothing is asked of it.
    Unproven,
    /// There are no valid credentials.
    CredentialsExpired,
    /// The credentials are of another account than the connection and its database, so nothing is asked of it.
    WrongAccount,
    /// The database cannot be written.
    StoreProblem,
    /// Collection was stopped.
    Stopped,
}

/// How a Region is doing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RegionHealth {
    /// Region.
    pub region: Region,
    /// State.
    pub state: HealthState,
    /// By how many milliseconds the oldest live figure is later than it should be.
    pub behind_ms: i64,
    /// The busiest operation's share of the published rate over the last minute, 0 to 1.
    pub quota_share: f64,
    /// That operation.
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

/// What is done with an event queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FeedState {
    /// Nothing is known of it yet.
    Starting,
    /// It is not this connection's: its messages are left alone.
    NotAdopted,
    /// Its messages are received.
    Receiving,
    /// It was adopted, and nothing is received from it until it is adopted again.
    Halted,
}

/// Somebody else who receives from an adopted queue: what they take is lost to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OtherReader {
    /// Deliveries that were not ours, as far as they were noticed.
    pub deliveries: u64,
    /// When the first was noticed.
    pub since: Timestamp,
}

/// How the event feed of a queue is doing; counts are since the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FeedHealth {
    /// Region of the queue.
    pub region: Region,
    /// URL of the queue.
    pub queue_url: String,
    /// What is done with it.
    pub state: FeedState,
    /// Messages received.
    pub received: u64,
    /// Events stored, without duplicates.
    pub stored: u64,
    /// Events that were there already.
    pub duplicates: u64,
    /// Messages put aside; those that wait to be confirmed among them.
    pub quarantined: u64,
    /// Events put aside because they name what this connection does not know.
    pub unconfirmed: u64,
    /// Messages of others that were left in the queue.
    pub left: u64,
    /// Of the messages left, those there was no room to set aside.
    pub no_room: u64,
    /// Messages waiting in the queue when it was last asked.
    pub waiting: Option<u64>,
    /// Who else receives from it.
    pub other_reader: Option<OtherReader>,
    /// When the last message came.
    pub last_message: Option<Timestamp>,
    /// What is wrong, if something is.
    pub message: Option<String>,
}

impl FeedHealth {
    /// Of a queue nothing is known of yet.
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

    /// What a person has to know or do about it, a sentence each; nothing when all is well.
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
                "Somebody else reads the event queue {url} since {} ({} deliveries that were not ours): events are being \
                 lost to them. Give each reader a queue of its own.",
                other.since, other.deliveries
            ));
        }
        if self.no_room > 0 {
            notes.push(format!(
                "{} messages of {url} stay in the queue: they are larger than what is set aside, or there is no room left. \
                 Export and clear what was set aside with `liftdeck feed aside`.",
                self.no_room
            ));
        }
        notes
    }
}

/// How far the first read of history is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Backfill {
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
}

/// Something that stops nothing and that a person should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caution {
    /// This computer's clock is ahead of AWS's own date by so many milliseconds, or behind it when negative.
    ClockDiffers {
        /// The difference.
        ahead_ms: i64,
    },
}

/// Differences up to here are of no account; AWS itself bears five minutes.
const CLOCK_DIFFERS_MS: i64 = 180_000;
/// A date heard so long ago may have been overtaken by a sleep of this computer, which its own clock counts and the time
/// since the answer does not.
const JUST_HEARD: Duration = Duration::from_secs(3);

impl Caution {
    /// What to say of this computer's clock after an answer that has just come; `None` when it came too long ago to tell.
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
                    "This computer's clock is {} {side} AWS's. What is collected is written at AWS's time, and ages shown \
                     here are wrong until the clock is set.",
                    in_words(ahead_ms.saturating_abs())
                )
            }
        }
    }
}

/// How the whole connection is doing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// The worst state of any Region.
    pub state: HealthState,
    /// The worst lateness of any Region, in milliseconds.
    pub behind_ms: i64,
    /// The highest share of a published rate in any Region, 0 to 1.
    pub quota_share: f64,
    /// What is wrong where it is worst.
    pub message: Option<String>,
    /// What to do about that.
    pub remedy: Option<String>,
    /// Each Region.
    pub regions: Vec<RegionHealth>,
    /// Each event queue.
    pub feeds: Vec<FeedHealth>,
    /// Tasks that ended and were not meant to: what, since when, why, and when each is begun again.
    pub down: Vec<Down>,
    /// What stops nothing and should be known, in sentences.
    pub cautions: Vec<String>,
    /// The first read of history, while it goes on.
    pub backfill: Option<Backfill>,
    /// CloudWatch metrics requested this UTC day.
    pub cloudwatch_metrics_today: u64,
    /// Their price in US dollars.
    pub cloudwatch_cost_today_usd: f64,
    /// The daily cap in US dollars.
    pub cloudwatch_cap_usd: f64,
    /// Notices of what moved that a slow listener has missed since the start; it then reads everything again.
    pub dropped_notices: u64,
    /// The store's revision.
    pub revision: u64,
    /// When this was put together.
    pub now: Timestamp,
}

impl Health {
    /// Nothing has been asked yet.
    pub fn starting(now: Timestamp) -> Self {
        Self::of(Vec::new(), Vec::new(), now)
    }

    /// Puts the parts together: the connection is as healthy as its worst Region.
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

    /// Notes what is not running: nothing of it is read in time then.
    pub(crate) fn miss(&mut self, down: Vec<Down>) {
        if let Some(first) = down.first() {
            self.state = self.state.max(HealthState::Behind);
            self.message.get_or_insert_with(|| {
                format!("{} is not running since {}: {}.", first.task, first.since, first.why)
            });
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
