//! Changes under fault, made through the guard. The record ends as done, failed or unknown, and agrees with the
//! world.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use liftdeck_gateway::{Gateway, Patience};
use liftdeck_model::Environment;
use liftdeck_model::action::{Action, Request};
use liftdeck_model::activity::{Activity, ActivityOutcome, ActivitySource};
use liftdeck_operations::{Guard, GuardOptions, Intent};
use liftdeck_store::Store;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::cell::{Cell, Note, Pace, patience};
use crate::world::World;

mod verdict;
mod wishes;

use verdict::{Ended, judge, settle};
use wishes::{LAST_TICKET, TICKETS, TICKETS_TOLD, Wish, prepare};

/// A world in which guards make changes.
pub(crate) struct Bench {
    pub(crate) world: World,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) healthy: Gateway,
}

/// Ids for this process, each used once.
static IDS: AtomicU64 = AtomicU64::new(1);

impl Bench {
    async fn begin() -> Self {
        let world = World::begin().await;
        let generous = Duration::from_secs(120);
        let patience =
            Patience { read: generous, attempt: generous, call: 2 * generous, ..Patience::default() };
        let healthy = world.gateway(patience).await;
        Self { world, folder: tempfile::tempdir().expect("a folder"), healthy }
    }

    /// Returns the world's own records and the known tickets. The last ticket is read after `later` has passed, when
    /// the players' answers show.
    fn look(&self, runtime: &Runtime, later: Duration) -> Value {
        let mut truth = self.world.truth();
        let told = runtime.block_on(async {
            let reader = self.healthy.reader(&self.world.region).expect("the Region is known");
            let mut told = serde_json::Map::new();
            for id in TICKETS {
                // A ticket that was not stopped is cancelled later, because its player does not answer.
                if id == LAST_TICKET {
                    self.world.simulator.advance(later).await.expect("time passes");
                }
                let found = reader.tickets(&[id.into()]).await;
                assert!(found.failure.is_none(), "{:?}", found.failure);
                told.extend(
                    found.items.first().map(|ticket| (id.to_owned(), format!("{:?}", ticket.status).into())),
                );
            }
            told
        });
        truth[TICKETS_TOLD] = told.into();
        truth
    }

    /// Opens a separate store in a folder of this name.
    async fn store(&self, name: &str) -> Store {
        let folder = self.folder.path().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        self.world.store(&folder).await
    }

    /// Opens an unlocked guard over a store.
    async fn guard(&self, gateway: &Gateway, store: &Store) -> Guard {
        let (now, begun) = (self.world.now(), Instant::now());
        let options = GuardOptions {
            connection_name: "faults".to_owned(),
            environment: Environment::Demo,
            objection: Arc::new(|| None),
            source: ActivitySource::Window,
            clock: Arc::new(move || now),
            steady: Arc::new(move || begun.elapsed()),
            ids: Arc::new(|| format!("00000000-0000-4000-8000-{:012}", IDS.fetch_add(1, Ordering::Relaxed))),
        };
        let guard = Guard::open(gateway.clone(), store.writer().expect("a writer"), store.reader(), options);
        let guard = Box::pin(guard).await.expect("a guard");
        guard.unlock(60, None).await.expect("a demo unlocks");
        guard
    }

    /// Makes a change without faults.
    pub(crate) async fn done(&self, guard: &Guard, request: Request) -> Activity {
        let activity = attempt(guard, self.intent(request)).await.expect("nothing stands against it");
        assert_eq!(activity.outcome, ActivityOutcome::Done, "{activity:?}");
        activity
    }

    fn intent(&self, request: Request) -> Intent {
        Intent::Actions(vec![Action { region: self.world.region.clone(), request }])
    }
}

/// Previews and confirms one change. Anything that blocked it before it was sent is returned as text.
async fn attempt(guard: &Guard, intent: Intent) -> Result<Activity, String> {
    let preview = Box::pin(guard.preview(intent)).await.map_err(|error| error.to_string())?;
    let receipt = Box::pin(guard.confirm(&preview.id, preview.must_type.as_deref())).await;
    let receipt = receipt.map_err(|error| error.to_string())?;
    receipt.activities.into_iter().next().ok_or_else(|| "no attempt is on record".to_owned())
}

/// By this time, a match that its players accepted has continued.
const ANSWERED: Duration = Duration::from_secs(60);

/// A wish with its own guard, whose timeouts suit the fault.
struct Wished {
    cell: Cell,
    wish: Wish,
    guard: Guard,
    store: Store,
}

/// Prepares everything before the first fault: the resources to change and the guards that change them.
async fn wished(bench: &Bench, cells: &[Cell]) -> Vec<Wished> {
    let store = bench.store("sure").await;
    let sure = bench.guard(&bench.healthy, &store).await;
    let mut wishes = prepare(bench, &sure).await;
    sure.close().await;
    store.close().await;
    let mut wished = Vec::new();
    for cell in cells {
        let Some(at) = wishes.iter().position(|wish| wish.request.operation() == cell.name()) else {
            continue;
        };
        let store = bench.store(cell.name()).await;
        let guard = bench.guard(&bench.world.gateway(patience(cell.kind)).await, &store).await;
        wished.push(Wished { cell: cell.clone(), wish: wishes.swap_remove(at), guard, store });
    }
    wished
}

/// Checks cells at the same time in one world, each for a different operation.
pub(crate) fn hold(runtime: &Runtime, cells: &[Cell], note: Note<'_>) {
    let (bench, pace) = runtime.block_on(async {
        let begun = Instant::now();
        (Bench::begin().await, Pace::of(begun.elapsed()))
    });
    let wished = runtime.block_on(wished(&bench, cells));
    for cell in cells.iter().filter(|cell| wished.iter().all(|wished| wished.cell != **cell)) {
        note(cell, Err("the product uses it, and the matrix does not wish for it".to_owned()));
    }
    let before = bench.look(runtime, Duration::ZERO);
    let counts: Vec<(u64, u64)> = wished.iter().map(|one| bench.world.counts(&one.cell.operation)).collect();
    bench.world.faults(wished.iter().map(|one| one.cell.rule(0)).collect());
    let ended = runtime.block_on(async {
        let attempt = |one: &Wished| {
            let (guard, intent) = (one.guard.clone(), bench.intent(one.wish.request.clone()));
            tokio::spawn(async move { pace.hold(Box::pin(attempt(&guard, intent))).await })
        };
        let under_way: Vec<_> = wished.iter().map(attempt).collect();
        let mut ended = Vec::new();
        for one in under_way {
            ended.push(match one.await {
                Ok(Ok((activity, took))) => Ok(Ended { activity, settled: None, took }),
                Ok(Err(late)) => Err(late),
                Err(panic) => Err(format!("it panicked: {panic}")),
            });
        }
        ended
    });
    bench.world.faults(Vec::new());
    // Before time passes, because a ticket also ends by itself.
    let settled: Vec<_> =
        wished.iter().zip(ended).map(|(one, ended)| settle(runtime, &bench.world, one, ended?)).collect();
    let after = bench.look(runtime, ANSWERED);
    for ((one, ended), (calls, faults)) in wished.iter().zip(settled).zip(counts) {
        let verdict = ended.and_then(|ended| {
            bench.world.was_struck(&one.cell, faults).map_err(|why| match &ended.activity {
                Ok(_) => why,
                Err(said) => format!("{why}: {said}"),
            })?;
            let shown = [&before, &after].map(|truth| (one.wish.shows)(truth));
            judge(&ended, &shown)?;
            let sent = bench.world.counts(&one.cell.operation).0;
            if sent <= calls { Err("it was never sent".to_owned()) } else { Ok(ended.took) }
        });
        note(&one.cell, verdict);
    }
    runtime.block_on(async {
        for one in wished {
            one.guard.close().await;
            one.store.close().await;
        }
    });
}
