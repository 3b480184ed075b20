//! Pages of a listing: limit and token in, items and token out.

use super::constraint::PAGE;
use crate::operation::Call;
use crate::page::{Page, cut};
use crate::service::ServiceError;
use crate::wire::{Wire, Writer};

/// The error code for an invalid token.
pub(super) const BAD_TOKEN: &str = "InvalidRequestException";

/// The requested page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The limit.
    pub(super) limit: Option<i64>,
    /// The token.
    pub(super) token: Option<&'a str>,
    /// The largest page the service returns.
    pub(super) most: usize,
}

impl<'a> Asked<'a> {
    /// A page of a listing whose maximum is not published.
    pub(super) fn new(limit: Option<i64>, token: &'a Option<String>) -> Asked<'a> {
        Asked { limit, token: token.as_deref(), most: PAGE }
    }

    /// The same page with another maximum.
    pub(super) fn at_most(self, most: usize) -> Asked<'a> {
        Asked { most, ..self }
    }

    /// The most items on the page.
    pub(super) fn size(&self) -> usize {
        let limit = self.limit.and_then(|limit| usize::try_from(limit).ok());
        limit.unwrap_or(self.most).min(self.most)
    }

    /// Returns the page of those items that pass `keep`, in their order.
    pub(super) fn cut<T>(
        &self,
        call: &Call<'_>,
        items: impl IntoIterator<Item = T>,
        key: impl Fn(&T) -> &str,
        keep: impl Fn(&T) -> bool,
    ) -> Result<Page<T>, ServiceError> {
        let after = call.cursor(self.token, BAD_TOKEN)?;
        Ok(cut(items, key, keep, after.as_deref(), self.size()))
    }
}

/// Writes a page as the output of its operation.
pub(super) fn write<T: Wire>(call: &Call<'_>, writer: &mut Writer, member: &str, page: &Page<T>) {
    writer.open_map();
    writer.member(member, &page.items);
    writer.member("NextToken", &call.next_token(page));
    writer.close_map();
}

/// Writes an output structure without members.
pub(super) fn write_empty(writer: &mut Writer) {
    writer.open_map();
    writer.close_map();
}
