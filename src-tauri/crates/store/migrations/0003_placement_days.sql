-- Outcomes of placements summed up by day (UTC), by queue with its Region, and by the fleet they were placed on, so that a
-- month is split without reading its events. fleet_key is 0 for those that were placed nowhere. times: as in
-- placement_sum. Filled from the events of an older file by `writer/placement_day.rs`, in the same transaction.
CREATE TABLE placement_day (
    day_at     INTEGER NOT NULL,            -- multiple of 86 400 000
    queue      TEXT NOT NULL,
    region_key INTEGER NOT NULL REFERENCES region,
    fleet_key  INTEGER NOT NULL,
    fulfilled  INTEGER NOT NULL,
    cancelled  INTEGER NOT NULL,
    timed_out  INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    times      BLOB NOT NULL,
    PRIMARY KEY (day_at, queue, region_key, fleet_key)
) STRICT, WITHOUT ROWID;
