//! The temporary credentials that STS has given out.
//!
//! They end by the pace of real time, as clients reckon, and by time that is added by hand. Whether their user or role
//! still exists is up to `signer`.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::notification::identifier;

/// How long a session is remembered after its end, so that it is told from one that never was.
const REMEMBERED: Duration = Duration::from_secs(86_400);

/// Whose session it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Holder {
    /// That of the user behind a long-term key.
    Key(String),
    /// That of a role under a session name.
    Role {
        /// The name of the role.
        name: String,
        /// The name of the session.
        session: String,
    },
}

/// A session that is to be given out.
#[derive(Debug, Clone)]
pub(crate) struct NewSession {
    /// Whose session it is.
    pub(crate) holder: Holder,
    /// How long it lasts.
    pub(crate) lasts: Duration,
    /// When it begins, in milliseconds of virtual time since the epoch.
    pub(crate) since_ms: i64,
    /// Whether its holder was authenticated with MFA.
    pub(crate) mfa: bool,
}

/// The credentials of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Issued {
    /// The access key id.
    pub(crate) access_key_id: String,
    /// The secret key.
    pub(crate) secret: String,
    /// The session token.
    pub(crate) token: String,
}

/// A session that was given out.
#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) token: String,
    pub(super) until: Instant,
    pub(super) given: NewSession,
}

#[derive(Debug, Default)]
struct Register {
    issued: u64,
    by_key: BTreeMap<String, Session>,
}

/// All sessions.
#[derive(Debug)]
pub(crate) struct Sessions {
    seed: u64,
    register: RwLock<Register>,
}

impl Sessions {
    /// Starts without sessions.
    pub(crate) fn new(seed: u64) -> Sessions {
        Sessions { seed, register: RwLock::default() }
    }

    /// Gives out a session.
    pub(crate) fn issue(&self, given: NewSession, now: Instant) -> Issued {
        let mut register = self.register.write().unwrap_or_else(PoisonError::into_inner);
        register.issued += 1;
        let name = format!("{} session {}", self.seed, register.issued);
        let letters = identifier(&name, "access key").replace('-', "").to_ascii_uppercase();
        let text = |part: &str| STANDARD.encode(Sha256::digest(format!("{part} {name}").as_bytes()));
        let issued = Issued {
            access_key_id: format!("ASIA{}", letters.get(..16).unwrap_or_default()),
            secret: text("secret").chars().take(40).collect(),
            token: ["token", "more", "most"].map(text).concat(),
        };
        register.by_key.retain(|_, session| now < session.until + REMEMBERED);
        let session = Session { token: issued.token.clone(), until: now + given.lasts, given };
        register.by_key.insert(issued.access_key_id.clone(), session);
        issued
    }

    /// The session with that access key.
    pub(super) fn find(&self, access_key_id: &str) -> Option<Session> {
        let register = self.register.read().unwrap_or_else(PoisonError::into_inner);
        register.by_key.get(access_key_id).cloned()
    }
}
