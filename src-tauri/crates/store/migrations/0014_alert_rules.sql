-- What a person has set about ready-made rules. Conventions as in the first migration.

CREATE TABLE alert_rule (
    alert_rule_key INTEGER PRIMARY KEY,
    rule        TEXT NOT NULL,              -- as alerts spell it
    region      TEXT NOT NULL,              -- '' unless it is for one Region
    fleet_id    TEXT NOT NULL,              -- '' unless it is for one fleet
    document    TEXT NOT NULL,              -- JSON of the adjustment
    UNIQUE (rule, region, fleet_id)
) STRICT;
