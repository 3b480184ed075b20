//! Statements about a list of values, bound one by one.
//!
//! Owns their text and how long a list may be. Deliberately no `json_each`: packed identifiers are not JSON.

use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, Encode, Sqlite, Type};

/// Values of a list at most; of more, part after part is asked about.
pub(crate) const PART: usize = 500;
/// Lists up to this length come again and again, as messages of a queue do; so do full parts.
const SHORT: usize = 10;

/// A statement with `{list}` where its list of values goes. What else it binds comes after the list.
pub(crate) fn of_list<'q, T>(
    text: &str,
    list: impl ExactSizeIterator<Item = T>,
) -> Query<'q, Sqlite, SqliteArguments>
where
    T: Encode<'q, Sqlite> + Type<Sqlite> + 'q,
{
    let length = list.len();
    let query = sqlx::query(AssertSqlSafe(text.replace("{list}", &placeholders(length))));
    list.fold(query.persistent(length <= SHORT || length == PART), Query::bind)
}

/// Placeholders of a list.
pub(crate) fn placeholders(count: usize) -> String {
    vec!["?"; count].join(",")
}
