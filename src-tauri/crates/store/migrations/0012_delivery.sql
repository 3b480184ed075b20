-- Who is told of alerts, what is not to be told for a while, and what waits to be told. Conventions as in the first
-- migration; ids are UUIDs kept as TEXT. No secret is kept here: a channel names where its own is found.

CREATE TABLE channel (
    channel_key INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    document    TEXT NOT NULL               -- JSON of the channel, its name included
) STRICT;

CREATE TABLE silence (
    silence_key INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    ends_at     INTEGER NOT NULL,           -- when it is over, by itself or ended early
    document    TEXT NOT NULL               -- JSON of the silence
) STRICT;
CREATE INDEX silence_by_end ON silence (ends_at);

-- What was last told about an alert, until it was told that it is over.
CREATE TABLE told (
    channel_key  INTEGER NOT NULL REFERENCES channel,
    alert_key    INTEGER NOT NULL REFERENCES alert,
    severity     TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'bad')),
    acknowledged INTEGER NOT NULL,
    told_at      INTEGER NOT NULL,
    PRIMARY KEY (channel_key, alert_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX told_by_alert ON told (alert_key);

-- The outbox: a row is written in the transaction of the alert's step, and is 'sending' before an attempt begins.
CREATE TABLE notification (
    notification_key INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,     -- the same at every attempt
    channel_key   INTEGER NOT NULL REFERENCES channel,
    topic         TEXT NOT NULL,            -- what belongs together: rule and Region
    state         TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'delivered', 'failed', 'superseded')),
    queued_at     INTEGER NOT NULL,
    due_at        INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    may_be_repeat INTEGER NOT NULL,         -- an attempt ended without an answer
    ended_at      INTEGER,
    detail        TEXT,                     -- why the last attempt failed
    document      ANY NOT NULL              -- packed text: JSON of the message
) STRICT;
CREATE INDEX notification_open ON notification (due_at) WHERE state IN ('waiting', 'sending');
CREATE INDEX notification_by_channel ON notification (channel_key, notification_key);
CREATE INDEX notification_by_end ON notification (ended_at) WHERE ended_at IS NOT NULL;
