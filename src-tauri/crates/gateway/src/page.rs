//! Paging: reads page after page and proves a listing complete, or says why it is not.
//!
//! Owns the loop. The SDK's own paginators end silently on a repeated token, which makes a truncated listing look
//! complete. Here a repeated token is a failure, even if other tokens came in between.

use std::collections::HashSet;
use std::future::Future;

use liftdeck_model::observation::Listing;

use crate::error::GatewayError;

/// Maximum number of pages of one listing; with more, the service is assumed never to end it.
const MAX_PAGES: usize = 5_000;

/// Items of a listing, whether every page was read, and the failure if not.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// What was read, in the service's order.
    pub items: Vec<T>,
    /// True only when a last page without a token was read and every item on every page was understood.
    pub complete: bool,
    /// Why it is not complete.
    pub failure: Option<GatewayError>,
}

impl<T> Reading<T> {
    /// A reading that failed before its first item.
    pub const fn failed(failure: GatewayError) -> Self {
        Self { items: Vec::new(), complete: false, failure: Some(failure) }
    }

    /// Splits the reading into the model's listing and the failure.
    pub fn into_listing(self) -> (Listing<T>, Option<GatewayError>) {
        (Listing { items: self.items, complete: self.complete }, self.failure)
    }

    /// This reading followed by another; complete only if both are. The first failure is kept.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.items.extend(other.items);
        self.complete &= other.complete;
        self.failure = self.failure.or(other.failure);
        self
    }
}

/// Where the next page begins, and the tokens that led there.
#[derive(Clone, Debug)]
pub struct PageToken {
    token: String,
    seen: HashSet<String>,
}

impl PageToken {
    /// The token as the service gave it.
    pub(crate) fn text(&self) -> &str {
        &self.token
    }
}

/// One page.
#[derive(Clone, Debug)]
pub struct PageOf<T> {
    /// Items that could be understood.
    pub items: Vec<T>,
    /// Where the next page begins; `None` on the last.
    pub next: Option<PageToken>,
    /// Why the listing is not complete even at its end, such as an item of this page that could not be understood.
    pub flaw: Option<GatewayError>,
}

impl<T> PageOf<T> {
    /// Creates a page at its place in the listing. A repeated token, or a listing that never ends, becomes the flaw
    /// and ends the listing; the items of the page are kept.
    pub(crate) fn new(
        items: Vec<T>,
        from: Option<PageToken>,
        next: Option<String>,
        error: impl FnOnce(String) -> GatewayError,
    ) -> Self {
        match follow(from, next) {
            Ok(next) => Self { items, next, flaw: None },
            Err(message) => Self { items, next: None, flaw: Some(error(message)) },
        }
    }

    /// Whether this page proves that the listing ends here, provided no earlier page had a flaw.
    pub const fn proves_the_end(&self) -> bool {
        self.next.is_none() && self.flaw.is_none()
    }
}

fn follow(from: Option<PageToken>, next: Option<String>) -> Result<Option<PageToken>, String> {
    let Some(token) = next.filter(|token| !token.is_empty()) else {
        return Ok(None);
    };
    let seen = match from {
        None => HashSet::new(),
        Some(PageToken { token, mut seen }) => {
            seen.insert(token);
            seen
        }
    };
    if seen.contains(&token) {
        return Err(format!("the service sent the same page token twice within {} pages", seen.len() + 1));
    }
    if seen.len() >= MAX_PAGES {
        return Err(format!("the listing did not end after {MAX_PAGES} pages"));
    }
    Ok(Some(PageToken { token, seen }))
}

/// Reads every page; what was read before a failure is kept and marked incomplete.
pub(crate) async fn read_all<T, F, Fut>(mut page: F) -> Reading<T>
where
    F: FnMut(Option<PageToken>) -> Fut,
    Fut: Future<Output = Result<PageOf<T>, GatewayError>>,
{
    let mut reading = Reading { items: Vec::new(), complete: false, failure: None };
    let mut token = None;
    loop {
        match page(token.take()).await {
            Err(failure) => {
                reading.failure = Some(failure);
                return reading;
            }
            Ok(found) => {
                reading.items.extend(found.items);
                reading.failure = reading.failure.or(found.flaw);
                token = found.next;
                if token.is_none() {
                    reading.complete = reading.failure.is_none();
                    return reading;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn broken(message: String) -> GatewayError {
        GatewayError::plain(ErrorKind::Decode, "ListAliases", message)
    }

    /// Reads pages that return the given tokens in turn, with one item per page.
    async fn read(tokens: &[Option<&str>]) -> Reading<usize> {
        let mut given = 0;
        read_all(|token| {
            let next = tokens.get(given).copied().flatten().map(str::to_owned);
            given += 1;
            let item = given;
            async move { Ok(PageOf::new(vec![item], token, next, broken)) }
        })
        .await
    }

    #[tokio::test]
    async fn only_a_last_page_without_a_token_completes_a_listing() {
        let reading = read(&[Some("a"), Some("b"), None]).await;
        assert_eq!(reading.items, [1, 2, 3]);
        assert!(reading.complete && reading.failure.is_none());
    }

    #[tokio::test]
    async fn an_empty_token_ends_a_listing_like_an_absent_one() {
        assert!(read(&[Some("")]).await.complete);
    }

    #[tokio::test]
    async fn a_repeated_token_breaks_the_listing_off_with_a_failure() {
        let reading = read(&[Some("a"), Some("a"), None]).await;
        assert_eq!(reading.items, [1, 2]);
        assert!(!reading.complete);
        assert_eq!(reading.failure.unwrap().kind, ErrorKind::Decode);
    }

    #[tokio::test]
    async fn a_cycle_of_tokens_is_found_even_when_no_neighbours_are_equal() {
        let reading = read(&[Some("a"), Some("b"), Some("c"), Some("a")]).await;
        assert_eq!(reading.items, [1, 2, 3, 4]);
        assert!(!reading.complete && reading.failure.is_some());
    }

    #[tokio::test]
    async fn a_flawed_item_keeps_the_rest_but_not_the_proof() {
        let flaw = GatewayError::plain(ErrorKind::Decode, "ListAliases", "an alias without AliasId");
        let reading = read_all(|token: Option<PageToken>| {
            let flaw = token.is_none().then(|| flaw.clone());
            let next = token.is_none().then(|| "a".to_owned());
            async move { Ok(PageOf { flaw, ..PageOf::new(vec![1], token, next, broken) }) }
        })
        .await;
        assert_eq!(reading.items, [1, 1]);
        assert!(!reading.complete && reading.failure.is_some());
    }
}
