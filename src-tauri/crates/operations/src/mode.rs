//! Whether a connection may be changed now: read-only unless a person unlocked it, and only for a while.
//!
//! Owns the one grant there is. It ends by itself at its time, by the wall clock and by the monotonic one, whichever
//! comes first: a computer that slept must not wake up unlocked. Deliberately decides nothing about single changes.

use liftdeck_model::Timestamp;

/// Whether the connection may be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nothing can be sent.
    ReadOnly,
    /// A person unlocked it.
    Operator {
        /// Until then.
        until: Timestamp,
    },
}

/// The shortest time a connection can be unlocked for, in minutes.
pub const LEAST_MINUTES: u32 = 5;
/// The longest: a shift.
pub const MOST_MINUTES: u32 = 480;
