//! Rules of one's own as text: what each looks for, and what it found.

use liftdeck_model::custom_rule::{Compare, CustomRule, MetricSubject, QueryPer, RelativeTo, Watched};
use liftdeck_model::series_name::{FigureUnit, SeriesName};
use liftdeck_model::time::in_words;

use crate::custom::CustomTried;

/// What a rule found: a title and the detail behind it. `subject` is empty for everything at once.
pub(crate) fn found(rule: &CustomRule, subject: &str, value: f64) -> (String, String) {
    let title = match &rule.watched {
        Watched::Metric { figure, relative, over_minutes, .. } => {
            let share = relative.map(|relative| format!(" {}", of_size(relative))).unwrap_or_default();
            let over = over(*figure, *over_minutes);
            format!("{}: {figure:?} of {subject} is {}{share}{over}", rule.name, amount(rule, value))
        }
        Watched::Query { share_of, .. } => {
            let at = if subject.is_empty() { String::new() } else { format!(" on {subject}") };
            match share_of {
                Some(_) => format!("{}: {} of game sessions{at}", rule.name, amount(rule, value)),
                None => {
                    let noun = if (value - 1.0).abs() < 0.5 { "game session" } else { "game sessions" };
                    format!("{}: {} {noun}{at}", rule.name, amount(rule, value))
                }
            }
        }
    };
    let limits = limits(rule);
    let detail = match &rule.watched {
        Watched::Metric { .. } => limits,
        Watched::Query { query, share_of: None, .. } => format!("{} · {limits}", query.trim()),
        Watched::Query { query, share_of: Some(all), .. } => {
            let all = if all.trim().is_empty() { "the live ones" } else { all.trim() };
            format!("{} out of {all} · {limits}", query.trim())
        }
    };
    (title, detail)
}

/// What a rule looks for, as one sentence without its end. `fleet` names the fleet it is about.
pub(crate) fn looks_for(rule: &CustomRule, fleet: Option<&str>) -> String {
    let compare = match rule.compare {
        Compare::Above => "above",
        Compare::Below => "below",
    };
    let limit = amount(rule, rule.raise);
    match &rule.watched {
        Watched::Metric { figure, of, relative, over_minutes } => {
            let of = match of {
                MetricSubject::EachFleet => "a fleet".to_owned(),
                MetricSubject::Fleet { fleet_id, location } => {
                    let name = fleet.unwrap_or(fleet_id.as_str());
                    location.as_ref().map_or_else(|| name.to_owned(), |here| format!("{name} in {here}"))
                }
                MetricSubject::Queue { name, .. } => format!("queue {name}"),
                MetricSubject::Configuration { name, .. } => format!("matchmaking configuration {name}"),
            };
            let share = relative.map(|relative| format!(" {}", of_size(relative))).unwrap_or_default();
            let over = over(*figure, *over_minutes);
            format!("{figure:?} of {of} is {compare} {limit}{share}{over}")
        }
        Watched::Query { query, per, share_of } => {
            let per = match per {
                QueryPer::All => "",
                QueryPer::Fleet => " of a fleet",
                QueryPer::Location => " of a location",
            };
            let what =
                if share_of.is_some() { "the share of game sessions" } else { "the number of game sessions" };
            format!("{what}{per} with {} is {compare} {limit}", query.trim())
        }
    }
}

/// When a rule fires and when it is over.
pub(crate) fn limits(rule: &CustomRule) -> String {
    let (raise, clear) = (amount(rule, rule.raise), amount(rule, rule.clear));
    match rule.compare {
        Compare::Above => format!("fires above {raise}, over at {clear} or less"),
        Compare::Below => format!("fires below {raise}, over at {clear} or more"),
    }
}

/// What a rule would have done.
pub(crate) fn tried(tried: &CustomTried) -> String {
    let asked = in_words(tried.range.length_ms());
    if tried.subjects == 0 {
        return format!("There is no data of the last {asked} that it could be tried on.");
    }
    let fired = match tried.fired {
        0 => format!("It would not have fired in the last {asked}"),
        1 => format!("It would have fired once in the last {asked}"),
        more => format!("It would have fired {more} times in the last {asked}"),
    };
    let longest = tried.longest_ms.map(|ms| match tried.fired {
        1 => format!(", for {}", in_words(ms)),
        _ => format!(", the longest for {}", in_words(ms)),
    });
    let known = match tried.known_share {
        share if share >= 0.995 => " There is data of all of that time.".to_owned(),
        share if share < 0.01 => " There is data of less than 1 % of that time.".to_owned(),
        share => format!(" There is data of {:.0} % of that time.", (share * 100.0).min(99.0)),
    };
    let mut more = String::new();
    if tried.step_ms > 60_000 {
        more += &format!(" It was looked at every {}.", in_words(tried.step_ms));
    }
    if tried.looked.from > tried.range.from {
        let looked = in_words(tried.looked.length_ms());
        more += &format!(" Only the last {looked} were looked at: there was no time for more.");
    } else if !tried.is_whole {
        more += &format!(" Only {} were looked at: there was no time for more.", tried.subjects);
    }
    match tried.silent {
        0 => {}
        1 => more += " Of one more there is no data at all.",
        silent => more += &format!(" Of {silent} more there is no data at all."),
    }
    format!("{fired}{}.{known}{more}", longest.unwrap_or_default())
}

/// A value in the rule's unit.
pub(crate) fn amount(rule: &CustomRule, value: f64) -> String {
    if rule.is_percent() {
        return format!("{} %", short(value));
    }
    match &rule.watched {
        Watched::Query { .. } => short(value),
        Watched::Metric { figure, .. } => match figure.unit() {
            FigureUnit::Milliseconds if value >= 1_000.0 => format!("{} s", short(value / 1_000.0)),
            FigureUnit::Milliseconds => format!("{} ms", short(value)),
            FigureUnit::PerMinute => format!("{} a minute", short(value)),
            FigureUnit::Percent => format!("{} %", short(value)),
            FigureUnit::Count | FigureUnit::Total => short(value),
        },
    }
}

/// A number with one decimal, unless it is whole.
fn short(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded}")
}

const fn of_size(relative: RelativeTo) -> &'static str {
    match relative {
        RelativeTo::Maximum => "of its maximum",
        RelativeTo::Desired => "of its desired instances",
    }
}

fn over(figure: SeriesName, minutes: u32) -> String {
    let length = in_words(i64::from(minutes) * 60_000);
    match (figure.unit(), minutes) {
        (FigureUnit::Total, 1) => " in a minute".to_owned(),
        (FigureUnit::Total, _) => format!(" in {length}"),
        (_, 1) => String::new(),
        _ => format!(" over {length}"),
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Severity;

    use super::*;

    fn rule(watched: Watched) -> CustomRule {
        CustomRule {
            name: "Mine".to_owned(),
            watched,
            compare: Compare::Above,
            raise: 4.0,
            clear: 2.5,
            pending_ms: 0,
            severity: Severity::Warning,
            is_off: false,
        }
    }

    #[test]
    fn a_finding_names_the_rule_its_subject_the_figure_and_the_thresholds() {
        let of = MetricSubject::EachFleet;
        let watched = Watched::Metric {
            figure: SeriesName::InstanceSpotInterruptions,
            of,
            relative: None,
            over_minutes: 15,
        };
        let (title, detail) = found(&rule(watched.clone()), "arena", 7.0);
        assert_eq!(title, "Mine: InstanceSpotInterruptions of arena is 7 in 15 min 00 s");
        assert_eq!(detail, "fires above 4, over at 2.5 or less");
        let Watched::Metric { figure: _, of, .. } = watched else { return };
        let relative = Some(RelativeTo::Maximum);
        let figure = SeriesName::ActiveInstances;
        let share = rule(Watched::Metric { figure, of, relative, over_minutes: 1 });
        assert_eq!(
            found(&share, "arena", 33.333).0,
            "Mine: ActiveInstances of arena is 33.3 % of its maximum"
        );
        assert_eq!(looks_for(&share, None), "ActiveInstances of a fleet is above 4 % of its maximum");
    }

    #[test]
    fn a_query_says_how_many_it_selects_and_out_of_which() {
        let query = "players:0 status:active".to_owned();
        let watched = Watched::Query { query, per: QueryPer::All, share_of: None };
        let counted = rule(watched.clone());
        assert_eq!(found(&counted, "", 1.0).0, "Mine: 1 game session");
        let Watched::Query { query, .. } = watched else { return };
        let share = rule(Watched::Query { query, per: QueryPer::Fleet, share_of: Some(" ".to_owned()) });
        let (title, detail) = found(&share, "arena", 12.0);
        assert_eq!(title, "Mine: 12 % of game sessions on arena");
        assert!(
            detail.starts_with("players:0 status:active out of the live ones · fires above 4 %"),
            "{detail}"
        );
    }
}
