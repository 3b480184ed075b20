//! What AWS shows of a change that nobody answered: that it was carried out, no trace of it, or neither.
//!
//! Owns how each operation can be recognised afterwards. Deliberately only reads.

use std::collections::BTreeSet;

use liftdeck_model::action::{
    AcceptMatch, CreateAlias, CreateGameSession, CreatePlayerSessions, GameSessionTarget, Request,
    UpdateScript,
};
use liftdeck_model::activity::{Activity, Proof};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::matchmaking::TicketStatus;
use liftdeck_model::placement::PlacementStatus;
use liftdeck_model::player_session::PlayerSession;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, GameSessionId, Region, Timestamp};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;

use crate::core::Core;
use crate::error::OperationError;
use crate::preview::draft;
use crate::preview::present::Present;

/// Clocks here and at AWS may differ by this much, in milliseconds: AWS takes signatures that are five minutes off.
const SKEW_MS: i64 = 5 * 60_000;
/// Other attempts of the last minutes looked through for what they made.
const LOOKED_THROUGH: u32 = 1_000;

/// What was found; a sentence each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// What was asked for is there.
    Done {
        /// What is seen.
        text: String,
        /// Whether that is surely this attempt's doing.
        proof: Proof,
        /// Id of what was made.
        made: Option<String>,
        /// Player sessions made, as (player id, player session id).
        slots: Vec<(String, String)>,
    },
    /// Everything is as if it had never been sent.
    NoTrace(String),
    /// What is seen tells neither.
    Unclear(String),
}

impl Evidence {
    /// It is as was asked, whoever did it: settings carry no name, and of what ended AWS keeps no reason that names one.
    fn seen(text: impl Into<String>) -> Self {
        Self::Done { text: text.into(), proof: Proof::Seen, made: None, slots: Vec::new() }
    }

    /// What only this attempt can have made is there: it bears the id the attempt gave it, which AWS takes once.
    fn own(text: impl Into<String>, made: Option<String>) -> Self {
        Self::Done { text: text.into(), proof: Proof::Own, made, slots: Vec::new() }
    }

    fn no_trace(text: impl Into<String>) -> Self {
        Self::NoTrace(text.into())
    }

    fn unclear(text: impl Into<String>) -> Self {
        Self::Unclear(text.into())
    }
}

/// Looks for what an attempt left on AWS.
///
/// # Errors
/// `Gateway` when AWS cannot be asked.
pub(super) async fn of(core: &Core, activity: &Activity) -> Result<Evidence, OperationError> {
    let mut present = Present::new(core);
    let region = &activity.region;
    match &activity.action.request {
        Request::CreateGameSession(it) => created(&mut present, activity, it).await,
        Request::CreatePlayerSessions(it) => reserved(core, &present, activity, it).await,
        Request::CreateAlias(it) => named(core, &present, activity, it).await,
        Request::StartGameSessionPlacement(it) => {
            Ok(match present.placement(region, &it.placement_id).await? {
                Some(placement) if is_older(activity, placement.start_time) => Evidence::unclear(
                    "a placement of this id was begun long before, and AWS takes an id once.",
                ),
                Some(placement) => Evidence::own(
                    format!("the placement is {}.", placement.status),
                    placement.game_session_id.map(|id| id.as_str().to_owned()),
                ),
                None => Evidence::no_trace("GameLift knows no placement of this id."),
            })
        }
        Request::StartMatchmaking(_) | Request::StartMatchBackfill(_) => {
            let ticket = liftdeck_model::TicketId::new(activity.action.request.resource().id);
            Ok(match present.ticket(region, &ticket).await? {
                Some(found) if is_older(activity, found.start_time) => {
                    Evidence::unclear("a ticket of this id was begun long before, and AWS takes an id once.")
                }
                Some(found) => {
                    let text = format!("the ticket is {}.", found.status);
                    Evidence::own(text, Some(ticket.as_str().to_owned()))
                }
                None => Evidence::no_trace("FlexMatch knows no ticket of this id."),
            })
        }
        Request::TerminateGameSession(it) => {
            let session = present.session(region, &it.game_session_id).await?;
            let since = session.as_ref().and_then(|session| session.termination_time);
            Ok(match session.map(|session| session.status) {
                None => Evidence::seen("GameLift no longer lists the game session."),
                Some(GameSessionStatus::Active | GameSessionStatus::Activating) => {
                    Evidence::no_trace("the game session goes on.")
                }
                Some(status) => Evidence::seen(format!("the game session is {status}{}.", ago(since))),
            })
        }
        Request::StopGameSessionPlacement(it) => {
            let placement = present.placement(region, &it.placement_id).await?;
            Ok(match placement.map(|placement| placement.status) {
                Some(PlacementStatus::Cancelled) => Evidence::seen("the placement is CANCELLED."),
                Some(status) => Evidence::no_trace(format!("the placement is {status}.")),
                None => Evidence::unclear("GameLift no longer knows the placement."),
            })
        }
        Request::StopMatchmaking(it) => {
            let ticket = present.ticket(region, &it.ticket_id).await?;
            Ok(match ticket.map(|ticket| ticket.status) {
                Some(TicketStatus::Cancelled) => Evidence::seen("the ticket is CANCELLED."),
                Some(status) => Evidence::no_trace(format!("the ticket is {status}.")),
                None => Evidence::unclear("FlexMatch no longer knows the ticket."),
            })
        }
        Request::AcceptMatch(it) => answered(&mut present, region, it).await,
        Request::UpdateScript(it) if it.zip_file.is_some() => uploaded(&present, activity, it).await,
        Request::UpdateAlias(it) => {
            let alias = present.alias(region, &it.alias_id).await?;
            compared(core, activity, alias.and_then(|alias| alias.last_updated_time)).await
        }
        _ => compared(core, activity, None).await,
    }
}

/// Whether something is from before an attempt, whatever the clocks: another one made it.
fn is_older(activity: &Activity, begun: Option<Timestamp>) -> bool {
    begun.is_some_and(|begun| begun < activity.at.plus_ms(-SKEW_MS))
}

/// Since when something is so, where AWS tells.
fn ago(since: Option<Timestamp>) -> String {
    since.map(|since| format!(" since {}", since.in_utc())).unwrap_or_default()
}

/// Settings: what was asked for, what was there before, and what is there now; `since` when AWS tells.
async fn compared(
    core: &Core,
    activity: &Activity,
    since: Option<Timestamp>,
) -> Result<Evidence, OperationError> {
    let draft = draft::single(core, &activity.action).await?;
    let shown: Vec<String> = draft
        .facts
        .iter()
        .map(|fact| format!("{} is {}", fact.label, fact.before.as_deref().unwrap_or("absent")))
        .collect();
    let shown = format!("{}.", shown.join(", "));
    if draft.holds() {
        return Ok(Evidence::seen(format!("{}{}.", shown.trim_end_matches('.'), ago(since))));
    }
    let before = |facts: &[liftdeck_model::activity::FactChange]| -> Vec<(String, Option<String>)> {
        facts.iter().map(|fact| (fact.label.clone(), fact.before.clone())).collect()
    };
    Ok(if before(&draft.facts) == before(&activity.facts) {
        Evidence::no_trace(format!("{shown} That is as it was before."))
    } else {
        Evidence::unclear(format!(
            "{shown} That is neither what was asked for nor what was there before: somebody else may have changed it since."
        ))
    })
}

/// A game session is found again by the idempotency token, which is the last part of its ARN (H4).
async fn created(
    present: &mut Present<'_>,
    activity: &Activity,
    it: &CreateGameSession,
) -> Result<Evidence, OperationError> {
    let region = &activity.region;
    let mut fleets: Vec<FleetId> = match &it.target {
        GameSessionTarget::Fleet(fleet) => vec![fleet.clone()],
        GameSessionTarget::Alias(_) => activity.fleet_id.iter().cloned().collect(),
    };
    // What arrives late is made where the alias leads by then.
    if let GameSessionTarget::Alias(alias) = &it.target
        && let Some(RoutingStrategy::Simple { fleet_id }) =
            present.alias(region, alias).await?.map(|alias| alias.routing)
        && !fleets.contains(&fleet_id)
    {
        fleets.push(fleet_id);
    }
    if fleets.is_empty() {
        return Ok(Evidence::unclear("the alias leads to no fleet in which to look."));
    }
    let place =
        it.location.as_ref().map(|location| location.as_str()).filter(|place| *place != region.as_str());
    for fleet in fleets {
        let known = present.fleet(region, &fleet).await?;
        let arn = known.and_then(|fleet| fleet.fleet_arn);
        let id = session_arn(region, &fleet, arn.as_deref(), place, &it.idempotency_token);
        if let Some(session) = present.session(region, &id).await? {
            let text = format!("the game session is there and {}.", session.status);
            // AWS answers a token that was used before with the game session it stands for.
            let proof =
                if is_older(activity, Some(session.creation_time)) { Proof::Seen } else { Proof::Own };
            let made = Some(id.as_str().to_owned());
            return Ok(Evidence::Done { text, proof, made, slots: Vec::new() });
        }
    }
    Ok(Evidence::no_trace("there is no game session with this idempotency token."))
}

/// The ARN a game session has (H4); the fleet's own ARN tells the partition.
fn session_arn(
    region: &Region,
    fleet: &FleetId,
    fleet_arn: Option<&str>,
    remote: Option<&str>,
    token: &str,
) -> GameSessionId {
    let partition = fleet_arn.and_then(|arn| arn.split(':').nth(1)).unwrap_or("aws");
    let place = remote.map(|place| format!("{place}/")).unwrap_or_default();
    GameSessionId::new(format!("arn:{partition}:gamelift:{region}::gamesession/{fleet}/{place}{token}"))
}

/// Slots are found again by player and time. AWS makes all of a call's slots or none.
async fn reserved(
    core: &Core,
    present: &Present<'_>,
    activity: &Activity,
    it: &CreatePlayerSessions,
) -> Result<Evidence, OperationError> {
    let players = present.players(&activity.region, &it.game_session_id).await?;
    let others = made_by_others(core, activity).await?;
    let slot = |id: &liftdeck_model::PlayerId| -> Option<&PlayerSession> {
        let mine = players.iter().filter(|slot| {
            &slot.player_id == id
                && !is_older(activity, Some(slot.creation_time))
                && !others.contains(slot.player_session_id.as_str())
        });
        mine.max_by_key(|slot| slot.creation_time)
    };
    let slots: Vec<(String, String)> = it
        .players
        .iter()
        .filter_map(|player| slot(&player.player_id))
        .map(|slot| (slot.player_id.as_str().to_owned(), slot.player_session_id.as_str().to_owned()))
        .collect();
    Ok(if slots.len() == it.players.len() {
        let text = "every player has a slot made since.".to_owned();
        Evidence::Done { text, proof: Proof::Seen, made: None, slots }
    } else if slots.is_empty() {
        Evidence::no_trace("no player has a slot made since.")
    } else {
        Evidence::unclear("some of the players have slots made since, some have none.")
    })
}

/// What other attempts at the same operation made in the minutes around this one, which it did not make.
async fn made_by_others(core: &Core, activity: &Activity) -> Result<BTreeSet<String>, OperationError> {
    let range = TimeRange { from: activity.at.plus_ms(-2 * SKEW_MS), to: core.now().plus_ms(1) };
    let request = ActivityRequest {
        operations: vec![activity.action.request.operation().to_owned()],
        range: Some(range),
        ..ActivityRequest::everything(Page::first(LOOKED_THROUGH))
    };
    let others =
        core.store.activities(&request).await?.rows.into_iter().filter(|other| other.id != activity.id);
    let slots =
        |other: Activity| other.made_player_sessions.into_iter().map(|(_, slot)| slot).chain(other.made);
    Ok(others.flat_map(slots).collect())
}

/// A new alias is found again by name, routing and time: names are not unique.
async fn named(
    core: &Core,
    present: &Present<'_>,
    activity: &Activity,
    it: &CreateAlias,
) -> Result<Evidence, OperationError> {
    let others = made_by_others(core, activity).await?;
    let mine = |alias: &&Alias| {
        alias.name == it.name
            && alias.routing == it.routing
            && alias.creation_time.is_some()
            && !is_older(activity, alias.creation_time)
            && !others.contains(alias.alias_id.as_str())
    };
    let all = present.all_aliases(&activity.region).await?;
    let found: Vec<&Alias> = all.iter().filter(mine).collect();
    Ok(match found.as_slice() {
        [] => Evidence::no_trace("there is no such alias made since."),
        [alias] => Evidence::Done {
            text: format!("there is the alias {}{}.", alias.alias_id, ago(alias.creation_time)),
            proof: Proof::Seen,
            made: Some(alias.alias_id.as_str().to_owned()),
            slots: Vec::new(),
        },
        several => Evidence::unclear(format!("{} such aliases were made since.", several.len())),
    })
}

/// A ticket does not show who answered: only what came of it tells.
async fn answered(
    present: &mut Present<'_>,
    region: &Region,
    it: &AcceptMatch,
) -> Result<Evidence, OperationError> {
    let Some(ticket) = present.ticket(region, &it.ticket_id).await? else {
        return Ok(Evidence::unclear("FlexMatch no longer knows the ticket."));
    };
    let status = &ticket.status;
    Ok(match (it.accept, status) {
        (true, TicketStatus::Placing | TicketStatus::Completed) => {
            Evidence::seen(format!("the ticket is {status}, so everybody has accepted."))
        }
        (false, TicketStatus::Cancelled | TicketStatus::Searching) => {
            Evidence::seen(format!("the ticket is {status}, so the match was not accepted."))
        }
        _ => Evidence::unclear(format!("the ticket is {status}; AWS does not show single answers.")),
    })
}

/// Files are told apart by version and size: AWS shows nothing else of them.
async fn uploaded(
    present: &Present<'_>,
    activity: &Activity,
    it: &UpdateScript,
) -> Result<Evidence, OperationError> {
    let Some(script) = present.script(&activity.region, &it.script_id).await? else {
        return Ok(Evidence::unclear("there is no such script any more."));
    };
    let former = |label: &str| {
        activity.facts.iter().find(|fact| fact.label == label).and_then(|fact| fact.before.clone())
    };
    let new_version = it.version.as_ref().filter(|version| former("Version").as_ref() != Some(*version));
    if let Some(version) = new_version {
        return Ok(if script.version.as_ref() == Some(version) {
            Evidence::seen(format!("the version is {version}."))
        } else {
            Evidence::no_trace(format!("the version is {}.", script.version.as_deref().unwrap_or("absent")))
        });
    }
    let size = script.size_on_disk_bytes.map(|bytes| format!("{bytes} bytes"));
    let wanted = it.zip_file.as_ref().map(|zip| format!("{} bytes", zip.size_bytes));
    let shown = size.clone().unwrap_or_else(|| "unknown".to_owned());
    Ok(if wanted == former("Files") {
        Evidence::unclear("version and size are the same before and after, and AWS shows nothing else.")
    } else if size == wanted {
        Evidence::seen(format!("its size is {shown}."))
    } else {
        Evidence::no_trace(format!("its size is {shown}."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_session_is_looked_for_under_its_documented_arn() {
        let (region, fleet) = (Region::from("eu-west-1"), FleetId::from("fleet-1"));
        let home = session_arn(&region, &fleet, None, None, "tok");
        assert_eq!(home.as_str(), "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/tok");
        let arn = "arn:aws-cn:gamelift:cn-north-1::fleet/fleet-1";
        let remote = session_arn(&region, &fleet, Some(arn), Some("us-east-1"), "tok");
        assert_eq!(remote.as_str(), "arn:aws-cn:gamelift:eu-west-1::gamesession/fleet-1/us-east-1/tok");
    }
}
