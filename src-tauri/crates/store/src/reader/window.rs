//! Windows onto long lists: which part is wanted, and which part came back.

/// Which part of a list is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Rows to skip.
    pub offset: u32,
    /// Rows to return; cut to [`Page::MOST`].
    pub limit: u32,
}

impl Page {
    /// Most rows one window returns.
    pub const MOST: u32 = 1_000;

    /// The first `limit` rows.
    pub const fn first(limit: u32) -> Self {
        Self { offset: 0, limit }
    }

    pub(super) fn bounds(self) -> (i64, i64) {
        (i64::from(self.offset), i64::from(self.limit.min(Self::MOST)))
    }
}

/// A part of a list, with how long the whole is.
#[derive(Clone, Debug, PartialEq)]
pub struct Window<T> {
    /// The rows asked for.
    pub rows: Vec<T>,
    /// Rows of the whole list, counted up to a bound.
    pub total: u64,
    /// False when counting stopped at the bound: there are at least `total`.
    pub total_is_exact: bool,
}

impl<T> Window<T> {
    pub(super) fn counted(rows: Vec<T>, count: i64, bound: i64) -> Self {
        let total = u64::try_from(count.min(bound)).unwrap_or(0);
        Self { rows, total, total_is_exact: count <= bound }
    }
}
