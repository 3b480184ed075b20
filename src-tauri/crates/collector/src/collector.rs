//! The collector of one connection: starts the Regions' loops and the feeds, keeps them running, passes orders on to
//! them and publishes their health.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::{Gateway, GatewayError};
use liftdeck_model::Region;
use liftdeck_model::feed::queue_name;
use liftdeck_model::observation::PollSubject;
use liftdeck_model::watch::Roll;
use liftdeck_store::{Reader as Store, RetentionPolicy, Writer};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::fired::{Fired, follow};
use crate::health::{Backfill, Caution, FeedHealth, Health, HealthState};
use crate::metrics::price::Meter;
use crate::options::{Clock, CollectorOptions, Focus};
use crate::poll::{Poller, Tools};
use crate::receiving::Receiving;
use crate::region::{Orders, RegionLoop, RegionView};
use crate::search::Searcher;
use crate::tasks;

/// How often the health report is rebuilt.
const HEALTH_EVERY: Duration = Duration::from_millis(1_000);
/// How often expired records are deleted, and how soon after the start. The first deletion comes early so that a
/// program that never runs for an hour also keeps its store in order.
const RETAIN_EVERY: Duration = Duration::from_secs(3_600);
const RETAIN_FIRST: Duration = Duration::from_secs(120);

/// A running collection. Dropping it stops it without waiting.
#[derive(Debug)]
pub struct Collector {
    stop: CancellationToken,
    tasks: TaskTracker,
    focus: watch::Sender<Arc<Focus>>,
    searcher: Searcher,
    hurry: watch::Sender<u64>,
    health: watch::Receiver<Health>,
    watcher: Arc<Watcher>,
}

impl Collector {
    /// Starts collecting in the background.
    ///
    /// # Errors
    /// `Config` when the gateway does not know one of the Regions.
    pub async fn start(
        options: CollectorOptions,
        gateway: &Gateway,
        writer: Writer,
        store: Store,
        clock: Clock,
    ) -> Result<Self, GatewayError> {
        hear_aws_date(gateway, &writer);
        let meter = Arc::new(Mutex::new(meter_of(&options, &store, &clock).await));
        let tools = Tools { writer: writer.clone(), store: store.clone(), clock: clock.clone(), meter };
        let stop = CancellationToken::new();
        let tasks = TaskTracker::new();
        let (focus, focused) = watch::channel(Arc::default());
        let (hurry, hurried) = watch::channel(0);
        let (fired, heard) = watch::channel(Fired::default());
        let roll = Roll::new(clock.clone(), |pause| Box::pin(tokio::time::sleep(pause)));
        let mut pollers = Vec::new();
        for region in &options.regions {
            let poller = Poller::new(gateway.reader(region)?, tools.clone(), &options);
            pollers.push(Arc::new(poller.kept_running()));
        }
        writer.note_unread(needed(&options));
        let mut feeds = Vec::new();
        for queue in &options.event_queues {
            let feed = gateway.event_feed(queue)?;
            feeds.push(Receiving::new(feed, queue.clone(), &tools, &options));
        }
        let feed_healths: Vec<_> = feeds.iter().map(Receiving::health).collect();
        let mut views = Vec::new();
        for poller in &pollers {
            let view = Arc::new(Mutex::new(RegionView::first(poller)));
            views.push(Arc::clone(&view));
            let task = format!("The collection of {}", poller.region);
            let (poller, gateway, options) = (Arc::clone(poller), gateway.clone(), options.clone());
            // A restarted loop is a new one. It reuses the previous loop's view and receives the current orders
            // again.
            let orders = Orders { focus: focused.clone(), hurry: hurried.clone(), fired: heard.clone() };
            let kept = keep(&roll, task, &stop, move |stop| {
                let region =
                    RegionLoop::new(Arc::clone(&poller), gateway.clone(), &options, Arc::clone(&view));
                region.run(stop, orders.clone())
            });
            tasks.spawn(kept);
        }
        for (queue, feed) in options.event_queues.iter().zip(feeds) {
            let task = format!("The event feed of {}", queue_name(&queue.url));
            let (feed, hurried) = (Arc::new(tokio::sync::Mutex::new(feed)), hurried.clone());
            let kept = keep(&roll, task, &stop, move |stop| {
                let (feed, hurried) = (Arc::clone(&feed), hurried.clone());
                async move { feed.lock().await.run(stop, hurried).await }
            });
            tasks.spawn(kept);
        }
        let (alerts, notices) = (store.clone(), writer.clone());
        let kept = keep(&roll, "The watch for alerts whose causes are to be read", &stop, move |stop| {
            follow(alerts.clone(), notices.notices(), fired.clone(), stop)
        });
        tasks.spawn(kept);
        let retention = options.retention;
        let kept = keep(&roll, "The deletion of old records", &stop, move |stop| {
            retain(writer.clone(), clock.clone(), retention, stop)
        });
        tasks.spawn(kept);
        let watcher = Arc::new(Watcher {
            views,
            feeds: feed_healths,
            roll: roll.clone(),
            tools,
            gateway: gateway.clone(),
            cautions: Mutex::default(),
        });
        let (shown, health) = watch::channel(watcher.look().await);
        let (shown, looking) = (Arc::new(shown), Arc::clone(&watcher));
        let kept = keep(&roll, "The watch over collection", &stop, move |stop| {
            let (watcher, shown) = (Arc::clone(&looking), Arc::clone(&shown));
            async move { watcher.run(&shown, stop).await }
        });
        tasks.spawn(kept);
        tasks.close();
        Ok(Self { stop, tasks, focus, searcher: Searcher::new(pollers), hurry, health, watcher })
    }

    /// Sets what is on screen now.
    pub fn focus(&self, focus: Focus) {
        self.focus.send_replace(Arc::new(focus));
    }

    /// Retries at once everything that waits after a failure.
    pub fn retry_now(&self) {
        self.hurry.send_modify(|count| *count += 1);
    }

    /// Returns a handle for GameLift's own search, which works alongside the polls.
    pub fn searcher(&self) -> Searcher {
        self.searcher.clone()
    }

    /// Returns the health of the collection, updated about once a second.
    pub fn health(&self) -> watch::Receiver<Health> {
        self.health.clone()
    }

    /// Returns the health of the collection at this moment, which [`Self::health`] may publish only a second later.
    pub async fn health_now(&self) -> Health {
        self.watcher.look().await
    }

    /// Stops collecting: no further poll starts, running polls get a moment to finish, and what was read is written.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.wait().await;
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// What has to be read before anything can be called well, as far as it is known before the first answer.
fn needed(options: &CollectorOptions) -> Vec<(Region, PollSubject)> {
    let of = |region: &Region| tasks::needed().map(|subject| (region.clone(), subject)).collect::<Vec<_>>();
    options.regions.iter().flat_map(of).collect()
}

/// Lets the store read AWS's own date, as learnt from each response.
pub(crate) fn hear_aws_date(gateway: &Gateway, writer: &Writer) {
    let gateway = gateway.clone();
    writer.listen_to(Arc::new(move || gateway.aws_now()));
}

/// Creates the price meter, counting what was already requested this UTC day.
pub(crate) async fn meter_of(options: &CollectorOptions, store: &Store, clock: &Clock) -> Meter {
    let now = clock();
    let requested = match store.usage_of_day(now).await {
        Ok(requested) => requested,
        Err(error) => {
            tracing::warn!(%error, "The day's CloudWatch use could not be read; counting from zero.");
            0
        }
    };
    Meter::new(options.metrics.daily_cap_usd, requested, now)
}

/// Keeps a task running until the collector stops.
fn keep<F: Future<Output = ()> + Send + 'static>(
    roll: &Roll,
    task: impl Into<String>,
    stop: &CancellationToken,
    begin: impl Fn(CancellationToken) -> F + Send + Sync + 'static,
) -> impl Future<Output = ()> + Send + 'static {
    let (roll, task, stop) = (roll.clone(), task.into(), stop.clone());
    async move {
        roll.keep(task, || stop.clone().cancelled_owned(), || begin(stop.clone())).await;
    }
}

async fn retain(writer: Writer, clock: Clock, policy: RetentionPolicy, stop: CancellationToken) {
    let mut pause = RETAIN_FIRST;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(std::mem::replace(&mut pause, RETAIN_EVERY)) => {}
        }
        match writer.retain(clock(), policy).await {
            Ok(retained) => tracing::info!(
                deleted = ?retained.deleted, failed = retained.failed.len(), "Old records were deleted."
            ),
            Err(error) => tracing::warn!(%error, "Old records could not be deleted."),
        }
    }
}

/// Combines the health of all parts.
struct Watcher {
    views: Vec<Arc<Mutex<RegionView>>>,
    feeds: Vec<Arc<Mutex<FeedHealth>>>,
    roll: Roll,
    tools: Tools,
    gateway: Gateway,
    cautions: Mutex<Vec<Caution>>,
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher")
            .field("views", &self.views)
            .field("feeds", &self.feeds)
            .finish_non_exhaustive()
    }
}

impl Watcher {
    async fn run(&self, shown: &watch::Sender<Health>, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                () = tokio::time::sleep(HEALTH_EVERY) => {}
            }
            shown.send_replace(self.look().await);
        }
        let mut last = self.look().await;
        last.state = HealthState::Stopped;
        shown.send_replace(last);
    }

    async fn look(&self) -> Health {
        let now = (self.tools.clock)();
        if let Some(cautions) = Caution::of_clock(now, self.gateway.aws_date()) {
            *self.cautions.lock() = cautions;
        }
        let views: Vec<RegionView> = self.views.iter().map(|view| view.lock().clone()).collect();
        let feeds = self.feeds.iter().map(|feed| feed.lock().clone()).collect();
        let (done, total) = views
            .iter()
            .fold((0, 0), |(done, total), view| (done + view.backfill.done, total + view.backfill.total));
        let regions = views.into_iter().map(|view| view.health).collect();
        let revision = self.tools.store.revision().await.unwrap_or(0);
        let mut health = Health::of(regions, feeds, now);
        health.miss(self.roll.down());
        health.cautions = self.cautions.lock().iter().map(ToString::to_string).collect();
        health.backfill = (done < total).then_some(Backfill { done, total });
        let mut meter = self.tools.meter.lock();
        health.cloudwatch_metrics_today = meter.requested(now);
        health.cloudwatch_cost_today_usd = meter.cost_usd(now);
        health.cloudwatch_cap_usd = meter.cap_usd();
        health.dropped_notices = self.tools.writer.dropped_notices();
        health.revision = revision;
        health
    }
}
