-- How many players a match asked and how many accepted it: a row a match, kept while its events come in whatever order.
CREATE TABLE match_answer (
    region_key    INTEGER NOT NULL REFERENCES region,
    configuration TEXT NOT NULL,
    match_id      TEXT NOT NULL,
    asked         INTEGER,                  -- players named when its acceptance phase was over; NULL before
    accepted      INTEGER NOT NULL,         -- most who had accepted by any one event
    completed_at  INTEGER,                  -- when the phase was over
    PRIMARY KEY (region_key, configuration, match_id)
) STRICT, WITHOUT ROWID;
-- With what statistics are made of, so that they read the index alone.
CREATE INDEX match_answer_by_completion ON match_answer (region_key, configuration, completed_at, asked, accepted)
    WHERE completed_at IS NOT NULL;

INSERT INTO match_answer (region_key, configuration, match_id, asked, accepted, completed_at)
SELECT region_key, configuration, match_id,
    max(iif(event_type = 'AcceptMatchCompleted', coalesce(players, 0), NULL)),
    coalesce(max(iif(event_type = 'AcceptMatch', accepted, NULL)), 0),
    max(iif(event_type = 'AcceptMatchCompleted', event_at, NULL))
FROM matchmaking_event
WHERE event_type IN ('AcceptMatch', 'AcceptMatchCompleted') AND match_id IS NOT NULL
GROUP BY region_key, configuration, match_id;

-- What an event counted of its match is told by the match now.
DROP INDEX matchmaking_event_by_outcome;
CREATE INDEX matchmaking_event_by_outcome ON matchmaking_event (region_key, configuration, event_type, event_at);
ALTER TABLE matchmaking_event DROP COLUMN players;
ALTER TABLE matchmaking_event DROP COLUMN accepted;
