//! Records of the event feed: the queues this connection has adopted, and the messages that did not become events.
//!
//! Owns what is recorded of an adopted queue, and of a message that could not be accepted as an event at once.

mod url;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::arn::{account_of, region_of};
use crate::id::{AccountId, GameSessionId, Region};
use crate::matchmaking::MatchmakingEvent;
use crate::placement::PlacementEvent;
use crate::time::Timestamp;

pub use self::url::{EventQueueError, event_queue, is_same_url, queue_name, region_in_url};

/// The largest body that is set aside, in bytes; SQS allows 1 MiB.
pub const LARGEST_ASIDE_BYTES: usize = 256 * 1024;

/// What to do with messages of an adopted queue that are not GameLift events of this account.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, specta::Type,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ForeignBodies {
    /// They stay in the queue.
    #[default]
    Leave,
    /// They are kept in the database, then deleted from the queue.
    SetAside,
}

/// A queue that a person has adopted for this connection. Messages are received and deleted only from such queues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Adoption {
    /// ARN, as reported by SQS at the adoption.
    pub queue_arn: String,
    /// URL it was adopted by.
    pub queue_url: String,
    /// Region.
    pub region: Region,
    /// When the queue was created: one deleted and recreated under the same name is a different queue.
    pub queue_created_at: Timestamp,
    /// When it was adopted.
    pub adopted_at: Timestamp,
    /// ARN of the identity that AWS saw then, if it reported one.
    pub adopted_by: Option<String>,
    /// What to do with foreign messages.
    pub foreign_bodies: ForeignBodies,
    /// Why nothing is received from it any more, until it is adopted again.
    pub halted: Option<String>,
}

impl Adoption {
    /// The account the queue belongs to, which must be the connection's own.
    pub fn account(&self) -> Option<AccountId> {
        account_of(&self.queue_arn)
    }

    /// The queue's name.
    pub fn queue_name(&self) -> &str {
        self.queue_arn.rsplit(':').next().unwrap_or_default()
    }
}

/// Why a message could not be accepted as an event at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, specta::Type)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum QuarantineReason {
    /// The body is not JSON.
    NotJson,
    /// JSON, but neither an event nor an envelope with one.
    NotAnEvent,
    /// A well-formed event that is not from GameLift.
    NotGameLift,
    /// An event that names another account, or none.
    OtherAccount,
    /// A GameLift event of a type this program does not know.
    UnknownType,
    /// An event of a known type that lacks essential fields.
    Incomplete,
    /// An event that names a Region, queue, configuration or fleet this connection does not know.
    Unconfirmed,
}

impl QuarantineReason {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::NotJson,
        Self::NotAnEvent,
        Self::NotGameLift,
        Self::OtherAccount,
        Self::UnknownType,
        Self::Incomplete,
        Self::Unconfirmed,
    ];

    /// Whether the message is not a GameLift event of this account, and so belongs to someone else.
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::NotJson | Self::NotAnEvent | Self::NotGameLift | Self::OtherAccount)
    }

    /// Name under which it is recorded.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A whole message that was put aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantinedMessage {
    /// SQS message id.
    pub message_id: String,
    /// Queue it came from.
    pub queue_url: String,
    /// Region of that queue.
    pub region: Region,
    /// When it was received.
    pub received_at: Timestamp,
    /// Why it was put aside.
    pub reason: QuarantineReason,
    /// What exactly is wrong.
    pub detail: String,
    /// The body as received.
    pub body: String,
    /// The event in it, if it only waits for the connection to know what it names.
    pub waiting: Option<Box<WaitingEvent>>,
}

/// An event that is accepted once the connection knows everything it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingEvent {
    /// The event.
    pub event: FeedEvent,
    /// The resources that must be known.
    pub names: Vec<Named>,
}

/// An event of the feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedEvent {
    /// A placement's outcome.
    Placement(PlacementEvent),
    /// A FlexMatch event.
    Matchmaking(MatchmakingEvent),
}

/// A resource an event names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Named {
    /// Its home Region.
    pub region: Region,
    /// What it is.
    pub kind: NamedKind,
    /// Its id or name.
    pub id: String,
}

/// The kinds of resources an event names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum NamedKind {
    /// A game session queue.
    Queue,
    /// A matchmaking configuration.
    MatchmakingConfiguration,
    /// A fleet.
    Fleet,
}

impl NamedKind {
    /// Name under which it is recorded.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Its name in GameLift's terms.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::MatchmakingConfiguration => "matchmaking configuration",
            Self::Fleet => "fleet",
        }
    }
}

impl FeedEvent {
    /// Returns everything the event names. A fleet's Region is the one in the game session's ARN.
    pub fn names(&self) -> Vec<Named> {
        let (region, kind, id, session) = match self {
            Self::Placement(event) => {
                (&event.region, NamedKind::Queue, event.queue.to_string(), &event.game_session_id)
            }
            Self::Matchmaking(event) => (
                &event.region,
                NamedKind::MatchmakingConfiguration,
                event.configuration.clone(),
                &event.game_session_id,
            ),
        };
        let mut names = vec![Named { region: region.clone(), kind, id }];
        let session = session.as_ref();
        if let Some((fleet, region)) = session
            .and_then(GameSessionId::fleet_id)
            .zip(session.and_then(|session| region_of(session.as_str())))
        {
            names.push(Named { region, kind: NamedKind::Fleet, id: fleet.into_string() });
        }
        names
    }
}
