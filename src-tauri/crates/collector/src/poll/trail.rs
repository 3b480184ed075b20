//! Who made the changes that were seen: asks CloudTrail for the calls that can have caused them.

use liftdeck_gateway::{ErrorKind, Reader as Gateway};
use liftdeck_model::observation::Observation;
use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::{HISTORY_MS, LOOKS_AFTER_MS, TrailLook, TrailMark};
use liftdeck_store::reader::change::{ChangeRow, ChangeScope};

use super::{Poller, Seen};
use crate::trail::{Known, plan};
use crate::trouble::Trouble;

/// The most look-ups of one poll. The rest follow half a minute later: CloudTrail allows two requests a second.
const MOST_ASKS: usize = 4;
/// The most changes without a maker that are looked at, the newest.
const MOST_CHANGES: u32 = 2_000;
/// How far the mark must move to be worth a commit of its own.
const MARK_MS: i64 = 10 * 60_000;

impl Poller {
    /// Makes the look-ups that are due; sends nothing if none is. A refusal for lack of permission is no failure of
    /// the collection: it is recorded and shown with the changes.
    pub(super) async fn trail(&self, aws: &Gateway) -> Result<Seen, Trouble> {
        let now = self.now();
        let marks = self.store.trail_marks().await?;
        let known = marks.into_iter().find(|mark| mark.region == self.region);
        let mut seen = Seen::default();
        let is_new = known.is_none();
        let mark = known.unwrap_or_else(|| TrailMark {
            region: self.region.clone(),
            begun_at: now,
            settled_at: now,
        });
        // Changes of a file that is older than this table are looked up as well.
        let from =
            if is_new { now.plus_ms(-HISTORY_MS) } else { mark.settled_at.max(now.plus_ms(-HISTORY_MS)) };
        let range = TimeRange::new(from, now.plus_ms(1));
        let mut changes: Vec<ChangeRow> =
            self.store.changes(ChangeScope::All, Some(range), MOST_CHANGES).await?;
        changes.retain(|row| row.region == self.region);
        let oldest = changes.iter().map(|row| row.made_in().from).min().unwrap_or(from).min(from);
        let longest_ms = LOOKS_AFTER_MS.last().copied().unwrap_or_default();
        let calls = self.store.trail_calls(TimeRange::new(oldest, now.plus_ms(longest_ms))).await?;
        let ours = self.store.settings_changed_by_us(None, TimeRange::new(oldest, now.plus_ms(1))).await?;
        let mut looks = self.store.trail_looks(from.min(mark.begun_at)).await?;
        looks.retain(|look| look.region == self.region);
        let plan = plan(
            Known {
                changes: &changes,
                calls: &calls,
                ours: &ours,
                looks: &looks,
                mark: &mark,
                is_first_asked: self.is_kept_running,
            },
            now,
        );
        for (event_name, range) in plan.asks.iter().copied().take(MOST_ASKS) {
            let reading = aws.trail(event_name, range).await;
            let failure = reading.failure;
            let kind = failure.as_ref().map(|failure| failure.kind);
            let is_denied = kind == Some(ErrorKind::Denied);
            if is_denied && !looks.last().is_some_and(|look| look.is_denied) {
                tracing::info!(region = %self.region, "CloudTrail may not be asked; who changed things stays unknown.");
            }
            // Too many calls to read them all will be too many the next time.
            let is_answered = reading.complete || is_denied || kind == Some(ErrorKind::Invalid);
            if !reading.items.is_empty() {
                seen.observations.push(Observation::TrailRecords(reading.items));
            }
            if is_answered {
                let region = self.region.clone();
                let event_name = event_name.to_owned();
                let look = TrailLook { region, event_name, asked_at: self.now(), range, is_denied };
                seen.observations.push(Observation::TrailLook(look));
            } else {
                seen.note(failure);
            }
            if !is_answered || is_denied {
                break;
            }
        }
        let moved = !is_new && plan.settled_at.since_ms(mark.settled_at) >= MARK_MS;
        // While nothing changes there is nothing to pass over, and so nothing to write.
        let is_worth_it = !changes.is_empty() || mark.settled_at <= mark.begun_at;
        if (is_new && self.is_kept_running) || (moved && is_worth_it) {
            let settled_at = plan.settled_at;
            seen.observations.push(Observation::TrailMark(TrailMark { settled_at, ..mark }));
        }
        seen.idle = seen.observations.is_empty() && seen.failure.is_none();
        Ok(seen)
    }
}
