//! Storms of fleet events: many events of one kind in a short time, which need attention although a single one does
//! not.

use std::collections::BTreeMap;

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetEventCode, FleetId, Severity, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::window::Page;
use liftdeck_store::{Reader, StoreError};

use super::{Attention, Target, Trouble};

/// How far back events are counted.
const LOOK_BACK_MS: i64 = 20 * 60_000;
/// Fewer failed server processes per fleet than this are normal.
const FEW_FAILED_PROCESSES: i64 = 5;

/// The kind of events in a storm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// EC2 reclaimed Spot instances.
    Interruption,
    /// Server processes failed to start, crashed, or were terminated.
    ProcessFailure,
}

impl Kind {
    fn of(code: &FleetEventCode) -> Option<Self> {
        match code {
            FleetEventCode::InstanceInterrupted => Some(Self::Interruption),
            code if code.is_process_failure() => Some(Self::ProcessFailure),
            _ => None,
        }
    }

    const fn least(self) -> i64 {
        match self {
            Self::Interruption => 1,
            Self::ProcessFailure => FEW_FAILED_PROCESSES,
        }
    }
}

/// Events of one kind in one fleet.
struct Storm {
    count: i64,
    since: Timestamp,
    /// The newest message.
    said: Option<String>,
    said_at: Timestamp,
}

/// Storms of the last twenty minutes.
pub(super) async fn event_storms(
    reader: &Reader,
    fleets: &[FleetSummary],
    now: Timestamp,
) -> Result<Vec<Attention>, StoreError> {
    let range = TimeRange::new(now.plus_ms(-LOOK_BACK_MS), now.plus_ms(1));
    let events = reader.fleet_events(None, Some(range), Page::first(Page::MOST)).await?;
    let mut storms: BTreeMap<(Kind, FleetId), Storm> = BTreeMap::new();
    for event in events.rows.into_iter().map(|row| row.event) {
        let Some(kind) = Kind::of(&event.event_code) else { continue };
        let at = event.event_time;
        let storm = storms.entry((kind, event.fleet_id)).or_insert(Storm {
            count: 0,
            since: at,
            said: None,
            said_at: at,
        });
        storm.count += event.count.max(1);
        storm.since = storm.since.min(at);
        if at >= storm.said_at {
            (storm.said, storm.said_at) = (event.message, at);
        }
    }
    let told = storms.into_iter().filter(|((kind, _), storm)| storm.count >= kind.least());
    Ok(told.map(|((kind, fleet_id), storm)| line(kind, &fleet_id, storm, fleets)).collect())
}

fn line(kind: Kind, id: &FleetId, storm: Storm, fleets: &[FleetSummary]) -> Attention {
    let known = fleets.iter().find(|fleet| fleet.fleet.fleet_id == *id);
    let fleet = known.map_or(id.as_str(), |fleet| fleet.fleet.display_name()).to_owned();
    let (count, said) = (storm.count, storm.said.map(|said| said.trim().to_owned()));
    let (what, trouble) = match kind {
        Kind::Interruption => {
            let instance_type = known.and_then(|fleet| fleet.fleet.instance_type.clone());
            ("interrupted", Trouble::Interrupted { fleet, count, instance_type })
        }
        Kind::ProcessFailure => {
            let message = said.filter(|said| !said.is_empty());
            ("processes", Trouble::ProcessesFail { fleet, count, message })
        }
    };
    let target = Target::FleetEvents(id.clone());
    Attention::of_fleet(what, id, Severity::Warning, storm.since, trouble, target)
}
