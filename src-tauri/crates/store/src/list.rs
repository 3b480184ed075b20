//! Statements with a list of values, bound one by one.
//!
//! Owns their text and the maximum length of a list. Deliberately does not use `json_each`: packed identifiers are
//! not JSON.

use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, Encode, Sqlite, Type};

/// Most values in one list. Callers split longer lists into parts of this size.
pub(crate) const PART: usize = 500;
/// Lists up to this length recur, as those of queue messages do, and so do full parts; their statements stay
/// prepared.
const SHORT: usize = 10;

/// Builds a query from `text`, which has `{list}` where the values go. Its other parameters come after the list.
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

/// Placeholders for a list of `count` values.
pub(crate) fn placeholders(count: usize) -> String {
    vec!["?"; count].join(",")
}
