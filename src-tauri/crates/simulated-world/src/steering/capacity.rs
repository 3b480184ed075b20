//! Capacity changed by hand: limits, desired count, scaling to and from zero, and stopping automatic scaling.

use super::super::World;
use super::super::draw::Draw;
use super::super::fleet::ZeroScaling;
use super::super::records::EventCode;
use super::super::sample::MINUTE_MS;
use super::super::trouble::Reason;
use super::FleetKey;

const SALT: u64 = 0x0041_0000;

/// Changes to the capacity of a location. An absent value stays as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct CapacityChange {
    /// Desired instances.
    pub desired: Option<u32>,
    /// Lower limit.
    pub minimum: Option<u32>,
    /// Upper limit.
    pub maximum: Option<u32>,
    /// The zero capacity strategy: `Some(None)` is MANUAL, `Some(Some(minutes))` scales to and from zero after that
    /// many minutes without use.
    pub zero_after_min: Option<Option<u32>>,
}

impl World {
    /// Changes the capacity of a location. Limits show at once, a desired count within a minute. A target-based
    /// policy that is in force resets the count at once (H5).
    pub fn change_capacity(&mut self, fleet: FleetKey, location: &str, change: &CapacityChange) {
        let FleetKey(fleet) = fleet;
        let Some((site, _)) = self.fleets[fleet].site(location) else { return };
        let now_ms = self.now_ms;
        let tracking = self.fleets[fleet].policies.iter().position(super::super::scaling::Policy::is_target);
        let place = &mut self.fleets[fleet].sites[site];
        if let Some(zero) = change.zero_after_min {
            place.zero = zero.map(|after_min| ZeroScaling { after_min, last_use_ms: now_ms });
        }
        let standing = place.requested;
        let before = (place.minimum, place.maximum);
        place.minimum = match place.zero {
            Some(_) => u32::from(change.desired.unwrap_or(standing) > 0),
            None => change.minimum.unwrap_or(place.minimum),
        };
        place.maximum = change.maximum.unwrap_or(place.maximum);
        let (minimum, maximum, stopped) = (place.minimum, place.maximum, place.stopped);
        if before != (minimum, maximum) {
            self.tell_limits(fleet, site);
        }
        self.fleets[fleet].sites[site].by_hand = true;
        self.request_capacity(fleet, site, change.desired.unwrap_or(standing), Reason::Person);
        if let Some(tracking) = tracking.filter(|_| !stopped) {
            self.fleets[fleet].sites[site].by_hand = false;
            self.request_capacity(fleet, site, standing, Reason::Policy(tracking));
        }
    }

    /// Adds the event for the limits of a location.
    pub(crate) fn tell_limits(&mut self, fleet: usize, site: usize) {
        let place = &self.fleets[fleet].sites[site];
        let (location, minimum, maximum) = (&place.name, place.minimum, place.maximum);
        let message = format!("Limits of location {location} changed: minimum {minimum}, maximum {maximum}.");
        self.fleet_event(fleet, EventCode::FleetScalingEvent, message);
    }

    /// Stops or starts automatic scaling in a location. This takes effect at once, and shows as an update for some
    /// seconds.
    pub fn set_scaling_stopped(&mut self, fleet: FleetKey, location: &str, stopped: bool) {
        let FleetKey(fleet) = fleet;
        let Some((site, _)) = self.fleets[fleet].site(location) else { return };
        let mut draw = Draw::new(self.seed, SALT, self.now_ms as u64 ^ ((fleet as u64) << 48));
        let settles_ms = self.now_ms + draw.span_ms(4_000, 25_000);
        let place = &mut self.fleets[fleet].sites[site];
        if place.stopped != stopped {
            (place.stopped, place.settles_ms) = (stopped, settles_ms);
        }
    }

    /// Records the request for a session in a location, and scales a location that is at zero to one instance.
    pub(crate) fn wake(&mut self, fleet: usize, site: usize) {
        let now_ms = self.now_ms;
        let place = &mut self.fleets[fleet].sites[site];
        let Some(zero) = &mut place.zero else { return };
        zero.last_use_ms = now_ms;
        if place.requested == 0 && place.maximum > 0 {
            place.minimum = 1;
            self.tell_limits(fleet, site);
            self.request_capacity(fleet, site, 1, Reason::SessionRequest);
        }
    }

    /// Scales a location to zero once it has been unused for long enough. `used` is true if it has sessions now.
    pub(crate) fn zero_minute(&mut self, fleet: usize, site: usize, used: bool) {
        let now_ms = self.now_ms;
        let place = &mut self.fleets[fleet].sites[site];
        let Some(zero) = &mut place.zero else { return };
        if used {
            zero.last_use_ms = now_ms;
        } else if now_ms - zero.last_use_ms >= i64::from(zero.after_min) * MINUTE_MS && place.requested > 0 {
            (place.minimum, place.by_hand) = (0, false);
            self.tell_limits(fleet, site);
            self.request_capacity(fleet, site, 0, Reason::Inactivity);
        }
    }
}
