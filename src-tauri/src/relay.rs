//! What the window is told without asking: what moved, and how collection goes.
//!
//! Tiny events at a bounded pace; the window pulls what it shows. Losing one costs a tick, never correctness.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_store::Notice;
use tauri::AppHandle;
use tauri_specta::Event;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::flight::Flight;
use crate::wire::health::{Changed, Subject};
use crate::wire::number::Ms;

/// The window all events go to.
pub(crate) const WINDOW: &str = "main";

/// At most four `changed` events a second.
const CHANGED_EVERY: Duration = Duration::from_millis(250);
/// At most one `health` event a second.
const HEALTH_EVERY: Duration = Duration::from_secs(1);

/// Notices that wait for the next event.
#[derive(Debug, Default)]
struct Pending {
    revision: u64,
    subjects: BTreeSet<Subject>,
}

impl Pending {
    fn add(&mut self, notice: Notice) {
        self.revision = self.revision.max(notice.revision);
        self.subjects.extend(notice.subjects.into_iter().map(Subject::from));
    }

    /// A listener that lagged has lost which subjects moved: all may have.
    fn add_everything(&mut self) {
        self.subjects.extend(Subject::OF_THE_STORE);
    }

    fn take(&mut self) -> Option<Changed> {
        if self.subjects.is_empty() {
            return None;
        }
        let subjects = std::mem::take(&mut self.subjects).into_iter().collect();
        Some(Changed { revision: revision(self.revision), subjects })
    }
}

/// Tells the window until the store is closed.
pub(crate) async fn run(app: AppHandle, flight: Arc<Flight>) {
    let Some(mut notices) = flight.notices().await else { return };
    let mut pending = Pending::default();
    // Nobody knows what an earlier one failed to tell.
    pending.add_everything();
    let mut next = Instant::now();
    let mut pulse = interval(HEALTH_EVERY);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut told = None;
    let mut mode = flight.mode();
    loop {
        tokio::select! {
            notice = notices.recv() => match notice {
                Ok(notice) => pending.add(notice),
                Err(RecvError::Lagged(_)) => pending.add_everything(),
                Err(RecvError::Closed) => return,
            },
            () = sleep_until(next), if !pending.subjects.is_empty() => {
                if let Some(changed) = pending.take() {
                    tell(&app, &changed);
                }
                next = Instant::now() + CHANGED_EVERY;
            }
            Ok(()) = mode.changed() => settings_changed(&app),
            _ = pulse.tick() => {
                let health = flight.health();
                if told.as_ref() != Some(&health) {
                    tell(&app, &health);
                    told = Some(health);
                }
            }
        }
    }
}

/// Tells the window that the state of the program moved: another connection, other settings.
pub(crate) fn settings_changed(app: &AppHandle) {
    tell(app, &Changed { revision: Ms(0), subjects: vec![Subject::Settings] });
}

/// A revision as the window takes it.
pub(crate) fn revision(value: u64) -> Ms {
    Ms(i64::try_from(value).unwrap_or(i64::MAX))
}

fn tell<E: Event + serde::Serialize + Clone>(app: &AppHandle, event: &E) {
    if let Err(error) = event.emit_to(app, WINDOW) {
        tracing::debug!(%error, "The window did not take an event.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use liftdeck_model::observation;

    #[test]
    fn notices_are_gathered_into_one_event_with_the_newest_revision() {
        let mut pending = Pending::default();
        pending.add(Notice { revision: 7, subjects: vec![observation::Subject::Fleets] });
        pending.add(Notice {
            revision: 8,
            subjects: vec![observation::Subject::Fleets, observation::Subject::GameSessions],
        });
        let changed = pending.take().unwrap();
        assert_eq!(changed.revision, Ms(8));
        assert_eq!(changed.subjects, [Subject::Fleets, Subject::GameSessions]);
        assert_eq!(pending.take(), None);
    }

    #[test]
    fn the_largest_event_stays_below_a_kilobyte() {
        let mut pending = Pending { revision: u64::MAX, ..Pending::default() };
        pending.add_everything();
        let json = serde_json::to_string(&pending.take().unwrap()).unwrap();
        assert!(json.len() < 1_024, "{} bytes", json.len());
    }
}
