//! What people and programs outside the game did to the account's resources, by console, command line or SDK.
//!
//! Owns who did what, when. Knows nothing about how a log shows it; what the game's own backend requests is in the
//! records of sessions, placements and tickets instead.

use serde_json::{Map, Value};

use super::World;
use super::names::mix;

/// Deeds are kept this long, as CloudTrail's event history does.
pub(crate) const DEEDS_MS: i64 = 90 * 24 * 3_600_000;

const KEY_SALT: u64 = 0x0070_0000;

/// Who the service takes a caller for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principal {
    /// An IAM user.
    IamUser {
        /// The user's name.
        name: &'static str,
    },
    /// A session of an IAM role. People who sign in through IAM Identity Center have this form, too: a role
    /// `AWSReservedSSO_…` whose session is named after them.
    AssumedRole {
        /// The role's name.
        role: &'static str,
        /// The role's path, for example `/`.
        path: &'static str,
        /// The session's name.
        session: &'static str,
    },
    /// A user of IAM Identity Center who acts without a role.
    IdentityCenterUser {
        /// The id in the identity store, a UUID.
        user_id: &'static str,
    },
}

/// By which way a caller reached the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// The AWS Management Console.
    Console,
    /// The AWS command line.
    CommandLine,
    /// A program with an AWS SDK.
    Sdk,
    /// Another service on behalf of the caller, for example `cloudformation.amazonaws.com`.
    Service(&'static str),
}

/// A caller: who it is and the way it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// Who it is.
    pub principal: Principal,
    /// The way it came.
    pub door: Door,
}

/// Alice, who signs in through IAM Identity Center and uses the console.
pub(crate) const ALICE: Person = Person {
    principal: Principal::AssumedRole {
        role: "AWSReservedSSO_GameOps_4f1d2c3b5a697887",
        path: "/aws-reserved/sso.amazonaws.com/eu-west-1/",
        session: "alice",
    },
    door: Door::Console,
};

/// Bob, an IAM user who uses the command line.
pub(crate) const BOB: Person =
    Person { principal: Principal::IamUser { name: "bob" }, door: Door::CommandLine };

/// The pipeline that uploads scripts and builds.
pub(crate) const PIPELINE: Person = Person {
    principal: Principal::AssumedRole { role: "ci-deploy", path: "/", session: "release-pipeline" },
    door: Door::Sdk,
};

/// CloudFormation with the service role of the pipeline's stacks.
pub(crate) const STACK: Person = Person {
    principal: Principal::AssumedRole { role: "ci-deploy", path: "/", session: "AWSCloudFormation" },
    door: Door::Service("cloudformation.amazonaws.com"),
};

/// One call of the API by someone outside the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    /// Counts the deeds of a world from 1, in the order they happened.
    pub number: u64,
    /// When it was done, epoch milliseconds.
    pub at_ms: i64,
    /// Who did it.
    pub person: Person,
    /// The access key it was signed with: `AKIA…` of a user, `ASIA…` of temporary credentials.
    pub access_key_id: String,
    /// The operation, for example `UpdateAlias`.
    pub event_name: &'static str,
    /// The members of the input, each name with its first letter lower-cased.
    pub parameters: Map<String, Value>,
    /// The members of the output, named alike; times are seconds since the epoch. `None` if the operation has none.
    pub response: Option<Map<String, Value>>,
}

impl World {
    /// What people and programs outside the game did in a region in the last 90 days, oldest first.
    pub fn deeds(&self, region: &str) -> impl DoubleEndedIterator<Item = &Deed> {
        let since_ms = self.now_ms - DEEDS_MS;
        let home = self.region(region).map(|(_, region)| &region.deeds);
        home.into_iter().flatten().filter(move |deed| deed.at_ms >= since_ms)
    }

    /// Records what someone does now. `parameters` and `response` are JSON objects with the API's member names, first
    /// letters lower-cased; anything else counts as absent.
    pub(crate) fn record_deed(
        &mut self,
        region: usize,
        person: Person,
        event_name: &'static str,
        parameters: Value,
        response: Value,
    ) {
        let members = |value| match value {
            Value::Object(members) => Some(members),
            _ => None,
        };
        let Some(home) = self.regions.get_mut(region) else { return };
        self.counts.deeds += 1;
        home.deeds.push_back(Deed {
            number: self.counts.deeds,
            at_ms: self.now_ms,
            person,
            access_key_id: access_key(self.seed, person),
            event_name,
            parameters: members(parameters).unwrap_or_default(),
            response: members(response),
        });
    }
}

/// Returns the access key id of a caller: 20 characters, of which the first four say what kind of key it is.
pub(crate) fn access_key(seed: u64, person: Person) -> String {
    const LETTERS: [u8; 32] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (kind, name) = match person.principal {
        // The console signs with temporary credentials, also for a user with keys of its own.
        Principal::IamUser { name } if person.door != Door::Console => ("AKIA", name),
        Principal::IamUser { name } => ("ASIA", name),
        Principal::AssumedRole { session, .. } => ("ASIA", session),
        Principal::IdentityCenterUser { user_id } => ("ASIA", user_id),
    };
    let name = name.bytes().fold(mix(seed, KEY_SALT), |hash, byte| mix(hash, byte.into()));
    let mut bits = u128::from(mix(name, 1)) << 64 | u128::from(mix(name, 2));
    let mut key = kind.to_owned();
    for _ in 0..16 {
        key.push(char::from(LETTERS[(bits & 31) as usize]));
        bits >>= 5;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_user_is_permanent_and_any_other_is_temporary() {
        let key = access_key(1, BOB);
        assert!(key.starts_with("AKIA") && key.len() == 20, "{key}");
        assert!(key.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()));
        assert_eq!(key, access_key(1, BOB));
        assert_ne!(key, access_key(2, BOB));
        assert!(access_key(1, Person { door: Door::Console, ..BOB }).starts_with("ASIA"));
        assert!(access_key(1, ALICE).starts_with("ASIA"));
        assert_ne!(access_key(1, PIPELINE), access_key(1, STACK));
    }
}
