//! Who made a call, as CloudTrail records it: the identity, the user name by which it is found, the address and the
//! user agent.
//!
//! The members follow the CloudTrail user guide (userIdentity element, record contents).

use serde_json::{Value, json};

use super::record::iso;
use crate::identity::{Signer, Who, unique_id};
use crate::notification::identifier;
use liftdeck_simulated_world::{Door, Person, Principal};

/// The user agent of the console, which a browser sends.
const BROWSER: &str = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) \
                       Chrome/142.0.0.0 Safari/537.36";

/// Minutes that temporary credentials have been in use at most.
const SESSION_MIN: u8 = 55;

/// Who made a call.
#[derive(Debug, Clone)]
pub(crate) enum Caller {
    /// Someone who signed a request to the port.
    Client {
        /// Who.
        signer: Signer,
        /// The address the request came from.
        address: String,
        /// The user agent, if the client named one.
        agent: Option<String>,
    },
    /// Someone in the world.
    Person {
        /// Who.
        person: Person,
        /// The access key id.
        access_key_id: String,
    },
}

impl Caller {
    /// The access key that signed the call.
    pub(super) fn access_key_id(&self) -> &str {
        match self {
            Caller::Client { signer, .. } => &signer.access_key_id,
            Caller::Person { access_key_id, .. } => access_key_id,
        }
    }

    /// The name by which `Username` finds the call: that of the user, or of the role's session. A user of IAM Identity
    /// Center has none.
    pub(super) fn username(&self) -> Option<&str> {
        match self {
            Caller::Client { signer, .. } => Some(signer.name()),
            Caller::Person { person, .. } => match person.principal {
                Principal::IamUser { name } => Some(name),
                Principal::AssumedRole { session, .. } => Some(session),
                Principal::IdentityCenterUser { .. } => None,
            },
        }
    }

    /// Whether the call was made with the credentials of a console session.
    pub(super) fn is_console(&self) -> bool {
        matches!(self, Caller::Person { person, .. } if person.door == Door::Console)
    }

    /// The address the call came from, or the service that made it.
    pub(super) fn address(&self) -> String {
        match self {
            Caller::Client { address, .. } => address.clone(),
            Caller::Person { person: Person { door: Door::Service(service), .. }, .. } => {
                (*service).to_owned()
            }
            // Addresses for documentation (RFC 5737), one for each key.
            Caller::Person { access_key_id, .. } => {
                let number = access_key_id.bytes().fold(7_u8, |sum, byte| sum.wrapping_mul(31) ^ byte);
                format!("203.0.113.{}", number.max(1))
            }
        }
    }

    /// The user agent, or the service that made the call.
    pub(super) fn agent(&self, operation: &str) -> Option<String> {
        let person = match self {
            Caller::Client { agent, .. } => return agent.clone(),
            Caller::Person { person, .. } => person,
        };
        Some(match person.door {
            Door::Console => BROWSER.to_owned(),
            Door::CommandLine => format!(
                "aws-cli/2.31.38 md/awscrt#0.28.4 ua/2.1 os/linux#6.8.0 md/arch#x86_64 lang/python#3.13.9 \
                 md/command#gamelift.{}",
                dashed(operation)
            ),
            Door::Sdk => {
                "aws-sdk-go-v2/1.39.6 ua/2.1 os/linux lang/go#1.25.4 md/GOOS#linux md/GOARCH#amd64 api/gamelift#1.47.3"
                    .to_owned()
            }
            Door::Service(service) => service.to_owned(),
        })
    }

    /// The element `userIdentity` of a call made at that time in the world's account.
    pub(super) fn identity(&self, world: &str, at_ms: i64) -> Value {
        let (person, key) = match self {
            Caller::Client { signer, .. } => return client(signer),
            Caller::Person { person, access_key_id } => (person, access_key_id),
        };
        // Temporary credentials are some minutes old.
        let age_min = identifier(key, "age").bytes().fold(0_u8, u8::wrapping_add) % SESSION_MIN;
        let created = iso(at_ms - i64::from(age_min) * 60_000);
        let attributes = attributes(&created, person.door == Door::Console);
        let mut identity = match person.principal {
            Principal::IamUser { name } => {
                let mut identity = user(key, world, name, &unique_id("AIDA", name));
                if person.door == Door::Console {
                    identity["sessionContext"] = json!({ "attributes": attributes });
                }
                identity
            }
            Principal::AssumedRole { role, path, session } => {
                assumed((world, key), (role, path, session), &attributes)
            }
            Principal::IdentityCenterUser { user_id } => json!({
                "type": "IdentityCenterUser",
                "accountId": world,
                "onBehalfOf": {
                    "userId": user_id,
                    "identityStoreArn": format!("arn:aws:identitystore::{world}:identitystore/d-9067642ac7"),
                },
                "credentialId": identifier(key, "credential"),
            }),
        };
        if let Door::Service(service) = person.door {
            identity["invokedBy"] = service.into();
        }
        identity
    }
}

/// The element of a client of the port.
fn client(signer: &Signer) -> Value {
    let (account, key) = (signer.account.as_str(), signer.access_key_id.as_str());
    let attributes = signer.temporary.map(|temporary| attributes(&iso(temporary.since_ms), temporary.mfa));
    match &signer.who {
        Who::User { name, .. } => {
            let mut identity = user(key, account, name, &signer.id());
            if let Some(attributes) = attributes {
                identity["sessionContext"] = json!({ "attributes": attributes });
            }
            identity
        }
        Who::Role { name, path, session } => {
            assumed((account, key), (name, path, session), &attributes.unwrap_or_default())
        }
    }
}

/// The attributes of temporary credentials. The element writes booleans as text.
fn attributes(created: &str, mfa: bool) -> Value {
    json!({ "creationDate": created, "mfaAuthenticated": mfa.to_string() })
}

/// The element of a session of a role, given by name, path and name of the session.
fn assumed(
    (account, key): (&str, &str),
    (role, path, session): (&str, &str, &str),
    attributes: &Value,
) -> Value {
    let id = unique_id("AROA", role);
    json!({
        "type": "AssumedRole",
        "principalId": format!("{id}:{session}"),
        "arn": format!("arn:aws:sts::{account}:assumed-role/{role}/{session}"),
        "accountId": account,
        "accessKeyId": key,
        "sessionContext": {
            "sessionIssuer": {
                "type": "Role",
                "principalId": id,
                "arn": format!("arn:aws:iam::{account}:role{path}{role}"),
                "accountId": account,
                "userName": role,
            },
            "attributes": attributes,
        },
    })
}

fn user(key: &str, account: &str, name: &str, id: &str) -> Value {
    json!({
        "type": "IAMUser",
        "principalId": id,
        "arn": format!("arn:aws:iam::{account}:user/{name}"),
        "accountId": account,
        "accessKeyId": key,
        "userName": name,
    })
}

/// Returns the name of an operation on the command line: `update-alias`.
fn dashed(operation: &str) -> String {
    let mut name = String::new();
    for letter in operation.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
impl Caller {
    /// A user of the tests, on this computer.
    pub(super) fn ada(agent: Option<&str>) -> Caller {
        let (key, name) = ("AKIAONE".to_owned(), "ada".to_owned());
        let (access_key_id, account) = (key.clone(), "111122223333".to_owned());
        let signer = Signer { access_key_id, account, who: Who::User { key, name }, temporary: None };
        Caller::Client { signer, address: "127.0.0.1".to_owned(), agent: agent.map(str::to_owned) }
    }
}

#[cfg(test)]
mod tests;
