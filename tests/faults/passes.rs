//! Reads under fault: a pass over a frozen world, once with a store that already has everything and once with an
//! empty one.
//!
//! Owns what the collector reads by itself. On-demand requests are in `asks`, event queues in `feed`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use liftdeck_collector::Summary;
use liftdeck_gateway::{Gateway, Patience};
use liftdeck_model::GameSessionId;
use liftdeck_simulator::FaultKind;
use liftdeck_store::Store;
use liftdeck_tests::trial::Trial;
use tokio::runtime::Runtime;

use crate::cell::{Cell, Note, Pace, patience};
use crate::world::{World, live, true_live};
use crate::{asks, feed};

/// The rows of a pass that are samples at a moment.
const SAMPLES: &str = "metric_samples";

/// A world that the store already knows completely, so a pass must neither add nor remove anything.
pub(crate) struct Known {
    pub(crate) world: World,
    pub(crate) store: Store,
    folder: tempfile::TempDir,
    pub(crate) healthy: Gateway,
    truth: Vec<GameSessionId>,
    pub(crate) pace: Pace,
    /// The IAM actions that a pass calls.
    asked: BTreeSet<String>,
}

impl Known {
    fn begin(runtime: &Runtime) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (world, store, healthy, pace, asked) = runtime.block_on(async {
            let world = World::begin().await;
            let store = world.store(folder.path()).await;
            let generous = Duration::from_secs(120);
            let patience =
                Patience { read: generous, attempt: generous, call: 2 * generous, ..Patience::default() };
            let healthy = world.gateway(patience).await;
            let begun = Instant::now();
            fill(&world, &healthy, &store, true).await;
            let counts = world.simulator.calls();
            let asked = counts[world.region.as_str()].keys().cloned().collect();
            (world, store, healthy, Pace::of(begun.elapsed()), asked)
        });
        let truth = true_live(&world.truth());
        assert!(!truth.is_empty(), "a world without game sessions shows nothing");
        Self { world, store, folder, healthy, truth, pace, asked }
    }

    /// Runs a pass under the fault of a cell.
    async fn struck(&self, cell: &Cell, store: &Store, skip: u64) -> Result<(Summary, Duration), String> {
        let gateway = self.world.gateway(patience(cell.kind)).await;
        let options = self.world.options(cell.is_of_cloudwatch());
        self.world.faults(vec![cell.rule(skip)]);
        let ended = self.pace.hold(self.world.pass(&gateway, store, options)).await;
        self.world.faults(Vec::new());
        ended
    }

    /// Tests with a complete store: nothing may disappear and nothing may be added.
    async fn with_a_full_store(&self, cell: &Cell) -> Result<Duration, String> {
        if cell.kind != FaultKind::ClockSkew {
            return self.unmoved(cell, &self.store, 0).await;
        }
        // Under AWS's clock it is another time, so samples are stored once more with that time. This needs a separate
        // store, because the next cell uses the normal time again.
        let folder = tempfile::tempdir_in(self.folder.path()).expect("a folder");
        let store = self.world.store(folder.path()).await;
        let first = fill(&self.world, &self.healthy, &store, cell.is_of_cloudwatch()).await;
        let polled = first.rows.get(SAMPLES).copied().unwrap_or(0);
        let ended = self.unmoved(cell, &store, polled).await;
        store.close().await;
        ended
    }

    /// Checks that a pass under the fault adds nothing to a complete store except at most `samples` samples.
    async fn unmoved(&self, cell: &Cell, store: &Store, samples: u64) -> Result<Duration, String> {
        let (mut summary, took) = self.struck(cell, store, 0).await?;
        is_said(cell, &summary)?;
        if summary.rows.get(SAMPLES).is_some_and(|rows| *rows <= samples) {
            summary.rows.remove(SAMPLES);
        }
        if !summary.rows.is_empty() {
            return Err(format!("in a world that stands still, rows moved: {:?}", summary.rows));
        }
        if live(store, &self.world.region).await != self.truth {
            return Err("the store has other game sessions than the world".to_owned());
        }
        Ok(took)
    }

    /// Tests with an empty store: it may hold nothing that is not in the world, and a later pass completes it.
    async fn with_an_empty_store(&self, cell: &Cell, skip: u64) -> Result<Duration, String> {
        let folder = tempfile::tempdir_in(self.folder.path()).expect("a folder");
        let store = self.world.store(folder.path()).await;
        let (summary, took) = self.struck(cell, &store, skip).await?;
        is_said(cell, &summary)?;
        let kept = live(&store, &self.world.region).await;
        if let Some(invented) = kept.iter().find(|id| self.truth.binary_search(id).is_err()) {
            return Err(format!("{invented} is in the store and not in the world"));
        }
        if summary.is_complete() && kept != self.truth {
            return Err(format!(
                "a pass of {} of {} game sessions is called complete",
                kept.len(),
                self.truth.len()
            ));
        }
        let whole = self.world.pass(&self.healthy, &store, self.world.options(false)).await;
        if !whole.is_complete() || live(&store, &self.world.region).await != self.truth {
            return Err(format!("a pass without faults does not make it whole: {:?}", whole.failures));
        }
        store.close().await;
        Ok(took)
    }
}

/// Reads everything into a store and returns the pass without CloudWatch. CloudWatch is read twice: the second read
/// starts just before the newest sample, as all later reads do.
async fn fill(world: &World, healthy: &Gateway, store: &Store, with_metrics: bool) -> Summary {
    let read = async |with_metrics| {
        let pass = world.pass(healthy, store, world.options(with_metrics)).await;
        assert!(pass.is_complete(), "{:?}", pass.failures);
        pass
    };
    let first = read(false).await;
    if with_metrics {
        read(true).await;
        read(true).await;
    }
    first
}

/// Checks that every failure names its operation, and that a pass with a failed call is never called complete.
pub(crate) fn is_said(cell: &Cell, summary: &Summary) -> Result<(), String> {
    let failed = summary.calls.get(cell.name()).is_some_and(|calls| calls.errors > 0);
    let named = summary.failures.iter().any(|failure| failure.message.contains(cell.name()));
    if failed && !named {
        return Err(format!("it failed for good and nobody says so: {:?}", summary.failures));
    }
    Ok(())
}

/// Checks cells one after the other in their own world.
pub(crate) fn hold(runtime: &Runtime, trial: &Trial, cells: &[Cell], note: Note<'_>) {
    let known = Known::begin(runtime);
    let mut chance = trial.chance(1);
    for cell in cells {
        let before = known.world.counts(&cell.operation).1;
        let ended = if cell.operation.starts_with("sqs:") {
            feed::hold(runtime, &known, cell)
        } else if let Some(ask) = asks::of(&cell.operation) {
            runtime.block_on(asks::hold(&known, cell, ask))
        } else if known.asked.contains(&cell.operation) {
            runtime.block_on(async {
                let full = known.with_a_full_store(cell).await?;
                let empty = known.with_an_empty_store(cell, chance.u64(..2)).await?;
                Ok(full.max(empty))
            })
        } else {
            Err("the product uses it, and the matrix has no way to make it do so".to_owned())
        };
        note(cell, ended.and_then(|took| known.world.was_struck(cell, before).map(|()| took)));
    }
    runtime.block_on(known.store.close());
}
