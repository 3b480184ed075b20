-- Rules of one's own. Conventions as in the first migration.

CREATE TABLE custom_rule (
    custom_rule_key INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    document    TEXT NOT NULL               -- JSON of the rule, its name included, and whose it is
) STRICT;
