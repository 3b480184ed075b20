//! `liftdeck collect`: collection without a window.

mod plan;
mod report;

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use clap::Args;
use liftdeck_collector::adoption::{self, Peek, Unseen};
use liftdeck_collector::{Caution, Collected, Collector, Health};
use liftdeck_gateway::{CallerIdentity, EventQueue, Gateway};
use liftdeck_model::Region;
use liftdeck_model::feed::{self, EventQueueError, ForeignBodies};
use liftdeck_model::time::parse_age_ms;
use liftdeck_model::watch::Down;
use liftdeck_operations::marks::Place;
use liftdeck_store::{Access, Store};
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;

use super::{Failure, Outcome, Terminal, database};
use crate::socket::Socket;
use crate::stop;
use liftdeck_alerts::{Watch, judge_now};
use liftdeck_app::clock::{self, Clock};
use liftdeck_app::home::Home;
use liftdeck_app::marks::Marks;
use liftdeck_app::settings::collector_options;
use liftdeck_app::shared::SharedConnection;
use liftdeck_delivery::{Delivery, Sender};
use plan::Plan;

/// How often a pass reports its progress.
const TELLS_EVERY: Duration = Duration::from_secs(10);

const MANUAL: &str = "\
Without --once or --for it collects until it is told to stop with SIGINT or SIGTERM; either ends it cleanly.

An event queue is an SQS queue of your own that receives the placement and FlexMatch events of a Region. Only a queue \
that was adopted into the database is received from, and its messages are deleted once they are recorded; any other is left \
alone. `liftdeck feed adopt` looks at a queue and adopts it; --adopt does both here, and refuses if anything \
is wrong with it. The Region is read from the URL; write REGION=URL if the URL does not name it.

Credentials come from the profile alone or, without one, from the usual AWS chain; they must belong to the \
database's account; a new database takes theirs. With an endpoint on this computer, no profile and none of AWS_PROFILE, \
AWS_ACCESS_KEY_ID and AWS_WEB_IDENTITY_TOKEN_FILE set, invented keys are used: `liftdeck simulate` verifies \
none.

Examples:
  liftdeck collect --connection Live --once
  liftdeck collect --db prod.sqlite --region eu-west-1 us-east-1 --profile prod --once";

/// What to collect, from where, into which file.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Arguments {
    /// A saved connection, by name, with its Regions, credentials and event queues
    #[arg(long, value_name = "NAME", conflicts_with_all = ["db", "regions", "profile", "endpoint_url", "event_queues"], add = super::complete::connections())]
    connection: Option<String>,
    /// The database, instead of a saved connection; created if there is none
    #[arg(long, value_name = "FILE", required_unless_present = "connection")]
    db: Option<PathBuf>,
    /// Home Regions to read
    #[arg(long = "region", required_unless_present = "connection", num_args = 1.., value_name = "REGION", value_parser = region)]
    regions: Vec<String>,
    /// Profile of the shared AWS configuration
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// An endpoint other than AWS's own
    #[arg(long, value_name = "URL", value_parser = web_address)]
    endpoint_url: Option<String>,
    /// Event queues of your own, as URL or REGION=URL
    #[arg(long = "event-queue", num_args = 1.., value_name = "URL")]
    event_queues: Vec<String>,
    /// Look at these queues first and adopt them; refused when they hold anything but this account's events
    #[arg(long)]
    adopt: bool,
    /// One complete pass over everything, then exit
    #[arg(long, conflicts_with = "duration_ms")]
    once: bool,
    /// Collect for a time such as 90s, 10m or 2h, then exit
    #[arg(long = "for", value_name = "TIME", value_parser = length)]
    duration_ms: Option<i64>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(terminal: &Terminal, arguments: Arguments) -> Result<Outcome, Failure> {
    let stop = stop::token()?;
    let home = Home::find()?;
    let mut plan = Plan::of(&arguments, &home)?;
    if arguments.adopt && plan.queues.is_empty() {
        return Err(Failure::usage("--adopt needs an event queue: name it with --event-queue."));
    }
    let clock = clock::wall();
    let marks = Marks::new(home, Arc::clone(&clock));
    plan.db = marks.database(&plan.db);
    // Reports an unusable file before asking AWS, and creates no file if AWS does not answer.
    let there = Store::account_at(&plan.db, Access::ReadWrite, plan.spec.account.as_ref(), clock()).await?;
    plan.spec.account = there.or(plan.spec.account);
    let reached = async {
        let gateway = Box::pin(Gateway::connect(plan.spec.clone())).await?;
        let identity = Box::pin(gateway.prove()).await?;
        Ok::<_, Failure>((gateway, identity))
    };
    let Some(reached) = stop.run_until_cancelled(reached).await else {
        terminal.say("Stopped before anything was read.");
        return Ok(if arguments.once { Outcome::Partly } else { Outcome::Done });
    };
    let (gateway, identity) = reached?;
    let account = identity.account.clone();
    plan.spec.account = Some(account.clone());
    let store = Box::pin(database::open(terminal, &plan.db, &account, &clock, &stop)).await?;
    if arguments.adopt {
        let adopted = Box::pin(adopt(terminal, &plan.queues, &gateway, &store, &identity, &clock)).await;
        if let Err(refused) = adopted {
            store.close().await;
            return Err(refused);
        }
    }
    let writer = store.writer()?;
    let (named, profile) = (plan.named.as_deref(), plan.spec.profile.as_deref());
    let place = Place { database: &plan.db, account: &account, named, profile };
    let mark = marks.of(&place, &store.reader()).await?;
    mark.keep(&writer).await?;
    let shared = SharedConnection {
        database: plan.db.clone(),
        account,
        mark,
        objection: marks.objection(),
        gateway: gateway.clone(),
        writer,
        reader: store.reader(),
        clock: Arc::clone(&clock),
        guard: OnceCell::new(),
        is_guard_shared: false,
    };
    let shared = Arc::new(shared);
    let socket = Socket::open_or_not(Arc::clone(&shared), Weak::new());
    if socket.is_some()
        && !arguments.once
        && let Err(error) = shared.take_up().await
    {
        tracing::warn!(%error, "Changes without an outcome cannot be looked into.");
    }
    drop(shared);
    let collecting = collect(terminal, &arguments, plan, gateway, &store, &clock, &stop, socket.as_ref());
    let collected = Box::pin(collecting).await;
    if let Some(socket) = socket {
        if collected.is_ok() {
            // When a collection ends by itself, the commands it accepted are completed first. Whoever does not want
            // to wait can stop it.
            stop.run_until_cancelled(socket.finish()).await;
        }
        socket.close().await;
    }
    store.close().await;
    collected
}

#[expect(clippy::too_many_arguments, reason = "it is the second half of `run`, and takes what that one has")]
async fn collect(
    terminal: &Terminal,
    arguments: &Arguments,
    plan: Plan,
    gateway: Gateway,
    store: &Store,
    clock: &Clock,
    stop: &CancellationToken,
    socket: Option<&Socket>,
) -> Result<Outcome, Failure> {
    let options = collector_options(plan.spec.regions, plan.queues, &plan.settings);
    let (writer, reader) = (store.writer()?, store.reader());
    let delivery = Delivery {
        reader: reader.clone(),
        writer: writer.clone(),
        gateway: gateway.clone(),
        account: plan.spec.account.as_ref().map(ToString::to_string).unwrap_or_default(),
        connection: plan.spec.name.clone(),
        clock: Arc::clone(clock),
    };
    let begun = Instant::now();
    if arguments.once {
        let parts = (writer.clone(), reader.clone());
        let pass = Collector::once(options, &gateway, parts.0, parts.1, Arc::clone(clock), stop.clone());
        let summary = tokio::select! {
            summary = Box::pin(pass) => summary?,
            never = tell_progress(terminal, &gateway) => match never {},
        };
        judge_now(&reader, &writer, clock()).await?;
        for trouble in Box::pin(delivery.deliver_once()).await? {
            terminal.say(&trouble);
        }
        let was_stopped = stop.is_cancelled();
        for caution in Caution::of_clock(clock(), gateway.aws_date()).unwrap_or_default() {
            terminal.say(&caution.to_string());
        }
        if was_stopped {
            terminal.say("Stopped before the pass was complete. What was read by then is recorded.");
        }
        let outcome = report::of_pass(terminal, &summary, arguments.json)?;
        return Ok(if was_stopped { Outcome::Partly } else { outcome });
    }
    let sender = Sender::start(delivery, store.notices());
    let watch = Watch::start(reader.clone(), writer.clone(), store.notices(), Arc::clone(clock), None);
    let collector = Collector::start(options, &gateway, writer, reader, Arc::clone(clock));
    let collector = match Box::pin(collector).await {
        Ok(collector) => collector,
        Err(error) => {
            sender.stop().await;
            watch.stop().await;
            return Err(error.into());
        }
    };
    let duration = async {
        match arguments.duration_ms.and_then(|ms| u64::try_from(ms).ok()) {
            Some(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
            None => std::future::pending().await,
        }
    };
    let mut health = collector.health();
    let down = |health: &Health| -> Vec<Down> {
        let others = socket.map(Socket::down).unwrap_or_default().into_iter().chain(watch.down());
        let others = others.chain(sender.down());
        health.down.iter().cloned().chain(others).collect()
    };
    let told = tell_down(terminal, &mut health, &down);
    stop.run_until_cancelled(async {
        tokio::select! {
            () = duration => {}
            () = told => {}
        }
    })
    .await;
    // What was published last may be a second old, and a trouble may have ended since.
    let mut health = collector.health_now().await;
    health.down = down(&health);
    health.cautions.extend(sender.troubles());
    sender.stop().await;
    watch.stop().await;
    collector.stop().await;
    let ran = Collected::of(&health, &gateway.usage(), begun.elapsed());
    report::of_run(terminal, &health, &ran, arguments.json)
}

/// Reports the progress of a pass for as long as this is awaited: within the request budget, a pass may take minutes.
async fn tell_progress(terminal: &Terminal, gateway: &Gateway) -> Infallible {
    let begun = Instant::now();
    loop {
        tokio::time::sleep(TELLS_EVERY).await;
        let calls = gateway.usage().operations.iter().map(|operation| operation.calls).sum();
        let passed_ms = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        terminal.say(&report::progress(calls, passed_ms));
    }
}

/// Reports each task that ends early, for as long as this is awaited.
async fn tell_down(
    terminal: &Terminal,
    health: &mut watch::Receiver<Health>,
    down: &impl Fn(&Health) -> Vec<Down>,
) {
    let mut known = Vec::new();
    loop {
        let now = down(&health.borrow_and_update());
        for one in now.iter().filter(|one| !known.iter().any(|known: &Down| known.next_try == one.next_try)) {
            terminal.say(&one.to_string());
        }
        known = now;
        if health.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Looks at the queues and adopts those that are not adopted yet. Each may hold nothing but this account's events.
async fn adopt(
    terminal: &Terminal,
    queues: &[EventQueue],
    gateway: &Gateway,
    store: &Store,
    identity: &CallerIdentity,
    clock: &Clock,
) -> Result<(), Failure> {
    for queue in queues {
        let adopted = store.reader().adoptions().await?;
        let looking = adoption::look(gateway, queue, &identity.account, &adopted, Peek::Unharmful, clock());
        let look = Box::pin(looking).await?;
        if look.waiting == Err(Unseen::Adopted) {
            continue;
        }
        let by = Some(identity.arn.clone());
        let adoption = look.adopt(ForeignBodies::Leave, None, by, clock()).map_err(|refusal| {
            Failure::refused(format!(
                "{refusal} Nothing was collected. Look at it with `liftdeck feed adopt {}`.",
                queue.url
            ))
        })?;
        store.writer()?.adopt_queue(adoption).await?;
        terminal.say(&format!("Adopted the event queue {}.", queue.url));
    }
    Ok(())
}

pub(super) fn region(text: &str) -> Result<String, String> {
    if Region::is_well_formed(text) {
        Ok(text.to_owned())
    } else {
        Err("an AWS Region looks like eu-west-1".to_owned())
    }
}

pub(super) fn web_address(text: &str) -> Result<String, String> {
    if text.starts_with("http://") || text.starts_with("https://") {
        Ok(text.to_owned())
    } else {
        Err("an endpoint begins with http:// or https://".to_owned())
    }
}

fn length(text: &str) -> Result<i64, String> {
    parse_age_ms(text).filter(|ms| *ms > 0).ok_or_else(|| "a time looks like 90s, 10m or 2h".to_owned())
}

/// Reads a queue and its Region.
pub(super) fn event_queue(text: &str, regions: &[String]) -> Result<EventQueue, Failure> {
    let (region, url) = feed::event_queue(text, regions).map_err(|error| match &error {
        EventQueueError::OtherRegion { region, .. } => {
            Failure::usage(format!("{error} Add --region {region}."))
        }
        EventQueueError::NotUrl(_) | EventQueueError::NoRegion(_) => Failure::usage(error.to_string()),
    })?;
    Ok(EventQueue { region, url })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_is_positive() {
        assert_eq!(length("10m"), Ok(600_000));
        assert!(length("0s").is_err());
        assert!(length("soon").is_err());
    }
}
