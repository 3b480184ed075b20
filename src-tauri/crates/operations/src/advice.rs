//! What to do about what AWS answered, in words.
//!
//! Owns the sentence for each of the service's errors a change can meet. Deliberately keeps the service's own message,
//! code and request id in it.

use liftdeck_gateway::{ErrorKind, GatewayError, Made};
use liftdeck_model::action::{GameSessionTarget, Request};
use liftdeck_model::game_session::GameSessionStatus;

use crate::preview::words;

/// A failure: what happened, with code and request id, and what to do.
pub(crate) fn of_failure(request: &Request, error: &GatewayError) -> String {
    let mut text = format!("{error}.");
    if error.may_have_happened() {
        text.push_str(
            " Whether it was carried out is not known: no answer came, or none that can be trusted. It is not sent again by itself; \
             Liftdeck looks on AWS for what became of it.",
        );
        return text;
    }
    let advice = error.code.as_deref().and_then(|code| by_code(request, code)).map(str::to_owned);
    if let Some(advice) = advice.or_else(|| by_kind(error)) {
        text.push(' ');
        text.push_str(&advice);
    }
    text
}

fn by_kind(error: &GatewayError) -> Option<String> {
    match error.kind {
        ErrorKind::Throttled => Some(
            "Nothing was changed. AWS takes no more of these calls at the moment, from the game and from Liftdeck together: \
             try again in a minute."
                .to_owned(),
        ),
        ErrorKind::BudgetExhausted => Some(
            "Nothing was sent. The share of the request rate that Liftdeck takes was used up: try again in a minute, \
             or raise the share in the settings of the connection."
                .to_owned(),
        ),
        ErrorKind::NotFound => Some("It is gone, or belongs to another Region or account.".to_owned()),
        _ => error.remedy(),
    }
}

/// Reference: the errors of A5 to A10, H2 and H3.
fn by_code(request: &Request, code: &str) -> Option<&'static str> {
    Some(match code {
        "FleetCapacityExceededException" => {
            "No server process is free there. Raise the desired instances of the fleet, choose another location, or create \
             it through a queue, which waits and tries other fleets."
        }
        "TerminalRoutingStrategyException" => {
            "The alias leads to a message, not to a fleet. Repoint it to a fleet first, or choose a fleet yourself."
        }
        "InvalidFleetStatusException" => {
            "The fleet is not ACTIVE. See its events for the reason, or choose another fleet."
        }
        "InvalidGameSessionStatusException" => match request {
            Request::TerminateGameSession(_) => {
                "The status of the game session does not allow it: it has ended or is about to."
            }
            _ => "The status of the game session does not allow it; it must be ACTIVE.",
        },
        "GameSessionFullException" => {
            "The game session has no free slot. Raise its maximum of players, or reserve fewer slots."
        }
        "NotReadyException" => {
            "The compute is still being validated. Try again in half a minute; AWS advises eight to ten tries over three to \
             five minutes."
        }
        "IdempotentParameterMismatchException" => {
            "A game session with this idempotency token exists already, made with other parameters. Look at that session, or \
             take a new token."
        }
        "ConflictException" => match request {
            Request::CreateAlias(_) => "Something of that name is being changed at this moment. Try again.",
            _ => {
                "The resource is being changed by somebody else at this moment. Look at it again, then try again."
            }
        },
        "LimitExceededException" => match request {
            Request::CreateGameSession(it) if it.creator_id.is_some() => {
                "The creator has made as many game sessions as the fleet allows in a while. Wait, or use another creator id."
            }
            Request::UpdateFleetCapacity(_) => {
                "The account may not run more instances of this type there. Ask AWS for a higher limit under Service Quotas."
            }
            _ => "A limit of the account or the fleet is reached. See Service Quotas for what can be raised.",
        },
        "UnsupportedRegionException" => "GameLift does not offer this in the Region.",
        "TaggingFailedException" => "Try again; AWS could not write the tags.",
        "InvalidRequestException" => match request {
            Request::StopGameSessionPlacement(_) => {
                "Only a placement that is PENDING can be stopped. If it made a game session, terminate that."
            }
            Request::StopMatchmaking(_) => {
                "A ticket that is being placed can no longer be stopped. Wait for its end."
            }
            Request::UpdateFleetCapacity(_) => {
                "Desired must lie between minimum and maximum, and fleet and location must be ACTIVE."
            }
            Request::CreateGameSession(it) if matches!(it.target, GameSessionTarget::Fleet(_)) => {
                "Check fleet, location and creator: an Anywhere fleet needs its custom location named, a fleet that limits game \
                 sessions per creator a creator id."
            }
            Request::StartGameSessionPlacement(_) => {
                "Placement ids can be used once only; another order of locations needs a queue that prioritises LOCATION."
            }
            _ => "Correct what the message names.",
        },
        _ => return None,
    })
}

/// What a success says beyond being one.
pub(crate) fn of_success(made: &Made) -> Option<String> {
    match made {
        Made::GameSession(session) if session.status == GameSessionStatus::Terminating => {
            Some("The game session is TERMINATING.".to_owned())
        }
        Made::PlayerSessions(slots) => Some(format!(
            "{} kept for 60 seconds: {}.",
            words::count(slots.len() as u64, "slot is", "slots are"),
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
