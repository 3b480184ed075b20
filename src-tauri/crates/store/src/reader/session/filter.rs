//! Turns the query language into SQL conditions on game sessions.
//!
//! Names of fleets, Regions, locations, builds, scripts and words are resolved to keys here, so that the statement
//! compares integers. Every value is bound, never written into the text. Conditions speak of `s`
//! (game_session_state) and reach everything else through subqueries on `s.session_key`.

use std::collections::BTreeSet;

use liftdeck_model::Timestamp;
use liftdeck_model::query::{Comparison, Field, Node, Query, Term, Test, TextTest};
use sqlx::{QueryBuilder, Sqlite};

use super::Resolved;
use super::text::{
    ID_TEXT, PLAYER_ID_TEXT, push_ids, push_matched, push_placed, push_players, push_queued, text_condition,
};
use crate::code::Code;
use crate::ending;
use crate::reader::directory::Directory;

/// Everything besides the query that is needed to resolve it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) directory: &'a Directory,
    /// What the names and long texts of the query mean.
    pub(crate) resolved: &'a Resolved,
    pub(crate) now: Timestamp,
    /// A term known to hold for every session that is checked.
    pub(crate) lead: Option<&'a Term>,
    /// Whether names and properties are looked up session by session, for a scan that ends early, or all at once, for
    /// a full scan.
    pub(crate) probing: bool,
}

/// Whether a query needs only the narrow state row, so that counting its matches is cheap.
pub(crate) fn is_narrow(query: &Query) -> bool {
    query.terms().iter().all(|term| is_narrow_field(&term.field))
}

/// Whether the narrow state row has what a field is compared with.
pub(super) const fn is_narrow_field(field: &Field) -> bool {
    !matches!(
        field,
        Field::Text
            | Field::Name
            | Field::Id
            | Field::Ip
            | Field::Dns
            | Field::Port
            | Field::Address
            | Field::Compute
            | Field::Creator
            | Field::Property(_)
            | Field::Data
            | Field::Matchmaker
            | Field::Player
            | Field::Placement
            | Field::Ticket
            | Field::Queue
    )
}

/// Appends the condition of a query, in parentheses.
pub(crate) fn push_query(sql: &mut QueryBuilder<Sqlite>, query: &Query, scope: &Scope<'_>) {
    match &query.root {
        Some(node) => push_node(sql, node, scope),
        None => {
            sql.push("1");
        }
    }
}

fn push_node(sql: &mut QueryBuilder<Sqlite>, node: &Node, scope: &Scope<'_>) {
    match node {
        Node::And(parts) => push_joined(sql, parts, " AND ", scope),
        Node::Or(parts) => push_joined(sql, parts, " OR ", scope),
        Node::Not(part) => {
            // A comparison with NULL is NULL, but a session without a name must match the negation of a name.
            sql.push("NOT coalesce(");
            push_node(sql, part, scope);
            sql.push(", 0)");
        }
        Node::Term(term) if scope.lead.is_some_and(|lead| std::ptr::eq(lead, term)) => {
            sql.push("1");
        }
        Node::Term(term) => push_term(sql, &term.field, &term.test, scope),
    }
}

fn push_joined(sql: &mut QueryBuilder<Sqlite>, parts: &[Node], joint: &str, scope: &Scope<'_>) {
    sql.push("(");
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            sql.push(joint);
        }
        push_node(sql, part, scope);
    }
    sql.push(")");
}

fn push_term(sql: &mut QueryBuilder<Sqlite>, field: &Field, test: &Test, scope: &Scope<'_>) {
    match test {
        Test::Text(text) => push_text(sql, field, text, scope),
        Test::Count(comparison, count) => match field {
            Field::Max => push_comparison(sql, "s.maximum_player_session_count", *comparison, *count),
            Field::Free => {
                let free = "s.maximum_player_session_count - s.current_player_session_count";
                push_comparison(sql, free, *comparison, *count);
            }
            Field::Port => {
                sql.push("s.session_key IN (SELECT g.session_key FROM game_session g WHERE ");
                push_comparison(sql, "g.port", *comparison, *count);
                sql.push(")");
            }
            _ => push_comparison(sql, "s.current_player_session_count", *comparison, *count),
        },
        Test::Age(comparison, age_ms) => {
            let turned = match comparison {
                Comparison::Less => Comparison::Greater,
                Comparison::LessEqual => Comparison::GreaterEqual,
                Comparison::Greater => Comparison::Less,
                Comparison::GreaterEqual => Comparison::LessEqual,
                Comparison::Equal => Comparison::Equal,
            };
            push_comparison(sql, moment(field), turned, scope.now.plus_ms(-age_ms).as_ms());
        }
        Test::Moment(comparison, range) => {
            let column = moment(field);
            let (from, to) = (range.from.as_ms(), range.to.as_ms());
            match comparison {
                Comparison::Less => push_comparison(sql, column, Comparison::Less, from),
                Comparison::LessEqual => push_comparison(sql, column, Comparison::Less, to),
                Comparison::Greater => push_comparison(sql, column, Comparison::GreaterEqual, to),
                Comparison::GreaterEqual => push_comparison(sql, column, Comparison::GreaterEqual, from),
                Comparison::Equal => {
                    sql.push("(");
                    push_comparison(sql, column, Comparison::GreaterEqual, from);
                    sql.push(" AND ");
                    push_comparison(sql, column, Comparison::Less, to);
                    sql.push(")");
                }
            }
        }
        Test::Length(comparison, length_ms) => {
            sql.push("(coalesce(s.ended_at, s.gone_at, ").push_bind(scope.now.as_ms());
            sql.push(") - s.created_at)");
            push_comparison(sql, "", *comparison, *length_ms);
        }
        Test::Absent => {
            sql.push(if *field == Field::Ended { "s.live = 1" } else { "0" });
        }
        Test::Ending(endings) => {
            let keys: BTreeSet<i64> = endings.iter().map(|one| ending::key(*one)).collect();
            // Naming `live` lets the index of the default order skip the sessions still running.
            sql.push("(s.live = 0 AND ");
            push_keys(sql, "s.ending", &keys);
            sql.push(")");
        }
    }
}

fn moment(field: &Field) -> &'static str {
    // If the end was not seen, only its upper bound is known.
    if *field == Field::Ended { "coalesce(s.ended_at, s.gone_at)" } else { "s.created_at" }
}

fn push_comparison(sql: &mut QueryBuilder<Sqlite>, column: &str, comparison: Comparison, value: i64) {
    let sign = match comparison {
        Comparison::Equal => " = ",
        Comparison::Less => " < ",
        Comparison::LessEqual => " <= ",
        Comparison::Greater => " > ",
        Comparison::GreaterEqual => " >= ",
    };
    sql.push(column).push(sign).push_bind(value);
}

fn push_text(sql: &mut QueryBuilder<Sqlite>, field: &Field, test: &TextTest, scope: &Scope<'_>) {
    let directory = scope.directory;
    let fleets = |wanted: &dyn Fn(i64) -> bool| -> BTreeSet<i64> {
        directory.fleets.keys().copied().filter(|key| wanted(*key)).collect()
    };
    let named = |names: &[(i64, String)]| -> BTreeSet<i64> {
        names.iter().filter(|(_, name)| test.matches(name)).map(|(key, _)| *key).collect()
    };
    match field {
        Field::Fleet => {
            let mut keys = named(&scope.resolved.aliases);
            keys.extend(directory.fleets.values().filter_map(|fleet| {
                (test.matches(fleet.fleet_id.as_str()) || test.matches(&fleet.name)).then_some(fleet.key)
            }));
            push_keys(sql, "s.fleet_key", &keys);
        }
        Field::Region => {
            let inside =
                |key: i64| directory.fleets.get(&key).is_some_and(|f| test.matches(f.region.as_str()));
            push_keys(sql, "s.fleet_key", &fleets(&inside));
        }
        Field::Build => push_keys(sql, "s.fleet_key", &named(&scope.resolved.builds)),
        Field::Script => push_keys(sql, "s.fleet_key", &named(&scope.resolved.scripts)),
        Field::InstanceType => push_keys(sql, "s.fleet_key", &named(&scope.resolved.instance_types)),
        Field::Queue => push_in(sql, |sql| push_queued(sql, test)),
        Field::Location => {
            let keys = directory.locations.iter().filter(|(_, name)| test.matches(name.as_str()));
            let keys: BTreeSet<i64> = keys.map(|(key, _)| *key).collect();
            let home = |key: i64| directory.fleets.get(&key).is_some_and(|f| test.matches(f.region.as_str()));
            sql.push("(");
            push_keys(sql, "s.location_key", &keys);
            // A session that names no location runs in its fleet's home Region.
            sql.push(" OR (s.location_key IS NULL AND ");
            push_keys(sql, "s.fleet_key", &fleets(&home));
            sql.push("))");
        }
        Field::Status => push_status(sql, &words(test, directory)),
        Field::Reason => push_keys(sql, "s.status_reason", &words(test, directory)),
        Field::Policy => push_keys(sql, "s.player_session_creation_policy", &words(test, directory)),
        Field::Protection => push_keys(sql, "s.protection_policy", &words(test, directory)),
        Field::Player => push_in(sql, |sql| push_players(sql, test, PLAYER_ID_TEXT)),
        Field::Id => push_in(sql, |sql| push_ids(sql, test, ID_TEXT)),
        // No session is named like a whole identifier, so the names need not be searched for one.
        Field::Text if is_identifier(test) => push_in(sql, |sql| push_ids(sql, test, ID_TEXT)),
        Field::Text => {
            sql.push("(");
            name_condition(sql, test, scope);
            sql.push(" OR ");
            push_in(sql, |sql| push_ids(sql, test, ID_TEXT));
            if let Some((address, port)) = address_and_port(test) {
                sql.push(
                    " OR s.session_key IN (SELECT g.session_key FROM game_session g WHERE g.ip_address = ",
                );
                sql.push_bind(address);
                if let Some(port) = port {
                    sql.push(" AND g.port = ").push_bind(port);
                }
                sql.push(")");
            }
            sql.push(")");
        }
        Field::Name => name_condition(sql, test, scope),
        Field::Ip => wide_condition(sql, test, "g.ip_address"),
        Field::Dns => wide_condition(sql, test, "g.dns_name"),
        Field::Address => address_condition(sql, test),
        Field::Data | Field::Matchmaker => {
            sql.push("s.session_key IN (SELECT value FROM json_each(");
            sql.push_bind(scope.resolved.keys(field, test).to_owned()).push("))");
        }
        Field::Placement => push_in(sql, |sql| push_placed(sql, test)),
        Field::Ticket => push_in(sql, |sql| push_matched(sql, test)),
        Field::Compute => wide_condition(sql, test, "g.compute_name"),
        Field::Creator => wide_condition(sql, test, "g.creator_id"),
        Field::Property(key) if scope.probing => {
            sql.push(
                "EXISTS (SELECT 1 FROM game_session_property q WHERE q.session_key = s.session_key AND ",
            );
            push_pairs(sql, key, test);
            sql.push(")");
        }
        Field::Property(key) => push_in(sql, |sql| {
            sql.push("SELECT q.session_key FROM game_session_property q WHERE ");
            push_pairs(sql, key, test);
        }),
        // The parser never gives these fields a text test.
        Field::Players
        | Field::Max
        | Field::Free
        | Field::Port
        | Field::Created
        | Field::Ended
        | Field::Duration => {
            sql.push("0");
        }
    }
}

/// Appends the condition that `q` is a property with this key and a value that satisfies `test`.
pub(super) fn push_pairs(sql: &mut QueryBuilder<Sqlite>, key: &str, test: &TextTest) {
    sql.push("q.pair_key IN (SELECT r.pair_key FROM property_pair r WHERE r.name = ");
    sql.push_bind(key.to_owned()).push(" AND ");
    text_condition(sql, test, "r.value");
    sql.push(")");
}

/// Appends the condition that the session is among those a SELECT returns.
fn push_in(sql: &mut QueryBuilder<Sqlite>, select: impl FnOnce(&mut QueryBuilder<Sqlite>)) {
    sql.push("s.session_key IN (");
    select(sql);
    sql.push(")");
}

fn name_condition(sql: &mut QueryBuilder<Sqlite>, test: &TextTest, scope: &Scope<'_>) {
    if scope.probing {
        wide_condition(sql, test, "g.name");
        return;
    }
    // The condition on NULL keeps the statement inside the index of names.
    sql.push("s.session_key IN (SELECT g.session_key FROM game_session g WHERE g.name IS NOT NULL AND ");
    text_condition(sql, test, "g.name");
    sql.push(")");
}

fn wide_condition(sql: &mut QueryBuilder<Sqlite>, test: &TextTest, column: &str) {
    sql.push("(SELECT ");
    text_condition(sql, test, column);
    sql.push(" FROM game_session g WHERE g.session_key = s.session_key)");
}

/// Appends the condition on the address or the host name, each as it is or with the port.
fn address_condition(sql: &mut QueryBuilder<Sqlite>, test: &TextTest) {
    sql.push("(SELECT (");
    for (index, column) in ["g.ip_address", "g.dns_name"].into_iter().enumerate() {
        sql.push(if index > 0 { ") OR (" } else { "" });
        text_condition(sql, test, column);
        sql.push(") OR (");
        text_condition(sql, test, &format!("({column} || ':' || g.port)"));
    }
    sql.push(") FROM game_session g WHERE g.session_key = s.session_key)");
}

pub(super) fn is_identifier(test: &TextTest) -> bool {
    let (TextTest::Contains(text) | TextTest::Exact(text)) = test else { return false };
    text.contains(":gamesession/") || matches!(Code::encode(text), Code::Packed(_))
}

pub(super) fn address_and_port(test: &TextTest) -> Option<(String, Option<i64>)> {
    let (TextTest::Contains(text) | TextTest::Exact(text)) = test else { return None };
    let (address, port) = match text.rsplit_once(':') {
        Some((address, port)) => (address, Some(port.parse().ok()?)),
        None => (text.as_str(), None),
    };
    address.parse::<std::net::Ipv4Addr>().ok().map(|_| (address.to_owned(), port))
}

fn words(test: &TextTest, directory: &Directory) -> BTreeSet<i64> {
    directory.words.iter().filter(|(_, word)| test.matches(word)).map(|(key, _)| *key).collect()
}

/// The schema's word keys of the statuses a live session can have.
const LIVE: [i64; 3] = [1, 2, 3];
/// Word key of TERMINATED.
const TERMINATED: i64 = 4;

fn push_status(sql: &mut QueryBuilder<Sqlite>, keys: &BTreeSet<i64>) {
    let (live, ended): (BTreeSet<i64>, BTreeSet<i64>) = keys.iter().partition(|key| LIVE.contains(key));
    if live.is_empty() && ended.is_empty() {
        sql.push("0");
        return;
    }
    let mut joint = "(";
    if !live.is_empty() {
        sql.push(joint).push("s.live = 1 AND ");
        push_keys(sql, "s.status", &live);
        joint = " OR ";
    }
    if !ended.is_empty() {
        sql.push(joint).push("s.live = 0 AND ");
        if ended.contains(&TERMINATED) {
            // It disappeared from GameLift before its end was seen, so its stored status is an earlier one.
            sql.push("(s.gone_at IS NOT NULL OR ");
            push_keys(sql, "s.status", &ended);
            sql.push(")");
        } else {
            sql.push("s.gone_at IS NULL AND ");
            push_keys(sql, "s.status", &ended);
        }
    }
    sql.push(")");
}

fn push_keys(sql: &mut QueryBuilder<Sqlite>, column: &str, keys: &BTreeSet<i64>) {
    if keys.is_empty() {
        sql.push("0");
        return;
    }
    sql.push(column).push(" IN (");
    let mut list = sql.separated(", ");
    for key in keys {
        list.push_bind(*key);
    }
    sql.push(")");
}
