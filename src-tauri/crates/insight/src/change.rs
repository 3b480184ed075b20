//! The feed of changes: settings that differ, fleet events, and what this installation did.
//!
//! GameLift keeps no history of settings, so a change is dated by the poll that first saw it, until CloudTrail's record
//! of the call tells who made it and when.

mod called;
mod event;
mod fact;
mod fold;
mod ours;
mod signed;
mod who;

use std::collections::BTreeMap;

use liftdeck_model::activity::ActivityId;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{AliasId, FleetId, Location, Region, Severity, Timestamp, arn};
use liftdeck_store::reader::change::{ChangeRow, ChangeScope};
use liftdeck_store::reader::window::Page;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::event::from_events;
pub(crate) use self::event::{Step, last_asked, repeats_a_step};
pub use self::fact::{DestinationNamed, FleetNamed, Part, Scaled, Sent, Value, What};
pub use self::fold::{Folded, PolicySteps, fold};
pub use self::ours::ByUs;
use self::signed::{complete, signed, unseen};
use self::who::{Asked, Witnesses};
pub use self::who::{RecordedCall, Who, WhyUnknown};
use crate::words::{self, Words};

/// The kind of thing that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// An entry of DescribeFleetEvents.
    FleetEvent,
    /// Desired instances changed.
    ScalingStep,
    /// Minimum or maximum changed.
    Capacity,
    /// A scaling policy.
    ScalingPolicy,
    /// An alias.
    Alias,
    /// A queue.
    Queue,
    /// A matchmaking configuration.
    MatchmakingConfiguration,
    /// A runtime configuration or port settings.
    RuntimeConfiguration,
    /// A Realtime script.
    Script,
    /// A build.
    Build,
    /// A fleet or one of its locations.
    Fleet,
    /// A deployment of a container fleet.
    Deployment,
}

/// One line of the feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Identifies the line; stable when it is read again.
    pub key: String,
    /// The time: for an event, when it happened; for a setting, when the call was made if that is known, else when a
    /// poll first saw the change.
    pub at: Timestamp,
    /// When this program first saw it; for an event, when it happened.
    pub seen_at: Timestamp,
    /// Kind.
    pub kind: ChangeKind,
    /// How much it matters.
    pub severity: Severity,
    /// Home Region.
    pub region: Region,
    /// Id of the changed fleet, alias, queue, build or script.
    pub resource: String,
    /// The fleet that it belongs to.
    pub fleet_id: Option<FleetId>,
    /// Every fleet affected: that one, or those an alias pointed to before and points to after.
    pub fleets: Vec<FleetId>,
    /// Location concerned.
    pub location: Option<Location>,
    /// What happened.
    pub what: What,
    /// The same, as words.
    pub words: Words,
    /// The attempt or run of this installation that did it; `None` if something else did or it is unknown.
    pub by_us: Option<ByUs>,
    /// Who made it; `None` for what nobody makes, such as an event.
    pub who: Option<Who>,
}

/// Maximum number of fleet events read for one feed.
const MOST_EVENTS: u32 = 1_000;

/// Changes in `range`, newest first, at most `limit`, restricted to one fleet if given. Each change by this
/// installation appears once: as the change that a poll saw or, until then, as a line of its own.
///
/// # Errors
/// When the store cannot be read.
pub async fn changes(
    reader: &Reader,
    fleet: Option<&FleetId>,
    range: TimeRange,
    limit: u32,
) -> Result<Vec<Change>, StoreError> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let scope = fleet.map_or(ChangeScope::All, ChangeScope::Fleet);
    let rows = reader.changes(scope, Some(range), limit).await?;
    let events = reader.fleet_events(fleet, Some(range), Page::first(limit.min(MOST_EVENTS))).await?;
    let around = TimeRange::new(range.from.plus_ms(-ours::BEFORE_MS), range.to);
    // An alias or a queue belongs to no fleet, but points to one.
    let mut activities = reader.settings_changed_by_us(None, around).await?;
    let witnesses = Witnesses::read(reader, Asked::about(rows.iter(), Some(range)), &activities).await?;
    if let Some(fleet) = fleet {
        activities.retain(|activity| ours::touched(activity).contains(fleet));
    }
    let names = Names::read(reader).await?;
    let (mut lines, told) = signed(&rows, &activities, &names, &witnesses);
    let unseen = unseen(&rows, &names, &witnesses);
    for mut line in unseen.into_iter().filter(|line| range.contains(line.at)) {
        if fleet.is_none_or(|fleet| line.fleets.contains(fleet)) && complete(reader, &mut line).await? {
            lines.push(line);
        }
    }
    let steps: Vec<Step> = lines.iter().filter_map(Step::of).collect();
    lines.extend(from_events(&events.rows).into_iter().filter(|line| !repeats_a_step(line, &steps)));
    let untold = activities.iter().filter(|activity| !told.contains(&activity.id));
    lines.extend(untold.filter_map(ours::line).filter(|line| range.contains(line.at)));
    lines.extend(drains(reader, fleet, range).await?);
    if rows.len() >= most
        && let Some(oldest) = rows.last()
    {
        // Older steps were not read, so an older event might repeat one of them.
        lines.retain(|line| line.at >= oldest.seen_at);
    }
    lines.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.key.cmp(&b.key)));
    lines.truncate(most);
    Ok(lines)
}

/// Recorded changes of one resource, newest first, at most `limit`. `kind` is the store's name for its kind.
///
/// # Errors
/// When the store cannot be read.
pub async fn resource_history(
    reader: &Reader,
    kind: &str,
    resource: &str,
    limit: u32,
) -> Result<Vec<Change>, StoreError> {
    let rows = reader.changes(ChangeScope::Resource { kind, resource }, None, limit).await?;
    Ok(histories(reader, &[&rows]).await?.pop().unwrap_or_default())
}

/// Recorded changes of several resources as lines, in the given order. Those made by this installation are
/// attributed.
///
/// # Errors
/// When the store cannot be read.
pub async fn histories(reader: &Reader, of: &[&[ChangeRow]]) -> Result<Vec<Vec<Change>>, StoreError> {
    let seen = || of.iter().copied().flatten().map(|row| row.seen_at);
    let (Some(oldest), Some(newest)) = (seen().min(), seen().max()) else {
        return Ok(vec![Vec::new(); of.len()]);
    };
    let around = TimeRange::new(oldest.plus_ms(-ours::BEFORE_MS), newest.plus_ms(1));
    let activities = reader.settings_changed_by_us(None, around).await?;
    let names = Names::read(reader).await?;
    let asked = Asked::about(of.iter().copied().flatten(), None);
    let witnesses = Witnesses::read(reader, asked, &activities).await?;
    let mut histories: Vec<Vec<Change>> =
        of.iter().map(|rows| signed(rows, &activities, &names, &witnesses).0).collect();
    for lines in &mut histories {
        lines.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.key.cmp(&b.key)));
    }
    Ok(histories)
}

/// Names in place of ids.
#[derive(Default)]
struct Names {
    fleets: BTreeMap<FleetId, String>,
    aliases: BTreeMap<AliasId, String>,
}

impl Names {
    async fn read(reader: &Reader) -> Result<Self, StoreError> {
        Ok(Self { fleets: reader.names_of_fleets().await?, aliases: reader.names_of_aliases().await? })
    }

    /// What a destination of a queue is called.
    fn of_destination(&self, arn: &str) -> String {
        let id = arn::id_of(arn);
        let fleet = || self.fleets.get(&FleetId::from(id));
        self.aliases.get(&AliasId::from(id)).or_else(fleet).map_or_else(|| id.to_owned(), Clone::clone)
    }
}

async fn drains(
    reader: &Reader,
    fleet: Option<&FleetId>,
    range: TimeRange,
) -> Result<Vec<Change>, StoreError> {
    // A drain ends long after it began.
    let began = TimeRange::new(range.from.plus_ms(-LONGEST_DRAIN_MS), range.to);
    let runs = reader.runs_begun(fleet, began).await?;
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let names = reader.names_of_fleets().await?;
    let name = |fleet: &FleetId| names.get(fleet).map(String::as_str);
    Ok(runs
        .iter()
        .flat_map(|run| ours::run_lines(run, run.fleet_id.as_ref().and_then(name), range))
        .collect())
}

/// Drains that began longer than this before a range are ignored.
const LONGEST_DRAIN_MS: i64 = 7 * DAY_MS;

impl Change {
    /// The whole line as text: `arena scaled 18 → 24 in eu-west-1`.
    pub fn sentence(&self) -> String {
        let Words { subject, text, before, after, by } = &self.words;
        let mut sentence = format!("{subject} {text}");
        match (before, after) {
            (None, None) => {}
            (None, Some(after)) => sentence += &format!(" → {after}"),
            (Some(before), after) => sentence += &format!(" {before} → {}", after.as_deref().unwrap_or("–")),
        }
        if let Some(location) = &self.location {
            sentence += &format!(" in {location}");
        }
        if let (Some(Who::Named { .. }), Some(by)) = (&self.who, by) {
            sentence += &format!(", by {by}");
        }
        sentence
    }

    /// Says who made it. An attempt of ours outranks what CloudTrail recorded of it.
    fn sign(&mut self, ours: Option<ActivityId>, who: Option<Who>) {
        if let Some(at) = who.as_ref().and_then(Who::made_at) {
            self.at = at;
        }
        self.who = if ours.is_some() { Some(Who::Ours) } else { who };
        self.by_us = ours.map(ByUs::Activity);
        self.words.by = self.who.as_ref().and_then(words::who);
    }
}

/// The line for a recorded change; `None` for fields that mean nothing to a person.
fn from_row(row: &ChangeRow, names: &Names) -> Option<Change> {
    let kind = match row.kind.as_str() {
        "fleet_capacity" if row.field == "desired" => ChangeKind::ScalingStep,
        "fleet_capacity" => ChangeKind::Capacity,
        "scaling_policy" => ChangeKind::ScalingPolicy,
        "alias" => ChangeKind::Alias,
        "queue" => ChangeKind::Queue,
        "matchmaking_configuration" => ChangeKind::MatchmakingConfiguration,
        "runtime_configuration" | "port_settings" => ChangeKind::RuntimeConfiguration,
        "build" => ChangeKind::Build,
        "script" => ChangeKind::Script,
        "fleet_deployment" => ChangeKind::Deployment,
        "fleet" | "fleet_location" => ChangeKind::Fleet,
        // Computes come and go on their own. Rule sets cannot be changed: what changes is which one is used.
        _ => return None,
    };
    if row.field == "creation_time" {
        return None;
    }
    // AWS updates these stamps on every record it touches, together with the change that matters. Of an alias the
    // stamp is recorded only if it changed alone, and then it is all there is.
    if row.updated_at().is_none() && matches!(row.field.as_str(), "last_updated_time" | "update_status") {
        return None;
    }
    let own = row.name.as_ref().unwrap_or(&row.resource);
    let name = row.fleet_name.as_ref().filter(|_| kind != ChangeKind::Alias).unwrap_or(own);
    let resource = row.fleet_id.as_ref().filter(|_| kind != ChangeKind::Alias);
    let what = fact::what(row, names);
    Some(Change {
        key: format!("change {}", row.change_key),
        at: row.updated_at().unwrap_or(row.seen_at),
        seen_at: row.seen_at,
        kind,
        severity: severity(row, &what),
        region: row.region.clone(),
        resource: resource.map_or_else(|| row.resource.clone(), ToString::to_string),
        fleet_id: row.fleet_id.clone().filter(|_| kind != ChangeKind::Alias),
        fleets: row.fleet_id.iter().cloned().chain(led_to(&what)).collect(),
        location: row.location.clone(),
        words: words::change(kind, name, &what),
        what,
        by_us: None,
        who: None,
    })
}

fn led_to(what: &What) -> Vec<FleetId> {
    match what {
        What::Set { before, after, .. } => {
            before.iter().chain(after).filter_map(Value::fleet).cloned().collect()
        }
        _ => Vec::new(),
    }
}

fn severity(row: &ChangeRow, what: &What) -> Severity {
    match (row.kind.as_str(), what) {
        ("fleet" | "fleet_location", What::Set { field, after: Some(Value::Text(status)), .. })
            if field == "status" && status == "ERROR" =>
        {
            Severity::Bad
        }
        ("fleet" | "alias" | "queue" | "matchmaking_configuration", What::Removed { .. }) => {
            Severity::Warning
        }
        ("fleet" | "fleet_location", What::Set { after: Some(after), .. }) if is_suspended(after) => {
            Severity::Warning
        }
        _ => Severity::Info,
    }
}

/// Whether a value of `stopped_actions` or `scaling_suspended` says that automatic scaling is suspended.
pub(crate) fn is_suspended(value: &Value) -> bool {
    match value {
        Value::Flag(is_suspended) => *is_suspended,
        Value::List(actions) => actions.iter().any(|action| action == "AUTO_SCALING"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::alias::RoutingStrategy;
    use liftdeck_model::fleet::FleetEvent;
    use liftdeck_store::reader::change::FleetEventRow;

    use super::*;

    fn row(kind: &str, field: &str, before: Option<&str>, after: Option<&str>) -> ChangeRow {
        ChangeRow {
            change_key: 1,
            seen_at: Timestamp::from_ms(1_000),
            region: Region::from("eu-west-1"),
            kind: kind.into(),
            resource: "res-1".into(),
            name: Some("own-name".into()),
            fleet_id: None,
            fleet_name: None,
            location: None,
            field: field.into(),
            before: before.map(Into::into),
            after: after.map(Into::into),
            since_at: None,
        }
    }

    fn line(row: &ChangeRow) -> Option<Change> {
        let fleets = [("fleet-2".into(), "arena-green".to_owned())].into();
        let aliases = [("alias-1".into(), "arena-live".to_owned())].into();
        from_row(row, &Names { fleets, aliases })
    }

    #[test]
    fn a_desired_count_reads_as_a_scaling_step() {
        let row = ChangeRow {
            fleet_name: Some("arena".into()),
            location: Some(Location::from("eu-west-1")),
            ..row("fleet_capacity", "desired", Some("18"), Some("24"))
        };
        let change = line(&row).unwrap();
        assert_eq!((change.kind, change.words.subject.as_str()), (ChangeKind::ScalingStep, "arena"));
        let (before, after) = (Some(Value::Count(18)), Some(Value::Count(24)));
        assert_eq!(change.what, What::Set { part: None, field: "desired".to_owned(), before, after });
        assert_eq!(change.sentence(), "arena scaled 18 → 24 in eu-west-1");
    }

    #[test]
    fn an_event_that_repeats_a_step_is_folded_into_it() {
        let row = ChangeRow {
            fleet_id: Some("fleet-1".into()),
            fleet_name: Some("arena".into()),
            location: Some(Location::from("eu-west-1")),
            ..row("fleet_capacity", "desired", Some("18"), Some("24"))
        };
        let step = line(&row).unwrap();
        let steps = [Step::of(&step).unwrap()];
        let told = |location: &str, to: i32, late_ms: i64| {
            let row = FleetEventRow {
                event: FleetEvent {
                    event_id: "e".into(),
                    fleet_id: "fleet-1".into(),
                    event_code: "FLEET_SCALING_EVENT".into(),
                    message: Some(format!(
                        "Desired instance count of location {location} changed from 18 to {to}."
                    )),
                    event_time: step.at.plus_ms(late_ms),
                    count: 1,
                    has_log: false,
                },
                region: "eu-west-1".into(),
                fleet_name: "arena".into(),
            };
            from_events(&[row]).remove(0)
        };
        assert!(repeats_a_step(&told("eu-west-1", 24, -60_000), &steps));
        assert!(repeats_a_step(&told("eu-west-1", 20, -60_000), &steps), "on the way to what the poll saw");
        assert!(repeats_a_step(&told("eu-west-1", 24, -600_000), &steps), "a slow poll saw it late");
        assert!(!repeats_a_step(&told("eu-west-1", 20, -600_000), &steps));
        assert!(!repeats_a_step(&told("us-east-1", 24, 0), &steps));
        assert!(!repeats_a_step(&told("eu-west-1", 24, 600_000), &steps));
        // Until a poll sees the step, the event reads as the step will.
        assert_eq!(told("eu-west-1", 24, 0).sentence(), "arena scaled 18 → 24 in eu-west-1");
    }

    #[test]
    fn an_alias_says_where_it_led_and_leads() {
        let simple =
            |id: &str| serde_json::to_string(&RoutingStrategy::Simple { fleet_id: id.into() }).unwrap();
        let change =
            line(&row("alias", "routing", Some(&simple("fleet-1")), Some(&simple("fleet-2")))).unwrap();
        assert_eq!(change.words.subject, "alias own-name");
        assert_eq!(change.sentence(), "alias own-name repointed fleet-1 → arena-green");
        assert_eq!(change.fleets, ["fleet-1".into(), "fleet-2".into()], "both are touched");
    }

    #[test]
    fn a_queue_names_its_destinations_and_tells_its_latency_policies_in_words() {
        let arns = r#"["arn:aws:gamelift:eu-west-1::alias/alias-1","arn:aws:gamelift:eu-west-1::fleet/fleet-2","arn:aws:gamelift:eu-west-1::fleet/fleet-9"]"#;
        let change = line(&row("queue", "destinations", Some(arns), Some("[]"))).unwrap();
        assert_eq!(change.sentence(), "queue own-name destinations arena-live, arena-green, fleet-9 → none");
        let policies = r#"[{"maximum_individual_player_latency_ms":80,"policy_duration_seconds":40},{"maximum_individual_player_latency_ms":150,"policy_duration_seconds":null}]"#;
        let change = line(&row("queue", "player_latency_policies", Some(policies), Some("[]"))).unwrap();
        assert_eq!(
            change.sentence(),
            "queue own-name player latency policies 80 ms for 40 s, then 150 ms → none"
        );
    }

    #[test]
    fn a_policy_target_is_a_percent_and_an_update_stamp_is_no_news() {
        let change = line(&row("scaling_policy", "target_value", Some("20.0"), Some("25.0"))).unwrap();
        assert!(change.sentence().ends_with("policy own-name target value 20 % → 25 %"));
        assert_eq!(line(&row("scaling_policy", "update_status", Some("1"), Some("2"))), None);
    }

    #[test]
    fn a_fleet_in_error_is_bad_news() {
        assert_eq!(
            line(&row("fleet", "status", Some("ACTIVE"), Some("ERROR"))).unwrap().severity,
            Severity::Bad
        );
        let stopped = row("fleet", "stopped_actions", Some("[]"), Some(r#"["AUTO_SCALING"]"#));
        assert_eq!(line(&stopped).unwrap().severity, Severity::Warning);
    }

    #[test]
    fn a_burst_of_interruptions_is_one_line_with_their_number() {
        let event = |id: i64, at_s: i64| FleetEventRow {
            event: FleetEvent {
                event_id: id.to_string(),
                fleet_id: "fleet-1".into(),
                event_code: "INSTANCE_INTERRUPTED".into(),
                message: Some("m".into()),
                event_time: Timestamp::from_ms(at_s * 1_000),
                count: 1,
                has_log: false,
            },
            region: "eu-west-1".into(),
            fleet_name: "spot".into(),
        };
        let lines = from_events(&[event(4, 4_000), event(3, 200), event(2, 100), event(1, 50)]);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].words.text, "1 instance interrupted by EC2 Spot");
        assert_eq!(lines[1].words.text, "3 instances interrupted by EC2 Spot");
    }
}
