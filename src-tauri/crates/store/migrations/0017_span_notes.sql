-- What people wrote down about a span of time. Conventions as in the first migration.

CREATE TABLE span_note (
    note_key INTEGER PRIMARY KEY,
    scope    TEXT NOT NULL,                 -- what was looked at, as its owner writes it
    from_at  INTEGER NOT NULL,              -- the span: from inclusive
    to_at    INTEGER NOT NULL,              -- to exclusive
    at       INTEGER NOT NULL,              -- when it was written
    by       TEXT,
    text     TEXT NOT NULL
) STRICT;
CREATE INDEX span_note_by_span ON span_note (scope, from_at, to_at, at);
CREATE INDEX span_note_by_end ON span_note (to_at);
