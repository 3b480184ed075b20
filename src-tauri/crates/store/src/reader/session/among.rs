//! Game sessions given by id, such as those a search found, as a window in any order.

use std::collections::HashSet;

use liftdeck_model::GameSessionId;
use sqlx::QueryBuilder;

use super::list::push_order;
use super::{GameSessionRow, SessionColumn};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::window::{Page, Window};
use crate::reader::{Reader, split_arn};

/// Number of ids looked up by one statement, three bound values each.
const IDS_A_STATEMENT: usize = 500;

/// A session found in the store.
struct Known {
    /// Its index among the requested ids.
    place: usize,
    key: i64,
    live: bool,
}

impl Reader {
    /// Those of `ids` that are in the store, as a window; without a `sort` in the order of `ids`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn game_sessions_among(
        &self,
        ids: &[GameSessionId],
        sort: Option<(SessionColumn, bool)>,
        page: Page,
    ) -> Result<Window<GameSessionRow>, StoreError> {
        let directory = self.directory().await?;
        let keys: Vec<i64> = self.known_among(ids).await?.into_iter().map(|known| known.key).collect();
        let count = i64::try_from(keys.len()).unwrap_or(i64::MAX);
        let mut sql = QueryBuilder::new("SELECT s.session_key FROM json_each(");
        sql.push_bind(serde_json::to_string(&keys).unwrap_or_default());
        sql.push(") c CROSS JOIN game_session_state s ON s.session_key = c.value");
        if matches!(sort, Some((SessionColumn::Name, _))) {
            sql.push(" JOIN game_session n ON n.session_key = s.session_key");
        }
        match sort {
            Some(sort) => push_order(&mut sql, Some(sort), &directory),
            None => drop(sql.push(" ORDER BY c.key")),
        }
        page.push(&mut sql);
        let keys: Vec<i64> = sql.build_query_scalar().fetch_all(self.pool()).await?;
        let rows = self.session_rows(&keys, &directory).await?;
        Ok(Window::counted(rows, count, i64::MAX))
    }

    /// Those of `ids` whose end is known.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ended_game_sessions(
        &self,
        ids: &[GameSessionId],
    ) -> Result<HashSet<GameSessionId>, StoreError> {
        let known = self.known_among(ids).await?.into_iter();
        Ok(known.filter(|known| !known.live).filter_map(|known| ids.get(known.place).cloned()).collect())
    }

    /// Those of `ids` that are in the store, in the order of `ids`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn game_sessions_by_id(
        &self,
        ids: &[GameSessionId],
    ) -> Result<Vec<GameSessionRow>, StoreError> {
        let keys: Vec<i64> = self.known_among(ids).await?.into_iter().map(|known| known.key).collect();
        self.session_rows(&keys, &self.directory().await?).await
    }

    /// Those of `ids` that are not in the store, in the order of `ids`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unknown_game_sessions(
        &self,
        ids: &[GameSessionId],
    ) -> Result<Vec<GameSessionId>, StoreError> {
        let known: HashSet<usize> =
            self.known_among(ids).await?.into_iter().map(|known| known.place).collect();
        let unknown = ids.iter().enumerate().filter(|(place, _)| !known.contains(place));
        Ok(unknown.map(|(_, id)| id.clone()).collect())
    }

    /// The sessions with these ids, in the order of `ids`.
    async fn known_among(&self, ids: &[GameSessionId]) -> Result<Vec<Known>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for (part, first) in ids.chunks(IDS_A_STATEMENT).zip((0..).step_by(IDS_A_STATEMENT)) {
            let mut sql = QueryBuilder::new("WITH wanted (place, id, prefix) AS (");
            sql.push_values(part.iter().zip(0_i64..), |mut row, (id, place)| {
                let (prefix, short) = split_arn(id);
                row.push_bind(place).push_bind(short).push_bind(prefix.to_owned());
            });
            // CROSS JOIN stops SQLite from starting with all sessions.
            sql.push(
                ") SELECT w.place, g.session_key, s.live FROM wanted w CROSS JOIN game_session g ON g.id = w.id \
                 JOIN arn_prefix a ON a.prefix_key = g.prefix_key AND a.prefix = w.prefix \
                 JOIN game_session_state s ON s.session_key = g.session_key ORDER BY w.place",
            );
            for row in sql.build().fetch_all(self.pool()).await? {
                let place = first + usize::try_from(row.read::<i64>("place")?).unwrap_or(0);
                found.push(Known { place, key: row.read("session_key")?, live: row.read("live")? });
            }
        }
        Ok(found)
    }
}
