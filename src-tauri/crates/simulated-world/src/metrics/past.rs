//! The past before the simulation: an estimate of the metrics from the demand curve alone.
//!
//! Only fleets that get their sessions from a stream of their own are older than the simulated time, so their load is
//! estimated from that stream. Queues and matchmakers are estimated from the streams that feed them.

use super::super::load::{Stream, Target};
use super::super::names::mix;
use super::super::placing::{QueueCounters, QueueSample};
use super::super::profile::profile;
use super::super::sample::{Counters, Sample};
use super::{MetricPoint, Metrics};

/// Average share of the player slots that are taken while a session runs.
const FILL: f64 = 0.52;

/// Processes that start and end with their instance as a fleet scales, for each that ends with its session.
const SCALED: f64 = 0.45;

/// Share of placements that found no place in ordinary times.
const LOST: f64 = 0.006;

/// Average number of tickets in a match.
const TICKETS_A_MATCH: f64 = 5.2;

impl Metrics<'_> {
    pub(super) fn past_sample(&self, fleet: usize, site: usize, at_ms: i64) -> Option<Sample> {
        let owner = &self.world.fleets[fleet];
        if at_ms < owner.active_ms {
            return None;
        }
        let place = &owner.sites[site];
        let feeds = |stream: &&Stream| stream.target == Target::Fleet(fleet, site);
        let stream = self.world.streams.iter().find(feeds);
        let rate = stream.map_or(0.0, |stream| stream.rate_per_min(at_ms));
        let kind = profile(stream.map_or(0, |stream| stream.profile));
        let expected = rate * kind.mean_ms() / 60_000.0;
        let sessions =
            whole(expected * (0.85 + 0.3 * self.noise(fleet, site, at_ms)), self.noise(fleet, site, !at_ms));
        let slots = owner.slots_per_instance as u16;
        let active = (sessions + 3).div_ceil(slots).clamp(place.minimum as u16, place.maximum as u16);
        let processes = active * slots;
        let ended = whole(rate, self.noise(fleet, site, at_ms ^ 0x55));
        let scaled = if place.minimum < place.maximum { rate * SCALED } else { 0.0 };
        let scaled = whole(scaled, self.noise(fleet, site, at_ms ^ 0x33));
        Some(Sample {
            desired: active,
            minimum: place.minimum as u16,
            maximum: place.maximum as u16,
            pending: 0,
            active,
            idle: active - sessions.div_ceil(slots).min(active),
            terminating: 0,
            processes,
            starting: 0,
            available: processes.saturating_sub(sessions),
            activating_sessions: 0,
            active_sessions: sessions.min(processes),
            players: (f64::from(sessions) * f64::from(kind.max_players) * FILL) as u16,
            counters: Counters {
                joins: ended * kind.min_founders,
                process_starts: ended + scaled,
                process_ends: ended + scaled,
                ..Counters::default()
            },
        })
    }

    pub(super) fn past_queue_minute(&self, queue: usize, name: &str, at_ms: i64) -> Option<MetricPoint> {
        let streams = &self.world.queues[queue].streams;
        let rate: f64 = streams.iter().map(|stream| self.world.streams[*stream].rate_per_min(at_ms)).sum();
        let noise = self.noise(queue, 90, at_ms);
        let started = u32::from(whole(rate * (0.7 + 0.6 * noise), noise));
        let lost = u32::from(started > 0 && self.noise(queue, 91, at_ms) < LOST * rate);
        let fulfilled = started - lost;
        let locations = self.world.queues[queue].locations.len().max(1) as u32;
        let share = |index: u32| fulfilled / locations + u32::from(index < fulfilled % locations);
        let row = QueueSample {
            depth: u32::from(rate * 0.08 > noise),
            waited_ms: (noise * 4_000.0) as i64,
            counters: QueueCounters {
                started,
                succeeded: fulfilled,
                timed_out: lost,
                first_not_viable: lost,
                lowest_latency: fulfilled,
                lowest_price: fulfilled / 2,
                by_location: (0..locations).map(share).collect(),
                ..QueueCounters::default()
            },
        };
        self.queue_value(queue, name, &row).map(|value| MetricPoint::one(at_ms, value))
    }

    pub(super) fn past_matchmaker_minute(&self, maker: usize, name: &str, at_ms: i64) -> Option<MetricPoint> {
        let known = &self.world.matchmakers[maker];
        let streams = known.streams.iter().map(|stream| &self.world.streams[*stream]);
        let rate: f64 = streams.map(|stream| stream.rate_per_min(at_ms)).sum();
        let noise = self.noise(maker, 92, at_ms);
        let matches = f64::from(whole(rate * (0.7 + 0.6 * noise), noise));
        let tickets = (matches * TICKETS_A_MATCH).round();
        let accepted = if known.record.acceptance_required { matches } else { 0.0 };
        let value = match name {
            "CurrentTickets" => (rate * 1.6).round(),
            "PlayersStarted" => matches * 10.0,
            "TicketsStarted" => tickets,
            "MatchesCreated" | "MatchesPlaced" => matches,
            "MatchesAccepted" => accepted,
            "TicketsFailed" | "MatchesRejected" | "MatchAcceptancesTimedOut" => 0.0,
            "TicketsTimedOut" => f64::from(u8::from(noise < 0.04 * rate)),
            "TimeToMatch" | "TimeToTicketSuccess" if tickets > 0.0 => {
                let mean_s = if name == "TimeToMatch" { 9.0 + 4.0 * noise } else { 19.0 + 5.0 * noise };
                let (min, max, count) = (mean_s * 0.3, mean_s * 2.2, tickets);
                return Some(MetricPoint { start_ms: at_ms, sum: mean_s * count, min, max, count });
            }
            _ => return None,
        };
        Some(MetricPoint::one(at_ms, value))
    }

    /// Returns reproducible noise, at least 0 and below 1.
    fn noise(&self, index: usize, part: usize, at_ms: i64) -> f64 {
        let bits = mix(mix(self.world.seed, ((index as u64) << 16) | part as u64), at_ms as u64);
        (bits >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Returns a whole number; over all noise values its mean is `mean`.
fn whole(mean: f64, noise: f64) -> u16 {
    (mean.floor() + f64::from(u8::from(noise < mean.fract()))) as u16
}
