//! Property expressions of rule sets: how they are read, and their value for the players of a match.
//!
//! `teams[red].players.attributes[skill]`, `avg(flatten(teams[*].players.attributes[skill]))` and the like.

use super::super::super::records::AttributeValue;
use super::Side;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(f64),
    Text(String),
    /// A property of the players of teams.
    Players {
        teams: Teams,
        of: Property,
    },
    /// A function applied to one expression.
    Call(Function, Box<Expression>),
}

/// The teams that an expression selects.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Teams {
    All,
    /// By the name in the rule set, which covers every team of a quantity.
    Named(Vec<String>),
}

/// The property of a player that an expression reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Property {
    Id,
    Attribute(String),
}

/// A function of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Avg,
    Count,
    Flatten,
    Max,
    Median,
    Min,
    SetIntersection,
    Stddev,
    Sum,
}

const FUNCTIONS: [(&str, Function); 9] = [
    ("avg", Function::Avg),
    ("count", Function::Count),
    ("flatten", Function::Flatten),
    ("max", Function::Max),
    ("median", Function::Median),
    ("min", Function::Min),
    ("set_intersection", Function::SetIntersection),
    ("stddev", Function::Stddev),
    ("sum", Function::Sum),
];

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    Number(f64),
    Text(String),
    List(Vec<Outcome>),
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// A description of the problem, for people to read.
    pub(super) fn read(text: &str) -> Result<Expression, String> {
        let text = text.trim();
        if let Ok(number) = text.parse() {
            return Ok(Expression::Number(number));
        }
        if text.starts_with("teams") || text.starts_with("players") {
            return read_path(text);
        }
        if let Some((name, rest)) = text.split_once('(') {
            let inner = rest.strip_suffix(')').ok_or_else(|| format!("'{text}' has no closing bracket"))?;
            let known = FUNCTIONS.iter().find(|(known, _)| *known == name.trim());
            let (_, function) = known.ok_or_else(|| format!("there is no function '{}'", name.trim()))?;
            return Ok(Expression::Call(*function, Box::new(Expression::read(inner)?)));
        }
        if text.is_empty() {
            return Err("an expression is empty".to_owned());
        }
        Ok(Expression::Text(text.trim_matches('"').to_owned()))
    }

    /// Returns the teams and the attributes that the expression names.
    pub(super) fn names(&self) -> (Vec<&str>, Vec<&str>) {
        match self {
            Self::Number(_) | Self::Text(_) => (Vec::new(), Vec::new()),
            Self::Call(_, inner) => inner.names(),
            Self::Players { teams, of } => {
                let teams = match teams {
                    Teams::All => Vec::new(),
                    Teams::Named(names) => names.iter().map(String::as_str).collect(),
                };
                let attribute = match of {
                    Property::Attribute(name) => vec![name.as_str()],
                    Property::Id => Vec::new(),
                };
                (teams, attribute)
            }
        }
    }

    /// Whether it only counts, which gives no final value while a match is being formed.
    pub(super) fn counts(&self) -> bool {
        matches!(self, Self::Call(Function::Count, _))
    }

    /// Returns its value, or `None` while a team it needs is empty.
    pub(super) fn outcome(&self, sides: &[Side]) -> Option<Outcome> {
        match self {
            Self::Number(number) => Some(Outcome::Number(*number)),
            Self::Text(text) => Some(Outcome::Text(text.clone())),
            Self::Call(function, inner) => function.of(inner.outcome(sides)?),
            Self::Players { teams, of } => {
                let chosen = sides.iter().filter(|side| match teams {
                    Teams::All => true,
                    Teams::Named(names) => names.contains(&side.plan),
                });
                let mut lists: Vec<Outcome> = chosen.map(|side| Outcome::List(side.values(of))).collect();
                match teams {
                    Teams::Named(names) if names.len() == 1 && lists.len() == 1 => lists.pop(),
                    _ => Some(Outcome::List(lists)),
                }
            }
        }
    }
}

fn read_path(text: &str) -> Result<Expression, String> {
    let wrong = || format!("'{text}' is not a property expression");
    let (teams, rest) = match text.strip_prefix("teams[") {
        Some(rest) => {
            let (names, rest) = rest.split_once(']').ok_or_else(wrong)?;
            let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
            let all = names.iter().any(|name| name == "*");
            (if all { Teams::All } else { Teams::Named(names) }, rest.strip_prefix('.').ok_or_else(wrong)?)
        }
        None => (Teams::All, text),
    };
    let of = rest.strip_prefix("players").ok_or_else(wrong)?;
    let of = match of.strip_prefix(".attributes[") {
        Some(name) => Property::Attribute(name.strip_suffix(']').ok_or_else(wrong)?.trim().to_owned()),
        None if of.is_empty() || of == ".playerId" => Property::Id,
        None => return Err(wrong()),
    };
    Ok(Expression::Players { teams, of })
}

impl Side {
    fn values(&self, of: &Property) -> Vec<Outcome> {
        let values = self.players.iter().filter_map(|player| match of {
            Property::Id => Some(Outcome::Number(player.player.into())),
            Property::Attribute(name) => player.attribute(name).map(outcome_of),
        });
        values.collect()
    }
}

fn outcome_of(value: &AttributeValue) -> Outcome {
    match value {
        AttributeValue::Text(text) => Outcome::Text(text.clone()),
        AttributeValue::Number(number) => Outcome::Number(*number),
        AttributeValue::Texts(texts) => Outcome::List(texts.iter().cloned().map(Outcome::Text).collect()),
        AttributeValue::Numbers(numbers) => {
            Outcome::List(numbers.iter().map(|(_, number)| Outcome::Number(*number)).collect())
        }
    }
}

impl Function {
    fn of(self, value: Outcome) -> Option<Outcome> {
        let Outcome::List(items) = value else { return None };
        let nested = !items.is_empty() && items.iter().all(|item| matches!(item, Outcome::List(_)));
        match self {
            Self::Flatten => {
                let flat = items.into_iter().flat_map(|item| match item {
                    Outcome::List(inner) => inner,
                    other => vec![other],
                });
                Some(Outcome::List(flat.collect()))
            }
            Self::SetIntersection if nested => {
                let mut lists = items.into_iter().filter_map(|item| match item {
                    Outcome::List(inner) => Some(inner),
                    _ => None,
                });
                let first = lists.next()?;
                let common = lists.fold(first, |common, list| {
                    common.into_iter().filter(|item| list.contains(item)).collect()
                });
                Some(Outcome::List(common))
            }
            // In a list of lists, each inner list is reduced.
            _ if nested => {
                items.into_iter().map(|item| self.of(item)).collect::<Option<_>>().map(Outcome::List)
            }
            Self::Count => Some(Outcome::Number(items.len() as f64)),
            Self::SetIntersection => Some(Outcome::List(items)),
            _ => {
                let mut numbers: Vec<f64> = items.iter().filter_map(Outcome::number).collect();
                let count = numbers.len() as f64;
                if numbers.is_empty() || numbers.len() < items.len() {
                    return None;
                }
                let sum: f64 = numbers.iter().sum();
                let mean = sum / count;
                numbers.sort_by(f64::total_cmp);
                let (low, high) = (*numbers.first()?, *numbers.last()?);
                Some(Outcome::Number(match self {
                    Self::Sum => sum,
                    Self::Min => low,
                    Self::Max => high,
                    Self::Median => {
                        let middle = numbers.len() / 2;
                        let upper = *numbers.get(middle)?;
                        if numbers.len() % 2 == 1 {
                            upper
                        } else {
                            f64::midpoint(*numbers.get(middle - 1)?, upper)
                        }
                    }
                    Self::Stddev => {
                        let squares: f64 =
                            numbers.iter().map(|number| (number - mean) * (number - mean)).sum();
                        libm::sqrt(squares / count)
                    }
                    _ => mean,
                }))
            }
        }
    }
}

impl Outcome {
    /// Returns the number, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns every value in it, at any depth.
    pub(super) fn leaves(self) -> Vec<Outcome> {
        match self {
            Self::List(items) => items.into_iter().flat_map(Outcome::leaves).collect(),
            leaf => vec![leaf],
        }
    }
}
