//! The real window, driven as a user would: one binary, one window at a time.
