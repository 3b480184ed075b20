-- How a game session ended: the word of the model's GameSessionEnding, as a number, so that lists and counts filter by it.
-- NULL while it is live. Greater numbers rest on stronger evidence; the gaps are for endings to come.
--   0 unseen   1 normal   10 host_lost   20 crashed   30 terminated_unhealthy   40 activation_timed_out   50 error
--   60 interrupted   70 terminated_by_request   80 force_terminated
-- What fleet events say of earlier sessions is added by the program (writer/ending.rs).
ALTER TABLE game_session_state ADD COLUMN ending INTEGER;

UPDATE game_session_state SET ending = CASE
        WHEN status_reason = 40 THEN 60
        WHEN status_reason = 41 THEN 70
        WHEN status_reason = 42 THEN 80
        WHEN gone_at IS NOT NULL AND ended_at IS NULL THEN 0
        WHEN status = 5 THEN 50
        ELSE 1 END
WHERE live = 0;

DROP INDEX game_session_in_order;
CREATE INDEX game_session_in_order ON game_session_state (live, created_at, fleet_key, status, location_key,
    current_player_session_count, maximum_player_session_count, ended_at, gone_at, ending);
