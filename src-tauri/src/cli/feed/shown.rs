//! Formats a queue that was looked at as text and JSON, and an adoption or a message set aside as JSON.

use liftdeck_collector::adoption::{QueueLook, Unseen};
use liftdeck_model::feed::Adoption;
use liftdeck_store::reader::feed::AsideMessage;
use serde_json::{Value, json};

use super::super::Lines;

pub(super) fn look_text(look: &QueueLook) -> Lines {
    let attributes = &look.attributes;
    let mut text = Lines::default();
    let mut line = |name: &str, value: &str| text.push(format!("{name:<12} {value}"));
    line("Queue", &look.arn);
    line("URL", &look.queue.url);
    line("Account", look.account.as_str());
    if let Some(created_at) = attributes.created_at {
        line("Made", &created_at.to_rfc3339());
    }
    line(
        "Messages",
        &format!(
            "about {} waiting, {} in flight, {} delayed",
            attributes.waiting, attributes.in_flight, attributes.delayed
        ),
    );
    if let Some(redrive) = &attributes.redrive {
        line(
            "Dead letters",
            &format!("to {} after {} receives", redrive.dead_letter_arn, redrive.max_receives),
        );
    }
    if look.senders.is_empty() {
        line("May send", "its owner only: the policy allows nobody else");
    }
    for sender in &look.senders {
        line("May send", &sender.to_string());
    }
    line("Subscribed", "not checked: SNS and EventBridge know which of their topics and rules send");
    match &look.waiting {
        Err(Unseen::Adopted) => {
            line("Looked at", "no: the queue is adopted, and its messages are being received")
        }
        Err(Unseen::DeadLetterRule) => line(
            "Looked at",
            "no: each look counts towards the dead-letter rule. Add --look-anyway to look all the same",
        ),
        Ok(waiting) => {
            line("Looked at", &waiting.to_string());
            for example in &waiting.examples {
                line("", &format!("{}: {}", example.detail, example.beginning));
            }
            if let Some(why) = &waiting.kept_hidden {
                line("", &format!("They become visible again after ten seconds: {why}"));
            }
        }
    }
    if let Some(against) = look.against() {
        line("Beware", &against);
    }
    text
}

pub(super) fn look_json(look: &QueueLook) -> Value {
    let attributes = &look.attributes;
    json!({
        "queue_arn": look.arn, "queue_url": look.queue.url, "region": look.queue.region, "account": look.account,
        "created_at": attributes.created_at.map(|at| at.to_rfc3339()),
        "waiting": attributes.waiting, "in_flight": attributes.in_flight, "delayed": attributes.delayed,
        "policy": attributes.policy,
        "redrive": attributes.redrive.as_ref().map(|redrive| json!({
            "dead_letter_arn": redrive.dead_letter_arn, "max_receives": redrive.max_receives })),
        "senders": look.senders,
        "looked_at": look.waiting.as_ref().ok().map(|waiting| json!({
            "messages": waiting.looked_at, "events": waiting.events, "other_accounts": waiting.other_accounts,
            "foreign": waiting.foreign, "examples": waiting.examples })),
        "against": look.against(),
    })
}

pub(super) fn adoption_json(adoption: &Adoption) -> Value {
    json!({
        "queue_arn": adoption.queue_arn, "queue_url": adoption.queue_url, "region": adoption.region,
        "adopted_at": adoption.adopted_at.to_rfc3339(), "adopted_by": adoption.adopted_by,
        "foreign_bodies": adoption.foreign_bodies, "halted": adoption.halted,
    })
}

pub(super) fn aside_json(message: &AsideMessage) -> Value {
    json!({
        "message_id": message.message_id, "queue_url": message.queue_url, "region": message.region,
        "received_at": message.received_at.to_rfc3339(), "reason": message.reason, "detail": message.detail,
        "bytes": message.bytes, "body": message.body,
    })
}
