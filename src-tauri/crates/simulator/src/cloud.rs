//! The simulated cloud behind the port: the world, its clock, the event queues, and everything that is decided about
//! a request before an operation handles it.
//!
//! Knows nothing about HTTP.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::calls::Calls;
use crate::clock::Clock;
use crate::cloudtrail::Trail;
use crate::event_bridge::EventBridge;
use crate::fault::Faults;
use crate::identity::{Credentials, Sessions};
use crate::kept;
use crate::litter::Litter;
use crate::notification::{self, Announcement};
use crate::options::SimulatorOptions;
use crate::pace::Pace;
use crate::page::Tokens;
use crate::sns::Sns;
use crate::sqs::{Queues, Sqs};
use crate::throttle::Throttle;
use liftdeck_simulated_world::Scenario;
use liftdeck_simulated_world::records::Notice;
use liftdeck_simulated_world::{World, WorldOptions};

/// The region whose request rates the game's backend uses up in the scenario `throttled`.
const BUSY_REGION: &str = "eu-west-1";

/// The regions where the feed is broken in the scenario `feed-broken`: in `CUT_OFF` no queue is subscribed, in `SHUT`
/// the queue's policy admits no sender, and in `LITTERED` messages arrive that are not events.
const CUT_OFF: &str = "eu-west-1";
const SHUT: &str = "ap-northeast-1";
const LITTERED: &str = "us-east-1";

/// The state behind the port.
#[derive(Debug)]
pub(crate) struct Cloud {
    /// The world, locked for one operation or one step of time at a time.
    pub(crate) world: RwLock<World>,
    /// SQS.
    pub(crate) sqs: Sqs,
    /// SNS.
    pub(crate) sns: Sns,
    /// EventBridge.
    pub(crate) event_bridge: EventBridge,
    /// The event history.
    pub(crate) trail: Trail,
    /// The request rates; `None` if they are not enforced.
    pub(crate) throttle: Option<Throttle>,
    /// The counts of calls.
    pub(crate) calls: Calls,
    /// The fault plan.
    pub(crate) faults: Faults,
    /// Whether responses carry a `Date` header.
    pub(crate) dated: bool,
    /// The credentials that are expired, unknown, restricted or of another account.
    credentials: RwLock<Arc<Credentials>>,
    /// The temporary credentials given out so far.
    pub(crate) sessions: Sessions,
    /// Regions that requests may be signed for: the world's regions and the AWS locations their fleets can use.
    pub(crate) regions: BTreeSet<String>,
    /// Seals and opens page tokens.
    pub(crate) tokens: Tokens,
    /// The account that owns everything.
    pub(crate) account: String,
    /// The URL of the port.
    pub(crate) endpoint: String,
    /// The messages that are not events, in the scenario that has them.
    litter: Option<Litter>,
    clock: Mutex<Clock>,
    pace: Pace,
    started: Instant,
}

impl Cloud {
    /// Creates the world for the options, with its event queues at `endpoint`.
    pub(crate) fn new(options: SimulatorOptions, start_ms: i64, endpoint: &str) -> Cloud {
        let made_from = WorldOptions {
            seed: options.seed,
            scenario: options.scenario,
            start_ms,
            ..WorldOptions::default()
        };
        let world = if options.keep { kept::copy(&made_from) } else { World::new(&made_from) };
        let account = world.account().to_owned();
        let reached = world.regions().flat_map(|region| world.locations(region));
        let regions = reached
            .filter(|location| location.location_arn.is_none())
            .map(|location| location.location_name.clone());
        let regions = regions.chain(world.regions().map(str::to_owned)).collect();
        let (tokens, started) = (Tokens::new(options.seed), Instant::now());
        let broken = options.scenario.plays(Scenario::FeedBroken);
        let (pace, shut) = (Pace::default(), broken.then_some(SHUT));
        let queues = Queues::new(endpoint, &account, world.regions(), shut, start_ms, pace.clone());
        let sns = Sns::new(&account, world.regions(), broken.then_some(CUT_OFF));
        Cloud {
            sns,
            event_bridge: EventBridge::new(&world, options.trail.event_bridge, &queues),
            trail: Trail::new(options.seed, &account, options.trail),
            litter: broken.then(|| Litter::new(start_ms)),
            sqs: Sqs::new(queues, tokens.clone()),
            world: RwLock::new(world),
            throttle: options.throttle.then(|| {
                if options.scenario.plays(Scenario::Throttled) {
                    Throttle::shared_with_backend(BUSY_REGION, started)
                } else {
                    Throttle::default()
                }
            }),
            calls: Calls::default(),
            faults: Faults::new(options.seed, options.faults),
            dated: options.dated,
            credentials: RwLock::new(Arc::new(options.credentials)),
            sessions: Sessions::new(options.seed),
            regions,
            tokens,
            account,
            endpoint: endpoint.to_owned(),
            clock: Mutex::new(Clock::new(start_ms, options.speed)),
            pace,
            started,
        }
    }

    /// Returns the credentials that are currently expired, unknown, restricted or of another account.
    pub(crate) fn credentials(&self) -> Arc<Credentials> {
        Arc::clone(&self.credentials.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces those credentials.
    pub(crate) fn set_credentials(&self, credentials: Credentials) {
        *self.credentials.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(credentials);
    }

    /// The current virtual time, in milliseconds since the epoch.
    pub(crate) fn now_ms(&self) -> i64 {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner).now_ms(self.started.elapsed())
    }

    /// The current time for counting request rates.
    pub(crate) fn pace(&self) -> Instant {
        self.pace.now()
    }

    /// Advances virtual time by hand, and the world with it. Blocks while the world catches up.
    pub(crate) fn advance(&self, by: Duration) {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner).advance(by);
        self.pace.advance(by);
        self.sqs.queues.look_again();
        self.catch_up();
    }

    /// Advances the world to the current virtual time and delivers the events it raised on the way.
    pub(crate) fn catch_up(&self) {
        let now_ms = self.now_ms();
        let mut world = self.world.write().unwrap_or_else(PoisonError::into_inner);
        // Two concurrent callers may get here in either order; the world only moves forward.
        if now_ms > world.now_ms() {
            world.advance_to(now_ms);
        }
        let regions: Vec<String> = world.regions().map(str::to_owned).collect();
        for region in regions {
            for notice in world.drain_events(&region) {
                self.deliver(&region, notice);
            }
        }
        self.trail.follow(&world, &self.faults);
        self.deliver_changes(now_ms);
        let littered = self.litter.as_ref().zip(self.sqs.queues.events(LITTERED));
        if let Some((litter, queue)) = littered {
            queue.send(litter.until(now_ms), Some(Duration::ZERO));
        }
    }

    /// Delivers the records of changes that EventBridge has had long enough.
    fn deliver_changes(&self, now_ms: i64) {
        for (at_ms, region, record) in self.trail.due(now_ms) {
            if let Some(event) = self.trail.event(at_ms, &region, &record) {
                self.event_bridge.deliver(&region, &event, &self.sqs.queues);
            }
        }
    }

    /// Delivers an event to the topic of its resource, if it has one, and to EventBridge.
    fn deliver(&self, region: &str, mut notice: Notice) {
        let (topic, queues) = (notice.notification_target.take(), &self.sqs.queues);
        let told = Arc::new(Announcement::new(notice, &self.account));
        if let Some(topic) = topic {
            self.sns.announce(&notification::publication(&told, topic), told.resource(), queues);
        }
        self.event_bridge.deliver(region, &told, queues);
    }
}
