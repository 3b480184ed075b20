//! Read-only reasoning over the store: scaling steps and causes, timelines, overview.
