//! When the first effect of each incident could be seen.
//!
//! Each kind shows by something of its own: a crash, a timeout, a decision without effect. The engine reports these
//! here, and the first one after the cause counts.

use super::super::World;
use super::super::play::SLOWEST_USUAL_MS;
use super::super::records::{IncidentKind, IncidentSign};
use super::super::scaling::Policy;
use super::{Case, Effect, On};

/// Incidents that show by placements that time out.
const STARVING: [IncidentKind; 6] = [
    IncidentKind::LaunchDay,
    IncidentKind::CappedFleet,
    IncidentKind::WrongAlias,
    IncidentKind::LoweredMax,
    IncidentKind::LostDestination,
    IncidentKind::TightLatency,
];

/// Incidents that show by instances a fleet does not get. Placements that time out come of it later.
const STUNTED: [IncidentKind; 2] = [IncidentKind::Limit, IncidentKind::StoppedScaling];

/// Incidents in which fleets are at their maximum: it holds them down, or more players come than they have room for.
const AT_MAXIMUM: [IncidentKind; 4] =
    [IncidentKind::CappedFleet, IncidentKind::LoweredMax, IncidentKind::LaunchDay, IncidentKind::WrongAlias];

impl World {
    /// Records an effect on something of the incidents of these kinds that fit and are under way.
    fn see(&mut self, effect: Effect, kinds: &[IncidentKind], at_ms: i64, fits: impl Fn(&Case) -> bool) {
        let now_ms = self.now_ms;
        for case in &mut self.trouble.cases {
            let open = case.began_ms <= now_ms && case.ended_ms.is_none_or(|ended_ms| now_ms < ended_ms);
            if open && kinds.contains(&case.kind) && fits(case) {
                let first_ms = case.effects.entry(effect).or_insert(at_ms);
                *first_ms = at_ms.min(*first_ms);
            }
        }
    }

    /// The same of an effect on one fleet of incidents of one kind.
    fn see_on_fleet(&mut self, fleet: usize, sign: IncidentSign, kind: IncidentKind, at_ms: i64) {
        self.see(Effect(sign, On::Fleet(fleet)), &[kind], at_ms, |case| case.fleets.contains(&fleet));
    }

    /// A server process of a fleet has crashed.
    pub(crate) fn see_crash(&mut self, fleet: usize) {
        let kinds = [IncidentKind::BadBuild];
        self.see(Effect(IncidentSign::Crash, On::Fleet(fleet)), &kinds, self.now_ms, |case| {
            case.fleets.first() == Some(&fleet)
        });
    }

    /// Spot has given notice to instances of a fleet.
    pub(crate) fn see_storm(&mut self, fleet: usize) {
        self.see_on_fleet(fleet, IncidentSign::SpotNotice, IncidentKind::SpotStorm, self.now_ms);
    }

    /// A placement has timed out in a queue, although its players are near enough to some location, or they have
    /// given up.
    pub(crate) fn see_no_room(&mut self, queue: usize, sign: IncidentSign) {
        let effect = Effect(sign, On::Queue(queue));
        self.see(effect, &STARVING, self.now_ms, |case| case.queues.contains(&queue));
        self.see(effect, &STUNTED, self.now_ms, |case| {
            !case.effects.is_empty() && case.queues.contains(&queue)
        });
    }

    /// Looks whether a location needs instances which its maximum or its stopped scaling denies it. The policies decide
    /// once a minute, and what they decide takes up to a minute to show; the API shows the game sessions and the maximum
    /// at once.
    pub(crate) fn look_for_lack(&mut self, fleet: usize, site: usize) {
        let lacks = |case: &Case, sign| !case.effects.contains_key(&Effect(sign, On::Fleet(fleet)));
        let waits = |case: &Case| {
            case.ended_ms.is_none()
                && case.fleets.contains(&fleet)
                && match case.kind {
                    IncidentKind::StoppedScaling => lacks(case, IncidentSign::ScalingMissing),
                    kind if AT_MAXIMUM.contains(&kind) => lacks(case, IncidentSign::AtMaximum),
                    _ => false,
                }
        };
        if !self.trouble.cases.iter().any(waits) {
            return;
        }
        let owner = &self.fleets[fleet];
        let place = &owner.sites[site];
        if !owner.hosts(place, self.now_ms) {
            return;
        }
        let live = owner.live.iter().filter_map(|number| self.session(*number));
        let sessions = live.filter(|session| usize::from(session.site) == site).count() as u32;
        let asked = |policy: &Policy| policy.keeps_free(sessions, owner.slots_per_instance);
        let allowed = place.desired.min(place.maximum);
        let is_short = owner.policies.iter().filter_map(asked).any(|asked| asked > allowed);
        let is_full = (1..=sessions).contains(&place.count(self.now_ms).processes);
        if place.desired >= place.maximum && (is_short || is_full) {
            let location = place.name.clone();
            let effect = Effect(IncidentSign::AtMaximum, On::Fleet(fleet));
            self.see(effect, &AT_MAXIMUM, self.now_ms, |case| case.concerns(fleet, &location));
        }
        let (now_ms, is_short) = (self.now_ms, is_short && self.fleets[fleet].sites[site].stopped);
        let stopped = |case: &&mut Case| case.kind == IncidentKind::StoppedScaling && waits(case);
        for case in self.trouble.cases.iter_mut().filter(stopped) {
            if is_short {
                case.short_since.entry((fleet, site)).or_insert(now_ms);
            } else {
                case.short_since.remove(&(fleet, site));
            }
        }
    }

    /// The minute of a location whose automatic scaling is stopped has come, and no policy decides. If it is short of
    /// instances, one would have: what was short only between two minutes lacks nothing.
    pub(crate) fn see_no_decision(&mut self, fleet: usize, site: usize) {
        self.look_for_lack(fleet, site);
        let kind = IncidentKind::StoppedScaling;
        let open = self.trouble.cases.iter().filter(|case| case.kind == kind && case.ended_ms.is_none());
        if let Some(since_ms) = open.filter_map(|case| case.short_since.get(&(fleet, site))).copied().min() {
            self.see_on_fleet(fleet, IncidentSign::ScalingMissing, kind, since_ms);
        }
    }

    /// An instance was not started because of the account's limit.
    pub(crate) fn see_instance_limit(&mut self, fleet: usize, location: &str) {
        self.see(
            Effect(IncidentSign::InstanceLimit, On::Fleet(fleet)),
            &[IncidentKind::Limit],
            self.now_ms,
            |case| case.concerns(fleet, location),
        );
    }

    /// A ticket has timed out because the rules did not allow its match.
    pub(crate) fn see_unmatched(&mut self, matchmaker: usize, at_ms: i64) {
        self.see(
            Effect(IncidentSign::TicketTimedOut, On::Matchmaker(matchmaker)),
            &[IncidentKind::BadRules],
            at_ms,
            |case| case.matchmaker == Some(matchmaker) && case.began_ms <= at_ms,
        );
    }

    /// A session has been created that will take longer than usual to become ACTIVE, if its location is slow.
    pub(crate) fn see_slowness(&mut self, fleet: usize, site: usize) {
        if self.is_slow(fleet, site) {
            let late_ms = self.now_ms + SLOWEST_USUAL_MS;
            self.see_on_fleet(fleet, IncidentSign::LateActivation, IncidentKind::SlowRegion, late_ms);
        }
    }

    /// A session will still be there when its game is over.
    pub(crate) fn see_leak(&mut self, fleet: usize, over_ms: i64) {
        self.see_on_fleet(fleet, IncidentSign::EmptySession, IncidentKind::Leak, over_ms);
    }
}
