//! Where a search begins: the sessions an index or the names lead to, when they are few.
//!
//! A list walks sessions in their order until its window is full. For a term few sessions satisfy that walk would be
//! long, so their keys are asked for first, up to a bound; deliberately not for terms no index is kept of.

use liftdeck_model::query::{Field, Node, Query, Term, Test};
use sqlx::{QueryBuilder, Sqlite};

use super::filter::{address_and_port, is_identifier, push_pairs};
use super::text::{
    ID_TEXT, PLAYER_ID_TEXT, push_ids, push_matched, push_placed, push_players, text_condition,
};
use crate::error::StoreError;
use crate::reader::Reader;

/// Most keys a lead has.
pub(super) const FEW: i64 = 10_000;

/// What leads to the sessions of a query.
pub(super) enum Lead<'q> {
    /// Nothing: every session has to be looked at.
    Nothing,
    /// Some terms do, but each gives more than [`FEW`] keys. `surely`: the last one leads to more than that many different
    /// sessions; otherwise keys repeat, and there may be fewer.
    Many { surely: bool },
    /// The keys of every session that satisfies the term.
    Few(&'q Term, Vec<i64>),
}

impl Reader {
    /// The first term all matches must satisfy that leads to few sessions.
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

/// The terms every match satisfies.
fn must_hold(query: &Query) -> Vec<&Term> {
    match &query.root {
        Some(Node::Term(term)) => vec![term],
        Some(Node::And(parts)) => parts
            .iter()
            .filter_map(|part| if let Node::Term(term) = part { Some(term) } else { None })
            .collect(),
        _ => Vec::new(),
    }
}

/// Appends a SELECT of the keys of the sessions that satisfy a term; false when no index leads to them.
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
        // An address may be anybody's.
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
