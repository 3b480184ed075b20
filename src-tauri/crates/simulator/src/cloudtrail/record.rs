//! One recorded call, and the JSON of a CloudTrail event.
//!
//! The members follow the CloudTrail user guide (record contents). Nothing is decided here about when a record arrives.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::caller::Caller;
use super::members;
use crate::notification::identifier;
use crate::wire;
use liftdeck_simulated_world::{BackendCall, Deed, Person};

/// The version of the record format.
const VERSION: &str = "1.11";

/// The most bytes of request parameters that are recorded; more are left out (record contents: 100 KB).
const MOST_BYTES: usize = 100 * 1024;

/// The same for a read, of which many are kept. No read of GameLift has an input of that size.
const MOST_READ_BYTES: usize = 16 * 1024;

/// The call of the game's own backend that the world remembers.
pub(super) const BACKEND_CALL: &str = "StartGameSessionPlacement";

/// The input of a recorded call.
#[derive(Debug, Clone)]
pub(crate) enum Parameters {
    /// The body as it was sent: CBOR or JSON. Reads are many and seldom looked at, so they are read when they are.
    Sent {
        /// Whether it is CBOR.
        cbor: bool,
        /// The bytes.
        body: Vec<u8>,
    },
    /// The members; `null` if there are none or they could not be read.
    Members(Value),
}

impl Parameters {
    /// The input of a read, which is kept as it was sent.
    pub(crate) fn sent(cbor: bool, body: &[u8]) -> Parameters {
        let body = if body.len() > MOST_READ_BYTES { Vec::new() } else { body.to_vec() };
        Parameters::Sent { cbor, body }
    }

    /// The members of the input of a change.
    pub(crate) fn read(cbor: bool, body: &[u8]) -> Parameters {
        Parameters::Members(read(cbor, body))
    }

    fn members(&self) -> Value {
        match self {
            Parameters::Sent { cbor, body } => read(*cbor, body),
            Parameters::Members(members) => members.clone(),
        }
    }
}

/// Returns the members of a body as they are recorded, or `null` if it has none.
fn read(cbor: bool, body: &[u8]) -> Value {
    let read = if cbor { wire::read_cbor(body) } else { wire::read_json(body) };
    let members = read.map_or(Value::Null, |body| members::recorded(&body));
    let empty = members.as_object().is_none_or(Map::is_empty);
    if empty || members.to_string().len() > MOST_BYTES { Value::Null } else { members }
}

/// A call that is to be recorded.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// When it was made, in milliseconds since the epoch.
    pub(crate) at_ms: i64,
    /// The prefix of the service's IAM actions, which is also that of its event source.
    pub(crate) service: &'static str,
    /// The operation.
    pub(crate) name: String,
    /// Whether it only reads.
    pub(crate) read_only: bool,
    /// Who made it.
    pub(crate) caller: Caller,
    /// Its input.
    pub(crate) parameters: Parameters,
    /// Its output; `null` for reads, refused calls and calls without output.
    pub(crate) response: Value,
    /// The code and the message of a refused call.
    pub(crate) error: Option<(String, String)>,
    /// The id that its response carries.
    pub(crate) request_id: String,
}

impl Call {
    /// Returns the output of a change as it is recorded.
    pub(crate) fn response(cbor: bool, body: &[u8]) -> Value {
        read(cbor, body)
    }
}

/// A recorded call.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// The call.
    pub(super) call: Call,
    /// The id of the event.
    pub(super) id: String,
    /// Numbers from 0 to 1 that decide whether and when the record arrives.
    pub(super) lots: Lots,
}

/// The draws of one record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lots {
    /// Whether it is lost on the way to the event history.
    pub(super) lost: f64,
    /// Whether it is late.
    pub(super) late: f64,
    /// How long it takes.
    pub(super) delay: f64,
    /// Whether it is lost on the way to EventBridge, and how long that takes.
    pub(super) bridge: (f64, f64),
}

impl Record {
    /// Records a call. `name` identifies it in the account.
    pub(super) fn new(call: Call, name: &str) -> Record {
        let digest = Sha256::digest(format!("arrival {name}").as_bytes());
        let mut draws = digest.chunks_exact(6).map(|bytes| {
            let bits = bytes.iter().fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
            bits as f64 / (1_u64 << 48) as f64
        });
        let mut draw = || draws.next().unwrap_or_default();
        let lots = Lots { lost: draw(), late: draw(), delay: draw(), bridge: (draw(), draw()) };
        Record { call, id: identifier(name, "cloudtrail event"), lots }
    }

    /// Records a call of the game's own backend. It is only known that the call was made and which placement it
    /// started, so the parts of the response that change later are left out.
    pub(super) fn of_backend(made: &BackendCall<'_>, backend: &(Person, String)) -> Record {
        let (id, (person, access_key_id)) = (made.id(), backend.clone());
        let placement = made.placement();
        let latencies = placement.player_latencies.iter().map(|latency| {
            json!({
                "playerId": latency.player_id,
                "regionIdentifier": latency.region_identifier,
                "latencyInMilliseconds": latency.latency_in_milliseconds,
            })
        });
        let properties = placement.game_properties.iter();
        let properties = properties.map(|property| json!({ "key": property.key, "value": property.value }));
        let parameters = json!({
            "placementId": placement.placement_id,
            "gameSessionQueueName": placement.game_session_queue_name,
            "maximumPlayerSessionCount": placement.maximum_player_session_count,
            "gameProperties": properties.collect::<Vec<_>>(),
            "playerLatencies": latencies.collect::<Vec<_>>(),
        });
        let mut response = parameters.clone();
        response["status"] = "PENDING".into();
        response["startTime"] = (made.at_ms() as f64 / 1_000.0).into();
        let call = Call {
            at_ms: made.at_ms(),
            service: "gamelift",
            name: BACKEND_CALL.to_owned(),
            read_only: false,
            caller: Caller::Person { person, access_key_id },
            parameters: Parameters::Members(members::logged(&parameters, "")),
            response: members::logged(&json!({ "gameSessionPlacement": response }), ""),
            error: None,
            request_id: identifier(&id, "request"),
        };
        Record { id: id.clone(), ..Record::new(call, &id) }
    }

    /// Records what someone in the world of that seed did.
    pub(super) fn of_deed(deed: &Deed, seed: u64) -> Record {
        let name = format!("{seed} deed {}", deed.number);
        let members = |members: &Map<String, Value>| members::logged(&Value::Object(members.clone()), "");
        let call = Call {
            at_ms: deed.at_ms,
            service: "gamelift",
            name: deed.event_name.to_owned(),
            read_only: false,
            caller: Caller::Person { person: deed.person, access_key_id: deed.access_key_id.clone() },
            parameters: Parameters::Members(members(&deed.parameters)),
            response: deed.response.as_ref().map_or(Value::Null, members),
            error: None,
            request_id: identifier(&name, "request"),
        };
        Record::new(call, &name)
    }

    /// The IAM action, by which a fault plan names the call.
    pub(super) fn action(&self) -> String {
        format!("{}:{}", self.call.service, self.call.name)
    }

    /// The time of the event: whole seconds, in milliseconds since the epoch.
    pub(super) fn time_ms(&self) -> i64 {
        self.call.at_ms.div_euclid(1_000) * 1_000
    }

    /// The service that was called.
    pub(super) fn source(&self) -> String {
        format!("{}.amazonaws.com", self.call.service)
    }

    /// The event as JSON.
    pub(super) fn event(&self, region: &str, account: &str) -> Value {
        let call = &self.call;
        let mut event = json!({
            "eventVersion": VERSION,
            "userIdentity": call.caller.identity(account, call.at_ms),
            "eventTime": iso(call.at_ms),
            "eventSource": self.source(),
            "eventName": call.name,
            "awsRegion": region,
            "sourceIPAddress": call.caller.address(),
            "userAgent": call.caller.agent(&call.name),
            "requestParameters": call.parameters.members(),
            "responseElements": call.response,
            "requestID": call.request_id,
            "eventID": self.id,
            "readOnly": call.read_only,
            "eventType": "AwsApiCall",
            "managementEvent": true,
            "recipientAccountId": account,
            "eventCategory": "Management",
        });
        if let Some((code, message)) = &call.error {
            event["errorCode"] = code.as_str().into();
            event["errorMessage"] = message.as_str().into();
        }
        if call.caller.is_console() {
            event["sessionCredentialFromConsole"] = "true".into();
        }
        event
    }
}

/// A time in whole seconds, as records write it.
pub(super) fn iso(at_ms: i64) -> String {
    let at = jiff::Timestamp::from_second(at_ms.div_euclid(1_000)).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
