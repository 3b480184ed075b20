//! Who made a call, as CloudTrail records it: the identity, the user name by which it is found, the address and the
//! user agent.
//!
//! The members follow the CloudTrail user guide (userIdentity element, record contents).

use serde_json::{Value, json};

use super::record::{iso, random_letters};
use crate::notification::identifier;
use crate::sts;
use liftdeck_simulated_world::{Door, Person, Principal};

/// The user agent of the console, which a browser sends.
const BROWSER: &str = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) \
                       Chrome/142.0.0.0 Safari/537.36";

/// Minutes that temporary credentials have been in use at most.
const SESSION_MIN: u8 = 55;

/// Who made a call.
#[derive(Debug, Clone)]
pub(crate) enum Caller {
    /// A user who signed a request to the port.
    User {
        /// The access key id.
        access_key_id: String,
        /// The account of the key.
        account: String,
        /// The user's name.
        name: String,
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
            Caller::User { access_key_id, .. } | Caller::Person { access_key_id, .. } => access_key_id,
        }
    }

    /// The name by which `Username` finds the call: that of the user, or of the role's session. A user of IAM Identity
    /// Center has none.
    pub(super) fn username(&self) -> Option<&str> {
        match self {
            Caller::User { name, .. } => Some(name),
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
            Caller::User { address, .. } => address.clone(),
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
            Caller::User { agent, .. } => return agent.clone(),
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
            Caller::User { access_key_id, account, name, .. } => {
                return user(access_key_id, account, name, &sts::user_id(access_key_id));
            }
            Caller::Person { person, access_key_id } => (person, access_key_id),
        };
        // Temporary credentials are some minutes old.
        let age_min = identifier(key, "age").bytes().fold(0_u8, u8::wrapping_add) % SESSION_MIN;
        let created = iso(at_ms - i64::from(age_min) * 60_000);
        // The element writes booleans as text.
        let mfa = (person.door == Door::Console).to_string();
        let attributes = json!({ "creationDate": created, "mfaAuthenticated": mfa });
        let mut identity = match person.principal {
            Principal::IamUser { name } => {
                let mut identity = user(key, world, name, &format!("AIDA{}", random_letters(name)));
                if person.door == Door::Console {
                    identity["sessionContext"] = json!({ "attributes": attributes });
                }
                identity
            }
            Principal::AssumedRole { role, path, session } => {
                let id = format!("AROA{}", random_letters(role));
                json!({
                    "type": "AssumedRole",
                    "principalId": format!("{id}:{session}"),
                    "arn": format!("arn:aws:sts::{world}:assumed-role/{role}/{session}"),
                    "accountId": world,
                    "accessKeyId": key,
                    "sessionContext": {
                        "sessionIssuer": {
                            "type": "Role",
                            "principalId": id,
                            "arn": format!("arn:aws:iam::{world}:role{path}{role}"),
                            "accountId": world,
                            "userName": role,
                        },
                        "attributes": attributes,
                    },
                })
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
mod tests {
    use super::*;

    fn person(principal: Principal, door: Door) -> Caller {
        Caller::Person { person: Person { principal, door }, access_key_id: "ASIAONE".to_owned() }
    }

    const ROLE: Principal = Principal::AssumedRole { role: "Ops", path: "/team/", session: "alice" };

    #[test]
    fn a_session_of_a_role_names_its_issuer_and_the_console() {
        let caller = person(ROLE, Door::Console);
        let identity = caller.identity("111122223333", 1_795_205_607_000);
        assert_eq!(identity["type"], "AssumedRole");
        assert_eq!(identity["arn"], "arn:aws:sts::111122223333:assumed-role/Ops/alice");
        let context = &identity["sessionContext"];
        assert_eq!(context["sessionIssuer"]["arn"], "arn:aws:iam::111122223333:role/team/Ops");
        assert_eq!(context["attributes"]["mfaAuthenticated"], "true");
        assert!(identity["principalId"].as_str().unwrap().ends_with(":alice"));
        assert_eq!((caller.username(), caller.is_console()), (Some("alice"), true));
        assert!(caller.address().starts_with("203.0.113."));
        assert!(caller.agent("UpdateAlias").unwrap().starts_with("Mozilla/"));
    }

    #[test]
    fn a_service_is_named_in_place_of_address_and_agent() {
        let caller = person(ROLE, Door::Service("cloudformation.amazonaws.com"));
        assert_eq!(caller.identity("111122223333", 0)["invokedBy"], "cloudformation.amazonaws.com");
        assert_eq!(caller.address(), "cloudformation.amazonaws.com");
        assert_eq!(caller.agent("UpdateAlias").as_deref(), Some("cloudformation.amazonaws.com"));
        assert!(!caller.is_console());
    }

    #[test]
    fn a_user_of_the_command_line_has_permanent_keys_and_no_session() {
        let caller = person(Principal::IamUser { name: "bob" }, Door::CommandLine);
        let identity = caller.identity("111122223333", 0);
        assert_eq!((&identity["type"], &identity["userName"]), (&"IAMUser".into(), &"bob".into()));
        assert_eq!(identity.get("sessionContext"), None);
        assert!(caller.agent("UpdateFleetCapacity").unwrap().ends_with("gamelift.update-fleet-capacity"));
    }

    #[test]
    fn a_user_of_the_identity_center_has_an_id_and_no_name() {
        let user_id = "b4587438-3041-7031-3f8b-EXAMPLE11111";
        let caller = person(Principal::IdentityCenterUser { user_id }, Door::Sdk);
        let identity = caller.identity("111122223333", 0);
        assert_eq!(identity["onBehalfOf"]["userId"], user_id);
        assert_eq!((caller.username(), identity.get("userName")), (None, None));
    }
}
