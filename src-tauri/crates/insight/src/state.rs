//! The state of a fleet in one word, shown as the colour and shape beside its name.

use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::{FleetId, Severity};
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::alert::Alert;

/// The state of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FleetState {
    /// Nothing wrong, by fresh figures.
    Good,
    /// Little room left.
    Warning,
    /// In status ERROR, without a server process, or at its limit without a free one.
    Bad,
    /// Becoming ACTIVE, or being deleted.
    Pending,
    /// Ended.
    Off,
    /// Nothing wrong is known, but its figures are old, or were never read.
    Unknown,
}

impl FleetState {
    /// The state in the light of the alerts that fire: a fleet named by one is not well, whatever its figures say.
    #[must_use]
    pub fn with(self, alerts: &[Alert], fleet: &FleetId) -> Self {
        let of_fleet = alerts
            .iter()
            .filter(|alert| alert.state.is_shown() && alert.fleet_id.as_ref() == Some(fleet))
            .map(|alert| alert.severity)
            .max();
        self.named_by(of_fleet)
    }

    /// The state in the light of the gravest alert that names the fleet.
    pub(crate) const fn named_by(self, alert: Option<Severity>) -> Self {
        match (alert, self) {
            (Some(Severity::Bad), _) => Self::Bad,
            (Some(Severity::Warning), Self::Good | Self::Unknown) => Self::Warning,
            (_, state) => state,
        }
    }
}

/// Percentage of free processes below which there is little room.
pub(crate) const LITTLE_ROOM_PERCENT: f64 = 10.0;

/// Whether the location has reached its limit and has no process free for a game session.
pub fn is_capped(here: &LocationFigures) -> bool {
    is_at_maximum(here)
        && here.processes().is_some_and(|processes| processes > 0)
        && here.free_processes() == Some(0)
}

/// Whether instances are active in a location and run no server process.
pub(crate) fn runs_no_process(here: &LocationFigures) -> bool {
    here.capacity.as_ref().is_some_and(|it| it.active > 0) && here.processes() == Some(0)
}

/// Whether no more instances are allowed in a location than are desired.
pub(crate) fn is_at_maximum(here: &LocationFigures) -> bool {
    here.capacity.as_ref().is_some_and(|it| it.maximum > 0 && it.desired >= it.maximum)
}

/// Whether automatic scaling is suspended in a location. A fleet tells it of its home Region, a location of itself.
pub(crate) fn scaling_is_suspended(fleet: &FleetSummary, here: &LocationFigures) -> bool {
    let at_home = here.location.as_str() == fleet.fleet.region.as_str();
    let there = here.attributes.as_ref().is_some_and(|location| location.scaling_suspended);
    there || (at_home && fleet.fleet.is_scaling_suspended())
}

/// Derives the state of a fleet from its status and figures.
pub fn fleet_state(summary: &FleetSummary) -> FleetState {
    match &summary.fleet.status {
        _ if summary.gone_at.is_some() => return FleetState::Off,
        FleetStatus::Error => return FleetState::Bad,
        FleetStatus::Terminated | FleetStatus::NotFound | FleetStatus::Expired => return FleetState::Off,
        FleetStatus::Active | FleetStatus::Updating => {}
        _ => return FleetState::Pending,
    }
    let runs_none = summary.processes() == Some(0) && summary.locations.iter().any(runs_no_process);
    if runs_none || summary.locations.iter().any(is_capped) {
        return FleetState::Bad;
    }
    if summary.free_percent().is_some_and(|percent| percent < LITTLE_ROOM_PERCENT) {
        return FleetState::Warning;
    }
    if is_known(summary) { FleetState::Good } else { FleetState::Unknown }
}

/// Whether the figures of a fleet are fresh and whole.
fn is_known(summary: &FleetSummary) -> bool {
    let kind = summary.fleet.kind;
    let is_read = |here: &LocationFigures| {
        (here.capacity.is_some() || !kind.has_capacity())
            && (here.utilization.is_some() || !kind.has_utilization())
    };
    !summary.freshness.stale && summary.locations.iter().all(is_read)
}
