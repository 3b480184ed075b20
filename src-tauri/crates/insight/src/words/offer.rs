//! Offers as text: what is offered and why, the same in the terminal, and what to look at when nothing is.

use liftdeck_model::action::{Action, Request};

use crate::offer::Help;
use crate::verdict::{LikelyCause, Trouble};

/// The title, what the button says, and why it is likely to help.
pub(crate) fn offer(help: &Help) -> (String, String, String) {
    match help {
        Help::RepointBack { alias, to, is_inferred, .. } => {
            let to = &to.name;
            let why = if *is_inferred {
                format!(
                    "New sessions ceased on {to} when {alias} was updated: it led there before. \
                     Running sessions stay where they are."
                )
            } else {
                format!("{alias} led to {to} before. New sessions go back there; running sessions stay.")
            };
            (format!("Point {alias} back to {to}"), format!("Point back to {to}…"), why)
        }
        Help::RaiseMaximum { fleet, places, is_former } => {
            let name = &fleet.name;
            let why = if *is_former {
                "The maximum was higher within the last day. Scaling can add instances again.".to_owned()
            } else {
                "No maximum of the last day was higher. More instances cost more; the preview says how many."
                    .to_owned()
            };
            let title = match places.as_slice() {
                [only] => format!(
                    "Raise the maximum of {name} in {}{} to {}",
                    only.location,
                    if *is_former { " back" } else { "" },
                    only.to
                ),
                several => format!(
                    "Raise the maximum of {name} in {} locations{}",
                    several.len(),
                    if *is_former { " back to what it was" } else { "" }
                ),
            };
            (title, "Raise maximum…".to_owned(), why)
        }
        Help::ResumeScaling { fleet, .. } => (
            format!("Resume automatic scaling of {}", fleet.name),
            "Resume scaling…".to_owned(),
            "While scaling is suspended no policy adds instances.".to_owned(),
        ),
        Help::RestoreQueue { queue, field, .. } => {
            let field = field.replace('_', " ");
            (
                format!("Give {queue} its former {field} back"),
                format!("Restore {field}…"),
                format!("The {field} changed shortly before the trouble began."),
            )
        }
    }
}

/// The commands of the terminal that do the same.
pub(crate) fn commands(help: &Help, actions: &[Action]) -> Vec<String> {
    match help {
        Help::RepointBack { alias, to, .. } => {
            vec![format!("liftdeck alias repoint {} --fleet {}", shell(alias), shell(&to.name))]
        }
        Help::RaiseMaximum { fleet, places, .. } => places
            .iter()
            .map(|place| {
                format!(
                    "liftdeck fleet capacity {} --location {} --max {}",
                    shell(&fleet.name),
                    shell(place.location.as_str()),
                    place.to
                )
            })
            .collect(),
        Help::ResumeScaling { fleet, locations } => locations
            .iter()
            .map(|location| {
                format!(
                    "liftdeck fleet scaling resume {} --location {}",
                    shell(&fleet.name),
                    shell(location.as_str())
                )
            })
            .collect(),
        Help::RestoreQueue { .. } => actions.iter().filter_map(queue).collect(),
    }
}

fn queue(action: &Action) -> Option<String> {
    let Request::UpdateGameSessionQueue(it) = &action.request else { return None };
    let mut command = format!("liftdeck queue update {}", shell(it.name.as_str()));
    for arn in it.destinations.iter().flatten() {
        command += &format!(" --destination {}", shell(arn));
    }
    if let Some(seconds) = it.timeout_seconds {
        command += &format!(" --timeout {seconds}");
    }
    Some(command)
}

/// A word as a shell takes it.
fn shell(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// What to look at when an alias was repointed and where it led before is not known.
pub(crate) fn look_for_former(alias: &str) -> String {
    format!(
        "Where {alias} led before is not known, and no fleet's game sessions have told it yet. If you know the fleet, \
         repoint {alias} to it: look at Aliases."
    )
}

/// What a likely cause says to look at when no change is safe; `None` if the trouble itself says more.
pub(crate) fn look_at_cause(trouble: &Trouble, cause: &LikelyCause) -> Option<String> {
    let is_turned_away = matches!(trouble, Trouble::PlacementsFail { .. } | Trouble::TicketsFail { .. });
    match cause {
        LikelyCause::MoreDemand { .. } | LikelyCause::Full { .. } if is_turned_away => Some(
            "Scaling adds instances as the policies of the fleets ask. If that takes too long, look at Scaling of the \
             fleets: a higher minimum or desired count, or a larger share that is kept free."
                .to_owned(),
        ),
        LikelyCause::OneLocation { location, .. } => Some(format!(
            "Several fleets are slow in {location}: look at the AWS Health Dashboard for it, and at what game servers \
             there wait for before ActivateGameSession()."
        )),
        _ => None,
    }
}

/// What to look at when no change is safe.
pub(crate) fn look(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Blind { .. } | Trouble::FeedMute { .. } | Trouble::EventsAside { .. } | Trouble::Unread { .. } => {
            "Nothing to change at GameLift: the health of collecting says what is missing."
        }
        Trouble::SessionsCrash { .. } => {
            "No change that undoes it is known. The logs of the sessions that crashed say what the server did last."
        }
        Trouble::ActivationsTimeOut { .. } | Trouble::SessionsStartSlowly { .. } => {
            "No change that undoes it is known. Look at the fleet's activation time-out and at what the server does \
             before ActivateGameSession()."
        }
        Trouble::ProcessesDoNotStart { .. } | Trouble::NoProcess { .. } => {
            "No change that undoes it is known. Look at the launch path, and at the fleet's events with a log."
        }
        Trouble::PlacementsFail { .. } | Trouble::NoDestination { .. } => {
            "No change that undoes it is known. Look at the queue's destinations and latency policies."
        }
        Trouble::TicketsFail { .. } => {
            "Matchmaking is not changed from here. Look at the configuration and at its rule set."
        }
        Trouble::SessionsStayEmpty { .. } => {
            "Their server processes do not end them. Terminate those that no player is expected in, and look at what the \
             server does when its last player leaves."
        }
        Trouble::ReservationsUnused { .. } => {
            "Players do not reach their game server in the 60 s of a reservation. Look at the fleet's inbound permissions, \
             at the address that the backend gives to players, and at AcceptPlayerSession() in the server."
        }
        Trouble::Throttled { .. } => {
            "All callers in the account share the limits of a Region, and Liftdeck keeps to a part of them. Look at what \
             else calls GameLift there: first the game's own backend, whose calls are throttled too."
        }
        Trouble::PlacementsWait { .. } => {
            "No change that undoes it is known. Look whether the queue's destinations have free server processes, and at \
             its latency policies."
        }
        Trouble::TicketsWait { .. } => {
            "Matchmaking is not changed from here. Look whether enough players come, at the rule set and its expansions, \
             and whether the queue has room."
        }
        Trouble::AliasLeadsNowhere { .. } => {
            "Point the alias to a fleet again if the game still creates game sessions through it."
        }
        Trouble::SessionsDoNotFill { .. } => {
            "No change that undoes it is known. Look at the player session creation policy of the game sessions, at \
             backfill, and at the team sizes of the rule set."
        }
        Trouble::SessionsRunLong { .. } => {
            "Look whether they are still played. Terminate those that no player is expected in, and look at what the \
             server does when a game is over."
        }
        Trouble::SessionsStuck { .. } => {
            "Terminate them at once, or replace the instances they run on."
        }
        Trouble::Capped { .. } | Trouble::LittleRoom { .. } | Trouble::ScalingSuspended { .. } => {
            "No change that makes room is known. Look at the fleet's scaling."
        }
        Trouble::InstanceLimit { .. } => return look_at_limit(),
        Trouble::InError { locations, .. } if !locations.is_empty() => {
            "The fleet's events say why. A location in ERROR can be removed from the fleet and added again."
        }
        Trouble::InError { .. } => "A fleet in ERROR cannot be mended: its events say why. Create another.",
        Trouble::Custom { .. } => {
            "No change that undoes it is known: a rule of your own says what is wrong, not why."
        }
        Trouble::Interrupted { .. } => {
            "EC2 takes Spot capacity back; nothing undoes it. Look whether the On-Demand fleets of its queues have room."
        }
    }
    .to_owned()
}

/// What to look at when the account may have no more instances: no change at GameLift starts any.
pub(crate) fn look_at_limit() -> String {
    "No change at GameLift starts more of these instances. Ask for a higher limit (Service Quotas or AWS Support), or \
     give the queue a fleet of another instance type or in another location."
        .to_owned()
}
