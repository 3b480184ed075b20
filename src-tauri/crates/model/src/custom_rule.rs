//! Rules of one's own: a figure or a number of game sessions, compared with thresholds.
//!
//! Owns the record, what is wrong with one, and when a value is beyond a threshold. Deliberately reads no figure and
//! keeps no course: `insight` finds values, `alerts` what becomes of them.

use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::action::FieldError;
use crate::alert_rule::LONGEST_PENDING_MS;
use crate::query::Query;
use crate::series_name::{FigureOf, FigureUnit, SeriesName};
use crate::{FleetId, Location, QueueName, Region, Severity, Timestamp};

/// Most rules of one's own that a database holds.
pub const MOST_RULES: usize = 100;
/// The longest name, in characters.
pub const LONGEST_NAME: usize = 64;
/// The longest time a figure is taken over, in minutes.
pub const LONGEST_OVER: u32 = 60;
/// What an alert's rule begins with if it is one of one's own, so that it is never taken for a ready-made one.
const PREFIX: &str = "own:";

/// A rule of one's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CustomRule {
    /// Its name, unlike that of every other.
    pub name: String,
    /// What it looks at.
    pub watched: Watched,
    /// On which side of its threshold a value is wrong.
    pub compare: Compare,
    /// A value beyond this is wrong. In the figure's unit, or a percentage (0 to 100) for a share.
    pub raise: f64,
    /// What was wrong is over once a value is back at this or further on the calm side.
    pub clear: f64,
    /// Milliseconds that it must be wrong before it fires, 0 to a day.
    pub pending_ms: i64,
    /// The severity of what fires, `Warning` or `Bad`.
    pub severity: Severity,
    /// Switched off: it is not looked for.
    pub is_off: bool,
}

/// What a rule looks at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Watched {
    /// A figure that is kept over time.
    Metric {
        /// The figure.
        figure: SeriesName,
        /// Of what.
        of: MetricSubject,
        /// As a percentage of this, if it counts instances.
        relative: Option<RelativeTo>,
        /// Over how many minutes it is taken, 1 to 60: the sum of what adds up, the mean of everything else.
        over_minutes: u32,
    },
    /// The number of game sessions that a query selects, among those that are live or ended in the last 24 hours.
    Query {
        /// The query.
        query: String,
        /// What is counted apart.
        per: QueryPer,
        /// As a percentage of the game sessions that this query selects; of the live ones if it is blank.
        share_of: Option<String>,
    },
}

/// Of what a figure is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MetricSubject {
    /// Each fleet of the connection.
    EachFleet,
    /// A fleet, or one of its locations.
    Fleet {
        /// The fleet.
        fleet_id: FleetId,
        /// Only this location.
        location: Option<Location>,
    },
    /// A queue.
    Queue {
        /// Its name.
        name: QueueName,
        /// Its Region.
        region: Region,
    },
    /// A matchmaking configuration.
    Configuration {
        /// Its name.
        name: String,
        /// Its Region.
        region: Region,
    },
}

/// What of a fleet's size a figure is a share of.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type, EnumString, IntoStaticStr, VariantNames,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum RelativeTo {
    /// Of the most instances that scaling may ask for.
    Maximum,
    /// Of the instances that are desired.
    Desired,
}

/// What a query counts apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum QueryPer {
    /// Nothing: all game sessions together.
    All,
    /// Each fleet.
    Fleet,
    /// Each location.
    Location,
}

/// On which side of its threshold a value is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Compare {
    /// Above.
    Above,
    /// Below.
    Below,
}

/// A rule of one's own with whose it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeptRule {
    /// The rule.
    pub rule: CustomRule,
    /// When it was saved.
    pub at: Timestamp,
    /// The name of the computer's user; empty if the system gave none.
    pub by: String,
}

impl CustomRule {
    /// The rule as alerts spell it.
    pub fn key(&self) -> String {
        Self::key_of(&self.name)
    }

    /// The rule of that name as alerts spell it.
    pub fn key_of(name: &str) -> String {
        format!("{PREFIX}{name}")
    }

    /// The name of the rule that an alert is of, if it is one of one's own.
    pub fn name_of(key: &str) -> Option<&str> {
        key.strip_prefix(PREFIX)
    }

    /// Whether two names are too alike to be told apart.
    pub fn is_same_name(one: &str, other: &str) -> bool {
        one.trim().to_lowercase() == other.trim().to_lowercase()
    }

    /// Whether a value begins to be wrong.
    pub fn raises(&self, value: f64) -> bool {
        match self.compare {
            Compare::Above => value > self.raise,
            Compare::Below => value < self.raise,
        }
    }

    /// Whether a value is back on the calm side.
    pub fn clears(&self, value: f64) -> bool {
        match self.compare {
            Compare::Above => value <= self.clear,
            Compare::Below => value >= self.clear,
        }
    }

    /// Whether its values are percentages, 0 to 100.
    pub const fn is_percent(&self) -> bool {
        match &self.watched {
            Watched::Metric { figure, relative, .. } => {
                relative.is_some() || matches!(figure.unit(), FigureUnit::Percent)
            }
            Watched::Query { share_of, .. } => share_of.is_some(),
        }
    }

    /// Everything that keeps it from being used, by field.
    ///
    /// # Errors
    /// When it has no name or too long a one, looks at what there is not, a query does not parse, a share means
    /// nothing, or its thresholds contradict each other.
    pub fn check(&self) -> Result<(), Vec<FieldError>> {
        let mut found = Vec::new();
        let mut wrong = |field: &str, message: String| {
            found.push(FieldError { field: field.to_owned(), message, is_missing: false });
        };
        let length = self.name.chars().count();
        if length == 0 || length > LONGEST_NAME {
            wrong("name", format!("A name has 1 to {LONGEST_NAME} characters."));
        } else if self.name.trim() != self.name || self.name.chars().any(char::is_control) {
            wrong("name", "A name is one line without blanks around it.".to_owned());
        }
        match &self.watched {
            Watched::Metric { figure, of, relative, over_minutes } => {
                if let Err(message) = check_subject(*figure, of) {
                    wrong("of", message);
                }
                if let Some(relative) = relative
                    && let Err(message) = check_relative(*figure, *relative)
                {
                    wrong("relative", message);
                }
                if !(1..=LONGEST_OVER).contains(over_minutes) {
                    wrong("overMinutes", format!("A figure is taken over 1 to {LONGEST_OVER} minutes."));
                }
            }
            Watched::Query { query, share_of, .. } => {
                if query.trim().is_empty() {
                    wrong(
                        "query",
                        "Say which game sessions to count, such as status:active players:0.".to_owned(),
                    );
                }
                for (field, text) in [("query", Some(query)), ("shareOf", share_of.as_ref())] {
                    if let Some(text) = text
                        && let Err(error) = Query::parse(text)
                    {
                        wrong(field, error.render(text));
                    }
                }
            }
        }
        self.check_thresholds(&mut wrong);
        if !(0..=LONGEST_PENDING_MS).contains(&self.pending_ms) {
            wrong("pendingMs", "A rule waits 0 minutes to 1 day before it fires.".to_owned());
        }
        if self.severity == Severity::Info {
            wrong("severity", "A rule fires as a warning or as bad.".to_owned());
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    fn check_thresholds(&self, wrong: &mut impl FnMut(&str, String)) {
        let limit = if self.is_percent() { 100.0 } else { 1e12 };
        for (field, value) in [("raise", self.raise), ("clear", self.clear)] {
            if !(0.0..=limit).contains(&value) {
                let message = match self.is_percent() {
                    true => "A percentage is 0 to 100.",
                    false => "A threshold is 0 or more.",
                };
                wrong(field, message.to_owned());
                return;
            }
        }
        let (raise, clear) = (self.raise, self.clear);
        match self.compare {
            Compare::Above if clear > raise => wrong(
                "clear",
                format!("A rule that fires above {raise} is over at {raise} or less, not at {clear}."),
            ),
            Compare::Below if clear < raise => wrong(
                "clear",
                format!("A rule that fires below {raise} is over at {raise} or more, not at {clear}."),
            ),
            Compare::Below if raise <= 0.0 => {
                wrong("raise", "Nothing is below 0: it would never fire.".to_owned());
            }
            Compare::Above if self.is_percent() && raise >= 100.0 && self.is_part() => {
                wrong("raise", "Nothing is above 100 %: it would never fire.".to_owned());
            }
            _ => {}
        }
    }

    /// Whether its percentage can never be above 100.
    const fn is_part(&self) -> bool {
        match &self.watched {
            Watched::Metric { relative, .. } => relative.is_none(),
            Watched::Query { .. } => true,
        }
    }
}

fn check_subject(figure: SeriesName, of: &MetricSubject) -> Result<(), String> {
    let given = match of {
        MetricSubject::EachFleet | MetricSubject::Fleet { .. } => FigureOf::Fleet,
        MetricSubject::Queue { .. } => FigureOf::Queue,
        MetricSubject::Configuration { .. } => FigureOf::Configuration,
    };
    if figure == SeriesName::PolicyTarget {
        return Err("PolicyTarget is what a policy is set to, not what a fleet has.".to_owned());
    }
    if figure.of() == given {
        return Ok(());
    }
    let what = match figure.of() {
        FigureOf::Fleet => "a fleet",
        FigureOf::Queue => "a queue",
        FigureOf::Configuration => "a matchmaking configuration",
    };
    Err(format!("{figure:?} is a figure of {what}."))
}

fn check_relative(figure: SeriesName, relative: RelativeTo) -> Result<(), String> {
    if !figure.counts_instances() {
        return Err(format!("{figure:?} counts no instances, so it is no share of a fleet’s size."));
    }
    if figure == SeriesName::DesiredInstances && relative == RelativeTo::Desired {
        return Err("The desired instances are always all of the desired instances.".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> CustomRule {
        CustomRule {
            name: "Few instances".to_owned(),
            watched: Watched::Metric {
                figure: SeriesName::ActiveInstances,
                of: MetricSubject::EachFleet,
                relative: None,
                over_minutes: 1,
            },
            compare: Compare::Below,
            raise: 4.0,
            clear: 6.0,
            pending_ms: 60_000,
            severity: Severity::Warning,
            is_off: false,
        }
    }

    fn fields(rule: &CustomRule) -> Vec<String> {
        let found = rule.check().err().unwrap_or_default();
        found.into_iter().map(|error| error.field).collect()
    }

    fn query(text: &str, share_of: Option<&str>) -> CustomRule {
        let share_of = share_of.map(str::to_owned);
        let watched = Watched::Query { query: text.to_owned(), per: QueryPer::Fleet, share_of };
        CustomRule { watched, raise: 50.0, clear: 60.0, ..rule() }
    }

    #[test]
    fn between_its_thresholds_a_value_neither_begins_nor_ends_anything() {
        let below = rule();
        assert_eq!([3.0, 4.0, 5.0, 6.0].map(|value| below.raises(value)), [true, false, false, false]);
        assert_eq!([3.0, 4.0, 5.0, 6.0].map(|value| below.clears(value)), [false, false, false, true]);
        let above = CustomRule { compare: Compare::Above, raise: 6.0, clear: 4.0, ..rule() };
        assert_eq!([4.0, 5.0, 6.0, 7.0].map(|value| above.raises(value)), [false, false, false, true]);
        assert_eq!([4.0, 5.0, 6.0, 7.0].map(|value| above.clears(value)), [true, false, false, false]);
    }

    #[test]
    fn thresholds_that_contradict_each_other_are_refused() {
        assert_eq!(fields(&rule()), Vec::<String>::new());
        assert_eq!(fields(&CustomRule { clear: 3.0, ..rule() }), ["clear"]);
        assert_eq!(fields(&CustomRule { compare: Compare::Above, ..rule() }), ["clear"]);
        assert_eq!(fields(&CustomRule { raise: f64::NAN, ..rule() }), ["raise"]);
        assert_eq!(fields(&CustomRule { raise: 0.0, ..rule() }), ["raise"]);
        assert_eq!(fields(&CustomRule { clear: 101.0, ..query("status:active", Some("")) }), ["clear"]);
    }

    #[test]
    fn a_name_is_one_short_line() {
        for name in ["", " padded", "two\nlines", &"x".repeat(65)] {
            assert_eq!(fields(&CustomRule { name: name.to_owned(), ..rule() }), ["name"], "{name}");
        }
        assert_eq!(fields(&CustomRule { name: "ü".repeat(64), ..rule() }), Vec::<String>::new());
        assert_eq!(CustomRule::name_of(&rule().key()), Some("Few instances"));
        assert_eq!(CustomRule::name_of("capped"), None);
    }

    #[test]
    fn a_query_that_does_not_parse_is_refused_with_its_place() {
        let found = query("players>=many", None).check().unwrap_err();
        assert_eq!(found[0].field, "query");
        assert!(found[0].message.contains("^^^^"), "{}", found[0].message);
        assert_eq!(fields(&query(" ", None)), ["query"]);
        assert_eq!(fields(&query("status:active", Some("statas:x"))), ["shareOf"]);
        assert_eq!(fields(&query("players:0", Some(""))), Vec::<String>::new());
    }

    #[test]
    fn a_figure_belongs_to_its_subject_and_only_instances_are_a_share_of_a_size() {
        let metric = |figure, of, relative| CustomRule {
            watched: Watched::Metric { figure, of, relative, over_minutes: 1 },
            ..rule()
        };
        let queue = || MetricSubject::Queue { name: "arena".into(), region: "eu-west-1".into() };
        use SeriesName as N;
        assert_eq!(fields(&metric(N::ActiveInstances, queue(), None)), ["of"]);
        assert_eq!(fields(&metric(N::QueueDepth, queue(), None)), Vec::<String>::new());
        let share = Some(RelativeTo::Desired);
        assert_eq!(
            fields(&metric(N::ActiveInstances, MetricSubject::EachFleet, share)),
            Vec::<String>::new()
        );
        for figure in [N::CurrentPlayerSessions, N::DesiredInstances] {
            assert_eq!(fields(&metric(figure, MetricSubject::EachFleet, share)), ["relative"]);
        }
    }
}
