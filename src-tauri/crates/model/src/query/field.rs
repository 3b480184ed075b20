//! The fields of the query language: their names, what they mean and what they are compared with.

use crate::fleet::ProtectionPolicy;
use crate::game_session::{GameSessionStatus, GameSessionStatusReason};

/// The field that a term compares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// No field given: name or id of the session contains the text.
    Text,
    /// Status of the game session.
    Status,
    /// Why it ended.
    Reason,
    /// Fleet, by id, name or an alias that leads to it.
    Fleet,
    /// Home Region of the fleet.
    Region,
    /// Location the session runs in.
    Location,
    /// Players now (`CurrentPlayerSessionCount`).
    Players,
    /// Slots (`MaximumPlayerSessionCount`).
    Max,
    /// Slots not taken.
    Free,
    /// Name of the session.
    Name,
    /// Id of the session, whole or its last part.
    Id,
    /// Address.
    Ip,
    /// Host name players connect to.
    Dns,
    /// Port.
    Port,
    /// Address or host name, with or without the port.
    Address,
    /// Compute it runs on.
    Compute,
    /// Who created it.
    Creator,
    /// A game property by its key.
    Property(String),
    /// Game session data.
    Data,
    /// Matchmaker data.
    Matchmaker,
    /// A player with a player session in it.
    Player,
    /// The placement that made it.
    Placement,
    /// A matchmaking ticket that led to it.
    Ticket,
    /// When it was created.
    Created,
    /// When it ended.
    Ended,
    /// How long it has lasted.
    Duration,
    /// Build of its fleet, by id or name.
    Build,
    /// Realtime script of its fleet, by id or name.
    Script,
    /// Instance type of its fleet.
    InstanceType,
    /// The queue whose placement made it.
    Queue,
    /// `ACCEPT_ALL` or `DENY_ALL`.
    Policy,
    /// Protection in force.
    Protection,
}

/// What the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Any text; `:` ignores case and, for names and data, finds parts.
    Text,
    /// One of a few words; case does not matter.
    Word,
    /// A whole number.
    Count,
    /// A moment or an age.
    Moment,
    /// A length of time.
    Length,
}

/// Name, field and description, for completions and messages.
pub(super) const NAMED: &[(&str, Field, &str)] = &[
    ("status", Field::Status, "active, activating, terminated …"),
    ("reason", Field::Reason, "why it ended"),
    ("fleet", Field::Fleet, "fleet id, name or alias; * matches anything"),
    ("region", Field::Region, "home Region of the fleet"),
    ("location", Field::Location, "where it runs"),
    ("players", Field::Players, "players now"),
    ("max", Field::Max, "player slots"),
    ("free", Field::Free, "slots not taken"),
    ("name", Field::Name, "name of the session"),
    ("id", Field::Id, "game session id, whole or its last part"),
    ("ip", Field::Ip, "IP address"),
    ("dns", Field::Dns, "host name"),
    ("port", Field::Port, "port"),
    ("address", Field::Address, "IP address or host name, with or without :port"),
    ("compute", Field::Compute, "instance or compute it runs on"),
    ("instance", Field::Compute, "the same as compute"),
    ("creator", Field::Creator, "who created it"),
    ("data", Field::Data, "part of its game session data"),
    ("matchmaker", Field::Matchmaker, "part of its matchmaker data, such as a team or an attribute"),
    ("player", Field::Player, "a player seen in it"),
    ("placement", Field::Placement, "the placement that made it"),
    ("ticket", Field::Ticket, "a matchmaking ticket that led to it"),
    ("created", Field::Created, "<2h: within two hours; >2026-03-04: after"),
    ("ended", Field::Ended, "when, like created; how: abnormal, crashed …; none: still running"),
    ("duration", Field::Duration, "how long it has lasted, such as >30m"),
    ("build", Field::Build, "build id or name of its fleet"),
    ("script", Field::Script, "script id or name of its fleet"),
    ("instance_type", Field::InstanceType, "instance type of its fleet"),
    ("queue", Field::Queue, "the queue that placed it"),
    ("policy", Field::Policy, "accept_all or deny_all"),
    ("protection", Field::Protection, "protection in force"),
];

impl Field {
    /// Finds the field of that name, ignoring case. The parser reads `prop.` fields itself.
    pub fn named(name: &str) -> Option<Self> {
        NAMED.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)).map(|(_, field, _)| field.clone())
    }

    /// Each name in a query and what it is compared with, for help.
    pub fn described() -> impl Iterator<Item = (&'static str, &'static str)> {
        NAMED.iter().map(|(name, _, meaning)| (*name, *meaning))
    }

    /// Its name in a query.
    pub fn name(&self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Property(key) => format!("prop.{key}"),
            other => NAMED
                .iter()
                .find(|(_, field, _)| field == other)
                .map_or_else(String::new, |(name, ..)| (*name).to_owned()),
        }
    }

    /// The kind of its values.
    pub const fn kind(&self) -> FieldKind {
        match self {
            Self::Status | Self::Reason | Self::Policy | Self::Protection => FieldKind::Word,
            Self::Players | Self::Max | Self::Free | Self::Port => FieldKind::Count,
            Self::Created | Self::Ended => FieldKind::Moment,
            Self::Duration => FieldKind::Length,
            _ => FieldKind::Text,
        }
    }

    /// Whether `:` finds a part of the text, not only the whole.
    pub(super) const fn finds_parts(&self) -> bool {
        matches!(self, Self::Text | Self::Name | Self::Data | Self::Matchmaker)
    }

    /// The words a `Word` field can be; empty for other kinds.
    pub const fn words(&self) -> &'static [&'static str] {
        match self {
            Self::Status => GameSessionStatus::KNOWN,
            Self::Reason => GameSessionStatusReason::KNOWN,
            Self::Policy => &["ACCEPT_ALL", "DENY_ALL"],
            Self::Protection => ProtectionPolicy::KNOWN,
            _ => &[],
        }
    }
}
