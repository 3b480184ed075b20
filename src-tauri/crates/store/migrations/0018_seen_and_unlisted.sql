-- What a poll proves of a game session. Conventions as in the first migration.

-- Game sessions that more than one poll saw ACTIVATING: the last of these polls. Of the others, game_session tells.
CREATE TABLE game_session_activating (
    session_key INTEGER PRIMARY KEY,
    seen_at     INTEGER NOT NULL
) STRICT;

-- Live game sessions that the last complete listing of their fleet did not contain, and that were not looked up yet:
-- most likely they have ended.
CREATE TABLE game_session_unlisted (
    session_key INTEGER PRIMARY KEY,
    fleet_key   INTEGER NOT NULL
) STRICT;
CREATE INDEX game_session_unlisted_by_fleet ON game_session_unlisted (fleet_key);

-- Since when it has been read completely again and again, without a long break.
ALTER TABLE poll ADD COLUMN watched_since INTEGER;
