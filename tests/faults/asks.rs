//! Requests that are made on demand. Under fault each returns the right answer, or a failure that names the
//! operation.

use std::fmt::Debug;
use std::time::Duration;

use liftdeck_collector::Collector;
use liftdeck_gateway::{Gateway, GatewayError, Publication, Reader, Reading};
use liftdeck_model::action::GameSessionTarget;
use liftdeck_model::search::GameSessionSearch;
use liftdeck_model::time::TimeRange;

use crate::cell::{Cell, patience};
use crate::passes::Known;

/// A request made on demand.
#[derive(Clone, Copy)]
pub(crate) enum Ask {
    Alias,
    CallerIdentity,
    ContainerFleet,
    GameSession,
    LogUrl,
    Locations,
    Placement,
    Publication,
    RuleSets,
    Script,
    Search,
    Tickets,
    Trail,
}

/// Returns the request that leads to an operation no collection pass uses.
pub(crate) fn of(action: &str) -> Option<Ask> {
    Some(match action {
        "gamelift:DescribeAlias" => Ask::Alias,
        "sts:GetCallerIdentity" => Ask::CallerIdentity,
        "gamelift:DescribeContainerFleet" => Ask::ContainerFleet,
        "gamelift:DescribeGameSessionDetails" => Ask::GameSession,
        "gamelift:GetGameSessionLogUrl" => Ask::LogUrl,
        "gamelift:ListLocations" => Ask::Locations,
        "gamelift:DescribeGameSessionPlacement" => Ask::Placement,
        "gamelift:DescribeMatchmakingRuleSets" => Ask::RuleSets,
        "gamelift:DescribeScript" => Ask::Script,
        "gamelift:SearchGameSessions" => Ask::Search,
        "gamelift:DescribeMatchmaking" => Ask::Tickets,
        "cloudtrail:LookupEvents" => Ask::Trail,
        "sns:Publish" => Ask::Publication,
        _ => return None,
    })
}

/// The answer: everything, or the part read before it failed.
#[derive(Debug, PartialEq)]
struct Answer {
    items: Vec<String>,
    failure: Option<String>,
}

fn answered<T: Debug>(answer: Result<T, GatewayError>) -> Answer {
    match answer {
        Ok(item) => Answer { items: vec![format!("{item:?}")], failure: None },
        Err(error) => Answer { items: Vec::new(), failure: Some(error.to_string()) },
    }
}

fn listed<T: Debug>(reading: Reading<T>) -> Answer {
    let failure = match (reading.failure, reading.complete) {
        (Some(error), _) => Some(error.to_string()),
        (None, false) => Some("not complete, without a word".to_owned()),
        (None, true) => None,
    };
    Answer { items: reading.items.iter().map(|item| format!("{item:?}")).collect(), failure }
}

async fn ask(known: &Known, gateway: &Gateway, what: Ask) -> Answer {
    let reader = gateway.reader(&known.world.region).expect("the Region is known");
    // The arguments are looked up without faults.
    let sure = known.healthy.reader(&known.world.region).expect("the Region is known");
    match what {
        Ask::Alias => answered(reader.alias(&sure.aliases().await.items.remove(0).alias_id).await),
        Ask::CallerIdentity => answered(gateway.prove().await),
        Ask::ContainerFleet => {
            let fleets = sure.fleets().await.items;
            let container =
                fleets.iter().find(|fleet| fleet.fleet_id.as_str().starts_with("containerfleet-"));
            answered(reader.fleet(&container.expect("a container fleet").fleet_id).await)
        }
        Ask::GameSession => answered(reader.game_session(&session(known).await).await),
        Ask::LogUrl => logs(known, &reader, &sure).await,
        Ask::Locations => listed(reader.locations().await),
        Ask::Placement => answered(reader.placement(&"faults".into()).await),
        Ask::Publication => answered(gateway.publish(&topic(&sure).await, &publication()).await),
        Ask::RuleSets => listed(reader.rule_sets().await),
        Ask::Script => answered(reader.script(&sure.scripts().await.items.remove(0).script_id).await),
        Ask::Search => search(known, gateway).await,
        Ask::Tickets => listed(reader.tickets(&["faults".into()]).await),
        Ask::Trail => {
            // Many calls of the game's own backend, told long ago: some pages of them.
            let now = known.world.now();
            let range = TimeRange::new(now.plus_ms(-21 * 3_600_000), now.plus_ms(-20 * 3_600_000));
            listed(reader.trail("StartGameSessionPlacement", range).await)
        }
    }
}

/// A topic that exists: one that a queue tells its events to.
async fn topic(sure: &Reader) -> String {
    let queues = sure.queues().await.items;
    queues.into_iter().find_map(|queue| queue.notification_target).expect("a topic")
}

fn publication() -> Publication {
    Publication {
        subject: "Faults".to_owned(),
        message: r#"{"default":"a message"}"#.to_owned(),
        id: "faults".to_owned(),
        telling: "test".to_owned(),
        severity: "info".to_owned(),
        group: None,
    }
}

async fn session(known: &Known) -> liftdeck_model::GameSessionId {
    crate::world::live(&known.store, &known.world.region).await.remove(0)
}

/// Looks up the log of an ended game session. The address contains a time, so only its presence is compared.
async fn logs(known: &Known, reader: &Reader, sure: &Reader) -> Answer {
    let fleets = sure.fleets().await.items;
    for fleet in fleets.iter().filter(|fleet| fleet.build_id.is_some()) {
        let filter = liftdeck_gateway::GameSessionFilter {
            location: None,
            status: Some(liftdeck_model::game_session::GameSessionStatus::Terminated),
        };
        if let Some(ended) = sure.game_sessions(&fleet.fleet_id, &filter).await.items.first() {
            let url = reader.game_session_log_url(&ended.game_session_id).await;
            return answered(url.map(|url| url.is_some()));
        }
    }
    unreachable!("no game session of {} has ended", known.world.region)
}

/// Runs GameLift's own search, as the collector does beside its polls.
async fn search(known: &Known, gateway: &Gateway) -> Answer {
    let folder = tempfile::tempdir().expect("a folder");
    let store = known.world.store(folder.path()).await;
    let now = known.world.now();
    let collector = Collector::start(
        known.world.options(false),
        gateway,
        store.writer().expect("a writer"),
        store.reader(),
        std::sync::Arc::new(move || now),
    );
    let collector = Box::pin(collector).await.expect("the Region is known");
    let fleet = session(known).await.fleet_id().expect("a fleet");
    let search = GameSessionSearch {
        target: GameSessionTarget::Fleet(fleet),
        location: None,
        filter: None,
        sort: None,
    };
    let answer = match collector.searcher().search(&known.world.region, &search).await {
        Ok(found) => Answer {
            items: found.sessions.iter().map(|id| format!("{id:?}")).collect(),
            failure: found.failure.map(|error| error.to_string()),
        },
        Err(error) => Answer { items: Vec::new(), failure: Some(error.to_string()) },
    };
    collector.stop().await;
    store.close().await;
    answer
}

/// Checks a cell.
pub(crate) async fn hold(known: &Known, cell: &Cell, what: Ask) -> Result<Duration, String> {
    let right = ask(known, &known.healthy, what).await;
    if let Some(failure) = &right.failure {
        return Err(format!("it fails without any fault: {failure}"));
    }
    let gateway = known.world.gateway(patience(cell.kind)).await;
    known.world.faults(vec![cell.rule(0)]);
    let ended = known.pace.hold(ask(known, &gateway, what)).await;
    known.world.faults(Vec::new());
    let (told, took) = ended?;
    match &told.failure {
        None if told == right => Ok(took),
        None => Err(format!("{:?} is taken for {:?}", told.items, right.items)),
        Some(failure) if !failure.contains(cell.name()) => Err(format!("what failed is not said: {failure}")),
        Some(_) if told.items.iter().all(|item| right.items.contains(item)) => Ok(took),
        Some(_) => Err(format!("{:?} was never in {:?}", told.items, right.items)),
    }
}
