-- What this installation changed: attempts, runs and presets; and matchmaking tickets as their events told them.
-- Conventions as in the first migration. Ids made here are UUIDs kept as TEXT: there are few of them, and people paste them.

-- An attempt to change something. Narrow: what lists are filtered by; the whole record is in activity_document.
CREATE TABLE activity (
    activity_key INTEGER PRIMARY KEY,       -- ascending with recording
    id            TEXT NOT NULL UNIQUE,
    at            INTEGER NOT NULL,         -- recorded, just before it was sent
    region_key    INTEGER NOT NULL REFERENCES region,
    operation     TEXT NOT NULL,            -- as the API names it
    resource_kind TEXT NOT NULL,            -- game_session | placement | alias | fleet | queue | ticket | script
    resource      TEXT NOT NULL,            -- id, ARN or name; what was made once it is known; '' before
    fleet_key     INTEGER,
    run_id        TEXT,
    item          INTEGER,                  -- place in the run, from 0
    outcome       TEXT NOT NULL CHECK (outcome IN ('sending', 'done', 'failed', 'unknown')),
    effect        TEXT CHECK (effect IN ('awaited', 'seen', 'missed', 'given_up')),
    ended_at      INTEGER,
    undo_of       TEXT,
    words         TEXT NOT NULL             -- what a text is looked for in, lower case, a line each
) STRICT;
CREATE INDEX activity_by_time ON activity (at, activity_key);
CREATE INDEX activity_by_run ON activity (run_id, item) WHERE run_id IS NOT NULL;
CREATE INDEX activity_by_resource ON activity (resource_kind, resource, at);
CREATE INDEX activity_by_fleet ON activity (fleet_key, at) WHERE fleet_key IS NOT NULL;
CREATE INDEX activity_by_undone ON activity (undo_of) WHERE undo_of IS NOT NULL;
-- What somebody still has to look after: few rows at any time.
CREATE INDEX activity_unsettled ON activity (at) WHERE outcome IN ('sending', 'unknown');
CREATE INDEX activity_awaited ON activity (at) WHERE effect = 'awaited';

-- JSON of the model's Activity, a packed text: a new game session may carry 262 144 characters.
CREATE TABLE activity_document (
    activity_key INTEGER PRIMARY KEY REFERENCES activity,
    document     ANY NOT NULL
) STRICT;

-- Attempts that belong together: a bulk change, the drain of a fleet.
CREATE TABLE run (
    run_key    INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    kind       TEXT NOT NULL CHECK (kind IN ('bulk', 'drain')),
    state      TEXT NOT NULL CHECK (state IN ('running', 'paused', 'stopped', 'finished')),
    title      TEXT NOT NULL,
    region_key INTEGER REFERENCES region,
    fleet_key  INTEGER,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    progress   TEXT NOT NULL                -- JSON, its owner's
) STRICT;
CREATE INDEX run_by_time ON run (created_at);
CREATE INDEX run_open ON run (created_at) WHERE state IN ('running', 'paused');

-- JSON of what a run is to do, its owner's: written once and long, beside a progress that moves all the time.
CREATE TABLE run_plan (
    run_key INTEGER PRIMARY KEY REFERENCES run,
    plan    ANY NOT NULL                    -- packed text
) STRICT;

-- Filled-in forms kept for the next time.
CREATE TABLE preset (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,                     -- JSON, the form's own
    PRIMARY KEY (kind, name)
) STRICT;

-- A matchmaking ticket as its newest event told it; GameLift lists none. state: MatchmakingTicket status of the API.
CREATE TABLE ticket (
    ticket_key   INTEGER PRIMARY KEY,
    ticket_id    TEXT NOT NULL,
    region_key   INTEGER NOT NULL REFERENCES region,
    configuration TEXT NOT NULL,
    state        TEXT NOT NULL,
    step         INTEGER NOT NULL,          -- of the newest event: 0 searching, 1 proposed, 2 answered, 3 all answered, 4 final
    started_at   INTEGER,
    updated_at   INTEGER NOT NULL,          -- when its newest event was sent
    match_id     TEXT,
    message      TEXT,
    session_prefix_key INTEGER,
    session_id   ANY,                       -- code
    players      TEXT NOT NULL,             -- JSON [TicketPlayer]; the answers of a match stay when its later events omit them
    UNIQUE (ticket_id, region_key)
) STRICT;
CREATE INDEX ticket_by_time ON ticket (updated_at, state);
-- With what statistics are made of, so that they read the index alone.
CREATE INDEX ticket_by_configuration ON ticket (region_key, configuration, updated_at, state, started_at);

-- How many players an event names, and how many of them had accepted.
ALTER TABLE matchmaking_event ADD COLUMN players INTEGER;
ALTER TABLE matchmaking_event ADD COLUMN accepted INTEGER;
UPDATE matchmaking_event SET
    players = (SELECT count(*) FROM json_each(tickets) one, json_each(one.value, '$.players')),
    accepted = (SELECT count(*) FROM json_each(tickets) one, json_each(one.value, '$.players') player
        WHERE json_extract(player.value, '$.accepted') = 1);
-- Likewise.
CREATE INDEX matchmaking_event_by_outcome ON matchmaking_event (region_key, configuration, event_type, event_at, match_id,
    players, accepted);

-- Tickets of the events that are here already, the newest word on each.
INSERT INTO ticket (ticket_id, region_key, configuration, state, step, started_at, updated_at, match_id, message,
    session_prefix_key, session_id, players)
SELECT ticket_id, region_key, configuration,
    CASE event_type
        WHEN 'MatchmakingSucceeded' THEN 'COMPLETED' WHEN 'MatchmakingTimedOut' THEN 'TIMED_OUT'
        WHEN 'MatchmakingCancelled' THEN 'CANCELLED' WHEN 'MatchmakingFailed' THEN 'FAILED'
        WHEN 'PotentialMatchCreated' THEN iif(acceptance_required = 1, 'REQUIRES_ACCEPTANCE', 'PLACING')
        WHEN 'AcceptMatch' THEN 'REQUIRES_ACCEPTANCE' WHEN 'AcceptMatchCompleted' THEN 'PLACING' ELSE 'SEARCHING' END,
    step, started_at, event_at, match_id, message, session_prefix_key, session_id, players
FROM (
    SELECT json_extract(one.value, '$.ticket_id') AS ticket_id, e.region_key, e.configuration, e.event_type, e.event_at,
        e.match_id, coalesce(e.message, e.reason) AS message, e.session_prefix_key, e.session_id,
        json_extract(one.value, '$.start_time') AS started_at,
        coalesce(json_extract(one.value, '$.players'), '[]') AS players,
        CASE e.event_type WHEN 'MatchmakingSearching' THEN 0 WHEN 'PotentialMatchCreated' THEN 1 WHEN 'AcceptMatch' THEN 2
            WHEN 'AcceptMatchCompleted' THEN 3 ELSE 4 END AS step,
        (SELECT json_extract(r.document, '$.acceptance_required') FROM resource r WHERE r.kind = 'matchmaking_configuration'
            AND r.owner_key = 0 AND r.region_key = e.region_key AND r.id = e.configuration) AS acceptance_required
    FROM matchmaking_event e, json_each(e.tickets) one
)
WHERE ticket_id IS NOT NULL
ORDER BY event_at, step
ON CONFLICT (ticket_id, region_key) DO UPDATE SET configuration = excluded.configuration, state = excluded.state,
    step = excluded.step, started_at = coalesce(excluded.started_at, started_at), updated_at = excluded.updated_at,
    match_id = excluded.match_id, message = excluded.message, session_prefix_key = excluded.session_prefix_key,
    session_id = excluded.session_id,
    players = iif(match_id IS excluded.match_id AND step IN (2, 3) AND excluded.step > 2, players, excluded.players)
WHERE excluded.updated_at > updated_at OR excluded.step <> 3 OR step <> 0;
