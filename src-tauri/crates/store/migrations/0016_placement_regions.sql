-- Sums of placements by the Region of their queue, too: two Regions may have a queue of one name. Filled anew from the
-- events by `writer/placement_sum.rs`, in the same transaction; those before told no Region.
DROP TABLE placement_sum;
CREATE TABLE placement_sum (
    span_ms    INTEGER NOT NULL,            -- 3 600 000 or 86 400 000
    start_at   INTEGER NOT NULL,            -- multiple of span_ms
    queue      TEXT NOT NULL,
    region_key INTEGER NOT NULL REFERENCES region,
    fulfilled  INTEGER NOT NULL,
    cancelled  INTEGER NOT NULL,
    timed_out  INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    times      BLOB NOT NULL,
    PRIMARY KEY (span_ms, start_at, queue, region_key)
) STRICT, WITHOUT ROWID;

DROP INDEX placement_event_by_queue;
CREATE INDEX placement_event_by_queue
    ON placement_event (queue, event_at, event_type, start_at, end_at, region_key);
