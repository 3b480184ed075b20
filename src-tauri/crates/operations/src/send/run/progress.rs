//! The progress of a bulk change: one letter per item, and whether the run should go on.
//!
//! Owns the state machine. Deliberately sends nothing and writes nothing: the activity rows are authoritative, and
//! this is worked out from them.

use std::collections::BTreeMap;

use liftdeck_model::activity::ActivityOutcome;
use serde::{Deserialize, Serialize};
use strum::FromRepr;

use crate::fact::{SkipReason, Skipped};

/// Failures of one kind in a row after which going on is pointless.
const SAME_IN_A_ROW: u32 = 10;
/// How many reasons are kept for what was left out, the first ones. Everything is counted.
const REASONS: usize = 1_000;

/// The state of an item, by the letter it is kept as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRepr)]
#[repr(u8)]
pub(crate) enum ItemState {
    /// Not begun.
    Waiting = b'.',
    /// Recorded, but without an answer yet.
    Sending = b's',
    /// AWS accepted it.
    Done = b'd',
    /// AWS refused it.
    Failed = b'f',
    /// Its outcome is not known.
    Unknown = b'u',
    /// Its target had ended by itself, so nothing was left to do.
    Ended = b'e',
    /// Not sent, because its target had changed since it was looked at.
    Skipped = b'x',
}

impl ItemState {
    const fn letter(self) -> char {
        self as u8 as char
    }

    fn from_letter(letter: u8) -> Self {
        Self::from_repr(letter).unwrap_or(Self::Waiting)
    }
}

impl From<ActivityOutcome> for ItemState {
    fn from(outcome: ActivityOutcome) -> Self {
        match outcome {
            ActivityOutcome::Sending => Self::Sending,
            ActivityOutcome::Done => Self::Done,
            ActivityOutcome::Failed => Self::Failed,
            ActivityOutcome::Unknown => Self::Unknown,
        }
    }
}

/// How many items are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) total: u32,
    pub(crate) done: u32,
    pub(crate) failed: u32,
    pub(crate) unknown: u32,
    pub(crate) ended: u32,
    pub(crate) skipped: u32,
    /// Not begun, or without an answer yet.
    pub(crate) left: u32,
}

/// What an answer means for the rest of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Go on.
    GoOn,
    /// Wait for a person. A sentence says why.
    Pause(String),
}

/// The progress of a bulk change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// One letter per item; see [`ItemState`].
    letters: String,
    /// Why it is paused or stopped.
    pub(crate) message: Option<String>,
    /// Why items were left out, by their place in the run.
    #[serde(default)]
    skips: BTreeMap<u32, Skipped>,
    #[serde(skip)]
    last_failure: Option<(String, u32)>,
}

impl Progress {
    /// Creates a progress with nothing begun.
    pub(crate) fn new(items: usize) -> Self {
        let letters = std::iter::repeat_n(ItemState::Waiting.letter(), items).collect();
        Self { letters, ..Self::default() }
    }

    /// Works out the state from the activity rows, oldest first: the newest row of an item counts. Items that were
    /// left out have no row, so they are taken from what was `recorded`.
    pub(crate) fn of_rows(
        items: usize,
        recorded: &Self,
        rows: impl IntoIterator<Item = (u32, ItemState)>,
    ) -> Self {
        let mut progress = Self::new(items);
        for (item, state) in (0..).zip(recorded.states()) {
            if matches!(state, ItemState::Ended | ItemState::Skipped) {
                progress.set(item, state);
            }
        }
        progress.skips.clone_from(&recorded.skips);
        for (item, state) in rows {
            progress.set(item, state);
        }
        progress
    }

    /// Updates the items that were unknown with what is known since. The others stay as they are.
    pub(crate) fn learn(&mut self, since: &Self) {
        for item in (0..).take(self.letters.len()) {
            if self.state(item) == ItemState::Unknown {
                self.set(item, since.state(item));
            }
        }
    }

    /// What a finished run says about changes that were not made or whose outcome is unknown; `None` if all were
    /// made.
    pub(crate) fn shortfall(&self) -> Option<String> {
        let counts = self.counts();
        let mut said = Vec::new();
        match (counts.failed, counts.unknown) {
            (0, 0) => {}
            (failed, 0) => said.push(format!("{failed} of {} failed.", counts.total)),
            (failed, unknown) => {
                said.push(format!(
                    "{failed} of {} failed; the outcome of {unknown} is unknown.",
                    counts.total
                ));
            }
        }
        if counts.ended > 0 {
            said.push(format!("{} of {} had already ended.", counts.ended, counts.total));
        }
        if counts.skipped > 0 {
            said.push(format!(
                "{} of {} changed after they were looked at and were left out.",
                counts.skipped, counts.total
            ));
        }
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// What a person reads after stopping a run.
    pub(crate) fn stopped_by_hand(&self) -> String {
        match self.counts().left {
            0 => "Stopped by hand.".to_owned(),
            1 => "Stopped by hand; 1 change was not sent.".to_owned(),
            left => format!("Stopped by hand; {left} changes were not sent."),
        }
    }

    /// Leaves an item out, because its target had ended or has changed since it was looked at.
    pub(crate) fn leave_out(&mut self, item: u32, skipped: Skipped) {
        let ended = skipped.reason == SkipReason::Ended;
        self.set(item, if ended { ItemState::Ended } else { ItemState::Skipped });
        if self.skips.len() < REASONS {
            self.skips.insert(item, skipped);
        }
    }

    /// Returns what was left out and why, as far as the reasons are kept.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = &Skipped> {
        self.skips.values()
    }

    /// Returns why this item was left out.
    pub(crate) fn why_left_out(&self, item: u32) -> Option<&Skipped> {
        self.skips.get(&item)
    }

    fn states(&self) -> impl Iterator<Item = ItemState> {
        self.letters.bytes().map(ItemState::from_letter)
    }

    fn set(&mut self, item: u32, state: ItemState) {
        let at = item as usize;
        // Letters are single bytes.
        if at < self.letters.len() {
            self.letters.replace_range(at..=at, state.letter().encode_utf8(&mut [0; 1]));
        }
    }

    /// Returns the state of an item.
    pub(crate) fn state(&self, item: u32) -> ItemState {
        let letter = self.letters.as_bytes().get(item as usize);
        letter.map_or(ItemState::Waiting, |letter| ItemState::from_letter(*letter))
    }

    /// Returns those of `items` that are not begun, in order.
    pub(crate) fn waiting_of(&self, items: &[u32]) -> impl Iterator<Item = u32> {
        items.iter().copied().filter(|item| self.state(*item) == ItemState::Waiting)
    }

    /// Takes an item to send it.
    pub(crate) fn take(&mut self, item: u32) {
        self.set(item, ItemState::Sending);
    }

    /// Makes room for further items, not begun.
    pub(crate) fn grow(&mut self, items: usize) {
        let missing = items.saturating_sub(self.letters.len());
        self.letters.extend(std::iter::repeat_n(ItemState::Waiting.letter(), missing));
    }

    /// Puts back an item that was certainly not sent.
    pub(crate) fn put_back(&mut self, item: u32) {
        self.set(item, ItemState::Waiting);
    }

    /// Puts back an item that failed, or was left out because its target had changed. One that is done or unknown is
    /// left alone.
    pub(crate) fn retry(&mut self, item: u32) {
        if matches!(self.state(item), ItemState::Failed | ItemState::Skipped) {
            self.set(item, ItemState::Waiting);
            self.skips.remove(&item);
        }
    }

    /// Notes an answer. `failure` gives the kind of failure, such as an AWS error code, and a sentence about it.
    pub(crate) fn answered(&mut self, item: u32, state: ItemState, failure: Option<(&str, &str)>) -> Verdict {
        self.set(item, state);
        let is_bad = matches!(state, ItemState::Failed | ItemState::Unknown);
        let Some((kind, sentence)) = failure.filter(|_| is_bad) else {
            self.last_failure = None;
            return Verdict::GoOn;
        };
        let row = match self.last_failure.take() {
            Some((last, row)) if last == kind => row + 1,
            _ => 1,
        };
        self.last_failure = Some((kind.to_owned(), row));
        if row < SAME_IN_A_ROW || self.counts().left == 0 {
            return Verdict::GoOn;
        }
        // A resumed run may fail another ten times in a row.
        self.last_failure = None;
        Verdict::Pause(format!("{row} changes in a row failed in the same way. The last one: {sentence}"))
    }

    /// Counts how many items are in which state.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for state in self.states() {
            counts.total += 1;
            match state {
                ItemState::Waiting | ItemState::Sending => counts.left += 1,
                ItemState::Done => counts.done += 1,
                ItemState::Failed => counts.failed += 1,
                ItemState::Unknown => counts.unknown += 1,
                ItemState::Ended => counts.ended += 1,
                ItemState::Skipped => counts.skipped += 1,
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENIED: Option<(&str, &str)> = Some(("AccessDeniedException", "It is not allowed."));

    fn counts(total: u32, done: u32, failed: u32, unknown: u32) -> Counts {
        Counts { total, done, failed, unknown, left: total - done - failed - unknown, ..Counts::default() }
    }

    /// Takes the next of `items` that is not begun.
    fn take_of(progress: &mut Progress, items: &[u32]) -> Option<u32> {
        let item = progress.waiting_of(items).next()?;
        progress.take(item);
        Some(item)
    }

    fn skipped(reason: SkipReason) -> Skipped {
        Skipped {
            operation: "TerminateGameSession".to_owned(),
            region: liftdeck_model::Region::from("eu-west-1"),
            resource: "gs-1".to_owned(),
            name: None,
            reason,
            text: "The game session is TERMINATED.".to_owned(),
        }
    }

    #[test]
    fn every_item_is_taken_once_in_order() {
        let mut progress = Progress::new(3);
        let all = [0, 1, 2];
        assert_eq!([(); 4].map(|()| take_of(&mut progress, &all)), [Some(0), Some(1), Some(2), None]);
        assert_eq!(progress.counts(), counts(3, 0, 0, 0));
        progress.grow(4);
        assert_eq!(take_of(&mut progress, &[3]), Some(3));
        assert_eq!(progress.counts().total, 4);
    }

    #[test]
    fn what_surely_was_not_sent_is_taken_again() {
        let mut progress = Progress::new(2);
        take_of(&mut progress, &[0, 1]);
        progress.put_back(0);
        assert_eq!(take_of(&mut progress, &[0, 1]), Some(0));
    }

    #[test]
    fn failures_do_not_stop_a_run_until_ten_alike_follow_each_other() {
        let mut progress = Progress::new(40);
        for item in 0..9 {
            assert_eq!(progress.answered(item, ItemState::Failed, DENIED), Verdict::GoOn);
        }
        assert_eq!(progress.answered(9, ItemState::Done, None), Verdict::GoOn);
        for item in 10..19 {
            assert_eq!(progress.answered(item, ItemState::Failed, DENIED), Verdict::GoOn);
        }
        let Verdict::Pause(why) = progress.answered(19, ItemState::Failed, DENIED) else {
            panic!("ten in a row")
        };
        assert!(why.contains("10 changes in a row") && why.contains("It is not allowed."), "{why}");
        assert_eq!(progress.counts(), counts(40, 1, 19, 0));
    }

    #[test]
    fn different_failures_in_a_row_do_not_pause() {
        let mut progress = Progress::new(60);
        for item in 0..30 {
            let kind = if item % 2 == 0 { "NotFoundException" } else { "InvalidRequestException" };
            let verdict = progress.answered(item, ItemState::Failed, Some((kind, "No.")));
            assert_eq!(verdict, Verdict::GoOn);
        }
    }

    #[test]
    fn the_last_item_failing_ends_the_run_instead_of_pausing_it() {
        let mut progress = Progress::new(10);
        for item in 0..10 {
            assert_eq!(progress.answered(item, ItemState::Failed, DENIED), Verdict::GoOn);
        }
        assert_eq!(progress.counts().left, 0);
    }

    #[test]
    fn what_was_left_out_is_neither_taken_nor_forgotten_by_a_restart() {
        let mut recorded = Progress::new(4);
        recorded.leave_out(0, skipped(SkipReason::Ended));
        recorded.leave_out(1, skipped(SkipReason::Moved));
        recorded.take(2);
        let mut progress = Progress::of_rows(4, &recorded, [(2, ItemState::Done)]);
        let counts = progress.counts();
        assert_eq!((counts.ended, counts.skipped, counts.done, counts.left), (1, 1, 1, 1));
        assert_eq!(progress.left_out().count(), 2);
        assert_eq!([(); 2].map(|()| take_of(&mut progress, &[0, 1, 2, 3])), [Some(3), None]);
        progress.retry(0);
        progress.retry(1);
        assert_eq!(progress.waiting_of(&[0, 1]).collect::<Vec<_>>(), [1], "what has ended stays so");
        assert!(progress.why_left_out(1).is_none());
    }

    #[test]
    fn after_a_restart_only_items_without_a_row_are_left() {
        let rows = [
            (0, ItemState::Done),
            (1, ItemState::Failed),
            (2, ItemState::Unknown),
            (1, ItemState::Done),
            (9, ItemState::Done),
        ];
        let mut progress = Progress::of_rows(5, &Progress::default(), rows);
        assert_eq!(progress.counts(), counts(5, 2, 0, 1));
        let all = [0, 1, 2, 3, 4];
        assert_eq!([(); 3].map(|()| take_of(&mut progress, &all)), [Some(3), Some(4), None]);
    }

    #[test]
    fn what_was_unknown_is_counted_by_what_came_out_since() {
        let rows = |states: [ItemState; 3]| Progress::of_rows(3, &Progress::default(), (0..).zip(states));
        use ItemState::{Done, Failed, Unknown};
        let mut progress = rows([Done, Unknown, Unknown]);
        assert_eq!(progress.shortfall().unwrap(), "0 of 3 failed; the outcome of 2 is unknown.");
        progress.learn(&rows([Failed, Done, Failed]));
        assert_eq!(progress.counts(), counts(3, 2, 1, 0), "what was known stays");
        assert_eq!(progress.shortfall().unwrap(), "1 of 3 failed.");
    }

    #[test]
    fn it_survives_being_written_down() {
        let mut progress = Progress::new(4);
        progress.take(0);
        progress.answered(0, ItemState::Unknown, Some(("no answer", "Nobody knows.")));
        progress.message = Some("Paused.".to_owned());
        let text = serde_json::to_string(&progress).unwrap();
        let read: Progress = serde_json::from_str(&text).unwrap();
        assert_eq!((read.counts(), read.message), (counts(4, 0, 0, 1), Some("Paused.".to_owned())));
    }
}
