//! Who is on a fleet, or in one of its locations, at this moment.
//!
//! Owns the source of these counts: the store while the collector keeps it fresh, AWS otherwise. So the preview of a
//! command with a database of its own also covers people that nobody has collected yet.

use liftdeck_gateway::{ErrorKind, GameSessionFilter, Reader};
use liftdeck_model::fleet::ProtectionPolicy;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};
use liftdeck_model::{FleetId, Location, Region, Timestamp};
use liftdeck_store::reader::blast::Blast;

use super::present::Present;
use crate::error::OperationError;

/// How long what the store knows counts as current, in milliseconds.
const FRESH_MS: i64 = 60_000;
/// The most pages of 100 game sessions read of a fleet. Beyond them, the store's count has to do.
const MOST_PAGES: u32 = 10;

/// Live game sessions and who is in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Crowd {
    pub(crate) game_sessions: u64,
    pub(crate) player_sessions: u64,
    /// Game sessions with full protection, as far as known.
    pub(crate) protected_game_sessions: u64,
    /// Set if counted in the store: the time of that count, if known. Unset if AWS was asked just now.
    pub(crate) from_store: Option<Option<Timestamp>>,
    /// Whether there may be more than were counted.
    pub(crate) may_be_more: bool,
}

impl Crowd {
    fn of_store(known: &Blast) -> Self {
        Self {
            game_sessions: known.live_game_sessions,
            player_sessions: known.live_player_sessions,
            protected_game_sessions: known.protected_game_sessions,
            from_store: Some(known.as_of),
            may_be_more: known.as_of.is_none(),
        }
    }

    fn add(&mut self, session: &GameSession) {
        self.game_sessions += 1;
        self.player_sessions += u64::try_from(session.current_player_session_count).unwrap_or(0);
        let protected = session.protection_policy == Some(ProtectionPolicy::FullProtection);
        self.protected_game_sessions += u64::from(protected);
    }
}

/// Counts who is on a fleet; without a `location`, in all of its locations.
///
/// # Errors
/// `Gateway` if AWS cannot be asked, `Store` if the store cannot be read.
pub(crate) async fn on_fleet(
    present: &Present<'_>,
    region: &Region,
    fleet: &FleetId,
    location: Option<&Location>,
) -> Result<Crowd, OperationError> {
    let connection = present.connection();
    let known = connection.store.blast_of_fleet(fleet, location).await?;
    let is_fresh = known.as_of.is_some_and(|as_of| connection.now().since_ms(as_of) <= FRESH_MS);
    if is_fresh && known.unasked_protection == 0 {
        return Ok(Crowd::of_store(&known));
    }
    match count(&connection.reader(region)?, fleet, location).await {
        Ok(counted) if counted.may_be_more && known.live_game_sessions > counted.game_sessions => {
            Ok(Crowd { may_be_more: true, ..Crowd::of_store(&known) })
        }
        Ok(counted) => Ok(counted),
        Err(OperationError::Gateway(error)) if error.kind == ErrorKind::Denied => Ok(Crowd::of_store(&known)),
        Err(error) => Err(error),
    }
}

async fn count(aws: &Reader, fleet: &FleetId, location: Option<&Location>) -> Result<Crowd, OperationError> {
    let mut crowd = Crowd::default();
    let mut pages = 0;
    for status in [GameSessionStatus::Active, GameSessionStatus::Activating] {
        let filter = GameSessionFilter { location: location.cloned(), status: Some(status) };
        let mut from = None;
        loop {
            let page = aws.game_session_details_page(fleet, &filter, from).await?;
            if let Some(flaw) = page.flaw {
                return Err(flaw.into());
            }
            page.items.iter().for_each(|session| crowd.add(session));
            pages += 1;
            from = page.next;
            if from.is_none() {
                break;
            }
            if pages >= MOST_PAGES {
                return Ok(Crowd { may_be_more: true, ..crowd });
            }
        }
    }
    Ok(crowd)
}
