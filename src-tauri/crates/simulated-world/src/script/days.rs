//! The scenario `incidents`: which incident comes when, over ten days.

use super::super::World;
use super::super::draw::Draw;
use super::super::records::IncidentKind;
use super::MINUTE_MS;

const SALT: u64 = 0x0061_0000;

const DAYS: i64 = 10;

/// Every kind of incident that the world itself plays, with the regions where it is possible.
const KINDS: [(IncidentKind, &[usize]); 13] = [
    (IncidentKind::LaunchDay, &[0, 1, 2]),
    (IncidentKind::CappedFleet, &[0, 1, 2]),
    // Only the first region has the newer fleet.
    (IncidentKind::BadBuild, &[0]),
    // The third region has no Spot fleet.
    (IncidentKind::SpotStorm, &[0, 1]),
    (IncidentKind::WrongAlias, &[0, 1, 2]),
    (IncidentKind::LoweredMax, &[0, 1, 2]),
    (IncidentKind::Limit, &[0, 1, 2]),
    (IncidentKind::BadRules, &[0, 1, 2]),
    (IncidentKind::SlowRegion, &[0, 1, 2]),
    (IncidentKind::Leak, &[0, 1, 2]),
    (IncidentKind::StoppedScaling, &[0, 1, 2]),
    (IncidentKind::LostDestination, &[0, 1, 2]),
    (IncidentKind::TightLatency, &[0, 1, 2]),
];

/// Shortest and longest time that an incident lasts, in milliseconds.
const LENGTH_MS: (i64, i64) = (10 * MINUTE_MS, 90 * MINUTE_MS);

/// Shortest and longest quiet time between two incidents, in milliseconds.
const QUIET_MS: (i64, i64) = (90 * MINUTE_MS, 6 * 60 * MINUTE_MS);

/// Probability that a second incident begins while one is under way.
const TWO_AT_ONCE: f64 = 0.1;

impl World {
    /// Plans one incident after the other. Each kind comes up once before any comes up again.
    pub(super) fn plan_ten_days(&mut self) {
        let mut draw = Draw::new(self.seed, SALT, 0);
        let mut deck = Vec::new();
        let mut from_ms = self.start_ms + draw.span_ms(20 * MINUTE_MS, QUIET_MS.1 / 2);
        while from_ms < self.start_ms + DAYS * 24 * 60 * MINUTE_MS {
            let (kind, regions) = deal(&mut deck, &mut draw);
            let region = regions.get(draw.index(regions.len())).copied().unwrap_or_default();
            let mut until_ms = from_ms + draw.span_ms(LENGTH_MS.0, LENGTH_MS.1);
            self.plan_incident(from_ms, Some(until_ms), kind, region);
            if draw.chance(TWO_AT_ONCE) {
                let (kind, regions) = deal(&mut deck, &mut draw);
                let others: Vec<usize> = regions.iter().copied().filter(|other| *other != region).collect();
                if let Some(other) = others.get(draw.index(others.len())) {
                    let second_ms = draw.span_ms(from_ms, until_ms);
                    let end_ms = second_ms + draw.span_ms(LENGTH_MS.0, LENGTH_MS.1);
                    self.plan_incident(second_ms, Some(end_ms), kind, *other);
                    until_ms = until_ms.max(end_ms);
                }
            }
            from_ms = until_ms + draw.span_ms(QUIET_MS.0, QUIET_MS.1);
        }
    }
}

/// Takes a random kind from the deck, and fills the deck again when it is empty.
fn deal(
    deck: &mut Vec<(IncidentKind, &'static [usize])>,
    draw: &mut Draw,
) -> (IncidentKind, &'static [usize]) {
    if deck.is_empty() {
        deck.extend(KINDS);
    }
    deck.swap_remove(draw.index(deck.len()))
}
