-- The account's instance limits, as of the last answer for each location. Conventions as in the first migration.

CREATE TABLE instance_limit (
    region_key    INTEGER NOT NULL REFERENCES region,
    location_key  INTEGER NOT NULL REFERENCES location,
    instance_type TEXT NOT NULL,
    current       INTEGER NOT NULL,         -- instances the account has
    most          INTEGER NOT NULL,         -- instances it may have
    PRIMARY KEY (region_key, location_key, instance_type)
) STRICT, WITHOUT ROWID;
