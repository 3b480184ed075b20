//! The half of the gateway that reads: every read of one Region, in the model's types.
//!
//! Owns what all reads have in common: priority, paging, the proof of completeness. The reads themselves are
//! in the submodules, one per subject. Deliberately cannot change anything.

use std::error::Error;
use std::future::Future;
use std::sync::Arc;

use aws_sdk_gamelift::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use liftdeck_model::Region;

use crate::budget::Priority;
use crate::call::Call;
use crate::error::{ErrorKind, GatewayError};
use crate::gateway::Site;
use crate::mapping::Lacks;
use crate::page::{self, PageOf, PageToken, Reading};

mod capacity;
mod configuration;
mod fleet;
mod game_session;
mod matchmaking;
mod metric;
mod routing;
mod search;
mod trail;

pub use game_session::GameSessionFilter;
pub(crate) use metric::metric_probe;
pub use metric::{MetricId, MetricReading, MetricRequest, MetricSeriesSamples, metrics_billed};
pub use search::{MAX_SEARCH_PAGES, SearchPages};

/// All reads of one Region of a connection.
#[derive(Clone, Debug)]
pub struct Reader {
    site: Arc<Site>,
    priority: Priority,
}

impl Reader {
    pub(crate) const fn new(site: Arc<Site>, priority: Priority) -> Self {
        Self { site, priority }
    }

    /// The same reads with a different priority in the request budget.
    #[must_use]
    pub fn with_priority(&self, priority: Priority) -> Self {
        Self { site: Arc::clone(&self.site), priority }
    }

    /// The Region that is read.
    pub fn region(&self) -> &Region {
        &self.site.region
    }

    fn gamelift(&self) -> &aws_sdk_gamelift::Client {
        &self.site.clients.gamelift
    }

    fn lacks(&self, operation: &'static str, resource: Option<&str>, lacks: Lacks) -> GatewayError {
        self.site.proven.error(ErrorKind::Decode, operation, resource, lacks.to_string())
    }

    /// Makes one call and returns its response.
    async fn ask<O, E, Fut>(
        &self,
        operation: &'static str,
        resource: Option<&str>,
        send: impl Fn() -> Fut,
    ) -> Result<O, GatewayError>
    where
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        self.site.proven.call(Call::new(operation, resource, self.priority), send).await
    }

    /// Makes one call about a resource that may not exist; `None` if AWS does not find it.
    async fn find<O, E, Fut, I, T>(
        &self,
        operation: &'static str,
        resource: &str,
        send: impl Fn() -> Fut,
        split: impl FnOnce(O) -> Option<I>,
        convert: impl FnOnce(I) -> Result<T, Lacks>,
    ) -> Result<Option<T>, GatewayError>
    where
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        match self.ask(operation, Some(resource), send).await {
            Ok(answer) => split(answer)
                .map(convert)
                .transpose()
                .map_err(|lacks| self.lacks(operation, Some(resource), lacks)),
            Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads one page: `send` requests it, `split` takes the response apart, `convert` maps an item. Items that lack
    /// a required member are left out and recorded as the page's flaw.
    async fn page<O, E, Fut, I, T>(
        &self,
        operation: &'static str,
        resource: Option<&str>,
        from: Option<PageToken>,
        send: &impl Fn(Option<String>) -> Fut,
        split: &impl Fn(O) -> (Option<Vec<I>>, Option<String>),
        convert: &impl Fn(I) -> Result<T, Lacks>,
    ) -> Result<PageOf<T>, GatewayError>
    where
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        let token = from.as_ref().map(|from| from.text().to_owned());
        let (found, next) = split(self.ask(operation, resource, || send(token.clone())).await?);
        let mut lacking = None;
        let convert = |item| convert(item).map_err(|lacks| lacking = Some(lacks)).ok();
        let items = found.unwrap_or_default().into_iter().filter_map(convert).collect();
        let mut page = PageOf::new(items, from, next, |message| {
            self.site.proven.error(ErrorKind::Decode, operation, resource, message)
        });
        page.flaw = page.flaw.or_else(|| lacking.map(|lacks| self.lacks(operation, resource, lacks)));
        Ok(page)
    }

    /// Reads every page.
    async fn list<O, E, Fut, I, T>(
        &self,
        operation: &'static str,
        resource: Option<&str>,
        send: impl Fn(Option<String>) -> Fut,
        split: impl Fn(O) -> (Option<Vec<I>>, Option<String>),
        convert: impl Fn(I) -> Result<T, Lacks>,
    ) -> Reading<T>
    where
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        page::read_all(|from| self.page(operation, resource, from, &send, &split, &convert)).await
    }
}
