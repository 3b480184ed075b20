//! The scenarios' scripts: what each does to demand, capacity and routing, and when.

use super::World;
use super::engine::Transition;
use super::load::{Surge, Target};
use super::records::RoutingStrategy;
use crate::scenario::Scenario;

const MINUTE_MS: i64 = super::sample::MINUTE_MS;

/// A change somebody makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Directive {
    /// An alias of a region is pointed to a fleet: region, alias, fleet.
    Repoint(usize, usize, usize),
    /// A script of a region gets a new version: region, script.
    UpdateScript(usize, usize),
    /// Every location of a fleet may not grow beyond what it has.
    Cap(usize),
}

impl World {
    /// Writes the scenario's lines into the agenda and the streams.
    pub(super) fn script(&mut self) {
        let start_ms = self.start_ms;
        match self.scenario {
            Scenario::Quiet => {}
            Scenario::LaunchDay => {
                // Under way when the curtain rises: at start demand has doubled, six minutes later it is five times.
                let surge = Surge {
                    from_ms: start_ms - 2 * MINUTE_MS,
                    full_ms: start_ms + 6 * MINUTE_MS,
                    factor: 5.0,
                };
                for stream in &mut self.streams {
                    if matches!(stream.target, Target::Queue(_) | Target::Matchmaker(_)) {
                        stream.surge = Some(surge);
                    }
                }
                if let Some((region, alias, fleet)) = self.launch_repoint() {
                    self.agenda.note(
                        start_ms - 14 * MINUTE_MS,
                        Transition::Directive(Directive::Repoint(region, alias, fleet)),
                    );
                }
                self.agenda
                    .note(start_ms - 25 * MINUTE_MS, Transition::Directive(Directive::UpdateScript(0, 0)));
            }
            Scenario::CappedFleet => {
                let surge = Surge {
                    from_ms: start_ms - 40 * MINUTE_MS,
                    full_ms: start_ms - 15 * MINUTE_MS,
                    factor: 2.2,
                };
                for stream in &mut self.streams {
                    let region = match stream.target {
                        Target::Queue(queue) => self.queues[queue].region,
                        Target::Matchmaker(matchmaker) => self.matchmakers[matchmaker].region,
                        Target::Fleet(..) => continue,
                    };
                    if region == 0 {
                        stream.surge = Some(surge);
                    }
                }
                let elastic = |fleet: &super::Fleet| fleet.region == 0 && !fleet.is_container();
                for (index, _) in self.fleets.iter().enumerate().filter(|(_, fleet)| elastic(fleet)) {
                    self.agenda.note(start_ms - 40 * MINUTE_MS, Transition::Directive(Directive::Cap(index)));
                }
            }
        }
    }

    /// The live alias of the first region, and the newer fleet it is to lead to.
    fn launch_repoint(&self) -> Option<(usize, usize, usize)> {
        let alias = self.regions.first()?.aliases.iter().position(|alias| alias.name == "arena-live-eu")?;
        let fleet = self.fleets.iter().position(|fleet| fleet.name == "arena-prod-eu-green")?;
        Some((0, alias, fleet))
    }

    pub(super) fn follow(&mut self, directive: Directive) {
        let now_ms = self.now_ms;
        match directive {
            Directive::Repoint(region, alias, fleet) => {
                let fleet_id = self.fleets[fleet].id.clone();
                if let Some(alias) = self.regions[region].aliases.get_mut(alias) {
                    alias.routing_strategy = RoutingStrategy::Simple { fleet_id };
                    alias.last_updated_time_ms = now_ms;
                }
            }
            Directive::UpdateScript(region, script) => {
                if let Some(script) = self.regions[region].scripts.get_mut(script) {
                    script.version = "1.9.0".to_owned();
                    script.size_on_disk_bytes += 4_812;
                }
            }
            Directive::Cap(fleet) => {
                for site in 0..self.fleets[fleet].sites.len() {
                    let place = &self.fleets[fleet].sites[site];
                    let (minimum, maximum) = (place.minimum, place.requested.max(place.minimum));
                    self.set_limits(fleet, site, minimum, maximum);
                }
            }
        }
    }
}
