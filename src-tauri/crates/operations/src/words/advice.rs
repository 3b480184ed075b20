//! What to do about an answer from AWS, in words.
//!
//! Owns the sentence for each service error that a change can meet. Deliberately keeps the service's own message,
//! code and request id in it.

use liftdeck_gateway::{ErrorKind, GatewayError, Made};
use liftdeck_model::action::{GameSessionTarget, Request};
use liftdeck_model::game_session::GameSessionStatus;

use super::number::count;
use super::said::said;

said! {
    /// What to do about an answer from AWS.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Advice {
        Throttled =>
            "Nothing was changed. AWS accepts no more of these calls right now, from the game and Liftdeck together. \
             Try again in a minute.";
        BudgetExhausted =>
            "Nothing was sent. Liftdeck's share of the request rate is used up. Try again in a minute, or raise the \
             share in the settings.";
        NotFound =>
            "It no longer exists, or belongs to another Region or account.";
        NoFreeProcess =>
            "No server process is free there. Raise the desired instances of the fleet, choose another location, or create \
             it through a queue, which waits and tries other fleets.";
        AliasIsTerminal =>
            "The alias is terminal: it answers with a message and has no fleet. Repoint it to a fleet first, or \
             choose a fleet directly.";
        FleetNotActive =>
            "The fleet is not ACTIVE. See its events for the reason, or choose another fleet.";
        SessionEnding =>
            "The game session has ended or is ending.";
        SessionNotActive =>
            "The game session is not ACTIVE.";
        SessionFull =>
            "The game session has no free slot. Raise its maximum number of players, or reserve fewer slots.";
        ComputeNotReady =>
            "The compute is still being validated. Try again in half a minute; AWS advises eight to ten tries over three to \
             five minutes.";
        TokenUsedOtherwise =>
            "A game session with this idempotency token already exists, with other parameters. Look at that game \
             session, or use a new token.";
        NameBeingChanged =>
            "Something with that name is already being changed. Try again.";
        BeingChanged =>
            "Someone else is changing the resource right now. Look at it again, then try again.";
        CreatorLimit =>
            "The creator has reached the fleet's limit of new game sessions for now. Wait, or use another creator id.";
        InstanceLimit =>
            "The account may not run more instances of this type there. Request a higher limit in Service Quotas.";
        AccountLimit =>
            "A limit of the account or the fleet is reached. Service Quotas shows what can be raised.";
        NotInRegion =>
            "GameLift does not offer this in this Region.";
        TagsNotWritten =>
            "Try again; AWS could not write the tags.";
        PlacementNotPending =>
            "Only a placement that is PENDING can be stopped. If it made a game session, terminate that.";
        TicketNotStoppable =>
            "A ticket that is being placed can no longer be stopped. Wait until it ends.";
        CapacityOutOfLimits =>
            "Desired must be between minimum and maximum, and fleet and location must be ACTIVE.";
        CreationToCheck =>
            "Check fleet, location and creator: an Anywhere fleet needs its custom location named, a fleet that limits game \
             sessions per creator a creator id.";
        PlacementIdUsed =>
            "A placement id can be used only once, and a different order of locations needs a queue that prioritizes \
             LOCATION.";
        MessageToFollow =>
            "Correct what the message names.";
        OutcomeUnknown =>
            "It is not known whether it was carried out: no answer came, or none that can be trusted. Liftdeck does \
             not send it again; it checks on AWS what became of it.";
    }
}

/// Describes a failure: what happened, with code and request id, and what to do.
pub(crate) fn of_failure(request: &Request, error: &GatewayError) -> String {
    let by_code = || error.code.as_deref().and_then(|code| by_code(request, code));
    let advice = if error.may_have_happened() {
        Some(Advice::OutcomeUnknown)
    } else {
        by_code().or_else(|| by_kind(error.kind))
    };
    match advice.map(|advice| advice.to_string()).or_else(|| error.remedy()) {
        Some(advice) => format!("{error}. {advice}"),
        None => format!("{error}."),
    }
}

const fn by_kind(kind: ErrorKind) -> Option<Advice> {
    match kind {
        ErrorKind::Throttled => Some(Advice::Throttled),
        ErrorKind::BudgetExhausted => Some(Advice::BudgetExhausted),
        ErrorKind::NotFound => Some(Advice::NotFound),
        _ => None,
    }
}

/// Reference: the errors of A5 to A10, H2 and H3.
fn by_code(request: &Request, code: &str) -> Option<Advice> {
    Some(match code {
        "FleetCapacityExceededException" => Advice::NoFreeProcess,
        "TerminalRoutingStrategyException" => Advice::AliasIsTerminal,
        "InvalidFleetStatusException" => Advice::FleetNotActive,
        "InvalidGameSessionStatusException" => match request {
            Request::TerminateGameSession(_) => Advice::SessionEnding,
            _ => Advice::SessionNotActive,
        },
        "GameSessionFullException" => Advice::SessionFull,
        "NotReadyException" => Advice::ComputeNotReady,
        "IdempotentParameterMismatchException" => Advice::TokenUsedOtherwise,
        "ConflictException" => match request {
            Request::CreateAlias(_) => Advice::NameBeingChanged,
            _ => Advice::BeingChanged,
        },
        "LimitExceededException" => match request {
            Request::CreateGameSession(it) if it.creator_id.is_some() => Advice::CreatorLimit,
            Request::UpdateFleetCapacity(_) => Advice::InstanceLimit,
            _ => Advice::AccountLimit,
        },
        "UnsupportedRegionException" => Advice::NotInRegion,
        "TaggingFailedException" => Advice::TagsNotWritten,
        "InvalidRequestException" => match request {
            Request::StopGameSessionPlacement(_) => Advice::PlacementNotPending,
            Request::StopMatchmaking(_) => Advice::TicketNotStoppable,
            Request::UpdateFleetCapacity(_) => Advice::CapacityOutOfLimits,
            Request::CreateGameSession(it) if matches!(it.target, GameSessionTarget::Fleet(_)) => {
                Advice::CreationToCheck
            }
            Request::StartGameSessionPlacement(_) => Advice::PlacementIdUsed,
            _ => Advice::MessageToFollow,
        },
        _ => return None,
    })
}

/// What to say about a success beyond the fact.
pub(crate) fn of_success(made: &Made) -> Option<String> {
    match made {
        Made::GameSession(session) if session.status == GameSessionStatus::Terminating => {
            Some("The game session is TERMINATING.".to_owned())
        }
        Made::PlayerSessions(slots) => Some(format!(
            "{} kept for 60 seconds: {}.",
            count(slots.len() as u64, "slot is", "slots are"),
            connections(slots)
        )),
        _ => None,
    }
}

/// Where players connect; all slots of a call are in one game session.
fn connections(slots: &[liftdeck_gateway::ReservedPlayerSession]) -> String {
    let Some(slot) = slots.first() else { return "no address".to_owned() };
    let host = slot.dns_name.as_deref().or(slot.ip_address.as_deref()).unwrap_or("no address");
    slot.port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}
