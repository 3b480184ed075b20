//! The life of a session: how it begins on a free process, how it is planned, and what its end leaves behind.

use std::sync::OnceLock;

use super::draw::Draw;
use super::engine::Transition;
use super::names::mix;
use super::profile::profile;
use super::records::EventCode;
use super::session::{Ending, NONE, Seat, Session, Wish};
use super::{NEVER_MS, World};

const SALT: u64 = 0x0010_0000;

/// Probabilities that a session does not become ACTIVE in time, crashes, is ended by force, or is asked to end.
const ACTIVATION_TIMEOUTS: f64 = 0.002;
const CRASHES: f64 = 0.004;
const FORCED: f64 = 0.001;
const TRIGGERED: f64 = 0.0015;

/// Longest time in milliseconds that a session usually takes to become ACTIVE.
pub(crate) const SLOWEST_USUAL_MS: i64 = 6_500;

/// Probability that a session crashes early on a fleet with a bad build.
const SPOILED: f64 = 0.8;

/// Probability that a reserved player does not come.
const NO_SHOWS: f64 = 0.03;

/// A server process that can host a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seatable {
    pub(crate) fleet: usize,
    pub(crate) site: usize,
    machine: usize,
    slot: usize,
}

/// The request for which a session is created.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Index of the kind of game.
    pub(crate) profile: u8,
    /// Pool from which more players join later.
    pub(crate) pool: usize,
    /// Players from the beginning.
    pub(crate) founders: Vec<u32>,
    /// The placement, or [`NONE`].
    pub(crate) placement: u32,
    /// The match, or [`NONE`].
    pub(crate) game_match: u32,
    /// The player who asked for it, or [`NONE`].
    pub(crate) creator: u32,
    /// What a caller wants of it. Only sessions without a wish get accidents and further players.
    pub(crate) wish: Option<Box<Wish>>,
}

impl World {
    /// Finds a process that could host a session in a fleet's location now. Takes the fullest instance that has one,
    /// so that others can become idle.
    pub(super) fn seatable(&self, fleet: usize, site: usize) -> Option<Seatable> {
        let machines = self.fleets[fleet].sites[site].machines.iter().enumerate();
        let free = machines.filter_map(|(index, machine)| {
            let slot = machine.free_slot(self.now_ms)?;
            Some((machine.sessions(), Seatable { fleet, site, machine: index, slot }))
        });
        free.max_by_key(|(sessions, chosen)| (*sessions, std::cmp::Reverse(chosen.machine)))
            .map(|(_, chosen)| chosen)
    }

    /// Starts a session on a process and returns its number.
    pub(super) fn create_session(&mut self, on: Seatable, request: &Request) -> u32 {
        let number = self.sessions.len() as u32;
        let mut draw = Draw::new(self.seed, SALT, number.into());
        let mut session = self.plan(number, on, request, &mut draw);
        self.plan_seats(&mut session, request, &mut draw);
        session.seats.shrink_to_fit();
        self.see_slowness(on.fleet, on.site);
        if request.wish.is_none() {
            self.leak_session(&mut session, &mut draw);
        }
        let owner = &mut self.fleets[on.fleet];
        owner.sessions.insert(number);
        owner.live.insert(number);
        owner.sites[on.site].machines[on.machine].slots[on.slot].session = Some(number);
        if session.active_ms < session.end_ms && session.placement != NONE {
            self.agenda.note(session.active_ms, Transition::SessionActive(number));
        }
        self.agenda.note(session.end_ms, Transition::SessionEnd(number));
        if let Some(id) = session.chosen.as_ref().and_then(|chosen| chosen.id.as_ref()) {
            self.ledger.sessions.insert((on.fleet, id.clone()), number);
        }
        self.sessions.push(Some(Box::new(session)));
        self.look_for_lack(on.fleet, on.site);
        number
    }

    fn plan(&self, number: u32, on: Seatable, request: &Request, draw: &mut Draw) -> Session {
        let (owner, kind, now_ms) = (&self.fleets[on.fleet], profile(request.profile), self.now_ms);
        let machine = &owner.sites[on.site].machines[on.machine];
        let mut active_ms = now_ms + draw.span_ms(1_200, SLOWEST_USUAL_MS);
        let length_ms = (draw.log_normal(kind.median_min, kind.sigma).clamp(2.0, 150.0) * 60_000.0) as i64;
        let (mut terminating_ms, mut end_ms, mut ending) =
            (NEVER_MS, active_ms + length_ms, Ending::GameOver);
        let wish = request.wish.as_deref();
        let fate = if wish.is_some() { 1.0 } else { draw.unit() };
        let early_ms = active_ms + draw.span_ms(30_000, length_ms);
        if fate < ACTIVATION_TIMEOUTS {
            let timeout_s = owner.runtime.game_session_activation_timeout_seconds.unwrap_or(300);
            (active_ms, end_ms, ending) =
                (NEVER_MS, now_ms + i64::from(timeout_s) * 1_000, Ending::ActivationTimeout);
        } else if fate < ACTIVATION_TIMEOUTS + CRASHES {
            (end_ms, ending) = (early_ms, Ending::Crash);
        } else if fate < ACTIVATION_TIMEOUTS + CRASHES + FORCED {
            (terminating_ms, end_ms, ending) =
                (early_ms, early_ms + draw.span_ms(2_000, 6_000), Ending::Forced);
        } else if fate < ACTIVATION_TIMEOUTS + CRASHES + FORCED + TRIGGERED {
            let until_ms = early_ms + draw.span_ms(5_000, 45_000);
            (terminating_ms, end_ms, ending) = (early_ms, until_ms, Ending::Triggered);
        }
        if self.trouble.spoils(on.fleet) && active_ms != NEVER_MS && draw.chance(SPOILED) {
            (terminating_ms, end_ms, ending) =
                (NEVER_MS, active_ms + draw.span_ms(6_000, 90_000), Ending::Crash);
        }
        if self.is_slow(on.fleet, on.site) && active_ms != NEVER_MS {
            let timeout_ms =
                1_000 * i64::from(owner.runtime.game_session_activation_timeout_seconds.unwrap_or(300));
            let later_ms = draw.span_ms(SLOWEST_USUAL_MS * 4, timeout_ms * 4 / 3);
            if later_ms < timeout_ms {
                let late_ms = now_ms + later_ms - active_ms;
                active_ms += late_ms;
                end_ms += late_ms;
                terminating_ms = terminating_ms.saturating_add(late_ms);
            } else {
                (active_ms, terminating_ms) = (NEVER_MS, NEVER_MS);
                (end_ms, ending) = (now_ms + timeout_ms, Ending::ActivationTimeout);
            }
        }
        Session {
            number,
            fleet: on.fleet as u16,
            site: on.site as u16,
            machine: machine.number,
            slot: on.slot as u16,
            port: owner.base_port + on.slot as u16,
            created_ms: now_ms,
            active_ms,
            terminating_ms,
            end_ms,
            ending,
            profile: request.profile,
            flavour: draw.bits(),
            placement: request.placement,
            game_match: request.game_match,
            creator: request.creator,
            max_players: wish.map_or(kind.max_players, |wish| wish.max_players),
            founders: request.founders.len() as u16,
            protection: owner.protection,
            seats: Vec::new(),
            chosen: wish.map(|wish| Box::new(wish.chosen.clone())),
            matchmaker_data: OnceLock::new(),
        }
    }

    /// Fills the slots of a session. The founders come first, so that they have the first seats, then latecomers and
    /// those who take the seat of a player who left.
    fn plan_seats(&mut self, session: &mut Session, request: &Request, draw: &mut Draw) {
        if session.active_ms == NEVER_MS {
            // Nobody gets a seat in a session that never became ACTIVE. The founders become free again.
            request.founders.iter().for_each(|player| self.population.occupy(*player, session.end_ms));
            return;
        }
        let kind = profile(request.profile);
        let over_ms = session.end_ms - session.created_ms;
        let open_ms = session.active_ms - session.created_ms;
        session.seats.reserve(usize::from(kind.max_players) * 2);
        let mut free_from_ms = Vec::with_capacity(usize::from(kind.max_players));
        for player in &request.founders {
            let left_ms = self.plan_seat(session, *player, open_ms, over_ms, draw);
            free_from_ms.push(left_ms + draw.span_ms(3_000, 120_000));
        }
        if !kind.open || request.wish.is_some() {
            return;
        }
        for _ in request.founders.len()..usize::from(kind.max_players) {
            free_from_ms.push(open_ms + draw.span_ms(5_000, (over_ms - open_ms) * 3 / 2));
        }
        for mut from_ms in free_from_ms {
            while from_ms < over_ms - 5_000 && draw.chance(0.75) {
                let player = self.population.pick(draw, request.pool, session.created_ms + from_ms);
                from_ms =
                    self.plan_seat(session, player, from_ms, over_ms, draw) + draw.span_ms(3_000, 120_000);
            }
        }
    }

    fn plan_seat(
        &mut self,
        session: &mut Session,
        player: u32,
        from_ms: i64,
        over_ms: i64,
        draw: &mut Draw,
    ) -> i64 {
        let joined_ms = from_ms + draw.span_ms(1_500, 15_000);
        let stays = draw.chance(session.profile().loyalty);
        let early_ms = joined_ms + draw.span_ms(20_000, over_ms - joined_ms);
        let left_ms = if stays || early_ms >= over_ms { over_ms } else { early_ms };
        let comes = !draw.chance(NO_SHOWS) && self.population.plays(player);
        let free_ms = if comes { left_ms } else { from_ms + super::session::RESERVATION_MS };
        let seat = session.seats.len() as u16;
        let before = self.population.seat(player, session.number, seat, session.created_ms + free_ms);
        session.seats.push(Seat {
            player,
            reserved: from_ms as u32,
            joined: if comes { joined_ms as u32 } else { u32::MAX },
            left: left_ms as u32,
            before,
        });
        free_ms
    }

    /// Handles a player's direct request for a session in a fleet's location. Without a free process there is no
    /// session.
    pub(super) fn session_request(&mut self, stream: usize, fleet: usize, site: usize) {
        let Some(on) = self.seatable(fleet, site) else {
            self.wake(fleet, site);
            return;
        };
        let (profile_index, pool) = (self.streams[stream].profile, self.streams[stream].pool);
        let kind = profile(profile_index);
        let mut draw = Draw::new(self.seed, SALT + 1, self.sessions.len() as u64);
        let most = (kind.min_founders + kind.max_players) / 2;
        let count = usize::from(kind.min_founders) + draw.index(usize::from(most - kind.min_founders) + 1);
        let founders: Vec<u32> = self.party(&mut draw, pool, count, self.now_ms);
        let creator = founders.first().copied().unwrap_or(NONE);
        let request = Request {
            profile: profile_index,
            pool,
            founders,
            placement: NONE,
            game_match: NONE,
            creator,
            wish: None,
        };
        self.create_session(on, &request);
    }

    /// Picks free players of a pool and holds them until they get a seat.
    pub(super) fn party<T: FromIterator<u32>>(
        &mut self,
        draw: &mut Draw,
        pool: usize,
        count: usize,
        at_ms: i64,
    ) -> T {
        let players = (0..count).map(|_| {
            let player = self.population.pick(draw, pool, at_ms);
            self.population.occupy(player, at_ms + 600_000);
            player
        });
        players.collect()
    }

    pub(super) fn session_active(&mut self, number: u32) {
        let Some(session) = self.session(number) else { return };
        if session.active_ms == self.now_ms && session.end_ms > self.now_ms && session.placement != NONE {
            let placement = session.placement;
            self.placement_fulfilled(placement, number);
        }
    }

    /// Ends a session now, before its planned time.
    pub(super) fn end_early(&mut self, number: u32, ending: Ending) {
        let now_ms = self.now_ms;
        if let Some(session) = self.sessions.get_mut(number as usize).and_then(Option::as_mut) {
            session.cut_short(now_ms, ending);
        }
        self.session_end(number);
    }

    pub(super) fn session_end(&mut self, number: u32) {
        let (now_ms, began_ms) = (self.now_ms, self.agenda.minute_ms());
        let Some(session) = self.sessions.get(number as usize).and_then(Option::as_deref) else { return };
        let (fleet, site) = (usize::from(session.fleet), usize::from(session.site));
        if session.end_ms != now_ms || !self.fleets[fleet].live.remove(&number) {
            return;
        }
        let (machine, slot, ending, placement) =
            (session.machine, session.slot, session.ending, session.placement);
        let joins = session.joins(began_ms, now_ms) as u16;
        let failed = placement != NONE && session.active_ms > now_ms;
        self.ended.push_back((now_ms, number));
        let wanted = self.fleets[fleet].processes();
        let place = &mut self.fleets[fleet].sites[site];
        let crashed = matches!(ending, Ending::Crash | Ending::ActivationTimeout);
        place.counters.joins += joins;
        place.counters.process_ends += 1;
        place.counters.abnormal_ends += u16::from(crashed);
        if let Ok(index) = place.machines.binary_search_by_key(&machine, |known| known.number) {
            let kept = place.machines[index].slots.iter().filter(|slot| slot.is_kept()).count();
            let restarts = place.machines[index].leaving_ms > now_ms && kept <= wanted;
            place.counters.process_starts += u16::from(restarts);
            let pause_ms = 3_000 + (mix(self.seed, number.into()) % 9_000) as i64;
            if let Some(slot) = place.machines[index].slots.get_mut(usize::from(slot)) {
                slot.session = None;
                slot.ready_ms = if kept <= wanted { now_ms + pause_ms } else { NEVER_MS };
            }
        }
        self.tell_of_end(fleet, number, machine, ending);
        if ending == Ending::Crash {
            self.see_crash(fleet);
        }
        if failed {
            self.placement_failed(placement);
        }
    }

    fn tell_of_end(&mut self, fleet: usize, number: u32, machine: u32, ending: Ending) {
        let code = match ending {
            Ending::Crash if self.fleets[fleet].is_container() => EventCode::GameServerContainerGroupCrashed,
            Ending::Crash if hangs(number) => EventCode::ServerProcessTerminatedUnhealthy,
            Ending::Crash => EventCode::ServerProcessCrashed,
            Ending::ActivationTimeout => EventCode::GameSessionActivationTimeout,
            Ending::Forced => EventCode::ServerProcessForceTerminated,
            Ending::GameOver | Ending::Interrupted | Ending::Triggered | Ending::Removed => return,
        };
        let Some(session) = self.session(number) else { return };
        let arn = super::SessionRef { world: self, session }.arn();
        let site = &self.fleets[fleet].sites[usize::from(session.site)].name;
        let on =
            self.machine_connection(&self.fleets[fleet], site, machine, session.slot.into()).compute_name;
        let message = match ending {
            Ending::Crash if code == EventCode::ServerProcessTerminatedUnhealthy => {
                format!("Server process of {arn} on {on} did not report healthy and was terminated.")
            }
            Ending::Crash => {
                format!("Server process of {arn} on {on} exited with code 139 without ProcessEnding().")
            }
            Ending::ActivationTimeout => format!("Game session {arn} on {on} was not activated in time."),
            _ => format!("Server process of {arn} on {on} was ended by force."),
        };
        self.fleet_event(fleet, code, message);
    }
}

/// Whether the process hangs rather than exits, as in one crash in three.
fn hangs(session: u32) -> bool {
    session.is_multiple_of(3)
}
