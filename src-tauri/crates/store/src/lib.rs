//! The local SQLite store: the only crate that sees SQL.
