-- Queues a person has made over to this connection. Only these are received from.
CREATE TABLE feed_adoption (
    queue_arn        TEXT PRIMARY KEY,
    queue_url        TEXT NOT NULL,
    region           TEXT NOT NULL,             -- a name: nothing need have been read of it yet
    queue_created_at INTEGER NOT NULL,          -- one deleted and made anew is another queue
    adopted_at       INTEGER NOT NULL,
    adopted_by       TEXT,                      -- ARN of the caller
    foreign_bodies   TEXT NOT NULL,             -- ForeignBodies, snake_case
    halted           TEXT                       -- why nothing is received any more
) STRICT;

-- Events that count once the connection knows what they name: the event, and the names (FeedEvent, [Named] as JSON).
ALTER TABLE quarantined_message ADD COLUMN event TEXT;
ALTER TABLE quarantined_message ADD COLUMN names TEXT;
CREATE INDEX quarantined_message_waiting ON quarantined_message (message_key) WHERE event IS NOT NULL;
