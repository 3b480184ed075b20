//! Lists: the page that is requested, and the page that is returned with its freshness.

pub use liftdeck_store::reader::freshness::Freshness;
pub use liftdeck_store::reader::window::{Page, Window};
use serde::{Deserialize, Serialize};
use specta::Type;

/// One page of a list, with the freshness of its rows.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Listed<T> {
    pub rows: Vec<T>,
    pub total: u64,
    /// Whether `total` counts all rows; false if counting stopped and there are more.
    pub total_is_exact: bool,
    pub freshness: Freshness,
}

impl<T> Listed<T> {
    /// Combines a page with its freshness.
    pub fn new<R: Into<T>>(window: Window<R>, freshness: Freshness) -> Self {
        Self {
            rows: window.rows.into_iter().map(R::into).collect(),
            total: window.total,
            total_is_exact: window.total_is_exact,
            freshness,
        }
    }
}
