//! Capacity: the work of each minute in a fleet's location, how instances come and go, and the fleet events about it.

use super::draw::Draw;
use super::engine::Transition;
use super::fleet::{Machine, Slot};
use super::names::{Kind, mix};
use super::records::{EventCode, FleetEvent, GameSessionStatus};
use super::sample::{Counters, MINUTE_MS, Sample};
use super::scaling::{Policy, Reading};
use super::session::Ending;
use super::trouble::Reason;
use super::{NEVER_MS, World};

/// Time between a Spot instance's interruption notice and its end.
const SPOT_NOTICE_MS: i64 = 120_000;

/// Mean time until a Spot instance is interrupted, minutes.
const SPOT_LIFE_MIN: f64 = 30.0 * 60.0;

/// Number of newest events kept for each fleet.
const EVENTS_KEPT: usize = 5_000;

mod salt {
    pub(super) const CAPACITY: u64 = 0x0001_0000;
    pub(super) const SPOT: u64 = 0x0002_0000;
    pub(super) const START: u64 = 0x0003_0000;
}

/// Counts of the sessions in a location that have not ended, at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crowd {
    sessions: u32,
    activating: u32,
    active: u32,
    /// Players ACTIVE or RESERVED.
    players: u32,
    /// Player slots of all these sessions.
    player_slots: u32,
    /// Players who became ACTIVE in the previous minute.
    joins: u32,
}

impl World {
    /// Ends a site's minute: closes its row, applies Spot interruptions and scaling, and opens the next row.
    pub(super) fn site_minute(&mut self, fleet: usize, site: usize, began_ms: i64, crowd: Crowd) {
        self.close_row(fleet, site, began_ms, crowd.joins);
        let (now_ms, live) = (self.now_ms, self.fleets[fleet].live.len());
        let place = &mut self.fleets[fleet].sites[site];
        place.machines.retain(|machine| now_ms < machine.gone_ms);
        if !self.fleets[fleet].is_anywhere() {
            self.spot_minute(fleet, site);
            self.scale(fleet, site, &crowd);
            self.look_for_lack(fleet, site);
            self.zero_minute(fleet, site, crowd.sessions > 0);
            self.reconcile(fleet, site);
        }
        // Instances that were removed ended their sessions, so count again.
        let again = (self.fleets[fleet].live.len() != live).then(|| self.crowds(fleet, began_ms));
        let crowd = again.and_then(|crowds| crowds.get(site).copied()).unwrap_or(crowd);
        let row = self.sample(fleet, site, &crowd);
        self.fleets[fleet].sites[site].samples.open(now_ms, row);
    }

    fn close_row(&mut self, fleet: usize, site: usize, began_ms: i64, joins: u32) {
        let now_ms = self.now_ms;
        let place = &mut self.fleets[fleet].sites[site];
        let slots = place.machines.iter().filter(|m| began_ms <= m.ready_ms && m.ready_ms < now_ms);
        let started: usize = slots.map(|machine| machine.slots.len()).sum();
        // Processes that host no session end with their instance; those that do are counted as their session ends.
        let left = place.machines.iter().filter(|m| began_ms <= m.leaving_ms && m.leaving_ms < now_ms);
        let runs = |m: &Machine, slot: &Slot| slot.session.is_none() && slot.ready_ms <= m.leaving_ms;
        let ended: usize = left.map(|m| m.slots.iter().filter(|slot| runs(m, slot)).count()).sum();
        let mut counters = std::mem::take(&mut place.counters);
        counters.joins += joins as u16;
        counters.process_starts += started as u16;
        counters.process_ends += ended as u16;
        if let Some(row) = place.samples.last_mut() {
            row.counters = counters;
        }
    }

    /// Returns the crowd of each of a fleet's sites. Sessions are scattered in memory, so one pass serves all sites.
    pub(super) fn crowds(&self, fleet: usize, began_ms: i64) -> Vec<Crowd> {
        let (owner, now_ms) = (&self.fleets[fleet], self.now_ms);
        let mut crowds = vec![Crowd::default(); owner.sites.len()];
        for session in owner.live.iter().filter_map(|number| self.session(*number)) {
            let Some(crowd) = crowds.get_mut(usize::from(session.site)) else { continue };
            crowd.sessions += 1;
            match session.status(now_ms) {
                GameSessionStatus::Activating => crowd.activating += 1,
                GameSessionStatus::Active => crowd.active += 1,
                _ => {}
            }
            crowd.players += session.players(now_ms);
            crowd.player_slots += u32::from(session.max_players);
            crowd.joins += session.joins(began_ms, now_ms);
        }
        crowds
    }

    fn sample(&self, fleet: usize, site: usize, crowd: &Crowd) -> Sample {
        let place = &self.fleets[fleet].sites[site];
        let count = place.count(self.now_ms);
        Sample {
            desired: place.desired as u16,
            minimum: place.minimum as u16,
            maximum: place.maximum as u16,
            pending: count.pending as u16,
            active: count.active as u16,
            idle: count.idle as u16,
            terminating: count.terminating as u16,
            processes: count.processes as u16,
            starting: count.starting as u16,
            available: count.available as u16,
            activating_sessions: crowd.activating as u16,
            active_sessions: crowd.active as u16,
            players: crowd.players as u16,
            counters: Counters::default(),
        }
    }

    fn scale(&mut self, fleet: usize, site: usize, crowd: &Crowd) {
        let owner = &self.fleets[fleet];
        let place = &owner.sites[site];
        if !owner.hosts(place, self.now_ms) {
            return;
        }
        if place.stopped {
            self.see_no_decision(fleet, site);
            return;
        }
        let reading = self.reading(fleet, site, crowd);
        let owner = &mut self.fleets[fleet];
        let slots = owner.slots_per_instance;
        let place = &mut owner.sites[site];
        let mut decided: Option<(u32, usize)> = None;
        for (number, (policy, streak)) in owner.policies.iter().zip(&mut place.streaks).enumerate() {
            let asked = policy.decide(reading, place.requested, slots, streak);
            // Of several policies, the one that asks for most decides.
            if let Some(asked) = asked.filter(|asked| decided.is_none_or(|(most, _)| *asked > most)) {
                decided = Some((asked, number));
            }
        }
        if let Some((wanted, policy)) = decided {
            place.by_hand = false;
            self.request_capacity(fleet, site, wanted, Reason::Policy(policy));
        }
    }

    /// Returns the figures that scaling policies evaluate in a location.
    pub(super) fn reading(&self, fleet: usize, site: usize, crowd: &Crowd) -> Reading {
        let owner = &self.fleets[fleet];
        let mut reading = Reading {
            count: owner.sites[site].count(self.now_ms),
            sessions: crowd.sessions,
            activating: crowd.activating,
            players: crowd.players,
            player_slots: crowd.player_slots,
            ..Reading::default()
        };
        if owner.policies.iter().any(Policy::watches_queues) {
            (reading.waiting, reading.longest_wait_ms) = self.waiting_for(fleet);
        }
        reading
    }

    /// Requests an instance count within the site's limits. It takes effect within a minute.
    pub(super) fn request_capacity(&mut self, fleet: usize, site: usize, wanted: u32, reason: Reason) {
        let place = &mut self.fleets[fleet].sites[site];
        let (from, to) = (place.requested, wanted.clamp(place.minimum, place.maximum));
        if from == to {
            return;
        }
        let place = &mut self.fleets[fleet].sites[site];
        place.requested = to;
        let location = place.name.clone();
        self.note_scaling(fleet, site, from, to, wanted, reason);
        self.fleet_event(
            fleet,
            EventCode::FleetScalingEvent,
            format!("Desired instance count of location {location} changed from {from} to {to}."),
        );
        let mut draw = self.site_draw(salt::CAPACITY, fleet, site);
        let shows_ms = self.now_ms + draw.span_ms(8_000, 50_000);
        self.agenda.note(shows_ms, Transition::CapacityShows(fleet, site));
    }

    /// Changes the limits of a site and moves the desired count within them.
    pub(super) fn set_limits(&mut self, fleet: usize, site: usize, minimum: u32, maximum: u32) {
        let place = &mut self.fleets[fleet].sites[site];
        (place.minimum, place.maximum) = (minimum, maximum);
        let requested = place.requested;
        self.tell_limits(fleet, site);
        self.request_capacity(fleet, site, requested, Reason::Limits);
    }

    pub(super) fn capacity_shows(&mut self, fleet: usize, site: usize) {
        let place = &mut self.fleets[fleet].sites[site];
        place.desired = place.requested;
        self.reconcile(fleet, site);
    }

    /// Starts or ends instances until their number matches the desired count. Instances with sessions stay, unless
    /// the count was set by hand and none of their sessions is protected.
    pub(super) fn reconcile(&mut self, fleet: usize, site: usize) {
        let now_ms = self.now_ms;
        let owner = &self.fleets[fleet];
        if !owner.hosts(&owner.sites[site], now_ms) {
            return;
        }
        let place = &mut self.fleets[fleet].sites[site];
        let stays = |machine: &&mut Machine| now_ms < machine.leaving_ms && now_ms < machine.draining_ms;
        let alive = place.machines.iter_mut().filter(stays).count() as u32;
        for _ in alive..place.desired {
            if self.is_at_instance_limit(fleet, site) {
                break;
            }
            self.launch(fleet, site);
        }
        let place = &mut self.fleets[fleet].sites[site];
        let surplus = alive.saturating_sub(place.desired) as usize;
        let empty = |machine: &&mut Machine| stays(machine) && machine.sessions() == 0;
        let mut left = surplus;
        for machine in place.machines.iter_mut().rev().filter(empty).take(surplus) {
            machine.leaving_ms = now_ms;
            machine.gone_ms = now_ms + 60_000 + i64::from(machine.number % 50) * 1_000;
            left -= 1;
        }
        if left > 0 && place.by_hand {
            self.end_unprotected(fleet, site, left);
        }
    }

    /// Ends up to `count` instances without protected sessions, those with the fewest sessions first.
    fn end_unprotected(&mut self, fleet: usize, site: usize, count: usize) {
        let now_ms = self.now_ms;
        let machines = self.fleets[fleet].sites[site].machines.iter();
        let stays = machines.filter(|machine| now_ms < machine.leaving_ms && now_ms < machine.draining_ms);
        let mut open: Vec<(usize, u32)> = stays
            .filter(|machine| {
                let mut sessions = machine.slots.iter().filter_map(|slot| slot.session);
                !sessions.any(|session| self.is_protected(session))
            })
            .map(|machine| (machine.sessions(), machine.number))
            .collect();
        open.sort_unstable();
        let chosen: Vec<u32> = open.into_iter().take(count).map(|(_, number)| number).collect();
        self.remove_machines(fleet, site, &chosen);
    }

    fn launch(&mut self, fleet: usize, site: usize) {
        let number = self.next_instance();
        let mut draw = Draw::new(self.seed, salt::START, number.into());
        let (soonest_ms, latest_ms) =
            if self.is_slow(fleet, site) { (300_000, 600_000) } else { (120_000, 240_000) };
        let ready_ms = self.now_ms + draw.span_ms(soonest_ms, latest_ms);
        self.add_machine(fleet, site, number, ready_ms);
    }

    pub(super) fn next_instance(&mut self) -> u32 {
        self.counts.instances += 1;
        self.counts.instances
    }

    pub(super) fn add_machine(&mut self, fleet: usize, site: usize, number: u32, ready_ms: i64) {
        let slots = self.fleets[fleet].slots_per_instance;
        let mut machine = Machine::new(number, self.now_ms.min(ready_ms), ready_ms, slots);
        machine.binary = self.binary(fleet);
        if self.is_faulty(fleet) {
            machine.slots.iter_mut().for_each(|slot| slot.ready_ms = NEVER_MS);
        }
        let place = &mut self.fleets[fleet].sites[site];
        place.first_machine.get_or_insert(number);
        place.machines.push(machine);
    }

    /// Gives a fleet that becomes ACTIVE the instances it was asked to start with.
    pub(super) fn fleet_active(&mut self, fleet: usize) {
        let now_ms = self.now_ms;
        for site in 0..self.fleets[fleet].sites.len() {
            for _ in 0..self.fleets[fleet].sites[site].desired {
                let number = self.next_instance();
                self.add_machine(fleet, site, number, now_ms);
            }
        }
    }

    fn spot_minute(&mut self, fleet: usize, site: usize) {
        if !self.fleets[fleet].is_spot() {
            return;
        }
        let now_ms = self.now_ms;
        let mut draw = self.site_draw(salt::SPOT, fleet, site);
        let active = self.fleets[fleet].sites[site].machines.iter_mut();
        let active = active.filter(|machine| machine.is_active(now_ms) && machine.draining_ms > now_ms);
        let (mut noticed, mut recycled) = (Vec::new(), Vec::new());
        for machine in active {
            if draw.chance(1.0 / SPOT_LIFE_MIN) {
                machine.draining_ms = now_ms;
                noticed.push(machine.number);
            } else if machine.sessions() == 0 && draw.chance(0.5 / SPOT_LIFE_MIN) {
                (machine.leaving_ms, machine.gone_ms) = (now_ms, now_ms + 90_000);
                recycled.push(machine.number);
            }
        }
        for number in noticed {
            self.interrupt(fleet, site, number);
        }
        for number in recycled {
            self.fleets[fleet].sites[site].counters.recycled += 1;
            let name = self.names.instance(number);
            self.fleet_event(
                fleet,
                EventCode::InstanceRecycled,
                format!("Spot instance {name} was recycled because its risk of interruption is high."),
            );
        }
    }

    /// Gives the Spot notice for an instance: it takes no new sessions and ends in two minutes.
    pub(super) fn interrupt(&mut self, fleet: usize, site: usize, machine: u32) {
        let name = self.names.instance(machine);
        let location = self.fleets[fleet].sites[site].name.clone();
        self.fleets[fleet].sites[site].counters.spot_interruptions += 1;
        self.fleet_event(
            fleet,
            EventCode::InstanceInterrupted,
            format!("Spot instance {name} in {location} was interrupted; it ends in two minutes."),
        );
        self.agenda.note(self.now_ms + SPOT_NOTICE_MS, Transition::Reclaim(fleet, site, machine));
    }

    pub(super) fn reclaim(&mut self, fleet: usize, site: usize, machine: u32) {
        let now_ms = self.now_ms;
        let place = &mut self.fleets[fleet].sites[site];
        let Some(found) = place.machines.iter_mut().find(|known| known.number == machine) else { return };
        (found.leaving_ms, found.gone_ms) = (now_ms, now_ms + 60_000);
        let ended: Vec<u32> = found.slots.iter().filter_map(|slot| slot.session).collect();
        place.counters.session_interruptions += ended.len() as u16;
        for number in ended {
            self.end_early(number, Ending::Interrupted);
        }
        self.reconcile(fleet, site);
    }

    /// Adds a fleet event with the current time.
    pub(super) fn fleet_event(&mut self, fleet: usize, code: EventCode, message: String) {
        self.fleet_event_at(fleet, code, message, self.now_ms, None);
    }

    pub(super) fn fleet_event_at(
        &mut self,
        fleet: usize,
        event_code: EventCode,
        message: String,
        event_time_ms: i64,
        pre_signed_log_url: Option<String>,
    ) {
        self.counts.events += 1;
        let event_id = self.names.uuid(Kind::Event, self.counts.events, 0);
        let owner = &mut self.fleets[fleet];
        let resource_id = owner.id.clone();
        owner.events.push(FleetEvent {
            event_id,
            resource_id,
            event_code,
            message,
            event_time_ms,
            pre_signed_log_url,
            count: 1,
        });
        if owner.events.len() > EVENTS_KEPT + EVENTS_KEPT / 10 {
            owner.events.drain(..EVENTS_KEPT / 10);
        }
    }

    fn site_draw(&self, purpose: u64, fleet: usize, site: usize) -> Draw {
        let minute = (self.now_ms / MINUTE_MS) as u64;
        Draw::new(self.seed, purpose, mix(minute, ((fleet as u64) << 16) | site as u64))
    }
}
