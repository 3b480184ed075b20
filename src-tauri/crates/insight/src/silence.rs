//! Silences that runs of ours cause: what a run did to a fleet is not news to whoever confirmed it.
//!
//! Owns which rules a change explains. It goes by the changes that a run has sent, not by what the run is for: one that
//! has not suspended scaling yet, or was refused, has no effect. What nobody means to cause is told in any case: that
//! other fleets, which take over the load, lack room; what becomes of sessions that a run ends; and where an alias or a
//! queue leads after it was changed.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::action::{Action, Request, UpdateFleetCapacity};
use liftdeck_model::activity::{Activity, ActivityOutcome};
use liftdeck_model::matchmaking::MatchmakingConfiguration;
use liftdeck_model::silence::{Matchers, Silence};
use liftdeck_model::time::MINUTE_MS;
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::queue::QueueRow;
use liftdeck_store::reader::window::Page;
use liftdeck_store::{Reader, RunKind, RunRecord, RunState, StoreError};

use crate::verdict::Rule;

/// For how long after a run was paused or is over its effects show in what alerts look at, in milliseconds. A paused run
/// silences no longer than that: that a fleet is left half drained is then worth telling.
const AFTER_MS: i64 = 15 * MINUTE_MS;

/// What follows where scaling is suspended.
const BY_SUSPENDING: [Rule; 2] = [Rule::ScalingSuspended, Rule::LittleRoom];
/// What follows where there are to be fewer instances: less room, what was just starting ends with its instance, and the
/// processes end before their instance does.
const BY_SHRINKING: [Rule; 5] =
    [Rule::Capped, Rule::LittleRoom, Rule::Activation, Rule::Startup, Rule::NoProcess];

/// Every silence that matters at a moment: those of people, and those of runs.
///
/// # Errors
/// When the store cannot be read.
pub async fn silences(reader: &Reader, at: Timestamp) -> Result<Vec<Silence>, StoreError> {
    let mut silences = reader.silences(at).await?;
    let mut effects = Vec::new();
    for run in reader.runs_changed(at.plus_ms(-AFTER_MS)).await? {
        if is_in_effect(&run, at) {
            let sent = sent(reader, &run).await?;
            effects.extend(Effect::of(run, &sent));
        }
    }
    if effects.is_empty() {
        return Ok(silences);
    }
    let (queues, configurations) = (reader.queues(at).await?.0, reader.configurations().await?);
    silences.extend(of_effects(&effects, &queues, &configurations));
    Ok(silences)
}

fn is_in_effect(run: &RunRecord, at: Timestamp) -> bool {
    run.state == RunState::Running || at.since_ms(run.changed_at) < AFTER_MS
}

/// The changes of a run that may have an effect here.
async fn sent(reader: &Reader, run: &RunRecord) -> Result<Vec<Activity>, StoreError> {
    let mut sent = Vec::new();
    loop {
        let page = Page { offset: u32::try_from(sent.len()).unwrap_or(u32::MAX), limit: Page::MOST };
        let request = ActivityRequest {
            run_id: Some(run.id.clone()),
            operations: vec!["StopFleetActions".to_owned(), "UpdateFleetCapacity".to_owned()],
            ..ActivityRequest::everything(page)
        };
        let window = reader.activities(&request).await?;
        let is_last = window.rows.is_empty();
        sent.extend(window.rows);
        if is_last || sent.len() as u64 >= window.total {
            return Ok(sent);
        }
    }
}

/// What a run has done to fleets.
#[derive(Debug)]
struct Effect {
    run: RunRecord,
    /// When it began to.
    from: Timestamp,
    /// The rules that this explains, by fleet.
    rules: BTreeMap<FleetId, BTreeSet<Rule>>,
    /// The fleets of which locations are to have no instances.
    emptied: BTreeSet<FleetId>,
}

impl Effect {
    /// `None` for a run that has done nothing of the kind, or not yet.
    fn of(run: RunRecord, sent: &[Activity]) -> Option<Self> {
        let mut rules: BTreeMap<FleetId, BTreeSet<Rule>> = BTreeMap::new();
        let (mut emptied, mut from) = (BTreeSet::new(), None);
        // What is unknown may well have arrived.
        for activity in sent.iter().filter(|sent| sent.outcome != ActivityOutcome::Failed) {
            let (fleet, explained) = match &activity.action.request {
                Request::StopFleetActions(it) => (&it.fleet_id, &BY_SUSPENDING[..]),
                Request::UpdateFleetCapacity(it) if shrinks(it, &activity.undo) => {
                    if it.desired_instances == Some(0) || it.max_size == Some(0) {
                        emptied.insert(it.fleet_id.clone());
                    }
                    (&it.fleet_id, &BY_SHRINKING[..])
                }
                _ => continue,
            };
            from = from.into_iter().chain([activity.at]).min();
            rules.entry(fleet.clone()).or_default().extend(explained);
        }
        Some(Self { run, from: from?, rules, emptied })
    }

    /// About a queue or a matchmaking configuration.
    fn about(&self, rules: &[Rule], region: &Region, name: &str) -> Silence {
        let subject = format!("{region}/{name}");
        // A queue and a configuration may have the same name.
        let covers =
            format!("{} {subject}", if rules.contains(&Rule::Tickets) { "tickets" } else { "placements" });
        self.silence(&covers, Matchers { subject: Some(subject), ..only(rules) })
    }

    fn silence(&self, covers: &str, matchers: Matchers) -> Silence {
        let how = match self.run.state {
            RunState::Running => "goes on",
            RunState::Paused => "was paused just now",
            RunState::Stopped => "was stopped just now",
            RunState::Finished => "ended just now",
        };
        Silence {
            id: format!("{}/{covers}", self.run.id).into(),
            matchers,
            from: self.from,
            until: None,
            author: "Liftdeck".to_owned(),
            reason: format!("the run \"{}\" {how}", self.run.title),
            ended_at: None,
            ended_by: None,
        }
    }
}

/// Whether a location is to have fewer instances than before, or may have fewer. What was before is known from what
/// would undo it.
fn shrinks(to: &UpdateFleetCapacity, undo: &[Action]) -> bool {
    let before = undo.iter().find_map(|action| match &action.request {
        Request::UpdateFleetCapacity(it) => Some(it),
        _ => None,
    });
    let is_less = |to: Option<i32>, from: Option<i32>| match (to, from) {
        (Some(to), Some(from)) => to < from,
        (Some(to), None) => to == 0,
        (None, _) => false,
    };
    is_less(to.desired_instances, before.and_then(|it| it.desired_instances))
        || is_less(to.max_size, before.and_then(|it| it.max_size))
}

/// The silences of all runs.
///
/// A queue concerns only drains, and only where every fleet it leads to is being drained: with any other destination it
/// is for that one to explain why placements fail. Whoever confirmed such a drain was told which queues still lead to
/// its fleet, and means that. A run that only sets numbers says nothing of queues, so what it does to them is told.
fn of_effects(
    effects: &[Effect],
    queues: &[QueueRow],
    configurations: &[MatchmakingConfiguration],
) -> Vec<Silence> {
    let drains = || effects.iter().filter(|effect| effect.run.kind == RunKind::Drain);
    let drained: BTreeSet<&FleetId> = drains().flat_map(|effect| effect.rules.keys()).collect();
    let emptied: BTreeSet<&FleetId> = drains().flat_map(|effect| &effect.emptied).collect();
    let mut silences = Vec::new();
    for effect in effects {
        for (fleet, rules) in &effect.rules {
            let matchers = Matchers { fleet_id: Some(fleet.clone()), ..only(rules) };
            silences.push(effect.silence(fleet.as_str(), matchers));
        }
    }
    for effect in drains() {
        let mut failing: Vec<&str> = Vec::new();
        for row in queues.iter().filter(|row| leads_only_to(row, &drained)) {
            if !fleets_of(row).flatten().any(|fleet| effect.rules.contains_key(fleet)) {
                continue;
            }
            let mut rules = vec![Rule::Placements, Rule::SlowPlacements];
            rules.extend(leads_only_to(row, &emptied).then_some(Rule::NoDestination));
            silences.push(effect.about(&rules, &row.queue.region, row.queue.name.as_str()));
            failing.extend(row.queue.arn.as_deref());
        }
        let fails = |arn: &String| failing.contains(&arn.as_str());
        for one in configurations {
            if !one.queue_arns.is_empty() && one.queue_arns.iter().all(fails) {
                silences.push(effect.about(&[Rule::Tickets, Rule::SlowTickets], &one.region, &one.name));
            }
        }
    }
    silences
}

/// The fleets that a queue leads to; `None` for a destination that leads to none.
fn fleets_of(row: &QueueRow) -> impl Iterator<Item = Option<&FleetId>> {
    row.destinations.iter().map(|to| to.fleet_id.as_ref())
}

fn leads_only_to(row: &QueueRow, fleets: &BTreeSet<&FleetId>) -> bool {
    !row.destinations.is_empty() && fleets_of(row).all(|to| to.is_some_and(|fleet| fleets.contains(fleet)))
}

fn only<'r>(rules: impl IntoIterator<Item = &'r Rule>) -> Matchers {
    let rules = rules.into_iter().map(|rule| <&str>::from(*rule).to_owned()).collect();
    Matchers { rules, ..Matchers::default() }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::QueueName;
    use liftdeck_model::action::SetFleetActions;
    use liftdeck_model::queue::GameSessionQueue;
    use liftdeck_store::reader::queue::QueueDestination;

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

    fn run(kind: RunKind, state: RunState) -> RunRecord {
        RunRecord {
            id: "run-1".into(),
            kind,
            state,
            title: "Drain fleet arena".to_owned(),
            region: Some("eu-west-1".into()),
            fleet_id: Some("arena".into()),
            created_at: NOW,
            changed_at: NOW,
            plan: String::new(),
            progress: String::new(),
        }
    }

    fn sent(request: Request) -> Activity {
        let action = Action { region: "eu-west-1".into(), request };
        Activity {
            outcome: ActivityOutcome::Done,
            ..Activity::sending("one".into(), NOW.plus_ms(1_000), action)
        }
    }

    fn suspends(fleet: &str) -> Activity {
        sent(Request::StopFleetActions(SetFleetActions { fleet_id: fleet.into(), location: None }))
    }

    fn capacity(fleet: &str, desired: Option<i32>, maximum: Option<i32>) -> Request {
        Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: fleet.into(),
            location: None,
            desired_instances: desired,
            min_size: None,
            max_size: maximum,
        })
    }

    fn empties(fleet: &str) -> Activity {
        sent(capacity(fleet, Some(0), Some(0)))
    }

    fn queue(name: &str, fleets: &[Option<&str>]) -> QueueRow {
        let to = |fleet: &Option<&str>| QueueDestination {
            arn: String::new(),
            label: String::new(),
            fleet_id: fleet.map(FleetId::from),
            alias_id: None,
        };
        QueueRow {
            queue: GameSessionQueue {
                name: QueueName::from(name),
                region: "eu-west-1".into(),
                arn: Some(format!("arn:{name}")),
                timeout_seconds: None,
                destinations: Vec::new(),
                player_latency_policies: Vec::new(),
                allowed_locations: Vec::new(),
                priority_order: Vec::new(),
                location_order: Vec::new(),
                custom_event_data: None,
                notification_target: None,
            },
            destinations: fleets.iter().map(to).collect(),
        }
    }

    fn configuration(name: &str, queues: &[&str]) -> MatchmakingConfiguration {
        MatchmakingConfiguration {
            name: name.to_owned(),
            region: "eu-west-1".into(),
            arn: None,
            description: None,
            queue_arns: queues.iter().map(|name| format!("arn:{name}")).collect(),
            request_timeout_seconds: None,
            acceptance_timeout_seconds: None,
            acceptance_required: false,
            rule_set_name: None,
            notification_target: None,
            additional_player_count: None,
            backfill_mode: None,
            flex_match_mode: None,
            creation_time: None,
        }
    }

    /// What is silenced, a word for each: fleet or subject, and rule.
    fn silenced(
        effects: &[Effect],
        queues: &[QueueRow],
        configurations: &[MatchmakingConfiguration],
    ) -> Vec<String> {
        let silences = of_effects(effects, queues, configurations);
        let ids: BTreeSet<&str> = silences.iter().map(|silence| silence.id.as_str()).collect();
        assert_eq!(ids.len(), silences.len(), "each has an id of its own: {silences:?}");
        let of = |silence: &Silence| {
            let Matchers { rules, fleet_id, subject, .. } = &silence.matchers;
            let about = subject.clone().or_else(|| fleet_id.as_ref().map(FleetId::to_string)).unwrap();
            rules.iter().map(|rule| format!("{about} {rule}")).collect::<Vec<_>>()
        };
        let mut words: Vec<String> = silences.iter().flat_map(of).collect();
        words.sort();
        words
    }

    fn drain(sent: &[Activity]) -> Option<Effect> {
        Effect::of(run(RunKind::Drain, RunState::Running), sent)
    }

    #[test]
    fn a_drain_silences_what_its_steps_do_as_soon_as_each_is_sent() {
        assert!(drain(&[]).is_none(), "it has done nothing yet");
        let refused = Activity { outcome: ActivityOutcome::Failed, ..suspends("arena") };
        assert!(drain(&[refused]).is_none(), "a change that was refused has no effect");
        let suspended = drain(&[suspends("arena")]).unwrap();
        assert_eq!(silenced(&[suspended], &[], &[]), ["arena little-room", "arena scaling-suspended"]);
        let scaled = drain(&[suspends("arena"), empties("arena")]).unwrap();
        assert_eq!(
            silenced(&[scaled], &[], &[]),
            ["activation", "capped", "little-room", "no-process", "scaling-suspended", "startup"]
                .map(|rule| format!("arena {rule}"))
        );
    }

    #[test]
    fn a_queue_is_silenced_only_where_every_fleet_it_leads_to_is_drained() {
        let queues = [
            queue("only", &[Some("arena")]),
            queue("both", &[Some("arena"), Some("spot")]),
            queue("closed", &[Some("arena"), None]),
            queue("other", &[Some("coop")]),
            queue("nowhere", &[]),
        ];
        let configurations = [configuration("ranked", &["only"]), configuration("casual", &["only", "both"])];
        let of_queues = |effects: &[Effect]| {
            let mut words = silenced(effects, &queues, &configurations);
            words.retain(|word| word.contains('/'));
            words
        };
        let suspended = drain(&[suspends("arena")]).unwrap();
        let placements = ["eu-west-1/only placements", "eu-west-1/only slow-placements"];
        let tickets = ["eu-west-1/ranked slow-tickets", "eu-west-1/ranked tickets"];
        assert_eq!(of_queues(&[suspended]), [placements, tickets].concat());
        let emptied = || drain(&[suspends("arena"), empties("arena")]).unwrap();
        let of_arena = [&["eu-west-1/only no-destination"][..], &placements, &tickets].concat();
        assert_eq!(of_queues(&[emptied()]), of_arena);
        // With the other fleet drained as well, no destination is left to explain anything.
        let other = RunRecord { id: "run-2".into(), ..run(RunKind::Drain, RunState::Paused) };
        let both = of_queues(&[emptied(), Effect::of(other, &[empties("spot")]).unwrap()]);
        assert!(both.contains(&"eu-west-1/both no-destination".to_owned()), "{both:?}");
        assert!(both.contains(&"eu-west-1/casual tickets".to_owned()), "{both:?}");
    }

    #[test]
    fn a_bulk_change_silences_what_it_does_to_the_fleets_it_shrinks_and_nothing_about_queues() {
        let before = |desired, maximum| {
            let request = capacity("arena", desired, maximum);
            vec![Action { region: "eu-west-1".into(), request }]
        };
        let lowered = Activity { undo: before(None, Some(9)), ..sent(capacity("arena", None, Some(4))) };
        let bulk = |sent: &[Activity]| Effect::of(run(RunKind::Bulk, RunState::Finished), sent);
        let effect = bulk(&[lowered, suspends("coop")]).unwrap();
        assert_eq!(
            silenced(&[effect], &[queue("only", &[Some("arena")])], &[]),
            [
                "arena activation",
                "arena capped",
                "arena little-room",
                "arena no-process",
                "arena startup",
                "coop little-room",
                "coop scaling-suspended"
            ]
        );
        let raised = Activity { undo: before(Some(2), Some(4)), ..sent(capacity("arena", Some(6), Some(9))) };
        assert!(bulk(&[raised]).is_none(), "more instances take nothing away");
    }

    #[test]
    fn a_run_is_in_effect_while_it_goes_on_and_a_short_while_after() {
        let later = |state, ms| is_in_effect(&run(RunKind::Drain, state), NOW.plus_ms(ms));
        assert!(later(RunState::Running, i64::MAX / 2), "sessions may take days to end");
        for state in [RunState::Paused, RunState::Stopped, RunState::Finished] {
            assert_eq!((later(state, AFTER_MS - 1), later(state, AFTER_MS)), (true, false), "{state:?}");
        }
    }

    #[test]
    fn a_silence_says_how_the_run_stands() {
        let reason = |state| {
            let effect = Effect::of(run(RunKind::Drain, state), &[suspends("arena")]).unwrap();
            let silence = of_effects(&[effect], &[], &[]).remove(0);
            assert_eq!((silence.from, silence.until), (NOW.plus_ms(1_000), None));
            silence.reason
        };
        assert_eq!(reason(RunState::Running), "the run \"Drain fleet arena\" goes on");
        assert_eq!(reason(RunState::Finished), "the run \"Drain fleet arena\" ended just now");
    }
}
