//! What queues and matchmakers publish, as the JSON that arrives in SQS: an SNS notification around the event, the
//! event itself from a raw SNS subscription, or the event itself from an EventBridge rule.
//!
//! The route of an event depends on whether its resource has a topic. Subscriptions are up to SNS, delivery is up to
//! the queue.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::sqs::{Attribute, Author, Body, Order, Sent};
use liftdeck_simulated_world::records::{
    MatchmakingKind, MatchmakingNotice, Notice, NoticeConnection, NoticeDetail, NoticePlayer, NoticeTicket,
    PlacementNotice, PlacementOutcome, RuleEvaluation,
};

/// A message published on a topic.
#[derive(Debug, Clone)]
pub(crate) struct Publication {
    /// The ARN of the topic.
    pub(crate) topic: String,
    /// The id of the message.
    pub(crate) id: String,
    /// The subject, if there is one.
    pub(crate) subject: Option<String>,
    /// The body of the message.
    pub(crate) body: Body,
    /// The publisher's attributes.
    pub(crate) attributes: BTreeMap<String, Attribute>,
    /// The group and deduplication id on a FIFO topic.
    pub(crate) order: Option<Order>,
    /// When it was published, in virtual time.
    pub(crate) at_ms: i64,
}

/// Returns what a resource publishes about an event on its topic. On a FIFO topic, the events of one resource form a
/// group.
pub(crate) fn publication(notice: Notice, topic: String, account: &str) -> Publication {
    Publication {
        id: identifier(&notice.id, "notification"),
        subject: None,
        attributes: BTreeMap::new(),
        order: topic
            .ends_with(".fifo")
            .then(|| Order { group: notice.resource_arn.clone(), deduplication: notice.id.clone() }),
        at_ms: notice.time_ms,
        body: Body::by(Announcement { notice, account: account.to_owned() }),
        topic,
    }
}

/// An event of the world, written only when it is read.
#[derive(Debug)]
struct Announcement {
    notice: Notice,
    account: String,
}

impl Author for Announcement {
    fn write(&self) -> String {
        event(&self.notice, &self.account).to_string()
    }
}

/// A message in the SNS envelope for a subscription, written only when it is read.
#[derive(Debug)]
struct Envelope {
    publication: Publication,
    subscription: String,
}

impl Author for Envelope {
    fn write(&self) -> String {
        envelope(&self.publication, &self.subscription).to_string()
    }
}

/// Returns the message for a subscription without raw message delivery.
pub(crate) fn wrapped(publication: &Publication, subscription: &str) -> Body {
    Body::by(Envelope { publication: publication.clone(), subscription: subscription.to_owned() })
}

/// Returns the message that an EventBridge rule sends for an event.
pub(crate) fn ruled(notice: Notice, account: &str) -> Sent {
    Sent {
        id: identifier(&notice.id, "message"),
        attributes: BTreeMap::new(),
        at_ms: notice.time_ms,
        body: Body::by(Announcement { notice, account: account.to_owned() }),
        order: None,
        source: None,
    }
}

/// Returns an id in the form of a UUID that depends only on the arguments.
pub(crate) fn identifier(of: &str, purpose: &str) -> String {
    let digest = Sha256::digest(format!("{purpose} {of}").as_bytes());
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(digest) {
        *byte = from;
    }
    uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
}

fn event(notice: &Notice, account: &str) -> Value {
    let (kind, mut detail) = match &notice.detail {
        NoticeDetail::Placement(placement) => ("GameLift Queue Placement Event", placement_detail(placement)),
        NoticeDetail::Matchmaking(matchmaking) => {
            ("GameLift Matchmaking Event", matchmaking_detail(matchmaking))
        }
    };
    put(&mut detail, "customEventData", notice.custom_event_data.as_deref());
    let mut members = Map::new();
    put(&mut members, "version", Some("0"));
    put(&mut members, "id", Some(notice.id.as_str()));
    put(&mut members, "detail-type", Some(kind));
    put(&mut members, "source", Some("aws.gamelift"));
    put(&mut members, "account", Some(account));
    put(&mut members, "time", Some(time(notice.time_ms, "%Y-%m-%dT%H:%M:%SZ")));
    put(&mut members, "region", Some(notice.region.as_str()));
    put(&mut members, "resources", Some(vec![notice.resource_arn.as_str()]));
    put(&mut members, "detail", Some(detail));
    Value::Object(members)
}

/// Returns the SNS envelope around a message that is not delivered raw.
fn envelope(publication: &Publication, subscription: &str) -> Value {
    let region = publication.topic.split(':').nth(3).unwrap_or_default();
    let sns = format!("https://sns.{region}.amazonaws.com/");
    let mut members = Map::new();
    put(&mut members, "Type", Some("Notification"));
    put(&mut members, "MessageId", Some(publication.id.as_str()));
    put(&mut members, "TopicArn", Some(publication.topic.as_str()));
    put(&mut members, "Subject", publication.subject.as_deref());
    put(&mut members, "Message", Some(publication.body.text()));
    put(&mut members, "Timestamp", Some(precise(publication.at_ms)));
    put(&mut members, "SignatureVersion", Some("1"));
    put(&mut members, "Signature", Some("c2lnbmF0dXJl"));
    let certificate = format!("{sns}SimpleNotificationService-0123456789abcdef.pem");
    put(&mut members, "SigningCertURL", Some(certificate));
    let leave = format!("{sns}?Action=Unsubscribe&SubscriptionArn={subscription}");
    put(&mut members, "UnsubscribeURL", Some(leave));
    let attributes = publication.attributes.iter().map(|(name, attribute)| {
        let value = attribute.text.clone().unwrap_or_default();
        (name.clone(), json!({ "Type": attribute.data_type, "Value": value }))
    });
    let attributes: Map<String, Value> = attributes.collect();
    put(&mut members, "MessageAttributes", (!attributes.is_empty()).then_some(attributes));
    Value::Object(members)
}

fn placement_detail(placement: &PlacementNotice) -> Map<String, Value> {
    let mut detail = Map::new();
    put(&mut detail, "type", Some(placement.outcome.event_type()));
    put(&mut detail, "placementId", Some(placement.placement_id.as_str()));
    put(&mut detail, "startTime", Some(precise(placement.start_time_ms)));
    put(&mut detail, "endTime", Some(precise(placement.end_time_ms)));
    if let PlacementOutcome::Fulfilled(fulfilled) = &placement.outcome {
        // The service writes a string here, but a number in matchmaking events.
        put(&mut detail, "port", Some(fulfilled.port.to_string()));
        put(&mut detail, "gameSessionArn", Some(fulfilled.game_session_arn.as_str()));
        put(&mut detail, "ipAddress", Some(fulfilled.ip_address.as_str()));
        put(&mut detail, "dnsName", fulfilled.dns_name.as_deref());
        put(&mut detail, "gameSessionRegion", Some(fulfilled.game_session_region.as_str()));
        put(&mut detail, "gameSessionLocation", Some(fulfilled.game_session_location.as_str()));
        put(&mut detail, "playerGatewayStatus", Some("DISABLED"));
        put(&mut detail, "computeName", Some(fulfilled.compute_name.as_str()));
        let placed = fulfilled.placed_player_sessions.iter();
        let placed: Vec<Value> = placed
            .map(
                |placed| json!({ "playerId": placed.player_id, "playerSessionId": placed.player_session_id }),
            )
            .collect();
        put(&mut detail, "placedPlayerSessions", Some(placed));
    }
    detail
}

fn matchmaking_detail(notice: &MatchmakingNotice) -> Map<String, Value> {
    let mut detail = Map::new();
    put(&mut detail, "type", Some(notice.kind.event_type()));
    put(&mut detail, "reason", notice.kind.reason());
    put(&mut detail, "tickets", Some(notice.tickets.iter().map(ticket).collect::<Vec<_>>()));
    put(&mut detail, "matchId", notice.match_id.as_deref());
    match &notice.kind {
        MatchmakingKind::Searching { estimated_wait_s } => {
            let wait = estimated_wait_s.map_or(Value::from("NOT_AVAILABLE"), Value::from);
            put(&mut detail, "estimatedWaitMillis", Some(wait));
        }
        MatchmakingKind::PotentialMatchCreated {
            acceptance_required,
            acceptance_timeout_s,
            rule_evaluation_metrics,
        } => {
            put(&mut detail, "acceptanceRequired", Some(*acceptance_required));
            put(&mut detail, "acceptanceTimeout", *acceptance_timeout_s);
            put(&mut detail, "ruleEvaluationMetrics", Some(evaluations(rule_evaluation_metrics)));
        }
        MatchmakingKind::AcceptMatchCompleted { acceptance } => {
            put(&mut detail, "acceptance", Some(*acceptance));
        }
        MatchmakingKind::TimedOut { rule_evaluation_metrics, message }
        | MatchmakingKind::Cancelled { rule_evaluation_metrics, message }
        | MatchmakingKind::Failed { rule_evaluation_metrics, message, .. } => {
            put(&mut detail, "message", Some(message.as_str()));
            put(&mut detail, "ruleEvaluationMetrics", Some(evaluations(rule_evaluation_metrics)));
        }
        MatchmakingKind::AcceptMatch | MatchmakingKind::Succeeded => {}
    }
    put(&mut detail, "gameSessionInfo", Some(game_session_info(notice)));
    detail
}

fn game_session_info(notice: &MatchmakingNotice) -> Value {
    let mut info = notice.connection.as_ref().map(connection).unwrap_or_default();
    let players = notice.tickets.iter().flat_map(|ticket| &ticket.players).map(player);
    put(&mut info, "players", Some(players.collect::<Vec<_>>()));
    Value::Object(info)
}

fn connection(connection: &NoticeConnection) -> Map<String, Value> {
    let mut info = Map::new();
    put(&mut info, "gameSessionArn", Some(connection.game_session_arn.as_str()));
    put(&mut info, "ipAddress", Some(connection.ip_address.as_str()));
    put(&mut info, "dnsName", connection.dns_name.as_deref());
    put(&mut info, "port", Some(connection.port));
    put(&mut info, "playerGatewayStatus", Some("DISABLED"));
    put(&mut info, "computeName", Some(connection.compute_name.as_str()));
    put(&mut info, "gameSessionLocation", Some(connection.game_session_location.as_str()));
    info
}

fn ticket(ticket: &NoticeTicket) -> Value {
    let players: Vec<Value> = ticket.players.iter().map(player).collect();
    json!({ "ticketId": ticket.ticket_id, "startTime": precise(ticket.start_time_ms), "players": players })
}

fn player(player: &NoticePlayer) -> Value {
    let mut members = Map::new();
    put(&mut members, "playerId", Some(player.player_id.as_str()));
    put(&mut members, "team", player.team.as_deref());
    put(&mut members, "accepted", player.accepted);
    put(&mut members, "playerSessionId", player.player_session_id.as_deref());
    Value::Object(members)
}

fn evaluations(metrics: &[RuleEvaluation]) -> Vec<Value> {
    let all = metrics.iter();
    all.map(|rule| {
        json!({ "ruleName": rule.rule_name, "passedCount": rule.passed_count, "failedCount": rule.failed_count })
    })
    .collect()
}

fn put(members: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        members.insert(name.to_owned(), value.into());
    }
}

fn precise(at_ms: i64) -> String {
    time(at_ms, "%Y-%m-%dT%H:%M:%S%.3fZ")
}

fn time(at_ms: i64, format: &str) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH);
    at.strftime(format).to_string()
}

#[cfg(test)]
mod tests;
