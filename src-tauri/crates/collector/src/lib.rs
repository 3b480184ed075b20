//! What to ask AWS and when: schedule, pollers, event feed, backfill.
