//! How a collection ended: whether everything was read, some of it, or nothing, and what a person has to know of it.
//!
//! Owns this judgement, for a complete pass and for a continuous collection.

use crate::health::{FeedHealth, Health, HealthState};
use crate::summary::Summary;

/// How a collection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was read.
    Done,
    /// Some of it could not be read.
    Partly,
    /// Nothing was read, or the database could not store it; the sentence says why.
    Failed(String),
}

/// How a collection ended, and what a person has to know or do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How it ended.
    pub end: End,
    /// What to know or do, one note each.
    pub notes: Vec<String>,
}

impl Summary {
    /// Judges the pass. It failed if nothing was read at all, or if the database could not store it.
    pub fn verdict(&self) -> Verdict {
        if let Some(own) = self.failures.iter().find(|failure| failure.is_own) {
            return Verdict { end: End::Failed(own.to_string()), notes: Vec::new() };
        }
        let mut notes = notes(&self.feeds);
        let succeeded: u64 = self.calls.values().map(|calls| calls.calls.saturating_sub(calls.errors)).sum();
        let end = match self.failures.first() {
            None if self.feeds.iter().any(FeedHealth::is_left_alone) => End::Partly,
            None => End::Done,
            Some(first) if self.rows.is_empty() && succeeded == 0 => End::Failed(first.to_string()),
            Some(_) => {
                notes.extend(self.failures.iter().map(ToString::to_string));
                End::Partly
            }
        };
        Verdict { end, notes }
    }
}

impl Health {
    /// Judges a continuous collection by its health at the end.
    pub fn verdict(&self) -> Verdict {
        let mut all: Vec<String> = self.cautions.clone();
        all.extend(notes(&self.feeds));
        let said = self.message.as_deref().map(|message| sentence(message, self.remedy.as_deref()));
        let has_read = self.regions.iter().any(|region| region.last_success.is_some());
        let end = match (self.state, said) {
            (HealthState::StoreProblem, Some(said)) => End::Failed(said),
            (
                HealthState::Denied
                | HealthState::Unreachable
                | HealthState::CredentialsExpired
                | HealthState::WrongAccount
                | HealthState::Unproven,
                Some(said),
            ) => {
                if has_read {
                    all.push(said);
                    End::Partly
                } else {
                    End::Failed(said)
                }
            }
            _ => End::Done,
        };
        Verdict { end, notes: all }
    }
}

fn notes(feeds: &[FeedHealth]) -> Vec<String> {
    feeds.iter().flat_map(FeedHealth::notes).collect()
}

/// A message as a sentence, and what to do about it.
pub(crate) fn sentence(message: &str, remedy: Option<&str>) -> String {
    let message = message.trim_end_matches('.');
    match remedy {
        Some(remedy) => format!("{message}. {remedy}"),
        None => format!("{message}."),
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::observation::PollKind;
    use liftdeck_model::{Region, Timestamp};

    use super::*;
    use crate::summary::{Calls, Failure};

    fn end(rows: u64, calls: Calls, message: &str, is_own: bool) -> End {
        let mut summary = Summary::default();
        if rows > 0 {
            summary.rows.insert("fleets".to_owned(), rows);
        }
        summary.calls.insert("ListFleets".to_owned(), calls);
        summary.failures.push(Failure {
            region: Region::from("eu-west-1"),
            kind: PollKind::Fleets,
            resources: 1,
            message: message.to_owned(),
            remedy: None,
            is_own,
        });
        summary.verdict().end
    }

    #[test]
    fn a_pass_is_partly_done_when_some_of_it_was_read() {
        let calls = Calls { calls: 3, errors: 1, ..Calls::default() };
        assert_eq!(end(1, calls, "ListFleets in eu-west-1 is not allowed", false), End::Partly);
    }

    #[test]
    fn a_pass_that_read_nothing_failed() {
        let calls = Calls { calls: 1, errors: 1, ..Calls::default() };
        let said = "ListFleets in eu-west-1 could not reach AWS";
        assert_eq!(end(0, calls, said, false), End::Failed(format!("{said}.")));
    }

    #[test]
    fn a_pass_the_database_could_not_take_failed_whatever_was_read() {
        let calls = Calls { calls: 9, ..Calls::default() };
        assert!(matches!(end(5, calls, "The disk of the database x is full.", true), End::Failed(_)));
    }

    #[test]
    fn a_pass_that_leaves_a_queue_alone_is_partly_done_and_says_which() {
        let mut feed = FeedHealth::starting(Region::from("eu-west-1"), "https://x/events".to_owned());
        let mut summary = Summary { feeds: vec![feed.clone()], ..Summary::default() };
        assert_eq!(summary.verdict().end, End::Done);
        feed.state = crate::health::FeedState::NotAdopted;
        summary.feeds = vec![feed];
        let verdict = summary.verdict();
        assert_eq!((verdict.end, verdict.notes.len()), (End::Partly, 1));
    }

    #[test]
    fn a_collection_that_never_read_anything_failed_and_one_that_did_is_partly_done() {
        let mut health = Health::starting(Timestamp::from_ms(0));
        assert_eq!(health.verdict().end, End::Done);
        (health.state, health.message) = (HealthState::Denied, Some("It is not allowed.".to_owned()));
        health.remedy = Some("Allow it.".to_owned());
        assert_eq!(health.verdict().end, End::Failed("It is not allowed. Allow it.".to_owned()));
        health.regions.push(crate::health::RegionHealth {
            region: Region::from("eu-west-1"),
            state: HealthState::Denied,
            behind_ms: 0,
            quota_share: 0.0,
            busiest_operation: None,
            throttles: 0,
            message: None,
            remedy: None,
            last_success: Some(Timestamp::from_ms(1)),
        });
        let verdict = health.verdict();
        assert_eq!((verdict.end, verdict.notes.len()), (End::Partly, 1));
    }
}
