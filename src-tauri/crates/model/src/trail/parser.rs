//! Reads the JSON of a record. Deliberately never panics and asks for four members only: without its id, name, time
//! and Region a call cannot be told from another.

use serde_json::{Map, Value};

use super::{Caller, Principal, TrailCall, Via};
use crate::id::{AccountId, Region};
use crate::time::Timestamp;

/// The largest record that is read, in bytes. CloudTrail's own are at most 256 KB.
pub const LARGEST_RECORD_BYTES: usize = 1024 * 1024;

/// Why a record cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrailMisfit {
    /// It is longer than any record can be.
    #[error("the record has {0} bytes")]
    TooLong(usize),
    /// It is not a JSON object.
    #[error("the record is not a JSON object: {0}")]
    NotAnObject(String),
    /// An essential member is absent or has another form.
    #[error("the record has no valid `{0}`")]
    Lacks(&'static str),
}

type Object = Map<String, Value>;

impl TrailCall {
    /// Reads the JSON of one record.
    ///
    /// # Errors
    /// When it is no JSON object, or lacks its id, name, time or Region.
    pub fn read(raw: &str) -> Result<Self, TrailMisfit> {
        if raw.len() > LARGEST_RECORD_BYTES {
            return Err(TrailMisfit::TooLong(raw.len()));
        }
        let record = match serde_json::from_str(raw) {
            Ok(Value::Object(record)) => record,
            Ok(_) => return Err(TrailMisfit::NotAnObject("it is another kind of JSON".to_owned())),
            Err(error) => return Err(TrailMisfit::NotAnObject(error.to_string())),
        };
        let need = |member: &'static str| text(&record, member).ok_or(TrailMisfit::Lacks(member));
        let at = need("eventTime")?;
        // Ages, which the model's times also accept, are not moments.
        let at = Some(at).filter(|at| at.contains('T'));
        let at = at.and_then(|at| Timestamp::parse(&at, Timestamp::default()).ok());
        Ok(Self {
            event_id: need("eventID")?,
            event_name: need("eventName")?,
            at: at.ok_or(TrailMisfit::Lacks("eventTime"))?,
            region: Region::new(need("awsRegion")?),
            source: text(&record, "eventSource").unwrap_or_default(),
            account: text(&record, "recipientAccountId").map(AccountId::from),
            caller: caller(&record),
            request_id: text(&record, "requestID"),
            read_only: is_true(record.get("readOnly")),
            error_code: text(&record, "errorCode"),
            request: record.get("requestParameters").cloned().unwrap_or_default(),
            response: record.get("responseElements").cloned().unwrap_or_default(),
        })
    }
}

/// CloudTrail writes flags as JSON or as text.
fn is_true(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
        _ => false,
    }
}

fn text(object: &Object, member: &str) -> Option<String> {
    object.get(member)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn caller(record: &Object) -> Caller {
    let empty = Object::new();
    let identity = record.get("userIdentity").and_then(Value::as_object).unwrap_or(&empty);
    let user_agent = text(record, "userAgent");
    let key = text(identity, "accessKeyId");
    let end = |key: String| {
        let skipped = key.chars().count().saturating_sub(4);
        key.chars().skip(skipped).collect::<String>()
    };
    Caller {
        principal: principal(identity),
        via: via(record, identity, user_agent.as_deref()),
        access_key_end: key.map(end),
        source_ip: text(record, "sourceIPAddress"),
        user_agent,
    }
}

fn principal(identity: &Object) -> Principal {
    let arn = text(identity, "arn");
    let name = || text(identity, "userName");
    // `arn:aws:sts::111122223333:assumed-role/ROLE/SESSION`
    let parts = |arn: &str| -> Vec<String> { arn.split('/').skip(1).map(str::to_owned).collect() };
    match text(identity, "type").as_deref() {
        Some("Root") => Principal::Root,
        Some("IAMUser") => match name().or_else(|| arn.as_deref().and_then(|arn| parts(arn).pop())) {
            Some(name) => Principal::User { name },
            None => Principal::Other { of: "IAMUser".to_owned(), name: text(identity, "principalId") },
        },
        Some("AssumedRole" | "Role") => {
            let issuer = identity
                .get("sessionContext")
                .and_then(|context| context.get("sessionIssuer"))
                .and_then(Value::as_object);
            let parts = arn.as_deref().map(parts).unwrap_or_default();
            let role = issuer.and_then(|issuer| text(issuer, "userName")).or_else(|| parts.first().cloned());
            let session = parts.get(1).cloned().or_else(|| {
                text(identity, "principalId")?.split_once(':').map(|(_, session)| session.to_owned())
            });
            let issuer = issuer.and_then(|issuer| text(issuer, "arn"));
            match role {
                Some(role) => Principal::Role { role, session, issuer },
                None => Principal::Other { of: "AssumedRole".to_owned(), name: session.or(arn) },
            }
        }
        Some("IdentityCenterUser") => {
            let behalf = identity.get("onBehalfOf").and_then(Value::as_object);
            match behalf.and_then(|behalf| text(behalf, "userId")) {
                Some(user_id) => Principal::IdentityCenter { user_id },
                None => Principal::Other { of: "IdentityCenterUser".to_owned(), name: name() },
            }
        }
        Some("AWSService") => match text(identity, "invokedBy") {
            Some(name) => Principal::Service { name },
            None => Principal::Other { of: "AWSService".to_owned(), name: None },
        },
        Some(other) => Principal::Other { of: other.to_owned(), name: name().or(arn) },
        None => match text(identity, "invokedBy") {
            Some(name) => Principal::Service { name },
            None => Principal::Other { of: "unknown".to_owned(), name: name().or(arn) },
        },
    }
}

fn via(record: &Object, identity: &Object, user_agent: Option<&str>) -> Via {
    if let Some(service) = text(identity, "invokedBy") {
        return Via::Service(service);
    }
    if is_true(record.get("sessionCredentialFromConsole")) {
        return Via::Console;
    }
    let first = user_agent.and_then(|agent| agent.split_whitespace().next());
    match first {
        None => Via::Unknown,
        Some(agent) if agent.starts_with("aws-cli/") => Via::CommandLine,
        Some(agent) if agent.ends_with(".amazonaws.com") => Via::Service(agent.to_owned()),
        // A browser without the mark of the console still is one: nothing else sends it to this API.
        Some(agent) if agent.starts_with("Mozilla/") || agent.starts_with("console.") => Via::Console,
        Some(agent) => Via::Program(agent.trim_matches(['[', ']']).to_owned()),
    }
}
