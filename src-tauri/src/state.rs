//! What is open.

/// What is open.
pub(crate) struct Deck;
