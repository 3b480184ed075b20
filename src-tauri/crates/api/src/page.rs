//! Lists: which part is wanted, and the part that comes back with its age.

pub use liftdeck_store::reader::freshness::Freshness;
pub use liftdeck_store::reader::window::{Page, Window};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A window onto a list, with the age of its rows.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Listed<T> {
    pub rows: Vec<T>,
    pub total: u64,
    /// Whether that is all of them; false where counting stopped and there are more.
    pub total_is_exact: bool,
    pub freshness: Freshness,
}

impl<T> Listed<T> {
    /// A window and its age.
    pub fn new<R: Into<T>>(window: Window<R>, freshness: Freshness) -> Self {
        Self {
            rows: window.rows.into_iter().map(R::into).collect(),
            total: window.total,
            total_is_exact: window.total_is_exact,
            freshness,
        }
    }
}
