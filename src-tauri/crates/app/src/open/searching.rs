//! Searches of an open connection: sends them to GameLift through the collector, and keeps the latest results.
//!
//! Keeps only ids: the details of a game session always come from the store.

use std::collections::VecDeque;
use std::sync::Arc;

use liftdeck_collector::Found;
use liftdeck_model::search::GameSessionSearch;
use liftdeck_model::{GameSessionId, Region};

use super::OpenConnection;
use liftdeck_api::error::{AppError, ErrorKind};

/// Number of searches kept; an older one must be run again.
const KEPT: usize = 16;

/// The results of the latest searches.
#[derive(Default)]
pub(super) struct Searches {
    last: u32,
    kept: VecDeque<(u32, Arc<[GameSessionId]>)>,
}

impl Searches {
    fn keep(&mut self, found: &[GameSessionId]) -> u32 {
        self.last = self.last.wrapping_add(1);
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((self.last, found.into()));
        self.last
    }
}

impl OpenConnection {
    /// Runs GameLift's own search, and keeps the results under the number it returns.
    pub(crate) async fn search(
        &self,
        region: &Region,
        search: &GameSessionSearch,
    ) -> Result<(u32, Found), AppError> {
        let searcher = {
            let collection = self.collection.lock();
            match (&collection.collector, &collection.trouble) {
                (Some(collector), _) => collector.searcher(),
                (None, Some(trouble)) => return Err(trouble.clone()),
                (None, None) => {
                    return Err(AppError::new(ErrorKind::Refused, "The connection is still being opened.")
                        .remedy("Ask again in a moment."));
                }
            }
        };
        let found = Box::pin(searcher.search(region, search)).await?;
        let number = self.searches.lock().keep(&found.sessions);
        Ok((number, found))
    }

    /// The results of a search.
    pub(crate) fn found(&self, search: u32) -> Result<Arc<[GameSessionId]>, AppError> {
        let searches = self.searches.lock();
        let kept = searches.kept.iter().find(|(number, _)| *number == search);
        kept.map(|(_, found)| Arc::clone(found)).ok_or_else(|| {
            AppError::new(ErrorKind::NotFound, "The results of this search are no longer available.")
                .remedy("Ask GameLift again.")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_searches_are_kept_and_older_ones_forgotten() {
        let mut searches = Searches::default();
        let numbers: Vec<u32> = (0..20).map(|index| searches.keep(&[format!("s-{index}").into()])).collect();
        assert_eq!(searches.kept.len(), KEPT);
        assert_eq!(searches.kept.front().map(|(number, _)| *number), Some(numbers[4]));
        assert_eq!(searches.kept.back().map(|(_, found)| found[0].as_str()), Some("s-19"));
    }
}
