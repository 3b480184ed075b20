//! The numbers that stand for endings of game sessions in the column `ending`.
//!
//! Owns the pairs of number and ending; the migration that made the column lists them too.

use liftdeck_model::game_session::GameSessionEnding;

/// The number of an ending. Stronger evidence has the greater number, as in the model's order.
pub(crate) const fn key(ending: GameSessionEnding) -> i64 {
    match ending {
        GameSessionEnding::Unseen => 0,
        GameSessionEnding::Normal => 1,
        GameSessionEnding::HostLost => 10,
        GameSessionEnding::Crashed => 20,
        GameSessionEnding::TerminatedUnhealthy => 30,
        GameSessionEnding::ActivationTimedOut => 40,
        GameSessionEnding::Error => 50,
        GameSessionEnding::Interrupted => 60,
        GameSessionEnding::TerminatedByRequest => 70,
        GameSessionEnding::ForceTerminated => 80,
    }
}

/// The ending that a number stands for; `None` while the session is live.
pub(crate) fn of_key(number: Option<i64>) -> Option<GameSessionEnding> {
    GameSessionEnding::all().find(|ending| Some(key(*ending)) == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_the_order_of_the_evidence_and_lead_back() {
        let all: Vec<GameSessionEnding> = GameSessionEnding::all().collect();
        assert!(all.is_sorted_by(|one, next| one < next && key(*one) < key(*next)));
        for ending in all {
            assert_eq!(of_key(Some(key(ending))), Some(ending));
        }
        assert_eq!((of_key(None), of_key(Some(7))), (None, None));
    }
}
