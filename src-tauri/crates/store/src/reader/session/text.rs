//! Conditions on texts and packed identifiers.

use liftdeck_model::query::TextTest;
use sqlx::{QueryBuilder, Sqlite};

use crate::code::Code;

/// A SQL expression that spells out a packed identifier, for patterns that match no range of codes (see `code.rs`).
pub(super) const ID_TEXT: &str = "CASE typeof(g.id) WHEN 'text' THEN g.id WHEN 'blob' THEN \
    CASE WHEN length(g.id) < 17 THEN '' WHEN substr(g.id, 1, 1) = x'00' THEN 'psess-' ELSE 'gsess-' END || \
    (SELECT substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-' || substr(h, 13, 4) || '-' || substr(h, 17, 4) || '-' || \
    substr(h, 21) FROM (SELECT lower(hex(substr(g.id, -16))) AS h)) END";

/// The same for player ids.
pub(super) const PLAYER_ID_TEXT: &str = "CASE typeof(y.id) WHEN 'text' THEN y.id WHEN 'blob' THEN \
    CASE WHEN length(y.id) < 17 THEN '' WHEN substr(y.id, 1, 1) = x'00' THEN 'psess-' ELSE 'gsess-' END || \
    (SELECT substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-' || substr(h, 13, 4) || '-' || substr(h, 17, 4) || '-' || \
    substr(h, 21) FROM (SELECT lower(hex(substr(y.id, -16))) AS h)) END";

/// Appends the condition that the expression `column` satisfies `test`. LIKE and NOCASE ignore the case of ASCII
/// letters only, as SQLite does.
pub(super) fn text_condition(sql: &mut QueryBuilder<Sqlite>, test: &TextTest, column: &str) {
    if let TextTest::Contains(text) | TextTest::Glob(text) = test
        && let Some(run) = caseless_run(text)
    {
        // Costs a third of LIKE, and most rows already fail here.
        sql.push("instr(").push(column).push(", ").push_bind(run.to_owned()).push(") > 0 AND ");
    }
    sql.push(column);
    match test {
        TextTest::Exact(text) => sql.push(" = ").push_bind(text.clone()),
        TextTest::Is(text) => sql.push(" = ").push_bind(text.clone()).push(" COLLATE NOCASE"),
        TextTest::Contains(text) => {
            sql.push(" LIKE ").push_bind(format!("%{}%", escaped(text))).push(" ESCAPE '\\'")
        }
        TextTest::Glob(glob) => {
            let pattern = glob.split('*').map(escaped).collect::<Vec<_>>().join("%");
            sql.push(" LIKE ").push_bind(pattern).push(" ESCAPE '\\'")
        }
        TextTest::Regex(pattern) => sql.push(" REGEXP ").push_bind(pattern.as_str().to_owned()),
    };
}

/// The longest part of a pattern that has no case (digits, hyphens …), so that it must occur as it is; at least two
/// characters, because one occurs nearly everywhere.
fn caseless_run(pattern: &str) -> Option<&str> {
    let has_case = |letter: char| letter.is_ascii_alphabetic() || letter == '*';
    pattern.split(has_case).max_by_key(|run| run.len()).filter(|run| run.len() >= 2)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// Appends a SELECT of the keys of the game sessions whose id satisfies `test`: a whole ARN, a whole last part, a
/// beginning of it, or a pattern.
pub(super) fn push_ids(sql: &mut QueryBuilder<Sqlite>, test: &TextTest, spelt: &str) {
    sql.push("SELECT g.session_key FROM game_session g WHERE ");
    match test {
        TextTest::Exact(text) | TextTest::Is(text) | TextTest::Contains(text) if text.contains('/') => {
            let (prefix, id) = text.rsplit_once('/').unwrap_or(("", text));
            sql.push("g.id = ").push_bind(Code::encode(id));
            sql.push(" AND g.prefix_key IN (SELECT prefix_key FROM arn_prefix WHERE prefix = ");
            sql.push_bind(prefix.to_owned()).push(")");
        }
        TextTest::Exact(text) | TextTest::Is(text) => {
            sql.push("g.id = ").push_bind(Code::encode(text));
        }
        TextTest::Contains(text) => push_prefix(sql, "g.id", text),
        TextTest::Glob(glob) => match beginning(glob) {
            Some(prefix) => push_prefix(sql, "g.id", prefix),
            None => text_condition(sql, test, spelt),
        },
        TextTest::Regex(_) => text_condition(sql, test, spelt),
    }
}

/// Appends a SELECT of the keys of the game sessions in which a player whose id satisfies `test` has a player session.
pub(super) fn push_players(sql: &mut QueryBuilder<Sqlite>, test: &TextTest, spelt: &str) {
    sql.push(
        "SELECT ps.session_key FROM player y CROSS JOIN player_session ps \
         ON ps.player_key = y.player_key WHERE ",
    );
    match test {
        // Player ids are the game's own, and case is part of them.
        TextTest::Exact(text) | TextTest::Is(text) => {
            sql.push("y.id = ").push_bind(Code::encode(text));
        }
        TextTest::Contains(text) => push_prefix(sql, "y.id", text),
        TextTest::Glob(glob) => match beginning(glob) {
            Some(prefix) => push_prefix(sql, "y.id", prefix),
            None => text_condition(sql, test, spelt),
        },
        TextTest::Regex(_) => text_condition(sql, test, spelt),
    }
}

/// Appends a SELECT of the keys of the game sessions created by a placement whose id satisfies `test`.
pub(super) fn push_placed(sql: &mut QueryBuilder<Sqlite>, test: &TextTest) {
    sql.push(
        "SELECT g.session_key FROM placement_event p CROSS JOIN game_session g \
         ON g.id = p.session_id AND g.prefix_key = p.session_prefix_key WHERE ",
    );
    own_id_condition(sql, test, "p.placement_id");
}

/// Appends a SELECT of the keys of the game sessions that a queue whose name satisfies `test` placed.
pub(super) fn push_queued(sql: &mut QueryBuilder<Sqlite>, test: &TextTest) {
    sql.push(
        "SELECT g.session_key FROM placement_event p CROSS JOIN game_session g \
         ON g.id = p.session_id AND g.prefix_key = p.session_prefix_key WHERE ",
    );
    text_condition(sql, test, "p.queue");
}

/// Appends a SELECT of the keys of the game sessions that a matchmaking ticket whose id satisfies `test` led to.
pub(super) fn push_matched(sql: &mut QueryBuilder<Sqlite>, test: &TextTest) {
    sql.push(
        "SELECT g.session_key FROM ticket t CROSS JOIN game_session g \
         ON g.id = t.session_id AND g.prefix_key = t.session_prefix_key WHERE ",
    );
    own_id_condition(sql, test, "t.ticket_id");
}

/// Appends a condition on ids that the game chose. They are case-sensitive, so an index finds a whole one.
fn own_id_condition(sql: &mut QueryBuilder<Sqlite>, test: &TextTest, column: &str) {
    match test {
        TextTest::Exact(text) | TextTest::Is(text) => {
            sql.push(column).push(" = ").push_bind(text.clone());
        }
        _ => text_condition(sql, test, column),
    }
}

/// The text before the only star, when it is the last character.
fn beginning(glob: &str) -> Option<&str> {
    glob.strip_suffix('*').filter(|rest| !rest.contains('*') && !rest.is_empty())
}

/// Appends the condition that a packed identifier begins with `prefix`.
pub(in crate::reader) fn push_prefix(sql: &mut QueryBuilder<Sqlite>, column: &str, prefix: &str) {
    sql.push("(");
    for (index, (low, high)) in Code::ranges_of_prefix(prefix).into_iter().enumerate() {
        if index > 0 {
            sql.push(" OR ");
        }
        sql.push("(").push(column).push(" >= ").push_bind(low);
        if let Some(high) = high {
            sql.push(" AND ").push(column).push(" < ").push_bind(high);
        }
        sql.push(")");
    }
    sql.push(")");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_no_case_must_occur_as_it_is() {
        assert_eq!(caseless_run("match-4242"), Some("-4242"));
        assert_eq!(caseless_run("12*eu-prod-77*"), Some("-77"));
        assert_eq!(caseless_run("Größe"), Some("öß"));
        assert_eq!(caseless_run("match"), None);
        assert_eq!(caseless_run("a-b"), None);
    }
}
