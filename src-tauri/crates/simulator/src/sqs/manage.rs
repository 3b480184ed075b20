//! The SQS operations that create, change, purge and delete queues.

use std::collections::BTreeMap;
use std::time::Duration;

use super::input::{CreateInput, QueueInput, SetInput};
use super::operation::Sqs;
use super::settings::Settings;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place};

/// A queue can be purged once in this time.
const PURGE_PAUSE: Duration = Duration::from_secs(60);

/// A deleted queue's name can be used again after this time (SQS API reference, DeleteQueue).
const DELETION_PAUSE: Duration = Duration::from_secs(60);

fn invalid(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("InvalidParameterValueException", message).with_query_code("InvalidParameterValue")
}

impl Sqs {
    /// `CreateQueue`: an existing queue with the same attributes is returned again.
    pub(super) fn create(
        &self,
        region: &str,
        input: &CreateInput,
        virtual_ms: i64,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let attributes = input.attributes.clone().unwrap_or_default();
        let name = input.name.as_str();
        let (stem, is_fifo) = name.strip_suffix(".fifo").map_or((name, false), |stem| (stem, true));
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        if stem.is_empty() || name.len() > 80 || !stem.chars().all(allowed) {
            return Err(invalid(
                "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length.",
            ));
        }
        let unknown = attributes.iter().find(|(name, value)| {
            !is_fifo && (*name == "ContentBasedDeduplication" || (*name == "FifoQueue" && *value == "false"))
        });
        if let Some((name, _)) = unknown {
            // A standard queue has no such attribute, not even with the value `false`.
            return Err(ServiceError::new("InvalidAttributeName", format!("Unknown Attribute {name}.")));
        }
        if is_fifo != attributes.get("FifoQueue").is_some_and(|value| value == "true") {
            return Err(invalid(
                "The name of a FIFO queue can only end with '.fifo', and FifoQueue has to be true.",
            ));
        }
        let mut settings = Settings::default();
        settings.set(&attributes)?;
        self.check_redrive(&settings)?;
        let queue = match self.queues.find(region, name) {
            Some(known) if known.settings(|own| own.holds(&attributes)) => known,
            Some(_) => {
                let message = format!(
                    "A queue already exists with the same name and a different value for an attribute: {name}."
                );
                return Err(
                    ServiceError::new("QueueNameExists", message).with_query_code("QueueAlreadyExists")
                );
            }
            None if self.queues.was_deleted(region, name, self.queues.now(), DELETION_PAUSE) => {
                let message = "You must wait 60 seconds after deleting a queue before you can create another with the same name.";
                return Err(ServiceError::new("QueueDeletedRecently", message)
                    .with_query_code("AWS.SimpleQueueService.QueueDeletedRecently"));
            }
            None => self.queues.add(region, name, settings, virtual_ms),
        };
        in_place!({ "QueueUrl" => queue.url() }).write(writer);
        Ok(())
    }

    /// `SetQueueAttributes`.
    pub(super) fn set(&self, region: &str, input: &SetInput, virtual_ms: i64) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        if input.attributes.contains_key("FifoQueue") {
            return Err(ServiceError::new("InvalidAttributeName", "FifoQueue cannot be changed."));
        }
        let mut settings = queue.settings(Clone::clone);
        settings.set(&input.attributes)?;
        self.check_redrive(&settings)?;
        queue.change(settings, virtual_ms);
        Ok(())
    }

    fn check_redrive(&self, settings: &Settings) -> Result<(), ServiceError> {
        let Some(redrive) = settings.redrive() else { return Ok(()) };
        let target = self.queues.with_arn(&redrive.target);
        if target.is_some_and(|target| target.settings(Settings::is_fifo) == settings.is_fifo()) {
            return Ok(());
        }
        let message =
            format!("The dead-letter queue {} does not exist or is of another type.", redrive.target);
        Err(invalid(message))
    }

    /// `DeleteQueue`.
    pub(super) fn delete_queue(&self, region: &str, input: &QueueInput) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        self.queues.remove(region, queue.name(), self.queues.now());
        Ok(())
    }

    /// `PurgeQueue`.
    pub(super) fn purge(&self, region: &str, input: &QueueInput) -> Result<(), ServiceError> {
        let queue = self.queue(region, &input.queue_url)?;
        if queue.purge(self.queues.now(), PURGE_PAUSE) {
            return Ok(());
        }
        let message =
            format!("Only one PurgeQueue operation on {} is allowed every 60 seconds.", queue.name());
        Err(ServiceError::new("PurgeQueueInProgress", message)
            .with_query_code("AWS.SimpleQueueService.PurgeQueueInProgress")
            .with_status(403))
    }
}

/// Checks what a sender has to give for a FIFO queue and must not give for another.
pub(super) fn check_fifo(
    settings: &Settings,
    group: Option<&String>,
    deduplication: Option<&String>,
) -> Result<(), ServiceError> {
    let missing = |name: &str| {
        let message = format!("The request must contain the parameter {name}.");
        Err(ServiceError::new("MissingRequiredParameterException", message)
            .with_query_code("MissingParameter"))
    };
    match (settings.is_fifo(), group, deduplication) {
        (true, None, _) => missing("MessageGroupId"),
        (true, _, None) if !settings.deduplicates_by_content() => Err(invalid(
            "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
        )),
        (false, _, Some(_)) => Err(invalid(
            "The request includes a parameter that is not valid for this queue type: MessageDeduplicationId",
        )),
        _ => Ok(()),
    }
}

/// Builds the settings a queue starts with.
pub(super) fn settings_of(attributes: &[(&str, String)]) -> Settings {
    let given: BTreeMap<String, String> =
        attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let mut settings = Settings::default();
    if let Err(error) = settings.set(&given) {
        tracing::error!(%error, "a queue was given attributes it cannot have");
    }
    settings
}
