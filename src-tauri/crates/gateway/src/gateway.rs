//! The gateway itself: one per connection, holding the clients and the budget of each Region.
//!
//! Owns the entry point of the crate. Deliberately sends nothing until it is asked to read, change or check
//! something.

use std::collections::BTreeMap;
use std::sync::Arc;

use liftdeck_model::{Region, Timestamp};
use parking_lot::Mutex;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::budget::{Budget, Priority};
use crate::call::{ProvenWire, Wire};
use crate::client::{self, Clients};
use crate::connection::{ConnectionSpec, EventQueue};
use crate::credentials::Vault;
use crate::date::{AwsClock, HeardDate};
use crate::error::{ErrorKind, GatewayError, Origin};
use crate::event_feed::EventFeed;
use crate::grant::Grant;
use crate::identity::{Asker, CallerIdentity, Identity};
use crate::operator::Operator;
use crate::permission::{self, PermissionCheck};
use crate::profile;
use crate::rate::is_gamelift;
use crate::reader::Reader;
use crate::usage::{Meter, OperationUsage, Usage};

/// One connection to one AWS account. Clones share clients, budget and counters, so open one per account.
#[derive(Clone, Debug)]
pub struct Gateway {
    spec: Arc<ConnectionSpec>,
    sites: Arc<BTreeMap<Region, Arc<Site>>>,
    clock: AwsClock,
    identity: Arc<Identity>,
}

/// One Region of a connection.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) region: Region,
    pub(crate) clients: Clients,
    pub(crate) proven: ProvenWire,
}

impl Gateway {
    /// Resolves the configuration. Sends nothing to AWS; credentials are loaded at the first call.
    ///
    /// # Errors
    /// `Config` when the spec names no Region, the profile does not exist, the endpoint is not an HTTP URL, or the
    /// environment or profile does not give all services the same endpoint.
    pub async fn connect(spec: ConnectionSpec) -> Result<Self, GatewayError> {
        let profile_kind = match &spec.profile {
            Some(name) => Some(profile::find(name).await?.kind),
            None => None,
        };
        let Some(first) = spec.regions.first() else {
            return Err(config_error(&spec, "the connection names no Region"));
        };
        if let Some(endpoint) = &spec.endpoint_url
            && !(endpoint.starts_with("http://") || endpoint.starts_with("https://"))
        {
            return Err(config_error(
                &spec,
                format!("the endpoint `{endpoint}` does not begin with http:// or https://"),
            ));
        }
        let shared = Box::pin(client::shared(&spec, first)).await;
        let shared = shared.map_err(|message| config_error(&spec, message))?;
        let clock = AwsClock::default();
        let mut ways = Vec::new();
        for region in &spec.regions {
            let wire = Wire {
                origin: Arc::new(Origin {
                    region: Some(region.clone()),
                    profile: spec.profile.clone(),
                    profile_kind,
                    endpoint: shared.endpoint.clone(),
                }),
                budget: Budget::new(spec.budget_share, spec.rates.clone()),
                meter: Meter::default(),
                patience: spec.patience,
                chance: Mutex::new(fastrand::Rng::new()),
            };
            let clients = client::clients(&shared.services, region, &spec.patience, &clock);
            ways.push((region.clone(), Arc::new(wire), clients));
        }
        let asker = |(_, wire, clients): &(Region, Arc<Wire>, Clients)| {
            Arc::new(Asker { wire: Arc::clone(wire), sts: clients.sts.clone() })
        };
        let askers = ways.iter().map(asker).collect();
        let vault = Vault::new(spec.source(), shared.setup, spec.patience.proof);
        let identity = Arc::new(Identity::new(vault, spec.account.clone(), spec.profile.clone(), askers));
        let site = |(region, wire, clients): (Region, Arc<Wire>, Clients)| {
            let proven = ProvenWire { wire, identity: Arc::clone(&identity) };
            (region.clone(), Arc::new(Site { region, clients, proven }))
        };
        let sites = Arc::new(ways.into_iter().map(site).collect());
        Ok(Self { spec: Arc::new(spec), sites, clock, identity })
    }

    /// The connection, as it was described.
    pub fn spec(&self) -> &ConnectionSpec {
        &self.spec
    }

    /// The Regions of the connection.
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        self.sites.keys()
    }

    /// The current time at AWS: the date of the latest response that carried one, plus the time this process has
    /// measured since. Never ahead of the real time. `None` until a response has carried a date.
    pub fn aws_now(&self) -> Option<Timestamp> {
        self.clock.heard().map(|heard| heard.now)
    }

    /// The same time with the age of that response. The age does not include time this computer was asleep.
    pub fn aws_date(&self) -> Option<HeardDate> {
        self.clock.heard()
    }

    /// All reads of a Region, at the lowest priority.
    ///
    /// # Errors
    /// `Config` when the connection does not name the Region.
    pub fn reader(&self, region: &Region) -> Result<Reader, GatewayError> {
        Ok(Reader::new(Arc::clone(self.site(region)?), Priority::default()))
    }

    /// All changes of a Region; only the guard may call this. First proves that changes would go to the connection's
    /// account under the identity the grant was issued to. Every attempt of a change needs such a proof again.
    ///
    /// # Errors
    /// `ReadOnly` when the grant has ended, `Config` when the connection does not name the Region, and
    /// `WrongAccount`, `WrongCaller`, `Unproven` or `Credentials` when the proof fails. No change was sent in any of
    /// these cases. A different account or caller also ends the grant.
    pub async fn operator(&self, region: &Region, grant: &Grant) -> Result<Operator, GatewayError> {
        let site = self.site(region)?;
        if !grant.is_valid() {
            return Err(site.proven.error(ErrorKind::ReadOnly, "connect", None, ""));
        }
        site.proven.prove(grant).await?;
        Ok(Operator::new(Arc::clone(site), grant.clone()))
    }

    /// The event feed of a queue.
    ///
    /// # Errors
    /// `Config` when the connection does not name the queue's Region.
    pub fn event_feed(&self, queue: &EventQueue) -> Result<EventFeed, GatewayError> {
        Ok(EventFeed::new(Arc::clone(self.site(&queue.region)?), queue.url.clone()))
    }

    /// Asks AWS now which identity the credentials belong to, in any Region, and compares the answer with the
    /// connection's account. If the connection names no account, the first answer sets it for the life of the
    /// gateway. No other request is sent without this proof. The gateway obtains it automatically, so callers need
    /// not call this before a request.
    ///
    /// # Errors
    /// `WrongAccount`, naming both accounts and the profile; `Credentials`; or the error that kept AWS from
    /// answering.
    pub async fn prove(&self) -> Result<CallerIdentity, GatewayError> {
        self.identity.prove().await
    }

    /// Tries each read action once in each Region, as cheaply as possible. Regions are tried concurrently; the
    /// results are in order of Region. The queues of the event feed have a check of their own.
    pub async fn check(&self) -> Vec<PermissionCheck> {
        let mut regions = JoinSet::new();
        for (region, site) in self.sites.iter() {
            let (region, site) = (region.clone(), Arc::clone(site));
            regions.spawn(async move { (region, permission::check(&site).await) });
        }
        let by_region: BTreeMap<Region, Vec<PermissionCheck>> =
            regions.join_all().await.into_iter().collect();
        by_region.into_values().flatten().collect()
    }

    /// Counts of the requests to AWS since the connection was opened.
    pub fn usage(&self) -> Usage {
        let now = Instant::now();
        let mut usage = Usage::default();
        for (region, site) in self.sites.iter() {
            usage.cloudwatch_metrics_requested += site.proven.wire.meter.metrics_requested();
            for (operation, count) in site.proven.wire.meter.counts() {
                let published_per_second = site.proven.wire.budget.published_per_second(operation);
                usage.operations.push(OperationUsage {
                    region: region.clone(),
                    operation,
                    is_gamelift: is_gamelift(operation),
                    calls: count.calls,
                    retries: count.retries,
                    throttles: count.throttles,
                    errors: count.errors,
                    allowed_per_second: site.proven.wire.budget.allowed_per_second(operation),
                    published_per_second,
                    published_share: published_per_second
                        .map_or(0.0, |published| count.per_second(now) / published),
                });
            }
        }
        usage
    }

    pub(crate) fn site(&self, region: &Region) -> Result<&Arc<Site>, GatewayError> {
        self.sites.get(region).ok_or_else(|| {
            let message = format!("the connection does not name the Region {region}");
            GatewayError::plain(ErrorKind::Config, "connect", message)
        })
    }
}

fn config_error(spec: &ConnectionSpec, message: impl Into<Box<str>>) -> GatewayError {
    let origin =
        Origin { profile: spec.profile.clone(), endpoint: spec.endpoint_url.clone(), ..Origin::default() };
    GatewayError { origin: Arc::new(origin), ..GatewayError::plain(ErrorKind::Config, "connect", message) }
}
