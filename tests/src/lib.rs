//! Shared harness of the stories.
