//! Combines many changes into one preview: its title, who they affect, what to know, what must be typed.
//!
//! Owns the words for the whole. Deliberately reads nothing from AWS: the drafts did.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use liftdeck_model::action::Request;
use liftdeck_model::activity::{Activity, FactChange};
use liftdeck_model::visible::phrase;
use liftdeck_model::{Environment, Region, Timestamp};

use super::crowd::Crowd;
use super::draft::{Draft, How};
use crate::connection::Connection;
use crate::error::OperationError;
use crate::fact::{Blast, LeftOut, Preview, PreviewId, PreviewItem, UndoOffer, Warning};
use crate::words::{WarningFact, count, number, sessions_and_players};

/// Above these counts a click is not enough in any environment.
const MOST_SESSIONS: u64 = 50;
const MOST_PLAYERS: u64 = 200;

/// What the changes are part of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Regard {
    /// Nothing else: they are what was asked for.
    Change,
    /// The undo of an earlier attempt.
    Undo(Box<Activity>),
    /// The drain of a fleet.
    Drain(Box<Drained>),
    /// The rest of a paused run.
    Resume(Box<Resumed>),
}

/// The run that is resumed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Resumed {
    /// The heading of the run.
    pub(crate) title: String,
    /// What has changed since it was agreed to.
    pub(crate) moved: Vec<Warning>,
    /// Set if the run is a drain.
    pub(crate) drained: Option<Drained>,
}

/// What there is to a drain besides its changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drained {
    /// The fleet as people know it: name and id.
    pub(crate) fleet: String,
    /// What still sends new game sessions there.
    pub(crate) still_leads: Vec<Warning>,
    /// The sessions and players it waits for.
    pub(crate) crowd: Crowd,
}

/// Composes the preview of these drafts.
pub(crate) async fn compose(
    connection: &Connection,
    all: &[Draft],
    regard: &Regard,
    expires_at: Timestamp,
) -> Result<Preview, OperationError> {
    let drafts: Vec<&Draft> = all.iter().filter(|draft| draft.skip.is_none()).collect();
    let drafts = drafts.as_slice();
    let mut blast = blast(connection, drafts).await?;
    let mut warnings = warnings(drafts);
    let drained = match regard {
        Regard::Change => None,
        Regard::Undo(undone) => {
            warnings.extend(overwritten(undone, drafts));
            None
        }
        Regard::Drain(drained) => Some(drained.as_ref()),
        Regard::Resume(resumed) => {
            warnings.extend(resumed.moved.iter().cloned());
            resumed.drained.as_ref()
        }
    };
    if let Some(drained) = drained {
        warnings.extend(drained.still_leads.iter().cloned());
        blast = waits_for(&blast, &drained.crowd);
    }
    // Worst first; equals stay in the order of the changes.
    warnings.sort_by_key(|warning| Reverse(warning.severity));
    let spec = connection.gateway.spec();
    let command =
        |draft: &Draft| draft.action.aws_command(spec.profile.as_deref(), spec.endpoint_url.as_deref());
    Ok(Preview {
        id: PreviewId::new(connection.new_id()),
        title: if drafts.is_empty() {
            title(&all.iter().collect::<Vec<_>>(), regard)
        } else {
            title(drafts, regard)
        },
        left_out: LeftOut::of(
            all.iter().filter_map(|draft| Some(draft.left_out(draft.skip.as_ref()?))).collect(),
        ),
        // A run with nothing left to send can still be resumed, either to its end or to wait.
        confirmable: !drafts.is_empty() || matches!(regard, Regard::Resume(_)),
        must_type: must_type(connection, drafts, &blast),
        undo: offer(drafts),
        warnings,
        blast,
        commands: drafts.iter().copied().map(command).collect(),
        items: drafts
            .iter()
            .map(|draft| PreviewItem {
                action: draft.action.clone(),
                resource_name: draft.name.clone(),
                facts: draft.facts.clone(),
            })
            .collect(),
        expires_at,
    })
}

fn title(drafts: &[&Draft], regard: &Regard) -> String {
    let plain = match drafts {
        [single] => single.title.clone(),
        many => {
            let operations: BTreeSet<&str> =
                many.iter().map(|draft| draft.action.request.operation()).collect();
            match operations.first() {
                Some(operation) if operations.len() == 1 => of_many(operation, many.len() as u64),
                _ => format!("{} changes", number(many.len() as u64)),
            }
        }
    };
    match regard {
        Regard::Change => plain,
        Regard::Undo(_) => format!("Undo: {plain}"),
        Regard::Drain(drained) => format!("Drain fleet {}", drained.fleet),
        Regard::Resume(resumed) => format!("Resume: {}", resumed.title),
    }
}

fn of_many(operation: &str, many: u64) -> String {
    match operation {
        "TerminateGameSession" => format!("Terminate {}", count(many, "game session", "game sessions")),
        "UpdateGameSession" => format!("Change {}", count(many, "game session", "game sessions")),
        "CreatePlayerSessions" => {
            format!("Reserve slots in {}", count(many, "game session", "game sessions"))
        }
        "UpdateFleetCapacity" => format!("Set the capacity of {}", count(many, "location", "locations")),
        "StopFleetActions" => format!("Suspend scaling in {}", count(many, "location", "locations")),
        "StartFleetActions" => format!("Resume scaling in {}", count(many, "location", "locations")),
        "StopMatchmaking" => format!("Stop {}", count(many, "ticket", "tickets")),
        operation => format!("{operation}, {} times", number(many)),
    }
}

/// Who all changes affect together. The share is of the Region's players, or of its game sessions while it has no
/// players.
async fn blast(connection: &Connection, drafts: &[&Draft]) -> Result<Blast, OperationError> {
    let mut blast = Blast::default();
    let mut how = How::Nobody;
    let mut unknown_age = false;
    for draft in drafts {
        let hit = &draft.hit;
        how = how.max(hit.how);
        blast.game_sessions += hit.game_sessions;
        blast.player_sessions += hit.player_sessions;
        blast.protected_game_sessions += hit.protected_game_sessions;
        if let Some(as_of) = hit.from_store {
            unknown_age |= as_of.is_none();
            blast.as_of = blast.as_of.into_iter().chain(as_of).min();
        }
    }
    if unknown_age {
        blast.as_of = None;
    }
    let regions: BTreeSet<&Region> = drafts.iter().map(|draft| &draft.action.region).collect();
    let fleet = drafts.iter().find_map(|draft| draft.fleet_id.as_ref());
    if blast.game_sessions > 0
        && regions.len() == 1
        && let Some(fleet) = fleet
    {
        let region = connection.store.blast_of_fleet(fleet, None).await?;
        let share = |part: u64, whole: u64| (whole > 0).then(|| (part as f64 / whole as f64).min(1.0));
        // There is no share for a Region that was never read as a whole.
        if region.as_of.is_some() {
            blast.share_of_region = share(blast.player_sessions, region.region_player_sessions)
                .or_else(|| share(blast.game_sessions, region.region_game_sessions));
        }
    }
    blast.sentence = sentence(&blast, how, drafts, regions.first().copied());
    Ok(blast)
}

/// Who a drain affects: it waits for their end, and scales in when nobody is left.
fn waits_for(of_changes: &Blast, crowd: &Crowd) -> Blast {
    let least = if crowd.may_be_more { "at least " } else { "" };
    let sentence = match crowd.game_sessions {
        0 if !crowd.may_be_more => "No game session is on the fleet.".to_owned(),
        sessions => format!(
            "Waits for {least}{} to end on their own and ends none itself.",
            sessions_and_players(sessions, crowd.player_sessions)
        ),
    };
    Blast {
        game_sessions: crowd.game_sessions,
        player_sessions: crowd.player_sessions,
        protected_game_sessions: crowd.protected_game_sessions,
        as_of: crowd.from_store.flatten(),
        share_of_region: of_changes.share_of_region,
        sentence,
    }
}

fn sentence(blast: &Blast, how: How, drafts: &[&Draft], region: Option<&Region>) -> String {
    let mut said = Vec::new();
    let whom = sessions_and_players(blast.game_sessions, blast.player_sessions);
    let share = match (blast.share_of_region, region) {
        (Some(share), Some(region)) if share >= 0.005 => {
            let whose = if blast.player_sessions > 0 { "players" } else { "game sessions" };
            format!(", {:.0} % of all {whose} on fleets of {region}", share * 100.0)
        }
        _ => String::new(),
    };
    match how {
        _ if blast.game_sessions == 0 => {}
        How::Ends => said.push(format!("Ends {whom}{share}.")),
        How::MayEnd => said.push(format!("May end up to {whom}{share}.")),
        How::Concerns => said.push(format!("Concerns {whom}{share}.")),
        How::Nobody => {}
    }
    if blast.protected_game_sessions > 0 {
        let protected = number(blast.protected_game_sessions);
        match how {
            How::Ends => said
                .push(format!("{protected} of them are fully protected; protection does not prevent this.")),
            How::MayEnd => said.push(format!("{protected} more are protected and stay.")),
            How::Concerns | How::Nobody => {}
        }
    }
    let mut notes: Vec<&str> = drafts.iter().filter_map(|draft| draft.hit.note.as_deref()).collect();
    notes.dedup();
    if let [note] = notes.as_slice() {
        said.push((*note).to_owned());
    }
    if said.is_empty() {
        said.push("No game session is affected.".to_owned());
    }
    said.join(" ")
}

/// Collects the warnings of all changes. Equal ones appear once, with the number of changes they concern.
fn warnings(drafts: &[&Draft]) -> Vec<Warning> {
    let mut all: Vec<(Warning, u64)> = Vec::new();
    for warning in drafts.iter().flat_map(|draft| &draft.warnings) {
        match all.iter_mut().find(|(known, _)| known == warning) {
            Some((_, times)) => *times += 1,
            None => all.push((warning.clone(), 1)),
        }
    }
    let whole = drafts.len() as u64;
    let told = |(warning, times): (Warning, u64)| match times {
        _ if whole == 1 => warning,
        times => warning.of_some(times, whole),
    };
    all.into_iter().map(told).collect()
}

/// Warns of values that are no longer as the undone change left them.
fn overwritten(undone: &Activity, drafts: &[&Draft]) -> Vec<Warning> {
    let now: Vec<&FactChange> = drafts.iter().flat_map(|draft| &draft.facts).collect();
    let mut found = Vec::new();
    for left in &undone.facts {
        let Some(fact) = now.iter().find(|fact| fact.label == left.label) else { continue };
        if fact.before != left.after && fact.before != fact.after {
            found.push(Warning::caution(WarningFact::ChangedAgain {
                label: left.label.clone(),
                left: left.after.clone(),
                is: fact.before.clone(),
                becomes: fact.after.clone(),
            }));
        }
    }
    found
}

fn offer(drafts: &[&Draft]) -> UndoOffer {
    if let [single] = drafts {
        return single.offer.clone();
    }
    if drafts.is_empty() {
        return UndoOffer::None("Nothing is changed, so there is nothing to undo.".to_owned());
    }
    let lost = drafts.iter().find_map(|draft| match &draft.offer {
        UndoOffer::Exact => None,
        UndoOffer::Partly(text) | UndoOffer::None(text) => Some(text.clone()),
    });
    let some = drafts.iter().any(|draft| !draft.undo.is_empty());
    match lost {
        None => UndoOffer::Exact,
        Some(text) if some => UndoOffer::Partly(text),
        Some(text) => UndoOffer::None(text),
    }
}

/// Returns the text to type where a click is not enough: for everything on production, for many people anywhere, and
/// for the deletion of an alias.
fn must_type(connection: &Connection, drafts: &[&Draft], blast: &Blast) -> Option<String> {
    let of_alias = match drafts {
        [single] => match &single.action.request {
            Request::DeleteAlias(_) => single.name.clone(),
            Request::UpdateAlias(it) if it.routing.is_some() => single.name.clone(),
            _ => None,
        },
        _ => None,
    };
    let ends = drafts.iter().any(|draft| draft.hit.how >= How::MayEnd);
    let many = ends && (blast.game_sessions > MOST_SESSIONS || blast.player_sessions > MOST_PLAYERS);
    let deletes = drafts.iter().any(|draft| matches!(draft.action.request, Request::DeleteAlias(_)));
    let asks = connection.options.environment == Environment::Production || many || deletes;
    asks.then(|| phrase(of_alias.as_deref().unwrap_or(&connection.options.connection_name)))
}
