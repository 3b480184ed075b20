//! The agenda of future transitions, and the loop that runs them in order.
//!
//! Owns time. The module of each subject defines what its transitions do. The result does not depend on how often or
//! in what steps the world is advanced.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::World;
use super::deed::DEEDS_MS;
use super::load::Target;
use super::sample::MINUTE_MS;
use super::script::Directive;
use super::steering::Step;

/// Sessions, placements and player sessions are kept this long after their end.
pub(crate) const RETENTION_MS: i64 = 30 * 24 * 3_600_000;

/// Tickets are kept this long after their end (the service documents no period).
const TICKET_RETENTION_MS: i64 = 6 * 3_600_000;

/// Events that are not read are kept this long, as in an SQS queue by default.
const NOTICE_RETENTION_MS: i64 = 4 * 24 * 3_600_000;

/// One-minute rows are kept this long. The model of history answers queries about earlier times.
pub(crate) const ROWS_MS: i64 = RETENTION_MS;

/// A future change in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    /// A stream's next arrival.
    Arrival(usize),
    /// A fleet becomes ACTIVE.
    FleetActive(usize),
    /// A session becomes ACTIVE.
    SessionActive(u32),
    /// A session ends, unless its end has changed since.
    SessionEnd(u32),
    /// A queue processes its waiting placements.
    Sweep(usize),
    /// A requested capacity takes effect: fleet, site.
    CapacityShows(usize, usize),
    /// Spot reclaims an instance two minutes after its notice: fleet, site, instance.
    Reclaim(usize, usize, u32),
    /// A ticket enters the pool.
    TicketStart(u32),
    /// A ticket that found no match ends.
    TicketEnd(u32),
    /// A match is proposed.
    MatchFormed(u32),
    /// A configuration checks its pool of callers' tickets for matches.
    Pool(usize),
    /// The players of a ticket answer a proposed match: match, index of the ticket in it.
    MatchAnswer(u32, usize),
    /// The answers to a match are complete.
    MatchAnswered(u32),
    /// A line of the scenario's script.
    Directive(Directive),
    /// A step of a requested change to a fleet.
    Step(Step),
}

/// A scheduled transition.
#[derive(Clone, Copy, Debug)]
struct Noted {
    at_ms: i64,
    /// Increases with every scheduled transition.
    number: u64,
    transition: Transition,
}

impl Noted {
    fn turn(&self) -> (i64, u64) {
        (self.at_ms, self.number)
    }
}

impl PartialEq for Noted {
    fn eq(&self, other: &Self) -> bool {
        self.turn() == other.turn()
    }
}

impl Eq for Noted {}

impl PartialOrd for Noted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Orders earlier transitions as greater, because `BinaryHeap` pops the greatest first.
impl Ord for Noted {
    fn cmp(&self, other: &Self) -> Ordering {
        other.turn().cmp(&self.turn())
    }
}

/// Future transitions by time. Those at the same instant run in the order they were scheduled, the minute last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    heap: BinaryHeap<Noted>,
    noted: u64,
    next_minute_ms: i64,
}

impl Agenda {
    pub(crate) fn new(from_ms: i64) -> Self {
        let next_minute_ms = (from_ms.div_euclid(MINUTE_MS) + 1) * MINUTE_MS;
        Self { heap: BinaryHeap::new(), noted: 0, next_minute_ms }
    }

    pub(crate) fn note(&mut self, at_ms: i64, transition: Transition) {
        self.noted += 1;
        self.heap.push(Noted { at_ms, number: self.noted, transition });
    }

    /// Returns when the current minute began.
    pub(crate) fn minute_ms(&self) -> i64 {
        self.next_minute_ms - MINUTE_MS
    }

    fn next_ms(&self) -> Option<i64> {
        self.heap.peek().map(|noted| noted.at_ms)
    }
}

impl World {
    /// Advances the world up to and including that time (epoch milliseconds). An earlier time has no effect. Two
    /// steps give the same world as one.
    pub fn advance_to(&mut self, now_ms: i64) {
        loop {
            let minute_ms = self.agenda.next_minute_ms;
            let next = self.agenda.next_ms().filter(|at_ms| *at_ms <= minute_ms);
            if next.unwrap_or(minute_ms) > now_ms {
                break;
            }
            match next.and_then(|_| self.agenda.heap.pop()) {
                Some(noted) => {
                    self.now_ms = self.now_ms.max(noted.at_ms);
                    self.happen(noted.transition);
                }
                None => {
                    self.now_ms = minute_ms;
                    self.agenda.next_minute_ms += MINUTE_MS;
                    self.minute();
                }
            }
        }
        self.now_ms = self.now_ms.max(now_ms);
    }

    fn happen(&mut self, transition: Transition) {
        match transition {
            Transition::Arrival(stream) => self.arrival(stream),
            Transition::FleetActive(fleet) => self.fleet_active(fleet),
            Transition::SessionActive(session) => self.session_active(session),
            Transition::SessionEnd(session) => self.session_end(session),
            Transition::Sweep(queue) => self.sweep(queue),
            Transition::CapacityShows(fleet, site) => self.capacity_shows(fleet, site),
            Transition::Reclaim(fleet, site, machine) => self.reclaim(fleet, site, machine),
            Transition::TicketStart(ticket) => self.ticket_start(ticket),
            Transition::TicketEnd(ticket) => self.ticket_gives_up(ticket),
            Transition::MatchFormed(game_match) => self.match_formed(game_match),
            Transition::Pool(matchmaker) => self.pool(matchmaker),
            Transition::MatchAnswer(game_match, place) => self.match_answer(game_match, place),
            Transition::MatchAnswered(game_match) => self.match_answered(game_match),
            Transition::Directive(directive) => self.follow(directive),
            Transition::Step(step) => self.step(step),
        }
    }

    fn arrival(&mut self, index: usize) {
        let now_ms = self.now_ms;
        let Some(stream) = self.streams.get_mut(index) else { return };
        let next_ms = stream.next_ms(now_ms);
        let target = stream.target;
        self.agenda.note(next_ms, Transition::Arrival(index));
        match target {
            Target::Queue(queue) => self.placement_arrives(index, queue),
            Target::Matchmaker(matchmaker) => self.match_arrives(index, matchmaker),
            Target::Fleet(fleet, site) => self.session_request(index, fleet, site),
        }
    }

    /// Ends one virtual minute and begins the next.
    fn minute(&mut self) {
        let (now_ms, began_ms) = (self.now_ms, self.now_ms - MINUTE_MS);
        for fleet in 0..self.fleets.len() {
            let owner = &self.fleets[fleet];
            if owner.active_ms > now_ms || owner.terminated_ms <= now_ms {
                continue;
            }
            for (site, crowd) in self.crowds(fleet, began_ms).into_iter().enumerate() {
                if !self.fleets[fleet].sites[site].gone {
                    self.site_minute(fleet, site, began_ms, crowd);
                }
            }
        }
        self.queue_minute();
        self.matchmaker_minute();
        if now_ms.rem_euclid(60 * MINUTE_MS) == 0 {
            self.forget();
        }
    }

    fn forget(&mut self) {
        let ended_before_ms = self.now_ms - RETENTION_MS;
        while let Some((_, number)) = self.ended.pop_front_if(|(end_ms, _)| *end_ms <= ended_before_ms) {
            if let Some(session) = self.sessions.get_mut(number as usize).and_then(Option::take) {
                self.fleets[usize::from(session.fleet)].sessions.remove(&number);
                if let Some(id) = session.chosen.and_then(|chosen| chosen.id) {
                    self.ledger.sessions.remove(&(usize::from(session.fleet), id));
                }
            }
        }
        while let Some((_, number)) = self.settled.pop_front_if(|(end_ms, _)| *end_ms <= ended_before_ms) {
            if let Some(placement) = self.placements.get_mut(number as usize).and_then(Option::take) {
                self.placed_matches.remove(&placement.game_match);
            }
        }
        let tickets_before_ms = self.now_ms - TICKET_RETENTION_MS;
        self.tickets.retain(|ticket| ticket.end_ms.is_none_or(|end_ms| end_ms > tickets_before_ms));
        self.matches.retain(|game_match| game_match.created_ms > tickets_before_ms);
        let deeds_before_ms = self.now_ms - DEEDS_MS;
        let notices_before_ms = self.now_ms - NOTICE_RETENTION_MS;
        for region in &mut self.regions {
            while region.outbox.pop_front_if(|notice| notice.time_ms <= notices_before_ms).is_some() {}
            while region.deeds.pop_front_if(|deed| deed.at_ms < deeds_before_ms).is_some() {}
        }
        self.forget_scaling(self.now_ms - RETENTION_MS);
        let rows_before_ms = self.now_ms - ROWS_MS;
        for site in self.fleets.iter_mut().flat_map(|fleet| &mut fleet.sites) {
            site.samples.forget_before(rows_before_ms);
        }
        for queue in &mut self.queues {
            queue.rows.forget_before(rows_before_ms);
        }
        for matchmaker in &mut self.matchmakers {
            matchmaker.rows.forget_before(rows_before_ms);
        }
    }
}
