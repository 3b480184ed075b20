//! The simulated side of the wire: the world, its clock, the event queues, and everything that decides about a request
//! before an operation sees it.
//!
//! Knows nothing of HTTP.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::calls::Calls;
use crate::clock::Clock;
use crate::fault::Faults;
use crate::identity::Credentials;
use crate::notification;
use crate::options::SimulatorOptions;
use crate::page::Tokens;
use crate::scenario::Scenario;
use crate::sqs::{Queues, Sqs};
use crate::throttle::Throttle;
use crate::world::{World, WorldOptions};

/// Where the backend of the scenario `throttled` lives.
const BUSY_REGION: &str = "eu-west-1";

/// Everything behind the port.
#[derive(Debug)]
pub(crate) struct Cloud {
    /// The world; locked for one page, or for one step of time.
    pub(crate) world: RwLock<World>,
    /// SQS.
    pub(crate) sqs: Sqs,
    /// Request rates, unless they are not enforced.
    pub(crate) throttle: Option<Throttle>,
    /// What was called.
    pub(crate) calls: Calls,
    /// The fault plan.
    pub(crate) faults: Faults,
    /// Bad credentials.
    pub(crate) credentials: Credentials,
    /// Regions a request may be signed for: those with a world and those its fleets reach.
    pub(crate) regions: BTreeSet<String>,
    /// The seal of page tokens.
    pub(crate) tokens: Tokens,
    /// The account everything belongs to.
    pub(crate) account: String,
    /// Where the port is.
    pub(crate) endpoint: String,
    clock: Mutex<Clock>,
    started: Instant,
}

impl Cloud {
    /// Makes the world of the options, with its event queues at an endpoint.
    pub(crate) fn new(options: SimulatorOptions, start_ms: i64, endpoint: &str) -> Cloud {
        let world = World::new(&WorldOptions {
            seed: options.seed,
            scenario: options.scenario,
            start_ms,
            ..WorldOptions::default()
        });
        let account = world.account().to_owned();
        let reached = world.regions().flat_map(|region| world.locations(region));
        let regions = reached
            .filter(|location| location.location_arn.is_none())
            .map(|location| location.location_name.clone());
        let regions = regions.chain(world.regions().map(str::to_owned)).collect();
        let (tokens, started) = (Tokens::new(options.seed), Instant::now());
        let queues = Queues::new(endpoint, &account, world.regions());
        Cloud {
            sqs: Sqs::new(queues, &account, tokens.clone()),
            world: RwLock::new(world),
            throttle: options.throttle.then(|| match options.scenario {
                Scenario::Throttled => Throttle::shared_with_backend(BUSY_REGION, started),
                _ => Throttle::default(),
            }),
            calls: Calls::default(),
            faults: Faults::new(options.seed, options.faults),
            credentials: options.credentials,
            regions,
            tokens,
            account,
            endpoint: endpoint.to_owned(),
            clock: Mutex::new(Clock::new(start_ms, options.speed)),
            started,
        }
    }

    /// Virtual now, in milliseconds since the epoch.
    pub(crate) fn now_ms(&self) -> i64 {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner).now_ms(self.started.elapsed())
    }

    /// Moves virtual time by hand, and the world with it. Blocks while the world catches up.
    pub(crate) fn advance(&self, by: Duration) {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner).advance(by);
        self.catch_up();
    }

    /// Brings the world to virtual now and delivers what it announced on the way.
    pub(crate) fn catch_up(&self) {
        let now_ms = self.now_ms();
        let mut world = self.world.write().unwrap_or_else(PoisonError::into_inner);
        // Two who catch up at once may arrive in either order; the world only moves forward.
        if now_ms > world.now_ms() {
            world.advance_to(now_ms);
        }
        let regions: Vec<String> = world.regions().map(str::to_owned).collect();
        for region in regions {
            let notices = world.drain_events(&region);
            if let Some(queue) = self.sqs.queues.of(&region) {
                let messages = notices.iter().map(|notice| notification::message(notice, &self.account));
                queue.send(messages.collect(), Duration::ZERO);
            }
        }
    }
}
