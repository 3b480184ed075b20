//! Ages what is on record by some minutes.
//!
//! A test cannot move the computer's clock, so it moves the time in the record instead: what a drain did last, which
//! waits two minutes after it has redirected new game sessions, or when AWS was last read.

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

/// Moves every time at which something was read from AWS back by this many minutes.
pub(crate) fn all_was_read_earlier(db: &Path, minutes: u32) {
    let record = Connection::open(db).unwrap();
    let aged = record
        .execute(
            "UPDATE poll SET asked_at = asked_at - ?1, confirmed_at = confirmed_at - ?1, \
             failing_since = failing_since - ?1",
            [minutes * 60_000],
        )
        .unwrap();
    assert!(aged > 0, "something was read");
}
