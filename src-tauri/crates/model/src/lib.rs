//! Ids, records, enums, time and the query language: pure values without I/O or a clock.
