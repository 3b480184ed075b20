//! Queues and placements: how a new session gets a place among a queue's destinations, and what follows from it.
//!
//! `placing::choosing` chooses the place, and `placing::showing` shows and announces placements.

mod choosing;
mod showing;

use std::collections::BTreeSet;

use self::choosing::{Candidate, Reachable};
use super::draw::Draw;
use super::engine::Transition;
use super::names::Kind;
use super::play::{Request, Seatable};
use super::profile::profile;
use super::records::{
    GameSessionPlacementState, GameSessionQueue, IncidentSign, NoticeDetail, PlacementNotice,
};
use super::requests::NewPlacement;
use super::sample::Rows;
use super::session::{Chosen, NONE, Wish};
use super::{NEVER_MS, SessionRef, World};

const SALT: u64 = 0x0020_0000;

/// Interval at which a waiting queue looks for room.
const SWEEP_MS: i64 = 5_000;

/// Share of placements whose players are too far from every location.
const REMOTE: f64 = 0.012;

/// Share of placements that are cancelled if they wait a long time.
const IMPATIENT: f64 = 0.15;

/// A queue and the placements that wait in it.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub(crate) record: GameSessionQueue,
    /// The fleets and aliases that the record's destinations name.
    pub(crate) destinations: Vec<Destination>,
    pub(crate) region: usize,
    /// When its simulation began. The model of history covers the time before.
    pub(crate) begins_ms: i64,
    /// When a caller created it; before everything else for the queues of the catalogue.
    pub(crate) created_ms: i64,
    /// Deleted from this time on.
    pub(crate) gone_ms: i64,
    /// Locations that the metric `Placement <region>` can name: every location of the destinations.
    pub(crate) locations: Vec<String>,
    /// PENDING placements.
    pub(crate) pending: BTreeSet<u32>,
    pub(crate) sweeping: bool,
    pub(crate) counters: QueueCounters,
    pub(crate) rows: Rows<QueueSample>,
    /// The streams that model arrivals before the first row.
    pub(crate) streams: Vec<usize>,
}

impl Queue {
    /// Creates an empty queue that works from `begins_ms` on.
    pub(crate) fn new(record: GameSessionQueue, region: usize, begins_ms: i64) -> Self {
        Self {
            record,
            destinations: Vec::new(),
            region,
            begins_ms,
            created_ms: i64::MIN,
            gone_ms: NEVER_MS,
            locations: Vec::new(),
            pending: BTreeSet::new(),
            sweeping: false,
            counters: QueueCounters::default(),
            rows: Rows::default(),
            streams: Vec::new(),
        }
    }
}

/// The fleet or alias that the ARN of a destination names.
#[derive(Clone, Debug)]
pub(crate) struct Destination {
    /// Index of its region.
    region: usize,
    id: String,
}

/// What happened in a queue during a minute.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueueCounters {
    pub(crate) started: u32,
    pub(crate) succeeded: u32,
    pub(crate) failed: u32,
    pub(crate) cancelled: u32,
    pub(crate) timed_out: u32,
    pub(crate) first_not_viable: u32,
    pub(crate) first_out_of_capacity: u32,
    pub(crate) lowest_latency: u32,
    pub(crate) lowest_price: u32,
    /// Fulfilled placements by location, in the order of [`Queue::locations`].
    pub(crate) by_location: Vec<u32>,
}

/// A queue in one minute.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueueSample {
    pub(crate) depth: u32,
    /// Sum of the waiting times of the PENDING placements.
    pub(crate) waited_ms: i64,
    pub(crate) counters: QueueCounters,
}

/// A placement.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub(crate) queue: u16,
    pub(crate) profile: u8,
    pub(crate) pool: u8,
    pub(crate) state: GameSessionPlacementState,
    pub(crate) start_ms: i64,
    /// Epoch milliseconds; meaningless while PENDING.
    pub(crate) end_ms: i64,
    /// When it is cancelled, if it is still waiting.
    cancel_ms: i64,
    /// The session it leads to; not final until FULFILLED.
    pub(crate) session: u32,
    pub(crate) game_match: u32,
    flavour: u64,
    /// Where the players are.
    area: &'static str,
    remote: bool,
    /// The players who wait. Empty once there is a session, in which they have the first seats.
    party: Vec<u32>,
    /// The caller's request; absent for the game's own placements.
    pub(crate) asked: Option<Box<Asked>>,
}

/// A caller's request, as a placement keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Asked(pub(crate) NewPlacement);

impl Asked {
    /// Returns what the caller wants of the placement's session.
    fn wish(&self) -> Wish {
        let Asked(new) = self;
        let players = new.desired_player_sessions.iter();
        let chosen = Chosen {
            made: true,
            id: Some(new.placement_id.clone()),
            name: new.game_session_name.clone(),
            properties: Some(new.game_properties.clone()),
            data: new.game_session_data.clone(),
            seats: (0u16..).zip(players.map(|(_, data)| data.clone())).collect(),
            ..Chosen::default()
        };
        Wish { chosen, max_players: new.maximum_player_session_count }
    }
}

impl World {
    pub(super) fn placement_id(&self, number: u32) -> String {
        let mut id = String::with_capacity(40);
        self.push_placement_id(&mut id, number);
        id
    }

    pub(super) fn push_placement_id(&self, text: &mut String, number: u32) {
        let placement = self.placements.get(number as usize).and_then(Option::as_deref);
        match placement {
            Some(Placement { asked: Some(asked), .. }) => text.push_str(&asked.0.placement_id),
            Some(Placement { game_match, .. }) if *game_match != NONE => {
                self.names.push_uuid(text, Kind::Match, *game_match, 0);
            }
            _ => self.names.push_placement(text, number),
        }
    }

    /// Returns the number of the placement that the population asked for under this id. FlexMatch uses its match's.
    pub(super) fn read_placement_id(&self, id: &str) -> Option<u32> {
        let of_match = || self.placed_matches.get(&self.names.read_uuid(Kind::Match, id)?.0).copied();
        self.names.read_placement(id).or_else(of_match)
    }

    pub(super) fn placement_arrives(&mut self, stream: usize, queue: usize) {
        if self.queues[queue].gone_ms != NEVER_MS {
            return;
        }
        let (kind_index, pool) = (self.streams[stream].profile, self.streams[stream].pool);
        let area = self.streams[stream].place.name;
        let kind = profile(kind_index);
        let mut draw = Draw::new(self.seed, SALT, self.placements.len() as u64);
        let room = usize::from(kind.max_players - kind.min_founders);
        let count = usize::from(kind.min_founders) + draw.index(room + 1);
        let party: Vec<u32> = self.party(&mut draw, pool, count, self.now_ms);
        self.start_placement(queue, kind_index, pool, area, party, NONE);
    }

    /// Adds a placement to a queue and returns its number.
    pub(super) fn start_placement(
        &mut self,
        queue: usize,
        profile: u8,
        pool: usize,
        area: &'static str,
        party: Vec<u32>,
        game_match: u32,
    ) -> u32 {
        let mut draw = Draw::new(self.seed, SALT + 1, self.placements.len() as u64);
        let now_ms = self.now_ms;
        let remote = game_match == NONE && draw.chance(REMOTE);
        let patience_ms =
            if draw.chance(IMPATIENT) { draw.span_ms(12_000, 80_000) } else { i64::from(u32::MAX) };
        self.enqueue(Placement {
            queue: queue as u16,
            profile,
            pool: pool as u8,
            state: GameSessionPlacementState::Pending,
            start_ms: now_ms,
            end_ms: now_ms,
            cancel_ms: now_ms + patience_ms,
            session: NONE,
            game_match,
            flavour: draw.bits(),
            area,
            remote,
            party,
            asked: None,
        })
    }

    /// Adds a caller's placement to a queue.
    pub(super) fn start_asked_placement(
        &mut self,
        queue: usize,
        profile: u8,
        pool: usize,
        party: Vec<u32>,
        asked: Asked,
        game_match: u32,
    ) {
        let now_ms = self.now_ms;
        self.enqueue(Placement {
            queue: queue as u16,
            profile,
            pool: pool as u8,
            state: GameSessionPlacementState::Pending,
            start_ms: now_ms,
            end_ms: now_ms,
            cancel_ms: NEVER_MS,
            session: NONE,
            game_match,
            flavour: 0,
            area: "",
            remote: false,
            party,
            asked: Some(Box::new(asked)),
        });
    }

    fn enqueue(&mut self, placement: Placement) -> u32 {
        let (number, queue) = (self.placements.len() as u32, usize::from(placement.queue));
        if placement.game_match != NONE {
            self.placed_matches.insert(placement.game_match, number);
        }
        self.placements.push(Some(Box::new(placement)));
        self.queues[queue].counters.started += 1;
        self.queues[queue].pending.insert(number);
        if self.queues[queue].gone_ms != NEVER_MS {
            self.settle(number, GameSessionPlacementState::Failed);
            return number;
        }
        self.try_place(number, &self.reachable(queue), true);
        self.plan_sweep(queue);
        number
    }

    fn pending(&self, number: u32) -> Option<&Placement> {
        let placement = self.placements.get(number as usize)?.as_deref()?;
        (placement.state == GameSessionPlacementState::Pending).then_some(placement)
    }

    fn plan_sweep(&mut self, queue: usize) {
        if self.queues[queue].sweeping {
            return;
        }
        if let Some(deadline_ms) = self.first_deadline_ms(queue) {
            self.note_sweep(queue, deadline_ms);
        }
    }

    fn note_sweep(&mut self, queue: usize, deadline_ms: i64) {
        self.queues[queue].sweeping = true;
        self.agenda.note(deadline_ms.min(self.now_ms + SWEEP_MS), Transition::Sweep(queue));
    }

    /// Returns the earliest time at which a placement that waits in a queue times out or is cancelled.
    fn first_deadline_ms(&self, queue: usize) -> Option<i64> {
        let timeout_ms = i64::from(self.queues[queue].record.timeout_in_seconds) * 1_000;
        let waiting = self.queues[queue].pending.iter().filter_map(|number| self.pending(*number));
        let deadlines = waiting
            .filter(|placement| placement.session == NONE)
            .map(|placement| placement.cancel_ms.min(placement.start_ms + timeout_ms));
        deadlines.min()
    }

    pub(super) fn sweep(&mut self, queue: usize) {
        let now_ms = self.now_ms;
        self.queues[queue].sweeping = false;
        let reachable = self.reachable(queue);
        // Without a fleet to go to, nothing can happen before the first deadline.
        if let Some(deadline_ms) = self.first_deadline_ms(queue).filter(|deadline_ms| now_ms < *deadline_ms)
            && reachable.is_empty()
        {
            self.note_sweep(queue, deadline_ms);
            return;
        }
        let timeout_ms = i64::from(self.queues[queue].record.timeout_in_seconds) * 1_000;
        let waiting: Vec<u32> = self.queues[queue].pending.iter().copied().collect();
        for number in waiting {
            let Some(placement) = self.pending(number).filter(|placement| placement.session == NONE) else {
                continue;
            };
            if now_ms >= placement.start_ms + timeout_ms {
                self.settle(number, GameSessionPlacementState::TimedOut);
            } else if now_ms >= placement.cancel_ms {
                self.settle(number, GameSessionPlacementState::Cancelled);
            } else {
                self.try_place(number, &reachable, false);
            }
        }
        self.plan_sweep(queue);
    }

    /// Looks for a process for a placement, and starts the session if there is one.
    fn try_place(&mut self, number: u32, reachable: &[Reachable], first: bool) {
        let Some(placement) = self.pending(number) else { return };
        let queue = usize::from(placement.queue);
        let candidates = self.candidates(queue, placement, reachable);
        let found: Option<(Candidate, Seatable)> = candidates
            .iter()
            .filter(|candidate| candidate.viable)
            .find_map(|candidate| Some((*candidate, self.seatable(candidate.fleet, candidate.site)?)));
        if first {
            self.count_first_choice(queue, &candidates);
        }
        let Some((chosen, on)) = found else {
            // The request scales every place it could use from zero to one instance.
            for place in candidates.iter().filter(|candidate| candidate.viable) {
                self.wake(place.fleet, place.site);
            }
            return;
        };
        let nearest_ms = candidates.iter().map(|c| c.latency_ms).fold(f64::INFINITY, f64::min);
        let counters = &mut self.queues[queue].counters;
        counters.lowest_latency +=
            u32::from(chosen.latency_ms.is_finite() && chosen.latency_ms <= nearest_ms);
        counters.lowest_price += u32::from(chosen.spot || candidates.iter().all(|candidate| !candidate.spot));
        let Some(placement) = self.placements.get_mut(number as usize).and_then(Option::as_mut) else {
            return;
        };
        let request = Request {
            profile: placement.profile,
            pool: placement.pool.into(),
            founders: std::mem::take(&mut placement.party),
            placement: number,
            game_match: placement.game_match,
            creator: NONE,
            wish: placement.asked.as_deref().map(|asked| Box::new(asked.wish())),
        };
        let session = self.create_session(on, &request);
        if let Some(placement) = self.placements.get_mut(number as usize).and_then(Option::as_mut) {
            placement.session = session;
        }
    }

    /// Returns the number of placements that wait with this fleet as their first choice, and their longest wait.
    pub(super) fn waiting_for(&self, fleet: usize) -> (u32, i64) {
        let region = self.fleets[fleet].region;
        let (mut waiting, mut longest_ms) = (0, 0);
        for (index, queue) in self.queues.iter().enumerate().filter(|(_, queue)| queue.region == region) {
            let reachable = self.reachable(index);
            for placement in queue.pending.iter().filter_map(|number| self.pending(*number)) {
                let candidates = self.candidates(index, placement, &reachable);
                let first = candidates.first().map(|candidate| candidate.fleet);
                if placement.session == NONE && first == Some(fleet) {
                    waiting += 1;
                    longest_ms = longest_ms.max(self.now_ms - placement.start_ms);
                }
            }
        }
        (waiting, longest_ms)
    }

    fn count_first_choice(&mut self, queue: usize, candidates: &[Candidate]) {
        let Some(favourite) = candidates.first() else { return };
        let full = favourite.viable && self.seatable(favourite.fleet, favourite.site).is_none();
        let counters = &mut self.queues[queue].counters;
        counters.first_not_viable += u32::from(!favourite.viable);
        counters.first_out_of_capacity += u32::from(full);
    }

    pub(super) fn placement_fulfilled(&mut self, number: u32, session: u32) {
        let Some(placement) = self.pending(number).filter(|placement| placement.session == session) else {
            return;
        };
        let (queue, game_match) = (usize::from(placement.queue), placement.game_match);
        if let Some(location) =
            self.session(session).map(|session| SessionRef { world: self, session }.location())
        {
            let known = self.queues[queue].locations.iter().position(|name| name == location);
            if let Some(index) = known {
                let by_location = &mut self.queues[queue].counters.by_location;
                by_location.resize(by_location.len().max(index + 1), 0);
                by_location[index] += 1;
            }
        }
        self.settle(number, GameSessionPlacementState::Fulfilled);
        if game_match != NONE {
            self.match_placed(game_match, session);
        }
    }

    /// Fails a placement whose session ended before it became ACTIVE.
    pub(super) fn placement_failed(&mut self, number: u32) {
        if self.pending(number).is_some() {
            self.settle(number, GameSessionPlacementState::Failed);
        }
    }

    /// Ends a placement and announces it.
    pub(super) fn settle(&mut self, number: u32, state: GameSessionPlacementState) {
        let now_ms = self.now_ms;
        let Some(placement) = self.placements.get_mut(number as usize).and_then(Option::as_mut) else {
            return;
        };
        (placement.state, placement.end_ms) = (state, now_ms);
        let (queue, game_match, start_ms) =
            (usize::from(placement.queue), placement.game_match, placement.start_ms);
        let sign = match state {
            // Some players are too far from everywhere on any day.
            _ if placement.remote => None,
            GameSessionPlacementState::TimedOut => Some(IncidentSign::PlacementTimedOut),
            // A caller may have any reason.
            GameSessionPlacementState::Cancelled if placement.asked.is_none() => {
                Some(IncidentSign::PlacementGivenUp)
            }
            _ => None,
        };
        for player in &placement.party {
            self.population.occupy(*player, now_ms);
        }
        let counters = &mut self.queues[queue].counters;
        match state {
            GameSessionPlacementState::Fulfilled => counters.succeeded += 1,
            GameSessionPlacementState::Cancelled => counters.cancelled += 1,
            GameSessionPlacementState::TimedOut => counters.timed_out += 1,
            GameSessionPlacementState::Failed => counters.failed += 1,
            GameSessionPlacementState::Pending => {}
        }
        if let Some(sign) = sign {
            self.see_no_room(queue, sign);
        }
        self.queues[queue].pending.remove(&number);
        self.settled.push_back((now_ms, number));
        if self.is_announced() {
            let outcome = self.outcome(number, state);
            let record = &self.queues[queue].record;
            let (arn, target) = (record.game_session_queue_arn.clone(), record.notification_target.clone());
            let custom = record.custom_event_data.clone();
            let placement_id = self.placement_id(number);
            let detail = NoticeDetail::Placement(PlacementNotice {
                placement_id,
                start_time_ms: start_ms,
                end_time_ms: now_ms,
                outcome,
            });
            self.announce(self.queues[queue].region, arn, target, custom, detail);
        }
        if game_match != NONE && state != GameSessionPlacementState::Fulfilled {
            self.match_not_placed(game_match, state);
        }
    }

    /// Closes the row of every queue and opens the next.
    pub(super) fn queue_minute(&mut self) {
        let now_ms = self.now_ms;
        for queue in 0..self.queues.len() {
            if now_ms < self.queues[queue].begins_ms || self.queues[queue].gone_ms != NEVER_MS {
                continue;
            }
            let started_ms =
                |number: &u32| self.pending(*number).map_or(now_ms, |placement| placement.start_ms);
            let waited_ms = self.queues[queue].pending.iter().map(|number| now_ms - started_ms(number)).sum();
            let depth = self.queues[queue].pending.len() as u32;
            let queue = &mut self.queues[queue];
            let counters = std::mem::take(&mut queue.counters);
            if let Some(row) = queue.rows.last_mut() {
                row.counters = counters;
            }
            queue.rows.open(now_ms, QueueSample { depth, waited_ms, counters: QueueCounters::default() });
        }
    }
}
