//! Pages of listings and their tokens. A token says where the next page starts. It is sealed for the listing it
//! belongs to: another operation, region or filter, or a changed byte, makes it invalid.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of the seal kept in a token.
const SEAL_BYTES: usize = 16;

/// A token that this simulator did not issue for this listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForgedToken;

/// Seals and opens tokens.
#[derive(Debug, Clone)]
pub(crate) struct Tokens {
    key: [u8; 8],
}

impl Tokens {
    /// Creates the tokens of one world; the same seed opens them again.
    pub(crate) fn new(seed: u64) -> Tokens {
        Tokens { key: seed.to_be_bytes() }
    }

    /// Seals a cursor of a listing into a token.
    pub(crate) fn seal(&self, listing: &str, cursor: &str) -> String {
        let mut bytes = self.tag(listing, cursor);
        bytes.extend_from_slice(cursor.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns the cursor in a token of a listing.
    pub(crate) fn open(&self, listing: &str, token: &str) -> Result<String, ForgedToken> {
        let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|_| ForgedToken)?;
        let (tag, cursor) = bytes.split_at_checked(SEAL_BYTES).ok_or(ForgedToken)?;
        let cursor = std::str::from_utf8(cursor).map_err(|_| ForgedToken)?;
        if tag == self.tag(listing, cursor) { Ok(cursor.to_owned()) } else { Err(ForgedToken) }
    }

    fn tag(&self, listing: &str, cursor: &str) -> Vec<u8> {
        // HMAC takes keys of any length, so the error arm of `new_from_slice` is unreachable; an empty seal opens
        // nothing.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.key) else { return Vec::new() };
        for part in [listing, "\0", cursor] {
            mac.update(part.as_bytes());
        }
        let mut tag = mac.finalize().into_bytes().to_vec();
        tag.truncate(SEAL_BYTES);
        tag
    }
}

/// One page of a listing.
#[derive(Debug)]
pub(crate) struct Page<T> {
    /// The items of the page.
    pub(crate) items: Vec<T>,
    /// Where the next page starts, if there is one.
    pub(crate) cursor: Option<String>,
}

/// Cuts a page of at most `limit` of the items to `keep` after a cursor. The cursor holds the key and position of the
/// previous page's last item, which is looked up among all items, kept or not. An item that no longer passes the
/// filter still marks the position; if the item is gone, the listing repeats an item rather than skipping one.
pub(crate) fn cut<T>(
    items: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> &str,
    keep: impl Fn(&T) -> bool,
    after: Option<&str>,
    limit: usize,
) -> Page<T> {
    let items: Vec<T> = items.into_iter().collect();
    let start = after.map_or(0, |cursor| {
        let (offset, last) = cursor.split_once(' ').unwrap_or((cursor, ""));
        let found = items.iter().position(|item| key(item) == last);
        found.map_or_else(|| offset.parse().unwrap_or(0), |at| at + 1)
    });
    let mut kept = items.into_iter().enumerate().skip(start).filter(|(_, item)| keep(item));
    let mut page = Page { items: Vec::new(), cursor: None };
    let mut last = None;
    for (at, item) in kept.by_ref().take(limit) {
        last = Some(format!("{at} {}", key(&item)));
        page.items.push(item);
    }
    page.cursor = kept.next().and(last);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_only_for_the_listing_it_was_sealed_for() {
        let tokens = Tokens::new(7);
        let token = tokens.seal("ListFleets eu-west-1", "10 fleet-9");
        assert_eq!(tokens.open("ListFleets eu-west-1", &token).as_deref(), Ok("10 fleet-9"));
        assert_eq!(tokens.open("ListFleets us-east-1", &token), Err(ForgedToken));
        assert_eq!(Tokens::new(8).open("ListFleets eu-west-1", &token), Err(ForgedToken));
    }

    #[test]
    fn a_changed_or_invented_token_is_refused() {
        let tokens = Tokens::new(7);
        let token = tokens.seal("listing", "10 fleet-9");
        for at in 0..token.len() {
            let mut forged = token.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            assert!(tokens.open("listing", &String::from_utf8(forged).unwrap()).is_err(), "byte {at}");
        }
        for invented in ["", "AAAA", "not base64!", "MTAgZmxlZXQtOQ"] {
            assert_eq!(tokens.open("listing", invented), Err(ForgedToken));
        }
    }

    fn page(
        items: &[&'static str],
        keep: fn(&&'static str) -> bool,
        after: Option<&str>,
    ) -> Page<&'static str> {
        cut(items.iter().copied(), |item| *item, keep, after, 2)
    }

    #[test]
    fn pages_together_are_the_whole_listing() {
        let items = ["a", "b", "c", "d", "e"];
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let page = page(&items, |item| *item != "d", cursor.as_deref());
            seen.extend(page.items);
            cursor = page.cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, ["a", "b", "c", "e"]);
    }

    #[test]
    fn a_listing_skips_nothing_when_an_item_leaves_it_between_two_pages() {
        let first = page(&["a", "b", "c", "d"], |_| true, None);
        let filtered = page(&["a", "b", "c", "d"], |item| *item != "b", first.cursor.as_deref());
        assert_eq!(filtered.items, ["c", "d"]);
        let gone = page(&["a", "c", "d"], |_| true, first.cursor.as_deref());
        assert_eq!(gone.items, ["c", "d"]);
    }
}
