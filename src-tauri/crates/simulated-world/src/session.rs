//! The state of a game session and its seats, held as a plan of what will happen when. A status is computed from the
//! plan and the time, so that no player needs an event of its own.
//!
//! A plan is cut short when the instance ends, or when somebody ends the session early.

mod chosen;

use std::sync::OnceLock;

pub(crate) use chosen::{Chosen, Wish};

use super::NEVER_MS;
use super::records::{GameSessionStatus, GameSessionStatusReason, PlayerSessionStatus, ProtectionPolicy};

/// Reserved seats are given up after this time.
pub(crate) const RESERVATION_MS: i64 = 60_000;

/// No player session, placement or match.
pub(crate) const NONE: u32 = u32::MAX;

/// A time in a seat that never comes.
const NEVER: u32 = u32::MAX;

/// A game session.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// Number in the world; rises with the time of creation.
    pub(crate) number: u32,
    pub(crate) fleet: u16,
    pub(crate) site: u16,
    /// Number of the instance.
    pub(crate) machine: u32,
    pub(crate) slot: u16,
    pub(crate) port: u16,
    pub(crate) created_ms: i64,
    /// When it becomes ACTIVE; never, if the activation times out.
    pub(crate) active_ms: i64,
    /// When somebody asks for its end; never for most.
    pub(crate) terminating_ms: i64,
    pub(crate) end_ms: i64,
    pub(crate) ending: Ending,
    /// Index of its kind of game.
    pub(crate) profile: u8,
    /// Bits that choose map, mood and other details.
    pub(crate) flavour: u64,
    /// The placement that created it.
    pub(crate) placement: u32,
    /// The match it was created for.
    pub(crate) game_match: u32,
    /// The player who asked for it.
    pub(crate) creator: u32,
    pub(crate) max_players: u16,
    /// Number of seats taken by the players it was created for.
    pub(crate) founders: u16,
    pub(crate) protection: ProtectionPolicy,
    pub(crate) seats: Vec<Seat>,
    /// What callers chose for it.
    pub(crate) chosen: Option<Box<Chosen>>,
    /// FlexMatch's data, once somebody has asked for it; empty if there is none.
    pub(crate) matchmaker_data: OnceLock<Box<str>>,
}

/// Why a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The game is over.
    GameOver,
    /// The server process died.
    Crash,
    /// It never became ACTIVE.
    ActivationTimeout,
    /// Spot took the instance.
    Interrupted,
    /// Somebody ended it by force.
    Forced,
    /// Somebody asked it to end.
    Triggered,
    /// Its instance was removed by somebody or by scaling in.
    Removed,
}

/// A player's stay in a session. Times are milliseconds after the session's creation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    pub(crate) player: u32,
    /// `u32::MAX`: the plan was dropped, and the seat never existed.
    pub(crate) reserved: u32,
    /// `u32::MAX`: the player never came.
    pub(crate) joined: u32,
    pub(crate) left: u32,
    /// The same player's previous seat: session and seat, `NONE` for the first.
    pub(crate) before: (u32, u16),
}

impl Seat {
    fn cancel(&mut self) {
        (self.reserved, self.joined) = (NEVER, NEVER);
    }
}

impl Session {
    pub(crate) fn status(&self, now_ms: i64) -> GameSessionStatus {
        if now_ms >= self.end_ms {
            GameSessionStatus::Terminated
        } else if now_ms >= self.terminating_ms {
            GameSessionStatus::Terminating
        } else if now_ms >= self.active_ms {
            GameSessionStatus::Active
        } else {
            GameSessionStatus::Activating
        }
    }

    /// Returns why it ended, which is known only once it has ended.
    pub(crate) fn status_reason(&self, now_ms: i64) -> Option<GameSessionStatusReason> {
        if now_ms < self.end_ms {
            return None;
        }
        match self.ending {
            Ending::Interrupted => Some(GameSessionStatusReason::Interrupted),
            Ending::Forced => Some(GameSessionStatusReason::ForceTerminated),
            Ending::Triggered => Some(GameSessionStatusReason::TriggeredOnProcessTerminate),
            Ending::GameOver | Ending::Crash | Ending::ActivationTimeout | Ending::Removed => None,
        }
    }

    /// Returns the seats that exist at that time, with their numbers.
    pub(crate) fn seats_at(&self, now_ms: i64) -> impl Iterator<Item = (u16, &Seat)> {
        let until_ms = now_ms.min(self.end_ms - 1);
        (0u16..).zip(&self.seats).filter(move |(_, seat)| {
            seat.reserved != NEVER && self.created_ms + i64::from(seat.reserved) <= until_ms
        })
    }

    /// When a seat becomes ACTIVE, if it ever does.
    pub(crate) fn joined_ms(&self, seat: &Seat) -> Option<i64> {
        let joined_ms = self.created_ms + i64::from(seat.joined);
        (seat.joined != u32::MAX && joined_ms < self.end_ms).then_some(joined_ms)
    }

    /// When a seat is given up.
    pub(crate) fn left_ms(&self, seat: &Seat) -> i64 {
        let planned_ms = match seat.joined {
            u32::MAX => self.created_ms + i64::from(seat.reserved) + RESERVATION_MS,
            _ => self.created_ms + i64::from(seat.left),
        };
        planned_ms.min(self.end_ms)
    }

    pub(crate) fn seat_status(&self, seat: &Seat, now_ms: i64) -> PlayerSessionStatus {
        match self.joined_ms(seat) {
            Some(joined_ms) if now_ms >= joined_ms => {
                if now_ms >= self.left_ms(seat) {
                    PlayerSessionStatus::Completed
                } else {
                    PlayerSessionStatus::Active
                }
            }
            _ if now_ms >= self.left_ms(seat) => PlayerSessionStatus::TimedOut,
            _ => PlayerSessionStatus::Reserved,
        }
    }

    /// ACTIVE and RESERVED seats.
    pub(crate) fn players(&self, now_ms: i64) -> u32 {
        if now_ms >= self.end_ms {
            return 0;
        }
        self.seats_at(now_ms).filter(|(_, seat)| now_ms < self.left_ms(seat)).count() as u32
    }

    /// Seats that became ACTIVE from `from_ms` up to before `to_ms`.
    pub(crate) fn joins(&self, from_ms: i64, to_ms: i64) -> u32 {
        let within = |joined_ms: i64| from_ms <= joined_ms && joined_ms < to_ms;
        self.seats.iter().filter(|seat| self.joined_ms(seat).is_some_and(within)).count() as u32
    }

    /// Cancels the seats planned for after that time, as if nobody had ever had them.
    pub(crate) fn cancel_seats_after(&mut self, now_ms: i64) {
        let created_ms = self.created_ms;
        for seat in self.seats.iter_mut().filter(|seat| created_ms + i64::from(seat.reserved) > now_ms) {
            seat.cancel();
        }
    }

    /// Cancels planned seats for which the session has no slots now, the latest first.
    pub(crate) fn fit_seats_after(&mut self, now_ms: i64) {
        let planned =
            |seat: &Seat| seat.reserved != NEVER && self.created_ms + i64::from(seat.reserved) > now_ms;
        let mut order: Vec<usize> =
            self.seats.iter().enumerate().filter(|(_, seat)| planned(seat)).map(|(at, _)| at).collect();
        order.sort_by_key(|at| self.seats[*at].reserved);
        for at in order {
            let begins_ms = self.created_ms + i64::from(self.seats[at].reserved);
            if self.players(begins_ms) > u32::from(self.max_players) {
                self.seats[at].cancel();
            }
        }
    }

    /// Ends it at that time, earlier than planned.
    pub(crate) fn cut_short(&mut self, end_ms: i64, ending: Ending) {
        self.end_ms = end_ms;
        self.ending = ending;
        if self.active_ms > end_ms {
            self.active_ms = NEVER_MS;
        }
    }
}
