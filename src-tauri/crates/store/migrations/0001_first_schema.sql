-- The store's schema. One file per AWS account; the Regions of a connection live together.
--
-- Conventions
--   *_at       epoch milliseconds, UTC. `seen_at`, `changed_at`: when WE saw it (a poll), not when AWS did it.
--   *_key      integers of our own that stand for a long AWS identifier; given by the writer, never reused.
--   code       an identifier packed by `code.rs` (column type ANY): a BLOB of 16 bytes when it is a lower-case UUID, or
--              that kind's prefix and one (`psess-<uuid>`, `gsess-<uuid>` is 17 bytes), else the TEXT as AWS gave it.
--              Never compare a code with plain text: encode the text first (`code::encode…`).
--   word       a short text that repeats (status, reason, policy …), kept once in `word`. Fixed keys: see below.
--   live       1 while AWS may still change the row, else 0.
--   gone_at    the moment a COMPLETE listing no longer had the row; NULL while it is there.
-- Wide rows are rowid tables (WITHOUT ROWID spills them to overflow pages); narrow keyed rows are WITHOUT ROWID.

-- Whose file this is: 'account' (12 digits), 'created_at', 'environment' (the strictest mark of a connection that opened
-- it); 'schema': fingerprint of the migrations that made it.
CREATE TABLE fact (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row. Moves by one with each commit that wrote rows; the ledger and usage do not move it.
CREATE TABLE revision (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    value INTEGER NOT NULL
) STRICT;
INSERT INTO revision (one, value) VALUES (1, 0);

CREATE TABLE region (
    region_key INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE location (
    location_key INTEGER PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE word (
    word_key INTEGER PRIMARY KEY,
    text     TEXT NOT NULL UNIQUE
) STRICT;
-- Fixed keys, so that statements and partial indexes may name them. Others are given from 100 on.
INSERT INTO word (word_key, text) VALUES
    (1, 'ACTIVE'), (2, 'ACTIVATING'), (3, 'TERMINATING'), (4, 'TERMINATED'), (5, 'ERROR'),
    (10, 'RESERVED'), (11, 'COMPLETED'), (12, 'TIMEDOUT'),
    (20, 'ACCEPT_ALL'), (21, 'DENY_ALL'),
    (30, 'NoProtection'), (31, 'FullProtection'),
    (40, 'INTERRUPTED'), (41, 'TRIGGERED_ON_PROCESS_TERMINATE'), (42, 'FORCE_TERMINATED'),
    (50, 'PlacementFulfilled'), (51, 'PlacementCancelled'), (52, 'PlacementTimedOut'), (53, 'PlacementFailed');

-- Every fleet ever named, also by a game session alone; the attributes are the resource of kind 'fleet'.
-- name and status repeat the resource's for joins; NULL until the fleet was listed.
CREATE TABLE fleet (
    fleet_key  INTEGER PRIMARY KEY,
    region_key INTEGER NOT NULL REFERENCES region,
    fleet_id   TEXT NOT NULL UNIQUE,
    name       TEXT,
    status     TEXT,
    gone_at    INTEGER
) STRICT;

-- Configuration of every kind, few rows of a kind, whole as JSON of the model's record (`liftdeck_model`).
--   kind                        id                          owner_key   document
--   fleet                       fleet id                    0           Fleet
--   fleet_location              location                    fleet_key   FleetLocation
--   compute                     compute name                fleet_key   Compute
--   scaling_policy              name, or name@location      fleet_key   ScalingPolicy
--   runtime_configuration       ''                          fleet_key   RuntimeConfiguration
--   port_settings               location or ''              fleet_key   [IpPermission]
--   fleet_deployment            deployment id               fleet_key   FleetDeployment
--   queue                       name                        0           GameSessionQueue
--   alias                       alias id                    0           Alias
--   matchmaking_configuration   name                        0           MatchmakingConfiguration
--   build, script               id                          0           Build, Script
CREATE TABLE resource (
    resource_key INTEGER PRIMARY KEY,
    kind         TEXT NOT NULL,
    region_key   INTEGER NOT NULL REFERENCES region,
    owner_key    INTEGER NOT NULL,
    id           TEXT NOT NULL,
    name         TEXT,
    status       TEXT,
    document     TEXT NOT NULL,
    fingerprint  INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    changed_at   INTEGER NOT NULL,
    gone_at      INTEGER,
    UNIQUE (kind, owner_key, region_key, id)
) STRICT;

-- Which listings were once read to their end: a resource that appears afterwards is an addition, not a first sight.
CREATE TABLE listing (
    kind         TEXT NOT NULL,
    region_key   INTEGER NOT NULL,
    owner_key    INTEGER NOT NULL,
    completed_at INTEGER NOT NULL,
    PRIMARY KEY (kind, region_key, owner_key)
) STRICT, WITHOUT ROWID;

-- What changed, because AWS keeps no history: one row a field. kind as in `resource`, and 'fleet_capacity'
-- (fields desired, minimum, maximum; the other counts move all the time and are polled metric series).
-- field is the record's field, nested ones with a dot (`container.latest_deployment_id`, `routing`); or 'added' / 'gone'.
-- before and after: text as is, numbers and lists as JSON; NULL when absent.
CREATE TABLE change (
    change_key   INTEGER PRIMARY KEY,
    seen_at      INTEGER NOT NULL,
    region_key   INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    resource     TEXT NOT NULL,
    name         TEXT,
    fleet_key    INTEGER,
    location_key INTEGER,
    field        TEXT NOT NULL,
    before       TEXT,
    after        TEXT
) STRICT;
CREATE INDEX change_by_time ON change (seen_at);
CREATE INDEX change_by_fleet ON change (fleet_key, seen_at) WHERE fleet_key IS NOT NULL;
CREATE INDEX change_by_resource ON change (kind, resource, seen_at);

-- Newest counts of a fleet's location; their past is in the polled metric series and, for the settings, in `change`.
CREATE TABLE fleet_capacity (
    fleet_key    INTEGER NOT NULL,
    location_key INTEGER NOT NULL,
    desired      INTEGER NOT NULL,
    minimum      INTEGER NOT NULL,
    maximum      INTEGER NOT NULL,
    pending      INTEGER NOT NULL,
    active       INTEGER NOT NULL,
    idle         INTEGER NOT NULL,
    terminating  INTEGER NOT NULL,
    zero_capacity_strategy TEXT,
    -- JSON of ContainerGroupCounts, container fleets only.
    container_groups TEXT,
    changed_at   INTEGER NOT NULL,
    PRIMARY KEY (fleet_key, location_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE fleet_utilization (
    fleet_key    INTEGER NOT NULL,
    location_key INTEGER NOT NULL,
    active_server_process_count  INTEGER NOT NULL,
    active_game_session_count    INTEGER NOT NULL,
    current_player_session_count INTEGER NOT NULL,
    maximum_player_session_count INTEGER NOT NULL,
    changed_at   INTEGER NOT NULL,
    PRIMARY KEY (fleet_key, location_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE fleet_event (
    event_key  INTEGER PRIMARY KEY,
    fleet_key  INTEGER NOT NULL REFERENCES fleet,
    event_id   ANY NOT NULL,               -- a code
    event_code TEXT NOT NULL,               -- FLEET_SCALING_EVENT …
    message    TEXT,
    event_at   INTEGER NOT NULL,
    count      INTEGER NOT NULL,
    has_log    INTEGER NOT NULL,
    UNIQUE (fleet_key, event_id)
) STRICT;
CREATE INDEX fleet_event_by_time ON fleet_event (event_at);
CREATE INDEX fleet_event_by_fleet ON fleet_event (fleet_key, event_at);

-- The ARN of a game session up to its last '/', kept once: `arn:…gamesession/fleet-…/eu-north-1`.
CREATE TABLE arn_prefix (
    prefix_key INTEGER PRIMARY KEY,
    prefix     TEXT NOT NULL UNIQUE
) STRICT;

-- A game session: what seldom changes. The ARN is arn_prefix.prefix || '/' || decode(id).
CREATE TABLE game_session (
    session_key  INTEGER PRIMARY KEY,
    id           ANY NOT NULL,              -- last part of the ARN, a code
    prefix_key   INTEGER NOT NULL REFERENCES arn_prefix DEFERRABLE INITIALLY DEFERRED,
    fleet_key    INTEGER NOT NULL REFERENCES fleet DEFERRABLE INITIALLY DEFERRED,
    name         TEXT,
    creator_id   TEXT,
    ip_address   TEXT,
    dns_name     TEXT,
    port         INTEGER,
    compute_name TEXT,
    first_seen_at INTEGER NOT NULL,
    UNIQUE (id, prefix_key)
) STRICT;
CREATE INDEX game_session_by_name ON game_session (name COLLATE NOCASE) WHERE name IS NOT NULL;

-- What changes, and what lists are filtered and sorted by: one narrow row a session, same key.
CREATE TABLE game_session_state (
    session_key  INTEGER PRIMARY KEY REFERENCES game_session DEFERRABLE INITIALLY DEFERRED,
    fleet_key    INTEGER NOT NULL,
    location_key INTEGER,
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER,                   -- AWS's TerminationTime
    live         INTEGER NOT NULL,
    status       INTEGER NOT NULL,          -- word
    status_reason INTEGER,                  -- word
    current_player_session_count INTEGER NOT NULL,
    maximum_player_session_count INTEGER NOT NULL,
    player_session_creation_policy INTEGER, -- word
    protection_policy INTEGER,              -- word; NULL: not asked
    player_gateway_status INTEGER,          -- word
    changed_at   INTEGER NOT NULL,          -- when this row was last seen to differ
    gone_at      INTEGER,                   -- GameLift no longer knew it: ended, end unseen; status is the last one seen
    players_confirmed_at INTEGER,           -- its player sessions were last read to the end; see also the ledger
    fingerprint  INTEGER NOT NULL           -- of everything in game_session and game_session_text
) STRICT;
CREATE INDEX game_session_live ON game_session_state (fleet_key, status, location_key, current_player_session_count)
    WHERE live = 1;
CREATE INDEX game_session_by_creation ON game_session_state (created_at);
CREATE INDEX game_session_by_fleet ON game_session_state (fleet_key, created_at);
CREATE INDEX game_session_by_players ON game_session_state (current_player_session_count, created_at);
CREATE INDEX game_session_by_end ON game_session_state (ended_at) WHERE ended_at IS NOT NULL;
-- Live ones first, newest first: the order of a list nobody sorted. The rest is what lists are filtered by, so that
-- counting a filtered list reads this index alone.
CREATE INDEX game_session_in_order ON game_session_state (live, created_at, fleet_key, status, location_key,
    current_player_session_count, maximum_player_session_count, ended_at, gone_at);
CREATE INDEX game_session_by_gone ON game_session_state (gone_at) WHERE gone_at IS NOT NULL;

-- Long texts, only when there are any; each a packed text (`text.rs`): TEXT as it is, or a BLOB of zstd.
CREATE TABLE game_session_text (
    session_key  INTEGER PRIMARY KEY REFERENCES game_session DEFERRABLE INITIALLY DEFERRED,
    game_properties   TEXT,                 -- JSON [[key, value], …]
    game_session_data ANY,
    matchmaker_data   ANY
) STRICT;

-- Game properties once more, as lists ask for them: each pair of key and value kept once, and who has it. The writer
-- keeps pairs unique; the index ignores case because the query language does.
CREATE TABLE property_pair (
    pair_key INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    value    TEXT NOT NULL
) STRICT;
CREATE INDEX property_pair_by_value ON property_pair (name, value COLLATE NOCASE);

CREATE TABLE game_session_property (
    pair_key    INTEGER NOT NULL,
    session_key INTEGER NOT NULL,
    PRIMARY KEY (pair_key, session_key)
) STRICT, WITHOUT ROWID;

-- Transitions of a session. field: 'status', 'players', 'maximum_players', 'policy', 'protection', 'name',
-- 'properties', 'gone'. before/after: INTEGER for players and maximum_players, else TEXT. seq keeps equal moments apart.
CREATE TABLE game_session_change (
    session_key  INTEGER NOT NULL,
    seen_at      INTEGER NOT NULL,
    field        TEXT NOT NULL,
    before       ANY,
    after        ANY,
    PRIMARY KEY (session_key, seen_at, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE player (
    player_key INTEGER PRIMARY KEY,
    id         ANY NOT NULL UNIQUE          -- PlayerId, a code
) STRICT;

-- A player session; clustered by its game session.
CREATE TABLE player_session (
    session_key INTEGER NOT NULL,
    id          ANY NOT NULL,               -- PlayerSessionId, a code
    player_key  INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    ended_at    INTEGER,                    -- AWS's TerminationTime
    status      INTEGER NOT NULL,           -- word
    gone_at     INTEGER,                    -- was live and then absent from a complete listing: ended, end unseen
    PRIMARY KEY (session_key, id)
) STRICT, WITHOUT ROWID;
-- Without the moment: a player has few sessions, and sorting them costs less than seven bytes a row on the disk.
CREATE INDEX player_session_by_player ON player_session (player_key);

CREATE TABLE player_session_text (
    session_key INTEGER NOT NULL,
    id          ANY NOT NULL,
    player_data ANY NOT NULL,               -- packed text
    PRIMARY KEY (session_key, id)
) STRICT, WITHOUT ROWID;

-- Outcomes of placements. The game session is named by its two parts: it may not have been listed yet.
CREATE TABLE placement_event (
    event_key    INTEGER PRIMARY KEY,
    placement_id TEXT NOT NULL,
    event_type   INTEGER NOT NULL,          -- word
    event_id     TEXT,
    queue        TEXT NOT NULL,
    region_key   INTEGER NOT NULL REFERENCES region,
    event_at     INTEGER NOT NULL,
    start_at     INTEGER,
    end_at       INTEGER,
    session_prefix_key INTEGER,
    session_id   ANY,                       -- code; joins game_session (id, prefix_key)
    session_region TEXT,
    location_key INTEGER,
    fleet_key    INTEGER,                   -- from the ARN
    ip_address   TEXT,
    dns_name     TEXT,
    port         INTEGER,
    compute_name TEXT,
    custom_event_data TEXT,
    players      INTEGER NOT NULL,          -- how many were placed
    UNIQUE (placement_id, event_type)
) STRICT;
-- With what statistics are made of, so that they read these indexes alone.
CREATE INDEX placement_event_by_time ON placement_event (event_at, event_type, start_at, end_at);
CREATE INDEX placement_event_by_queue ON placement_event (queue, event_at, event_type, start_at, end_at);
CREATE INDEX placement_event_by_session ON placement_event (session_id, session_prefix_key)
    WHERE session_id IS NOT NULL;

-- Outcomes of placements summed up by hour and by day (UTC), so that a month is read from few rows. times: how long the
-- fulfilled ones took, counted in fixed steps (`placement_time.rs`). A row goes when its whole span is past retention.
CREATE TABLE placement_sum (
    span_ms   INTEGER NOT NULL,             -- 3 600 000 or 86 400 000
    start_at  INTEGER NOT NULL,             -- multiple of span_ms
    queue     TEXT NOT NULL,
    fulfilled INTEGER NOT NULL,
    cancelled INTEGER NOT NULL,
    timed_out INTEGER NOT NULL,
    failed    INTEGER NOT NULL,
    times     BLOB NOT NULL,
    PRIMARY KEY (span_ms, start_at, queue)
) STRICT, WITHOUT ROWID;

CREATE TABLE placement_player (
    event_key  INTEGER NOT NULL REFERENCES placement_event,
    player_key INTEGER NOT NULL,
    player_session_id ANY NOT NULL,         -- code
    PRIMARY KEY (event_key, player_key, player_session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX placement_player_by_player ON placement_player (player_key);

CREATE TABLE matchmaking_event (
    event_key   INTEGER PRIMARY KEY,
    event_id    ANY NOT NULL UNIQUE,        -- code
    event_type  TEXT NOT NULL,
    configuration TEXT NOT NULL,
    region_key  INTEGER NOT NULL REFERENCES region,
    event_at    INTEGER NOT NULL,
    match_id    TEXT,
    reason      TEXT,
    message     TEXT,
    estimated_wait_seconds INTEGER,
    session_prefix_key INTEGER,
    session_id  ANY,
    tickets     TEXT NOT NULL               -- JSON [EventTicket]
) STRICT;
CREATE INDEX matchmaking_event_by_time ON matchmaking_event (event_at);
CREATE INDEX matchmaking_event_by_configuration ON matchmaking_event (configuration, event_at);

CREATE TABLE matchmaking_ticket (
    ticket_id TEXT NOT NULL,
    event_key INTEGER NOT NULL REFERENCES matchmaking_event,
    PRIMARY KEY (ticket_id, event_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX matchmaking_ticket_by_event ON matchmaking_ticket (event_key);

CREATE TABLE quarantined_message (
    message_key INTEGER PRIMARY KEY,
    queue_url   TEXT NOT NULL,
    message_id  TEXT NOT NULL,
    region_key  INTEGER NOT NULL REFERENCES region,
    received_at INTEGER NOT NULL,
    reason      TEXT NOT NULL,              -- QuarantineReason, snake_case
    detail      TEXT NOT NULL,
    body        TEXT NOT NULL,
    UNIQUE (queue_url, message_id)
) STRICT;
CREATE INDEX quarantined_message_by_time ON quarantined_message (received_at);

-- A metric series. fleet_key, location_key and queue repeat the dimensions FleetId, Location and QueueName for joins.
CREATE TABLE metric_series (
    series_key INTEGER PRIMARY KEY,
    region_key INTEGER NOT NULL REFERENCES region,
    source     TEXT NOT NULL,               -- cloud_watch | polled
    name       TEXT NOT NULL,
    statistic  TEXT NOT NULL,
    dimensions TEXT NOT NULL,               -- JSON [[name, value], …], sorted by name
    fleet_key  INTEGER,
    location_key INTEGER,
    queue      TEXT,
    UNIQUE (name, source, statistic, region_key, dimensions)
) STRICT;
CREATE INDEX metric_series_by_fleet ON metric_series (fleet_key, name, source) WHERE fleet_key IS NOT NULL;
CREATE INDEX metric_series_by_queue ON metric_series (queue, name) WHERE queue IS NOT NULL;

-- Newest samples, appended by time; compaction keeps it under about 65 000 rows (`HOT_ROWS`), so a range of a few
-- series may be read by sample_at alone. value_bits: the IEEE 754 bits of the f64 (SQLite would lose -0.0 and NaN).
-- Polled series hold a sample when the value changed and at least every 5 minutes (`HEARTBEAT_MS`): the value is held
-- up to the next sample, and a longer distance is a gap in which nobody looked.
CREATE TABLE metric_hot (
    sample_at  INTEGER NOT NULL,
    series_key INTEGER NOT NULL,
    value_bits INTEGER NOT NULL,
    PRIMARY KEY (sample_at, series_key)
) STRICT, WITHOUT ROWID;

-- One compressed chunk a series-day (`chunk.rs`). day: sample_at / 86 400 000, UTC. A day may have samples both here
-- and in metric_hot until the next compaction: the hot one wins.
CREATE TABLE metric_chunk (
    chunk_key  INTEGER PRIMARY KEY,
    series_key INTEGER NOT NULL,
    day        INTEGER NOT NULL,
    samples    INTEGER NOT NULL,
    first_at   INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    body       BLOB NOT NULL,
    UNIQUE (series_key, day)
) STRICT;
CREATE INDEX metric_chunk_by_day ON metric_chunk (day);

-- The poll ledger: when each subject was last asked and last confirmed. Written a few seconds late on purpose
-- (an unchanged poll costs no commit); ask `Reader::poll`, which sees the newest. kind: PollKind, snake_case.
CREATE TABLE poll (
    region_key   INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    resource     TEXT NOT NULL,
    asked_at     INTEGER NOT NULL,
    confirmed_at INTEGER,
    took_ms      INTEGER NOT NULL,
    failure      TEXT,
    failing_since INTEGER,
    PRIMARY KEY (kind, region_key, resource)
) STRICT, WITHOUT ROWID;

-- Metered CloudWatch use, a row a UTC day (days since 1970).
CREATE TABLE usage (
    day               INTEGER PRIMARY KEY,
    metrics_requested INTEGER NOT NULL
) STRICT;
