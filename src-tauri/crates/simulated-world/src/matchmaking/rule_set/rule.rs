//! The rules of a rule set: how each kind is read, and whether it passes for the players of a match.

use serde_json::Value;

use super::Side;
use super::expression::{Expression, Outcome};

/// A rule with its name.
#[derive(Clone, Debug)]
pub(in crate::matchmaking) struct Rule {
    pub(in crate::matchmaking) name: String,
    pub(super) kind: Kind,
}

/// The kinds of rule.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Compares values with a reference, or with each other.
    Comparison { measurements: Vec<Expression>, operation: String, reference: Option<Expression> },
    /// Values lie within a distance of a reference.
    Distance { measurements: Vec<Expression>, reference: Expression, least: Option<f64>, most: Option<f64> },
    /// All players of a match are close to each other in an attribute.
    BatchDistance { attribute: String, least: Option<f64>, most: Option<f64> },
    /// At least one location is quick enough for everybody.
    Latency { most_ms: f64 },
    /// Counts what players have in common, or how often a value occurs.
    Collection {
        measurements: Vec<Expression>,
        contains: Option<Expression>,
        least: Option<f64>,
        most: Option<f64>,
    },
    /// An order in which tickets are considered; it rejects nobody.
    Order,
    /// Other rules combined by and, or, not and xor.
    Compound(Statement),
}

/// A statement about other rules.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Rule(String),
    Join(String, Vec<Statement>),
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// A description of the problem, for people to read.
    pub(super) fn read(value: &Value) -> Result<Rule, String> {
        let name = value.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or("every rule needs a name")?.to_owned();
        let kind = Kind::read(value).map_err(|problem| format!("rule '{name}': {problem}"))?;
        Ok(Rule { name, kind })
    }

    /// Whether it can already judge a match that is being formed.
    pub(super) fn is_gradual(&self) -> bool {
        match &self.kind {
            Kind::Comparison { measurements, reference, .. } => {
                !measurements.iter().chain(reference).any(Expression::counts)
            }
            Kind::Distance { measurements, reference, least, .. } => {
                least.is_none() && !measurements.iter().any(Expression::counts) && !reference.counts()
            }
            Kind::BatchDistance { least, .. } => least.is_none(),
            Kind::Latency { .. } | Kind::Order => true,
            Kind::Collection { most, .. } => most.is_none(),
            Kind::Compound(_) => false,
        }
    }

    /// Returns the expressions of the rule.
    pub(super) fn expressions(&self) -> Vec<&Expression> {
        match &self.kind {
            Kind::Comparison { measurements, reference, .. } => {
                measurements.iter().chain(reference).collect()
            }
            Kind::Distance { measurements, reference, .. } => {
                measurements.iter().chain([reference]).collect()
            }
            Kind::Collection { measurements, contains, .. } => measurements.iter().chain(contains).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it passes; `None` while that is undecided.
    pub(super) fn judge(&self, sides: &[Side], all: &[Rule]) -> Option<bool> {
        match &self.kind {
            Kind::Order => Some(true),
            Kind::Comparison { measurements, operation, reference } => {
                let mut values = leaves(measurements, sides)?;
                let reference = match reference {
                    Some(reference) => reference.outcome(sides)?.leaves().into_iter().next()?,
                    None => values.pop()?,
                };
                Some(values.iter().all(|value| compare(value, operation, &reference)))
            }
            Kind::Distance { measurements, reference, least, most } => {
                let reference = reference.outcome(sides)?.number()?;
                let values = leaves(measurements, sides)?;
                let distances = values.iter().map(|value| Some((value.number()? - reference).abs()));
                within(&distances.collect::<Option<Vec<f64>>>()?, *least, *most)
            }
            Kind::BatchDistance { attribute, least, most } => batch_distance(sides, attribute, *least, *most),
            Kind::Latency { most_ms } => quick_location(sides, *most_ms),
            Kind::Collection { measurements, contains, least, most } => {
                let mut count = 0;
                for measurement in measurements {
                    let found = measurement.outcome(sides)?.leaves();
                    count += match contains {
                        Some(wanted) => {
                            let wanted = wanted.outcome(sides)?.leaves();
                            found.iter().filter(|value| wanted.contains(value)).count()
                        }
                        None => found.len(),
                    };
                }
                let least = least.or(if most.is_none() { Some(1.0) } else { None });
                within(&[count as f64], least, *most)
            }
            Kind::Compound(statement) => statement.judge(sides, all),
        }
    }
}

fn leaves(measurements: &[Expression], sides: &[Side]) -> Option<Vec<Outcome>> {
    let outcomes = measurements.iter().map(|measurement| measurement.outcome(sides).map(Outcome::leaves));
    outcomes.collect::<Option<Vec<_>>>().map(|lists| lists.concat())
}

fn compare(value: &Outcome, operation: &str, reference: &Outcome) -> bool {
    match (value.number(), reference.number()) {
        (Some(value), Some(reference)) => match operation {
            "<" => value < reference,
            "<=" => value <= reference,
            "=" => (value - reference).abs() < f64::EPSILON,
            "!=" => (value - reference).abs() >= f64::EPSILON,
            ">" => value > reference,
            _ => value >= reference,
        },
        _ if operation == "!=" => value != reference,
        _ => operation == "=" && value == reference,
    }
}

fn within(values: &[f64], least: Option<f64>, most: Option<f64>) -> Option<bool> {
    let fits =
        |value: &f64| least.is_none_or(|least| *value >= least) && most.is_none_or(|most| *value <= most);
    Some(values.iter().all(fits))
}

fn batch_distance(sides: &[Side], attribute: &str, least: Option<f64>, most: Option<f64>) -> Option<bool> {
    let players = sides.iter().flat_map(|side| &side.players);
    let values = players.map(|player| player.attribute(attribute));
    let values: Vec<_> = values.collect::<Option<Vec<_>>>()?;
    let numbers: Vec<f64> = values.iter().filter_map(|value| value.number()).collect();
    if numbers.len() < values.len() {
        return Some(values.windows(2).all(|pair| matches!(pair, [a, b] if a == b)));
    }
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    if numbers.is_empty() { Some(true) } else { within(&[high - low], least, most) }
}

/// Whether some location is quick enough for everybody. Players without measurements can play anywhere.
fn quick_location(sides: &[Side], most_ms: f64) -> Option<bool> {
    let measured: Vec<_> = sides
        .iter()
        .flat_map(|side| &side.players)
        .map(|player| &player.latencies)
        .filter(|latencies| !latencies.is_empty())
        .collect();
    let Some(first) = measured.first() else { return Some(true) };
    let quick = |location: &&String| {
        measured.iter().all(|latencies| latencies.get(*location).is_some_and(|ms| f64::from(*ms) <= most_ms))
    };
    Some(first.keys().any(|location| quick(&location)))
}

impl Statement {
    fn judge(&self, sides: &[Side], all: &[Rule]) -> Option<bool> {
        match self {
            Self::Rule(name) => all.iter().find(|rule| rule.name == *name)?.judge(sides, all),
            Self::Join(join, parts) => {
                let judged: Vec<bool> =
                    parts.iter().map(|part| part.judge(sides, all)).collect::<Option<_>>()?;
                Some(match join.as_str() {
                    "and" => judged.iter().all(|passed| *passed),
                    "or" => judged.iter().any(|passed| *passed),
                    "xor" => judged.iter().filter(|passed| **passed).count() == 1,
                    _ => !judged.iter().any(|passed| *passed),
                })
            }
        }
    }

    fn read(text: &str) -> Result<Statement, String> {
        let text = text.trim();
        let Some((join, rest)) = text.split_once('(') else { return Ok(Statement::Rule(text.to_owned())) };
        let join = join.trim();
        if !["and", "or", "not", "xor"].contains(&join) {
            return Err(format!("a compound statement knows no '{join}'"));
        }
        let inner = rest.strip_suffix(')').ok_or("a compound statement has no closing bracket")?;
        let (mut parts, mut depth, mut from) = (Vec::new(), 0_usize, 0);
        for (at, letter) in inner.char_indices() {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.push(Statement::read(&inner[from..at])?);
                    from = at + 1;
                }
                _ => {}
            }
        }
        parts.push(Statement::read(&inner[from..])?);
        Ok(Statement::Join(join.to_owned(), parts))
    }

    /// Returns the names of the rules it combines.
    pub(super) fn rules(&self) -> Vec<&str> {
        match self {
            Self::Rule(name) => vec![name],
            Self::Join(_, parts) => parts.iter().flat_map(Statement::rules).collect(),
        }
    }
}

impl Kind {
    fn read(value: &Value) -> Result<Kind, String> {
        let text = |member: &str| value.get(member).and_then(Value::as_str);
        let number = |member: &str| value.get(member).and_then(Value::as_f64);
        let expression = |member: &str| match value.get(member) {
            None => Ok(None),
            Some(Value::String(text)) => Expression::read(text).map(Some),
            Some(Value::Number(number)) => Ok(number.as_f64().map(Expression::Number)),
            Some(_) => Err(format!("{member} is neither an expression nor a number")),
        };
        let measurements = || {
            let listed = match value.get("measurements") {
                Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
                Some(Value::String(text)) => vec![text.as_str()],
                _ => Vec::new(),
            };
            if listed.is_empty() {
                return Err("measurements are missing".to_owned());
            }
            listed.into_iter().map(Expression::read).collect::<Result<Vec<_>, _>>()
        };
        let bounded = |least: Option<f64>, most: Option<f64>, members: &str| match (least, most) {
            (None, None) => Err(format!("{members} is missing")),
            bounds => Ok(bounds),
        };
        match text("type").ok_or("its type is missing")? {
            "comparison" => {
                let operation = text("operation").ok_or("operation is missing")?.to_owned();
                if !["<", "<=", "=", "!=", ">", ">="].contains(&operation.as_str()) {
                    return Err(format!("there is no comparison '{operation}'"));
                }
                let reference = expression("referenceValue")?;
                if reference.is_none() && !["=", "!="].contains(&operation.as_str()) {
                    return Err("referenceValue is missing".to_owned());
                }
                Ok(Kind::Comparison { measurements: measurements()?, operation, reference })
            }
            "distance" => {
                let (least, most) =
                    bounded(number("minDistance"), number("maxDistance"), "minDistance or maxDistance")?;
                let reference = expression("referenceValue")?.ok_or("referenceValue is missing")?;
                Ok(Kind::Distance { measurements: measurements()?, reference, least, most })
            }
            "batchDistance" => {
                let (least, most) = (number("minDistance"), number("maxDistance"));
                let attribute = text("batchAttribute").ok_or("batchAttribute is missing")?.to_owned();
                Ok(Kind::BatchDistance { attribute, least, most })
            }
            "latency" => {
                let most_ms = number("maxLatency").ok_or("maxLatency is missing")?;
                Ok(Kind::Latency { most_ms })
            }
            "collection" => {
                let contains = expression("referenceValue")?;
                let operation = text("operation").ok_or("operation is missing")?;
                match operation {
                    "contains" | "reference_intersection_count" if contains.is_none() => {
                        return Err("referenceValue is missing".to_owned());
                    }
                    "intersection" | "contains" | "reference_intersection_count" => {}
                    other => return Err(format!("there is no collection operation '{other}'")),
                }
                let mut measurements = measurements()?;
                if operation == "intersection" {
                    use super::expression::Function::{Flatten, SetIntersection};
                    let common = |inner| {
                        let flat = Expression::Call(Flatten, Box::new(inner));
                        Expression::Call(SetIntersection, Box::new(flat))
                    };
                    measurements = measurements.into_iter().map(common).collect();
                }
                let (least, most) = (number("minCount"), number("maxCount"));
                Ok(Kind::Collection { measurements, contains, least, most })
            }
            "absoluteSort" | "distanceSort" => {
                text("sortAttribute").ok_or("sortAttribute is missing")?;
                match text("sortDirection") {
                    Some("ascending" | "descending") => Ok(Kind::Order),
                    _ => Err("sortDirection must be ascending or descending".to_owned()),
                }
            }
            "compound" => {
                Ok(Kind::Compound(Statement::read(text("statement").ok_or("statement is missing")?)?))
            }
            other => Err(format!("there is no rule type '{other}'")),
        }
    }
}
