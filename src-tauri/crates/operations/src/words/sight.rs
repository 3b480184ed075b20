//! What a look for the effect of a change saw.

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::FleetCapacity;
use liftdeck_model::game_session::{GameSessionStatus, GameSessionStatusReason};
use liftdeck_model::matchmaking::TicketStatus;
use liftdeck_model::placement::PlacementStatus;
use liftdeck_model::time::in_words;
use liftdeck_model::{AliasId, GameSessionId, Location};

use super::said::said;

said! {
    /// What a look for the effect of a change saw.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Sight {
        Accepted => "Accepted; no effect seen yet.";
        NotCarriedOut => "It was not carried out.";
        SessionBeingStarted => "The game session is being started.";
        SessionBeingEnded => "The game session is being ended.";
        PlaceLookedFor => "GameLift is looking for a place.";
        MatchLookedFor => "FlexMatch is looking for a match.";
        CapacityTakesAMinute => "AWS: capacity takes up to a minute to show.";
        SessionHadEnded { status: Option<GameSessionStatus> } => "{}", had_ended(status);
        SessionNotShown => "GameLift does not show the game session yet.";
        SessionEndedUnseen => "GameLift does not know the game session: it ended before it was seen.";
        SessionActive { at: Option<String> } => "The game session is ACTIVE{}.", at_address(at);
        SessionNeverActive { status: GameSessionStatus, reason: Option<GameSessionStatusReason> } =>
            "The game session is {status}{} and did not stay ACTIVE.", in_brackets(reason);
        SessionIs { status: GameSessionStatus, reason: Option<GameSessionStatusReason> } =>
            "The game session is {status}{}.", in_brackets(reason);
        SessionForgotten => "GameLift no longer knows the game session: it has ended.";
        SessionInError => "The game session is in ERROR, which termination does not end.";
        SessionStuck { status: GameSessionStatus, after_ms: i64 } =>
            "The game session is still {status}, {} after it was asked to end: its server process ignores the \
             request. Terminate it at once.", in_words(*after_ms);
        SessionWithPlayers { status: GameSessionStatus, players: i32 } => "The game session is {status}{}.",
            with_players(*players);
        SessionEnded => "The game session has ended.";
        SessionShowsChange => "The game session shows the change.";
        SessionLacks { settings: Vec<&'static str> } => "The game session does not show the new {} yet.",
            settings.join(", ");
        SessionNotNamed =>
            "AWS did not say which game session it made; look for its idempotency token.";
        SlotsShown { seen: usize, wanted: usize } => "{seen} of {wanted} slots are shown.";
        SlotsTimedOut { late: usize, wanted: usize } =>
            "{late} of {wanted} reservations timed out: the players did not join within 60 s.";
        SlotsReserved { wanted: usize } =>
            "{} reserved; each is freed if its player does not join within 60 s.", slots(*wanted);
        SlotsJoined { wanted: usize, joined: usize } => "{} reserved, {joined} joined already.", slots(*wanted);
        PlacementNotShownYet => "GameLift does not show the placement yet.";
        PlacementNotShown => "GameLift does not show the placement.";
        PlacementFulfilled { session: Option<GameSessionId>, at: Option<String> } =>
            "FULFILLED: the game session is {}{}.", session.as_ref().map_or("", |id| id.as_str()), at_address(at);
        PlacementTimedOut =>
            "TIMED_OUT: no destination of the queue had room in time. Look at the queue's fleets.";
        PlacementCancelled => "CANCELLED: someone stopped it.";
        PlacementFailed =>
            "FAILED: the game session ended before it was ready, or GameLift failed. Look at the fleet's events.";
        PlacementIs { status: PlacementStatus } => "The placement is {status}.";
        PlacementIsStill { status: PlacementStatus } => "The placement is still {status}.";
        PlacementWasFirst { status: PlacementStatus } => "The placement was {status} before it could be stopped.";
        TicketNotShownYet => "GameLift does not show the ticket yet.";
        TicketUnknown => "GameLift does not know the ticket.";
        TicketForgotten => "GameLift no longer knows the ticket.";
        TicketCompleted { at: Option<String> } => "COMPLETED{}.",
            at.as_ref().map(|at| format!(": players join at {at}")).unwrap_or_default();
        TicketOver { status: TicketStatus, why: Option<String> } => "{status}{}",
            why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        TicketProposed => "A match is proposed and awaits acceptance by its players.";
        TicketSearches { seconds: Option<i32> } => "SEARCHING{}.",
            seconds.map(|seconds| format!("; FlexMatch estimates about {seconds} s")).unwrap_or_default();
        TicketStands { status: TicketStatus } => "{status}.";
        TicketIs { status: TicketStatus } => "The ticket is {status}.";
        TicketIsStill { status: TicketStatus } => "The ticket is still {status}.";
        TicketWasFirst { status: TicketStatus } => "The ticket was {status} before it could be stopped.";
        AnswersAwaited => "Waiting for the answers of other players.";
        NotEverybodyAccepted => "TIMED_OUT: not every player accepted in time.";
        MatchFailed => "FAILED: the match came to nothing.";
        MatchRejected => "CANCELLED: a player rejected the match or did not answer.";
        MatchFellThrough => "The match fell through; the ticket searches again.";
        AliasIs { alias: AliasId, routing: RoutingStrategy } => "The alias {alias} {}.", way(routing);
        AliasNotShown => "The alias is not shown yet.";
        AliasNotNamed => "AWS did not say which alias it made.";
        AliasDeleted => "The alias was deleted.";
        AliasLacksChange => "The alias does not show the change yet.";
        AliasRepointed { routing: RoutingStrategy, stragglers_ms: i64 } =>
            "The alias {}. New placements may still go to the previous fleet for up to {}.",
            way(routing), in_words(*stragglers_ms);
        AliasShowsChange => "The alias shows the change.";
        AliasGone => "The alias is gone.";
        AliasShownStill => "The alias is still shown.";
        QueueDeleted => "The queue was deleted.";
        QueueThere => "The queue is there.";
        QueueNotListed => "The queue is not listed yet.";
        QueueOtherwise => "A queue of this name is there with other settings.";
        QueueShowsChange => "The queue shows the change.";
        QueueLacksChange => "The queue does not show the change yet.";
        ScriptDeleted => "The script was deleted.";
        ScriptLacksChange => "The script does not show the change yet.";
        ScriptHasFiles => "The script has its new files. Game sessions begun from now on run them.";
        ScriptShowsChange => "The script shows the change.";
        LimitsStill { location: Location, minimum: i32, maximum: i32 } =>
            "{location} still shows limits of {minimum} to {maximum}.";
        LimitsAre { location: Location, minimum: i32, maximum: i32 } =>
            "{location} has limits of {minimum} to {maximum}.";
        DesiredStill { location: Location, desired: i32 } => "{location} still shows {desired} desired.";
        DesiredOverridden { location: Location, desired: i32, wanted: i32 } =>
            "{location} has {desired} desired, not {wanted}: something else has set it since. An active target-based policy \
             overrides capacity set by hand; suspend scaling first.";
        InstancesActive { location: Location, count: i32 } => "{location} has {} active.",
            if *count == 1 { "1 instance".to_owned() } else { format!("{count} instances") };
        InstancesOnTheWay { found: FleetCapacity, wanted: i32 } =>
            "{} has {wanted} desired, {} active, {} pending, {} terminating{}.",
            found.location, found.active, found.pending, found.terminating,
            if found.active > *wanted {
                "; those with protected game sessions stay until the sessions end"
            } else {
                ""
            };
        CapacityForgotten => "GameLift no longer knows the fleet or location.";
        PolicyNotShown { policy: String } => "The policy {policy} is not shown yet.";
        PolicyInError { policy: String, location: Option<Location> } => "The policy {policy} is in ERROR{}.",
            location.as_ref().map(|location| format!(" in {location}")).unwrap_or_default();
        PolicyInForce { policy: String } => "The policy {policy} is in force.";
        PolicyInSome { policy: String, ready: usize, all: usize } =>
            "The policy {policy} is in force in {ready} of {all} locations.";
        PolicyGone { policy: String } => "The policy {policy} is gone.";
        PolicyShownStill { policy: String } => "The policy {policy} is still shown.";
        NoSuchLocation { location: String } => "The fleet has no location {location}.";
        ScalingIs { suspended: bool, location: String } => "Scaling is {} in {location}.", switched(*suspended);
        ScalingNotYet { suspended: bool, location: String } => "Scaling is not yet {} in {location}.",
            switched(*suspended);
        FleetForgotten => "GameLift no longer knows the fleet.";
        ProtectionIs { protection: &'static str } => "New game sessions get {protection}.";
        ProtectionNotYet { protection: &'static str } => "The fleet does not show {protection} yet.";
        NotSeenWithin { patience_ms: i64, last: Box<Sight> } => "Not seen within {}. {last}", in_words(*patience_ms);
        NothingToSee => "It was accepted; its effect cannot be observed.";
        NotAllowed { error: String } => "It could not be looked up: {error}";
        NotRead { error: String } => "{error}";
        AsBefore { text: String } => "{text}";
    }
}

fn had_ended(status: &Option<GameSessionStatus>) -> String {
    match status {
        None => "GameLift no longer knows the game session: it had ended already.".to_owned(),
        Some(status) => format!("The game session had ended already: it is {status}."),
    }
}

fn at_address(at: &Option<String>) -> String {
    at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default()
}

fn in_brackets(reason: &Option<GameSessionStatusReason>) -> String {
    reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default()
}

fn with_players(players: i32) -> String {
    match players {
        0 => String::new(),
        1 => " with 1 player".to_owned(),
        many => format!(" with {many} players"),
    }
}

fn slots(count: usize) -> String {
    if count == 1 { "1 slot is".to_owned() } else { format!("{count} slots are") }
}

const fn switched(suspended: bool) -> &'static str {
    if suspended { "suspended" } else { "on" }
}

fn way(routing: &RoutingStrategy) -> String {
    match routing {
        RoutingStrategy::Simple { fleet_id } => format!("points to {fleet_id}"),
        RoutingStrategy::Terminal { message } => format!("answers with the message “{message}”"),
    }
}
