//! What to know before a change is confirmed.

use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::{Location, Region};

use serde::Serialize;
use specta::Type;

use super::moved::{in_words, joined, or_nothing};
use super::number::{count, number};
use super::said::said;
use super::skip::SkipFact;
use liftdeck_model::activity::FactChange;

said! {
    /// What to know before a change is confirmed, with what was seen.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Type)]
    #[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
    pub enum WarningFact {
        AliasTerminal => "A terminal alias makes no game sessions: anyone who asks for one gets the message instead.";
        AliasLeadsThere => "The alias already points there.";
        AliasLeadsToFleet => "The alias already points to this fleet.";
        AnotherContent => "The new fleet runs a different build or script.";
        AnotherCertificate =>
            "The new fleet has a different certificate setting: game clients may not be able to connect.";
        TargetWithoutInstances { region: Region, desired: i32, maximum: i32 } =>
            "The new fleet has no active instance in {region} (desired {desired}, maximum {maximum}): no game session can be \
             made there.";
        Stragglers =>
            "AWS: for up to two minutes, new game sessions may still start on the previous fleet. Running ones stay \
             there.";
        QueuesMove { queues: Vec<String> } => "It also changes where {}: {}.",
            if queues.len() == 1 { "this queue places" } else { "these queues place" }, queues.join(", ");
        QueuesFollowAlias { queues: Vec<String> } => "Placements of {} go through this alias and move with it.",
            queues.join(", ");
        AliasNamedByGames => "Every game client and backend that uses this alias fails from then on.";
        QueuesLoseAlias { queues: Vec<String> } =>
            "Queues use this alias as a destination and lose it: {}. Anything else that uses it fails from then on.",
            queues.join(", ");
        FleetNotActive { fleet: String, status: FleetStatus } =>
            "The fleet {fleet} is {status}, not ACTIVE: no game session can be made on it.";
        NumbersAlready => "Capacity is already set to these numbers.";
        DesiredOutsideNewLimits { desired: i32, minimum: i32, maximum: i32 } =>
            "Desired is {desired}, outside the new limits {minimum} to {maximum}: AWS may refuse this or adjust \
             desired. Set desired, too.";
        ScalingSuspendedHere => "Scaling is suspended here: the number stays until someone changes it.";
        ScalesToZero =>
            "This location scales to and from zero by itself: the number will not stay, and AWS takes no minimum here.";
        TargetPolicyOverrides { policy: String, desired: i32 } =>
            "The target policy {policy} is active here: AWS will override {desired} at once. Suspend scaling first, \
             or change minimum and maximum instead.";
        PolicyMovesAgain { policy: String } =>
            "The scaling policy {policy} is active here and will change the number again when its condition is met.";
        FifoTopic =>
            "The topic is a FIFO topic. AWS advises against it: under load its lower publish limits can lose events.";
        TopicMustReachUs =>
            "Events of placements go to this topic from then on. Liftdeck hears them only if the event queue it adopted is \
             subscribed to it.";
        NoTopic =>
            "Without a notification target, events of placements reach EventBridge only, and Liftdeck does not hear them.";
        TicketIdTaken => "A ticket with this id already exists. Use a new id.";
        PlacementIdTaken =>
            "A placement with this id already exists, and AWS takes an id only once. Use a new id.";
        PlayersNotAllNamed { inside: usize, named: usize } =>
            "{inside} players are in the game session, and {named} are named. Name all of them, or the match may be \
             overfilled.";
        BackfillReplaced => "This replaces a backfill of the same game session that is under way.";
        PolicyEverywhere =>
            "A policy applies to every location of the fleet, and may end instances with unprotected game sessions.";
        PolicyAlready => "The policy is already set this way.";
        PolicySuspended { locations: Vec<Location> } =>
            "Scaling is suspended in {}: the policy does nothing there until scaling is resumed.", joined(locations, ", ");
        LastPolicy =>
            "It is the fleet's last policy: without it, the number of instances stays until someone changes it.";
        SoAlready => "It is already set that way.";
        NoDemand =>
            "Automatic scaling is off from then on: the number of instances stays until someone changes it.";
        PoliciesTakeOver =>
            "Policies take over at once: they override a number set by hand, and may end instances with unprotected \
             game sessions.";
        NoPolicy => "The fleet has no scaling policy, so this has no effect.";
        EarlierSwitchUnderWay => "An earlier change of this kind is still under way there.";
        NewSessionsUnprotected => "Scale-in may end game sessions created from then on.";
        SessionUnprotected => "Scale-in may end the game session from then on.";
        LatenciesMissing =>
            "The queue limits latency, and some players have no latency values: the limits do not apply to them.";
        NoDestinationHosts =>
            "None of the queue's destinations can host a game session now: the placement will time out.";
        NoDestination => "A queue without destinations cannot place game sessions.";
        NoDestinationCouldHost =>
            "No destination can host a game session now: placements of this queue will time out.";
        DestinationMissing { id: String } => "The destination {id} does not exist.";
        DestinationTerminal { alias: String } => "The destination {alias} is a terminal alias.";
        DestinationNotActive { fleet: String, status: FleetStatus } =>
            "The destination {fleet} is {status}, not ACTIVE.";
        QueueAlready => "The queue is already set that way.";
        NoInstanceIn { location: String } =>
            "No instance is active in {location}: AWS will answer that the fleet has no free server process.";
        ProcessStopped =>
            "The server process is stopped at once: anything it has not saved is lost, and its players are \
             disconnected.";
        AnywhereNeedsAgent => "On an Anywhere fleet this works only where the GameLift Agent runs.";
        ServerAskedToEnd =>
            "Asks the game server to shut down. If it ignores this, the game session stays TERMINATING: then \
             terminate it at once.";
        SlotsKept => "A slot is reserved for 60 seconds, then it is free again.";
        VersionMissing =>
            "Without a new version, nobody can tell later which files a game session ran.";
        AliasStillLeads { alias: String } =>
            "The alias {alias} still sends new game sessions to the fleet, so the drain will not finish. Repoint it \
             as well.";
        QueueStillPlaces { queue: String } =>
            "The queue {queue} still places game sessions on the fleet, so the drain will not finish. Remove the \
             fleet from its destinations as well.";
        WouldBeRefused { why: Vec<SkipFact> } => "{}", joined(why, " ");
        HitsMore { players: u64, were: u64 } => "It now affects {}; when it was confirmed, {}.",
            count(*players, "player", "players"), count(*were, "player", "players");
        MovedSinceConfirmed { differences: Vec<FactChange> } => "It has changed since it was confirmed. {}",
            in_words(differences);
        ChangedAgain { label: String, left: Option<String>, is: Option<String>, becomes: Option<String> } =>
            "{label} has changed since: this change left {}, now it is {}. Undoing it sets {}.",
            or_nothing(left), or_nothing(is), or_nothing(becomes);
        Compared { label: String, note: String } => "{label}: {note}";
        NotCompared { what: &'static str, fleet: String, error: String } =>
            "The {what} of {fleet} could not be compared: {error}.";
        OfSome { changes: u64, all: u64, fact: Box<WarningFact> } => "{} of {}: {fact}", number(*changes), number(*all);
    }
}
