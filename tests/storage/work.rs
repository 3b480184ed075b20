//! The work done over a failing disk, in its own process. It uses the store's public interface and retries each piece
//! until it is accepted, as the collector and the guard do.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::action::{Action, Request, UpdateFleetCapacity};
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome};
use liftdeck_model::fleet::FleetCapacity;
use liftdeck_model::observation::{Batch, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_store::{Access, ActivityEnd, RetentionPolicy, Store, StoreError, StoreOptions, Writer};

use crate::made;

/// Environment variables that name the database and the work for the process that does it.
pub(crate) const DATABASE: &str = "LIFTDECK_TEST_STORAGE";
pub(crate) const WORK: &str = "LIFTDECK_TEST_WORK";
/// Pieces in one work.
pub(crate) const PIECES: u64 = 60;
/// The current time of the work, in milliseconds since the epoch: one day after the middle of an old database's
/// events.
pub(crate) const NOW: Timestamp =
    Timestamp::from_ms(1_700_000_000_000 + (made::EVENTS as i64 / 2) * 1_000 + 86_400_000);
/// After this many refusals of one piece, the disk is not the reason.
const TRIES: u32 = 2_000;

/// The kinds of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Polls of capacity, each with a new value.
    Polls,
    /// Placement events, as received from a queue.
    Events,
    /// Attempts that are recorded before they are sent, and their outcomes.
    Changes,
    /// The migration of an old database.
    Migration,
    /// The deletion of expired rows.
    Retention,
    /// A new database that is created, opened and closed again and again.
    Opening,
}

impl Work {
    pub(crate) const ALL: [Self; 6] =
        [Self::Polls, Self::Events, Self::Changes, Self::Migration, Self::Retention, Self::Opening];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Polls => "polls",
            Self::Events => "events",
            Self::Changes => "changes",
            Self::Migration => "a migration",
            Self::Retention => "retention",
            Self::Opening => "opening",
        }
    }
}

/// Does the work and prints what was acknowledged and what was refused, if this process was started for that.
pub(crate) fn doing() -> Option<ExitCode> {
    let path = PathBuf::from(std::env::var_os(DATABASE)?);
    let name = std::env::var(WORK).expect("a work");
    let work = Work::ALL.into_iter().find(|work| work.name() == name).expect("a work that is known");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a thread");
    runtime.block_on(run(work, &path));
    println!("done");
    Some(ExitCode::SUCCESS)
}

async fn run(work: Work, path: &Path) {
    if work == Work::Opening {
        for piece in 0..PIECES / 10 {
            let store = open(path).await;
            events(&store.writer().expect("it may write"), piece).await;
            store.close().await;
        }
        return;
    }
    let store = open(path).await;
    let writer = store.writer().expect("it may write");
    match work {
        Work::Migration | Work::Opening => {}
        Work::Retention => {
            writer.listen_to(Arc::new(|| Some(NOW)));
            let policy = RetentionPolicy { event_days: 1, ..RetentionPolicy::default() };
            until_taken("retention", async || writer.retain(NOW, policy).await.map(|_| ())).await;
        }
        Work::Polls => {
            for piece in 0..PIECES {
                let seen = vec![Observation::FleetCapacity(capacity(piece))];
                let batch = batch(NOW.plus_ms(i64::try_from(piece).unwrap_or(0) * 60_000), seen);
                until_taken(&format!("{piece}"), async || writer.apply(batch.clone()).await.map(|_| ()))
                    .await;
            }
        }
        Work::Events => {
            for piece in 0..PIECES {
                events(&writer, piece).await;
            }
        }
        Work::Changes => {
            for piece in 0..PIECES {
                change(&writer, piece).await;
            }
        }
    }
    store.close().await;
}

async fn open(path: &Path) -> Store {
    for _ in 0..TRIES {
        let options =
            StoreOptions { path: path.to_owned(), access: Access::ReadWrite, account: None, now: NOW };
        match Store::open(options).await {
            Ok(store) => {
                if let Some(recovered) = store.recovered() {
                    println!("recovered {recovered}");
                }
                return store;
            }
            Err(error) => refused("open", &error).await,
        }
    }
    panic!("the database never opens");
}

async fn until_taken(piece: &str, take: impl AsyncFn() -> Result<(), StoreError>) {
    for _ in 0..TRIES {
        match take().await {
            Ok(()) => {
                println!("ack {piece}");
                return;
            }
            Err(error) => refused(piece, &error).await,
        }
    }
    panic!("{piece} is never taken");
}

async fn refused(piece: &str, error: &StoreError) {
    println!("refused {piece}: {error}");
    tokio::time::sleep(Duration::from_millis(1)).await;
}

async fn events(writer: &Writer, piece: u64) {
    let events = (0..3).map(|number| placement(&format!("cell-{piece}-{number}"))).collect();
    let batch = batch(NOW, vec![Observation::PlacementEvents(events)]);
    until_taken(&format!("{piece}"), async || writer.apply(batch.clone()).await.map(|_| ())).await;
}

async fn change(writer: &Writer, piece: u64) {
    let attempt = attempt(piece);
    let ended = ActivityEnd::new(ActivityOutcome::Done, NOW);
    until_taken(&format!("begun {piece}"), async || match writer.begin_activity(attempt.clone()).await {
        // An earlier try may have been stored although it returned an error, but never the other way round.
        Err(StoreError::Recorded { .. }) => Ok(()),
        other => other,
    })
    .await;
    until_taken(&format!("{piece}"), async || writer.end_activity(&attempt.id, ended.clone()).await).await;
}

fn batch(at: Timestamp, observations: Vec<Observation>) -> Batch {
    Batch { region: Region::from("eu-west-1"), observed_at: at, observations }
}

/// Returns a different count each time, so that each poll is a change and a sample.
fn capacity(piece: u64) -> FleetCapacity {
    FleetCapacity {
        fleet_id: FleetId::from("fleet-1"),
        location: "eu-west-1".into(),
        desired: i32::try_from(piece).unwrap_or(0) + 1,
        minimum: 0,
        maximum: 100,
        pending: 0,
        active: 0,
        idle: 0,
        terminating: 0,
        zero_capacity_strategy: None,
        container_groups: None,
    }
}

fn attempt(piece: u64) -> Activity {
    let request = Request::UpdateFleetCapacity(UpdateFleetCapacity {
        fleet_id: "fleet-1".into(),
        location: Some("eu-west-1".into()),
        desired_instances: Some(1),
        min_size: None,
        max_size: None,
    });
    Activity::sending(
        ActivityId::new(format!("cell-{piece}")),
        NOW,
        Action { region: Region::from("eu-west-1"), request },
    )
}

fn placement(id: &str) -> PlacementEvent {
    PlacementEvent {
        placement_id: id.into(),
        event_type: PlacementEventType::TimedOut,
        event_id: Some(id.to_owned()),
        queue: "arena".into(),
        region: Region::from("eu-west-1"),
        event_time: NOW,
        start_time: Some(NOW.plus_ms(-30_000)),
        end_time: Some(NOW),
        game_session_id: None,
        game_session_region: None,
        game_session_location: None,
        ip_address: None,
        dns_name: None,
        port: None,
        compute_name: None,
        custom_event_data: None,
        placed_player_sessions: Vec::new(),
    }
}
