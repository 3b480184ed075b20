//! Credentials that the service issues: of the right form, different for each thing and minute, and of no use.

use super::super::World;
use super::super::names::mix;
use super::super::sample::MINUTE_MS;

/// Temporary credentials.
#[derive(Clone, Debug)]
pub struct Secrets {
    pub access_key_id: String,
    pub secret: String,
    pub session_token: String,
}

impl World {
    /// Returns the credentials for the thing with that name, as requested in this minute.
    pub fn secrets(&self, name: &str) -> Secrets {
        let minute = self.now_ms.div_euclid(MINUTE_MS) as u64;
        let seed = name.bytes().fold(mix(self.seed, minute), |state, byte| mix(state, u64::from(byte)));
        let hex = |from: u64, words: u64| -> String {
            (from..from + words).map(|word| format!("{:016X}", mix(seed, word))).collect()
        };
        Secrets {
            access_key_id: format!("ASIA{}", hex(0, 1)),
            secret: hex(10, 3).chars().take(40).collect(),
            session_token: hex(20, 12),
        }
    }
}
