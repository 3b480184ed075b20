//! Kills the program while it changes something. Every call that reached the world was recorded first, and was sent
//! once.

use std::collections::BTreeSet;

use liftdeck_tests::program::Group;
use serde_json::Value;

use crate::place::Place;
use crate::{Scene, Tally};

/// Checks the number of calls against the number requested and the number recorded.
fn hold(place: &Place, tally: &Tally, operation: &str, wanted: u64) {
    let calls = place.calls(operation);
    let recorded = place.look(&place.db, tally).map_or(0, |looked| {
        looked.count(&format!("SELECT count(*) FROM activity WHERE operation = '{operation}'"))
    });
    let twice = calls.saturating_sub(wanted);
    Tally::add(&tally.twice, twice);
    assert_eq!(twice, 0, "{operation}: {wanted} were asked for and {calls} sent");
    assert!(recorded >= calls, "{operation}: {calls} reached the world, {recorded} are on record");
}

/// Returns the recorded attempts at an operation with their resources and outcomes, the newest last.
fn outcomes(place: &Place, tally: &Tally, operation: &str) -> Vec<(String, String)> {
    let attempts = format!(
        "SELECT resource, outcome FROM activity WHERE operation = '{operation}' ORDER BY activity_key"
    );
    place.look(&place.db, tally).map_or_else(Vec::new, |looked| looked.pairs(&attempts))
}

/// Ends game sessions in bulk.
#[derive(Default)]
pub(crate) struct Terminate {
    /// Every game session named so far.
    named: BTreeSet<String>,
}

impl Terminate {
    const MANY: usize = 6;

    /// Returns active game sessions that have not been named yet.
    fn fresh(&self, place: &Place) -> Vec<String> {
        place.simulation.until("game sessions that nobody ended", || {
            let sessions = place.truth("GameSessions").into_iter();
            let active = sessions.filter(|session| session["Status"] == "ACTIVE");
            let id = |session: Value| session["GameSessionId"].as_str().unwrap_or_default().to_owned();
            let mut fresh: Vec<String> = active.map(id).filter(|id| !self.named.contains(id)).collect();
            fresh.truncate(Self::MANY);
            (fresh.len() == Self::MANY).then_some(fresh)
        })
    }
}

impl Scene for Terminate {
    fn name(&self) -> &'static str {
        "a bulk termination"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        let fresh = self.fresh(place);
        let mut words = vec!["session", "terminate", "--force", "--yes", "--no-wait"];
        words.extend(fresh.iter().map(String::as_str));
        let begun = place.start(&words, &place.db);
        self.named.extend(fresh);
        begun
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        hold(place, tally, "TerminateGameSession", self.named.len() as u64);
    }

    fn close(&mut self, place: &mut Place, tally: &Tally) {
        self.hold(place, tally);
        let active: BTreeSet<String> = place
            .truth("GameSessions")
            .iter()
            .filter(|session| session["Status"] == "ACTIVE")
            .filter_map(|session| session["GameSessionId"].as_str().map(str::to_owned))
            .collect();
        for (session, outcome) in outcomes(place, tally, "TerminateGameSession") {
            assert!(outcome != "done" || !active.contains(&session), "{session} is said to have ended");
        }
    }
}

/// Points an alias at another fleet.
pub(crate) struct Repoint {
    alias: String,
    fleets: [String; 2],
    asked: usize,
}

impl Repoint {
    pub(crate) fn of(place: &Place) -> Self {
        let [one, other] = fleets(place);
        let aliases = place.truth("Aliases");
        let alias = aliases[0]["AliasId"].as_str().expect("an alias").to_owned();
        Self { alias, fleets: [one, other], asked: 0 }
    }
}

impl Scene for Repoint {
    fn name(&self) -> &'static str {
        "a repoint"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        let leads = |alias: &Value| {
            (alias["AliasId"] == *self.alias).then(|| alias["RoutingStrategy"]["FleetId"].clone())
        };
        let to = place.truth("Aliases").iter().find_map(leads);
        let to = if to == Some(self.fleets[0].as_str().into()) { &self.fleets[1] } else { &self.fleets[0] };
        self.asked += 1;
        let words = ["alias", "repoint", &self.alias, "--fleet", to, "--yes", "--no-wait"];
        place.start(&words, &place.db)
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        hold(place, tally, "UpdateAlias", self.asked as u64);
    }
}

/// Changes the capacity of a fleet.
pub(crate) struct Capacity {
    fleet: String,
    asked: u32,
    /// The maximum that each recorded attempt asked for.
    recorded: Vec<u64>,
}

impl Capacity {
    /// Higher than the maximum of any fleet in the world.
    const FROM: u32 = 60;

    pub(crate) fn of(place: &Place) -> Self {
        let [_, fleet] = fleets(place);
        Self { fleet, asked: 0, recorded: Vec::new() }
    }
}

impl Scene for Capacity {
    fn name(&self) -> &'static str {
        "a change of capacity"
    }

    fn begin(&mut self, place: &mut Place) -> Group {
        self.asked += 1;
        // Cycles through a few values, so that it never exceeds the account's limit.
        let most = (Self::FROM + self.asked % 7).to_string();
        let words = ["fleet", "capacity", &self.fleet, "--max", &most, "--yes", "--no-wait"];
        place.start(&words, &place.db)
    }

    fn hold(&mut self, place: &mut Place, tally: &Tally) {
        hold(place, tally, "UpdateFleetCapacity", u64::from(self.asked));
        let most = |fleet: &Value| {
            (fleet["FleetId"] == *self.fleet && fleet["Location"] == *place.region)
                .then(|| fleet["InstanceCounts"]["MAXIMUM"].as_u64())
        };
        let attempts = outcomes(place, tally, "UpdateFleetCapacity");
        if attempts.len() > self.recorded.len() {
            self.recorded.push(u64::from(Self::FROM + self.asked % 7));
        }
        assert_eq!(attempts.len(), self.recorded.len(), "one command is one attempt at most");
        if let (Some((_, outcome)), Some(wanted)) = (attempts.last(), self.recorded.last())
            && outcome == "done"
        {
            let now = place.truth("FleetCapacity").iter().find_map(most).flatten();
            assert_eq!(now, Some(*wanted), "this is said to be done");
        }
    }
}

/// Returns two ACTIVE fleets of the Region that run a build.
fn fleets(place: &Place) -> [String; 2] {
    let fleets = place.truth("Fleets").into_iter();
    let fit = fleets.filter(|fleet| {
        fleet["Status"] == "ACTIVE" && fleet["BuildId"].is_string() && fleet["ComputeType"] != "ANYWHERE"
    });
    let mut ids = fit.filter_map(|fleet| fleet["FleetId"].as_str().map(str::to_owned));
    [ids.next().expect("a fleet"), ids.next().expect("another fleet")]
}
