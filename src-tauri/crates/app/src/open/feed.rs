//! The event queues of the open connection: inspecting, adopting and releasing one.

use liftdeck_collector::adoption::{self, Peek, QueueLook};
use liftdeck_gateway::{EventQueue, Gateway};
use liftdeck_model::feed::{Adoption, ForeignBodies, is_same_url};
use liftdeck_model::observation::PollKind;
use liftdeck_store::Writer;
use liftdeck_store::reader::freshness::{Basis, Freshness};

use super::OpenConnection;
use crate::clock::Clock;
use liftdeck_api::error::{AppError, ErrorKind};

impl OpenConnection {
    /// Inspects one of the connection's queues, and keeps the result for its adoption.
    pub(crate) async fn feed_look(&self, url: &str, peek: Peek) -> Result<QueueLook, AppError> {
        let queue = self.event_queue(url)?;
        let gateway = self.gateway_of_its_own().await?;
        let account = Box::pin(gateway.prove()).await?.account;
        let adopted = self.reader.adoptions().await?;
        let now = (self.clock)();
        let looking = adoption::look(&gateway, &queue, &account, &adopted, peek, now);
        let look = Box::pin(looking).await?;
        *self.look.lock() = Some(look.clone());
        Ok(look)
    }

    /// Adopts the queue that was inspected last.
    pub(crate) async fn feed_adopt(
        &self,
        url: &str,
        foreign: ForeignBodies,
        typed: Option<&str>,
    ) -> Result<(), AppError> {
        let now = (self.clock)();
        let look = self.look.lock().clone().filter(|look| look.queue.url == url && look.holds(now));
        let look = look.ok_or_else(|| {
            AppError::new(
                ErrorKind::Expired,
                "Nothing was adopted: the inspection of this queue has expired.",
            )
            .about(url)
            .remedy("Look at it again.")
        })?;
        let by = Box::pin(self.gateway_of_its_own().await?.prove()).await?;
        let adoption = look.adopt(foreign, typed, Some(by.arn), now).map_err(|refusal| {
            let kind = match refusal {
                adoption::Refusal::NotTyped { .. } => ErrorKind::NotTyped,
                _ => ErrorKind::Refused,
            };
            AppError::new(kind, refusal.to_string()).about(url)
        })?;
        self.writer().await?.adopt_queue(adoption).await?;
        self.look.lock().take();
        Ok(())
    }

    /// Releases an adopted queue.
    pub(crate) async fn feed_release(&self, url: &str) -> Result<(), AppError> {
        let adoptions: Vec<Adoption> = self.reader.adoptions().await?;
        let found = adoptions.into_iter().find(|adoption| is_same_url(&adoption.queue_url, url));
        let found = found.ok_or_else(|| {
            AppError::new(ErrorKind::NotFound, "This queue is not adopted: there is nothing to release.")
                .about(url)
        })?;
        Ok(self.writer().await?.release_queue(&found.queue_arn).await?)
    }

    /// The freshness of data that comes from events.
    pub(crate) fn feed_freshness(&self) -> Freshness {
        self.reader.freshness(Basis::All(PollKind::EventFeed), (self.clock)())
    }

    async fn gateway_of_its_own(&self) -> Result<Gateway, AppError> {
        self.may_ask_aws()?;
        self.connect().await
    }

    fn event_queue(&self, url: &str) -> Result<EventQueue, AppError> {
        let queue = self.connection.event_queues.iter().find(|queue| queue.url == url);
        queue.cloned().ok_or_else(|| {
            AppError::new(ErrorKind::NotFound, "This connection has no such event queue.").about(url)
        })
    }
}

/// Adopts the queues of a world that Liftdeck itself created.
pub(super) async fn adopt_own(
    gateway: &Gateway,
    queues: &[EventQueue],
    writer: &Writer,
    clock: &Clock,
) -> Result<(), AppError> {
    let account = Box::pin(gateway.prove()).await?.account;
    for queue in queues {
        let looking = adoption::look(gateway, queue, &account, &[], Peek::Unharmful, clock());
        let look = Box::pin(looking).await?;
        let adoption = look
            .adopt(ForeignBodies::Leave, None, None, clock())
            .map_err(|refusal| AppError::new(ErrorKind::Internal, refusal.to_string()))?;
        writer.adopt_queue(adoption).await?;
    }
    Ok(())
}
