//! Finds the sessions from which a search starts: those an index or the names lead to, if they are few.
//!
//! A list scans sessions in their order until its window is full. For a term that few sessions satisfy that scan
//! would be long, so their keys are read first, up to a bound. Deliberately not done for terms without an index.

use liftdeck_model::query::{Field, Node, Query, Term, Test};
use sqlx::{QueryBuilder, Sqlite};

use super::filter::{address_and_port, is_identifier, push_pairs};
use super::text::{
    ID_TEXT, PLAYER_ID_TEXT, push_ids, push_matched, push_placed, push_players, text_condition,
};
use crate::error::StoreError;
use crate::reader::Reader;

/// Maximum number of keys in a lead.
pub(super) const FEW: i64 = 10_000;

/// How the sessions of a query can be found.
pub(super) enum Lead<'q> {
    /// No index helps: every session has to be checked.
    Nothing,
    /// Some terms lead to sessions, but each gives more than [`FEW`] keys. `surely`: the last such term leads to more
    /// than that many different sessions; otherwise keys repeat, and there may be fewer.
    Many { surely: bool },
    /// The keys of every session that satisfies the term.
    Few(&'q Term, Vec<i64>),
}

impl Reader {
    /// Finds the first term that all matches must satisfy and that leads to few sessions.
    pub(super) async fn lead<'q>(&self, query: &'q Query) -> Result<Lead<'q>, StoreError> {
        let mut lead = Lead::Nothing;
        for term in must_hold(query) {
            let mut sql =
                QueryBuilder::new("SELECT json_group_array(session_key) FROM (SELECT session_key FROM (");
            if !push_candidates(&mut sql, term) {
                continue;
            }
            sql.push(") LIMIT ").push_bind(FEW + 1).push(")");
            let found: String = sql.build_query_scalar().fetch_one(self.pool()).await?;
            let mut keys = super::list::keys(&found)?;
            let is_few = |keys: &[i64]| i64::try_from(keys.len()).unwrap_or(i64::MAX) <= FEW;
            let are_all = is_few(&keys);
            keys.sort_unstable();
            keys.dedup();
            if are_all {
                return Ok(Lead::Few(term, keys));
            }
            lead = Lead::Many { surely: !is_few(&keys) };
        }
        Ok(lead)
    }
}

/// The terms that every match must satisfy.
pub(super) fn must_hold(query: &Query) -> Vec<&Term> {
    match &query.root {
        Some(Node::Term(term)) => vec![term],
        Some(Node::And(parts)) => parts
            .iter()
            .filter_map(|part| if let Node::Term(term) = part { Some(term) } else { None })
            .collect(),
        _ => Vec::new(),
    }
}

/// Appends a SELECT of the keys of the sessions that satisfy a term. Returns false if no index leads to them.
fn push_candidates(sql: &mut QueryBuilder<Sqlite>, term: &Term) -> bool {
    let Test::Text(test) = &term.test else { return false };
    match &term.field {
        Field::Property(key) => {
            sql.push("SELECT q.session_key FROM game_session_property q WHERE ");
            push_pairs(sql, key, test);
        }
        Field::Name => {
            sql.push("SELECT g.session_key FROM game_session g WHERE g.name IS NOT NULL AND ");
            text_condition(sql, test, "g.name");
        }
        Field::Id => push_ids(sql, test, ID_TEXT),
        Field::Text if is_identifier(test) => push_ids(sql, test, ID_TEXT),
        // Not for an address, which any session may have.
        Field::Text if address_and_port(test).is_none() => {
            push_ids(sql, test, ID_TEXT);
            sql.push(" UNION ALL SELECT g.session_key FROM game_session g WHERE g.name IS NOT NULL AND ");
            text_condition(sql, test, "g.name");
        }
        Field::Player => push_players(sql, test, PLAYER_ID_TEXT),
        Field::Placement => push_placed(sql, test),
        Field::Ticket => push_matched(sql, test),
        _ => return false,
    }
    true
}
