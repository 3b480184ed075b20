//! What a file tells, as titled tables and lists: the same for every form.

use std::borrow::Cow;
use std::collections::BTreeSet;

use liftdeck_insight::difference::{Comparison, Differences};
use liftdeck_insight::incident::{CauseFact, EvidenceLine, HitNoun, Incident, Speaks};
use liftdeck_insight::offer::Offered;
use liftdeck_insight::verdict::Strength;
use liftdeck_insight::words::counted;
use liftdeck_model::Timestamp;
use liftdeck_model::alert::AlertState;
use liftdeck_model::visible::visible;
use liftdeck_store::reader::hit_player::{HitBy, HitPlayer};
use serde::Serialize;

/// An incident with its lists.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Story {
    /// The incident.
    pub incident: Incident,
    /// What is different about what failed; `None` where nothing can be compared.
    pub differences: Option<Differences>,
    /// What is different in a span, against the rest of the time; `None` where nothing can be compared.
    pub apart: Option<Differences>,
    /// Players hit, those hit last first.
    pub players: Vec<HitPlayer>,
    /// How many players there are.
    pub players_total: u64,
    /// The timeline, newest first.
    pub timeline: Vec<EvidenceLine>,
    /// How many lines it has.
    pub timeline_total: u64,
    /// The connection it was read from.
    pub connection: String,
}

/// The title of what was changed in a span before the first failure.
pub(crate) const CHANGED_BEFORE: &str = "Changed before the first failure";

/// A table.
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) head: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
    /// What the table leaves out, if it does.
    pub(crate) note: Option<String>,
}

/// A likely cause.
pub(crate) struct Cause {
    pub(crate) heading: String,
    pub(crate) text: String,
    pub(crate) facts: Vec<String>,
}

/// A text of the world, with what cannot be seen made visible.
pub(crate) fn seen(text: &str) -> String {
    match visible(text) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text,
    }
}

fn at(moment: Timestamp) -> String {
    moment.in_utc()
}

impl Story {
    pub(crate) fn title(&self) -> String {
        seen(&self.incident.title)
    }

    /// The facts at the head, as name and value.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let incident = &self.incident;
        let mut facts = vec![("Since", at(incident.since))];
        facts.push(("Until", incident.until.map_or_else(|| "goes on".to_owned(), at)));
        if let Some(alert) = &incident.alert {
            let state = match alert.state {
                AlertState::Pending => "pending",
                AlertState::Firing => "firing",
                AlertState::Recovering => "recovering",
                AlertState::Resolved => "over",
            };
            let state = match alert.unknown_since {
                Some(since) => format!("unknown since {}", at(since)),
                None => state.to_owned(),
            };
            facts.push(("State", state));
            facts.push(("Severity", <&str>::from(alert.severity).to_owned()));
            let owner = alert.acknowledged.as_ref().map(|ack| format!("{}, {}", seen(&ack.by), at(ack.at)));
            facts.push(("Owner", owner.unwrap_or_else(|| "nobody".to_owned())));
            let rule = incident.rule.as_ref().map_or(alert.rule.as_str(), |rule| rule.text.as_str());
            facts.push(("Alert rule", seen(rule)));
            facts.push(("Alert", seen(alert.id.as_str())));
        }
        let fleets: Vec<String> = incident.fleets.iter().map(|fleet| seen(&fleet.name)).collect();
        if !fleets.is_empty() {
            facts.push(("Fleets", fleets.join(", ")));
        }
        let regions: Vec<&str> = incident.regions.iter().map(AsRef::as_ref).collect();
        if !regions.is_empty() {
            facts.push(("Regions", seen(&regions.join(", "))));
        }
        let data = incident
            .freshness
            .as_of
            .map_or_else(|| "of unknown age".to_owned(), |of| format!("as of {}", at(of)));
        let gaps = match incident.gaps.len() {
            0 => "no gaps".to_owned(),
            1 => "1 gap".to_owned(),
            more => format!("{more} gaps"),
        };
        facts.push(("Data", format!("{data}, {gaps}")));
        facts.push(("Connection", seen(&self.connection)));
        facts.push(("Written", at(incident.at)));
        facts
    }

    pub(crate) fn detail(&self) -> Option<String> {
        (!self.incident.detail.is_empty()).then(|| seen(&self.incident.detail))
    }

    /// Whom it hit, a sentence a line.
    pub(crate) fn who(&self) -> Vec<String> {
        let who = &self.incident.who;
        let (one, more) = match who.noun {
            HitNoun::GameSessions => ("game session", "game sessions"),
            HitNoun::Placements => ("placement", "placements"),
            HitNoun::Tickets => ("ticket", "tickets"),
            HitNoun::Reservations => ("reservation", "reservations"),
            HitNoun::Unheard => {
                return vec![
                    "No event queue listens in this Region: what became of placements and tickets is not known."
                        .to_owned(),
                ];
            }
            HitNoun::Nothing => {
                return vec![
                    "No failed session, placement or ticket belongs to this trouble, so nobody can be named."
                        .to_owned(),
                ];
            }
        };
        let least = if who.is_exact { "" } else { "at least " };
        let mut lines = vec![match who.of {
            Some(of) => format!("{least}{} of {}", who.count, counted(of, one, more)),
            None => format!("{least}{}", counted(who.count, one, more)),
        }];
        match who.players {
            None if who.noun == HitNoun::GameSessions => {
                lines.push("Their players were not read.".to_owned());
            }
            None if who.noun == HitNoun::Placements => {
                lines.push("GameLift does not say which players they were for.".to_owned());
            }
            None if who.noun == HitNoun::Tickets => {
                lines.push("Their events named no player.".to_owned());
            }
            None => {}
            Some(players) => {
                let share = who.region.as_ref().filter(|region| region.players > 0).map(|region| {
                    let percent = players as f64 / region.players as f64 * 100.0;
                    format!(", {percent:.0} % of {} in {}", region.players, seen(region.region.as_str()))
                });
                lines.push(format!(
                    "{} {}, {}{}",
                    counted(players, "player", "players"),
                    who.noun.of_players(),
                    counted(who.times, "time", "times"),
                    share.unwrap_or_default()
                ));
            }
        }
        if who.players.is_some() && who.unread > 0 {
            let sessions = counted(who.unread, "game session", "game sessions");
            lines.push(format!("not counted: the players of {sessions}, not read"));
        }
        if let Some(playing) = who.playing {
            lines.push(format!(
                "{} {} elsewhere, {} here again, {} offline",
                playing.elsewhere,
                if self.incident.until.is_some() { "played" } else { "play" },
                playing.here_again,
                playing.offline
            ));
        }
        if let Some(left) = who.remaining.filter(|left| left.game_sessions > 0) {
            let players = counted(left.players, "player", "players");
            let sessions = counted(left.game_sessions, "game session", "game sessions");
            lines.push(format!("{players} in {sessions} still there"));
        }
        lines
    }

    pub(crate) fn causes(&self) -> Vec<Cause> {
        let causes = &self.incident.causes;
        let alerts: BTreeSet<_> = causes.iter().flat_map(|one| &one.alerts).map(|alert| &alert.id).collect();
        let names_alerts = alerts.len() > 1;
        let strength = |strength| match strength {
            Strength::Weak => "weak",
            Strength::Fair => "fair",
            Strength::Strong => "strong",
        };
        let one = |cause: &liftdeck_insight::incident::CauseStory| Cause {
            heading: format!("{} ({})", seen(&cause.heading), strength(cause.strength)),
            text: match cause.at {
                Some(moment) => format!("{}, {}", seen(&cause.text), at(moment)),
                None => seen(&cause.text),
            },
            facts: cause
                .alerts
                .iter()
                .filter(|_| names_alerts)
                .map(|alert| format!("of the alert: {}", seen(&alert.title)))
                .chain(cause.proofs.iter().map(fact))
                .collect(),
        };
        causes.iter().map(one).collect()
    }

    /// What was changed in a span before the first failure, a sentence a line.
    pub(crate) fn changed_before(&self) -> Vec<String> {
        let line = |line: &EvidenceLine| format!("{}, {}", seen(&line.text), at(line.at));
        self.incident.changed_before.iter().map(line).collect()
    }

    pub(crate) fn ruled_out(&self) -> Vec<String> {
        self.incident.ruled_out.iter().map(|fact| seen(&fact.text)).collect()
    }

    /// What is offered: a sentence, its facts, and the commands.
    pub(crate) fn offered(&self) -> Option<(String, Table, Vec<String>)> {
        let none =
            |title: &str| Table { title: title.to_owned(), head: Vec::new(), rows: Vec::new(), note: None };
        match self.incident.offered.as_ref()? {
            Offered::Look(text) => Some((seen(text), none("What to look at"), Vec::new())),
            Offered::Change(offer) => {
                let row = |fact: &liftdeck_insight::offer::OfferFact| {
                    vec![seen(&fact.label), seen(&fact.before), seen(&fact.after)]
                };
                let table = Table {
                    head: vec!["What", "Now", "Then"],
                    rows: offer.facts.iter().map(row).collect(),
                    ..none("Offered action")
                };
                let text = format!("{}. {}", seen(&offer.title), seen(&offer.why));
                Some((text, table, offer.commands.iter().map(|command| seen(command)).collect()))
            }
        }
    }

    pub(crate) fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        for (found, what) in
            [(&self.differences, "What is different"), (&self.apart, "What is different in this time")]
        {
            let Some(found) = found else { continue };
            let all = format!("{what}, of {} compared", found.whole.all);
            let note = (!found.note.is_empty()).then(|| seen(&found.note));
            tables.extend(different(&found.whole, all).map(|table| Table { note, ..table }));
            if let (Some(within), Some(first)) = (&found.within, found.whole.groups.first()) {
                let title = format!("Within {} {}", seen(&first.first.name), seen(&first.first.label));
                tables.extend(different(within, title));
            }
        }
        let here = &self.incident.who.locations;
        if !here.is_empty() {
            let row = |one: &liftdeck_insight::incident::HitHere| {
                let players = self
                    .incident
                    .who
                    .players
                    .map_or_else(|| "not read".to_owned(), |_| one.players.to_string());
                vec![seen(one.location.as_str()), players, one.game_sessions.to_string()]
            };
            let rows = here.iter().map(row).collect();
            let head = vec!["Location", "Players", "Game sessions"];
            tables.push(Table { title: "By location".to_owned(), head, rows, note: None });
        }
        if !self.players.is_empty() {
            tables.push(self.player_table());
        }
        tables.push(self.timeline_table());
        tables
    }

    fn player_table(&self) -> Table {
        let noun = self.incident.who.noun;
        let row = |one: &HitPlayer| {
            let last = match &one.by {
                HitBy::GameSession { address, .. } => address.as_deref().unwrap_or("–"),
                HitBy::Ticket { ticket_id } => ticket_id.as_str(),
            };
            vec![
                seen(one.player_id.as_str()),
                at(one.at),
                one.times.to_string(),
                seen(last),
                one.playing
                    .as_ref()
                    .map_or_else(|| "in no game session".to_owned(), |place| seen(&place.fleet_name)),
            ]
        };
        let (hit, last) = match noun {
            HitNoun::Tickets | HitNoun::Placements => ("Failed", "Last ticket"),
            HitNoun::Reservations => ("Reserved", "Endpoint"),
            _ => ("Cut off", "Last endpoint"),
        };
        let then = if self.incident.until.is_some() { "At its end" } else { "Now" };
        Table {
            title: format!("Players {}", noun.of_players()),
            head: vec!["Player", hit, "Times", last, then],
            rows: self.players.iter().map(row).collect(),
            note: more(self.players.len(), self.players_total, "players"),
        }
    }

    fn timeline_table(&self) -> Table {
        let row = |line: &EvidenceLine| {
            let by = line.by.as_deref().map(seen).unwrap_or_default();
            let cause = if line.is_cause { " (likely cause)" } else { "" };
            vec![at(line.at), format!("{}{cause}", seen(&line.text)), by]
        };
        Table {
            title: "Timeline, newest first".to_owned(),
            head: vec!["When", "What", "Who"],
            rows: self.timeline.iter().map(row).collect(),
            note: more(self.timeline.len(), self.timeline_total, "lines"),
        }
    }
}

fn fact(fact: &CauseFact) -> String {
    let speaks = match fact.speaks {
        Speaks::For => "for",
        Speaks::Against => "against",
        Speaks::Neither => "neither",
    };
    format!("{speaks}: {}", seen(&fact.text))
}

fn more(shown: usize, total: u64, noun: &str) -> Option<String> {
    let left = total.saturating_sub(shown as u64);
    (left > 0).then(|| format!("{left} more {noun} are left out."))
}

fn different(found: &Comparison, title: String) -> Option<Table> {
    let rows: Vec<Vec<String>> = found
        .groups
        .iter()
        .map(|group| {
            let one = &group.first;
            let same: Vec<String> = group
                .same
                .iter()
                .map(|same| format!(" = {} {}", seen(&same.name), seen(&same.label)))
                .collect();
            let times = match one.lift {
                None => "only here".to_owned(),
                Some(lift) => format!("{lift:.1}×"),
            };
            let times = if one.is_significant { times } else { format!("{times}, too few to tell") };
            vec![
                format!("{} {}{}", seen(&one.name), seen(&one.label), same.concat()),
                format!("{} of {}", one.bad_in, one.all_in),
                format!("{} of {}", one.bad_out, one.all_out),
                times,
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title,
        head: vec!["Value", "With it", "Without it", "Times"],
        rows,
        note: None,
    })
}
