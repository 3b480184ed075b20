-- Which tickets a player is in: a lead, so that a ticket is found by its player without reading every ticket. The ticket
-- itself tells whether it still has the player.
CREATE TABLE ticket_player (
    player     ANY NOT NULL,                -- PlayerId, a code
    ticket_key INTEGER NOT NULL,
    PRIMARY KEY (player, ticket_key)
) STRICT, WITHOUT ROWID;

-- The codes of `code.rs`, spelt out.
INSERT OR IGNORE INTO ticket_player (player, ticket_key)
SELECT CASE
        WHEN uuid NOT GLOB '????????-????-????-????-????????????' OR uuid GLOB '*[^0-9a-f-]*' OR length(digits) <> 32 THEN id
        WHEN id = uuid THEN unhex(digits)
        WHEN id = 'psess-' || uuid THEN unhex('00' || digits)
        WHEN id = 'gsess-' || uuid THEN unhex('01' || digits)
        ELSE id END,
    ticket_key
FROM (
    SELECT id, substr(id, -36) AS uuid, replace(substr(id, -36), '-', '') AS digits, ticket_key
    FROM (SELECT json_extract(one.value, '$.player_id') AS id, ticket_key FROM ticket, json_each(ticket.players) one)
)
WHERE id IS NOT NULL;
