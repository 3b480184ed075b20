//! What a person is told before anything is sent, as types: a preview, its warnings, and what it leaves out.
//!
//! The sentences for these facts are in `words`.

mod preview;
mod skip;

pub use preview::{Blast, Preview, PreviewId, PreviewItem, UndoOffer, Warning};
pub(crate) use skip::Skip;
pub(crate) use skip::first;
pub use skip::{LeftOut, SkipReason, Skipped};
