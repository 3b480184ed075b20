//! The store itself, fed as the collector feeds it: several tasks, each waiting for its batch to be durable.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use liftdeck_model::observation::{Batch, Observation};
use liftdeck_store::{Access, RetentionPolicy, Store, StoreOptions};

use crate::sample::{self, NOW};

/// Tasks that apply batches concurrently.
const FEEDERS: usize = 8;

pub(crate) async fn open(path: &Path) -> Store {
    let options = StoreOptions { path: path.to_owned(), access: Access::ReadWrite, account: None, now: NOW };
    Store::open(options).await.unwrap()
}

/// Applies batches from several tasks. Returns the time until the last is durable, and the number of rows written.
pub(crate) async fn feed(store: &Store, batches: Vec<Batch>) -> (Duration, u64) {
    let begun = Instant::now();
    let queue = Arc::new(std::sync::Mutex::new(batches.into_iter()));
    let mut feeders = tokio::task::JoinSet::new();
    for _ in 0..FEEDERS {
        let (writer, queue) = (store.writer().unwrap(), Arc::clone(&queue));
        feeders.spawn(async move {
            let mut written = 0;
            loop {
                let Some(batch) = queue.lock().unwrap().next() else { return written };
                written += writer.apply(batch).await.unwrap().written.values().sum::<u64>();
            }
        });
    }
    let written = feeders.join_all().await.into_iter().sum();
    (begun.elapsed(), written)
}

/// Length of a database with its log written back, in bytes.
pub(crate) fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

/// Keeps queries running without a pause and watches the log's length.
pub(crate) struct Readers {
    stop: Arc<AtomicBool>,
    longest: Arc<AtomicU64>,
    tasks: tokio::task::JoinSet<()>,
}

impl Readers {
    pub(crate) fn start(store: &Store, path: &Path) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let longest = Arc::new(AtomicU64::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        for task in 0..3 {
            let (reader, stop) = (store.reader(), Arc::clone(&stop));
            tasks.spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    reader.live_game_sessions(&sample::fleet_id(task)).await.unwrap();
                }
            });
        }
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let (log, of, until) = (PathBuf::from(log), Arc::clone(&longest), Arc::clone(&stop));
        tasks.spawn(async move {
            while !until.load(Ordering::Relaxed) {
                of.fetch_max(std::fs::metadata(&log).map_or(0, |file| file.len()), Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        });
        Self { stop, longest, tasks }
    }

    /// Stops the queries and returns the greatest length of the log in bytes.
    pub(crate) async fn stop(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        self.tasks.join_all().await;
        self.longest.load(Ordering::Relaxed)
    }
}

/// Bytes per metric sample in the file, including indexes and slack, after compaction.
pub(crate) async fn metric_bytes(folder: &Path, fleets: usize, days: i64) -> f64 {
    let path = folder.join("metrics.sqlite");
    open(&path).await.close().await;
    let empty = bytes(&path);
    let store = open(&path).await;
    feed_metrics(&store, fleets, days).await;
    store.writer().unwrap().listen_to(std::sync::Arc::new(|| Some(NOW)));
    store.writer().unwrap().retain(NOW, RetentionPolicy::default()).await.unwrap();
    store.close().await;
    (bytes(&path) - empty) as f64 / (fleets * sample::KINDS.len()) as f64 / (days * 1_440) as f64
}

pub(crate) async fn feed_metrics(store: &Store, fleets: usize, days: i64) {
    let mut batches = Vec::new();
    for fleet in 0..fleets {
        let observations = (0..sample::KINDS.len())
            .map(|kind| {
                let samples = sample::samples(kind, days, (fleet * 100 + kind) as u64);
                Observation::MetricSamples(sample::series(fleet, kind), samples)
            })
            .collect();
        batches.push(Batch { region: sample::region(), observed_at: NOW, observations });
    }
    feed(store, batches).await;
}
