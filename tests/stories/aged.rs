//! Ages the record of a paused drain by some minutes.
//!
//! After redirecting new game sessions, a drain waits two minutes by the computer's clock. A test cannot move that
//! clock, so it moves the time in the record instead.

use std::path::Path;

use rusqlite::Connection;

/// Moves the time at which the only run redirected new game sessions back by this many minutes.
pub(crate) fn a_drain_led_elsewhere_earlier(db: &Path, minutes: u32) {
    let record = Connection::open(db).unwrap();
    let aged = record
        .execute(
            "UPDATE run SET progress = json_replace(progress, '$.drain.routed_at', progress ->> '$.drain.routed_at' - ?1) \
             WHERE progress ->> '$.drain.routed_at' IS NOT NULL",
            [minutes * 60_000],
        )
        .unwrap();
    assert_eq!(aged, 1, "the drain has led new game sessions elsewhere");
}
