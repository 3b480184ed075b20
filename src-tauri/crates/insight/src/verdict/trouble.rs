//! What can be wrong, as data: the figures behind each trouble. Deliberately holds no sentence: `words` does.

use liftdeck_model::custom_rule::CustomRule;
use liftdeck_model::feed::QuarantineReason;
use liftdeck_model::observation::PollKind;
use liftdeck_model::{Location, QueueName, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What is wrong, with the figures behind it. Shares are 0 to 1, counts are since it began unless said otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Trouble {
    /// Nothing can be read of some Regions.
    Blind {
        /// Those Regions, each with its last answer.
        regions: Vec<BlindRegion>,
        /// Whether that is every Region of the connection.
        is_all: bool,
    },
    /// Game sessions of a fleet crash.
    SessionsCrash {
        /// Its name.
        fleet: String,
        /// How many crashed.
        crashed: u64,
        /// How many ended, crashes included.
        ended: u64,
        /// Message of the newest event.
        message: Option<String>,
    },
    /// Game sessions of a fleet do not become ACTIVE in time.
    ActivationsTimeOut {
        /// Its name.
        fleet: String,
        /// How many timed out.
        timed_out: u64,
        /// How many ended, these included.
        ended: u64,
        /// Message of the newest event.
        message: Option<String>,
    },
    /// Game sessions of a fleet take much longer than usual to become ACTIVE.
    SessionsStartSlowly {
        /// Its name.
        fleet: String,
        /// How many became ACTIVE late, were given up, or are late now.
        late: u64,
        /// How many were created meanwhile, these included: 15 min back, 200 at most.
        started: u64,
    },
    /// Server processes of a fleet do not get ready.
    ProcessesDoNotStart {
        /// Its name.
        fleet: String,
        /// How many in the last 10 min.
        count: i64,
        /// Message of the newest event.
        message: Option<String>,
    },
    /// The instances of some locations run no server process.
    NoProcess {
        /// The fleet's name.
        fleet: String,
        /// Those locations.
        locations: Vec<Location>,
        /// How many locations the fleet has.
        of: usize,
        /// Active instances there.
        instances: i64,
    },
    /// Placements of a queue time out or fail.
    PlacementsFail {
        /// The queue.
        queue: QueueName,
        /// Placements that timed out or failed.
        failed: u64,
        /// All that ended, without those cancelled on request.
        total: u64,
        /// Share that usually fails.
        usual_share: f64,
    },
    /// Placements of a queue take far longer than usual.
    PlacementsWait {
        /// The queue.
        queue: QueueName,
        /// Placements that took longer than `longer_than_ms`.
        long: u64,
        /// All that were fulfilled.
        placed: u64,
        /// The time within which 99 % were fulfilled in the day before, in milliseconds.
        usual_ms: i64,
        /// The time from which on a placement took too long, in milliseconds.
        longer_than_ms: i64,
    },
    /// Tickets of a matchmaking configuration wait far longer than usual for a match.
    TicketsWait {
        /// The matchmaking configuration.
        configuration: String,
        /// Tickets that waited longer than `longer_than_ms`.
        long: u64,
        /// All that were matched.
        matched: u64,
        /// The time within which 99 % were matched in the day before, in milliseconds.
        usual_ms: i64,
        /// The time from which on a ticket waited too long, in milliseconds.
        longer_than_ms: i64,
    },
    /// An alias leads nowhere any more.
    AliasLeadsNowhere {
        /// Its name.
        alias: String,
        /// Name of the fleet that it led to.
        fleet: String,
        /// Game sessions created on that fleet in the hour before; 200 at most.
        created: u64,
    },
    /// No destination of a queue can host a game session.
    NoDestination {
        /// The queue.
        queue: QueueName,
        /// Its destinations; none if it has none.
        lost: Vec<LostDestination>,
        /// Placements that it fulfilled in the day before; `None` where nobody listened for so long.
        placed: Option<u64>,
    },
    /// Tickets of a matchmaking configuration time out or fail.
    TicketsFail {
        /// The matchmaking configuration.
        configuration: String,
        /// Tickets that timed out or failed.
        failed: u64,
        /// All that ended, without those cancelled on request.
        total: u64,
        /// Share that usually fails.
        usual_share: f64,
    },
    /// Locations of a fleet are at their maximum with no free server process.
    Capped {
        /// The fleet's name.
        fleet: String,
        /// Those locations.
        locations: Vec<Location>,
        /// How many locations the fleet has.
        of: usize,
        /// Desired instances over all locations.
        desired: i64,
        /// Maximum instances over all locations.
        maximum: i64,
        /// Server processes without a game session, over all locations.
        free_processes: i64,
    },
    /// A fleet has little room for more game sessions.
    LittleRoom {
        /// Its name.
        fleet: String,
        /// Share of its server processes that are free, as a percentage (0 to 100).
        free_percent: f64,
        /// Server processes without a game session.
        free_processes: i64,
        /// All server processes.
        processes: i64,
        /// Locations without a free process.
        full_locations: Vec<Location>,
        /// Instances that are desired but not yet active.
        coming_instances: i64,
    },
    /// Locations of a fleet get no more instances: the account's limit for its type is reached there.
    InstanceLimit {
        /// The fleet's name.
        fleet: String,
        /// Its EC2 instance type.
        instance_type: String,
        /// Those locations.
        locations: Vec<Location>,
        /// Instances of that type that the account has in these locations.
        current: i64,
        /// Instances that it may have there.
        limit: i64,
        /// Instances of this fleet that are desired there and neither ACTIVE nor PENDING.
        missing: i64,
    },
    /// Automatic scaling of a fleet is suspended although its policy would ask for more instances.
    ScalingSuspended {
        /// The fleet's name.
        fleet: String,
        /// Locations that lack instances.
        locations: Vec<Location>,
        /// Share of the server processes of these locations that are free, as a percentage (0 to 100).
        free_percent: f64,
        /// Share that the policy keeps free, as a percentage (0 to 100).
        target_percent: f64,
    },
    /// Players of a fleet reserve slots in new game sessions and do not connect.
    ReservationsUnused {
        /// Its name.
        fleet: String,
        /// Reservations that timed out, in its newest game sessions.
        timed_out: u64,
        /// All of these sessions whose end is known.
        reservations: u64,
        /// Share that usually times out.
        usual_share: f64,
    },
    /// GameLift throttles calls in a Region.
    Throttled {
        /// The Region.
        region: Region,
        /// How many calls of this program were throttled.
        throttled: u64,
        /// The operations, the most throttled first.
        operations: Vec<String>,
    },
    /// ACTIVE game sessions of a fleet run far longer than usual.
    SessionsRunLong {
        /// Its name.
        fleet: String,
        /// Their mode, as a game property tells; `None` if they are of several, or it is not told.
        #[serde(default)]
        mode: Option<String>,
        /// How many.
        game_sessions: u64,
        /// The time within which 99 % of the fleet's game sessions of that mode ended, in milliseconds.
        usual_ms: i64,
        /// The time for which all of these have run at least, in milliseconds.
        longer_than_ms: i64,
    },
    /// ACTIVE game sessions of a fleet stay without players far longer than usual.
    SessionsStayEmpty {
        /// Its name.
        fleet: String,
        /// How many.
        game_sessions: u64,
        /// Game sessions of the fleet that are ACTIVE or ACTIVATING.
        live: u64,
    },
    /// Game sessions of a fleet have far fewer players than usual.
    SessionsDoNotFill {
        /// Its name.
        fleet: String,
        /// Players in each game session, over the last 15 min.
        players_each: f64,
        /// The least that is usual at any time of the day.
        usual_each: f64,
    },
    /// Game sessions of a fleet stay ACTIVATING or TERMINATING.
    SessionsStuck {
        /// Its name.
        fleet: String,
        /// How many.
        game_sessions: u64,
    },
    /// A fleet is in the status ERROR, or some of its locations are.
    InError {
        /// Its name.
        fleet: String,
        /// Those locations; none if the fleet as a whole is.
        #[serde(default)]
        locations: Vec<Location>,
    },
    /// EC2 reclaimed Spot instances of a fleet.
    Interrupted {
        /// Its name.
        fleet: String,
        /// How many instances in the last 15 min.
        count: i64,
        /// How many are active, or were if they are fewer now.
        instances: i64,
        /// Their type.
        instance_type: Option<String>,
    },
    /// An event queue brings no events although placements end.
    FeedMute {
        /// Region of the queue.
        region: Region,
        /// Game sessions that appeared on its queues' fleets from 20 min to 3 min ago, and that placements made as far
        /// as their ids tell.
        placed: u64,
        /// When the last event came; `None` if none ever did.
        last_event: Option<Timestamp>,
    },
    /// Messages of an event queue could not be turned into events.
    EventsAside {
        /// Name of the queue.
        queue: String,
        /// Their number, by reason.
        counts: Vec<SetAside>,
    },
    /// A value is beyond the threshold of a rule of one's own.
    Custom {
        /// The rule, as it was then.
        rule: Box<CustomRule>,
        /// Name of what it is about; empty for everything at once.
        subject: String,
        /// The value, in the rule's unit.
        value: f64,
    },
    /// Something could not be read for a while.
    Unread {
        /// What could not be read.
        poll: PollKind,
        /// Its Region.
        region: Region,
        /// Number of resources affected.
        count: usize,
        /// The error message.
        failure: String,
    },
}

/// A Region of which nothing can be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BlindRegion {
    /// Region.
    pub region: Region,
    /// Its last answer; `None` if there never was one.
    pub last_read: Option<Timestamp>,
    /// The error message.
    pub failure: Option<String>,
}

/// A destination of a queue that cannot host a game session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LostDestination {
    /// Name of the fleet or alias.
    pub name: String,
    /// Why.
    pub why: Unusable,
}

/// Why a destination of a queue cannot host a game session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Unusable {
    /// An alias with the routing strategy TERMINAL.
    LeadsNowhere,
    /// A fleet that is not ACTIVE.
    Status {
        /// Its status.
        status: String,
    },
    /// A fleet that has no instances where the queue may place game sessions, and none are desired.
    NoInstances,
    /// A fleet that has none of the locations in which the queue may place game sessions.
    NotAllowed {
        /// Those locations.
        allowed: Vec<Location>,
    },
    /// A fleet that does not exist any more.
    Gone,
}

/// Messages set aside for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// The reason.
    pub reason: QuarantineReason,
    /// How many.
    pub messages: u64,
}
