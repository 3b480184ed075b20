//! The time since which a location whose automatic scaling is suspended has needed more instances.

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::reader::hosted::Hosted;
use liftdeck_store::{Reader, StoreError};

use super::capped::{LOOK_BACK_MS, held_since};

/// The time since which the game sessions of a location have asked for more instances (`asks`), by what it hosted from
/// moment to moment: polls may be a minute apart. No earlier than `suspended_at`, looking up to a day back. If the
/// game sessions that are known do not ask for more, the result is `now`.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn asking_since(
    reader: &Reader,
    (fleet, location): (&FleetId, &Location),
    asks: impl Fn(u64) -> bool,
    suspended_at: Timestamp,
    now: Timestamp,
) -> Result<Timestamp, StoreError> {
    let range = TimeRange::new(suspended_at.max(now.plus_ms(-LOOK_BACK_MS)), now);
    let hosted = reader.hosted(fleet, location, range).await?;
    Ok(first_asked(&hosted, asks, now))
}

fn first_asked(hosted: &[Hosted], asks: impl Fn(u64) -> bool, now: Timestamp) -> Timestamp {
    let asked: Vec<(Timestamp, bool)> =
        hosted.iter().map(|hosted| (hosted.at, asks(hosted.game_sessions))).collect();
    held_since(&asked, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_the_first_moment_after_which_it_hardly_had_enough() {
        let at = |minute: i64| Timestamp::from_ms(minute * 60_000);
        let since = |hosted: &[(i64, u64)]| {
            let hosted: Vec<Hosted> = hosted
                .iter()
                .map(|&(minute, game_sessions)| Hosted { at: at(minute), game_sessions })
                .collect();
            first_asked(&hosted, |game_sessions| game_sessions > 64, at(60))
        };
        assert_eq!(
            since(&[(0, 64), (20, 65), (22, 64), (25, 66)]),
            at(20),
            "for three minutes it had enough"
        );
        assert_eq!(since(&[(0, 66), (20, 64), (40, 65)]), at(40), "for twenty");
        assert_eq!(since(&[(0, 64)]), at(60), "what the figures show is not known by game session yet");
        assert_eq!(since(&[]), at(60));
    }
}
