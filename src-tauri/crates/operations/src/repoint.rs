//! Repointing an alias: the comparison before it, and the watch after it.
//!
//! Owns the reads behind both. The repoint itself is a change like any other. What is compared is in `comparison`,
//! what is watched in `watch`.

mod comparison;
mod watch;

use std::cmp::Reverse;
use std::pin::Pin;

use liftdeck_gateway::{Reader, Reading};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::fleet::{ComputeKind, Fleet};
use liftdeck_model::{AliasId, FleetId, Location};
use liftdeck_store::reader::fleet::Content;
use liftdeck_store::reader::queue::LeadTarget;
use serde::Serialize;
use specta::Type;

use self::comparison::Side;
use crate::connection::Connection;
use crate::error::OperationError;
use crate::fact::Warning;
use crate::words::WarningFact;

pub use self::comparison::{CompareLine, CompareSeverity};
pub(crate) use self::watch::watch;
pub use self::watch::{RepointWatch, WatchPoint};

/// The fleet an alias points to, beside the fleet it would point to.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RepointComparison {
    /// Alias.
    pub alias_id: AliasId,
    /// Where it points now; `None` if it is terminal.
    pub from_fleet_id: Option<FleetId>,
    /// Where it would point.
    pub to_fleet_id: FleetId,
    /// The lines of the comparison, in the order people read them.
    pub lines: Vec<CompareLine>,
    /// What to know before repointing, worst first.
    pub warnings: Vec<Warning>,
    /// Queues that place through this alias.
    pub queues: Vec<String>,
}

/// Compares the fleet an alias points to with another one, from fresh reads.
///
/// # Errors
/// `Unknown` if no Region of the connection has the alias or the fleet, `Gateway` if AWS cannot be asked.
pub(crate) async fn compare(
    connection: &Connection,
    alias_id: &AliasId,
    to: &FleetId,
) -> Result<RepointComparison, OperationError> {
    let (wanted, id) = (alias_id.as_str(), alias_id.clone());
    let asking = |aws: Reader| -> Asking<Alias> {
        let id = id.clone();
        Box::pin(async move { aws.alias(&id).await })
    };
    let (alias, aws) = find(connection, "alias", wanted, asking).await?;
    let (wanted, id) = (to.as_str(), to.clone());
    let asking = |aws: Reader| -> Asking<Fleet> {
        let id = id.clone();
        Box::pin(async move { aws.fleet(&id).await })
    };
    let (target, target_aws) = find(connection, "fleet", wanted, asking).await?;
    let from_fleet_id = match &alias.routing {
        RoutingStrategy::Simple { fleet_id } => Some(fleet_id.clone()),
        RoutingStrategy::Terminal { .. } => None,
    };
    let mut warnings = Vec::new();
    let former = match &from_fleet_id {
        Some(id) => aws.fleet(id).await?,
        None => None,
    };
    let (new, old) = tokio::join!(side(connection, &target_aws, target), async {
        match former {
            Some(fleet) => Some(side(connection, &aws, fleet).await),
            None => None,
        }
    });
    let (new, unread) = new;
    warnings.extend(unread);
    let old = old.map(|(old, unread)| {
        warnings.extend(unread);
        old
    });
    let lines = comparison::compare(&alias.region, old.as_ref(), &new);
    for line in &lines {
        let note = || WarningFact::Compared {
            label: line.label.clone(),
            note: line.note.clone().unwrap_or_default(),
        };
        match line.severity {
            CompareSeverity::Bad => warnings.push(Warning::bad(note())),
            CompareSeverity::Warning => warnings.push(Warning::caution(note())),
            CompareSeverity::Same | CompareSeverity::Info => {}
        }
    }
    if from_fleet_id.as_ref() == Some(to) {
        warnings.push(Warning::info(WarningFact::AliasLeadsToFleet));
    }
    let leading = connection.store.queues_leading_to(&LeadTarget::Alias(alias_id.clone())).await?;
    let queues: Vec<String> = leading.into_iter().map(|leading| leading.queue.name.into_string()).collect();
    if !queues.is_empty() {
        warnings.push(Warning::info(WarningFact::QueuesFollowAlias { queues: queues.clone() }));
    }
    warnings.sort_by_key(|warning| Reverse(warning.severity));
    Ok(RepointComparison {
        alias_id: alias_id.clone(),
        from_fleet_id,
        to_fleet_id: to.clone(),
        lines,
        warnings,
        queues,
    })
}

/// A request to one Region. Boxed and without borrows, because commands on other threads hold the futures that await
/// it.
type Asking<T> = Pin<Box<dyn Future<Output = Result<Option<T>, liftdeck_gateway::GatewayError>> + Send>>;

/// Looks for a resource in each Region of the connection, because its id does not name one.
async fn find<T>(
    connection: &Connection,
    what: &'static str,
    id: &str,
    ask: impl Fn(Reader) -> Asking<T>,
) -> Result<(T, Reader), OperationError> {
    let mut failure = None;
    for region in &connection.gateway.spec().regions {
        let aws = connection.reader(region)?;
        match ask(aws.clone()).await {
            Ok(Some(found)) => return Ok((found, aws)),
            Ok(None) => {}
            // A Region that cannot be asked matters only if no other has it.
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    Err(failure.map_or_else(|| OperationError::Unknown { what, id: id.to_owned() }, OperationError::from))
}

/// Reads a fleet as far as it can be read. Every part that could not be read becomes a warning.
async fn side(connection: &Connection, aws: &Reader, fleet: Fleet) -> (Side, Vec<Warning>) {
    let mut unread = Vec::new();
    let id = fleet.fleet_id.clone();
    let name = fleet.display_name().to_owned();
    let mut note = |what: &'static str, error: liftdeck_gateway::GatewayError| {
        unread.push(Warning::caution(WarningFact::NotCompared {
            what,
            fleet: name.clone(),
            error: error.to_string(),
        }));
    };
    let locations = kept(aws.fleet_locations(&id).await, |error| note("locations", error));
    let home = vec![Location::new(fleet.region.as_str())];
    let places: Vec<Location> =
        locations.as_ref().map_or(home, |all| all.iter().map(|place| place.location.clone()).collect());
    let managed = fleet.kind.has_utilization();
    let mut capacity = fleet.kind.has_capacity().then(Vec::new);
    let mut utilization = managed.then(Vec::new);
    for place in &places {
        if let Some(all) = &mut capacity {
            match aws.fleet_location_capacity(&id, place).await {
                Ok(found) => all.push(found),
                Err(error) => {
                    note("capacity", error);
                    capacity = None;
                }
            }
        }
        if let Some(all) = &mut utilization {
            match aws.fleet_location_utilization(&id, place).await {
                Ok(found) => all.push(found),
                Err(error) => {
                    note("load", error);
                    utilization = None;
                }
            }
        }
    }
    let (mut runtime, mut ports) = (None, fleet.container.as_ref().map(|it| it.inbound_permissions.clone()));
    if managed {
        runtime = told(aws.runtime_configuration(&id).await, |error| note("runtime configuration", error));
        ports = told(aws.port_settings(&id, None).await, |error| note("ports", error));
    }
    let (content, sdk) = content(connection, &fleet).await;
    (Side { fleet, content, sdk, locations, capacity, utilization, runtime, ports }, unread)
}

fn kept<T>(reading: Reading<T>, note: impl FnOnce(liftdeck_gateway::GatewayError)) -> Option<Vec<T>> {
    match reading.failure {
        None => Some(reading.items),
        Some(error) => {
            note(error);
            None
        }
    }
}

fn told<T>(
    answer: Result<T, liftdeck_gateway::GatewayError>,
    note: impl FnOnce(liftdeck_gateway::GatewayError),
) -> Option<T> {
    answer.map_err(note).ok()
}

/// What a fleet runs, and its server SDK. Read from the store: a build does not change, and GameLift does not name it
/// here.
async fn content(connection: &Connection, fleet: &Fleet) -> (Option<String>, Option<String>) {
    let named = |name: Option<&String>, version: Option<&String>, id: &str| {
        let name = name.map_or(id, String::as_str);
        Some(version.map_or_else(|| name.to_owned(), |version| format!("{name} {version}")))
    };
    if fleet.kind == ComputeKind::Container {
        let definition = fleet.container.as_ref().and_then(|it| it.game_server_definition_name.clone());
        return (definition, None);
    }
    let detail = connection.store.fleet_detail(&fleet.fleet_id, connection.now()).await.ok().flatten();
    match detail.and_then(|detail| detail.summary.content) {
        Some(Content::Build(build)) => {
            let text = named(build.name.as_ref(), build.version.as_ref(), build.build_id.as_str());
            (text, build.server_sdk_version)
        }
        Some(Content::Script(script)) => {
            (named(script.name.as_ref(), script.version.as_ref(), script.script_id.as_str()), None)
        }
        None => {
            let build = fleet.build_id.as_ref().map(|id| id.as_str().to_owned());
            (build.or_else(|| fleet.script_id.as_ref().map(|id| id.as_str().to_owned())), None)
        }
    }
}
