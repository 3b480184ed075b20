-- What is or was wrong, kept so that "since" outlives a sliding window and a restart. Conventions as in the first
-- migration; ids are UUIDs kept as TEXT.

CREATE TABLE alert (
    alert_key    INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    rule         TEXT NOT NULL,             -- its owner's name for it
    subject      TEXT NOT NULL,             -- what it is about, stable for as long as it lasts
    region_key   INTEGER REFERENCES region,
    fleet_key    INTEGER,
    severity     TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'bad')),
    state        TEXT NOT NULL CHECK (state IN ('pending', 'firing', 'recovering', 'resolved')),
    since        INTEGER NOT NULL,          -- when the trouble began
    seen_at      INTEGER NOT NULL,          -- when data last showed it
    fired_at     INTEGER,
    clear_since  INTEGER,
    unknown_since INTEGER,
    ended_at     INTEGER,
    acknowledged_at INTEGER,
    acknowledged_by TEXT,
    document     ANY NOT NULL               -- packed text: JSON of the facts, its owner's
) STRICT;
-- At most one open alert of a rule about a subject.
CREATE UNIQUE INDEX alert_open ON alert (rule, subject) WHERE state <> 'resolved';
CREATE INDEX alert_open_by_time ON alert (since) WHERE state <> 'resolved';
CREATE INDEX alert_by_time ON alert (since);
CREATE INDEX alert_by_end ON alert (ended_at) WHERE ended_at IS NOT NULL;

-- How an alert went on, oldest first: its states, and what people did and wrote.
CREATE TABLE alert_step (
    step_key  INTEGER PRIMARY KEY,
    alert_key INTEGER NOT NULL REFERENCES alert,
    at        INTEGER NOT NULL,
    step      TEXT NOT NULL,                -- pending | firing | recovering | resolved | unknown | known | acknowledged | note
    by        TEXT,
    text      TEXT
) STRICT;
CREATE INDEX alert_step_by_alert ON alert_step (alert_key, at);
