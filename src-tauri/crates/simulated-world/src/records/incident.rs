//! The truth about incidents and scaling, which no operation of the service tells.

use std::collections::BTreeMap;

use super::wire_enum;

wire_enum!(/// Kinds of incident. Those that a scenario plays have its name.
IncidentKind {
    LaunchDay = "launch-day", CappedFleet = "capped-fleet", BadBuild = "bad-build", SpotStorm = "spot-storm",
    FeedBroken = "feed-broken", Throttled = "throttled", WrongAlias = "wrong-alias",
    LoweredMax = "lowered-max", Limit = "limit", BadRules = "bad-rules", SlowRegion = "slow-region",
    Leak = "leak", StoppedScaling = "stopped-scaling", LostDestination = "lost-destination",
    TightLatency = "tight-latency",
});

wire_enum!(/// Effects of an incident that can be seen.
IncidentSign {
    PlacementTimedOut = "PLACEMENT_TIMED_OUT", PlacementGivenUp = "PLACEMENT_GIVEN_UP",
    AtMaximum = "AT_MAXIMUM", InstanceLimit = "INSTANCE_LIMIT", ScalingMissing = "SCALING_MISSING",
    Crash = "CRASH", SpotNotice = "SPOT_NOTICE", TicketTimedOut = "TICKET_TIMED_OUT",
    LateActivation = "LATE_ACTIVATION", EmptySession = "EMPTY_SESSION", EventsMissing = "EVENTS_MISSING",
    CallsThrottled = "CALLS_THROTTLED",
});

wire_enum!(/// Why the desired count of a location changed.
ScalingReason {
    Policy = "POLICY", Person = "PERSON", Limits = "LIMITS", SessionRequest = "SESSION_REQUEST",
    Inactivity = "INACTIVITY",
});

/// An incident: its cause, its first effect, its end, and what it concerns.
#[derive(Clone, Debug, PartialEq)]
pub struct Incident {
    /// Unique in the world.
    pub id: String,
    /// What kind of incident.
    pub kind: IncidentKind,
    /// The Region whose operator has to deal with it.
    pub region: String,
    /// When the cause took effect or was done, epoch milliseconds.
    pub began_ms: i64,
    /// When the first effect could be seen, epoch milliseconds; absent before that.
    pub seen_ms: Option<i64>,
    /// Its effects, and when each could be seen first, epoch milliseconds. What happens on the way to a worse effect, as
    /// a fleet that reaches its maximum before players wait, may come before `seen_ms`.
    pub signs: BTreeMap<IncidentSign, i64>,
    /// When each effect on each fleet, queue or matchmaking configuration could be seen first, epoch milliseconds, by
    /// fleet id or name.
    pub signs_on: BTreeMap<String, BTreeMap<IncidentSign, i64>>,
    /// When it was put right or ceased, epoch milliseconds; absent before that. Its effects may last a while longer.
    pub ended_ms: Option<i64>,
    /// Who caused it: the name of a user or of a role's session. Absent if nobody did.
    pub by: Option<String>,
    /// The way they came: `console`, `cli`, `sdk`, or the name of a service that acted for them.
    pub door: Option<String>,
    /// Fleets concerned. The one that is the cause comes first.
    pub fleet_ids: Vec<String>,
    /// Locations of these fleets, if only some are concerned.
    pub locations: Vec<String>,
    /// The EC2 type whose limit is reached.
    pub instance_type: Option<String>,
    /// The alias that was repointed.
    pub alias_id: Option<String>,
    /// Queues that are changed or whose placements suffer.
    pub queues: Vec<String>,
    /// The matchmaking configuration that was changed.
    pub configuration: Option<String>,
    /// The rule set it was given.
    pub rule_set: Option<String>,
    /// The build that crashes.
    pub build_id: Option<String>,
}

/// A change of the desired count of a location.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingStep {
    /// When it was decided, epoch milliseconds. It shows within a minute.
    pub time_ms: i64,
    /// The fleet.
    pub fleet_id: String,
    /// The location.
    pub location: String,
    /// The count before.
    pub from: u32,
    /// The count after.
    pub to: u32,
    /// The count that was asked for; differs from `to` where the limits of the location did not allow it.
    pub wanted: u32,
    /// Why.
    pub reason: ScalingReason,
    /// The policy's name, if a policy decided it.
    pub policy: Option<String>,
}
