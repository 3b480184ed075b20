-- What GameLift told when it was asked about one player, placement or ticket. Conventions as in the first migration.

-- Player sessions whose game session is not in the database: GameLift told of them when it was asked about the player.
-- Once the game session was read as well, player_session has them, and that row counts.
CREATE TABLE player_session_alone (
    id          ANY PRIMARY KEY NOT NULL,   -- PlayerSessionId, a code
    player_key  INTEGER NOT NULL,
    session_id  ANY NOT NULL,               -- with prefix_key, the game session's ARN
    prefix_key  INTEGER NOT NULL REFERENCES arn_prefix DEFERRABLE INITIALLY DEFERRED,
    fleet_key   INTEGER NOT NULL REFERENCES fleet DEFERRABLE INITIALLY DEFERRED,
    created_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    status      INTEGER NOT NULL            -- word
) STRICT, WITHOUT ROWID;
CREATE INDEX player_session_alone_by_player ON player_session_alone (player_key);
CREATE INDEX player_session_alone_by_creation ON player_session_alone (created_at);

-- Who a placement or a ticket was for, with the latencies each player had measured: one row a player of each.
CREATE TABLE player_latency (
    player_key  INTEGER NOT NULL,
    asked_id    TEXT NOT NULL,              -- placement or ticket
    is_ticket   INTEGER NOT NULL,
    at          INTEGER NOT NULL,           -- when it was queued
    latencies   TEXT NOT NULL,              -- JSON [[Region or location, milliseconds], …]
    PRIMARY KEY (player_key, asked_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX player_latency_by_asked ON player_latency (asked_id);
CREATE INDEX player_latency_by_time ON player_latency (at);

-- Placements that were asked about, so that none is asked about again and again.
CREATE TABLE placement_asked (
    placement_id TEXT PRIMARY KEY NOT NULL,
    asked_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX placement_asked_by_time ON placement_asked (asked_at);
