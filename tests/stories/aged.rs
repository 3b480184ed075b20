//! The record of a drain nobody runs at the moment, as it would be minutes later.
//!
//! A drain waits two minutes after it led new game sessions elsewhere, by the clock of the computer. No test can move that
//! clock, so what the record says of it is moved.

use std::path::Path;

use rusqlite::Connection;

/// Lets the moment at which the only run led new game sessions elsewhere be so much longer ago.
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
