//! Game sessions that ended before they were ever polled; GameLift keeps them for 30 days. Read once at the first
//! connection, then daily for those that began and ended between two polls. Their players are not read, because that
//! takes one call per session.

use liftdeck_gateway::{GameSessionFilter, Reader as Gateway};
use liftdeck_model::FleetId;
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::observation::{Observation, PollKind, PollSubject};

use super::{Outcome, Poller, Seen};
use crate::options::EndedGameSessions;
use crate::trouble::Trouble;

impl Poller {
    pub(super) async fn ended_game_sessions(
        &self,
        aws: &Gateway,
        fleet: &FleetId,
    ) -> Result<Outcome, Trouble> {
        let most_pages = match self.ended {
            EndedGameSessions::Skip => return Ok(Outcome::Idle),
            EndedGameSessions::All => u32::MAX,
            EndedGameSessions::Pages(pages) => pages,
        };
        let begun = self.now();
        let subject = PollSubject { kind: PollKind::EndedGameSessions, resource: fleet.as_str().to_owned() };
        let filter = GameSessionFilter { location: None, status: Some(GameSessionStatus::Terminated) };
        let mut seen = Seen::default();
        let mut from = None;
        for _ in 0..most_pages {
            match aws.game_sessions_page(fleet, &filter, from).await {
                Err(failure) => {
                    seen.note(Some(failure));
                    break;
                }
                Ok(page) => {
                    if !page.items.is_empty() {
                        self.apply(vec![Observation::GameSessions(page.items)]).await?;
                    }
                    seen.note(page.flaw);
                    from = page.next;
                    if from.is_none() || seen.failure.is_some() {
                        break;
                    }
                }
            }
        }
        self.record(&subject, begun, seen).await
    }
}
