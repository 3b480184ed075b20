//! The time since which a location whose automatic scaling is suspended has needed more instances.

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::reader::hosted::Hosted;
use liftdeck_store::{Reader, StoreError};

use super::capped::{LOOK_BACK_MS, began, held};

/// How long before a poll saw it scaling was suspended, on average: a fleet's locations are read every two minutes.
const UNSEEN_MS: i64 = 60_000;
/// For less than this it hardly lacks an instance: the policies decide once a minute.
const MOMENT_MS: i64 = 30_000;

/// The time since which the game sessions of a location have asked for more instances (`asks`), by what it hosted from
/// moment to moment: polls may be a minute apart. No earlier than a minute before a poll saw that scaling is suspended
/// (`seen_at`), looking up to a day back. If the game sessions that are known do not ask for more, the result is `now`.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn asking_since(
    reader: &Reader,
    (fleet, location): (&FleetId, &Location),
    asks: impl Fn(u64) -> bool,
    seen_at: Timestamp,
    now: Timestamp,
) -> Result<Timestamp, StoreError> {
    let from = seen_at.plus_ms(-UNSEEN_MS).max(now.plus_ms(-LOOK_BACK_MS));
    let range = TimeRange::new(from, now);
    let hosted = reader.hosted(fleet, location, range).await?;
    Ok(first_asked(&hosted, asks, now))
}

fn first_asked(hosted: &[Hosted], asks: impl Fn(u64) -> bool, now: Timestamp) -> Timestamp {
    let asked: Vec<(Timestamp, bool)> =
        hosted.iter().map(|hosted| (hosted.at, asks(hosted.game_sessions))).collect();
    let mut asked = held(&asked, now);
    asked.retain(|asked| asked.to == now || asked.length_ms() >= MOMENT_MS);
    began(&asked, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_the_first_moment_after_which_it_hardly_had_enough() {
        let at = |minutes: f64| Timestamp::from_secs_f64(minutes * 60.0);
        let since = |hosted: &[(f64, u64)]| {
            let hosted: Vec<Hosted> = hosted
                .iter()
                .map(|&(minutes, game_sessions)| Hosted { at: at(minutes), game_sessions })
                .collect();
            first_asked(&hosted, |game_sessions| game_sessions > 64, at(60.0))
        };
        assert_eq!(
            since(&[(0.0, 64), (20.0, 65), (22.0, 64), (25.0, 66)]),
            at(20.0),
            "for three minutes it had enough"
        );
        assert_eq!(since(&[(0.0, 66), (20.0, 64), (40.0, 65)]), at(40.0), "for twenty");
        assert_eq!(since(&[(55.0, 65), (55.4, 64), (58.0, 66)]), at(58.0), "it lacked nothing for 24 s");
        assert_eq!(since(&[(0.0, 64), (59.8, 66)]), at(59.8), "it may go on");
        assert_eq!(since(&[(0.0, 64)]), at(60.0), "what the figures show is not known by game session yet");
        assert_eq!(since(&[]), at(60.0));
    }
}
