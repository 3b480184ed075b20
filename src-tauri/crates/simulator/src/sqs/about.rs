//! The SQS operations that describe queues.

use super::input::{AttributesInput, ListInput, UrlInput};
use super::operation::Sqs;
use super::settings::{Settings, is_known};
use crate::service::ServiceError;
use crate::wire::{Pairs, Wire, Writer, in_place};

impl Sqs {
    /// `GetQueueAttributes`.
    pub(super) fn attributes(
        &self,
        region: &str,
        input: &AttributesInput,
        virtual_ms: i64,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        let retention_ms = queue.settings(Settings::retention_ms);
        let (waiting, in_flight, delayed) = queue.with(|messages, now| {
            messages.settle(now, virtual_ms, retention_ms);
            messages.depth()
        });
        let (created_ms, modified_ms) = queue.times_ms();
        let mut known = vec![
            ("QueueArn", queue.arn().to_owned()),
            ("ApproximateNumberOfMessages", waiting.to_string()),
            ("ApproximateNumberOfMessagesNotVisible", in_flight.to_string()),
            ("ApproximateNumberOfMessagesDelayed", delayed.to_string()),
            ("CreatedTimestamp", (created_ms / 1_000).to_string()),
            ("LastModifiedTimestamp", (modified_ms / 1_000).to_string()),
        ];
        known.extend(queue.settings(Settings::all));
        let names = input.names.clone().unwrap_or_default();
        for name in &names {
            if name != "All" && !known.iter().any(|(known, _)| known == name) && !is_known(name) {
                let message = format!("Unknown Attribute {name}.");
                return Err(ServiceError::new("InvalidAttributeName", message));
            }
        }
        let asked: Vec<(String, String)> = known
            .into_iter()
            .filter(|(name, _)| names.iter().any(|asked| asked == "All" || asked == name))
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        in_place!({ "Attributes" => Pairs(&asked) }).write(writer);
        Ok(())
    }

    /// `GetQueueUrl`.
    pub(super) fn url(
        &self,
        region: &str,
        input: &UrlInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let name = match &input.owner {
            Some(owner) => format!("{owner}/{}", input.name),
            None => input.name.clone(),
        };
        let queue = self.queue(region, &name)?;
        in_place!({ "QueueUrl" => queue.url() }).write(writer);
        Ok(())
    }

    /// `ListQueues`.
    pub(super) fn list(
        &self,
        region: &str,
        input: &ListInput,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let prefix = input.prefix.as_deref().unwrap_or_default();
        let listing = format!("ListQueues {region} {prefix}");
        let after = match &input.token {
            Some(token) => Some(self.tokens.open(&listing, token).map_err(|_| {
                ServiceError::new("InvalidParameterValueException", "The NextToken is not valid.")
                    .with_query_code("InvalidParameterValue")
            })?),
            None => None,
        };
        let most = input.most.and_then(|most| usize::try_from(most).ok());
        let follows = |name: &str| after.as_deref().is_none_or(|after| name > after);
        let queues = self.queues.of(region);
        let mut queues =
            queues.iter().filter(|queue| queue.name().starts_with(prefix) && follows(queue.name()));
        let page: Vec<_> = queues.by_ref().take(most.unwrap_or(1_000)).collect();
        // Without MaxResults there is no token (SQS API reference, ListQueues).
        let last = page.last().filter(|_| most.is_some() && queues.next().is_some());
        let token = last.map(|queue| self.tokens.seal(&listing, queue.name()));
        let urls: Vec<&str> = page.iter().map(|queue| queue.url()).collect();
        // When there are no queues, the response has no list either.
        let urls = Some(urls).filter(|urls| !urls.is_empty());
        in_place!({ "QueueUrls" => urls, "NextToken" => token }).write(writer);
        Ok(())
    }
}
