-- Who made the changes: calls that CloudTrail recorded, and what it was asked for. Conventions as in the first migration.

-- When the value before was last confirmed: the change was made between then and seen_at. NULL: not known.
ALTER TABLE change ADD COLUMN since_at INTEGER;

-- Calls that can have caused a recorded change. document: the record, packed text, as it came; it is read each time.
CREATE TABLE trail_event (
    event_key  INTEGER PRIMARY KEY,
    region_key INTEGER NOT NULL REFERENCES region,
    event_id   ANY NOT NULL UNIQUE,         -- a code
    event_name TEXT NOT NULL,
    event_at   INTEGER NOT NULL,            -- to the second
    seen_at    INTEGER NOT NULL,
    is_read    INTEGER NOT NULL,            -- 0: its text could not be understood
    document   ANY NOT NULL
) STRICT;
CREATE INDEX trail_event_by_time ON trail_event (event_at);

-- Look-ups that were answered, by name of the call and window.
CREATE TABLE trail_look (
    region_key INTEGER NOT NULL REFERENCES region,
    event_name TEXT NOT NULL,
    asked_at   INTEGER NOT NULL,
    from_at    INTEGER NOT NULL,
    to_at      INTEGER NOT NULL,
    is_denied  INTEGER NOT NULL,            -- 1: this program may not ask
    PRIMARY KEY (region_key, event_name, asked_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX trail_look_by_time ON trail_look (asked_at);

-- Where the look-ups of a Region stand: when it was first looked at, and up to when changes need none any more.
CREATE TABLE trail_mark (
    region_key INTEGER PRIMARY KEY REFERENCES region,
    begun_at   INTEGER NOT NULL,
    settled_at INTEGER NOT NULL
) STRICT;
