//! Why a change is left out.

use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::matchmaking::TicketStatus;
use liftdeck_model::placement::PlacementStatus;
use liftdeck_model::{PlayerId, Region};

use serde::Serialize;
use specta::Type;

use super::moved::{in_words, joined};
use super::number::count;
use super::said::said;
use liftdeck_model::activity::FactChange;

said! {
    /// Why one change is left out, with what was seen.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Type)]
    #[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
    pub enum SkipFact {
        Missing { what: &'static str, id: String, region: Region } =>
            "There is no {what} {id} in {region}: AWS will refuse this.";
        QueueNameTaken { name: String, region: Region } =>
            "There already is a queue {name} in {region}: AWS will refuse this. Choose another name.";
        TopicElsewhere { topic: String, region: Region, home: Region } =>
            "The topic {topic} is in {region}: a queue in {home} needs a topic there.";
        NoSuchLocation { location: String } => "The fleet has no location {location}: AWS will refuse this.";
        AnywhereHasNoCapacity => "An Anywhere fleet has no capacity to set: AWS will refuse this.";
        AnywhereNeedsLocation => "An Anywhere fleet needs its custom location named: AWS will refuse this.";
        CreatorNeeded => "The fleet limits game sessions per creator: name a creator id.";
        LocationNotActive { fleet: String, location: String, status: FleetStatus } =>
            "{fleet} is {status} in {location}, not ACTIVE: AWS will refuse this.";
        MinimumAboveMaximum { minimum: i32, maximum: i32 } =>
            "The minimum {minimum} would be above the maximum {maximum}: AWS will refuse this. Set both.";
        DesiredOutsideLimits { desired: i32, minimum: i32, maximum: i32 } =>
            "Desired {desired} is not between minimum {minimum} and maximum {maximum}: AWS will refuse this. Set the \
             limits with it.";
        SecondTargetPolicy { policy: String } =>
            "The fleet has the target policy {policy} already, and AWS allows only one: change that one instead.";
        PriorityNeedsLocation =>
            "A different order of locations needs a queue that prioritizes LOCATION: AWS will refuse this.";
        AliasIsTerminal { message: String } =>
            "The alias is terminal: AWS will answer with its message instead of a game session: {message}";
        SessionUnknown => "GameLift does not know this game session, or no longer does: AWS will refuse this.";
        SessionNotListed => "It is not among the live game sessions of its fleet.";
        SessionOver { status: GameSessionStatus } => "The game session is {status}.";
        SessionAskedToEnd => "The game session is TERMINATING already: its server was asked to shut down.";
        SessionNotJoinable { status: Option<GameSessionStatus> } => "The game session {}: nobody can join it.",
            status.as_ref().map_or_else(|| "has ended".to_owned(), |status| format!("is {status}"));
        SessionNotOfFlexMatch => "FlexMatch did not create this game session: AWS backfills only those it did.";
        SessionTakesNoSlots { status: GameSessionStatus } =>
            "The game session is {status}: AWS reserves slots only in an ACTIVE one.";
        SessionDeniesPlayers => "The game session accepts no new players (DENY_ALL): AWS will refuse this.";
        FewerSlotsThanPlayers { players: i32 } =>
            "{players} players are in it: AWS will refuse fewer slots than that.";
        TooFewSlots { free: u64 } => "Only {} free: AWS will refuse this.", count(*free, "slot is", "slots are");
        PlacementNotPending { status: PlacementStatus } => "The placement is {status}: AWS stops only PENDING ones.";
        TicketTakesNoAnswer { status: TicketStatus } =>
            "The ticket is {status}: only one that is REQUIRES_ACCEPTANCE takes an answer.";
        TicketNotStoppable { status: TicketStatus } => "The ticket is {status}: it can no longer be stopped.";
        NotPlayersOfTicket { players: Vec<PlayerId> } => "Not players of this ticket: {}.", joined(players, ", ");
        SessionsCameBack { game_sessions: u64 } => "{} on the fleet again.",
            count(*game_sessions, "game session is", "game sessions are");
        PlayersGrew { were: u64, are: u64 } => "It would now affect {}; before, {}.",
            count(*are, "player", "players"), count(*were, "player", "players");
        PlayersCame { players: u64 } => "{} there now; there was none when this was checked.",
            count(*players, "player is", "players are");
        FactsMoved { differences: Vec<FactChange> } => "{}", in_words(differences);
    }
}
