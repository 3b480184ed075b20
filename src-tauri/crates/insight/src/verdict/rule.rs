//! The rules: what each looks at, and for how long it must be seen, or not be seen, to count.

use liftdeck_model::alert_rule::Adjustment;
use liftdeck_model::{FleetId, Region, Severity};
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::knowledge::Source;

/// A kind of trouble that is looked for.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Type,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum Rule {
    /// Nothing can be read of a Region.
    Blind,
    /// Game sessions of a fleet crash far more often than usual.
    Crashes,
    /// Game sessions of a fleet do not become ACTIVE in time.
    Activation,
    /// Server processes of a fleet do not get ready.
    Startup,
    /// The instances of a location run no server process.
    NoProcess,
    /// Placements of a queue time out or fail far more often than usual.
    Placements,
    /// No destination of a queue can host a game session any more.
    NoDestination,
    /// Tickets of a matchmaking configuration time out or fail far more often than usual.
    Tickets,
    /// Placements of a queue take far longer than usual.
    SlowPlacements,
    /// Tickets of a matchmaking configuration wait far longer than usual for a match.
    SlowTickets,
    /// An alias leads nowhere any more although game sessions were created through it.
    TerminalAlias,
    /// A location is at its maximum with no free server process.
    Capped,
    /// A fleet has few free server processes.
    LittleRoom,
    /// A fleet gets no more instances, because the account may have no more of its type.
    InstanceLimit,
    /// Automatic scaling of a fleet is suspended although its policy would ask for more instances.
    ScalingSuspended,
    /// Game sessions of a fleet stay without players far longer than usual.
    EmptySessions,
    /// Game sessions of a fleet have far fewer players than usual.
    UnfilledSessions,
    /// Game sessions of a fleet run far longer than usual.
    LongSessions,
    /// Game sessions of a fleet stay ACTIVATING or TERMINATING.
    StuckSessions,
    /// Players of a fleet reserve slots and do not connect far more often than usual.
    Reservations,
    /// A fleet is in status ERROR.
    FleetError,
    /// EC2 reclaims Spot instances.
    Interruptions,
    /// An event queue brings none of the events that must have happened.
    FeedMute,
    /// Messages of an event queue could not be turned into events.
    EventsAside,
    /// Something of a Region cannot be read, while the rest can.
    Unread,
    /// GameLift throttles calls in a Region.
    Throttled,
}

/// How a verdict counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// `Info` never fires.
    pub severity: Severity,
    /// How long it must be seen before it fires, in milliseconds.
    pub pending_ms: i64,
}

/// What one verdict of a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Reach {
    /// A fleet.
    Fleet,
    /// Something of a Region that is no fleet.
    Region,
    /// Something of the whole connection.
    Connection,
}

impl Rule {
    /// Every rule's name, as settings and exports spell it.
    pub const fn names() -> &'static [&'static str] {
        <Self as VariantNames>::VARIANTS
    }

    /// What one verdict of it is about: only so far can it be adjusted for a part.
    pub const fn reach(self) -> Reach {
        match self {
            Self::Blind | Self::EventsAside => Reach::Connection,
            Self::Placements
            | Self::NoDestination
            | Self::Tickets
            | Self::SlowPlacements
            | Self::SlowTickets
            | Self::TerminalAlias
            | Self::FeedMute
            | Self::Unread
            | Self::Throttled => Reach::Region,
            _ => Reach::Fleet,
        }
    }

    /// The highest severity it has by itself; `Info` for one that never fires by itself.
    pub const fn severity(self) -> Severity {
        match self {
            Self::LittleRoom => Severity::Info,
            Self::EmptySessions | Self::LongSessions | Self::StuckSessions => Severity::Warning,
            Self::Interruptions | Self::UnfilledSessions => Severity::Warning,
            Self::SlowPlacements | Self::SlowTickets | Self::TerminalAlias => Severity::Warning,
            Self::FeedMute | Self::EventsAside | Self::Unread | Self::Throttled => Severity::Warning,
            _ => Severity::Bad,
        }
    }

    /// How long it must be seen before it alerts, in milliseconds.
    pub const fn pending_ms(self) -> i64 {
        match self {
            // The statistic behind these demands enough evidence by itself.
            Self::Crashes | Self::Activation | Self::Startup | Self::Placements | Self::Tickets => 0,
            Self::Reservations | Self::TerminalAlias => 0,
            Self::Blind | Self::FleetError | Self::NoDestination | Self::Interruptions => 0,
            // These have lasted for a while when they are first seen.
            Self::EmptySessions | Self::LongSessions | Self::StuckSessions | Self::InstanceLimit => 0,
            // Nothing must be free for a minute, unless somebody has just taken away what the fleet asks for.
            Self::Capped => 0,
            Self::Throttled => 0,
            // Around its target the count sways, with each game session that starts or ends.
            Self::ScalingSuspended => 30_000,
            Self::FeedMute | Self::EventsAside | Self::Unread => 2 * 60_000,
            // A few players who come together wait for the same instance.
            Self::SlowPlacements | Self::SlowTickets => 2 * 60_000,
            // All processes of a few instances may end within the same minutes, and those of one that EC2 takes back do.
            Self::NoProcess => 3 * 60_000,
            Self::LittleRoom | Self::UnfilledSessions => 10 * 60_000,
        }
    }

    /// How long it must not be seen before it is over, in milliseconds. A blip shorter than this neither ends it nor
    /// dates it anew.
    pub const fn clear_ms(self) -> i64 {
        match self {
            Self::Blind | Self::FleetError | Self::NoDestination | Self::TerminalAlias => 0,
            Self::Unread => 60_000,
            Self::Capped | Self::LittleRoom | Self::InstanceLimit | Self::ScalingSuspended => 5 * 60_000,
            _ => 3 * 60_000,
        }
    }

    /// How it counts for one subject: as it is, or as a person has set it there. `found` is the severity that the
    /// figures give.
    pub fn weigh(
        self,
        adjustments: &[Adjustment],
        region: Option<&Region>,
        fleet_id: Option<&FleetId>,
        found: Severity,
    ) -> Weight {
        let own = Weight { severity: found, pending_ms: self.pending_ms() };
        let Some(one) = Adjustment::of(adjustments, self.into(), region, fleet_id) else { return own };
        let set = &one.setting;
        // What the figures call only worth knowing is no trouble, except for a rule that never says more.
        let counts = found > Severity::Info || self.severity() == Severity::Info;
        let severity = match set.severity {
            _ if set.is_off => Severity::Info,
            Some(severity) if counts => severity,
            _ => found,
        };
        Weight { severity, pending_ms: set.pending_ms.unwrap_or(own.pending_ms) }
    }

    /// The sources without which it can neither be seen nor be called over.
    pub const fn sources(self) -> &'static [Source] {
        match self {
            Self::Crashes | Self::Activation | Self::Startup => &[Source::FleetEvents, Source::GameSessions],
            Self::Interruptions => &[Source::FleetEvents],
            Self::Placements | Self::Tickets | Self::SlowPlacements | Self::SlowTickets => {
                &[Source::EventQueue]
            }
            Self::TerminalAlias => &[Source::Queues, Source::Aliases],
            Self::UnfilledSessions => &[Source::Utilization],
            Self::NoProcess | Self::Capped | Self::LittleRoom => &[Source::Capacity, Source::Utilization],
            Self::NoDestination => &[Source::Capacity, Source::Fleets, Source::Queues, Source::Aliases],
            Self::InstanceLimit => &[Source::Capacity, Source::InstanceLimits],
            Self::ScalingSuspended => &[Source::Capacity, Source::Utilization, Source::Fleets],
            Self::EmptySessions | Self::LongSessions | Self::StuckSessions => &[Source::GameSessions],
            Self::Reservations => &[Source::GameSessions],
            Self::FleetError => &[Source::Fleets],
            Self::Blind | Self::FeedMute | Self::EventsAside | Self::Unread | Self::Throttled => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Timestamp;
    use liftdeck_model::alert_rule::{RuleScope, RuleSetting};

    use super::*;

    fn adjusted(rule: Rule, change: impl FnOnce(&mut RuleSetting)) -> [Adjustment; 1] {
        let mut setting = RuleSetting {
            rule: <&str>::from(rule).to_owned(),
            scope: RuleScope::default(),
            is_off: false,
            pending_ms: None,
            severity: None,
        };
        change(&mut setting);
        [Adjustment { setting, at: Timestamp::from_ms(0), by: String::new() }]
    }

    fn weigh(rule: Rule, adjustments: &[Adjustment], found: Severity) -> (Severity, i64) {
        let weight = rule.weigh(adjustments, Some(&"eu-west-1".into()), Some(&"fleet-1".into()), found);
        (weight.severity, weight.pending_ms)
    }

    #[test]
    fn a_rule_that_is_off_never_fires_and_one_without_adjustment_is_as_it_is() {
        let off = adjusted(Rule::FeedMute, |it| it.is_off = true);
        assert_eq!(weigh(Rule::FeedMute, &off, Severity::Bad), (Severity::Info, 120_000));
        assert_eq!(weigh(Rule::Crashes, &off, Severity::Bad), (Severity::Bad, 0));
    }

    #[test]
    fn what_is_only_worth_knowing_stays_that_unless_the_rule_never_says_more() {
        let bad = adjusted(Rule::Capped, |it| it.severity = Some(Severity::Bad));
        assert_eq!(weigh(Rule::Capped, &bad, Severity::Warning).0, Severity::Bad);
        assert_eq!(weigh(Rule::Capped, &bad, Severity::Info).0, Severity::Info);
        let little = adjusted(Rule::LittleRoom, |it| {
            it.severity = Some(Severity::Warning);
            it.pending_ms = Some(60_000);
        });
        assert_eq!(weigh(Rule::LittleRoom, &little, Severity::Info), (Severity::Warning, 60_000));
    }
}
