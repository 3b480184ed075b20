//! An SQS queue of a simulated world, used as any client would; the simulator verifies no signature.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// A queue.
pub struct Queue {
    /// Its URL.
    pub url: String,
    endpoint: String,
    region: String,
}

impl Queue {
    /// Returns a queue that exists.
    pub fn at(endpoint: &str, region: &str, url: &str) -> Self {
        Self { url: url.to_owned(), endpoint: endpoint.to_owned(), region: region.to_owned() }
    }

    /// Creates a queue.
    ///
    /// # Panics
    /// If the request is refused.
    pub fn create(endpoint: &str, region: &str, name: &str) -> Self {
        let mut queue = Self::at(endpoint, region, "");
        let made = queue.ask("CreateQueue", &json!({ "QueueName": name }));
        queue.url = made["QueueUrl"].as_str().expect("a URL").to_owned();
        queue
    }

    /// Sends messages.
    ///
    /// # Panics
    /// If one is refused.
    pub fn send(&self, bodies: impl IntoIterator<Item = String>) {
        for body in bodies {
            self.ask("SendMessage", &json!({ "QueueUrl": self.url, "MessageBody": body }));
        }
    }

    /// Returns how many messages are in it, in flight or not.
    ///
    /// # Panics
    /// If the response has no counts.
    pub fn left(&self) -> u64 {
        let told =
            self.ask("GetQueueAttributes", &json!({ "QueueUrl": self.url, "AttributeNames": ["All"] }));
        let count = |name: &str| -> u64 {
            let count = told["Attributes"][name].as_str().and_then(|count| count.parse().ok());
            count.unwrap_or_else(|| panic!("no {name} in {told}"))
        };
        ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"].into_iter().map(count).sum()
    }

    /// Calls an action; returns null if the response is empty.
    ///
    /// # Panics
    /// If the request is refused.
    pub fn ask(&self, action: &str, body: &Value) -> Value {
        let scope = format!("AKIDEXAMPLE/20261121/{}/sqs/aws4_request", self.region);
        let signed = format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00");
        let request = ureq::post(&self.endpoint)
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-target", format!("AmazonSQS.{action}"))
            .header("authorization", signed);
        let answer = request.send(body.to_string()).expect(action).body_mut().read_to_string().expect(action);
        if answer.is_empty() { Value::Null } else { serde_json::from_str(&answer).expect(action) }
    }
}

/// Returns a placement event as EventBridge would deliver it, dated now: event `number` of this sender, for a queue
/// that the quiet world has in eu-west-1.
pub fn placement_event(number: u64, placement_id: &str, region: &str) -> String {
    let ended = Timestamp::now();
    let (started, at) =
        (ended - SignedDuration::from_secs(30), ended.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
    json!({
        "version": "0", "id": format!("00000000-0000-4000-8000-{number:012}"),
        "detail-type": "GameLift Queue Placement Event", "source": "aws.gamelift", "account": "111122223333",
        "time": at, "region": region,
        "resources": [format!("arn:aws:gamelift:{region}:111122223333:gamesessionqueue/arena-eu")],
        "detail": {"type": "PlacementTimedOut", "placementId": placement_id,
            "startTime": format!("{started:.3}"), "endTime": format!("{ended:.3}")}
    })
    .to_string()
}
