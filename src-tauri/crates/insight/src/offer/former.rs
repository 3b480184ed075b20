//! Where an alias led before: as a poll recorded it, or as the game sessions tell that ceased when it was updated.

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::queue::AliasRow;

use super::Ground;

/// How far before and after the update new game sessions are counted.
const AROUND_MS: i64 = 30 * 60_000;
/// Fewer before are not enough to tell that they ceased.
const LEAST: u64 = 5;
/// Callers and queues go on for some time where an alias led before (AWS gives no bound), in milliseconds.
const LAG_MS: i64 = 120_000;
/// So many must be missing, or nothing has been seen to cease.
const MISSED: f64 = 3.0;
/// The rate after is at most this share of the rate before.
const CEASED: f64 = 0.1;

/// The fleet an alias led to before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Former {
    pub(crate) fleet_id: FleetId,
    /// Whether only the game sessions tell.
    pub(crate) is_inferred: bool,
}

/// Where an alias led before it was changed at `at`; `None` if neither its history nor the game sessions tell.
pub(crate) async fn of_alias(
    ground: &Ground<'_>,
    row: &AliasRow,
    at: Timestamp,
) -> Result<Option<Former>, StoreError> {
    let led_to = |text: Option<&str>| match serde_json::from_str::<RoutingStrategy>(text?).ok()? {
        RoutingStrategy::Simple { fleet_id } => Some(fleet_id),
        RoutingStrategy::Terminal { .. } => None,
    };
    let recorded = row
        .history
        .iter()
        .filter(|change| change.field == "routing")
        .find_map(|change| led_to(change.before.as_deref()));
    if let Some(fleet_id) = recorded {
        return Ok(Some(Former { fleet_id, is_inferred: false }));
    }
    of_sessions(ground, row, at).await
}

/// The only fleet of the Region on which new game sessions ceased at that moment and that nothing else leads to.
async fn of_sessions(
    ground: &Ground<'_>,
    row: &AliasRow,
    at: Timestamp,
) -> Result<Option<Former>, StoreError> {
    let current = match &row.alias.routing {
        RoutingStrategy::Simple { fleet_id } => Some(fleet_id),
        RoutingStrategy::Terminal { .. } => None,
    };
    let mut found = None;
    for fleet in &ground.fleets {
        let id = &fleet.fleet.fleet_id;
        let is_other = Some(id) != current && fleet.fleet.region == row.alias.region;
        let is_free = fleet.aliases.is_empty() && fleet.queues.is_empty();
        if !is_other || !is_free || fleet.fleet.status != FleetStatus::Active {
            continue;
        }
        let until = ground.now.min(at.plus_ms(AROUND_MS));
        let before = TimeRange::new(at.plus_ms(-AROUND_MS), at);
        let settled = at.plus_ms(LAG_MS);
        let after = TimeRange::new(settled, until.max(settled.plus_ms(1)));
        let (was, is) = (
            ground.reader.sessions_created(id, before).await?,
            ground.reader.sessions_created(id, after).await?,
        );
        let rate = |count: u64, range: TimeRange| count as f64 / range.length_ms().max(1) as f64;
        let expected = rate(was, before) * after.length_ms() as f64;
        if was >= LEAST && expected >= MISSED && rate(is, after) <= CEASED * rate(was, before) {
            // Two that fit tell nothing.
            if found.is_some() {
                return Ok(None);
            }
            found = Some(Former { fleet_id: id.clone(), is_inferred: true });
        }
    }
    Ok(found)
}
