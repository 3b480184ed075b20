//! FlexMatch rule sets: their teams, attributes, rules and expansions, whether they are valid, and how they judge
//! players.
//!
//! Owns the language (FlexMatch developer guide, rule set schema and rule types). Knows nothing of tickets.

mod algorithm;
mod expression;
mod rule;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use rule::Kind;
pub(super) use rule::Rule;

use super::super::records::AttributeValue;

/// Maximum number of players in a match.
const MOST_PLAYERS: u64 = 200;

/// The types of attribute a rule set can declare.
const ATTRIBUTE_TYPES: [&str; 4] = ["number", "string", "string_list", "string_number_map"];

/// Attributes by name.
type Attributes = BTreeMap<String, AttributeValue>;

/// A player's data, as far as rules use it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The player's number in the world.
    pub(crate) player: u32,
    pub(crate) attributes: BTreeMap<String, AttributeValue>,
    /// Latency in milliseconds, by location.
    pub(crate) latencies: BTreeMap<String, u32>,
}

/// A team of a match that is being formed.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// Its name in the match.
    pub(super) name: String,
    /// Its name in the rule set.
    plan: String,
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) players: Vec<Candidate>,
}

/// A valid rule set.
#[derive(Clone, Debug)]
pub(crate) struct RuleSet {
    sides: Vec<Side>,
    /// Type of each attribute.
    declared: BTreeMap<String, String>,
    defaults: BTreeMap<String, AttributeValue>,
    pub(super) rules: Vec<Rule>,
    /// Waiting is counted from the oldest ticket of a match rather than the newest.
    pub(super) oldest_waits: bool,
}

impl Candidate {
    fn attribute(&self, name: &str) -> Option<&AttributeValue> {
        self.attributes.get(name)
    }
}

impl RuleSet {
    /// Reads a rule set.
    ///
    /// # Errors
    /// A description of the problem, for people to read.
    pub(crate) fn read(body: &str) -> Result<RuleSet, String> {
        Self::relaxed(body, 0)
    }

    /// Reads a rule set and applies the expansions that are due after this wait.
    ///
    /// # Errors
    /// A description of the problem, for people to read.
    pub(super) fn relaxed(body: &str, waited_s: i64) -> Result<RuleSet, String> {
        let mut body: Value = serde_json::from_str(body).map_err(|error| format!("not JSON: {error}"))?;
        expand(&mut body, waited_s)?;
        if body.get("ruleLanguageVersion").and_then(Value::as_str) != Some("1.0") {
            return Err("ruleLanguageVersion must be \"1.0\"".to_owned());
        }
        let sides = sides(&body)?;
        let (declared, defaults) = attributes(&body)?;
        algorithm::check(&body, &declared, sides.iter().map(|side| side.most).sum())?;
        let listed = list(&body, "rules")?;
        let rules: Vec<Rule> = listed.iter().map(Rule::read).collect::<Result<_, _>>()?;
        let set = RuleSet {
            sides,
            declared,
            defaults,
            rules,
            oldest_waits: body.pointer("/algorithm/expansionAgeSelection").and_then(Value::as_str)
                == Some("oldest"),
        };
        set.check_names()?;
        Ok(set)
    }

    fn check_names(&self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        for rule in &self.rules {
            let name = &rule.name;
            if !seen.insert(name) {
                return Err(format!("there are two rules '{name}'"));
            }
            for (teams, attributes) in rule.expressions().into_iter().map(expression::Expression::names) {
                if let Some(team) =
                    teams.iter().find(|team| !self.sides.iter().any(|side| side.plan == **team))
                {
                    return Err(format!("rule '{name}' names the team '{team}', which does not exist"));
                }
                if let Some(attribute) =
                    attributes.iter().find(|attribute| !self.declared.contains_key(**attribute))
                {
                    return Err(format!(
                        "rule '{name}' names the attribute '{attribute}', which is not declared"
                    ));
                }
            }
            match &rule.kind {
                Kind::BatchDistance { attribute, .. } if !self.declared.contains_key(attribute) => {
                    return Err(format!(
                        "rule '{name}' names the attribute '{attribute}', which is not declared"
                    ));
                }
                Kind::Compound(statement) => {
                    let mut joined = statement.rules().into_iter();
                    let known = |joined: &str| self.rules.iter().any(|rule| rule.name == joined);
                    if let Some(unknown) = joined.find(|joined| *joined == name.as_str() || !known(joined)) {
                        return Err(format!("rule '{name}' joins '{unknown}', which is not another rule"));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the teams without players.
    pub(super) fn teams(&self) -> Vec<Side> {
        self.sides.clone()
    }

    /// Returns the first of these attributes whose type differs from the declared one, and the declared type.
    pub(crate) fn misfit<'a>(
        &'a self,
        attributes: &'a BTreeMap<String, AttributeValue>,
    ) -> Option<(&'a str, &'a str)> {
        let fits = |kind: &str, value: &AttributeValue| {
            matches!(
                (kind, value),
                ("number", AttributeValue::Number(_))
                    | ("string", AttributeValue::Text(_))
                    | ("string_list", AttributeValue::Texts(_))
                    | ("string_number_map", AttributeValue::Numbers(_))
            )
        };
        let declared =
            attributes.iter().filter_map(|(name, value)| Some((name, self.declared.get(name)?, value)));
        declared
            .filter(|(_, kind, value)| !fits(kind, value))
            .map(|(name, kind, _)| (name.as_str(), kind.as_str()))
            .next()
    }

    /// Returns the maximum number of players in a match.
    pub(crate) fn most_players(&self) -> usize {
        self.sides.iter().map(|side| side.most).sum()
    }

    /// Returns the names of the rules, in order.
    pub(crate) fn rule_names(&self) -> Vec<String> {
        self.rules.iter().map(|rule| rule.name.clone()).collect()
    }

    /// Gives a player the defaults of the attributes that were not given.
    pub(super) fn complete(&self, mut player: Candidate) -> Candidate {
        for (name, value) in &self.defaults {
            player.attributes.entry(name.clone()).or_insert_with(|| value.clone());
        }
        player
    }

    /// Returns the rules that are judged on their own, not only as a part of another.
    fn own(&self) -> impl Iterator<Item = (usize, &Rule)> {
        let joined: BTreeSet<&str> = self
            .rules
            .iter()
            .flat_map(|rule| match &rule.kind {
                Kind::Compound(statement) => statement.rules(),
                _ => Vec::new(),
            })
            .collect();
        self.rules.iter().enumerate().filter(move |(_, rule)| !joined.contains(rule.name.as_str()))
    }

    /// Whether the rules let the players of a match play together. While the match is being formed, only rules count
    /// whose failure more players cannot mend. Once it is complete, a rule fails if the values it measures are
    /// missing. Counts passes and failures by rule.
    pub(super) fn judge(&self, sides: &[Side], complete: bool, counts: &mut Vec<(u32, u32)>) -> bool {
        counts.resize(self.rules.len().max(counts.len()), (0, 0));
        let mut all = true;
        for (place, rule) in self.own() {
            if !complete && !rule.is_gradual() {
                continue;
            }
            let judged = rule.judge(sides, &self.rules);
            let passed = judged.unwrap_or(!complete);
            if let Some(count) = counts.get_mut(place).filter(|_| complete || judged.is_some()) {
                count.0 += u32::from(passed);
                count.1 += u32::from(!passed);
            }
            all &= passed;
        }
        all
    }
}

fn list<'a>(body: &'a Value, member: &str) -> Result<&'a [Value], String> {
    match body.get(member) {
        None => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(format!("{member} is not a list")),
    }
}

fn sides(body: &Value) -> Result<Vec<Side>, String> {
    let mut sides: Vec<Side> = Vec::new();
    for team in list(body, "teams")? {
        let name = team.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or("every team needs a name")?;
        let number = |member: &str| team.get(member).and_then(Value::as_u64);
        let most = number("maxPlayers").ok_or_else(|| format!("team '{name}' has no maxPlayers"))?;
        let least = number("minPlayers").ok_or_else(|| format!("team '{name}' has no minPlayers"))?;
        let quantity = number("quantity").unwrap_or(1);
        if least > most || most == 0 || !(1..=MOST_PLAYERS).contains(&quantity) {
            return Err(format!("team '{name}': minPlayers, maxPlayers and quantity contradict each other"));
        }
        if sides.iter().any(|side| side.plan == name) {
            return Err(format!("there are two teams '{name}'"));
        }
        if most.saturating_mul(quantity) > MOST_PLAYERS {
            return Err(format!("a match can have at most {MOST_PLAYERS} players"));
        }
        for place in 1..=quantity {
            sides.push(Side {
                name: if quantity == 1 { name.to_owned() } else { format!("{name}_{place}") },
                plan: name.to_owned(),
                least: least as usize,
                most: most as usize,
                players: Vec::new(),
            });
        }
    }
    let players: usize = sides.iter().map(|side| side.most).sum();
    match players as u64 {
        0 => Err("teams are missing".to_owned()),
        1..=MOST_PLAYERS => Ok(sides),
        _ => Err(format!("a match can have at most {MOST_PLAYERS} players")),
    }
}

/// Returns the declared attributes with their types, and the defaults of those that have one.
fn attributes(body: &Value) -> Result<(BTreeMap<String, String>, Attributes), String> {
    let (mut declared, mut defaults) = (BTreeMap::new(), BTreeMap::new());
    for attribute in list(body, "playerAttributes")? {
        let name =
            attribute.get("name").and_then(Value::as_str).ok_or("every player attribute needs a name")?;
        let kind = attribute.get("type").and_then(Value::as_str).unwrap_or_default();
        if !ATTRIBUTE_TYPES.contains(&kind) {
            return Err(format!("attribute '{name}' has the type '{kind}', which does not exist"));
        }
        if let Some(default) = attribute.get("default") {
            let value = default_of(kind, default);
            let value = value.ok_or_else(|| format!("the default of attribute '{name}' is not a {kind}"))?;
            defaults.insert(name.to_owned(), value);
        }
        if declared.insert(name.to_owned(), kind.to_owned()).is_some() {
            return Err(format!("there are two attributes '{name}'"));
        }
    }
    Ok((declared, defaults))
}

fn default_of(kind: &str, value: &Value) -> Option<AttributeValue> {
    Some(match kind {
        "number" => AttributeValue::Number(value.as_f64()?),
        "string" => AttributeValue::Text(value.as_str()?.to_owned()),
        "string_list" => {
            let items = value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned));
            AttributeValue::Texts(items.collect::<Option<_>>()?)
        }
        _ => {
            let items =
                value.as_object()?.iter().map(|(name, number)| Some((name.clone(), number.as_f64()?)));
            AttributeValue::Numbers(items.collect::<Option<_>>()?)
        }
    })
}

/// Applies to the rule set the values of the expansions that are due.
fn expand(body: &mut Value, waited_s: i64) -> Result<(), String> {
    for expansion in list(body, "expansions")?.to_vec() {
        let target = expansion.get("target").and_then(Value::as_str).unwrap_or_default();
        let parts = target.strip_suffix(']').map_or(target, |_| "").split_once('[');
        let parts = parts.and_then(|(list, rest)| Some((list, rest.split_once("].")?)));
        let Some((part, (name, member))) = parts.filter(|(part, _)| ["rules", "teams"].contains(part)) else {
            return Err(format!("the target of an expansion is not understood: '{target}'"));
        };
        let mut due = None;
        let mut before = -1;
        for step in list(&expansion, "steps")? {
            let after_s = step.get("waitTimeSeconds").and_then(Value::as_i64).unwrap_or(-1);
            let value = step.get("value").ok_or_else(|| format!("a step of '{target}' has no value"))?;
            if after_s <= before {
                return Err(format!("the steps of '{target}' do not rise in waitTimeSeconds"));
            }
            before = after_s;
            due = if waited_s >= after_s { Some(value.clone()) } else { due };
        }
        let items = body.get_mut(part).and_then(Value::as_array_mut).into_iter().flatten();
        let mut named = items
            .filter(|item| name == "*" || item.get("name").and_then(Value::as_str) == Some(name))
            .filter_map(Value::as_object_mut)
            .peekable();
        if named.peek().is_none() {
            return Err(format!("the target of an expansion does not exist: '{target}'"));
        }
        for item in named {
            if !item.contains_key(member) {
                return Err(format!("the target of an expansion does not exist: '{target}'"));
            }
            if let Some(value) = &due {
                item.insert(member.to_owned(), value.clone());
            }
        }
    }
    Ok(())
}
