//! The gateway itself: one per connection, holding clients and budget of each Region.
//!
//! Owns the way in. Deliberately talks to nobody until something is read.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use liftdeck_model::{AccountId, Region, Timestamp};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::budget::{Budget, Priority};
use crate::call::{Call, Line};
use crate::client::{self, Clients};
use crate::connection::{ConnectionSpec, EventQueue};
use crate::date::AwsClock;
use crate::error::{ErrorKind, GatewayError, Origin};
use crate::event_feed::EventFeed;
use crate::grant::Grant;
use crate::operator::Operator;
use crate::permission::{self, PermissionCheck};
use crate::profile;
use crate::reader::Reader;
use crate::usage::{Meter, OperationUsage, Usage};

/// One connection to one AWS account. Clones share clients, budget and counters, so open one per account.
#[derive(Clone, Debug)]
pub struct Gateway {
    sites: Arc<BTreeMap<Region, Arc<Site>>>,
    clock: AwsClock,
}

/// One Region of a connection.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) region: Region,
    pub(crate) clients: Clients,
    pub(crate) line: Line,
}

/// Whom AWS takes us for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallerIdentity {
    /// Account.
    pub account: AccountId,
    /// ARN of the user or assumed role.
    pub arn: String,
}

impl Gateway {
    /// Resolves the configuration. Sends nothing to AWS; credentials are looked for at the first call.
    ///
    /// # Errors
    /// `Config` when no Region is named, the profile does not exist or the endpoint is no URL.
    pub async fn connect(spec: ConnectionSpec) -> Result<Self, GatewayError> {
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
        if let Some(name) = &spec.profile
            && !profile::profiles().await?.iter().any(|profile| profile.name == *name)
        {
            return Err(config_error(
                &spec,
                format!("there is no profile `{name}` in the AWS configuration files"),
            ));
        }
        let shared = Box::pin(client::shared_config(&spec, first)).await;
        let clock = AwsClock::default();
        let site = |region: &Region| {
            let site = Site {
                region: region.clone(),
                clients: client::clients(&shared, region, &spec.patience, &clock),
                line: Line {
                    origin: Arc::new(Origin {
                        region: Some(region.clone()),
                        profile: spec.profile.clone(),
                        endpoint: spec.endpoint_url.clone(),
                    }),
                    budget: Budget::new(spec.budget_share, spec.rates.clone()),
                    meter: Meter::default(),
                    patience: spec.patience,
                    chance: Mutex::new(fastrand::Rng::new()),
                },
            };
            (region.clone(), Arc::new(site))
        };
        let sites = Arc::new(spec.regions.iter().map(site).collect());
        Ok(Self { sites, clock })
    }

    /// The Regions of the connection.
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        self.sites.keys()
    }

    /// AWS's own time, by the last answer that told it and the time this process has seen pass since; never later than
    /// the truth. `None` until an answer told it.
    pub fn aws_now(&self) -> Option<Timestamp> {
        self.clock.now()
    }

    /// All reads of a Region, at the lowest priority.
    ///
    /// # Errors
    /// `Config` when the connection does not name the Region.
    pub fn reader(&self, region: &Region) -> Result<Reader, GatewayError> {
        Ok(Reader::new(Arc::clone(self.site(region)?), Priority::default()))
    }

    /// All changes of a Region, for the guard alone.
    ///
    /// # Errors
    /// `ReadOnly` when the grant has ended, `Config` when the connection does not name the Region.
    pub fn operator(&self, region: &Region, grant: &Grant) -> Result<Operator, GatewayError> {
        let site = self.site(region)?;
        if !grant.is_valid() {
            return Err(site.line.error(ErrorKind::ReadOnly, "connect", None, ""));
        }
        Ok(Operator::new(Arc::clone(site), grant.clone()))
    }

    /// The event feed of a queue.
    ///
    /// # Errors
    /// `Config` when the connection does not name the queue's Region.
    pub fn event_feed(&self, queue: &EventQueue) -> Result<EventFeed, GatewayError> {
        Ok(EventFeed::new(Arc::clone(self.site(&queue.region)?), queue.url.clone()))
    }

    /// Asks AWS whom it takes us for; needs no permission.
    ///
    /// # Errors
    /// Any kind; `Credentials` carries the login to run as its remedy.
    pub async fn caller_identity(&self, region: &Region) -> Result<CallerIdentity, GatewayError> {
        const OPERATION: &str = "GetCallerIdentity";
        let site = self.site(region)?;
        let call = Call::new(OPERATION, None, Priority::OnScreen);
        let answer = site.line.call(call, || site.clients.sts.get_caller_identity().send()).await?;
        match (answer.account, answer.arn) {
            (Some(account), Some(arn)) => Ok(CallerIdentity { account: AccountId::new(account), arn }),
            _ => Err(site.line.error(
                ErrorKind::Decode,
                OPERATION,
                None,
                "the answer names no account or no ARN",
            )),
        }
    }

    /// Tries each read action once in each Region, as cheaply as it can be tried; all Regions at once, the answers
    /// in order of Region. The queues of the event feed have a check of their own.
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

    /// What was asked of AWS since the connection was opened.
    pub fn usage(&self) -> Usage {
        let now = Instant::now();
        let mut usage = Usage::default();
        for (region, site) in self.sites.iter() {
            usage.cloudwatch_metrics_requested += site.line.meter.metrics_requested();
            for (operation, count) in site.line.meter.counts() {
                let published_per_second = site.line.budget.published_per_second(operation);
                usage.operations.push(OperationUsage {
                    region: region.clone(),
                    operation,
                    calls: count.calls,
                    retries: count.retries,
                    throttles: count.throttles,
                    errors: count.errors,
                    allowed_per_second: site.line.budget.allowed_per_second(operation),
                    published_per_second,
                    published_share: published_per_second
                        .map_or(0.0, |published| count.per_second(now) / published),
                });
            }
        }
        usage
    }

    fn site(&self, region: &Region) -> Result<&Arc<Site>, GatewayError> {
        self.sites.get(region).ok_or_else(|| {
            let message = format!("the connection does not name the Region {region}");
            GatewayError::plain(ErrorKind::Config, "connect", message)
        })
    }
}

fn config_error(spec: &ConnectionSpec, message: impl Into<String>) -> GatewayError {
    let origin = Origin { region: None, profile: spec.profile.clone(), endpoint: spec.endpoint_url.clone() };
    GatewayError { origin: Arc::new(origin), ..GatewayError::plain(ErrorKind::Config, "connect", message) }
}
